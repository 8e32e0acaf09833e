//! The files of a session, read by several threads, and read again where they changed.

use std::collections::HashMap;
use std::ffi::{CStr, CString};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::super::snapshot::Sources;
use super::super::symbol::{Chunk, Chunks};
use super::commits;
use super::meta::Meta;
use super::os::{Directory, is_shortage};
use super::stamp::{Watched, now, racy};
use super::unit::{Filling, Record};

/// So many files go into one chunk: small enough that what was read is parsed while it is warm.
const UNIT: usize = 128;

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
        let mut names = watched.history.as_ref().map_or(Ok(Vec::new()), |history| history.names(b".json"))?;
        names.sort_unstable();
        // A directory that changes while it is listed can give a name twice.
        names.dedup();
        let before: HashMap<CString, Record> =
            std::mem::take(&mut sources.names).into_iter().zip(std::mem::take(&mut sources.records)).collect();
        if let Some(history) = &watched.history {
            sources.records = load(history, &names, &before, &mut sources.chunks, threads)?;
        }
        sources.names = names;
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

fn load(
    history: &Directory,
    names: &[CString],
    before: &HashMap<CString, Record>,
    chunks: &mut Chunks,
    threads: usize,
) -> io::Result<Vec<Record>> {
    let units: Vec<&[CString]> = names.chunks(UNIT).collect();
    let first_chunk = chunks.len();
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(units.len()));
    let work = || {
        let mut filling = Filling::default();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(unit) = units.get(at) else { break };
            let chunk = u32::try_from(first_chunk + at).unwrap_or(u32::MAX);
            let filled = read_unit(history, unit, before, chunk, &mut filling);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((chunk, filled));
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
    done.sort_unstable_by_key(|(chunk, _)| *chunk);
    let mut records = Vec::with_capacity(names.len());
    for (chunk, filled) in done {
        let (text, unit) = filled?;
        chunks.put(chunk, text);
        records.extend(unit);
    }
    Ok(records)
}

fn read_unit(
    history: &Directory,
    names: &[CString],
    before: &HashMap<CString, Record>,
    chunk: u32,
    filling: &mut Filling,
) -> io::Result<(Chunk, Vec<Record>)> {
    let known: Vec<Option<&Record>> = names.iter().map(|name| before.get(name).filter(|record| unchanged(history, name, record))).collect();
    // The time before the first file stands for all: what was written since is looked at again.
    let read_at = now();
    filling.bytes.reserve(names.len() * 1024);
    for (name, _) in names.iter().zip(&known).filter(|(_, known)| known.is_none()) {
        let start = filling.bytes.len();
        match history.read(name, &mut filling.bytes) {
            Ok(identity) => filling.add(start, identity, read_at),
            Err(error) if is_shortage(&error) => return Err(error),
            Err(_) => filling.add_unreadable(),
        }
    }
    let (text, fresh) = filling.finish(chunk);
    let mut fresh = fresh.into_iter();
    let records = known.into_iter().filter_map(|known| known.cloned().or_else(|| fresh.next())).collect();
    Ok((text, records))
}

/// Whether a file is still the one that was read, and was old enough then to tell.
fn unchanged(history: &Directory, name: &CStr, record: &Record) -> bool {
    history.identity_of(name).is_ok_and(|now| now == record.identity) && !racy(&record.identity, record.read_at)
}
