//! The files of a session, read by several threads, and read again where they changed.

use std::ffi::CStr;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::super::names::Names;
use super::super::snapshot::Sources;
use super::super::symbol::{Chunk, Chunks};
use super::commits;
use super::meta::Meta;
use super::os::{Directory, is_shortage};
use super::records::{Records, UNIT};
use super::stamp::{Watched, now, racy};
use super::unit::{Filling, Record};

/// A chunk that is longer gets no more files.
const LONG: usize = 64 << 20;

/// What was read of a session so far.
#[derive(Default)]
pub(super) struct Collection {
    sources: Sources,
    no_git: bool,
    /// What the last reading that may have been torn came to.
    seen: Option<(u128, bool, bool)>,
}

impl Collection {
    /// Reads everything that is not known to be as it was at the last call.
    pub(super) fn read(&mut self, watched: &Watched, threads: usize) -> io::Result<()> {
        let sources = &mut self.sources;
        self.no_git = !watched.session.has(c".git");
        sources.meta = Meta::read(&watched.session, &mut sources.chunks)?;
        let names = watched.history.as_ref().map_or(Ok(Names::default()), |history| history.names(b".json"))?;
        let before = Before { names: std::mem::replace(&mut sources.names, names), records: std::mem::take(&mut sources.records) };
        if let Some(history) = &watched.history {
            sources.records = load(history, &sources.names, &before, &mut sources.chunks, threads)?;
        }
        sources.commits = commits::read(watched.commits.as_ref(), &sources.records, &mut sources.chunks)?;
        Ok(())
    }

    /// Whether this reading came to the same as the last one for which this was asked. All files then stood as they are
    /// from the end of that reading to the start of this one.
    pub(super) fn repeated(&mut self) -> bool {
        let now = Some((self.sources.digest(), self.sources.meta.bad, self.no_git));
        std::mem::replace(&mut self.seen, now) == now
    }

    /// What the snapshot is made from, and whether the session has no `.git`.
    pub(super) fn finish(self) -> (Sources, bool) {
        (self.sources, self.no_git)
    }
}

/// The chunks of a unit under their numbers, mostly one, and a record a file.
type UnitRead = (Vec<(u32, Chunk)>, Vec<Record>);

/// What the last reading came to.
struct Before {
    names: Names,
    records: Records,
}

impl Before {
    /// The record of a file that is still the one that was read, and was old enough then to tell.
    fn unchanged(&self, history: &Directory, name: &CStr) -> Option<&Record> {
        let record = self.records.get(self.names.find(name)?);
        let same = history.identity_of(name).is_ok_and(|now| now == record.identity);
        (same && !racy(&record.identity, record.read_at)).then_some(record)
    }
}

fn load(history: &Directory, names: &Names, before: &Before, chunks: &mut Chunks, threads: usize) -> io::Result<Records> {
    let units: Vec<Range<usize>> = (0..names.len()).step_by(UNIT).map(|start| start..names.len().min(start + UNIT)).collect();
    let next = AtomicUsize::new(0);
    let next_chunk = AtomicUsize::new(chunks.len());
    let done = Mutex::new(Vec::with_capacity(units.len()));
    let work = || {
        let mut filling = Filling::default();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(at) else { break };
            let filled = read_unit(history, names, unit.clone(), before, &next_chunk, &mut filling);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((at, filled));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(units.len()) {
            // Where no thread can be started, the others do its work.
            let _ = std::thread::Builder::new().spawn_scoped(scope, work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(unit, _)| *unit);
    let mut records = Records::default();
    for (_, filled) in done {
        let (own, unit) = filled?;
        own.into_iter().for_each(|(number, chunk)| chunks.put(number, chunk));
        records.push(unit);
    }
    Ok(records)
}

fn read_unit(
    history: &Directory,
    names: &Names,
    unit: Range<usize>,
    before: &Before,
    next_chunk: &AtomicUsize,
    filling: &mut Filling,
) -> io::Result<UnitRead> {
    let known: Vec<Option<&Record>> = unit.clone().map(|at| before.unchanged(history, names.get(at))).collect();
    // The time before the first file stands for all: what was written since is looked at again.
    let read_at = now();
    filling.bytes.reserve(unit.len() * 1024);
    let (mut chunks, mut fresh) = (Vec::new(), Vec::new());
    let mut finish = |filling: &mut Filling| {
        let number = u32::try_from(next_chunk.fetch_add(1, Ordering::Relaxed)).unwrap_or(u32::MAX);
        let (chunk, records) = filling.finish(number);
        chunks.push((number, chunk));
        fresh.extend(records);
    };
    for (at, _) in unit.zip(&known).filter(|(_, known)| known.is_none()) {
        // Places in a chunk are 32-bit numbers: long files get a chunk of their own.
        if filling.bytes.len() > LONG {
            finish(filling);
        }
        let start = filling.bytes.len();
        match history.read(names.get(at), &mut filling.bytes) {
            Ok(identity) => filling.add(start, identity, read_at),
            Err(error) if is_shortage(&error) => return Err(error),
            Err(_) => filling.add_unreadable(),
        }
    }
    finish(filling);
    let mut fresh = fresh.into_iter();
    let records = known.into_iter().filter_map(|known| known.cloned().or_else(|| fresh.next())).collect();
    Ok((chunks, records))
}
