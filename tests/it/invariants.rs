//! What holds for the snapshot of any session at all.
//!
//! The property tests and the fuzz crate both include this file.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use parallax::dag::{Call, FaultCode, Place, Recorded, Snapshot};

/// Panics where a snapshot contradicts itself.
pub(crate) fn check(snapshot: &Snapshot) {
    places_are_sorted_by_key(snapshot);
    every_id_has_one_place(snapshot);
    edges_stay_in_range(snapshot);
    faults_are_sorted_and_name_what_is_there(snapshot);
    bodies_are_whole(snapshot);
}

/// Panics where two readings of the same bytes differ.
pub(crate) fn check_same(one: &Snapshot, other: &Snapshot) {
    assert_eq!(one.digest(), other.digest());
    assert_eq!(one.faults(), other.faults());
    assert_eq!(one.refusal(), other.refusal());
    assert_eq!(one.edges().len(), other.edges().len());
    for place in one.edges().places() {
        assert_eq!(one.text(one.at(place).id), other.text(other.at(place).id));
        assert_eq!(one.edges().recorded(place), other.edges().recorded(place));
        assert_eq!(one.edges().call(place), other.edges().call(place));
    }
}

fn key_order(snapshot: &Snapshot, a: Place, b: Place) -> Ordering {
    let (a, b) = (snapshot.at(a), snapshot.at(b));
    a.seq.compare(b.seq).then(a.letter.cmp(&b.letter)).then_with(|| snapshot.text(a.id).cmp(snapshot.text(b.id)))
}

fn places_are_sorted_by_key(snapshot: &Snapshot) {
    let places: Vec<Place> = snapshot.edges().places().take(200).collect();
    for (at, place) in places.iter().enumerate() {
        for later in &places[at + 1..] {
            assert_eq!(key_order(snapshot, *place, *later), Ordering::Less, "{} after {}", place.index(), later.index());
        }
    }
}

fn every_id_has_one_place(snapshot: &Snapshot) {
    let ids: BTreeSet<_> = snapshot.edges().places().map(|place| snapshot.at(place).id).collect();
    assert_eq!(ids.len(), snapshot.edges().len());
    for node in snapshot.list() {
        let place = snapshot.edges().place(node).expect("every node's id has a place");
        assert_eq!(snapshot.at(place).id, snapshot.node(node).id);
        assert_eq!(snapshot.place(snapshot.node(node).id), Some(place));
    }
}

fn edges_stay_in_range(snapshot: &Snapshot) {
    let (edges, count) = (snapshot.edges(), snapshot.edges().len());
    for own in edges.places() {
        for recorded in [edges.recorded(own), edges.predecessor(own)] {
            match recorded {
                Recorded::To(place) => assert!(place.index() < count && place != own),
                Recorded::Dangling(id) => assert!(id.index() < snapshot.symbol_count()),
                Recorded::Absent | Recorded::Null | Recorded::Root => {}
            }
        }
        match edges.call(own) {
            Call::By(place) => assert!(place.index() < count),
            Call::Dangling(id) => assert_eq!(snapshot.place(id), None),
            Call::Nothing => {}
        }
        assert!(edges.forked_from(own).is_none_or(|place| place.index() < count && place != own));
    }
}

fn faults_are_sorted_and_name_what_is_there(snapshot: &Snapshot) {
    assert!(snapshot.faults().is_sorted());
    let has = |code| snapshot.faults().iter().any(|fault| fault.code == code);
    assert_eq!(snapshot.is_odd(), has(FaultCode::OddValue));
    assert_eq!(snapshot.nodes().len() > snapshot.edges().len(), has(FaultCode::DuplicateId));
    for fault in snapshot.faults() {
        if let Some(id) = &fault.node {
            assert!(snapshot.symbol(id).and_then(|id| snapshot.place(id)).is_some(), "a fault of {id}, which is not there");
        }
    }
}

fn bodies_are_whole(snapshot: &Snapshot) {
    for node in snapshot.nodes() {
        let body = snapshot.body(node);
        assert!(parallax::dag::json::Raw::checked(body.as_text()).is_some_and(|whole| whole.kind() == parallax::dag::json::Kind::Object));
    }
}
