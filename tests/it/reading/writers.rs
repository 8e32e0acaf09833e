//! Writers at work: what is read is a state that existed, or says that it may not be.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use parallax::dag::json::Raw;
use parallax::dag::{FaultCode, ReadOptions, Snapshot, read_session};

use super::OnDisk;

/// Files that one writer keeps at one version, give or take the one that it is writing.
const RING: usize = 12;
/// The distance of their numbers.
const BETWEEN: usize = 12;

/// How long a writer rests after each transaction.
#[derive(Clone, Copy)]
enum Pace {
    /// 1 to 5 ms.
    Human,
    /// Shorter than a reading of some files takes.
    Brisk,
    /// Not at all.
    Tight,
}

impl Pace {
    fn rest(self, turn: usize) {
        match self {
            Pace::Human => std::thread::sleep(Duration::from_millis(1 + turn as u64 * 7 % 5)),
            Pace::Brisk => std::thread::sleep(Duration::from_micros(turn as u64 * 37 % 300)),
            Pace::Tight => {}
        }
    }
}

/// A way to write: does transaction `turn` of writer `own`.
type Transaction = fn(&OnDisk, own: usize, turn: usize);
/// What holds in every state of the session.
type Claim = fn(&Snapshot) -> Result<(), String>;

/// How many snapshots were taken, and how many of them claim to be of one instant.
#[derive(Debug)]
struct Tally {
    stable: usize,
    taken: usize,
}

/// Reads again and again while writers are at work; every stable snapshot must bear out the claim.
fn read_beside(writers: &[Transaction], pace: Pace, reads: usize, patience: Duration, claim: Claim) -> Tally {
    let session = OnDisk::new();
    for (own, transact) in writers.iter().enumerate() {
        (0..3).for_each(|turn| transact(&session, own, turn));
    }
    let (stop, stable, session) = (AtomicBool::new(false), AtomicUsize::new(0), &session);
    let read = || {
        let options = ReadOptions { threads: 2, patience };
        for _ in 0..reads {
            let snapshot = read_session(&session.path(), &options).map_err(|error| error.to_string())?;
            if snapshot.faults().iter().any(|fault| fault.code == FaultCode::UnstableRead) {
                continue;
            }
            stable.fetch_add(1, Ordering::Relaxed);
            claim(&snapshot)?;
            crate::invariants::check(&snapshot);
        }
        Ok::<(), String>(())
    };
    std::thread::scope(|scope| {
        for (own, transact) in writers.iter().enumerate() {
            let stop = &stop;
            scope.spawn(move || {
                for turn in (3..).take_while(|_| !stop.load(Ordering::Relaxed)) {
                    transact(session, own, turn);
                    pace.rest(turn);
                }
            });
        }
        let readers = [scope.spawn(read), scope.spawn(read)];
        let results = readers.map(|reader| reader.join());
        stop.store(true, Ordering::Relaxed);
        for result in results {
            result.expect("no panic").unwrap_or_else(|error| panic!("torn: {error}"));
        }
    });
    Tally { stable: stable.into_inner(), taken: 2 * reads }
}

/// A chain grows no longer than this: a reader must be able to keep up.
const LONGEST: usize = 600;

/// A new node after the last one, then the head. The last one of all is written again and again.
fn append(session: &OnDisk, own: usize, turn: usize) {
    let turn = turn.min(LONGEST);
    let seq = turn * 10 + own;
    let before = if turn == 0 { "null".to_owned() } else { format!("\"w{own}-{}\"", turn - 1) };
    let node = format!("{{\"id\": \"w{own}-{turn}\", \"seq\": {seq}, \"role\": \"user\", \"metadata\": {{\"parent_id\": {before}}}}}");
    session.put(&format!("history/{seq:04}-u-w{own}-{turn}.json"), &node);
    if own == 0 {
        session.put("meta.json", &format!("{{\"head_id\": \"w0-{turn}\"}}"));
    }
}

