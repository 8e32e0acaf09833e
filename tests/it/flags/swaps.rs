//! A load sees one set of flags, whatever is swapped in meanwhile.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::{from_file, metrics, prepared, set};

/// How many loads are looked at. The whole ten million take minutes without optimization: `tests/run` asks for them.
fn loads() -> u64 {
    std::env::var("PARALLAX_TEST_SWAPS").ok().and_then(|loads| loads.parse().ok()).unwrap_or(300_000)
}

#[test]
fn no_load_sees_two_sets_while_they_are_swapped_all_the_time() {
    let root = tempfile::tempdir().expect("a directory");
    let flags = from_file(&root.path().join("flags.json"), &set(0).to_string(), &metrics());
    let (done, mixed) = (AtomicBool::new(false), AtomicU64::new(0));
    let documents = [set(0).to_string(), set(100).to_string()];
    let hashes = [1, 0].map(|at: usize| {
        flags.take_up(documents[at].as_bytes()).expect("taken up");
        flags.status().set.expect("a set").hash.clone()
    });
    let mut swaps = 0_u64;
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let context = prepared("s");
            let mut seen = [0_u64; 2];
            for _ in 0..loads() {
                let toggles = flags.toggles(&context);
                let [first, ..] = toggles.steps;
                let whole = toggles.steps == [first; 4] && toggles.shadow == first;
                let own = toggles.set.is_some_and(|set| set.hash == hashes[usize::from(!first)]);
                mixed.fetch_add(u64::from(!whole || !own), Ordering::Relaxed);
                seen[usize::from(first)] += 1;
            }
            done.store(true, Ordering::Relaxed);
            assert!(seen.iter().all(|count| *count > 0), "both sets were seen: {seen:?}");
        });
        while !done.load(Ordering::Relaxed) {
            flags.take_up(documents[usize::from(swaps.is_multiple_of(2))].as_bytes()).expect("taken up");
            swaps += 1;
        }
    });
    assert_eq!(mixed.into_inner(), 0);
    assert!(swaps > 10, "{swaps} swaps");
}
