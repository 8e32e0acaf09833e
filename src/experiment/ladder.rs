//! The ways to do one thing, by name, the safe one first.

use super::Cancel;

/// One way: from the input to an output, or to a code that says why not. Codes become labels: they never hold content.
type Way<I, O> = Box<dyn Fn(&I, &Cancel) -> Result<O, &'static str> + Send + Sync>;

/// Named ways to do one thing. The first is the safe one: it answers where another can not.
pub struct Ladder<I, O> {
    rungs: Vec<(&'static str, Way<I, O>)>,
}

impl<I, O> Ladder<I, O> {
    /// A ladder with nothing but its ground.
    pub fn new(name: &'static str, way: impl Fn(&I, &Cancel) -> Result<O, &'static str> + Send + Sync + 'static) -> Self {
        Ladder { rungs: Vec::new() }.rung(name, way)
    }

    /// The same ladder with one more rung on top.
    #[must_use]
    pub fn rung(mut self, name: &'static str, way: impl Fn(&I, &Cancel) -> Result<O, &'static str> + Send + Sync + 'static) -> Self {
        self.rungs.push((name, Box::new(way)));
        self
    }

    /// How many rungs there are.
    pub fn len(&self) -> usize {
        self.rungs.len()
    }

    /// Never: there is a ground.
    pub fn is_empty(&self) -> bool {
        self.rungs.is_empty()
    }

    /// The name of a rung; the ground's for one that there is not.
    pub fn name(&self, rung: usize) -> &'static str {
        self.rungs.get(rung).or(self.rungs.first()).map_or("", |(name, _)| name)
    }

    pub(super) fn run(&self, rung: usize, input: &I, cancel: &Cancel) -> Result<O, &'static str> {
        self.rungs.get(rung).map_or(Err("no-such-rung"), |(_, way)| way(input, cancel))
    }
}