/// Each writer's chain has no hole, and the head is its last node or the one before.
fn chain_is_whole(snapshot: &Snapshot) -> Result<(), String> {
    let mut last: BTreeMap<&str, usize> = BTreeMap::new();
    for place in snapshot.edges().places() {
        let id = snapshot.text(snapshot.at(place).id);
        let Some((writer, turn)) = id.split_once('-') else { continue };
        let turn: usize = turn.parse().map_err(|_| format!("an id {id}"))?;
        let expected = last.get(writer).map_or(0, |last| last + 1);
        if turn != expected {
            return Err(format!("{id} is there, {writer}-{expected} is not"));
        }
        last.insert(writer, turn);
    }
    let head = snapshot.head().map_or("none", |head| snapshot.text(head.id));
    let newest = last.get("w0").copied().unwrap_or(0);
    let fits = [newest, newest.saturating_sub(1)].iter().any(|turn| head == format!("w0-{turn}"));
    if fits { Ok(()) } else { Err(format!("the head is {head}, the last node w0-{newest}")) }
}

/// One ring of files, updated in place one after the other to the next version. Half of the writers go backwards.
fn update(session: &OnDisk, own: usize, turn: usize) {
    (0..RING).for_each(|step| update_one(session, own, turn, step));
}

/// One file of a ring. Others stand between them, so that reading all takes longer than writing a few.
fn update_one(session: &OnDisk, own: usize, turn: usize, step: usize) {
    let at = if own.is_multiple_of(2) { step } else { RING - 1 - step };
    let (id, seq) = (format!("r{own}-{at}"), at * BETWEEN + own);
    if turn == 0 && own == 0 {
        for filler in seq + 2..seq + BETWEEN {
            session.put(&format!("history/{filler:04}-u-f{filler}.json"), &format!("{{\"id\": \"f{filler}\", \"seq\": {filler}}}"));
        }
    }
    let node = format!("{{\"id\": \"{id}\", \"seq\": {seq}, \"role\": \"llm\", \"name\": \"{turn:06}\"}}");
    session.put(&format!("history/{seq:04}-l-{id}.json"), &node);
}

/// In the order of writing, versions never rise, and fall by one at most once.
fn rings_are_whole(snapshot: &Snapshot) -> Result<(), String> {
    let mut rings: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for place in snapshot.edges().places() {
        let node = snapshot.at(place);
        let Some((own, _)) = snapshot.text(node.id).strip_prefix('r').and_then(|id| id.split_once('-')) else { continue };
        let name = snapshot.body(node).member("name").and_then(|name| name.string()).unwrap_or_default();
        rings.entry(own.parse().expect("a number")).or_default().push(name.parse().expect("a number"));
    }
    for (own, mut versions) in rings {
        if !own.is_multiple_of(2) {
            versions.reverse();
        }
        let span = versions[0] - versions[versions.len() - 1].min(versions[0]);
        if versions.len() != RING || !versions.is_sorted_by(|a, b| a >= b) || span > 1 {
            return Err(format!("ring {own} at {versions:?}"));
        }
    }
    Ok(())
}

/// A commit file, then the card that names it, then `meta.json` that names the card; after a lap they are updated in place.
fn card(session: &OnDisk, own: usize, turn: usize) {
    std::fs::create_dir_all(session.path().join("context/commits")).expect("made");
    let (id, seq) = (format!("c{own}-{}", turn % RING), turn % RING * 10 + own);
    session.put(&format!("context/commits/{id}.json"), &format!("{{\"turn\": {turn}}}"));
    let metadata = format!("{{\"function\": \"attach\", \"turn\": {turn}, \"attach\": {{\"source_commit_id\": \"{id}\"}}}}");
    let node = format!("{{\"id\": \"{id}\", \"seq\": {seq}, \"role\": \"llm\", \"metadata\": {metadata}}}");
    session.put(&format!("history/{seq:04}-l-{id}.json"), &node);
    session.put("meta.json", &format!("{{\"head_id\": \"{id}\"}}"));
}

/// Every card's commit is there and of the card's turn; one may be a lap ahead.
fn cards_have_their_commits(snapshot: &Snapshot) -> Result<(), String> {
    let turn = |value: Option<Raw<'_>>| value.and_then(|value| value.member("turn")).map(|turn| turn.number() as usize);
    let mut ahead = 0;
    for node in snapshot.nodes() {
        let id = snapshot.text(node.id);
        let card = turn(snapshot.body(node).member("metadata")).expect("a turn");
        let commit = turn(snapshot.commit(id)).ok_or_else(|| format!("card {id} is there, its commit is not"))?;
        ahead += usize::from(commit != card);
        if ahead > 1 || (commit != card && commit != card + RING) {
            return Err(format!("card {id} is of turn {card}, its commit of turn {commit}"));
        }
    }
    let head = snapshot.head().ok_or("no head")?;
    snapshot.place(head.id).map(drop).ok_or_else(|| format!("the head {} is not there", snapshot.text(head.id)))
}

