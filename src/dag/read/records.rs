//! What was read of each node file, in the order of the names.

use super::unit::Record;

/// So many files are read at a time: few enough that what was read is parsed while it is warm.
pub(in crate::dag) const UNIT: usize = 128;

/// One record a file, as the units brought them: every unit but the last is full.
#[derive(Default)]
pub(in crate::dag) struct Records(Vec<Vec<Record>>);

impl Records {
    /// Adds the next unit.
    pub(super) fn push(&mut self, unit: Vec<Record>) {
        self.0.push(unit);
    }

    /// How many there are.
    pub(in crate::dag) fn len(&self) -> usize {
        self.0.split_last().map_or(0, |(last, full)| full.len() * UNIT + last.len())
    }

    /// The record of the file at a place.
    pub(in crate::dag) fn get(&self, at: usize) -> &Record {
        &self.0[at / UNIT][at % UNIT]
    }

    /// All records, in order.
    pub(in crate::dag) fn iter(&self) -> impl Iterator<Item = &Record> {
        self.0.iter().flatten()
    }
}
