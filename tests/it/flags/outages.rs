//! A source that goes wrong in every way: loads go on from the last set, and a start finds the best one that there is.

use std::sync::Arc;
use std::time::{Duration, Instant};

use parallax::flags::{Connection, Flags, Origin, Source};
use parallax::metrics::Metrics;

use super::{metrics, prepared, set, until};
use crate::rig::{Answer, Faulty};

fn connection(url: &str) -> Connection {
    let quick = Duration::from_millis(100);
    Connection { interval: quick, patience: Duration::from_millis(700), ..Connection::new(&format!("{url}/api"), "token") }
}

fn steps(flags: &Flags) -> [bool; 4] {
    flags.toggles(&prepared("s")).steps
}

fn failures(metrics: &Metrics) -> f64 {
    let text = metrics.text().expect("text");
    text.lines()
        .filter(|line| line.starts_with("parallax_flag_source_failures_total{"))
        .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
        .sum()
}

#[test]
fn loads_go_on_from_the_last_set_whatever_the_server_answers() {
    let good = set(100).to_string();
    let other = set(0).to_string();
    let server = Faulty::start(Answer::Features(good.clone()));
    let metrics = metrics();
    let flags = Flags::start(&Source::Unleash(connection(&server.url()), None), metrics.clone());
    assert_eq!(steps(&flags), [true; 4]);
    let mut without = set(0);
    without["features"].as_array_mut().expect("a list").truncate(5);
    let faults = [
        ("500 with a set", Answer::Status(500, other.clone())),
        ("500", Answer::Status(500, "oops".to_owned())),
        ("401", Answer::Status(401, other.clone())),
        ("403", Answer::Status(403, String::new())),
        ("redirect", Answer::Status(302, other.clone())),
        ("garbage", Answer::Garbage),
        ("a page", Answer::Status(200, "<html>".to_owned())),
        ("a JSON text", Answer::Status(200, "\"features\"".to_owned())),
        ("empty", Answer::Status(200, String::new())),
        ("half", Answer::HalfBody(other.clone())),
        ("closed", Answer::Close),
        ("hung", Answer::Hang),
        ("slow", Answer::Drip(other.clone(), Duration::from_millis(20))),
        ("another project's set", Answer::Status(200, "{\"version\": 2, \"features\": []}".to_owned())),
        ("a set without the kill switch", Answer::Status(200, without.to_string())),
    ];
    for (name, fault) in faults {
        let before = failures(&metrics);
        server.answer_with(fault);
        until(name, || failures(&metrics) > before);
        let start = Instant::now();
        assert_eq!(steps(&flags), [true; 4], "{name}");
        assert!(start.elapsed() < Duration::from_millis(100), "{name}: asking waits for nothing");
        assert!(flags.status().trouble.is_some() && flags.status().is_ready(), "{name}");
        server.answer_with(Answer::Features(good.clone()));
        until("the end of the trouble", || flags.status().trouble.is_none());
        assert_eq!(flags.status().set.expect("a set").origin, Origin::Unleash, "{name}");
    }
    server.answer_with(Answer::Features(other));
    until("the other set", || steps(&flags) == [false; 4]);
}

#[test]
fn an_unchanged_set_is_asked_for_by_its_tag_and_stays_young() {
    let server = Faulty::start(Answer::Features(set(100).to_string()));
    let flags = Flags::start(&Source::Unleash(connection(&server.url()), None), metrics());
    until("answers without a body", || server.not_modified() >= 3);
    assert_eq!(steps(&flags), [true; 4]);
    assert!(flags.status().age(Instant::now()).expect("a set") < Duration::from_secs(2));
    let gets = server.requests().into_iter().filter(|request| request.first_line.starts_with("GET ")).count();
    assert!(gets >= 4 && server.not_modified() >= gets - 2, "{gets} requests, {} not modified", server.not_modified());
}

#[test]
fn a_bad_set_is_fetched_whole_again_so_that_its_tag_does_not_hide_that_it_is_bad() {
    let mut bad = set(100);
    bad["features"][2]["strategies"] = serde_json::json!(3);
    let server = Faulty::start(Answer::Features(bad.to_string()));
    let metrics = metrics();
    let flags = Flags::start(&Source::Unleash(connection(&server.url()), None), metrics.clone());
    until("three failures", || failures(&metrics) >= 3.0);
    assert!(flags.status().trouble.expect("trouble").contains("history-step-c"));
    assert_eq!(steps(&flags), [false; 4]);
}

#[test]
fn a_start_without_the_server_takes_what_it_said_last_else_the_built_in_set() {
    let data = tempfile::tempdir().expect("a directory");
    let server = Faulty::start(Answer::Features(set(100).to_string()));
    let url = server.url();
    let source = || Source::Unleash(connection(&url), Some(data.path().to_owned()));
    let flags = Flags::start(&source(), metrics());
    assert_eq!((steps(&flags), flags.status().set.expect("a set").origin), ([true; 4], Origin::Unleash));
    let hash = flags.status().set.expect("a set").hash.clone();
    drop(flags);
    std::thread::sleep(Duration::from_millis(1100));

    // The same process of tomorrow, the server gone.
    server.answer_with(Answer::Close);
    let metrics = metrics();
    let flags = Flags::start(&source(), metrics.clone());
    let status = flags.status();
    let saved = status.set.clone().expect("a set");
    assert_eq!((steps(&flags), saved.origin, &saved.hash), ([true; 4], Origin::Saved, &hash));
    assert!(status.trouble.is_some() && status.age(Instant::now()).expect("a set") >= Duration::from_secs(1));
    assert!(metrics.text().expect("text").contains("source=\"saved\"} 1"));
    drop(flags);

    // What another server said is not this one's.
    let elsewhere = Source::Unleash(connection("http://127.0.0.1:1"), Some(data.path().to_owned()));
    assert_eq!(Flags::start(&elsewhere, Arc::new(Metrics::new().expect("metrics"))).status().set.expect("a set").origin, Origin::Bootstrap);

    // A broken file is no set either.
    let file = data.path().join("flags-last-good.json");
    std::fs::write(&file, "{\"saved_at\": 1").expect("written");
    let flags = Flags::start(&source(), Arc::new(Metrics::new().expect("metrics")));
    assert_eq!((steps(&flags), flags.status().set.expect("a set").origin), ([false; 4], Origin::Bootstrap));
    // The server comes back, and the file is whole again.
    server.answer_with(Answer::Features(set(100).to_string()));
    until("the server", || steps(&flags) == [true; 4]);
    assert!(std::fs::read_to_string(&file).expect("there").contains("history-step-a"));
}

#[test]
fn usage_that_can_not_be_reported_is_offered_again() {
    let server = Faulty::start(Answer::Features(set(100).to_string()));
    let flags = Flags::start(&Source::Unleash(connection(&server.url()), None), metrics());
    server.answer_with(Answer::Status(500, String::new()));
    for _ in 0..7 {
        steps(&flags);
    }
    std::thread::sleep(Duration::from_millis(500));
    server.answer_with(Answer::Features(set(100).to_string()));
    let reported = || -> u64 {
        let posts = server.requests().into_iter().filter(|request| request.first_line.starts_with("POST /api/client/metrics"));
        let counts = posts.filter_map(|post| {
            serde_json::from_slice::<serde_json::Value>(&post.body).ok()?["bucket"]["toggles"]["history-step-a"]["yes"].as_u64()
        });
        counts.sum()
    };
    until("all counts", || reported() == 7);
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(reported(), 7, "none is reported twice");
}