/// A node moves to another name: the new file appears before the old one goes, so one of them is always there.
fn renumber(session: &OnDisk, own: usize, turn: usize) {
    let name = |turn: usize| format!("{:04}-u-moved{own}.json", turn % 50);
    let node = format!("{{\"id\": \"moved{own}\", \"seq\": {own}, \"role\": \"user\", \"name\": \"{turn}\"}}");
    session.put(&format!("history/{}", name(turn)), &node);
    if turn > 0 {
        std::fs::remove_file(session.history(&name(turn - 1))).expect("removed");
    }
}

fn a_moved_node_is_never_lost(snapshot: &Snapshot) -> Result<(), String> {
    let moved = snapshot.symbol("moved0").and_then(|id| snapshot.place(id));
    moved.map(drop).ok_or_else(|| format!("moved0 is gone; files: {:?}", snapshot.faults()))
}

/// Updates a ring, and sets the directory's time back after each file, as tools that copy do.
fn update_unseen(session: &OnDisk, own: usize, turn: usize) {
    for step in 0..RING {
        update_one(session, own, turn, step);
        let directory = std::fs::File::open(session.path().join("history")).expect("opened");
        directory.set_modified(std::time::UNIX_EPOCH + Duration::from_secs(1_700_000_000)).expect("set back");
    }
}

const KINDS: [(&[Transaction], Claim); 7] = [
    (&[append], chain_is_whole),
    (&[update_unseen], rings_are_whole),
    (&[append, append, append], chain_is_whole),
    (&[update], rings_are_whole),
    (&[update, update], rings_are_whole),
    (&[card], cards_have_their_commits),
    (&[renumber], a_moved_node_is_never_lost),
];

#[test]
fn beside_a_writer_that_pauses_nearly_every_snapshot_is_of_one_instant() {
    for (kind, (writers, claim)) in KINDS.into_iter().enumerate().filter(|(_, (writers, _))| writers.len() == 1) {
        let tally = read_beside(writers, Pace::Human, 60, Duration::from_secs(2), claim);
        assert!(tally.stable * 10 >= tally.taken * 9, "kind {kind}: {tally:?}");
    }
}

#[test]
fn no_snapshot_beside_several_writers_is_torn() {
    for (writers, claim) in KINDS {
        let tally = read_beside(writers, Pace::Brisk, 100, Duration::from_millis(60), claim);
        assert_eq!(tally.taken, 200);
    }
}

#[test]
fn beside_writers_that_never_rest_a_load_ends_and_says_what_it_is() {
    for (writers, claim) in KINDS {
        let tally = read_beside(writers, Pace::Tight, 10, Duration::from_millis(40), claim);
        assert_eq!(tally.taken, 20);
    }
}

/// A session that is written to all the time, and so large that no reading falls between two writes.
#[test]
fn a_snapshot_that_may_mix_two_states_says_so() {
    let session = OnDisk::new();
    for seq in 0..2_000 {
        session.put(&format!("history/{seq:04}-u-n{seq}.json"), &format!("{{\"id\": \"n{seq}\", \"seq\": {seq}}}"));
    }
    let stop = AtomicBool::new(false);
    let snapshot = std::thread::scope(|scope| {
        scope.spawn(|| {
            for turn in (0..).take_while(|_| !stop.load(Ordering::Relaxed)) {
                update(&session, 0, turn);
            }
        });
        let snapshot = read_session(&session.path(), &ReadOptions { threads: 1, patience: Duration::from_millis(100) });
        stop.store(true, Ordering::Relaxed);
        snapshot.expect("read")
    });
    assert!(snapshot.faults().iter().any(|fault| fault.code == FaultCode::UnstableRead));
}

#[test]
fn a_session_that_stands_still_is_read_at_once() {
    let session = OnDisk::new();
    append(&session, 0, 0);
    std::thread::sleep(Duration::from_millis(30));
    let snapshot = read_session(&session.path(), &ReadOptions { threads: 2, patience: Duration::ZERO }).expect("read");
    assert_eq!(super::codes(&snapshot), [""; 0]);
}
