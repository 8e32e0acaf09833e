//! What holds for every rung of any session, and for every comparison: shared by the property tests and the fuzz target.

use parallax::compare::{Ladder, Outcome};
use parallax::dag::Snapshot;
use parallax::history::{self, Cancel, Kind};
use parallax::step::{Rung, Step};

/// Checks every claim; panics with the first that does not hold.
pub(crate) fn check(snapshot: &Snapshot) {
    let cancel = Cancel::new();
    let ladder = Ladder::climb(snapshot, &cancel).expect("not cancelled");
    let target = history::target(snapshot, &cancel).expect("not cancelled");
    for rung in Rung::ALL {
        let history = ladder.history(rung);
        let mut bytes = Vec::new();
        history.write_messages(snapshot, &mut bytes).expect("written");
        let valid = serde_json::from_slice::<serde::de::IgnoredAny>(&bytes);
        assert!(valid.is_ok(), "{rung} is not served as JSON: {valid:?}");
        if rung == Rung::Ground {
            continue;
        }
        assert_eq!(history.error, None, "{rung} never fails");
        let mut seen = vec![false; snapshot.edges().len()];
        for message in &history.messages {
            let place = snapshot.edges().place(message.node).expect("a node that counts");
            let node = snapshot.at(place);
            assert!(!std::mem::replace(&mut seen[place.index()], true), "{rung} shows {} twice", snapshot.text(node.id));
            assert!(!node.marks.rewound, "{rung} shows a rewound row");
            let kind = target.kinds.kind(place);
            assert!(kind != Kind::Internal && kind != Kind::Marker, "{rung} shows a row of kind {kind}");
            assert_eq!(message.on_chain, kind.is_message());
        }
        if target.lane_count() > 0 && rung != Rung::A {
            assert!(history.messages.iter().any(|message| message.on_chain), "{rung} is blank");
        }
    }
    for step in Step::ALL {
        let comparison = ladder.compare(step);
        let quiet = comparison.divergences.is_empty();
        let better = comparison.divergences.iter().all(|divergence| divergence.code.is_improvement());
        match comparison.outcome {
            Outcome::Unsupported => assert!(snapshot.is_odd()),
            Outcome::Match => assert!(quiet),
            Outcome::Improved => assert!(!quiet && better),
            Outcome::Diverged => assert!(!better),
            Outcome::Known => panic!("nothing is known yet"),
        }
    }
    for rung in Rung::ALL {
        assert!(ladder.compare_pair(Step::A, rung, rung).divergences.is_empty(), "{rung} differs from itself");
    }
}
