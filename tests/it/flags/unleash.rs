//! Against a real Unleash server: installed, flipped, drawn, counted, and gone.

use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use parallax::flags::{Connection, DEFINITION, Flags, Origin, Prepared, Source};
use parallax::plan::{Breaker, plan};
use parallax::step::{Rung, Step};
use serde_json::{Value, json};

use super::{context, metrics, prepared};
use crate::rig::{Http, Postgres, Unleash, wait_until};

const FLAGS: &str = "/api/admin/projects/default/features";

fn command(unleash: &Unleash, arguments: &[&str]) -> Output {
    let api = format!("{}/api", unleash.url());
    let mut command = Command::new(env!("CARGO_BIN_EXE_parallax"));
    command.arg("flags").args(arguments).args(["--flags", &api]).env("NO_COLOR", "1");
    command.env("PARALLAX_UNLEASH_TOKEN", unleash.client_token()).env("PARALLAX_UNLEASH_ADMIN_TOKEN", unleash.admin_token());
    command.output().expect("started")
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A server with our flags.
fn installed() -> Option<(Postgres, Unleash)> {
    let postgres = Postgres::start()?;
    let unleash = Unleash::start(&postgres)?;
    let output = command(&unleash, &["install"]);
    assert!(output.status.success(), "{}", text(&output));
    Some((postgres, unleash))
}

/// Sets the share of a flag in environment `development`, by the Admin API.
fn roll_out(unleash: &Unleash, flag: &str, share: u32) {
    let base = format!("{FLAGS}/{flag}/environments/development/strategies");
    let strategies = unleash.admin().get(&base).expect("an answer").json();
    let id = strategies[0]["id"].as_str().expect("an id");
    let change = json!([{"op": "replace", "path": "/parameters/rollout", "value": share.to_string()}]);
    let http = unleash.admin().with("Content-Type", "application/json");
    let answer = http.send("PATCH", &format!("{base}/{id}"), change.to_string().as_bytes()).expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
}

fn start(unleash: &Unleash) -> Flags {
    let connection = Connection {
        interval: Duration::from_millis(200),
        patience: Duration::from_secs(2),
        ..Connection::new(&format!("{}/api", unleash.url()), unleash.client_token())
    };
    Flags::start(&Source::Unleash(connection, None), metrics())
}

fn steps(flags: &Flags, session: &str) -> [bool; 4] {
    flags.toggles(&prepared(session)).steps
}

fn soon(what: &str, come: impl Fn() -> bool) {
    wait_until(come, || format!("{what} does not come"));
}

#[test]
fn install_says_what_it_changes_and_the_second_time_nothing() {
    let Some(postgres) = Postgres::start() else { return };
    let Some(unleash) = Unleash::start(&postgres) else { return };
    let dry = text(&command(&unleash, &["install", "--dry-run"]));
    assert!(dry.contains("would be changed") && dry.contains("add the flag history-step-a"), "{dry}");
    assert_eq!(unleash.admin().get(&format!("{FLAGS}/history-step-a")).expect("an answer").status, 404);
    let done = text(&command(&unleash, &["install"]));
    assert!(done.contains("add the flag history-kill-switch") && done.ends_with("done\n"), "{done}");
    assert_eq!(text(&command(&unleash, &["install"])), "nothing to change: every flag is there\n");

    // What operators set stays; what keeps the steps in order is put right.
    roll_out(&unleash, "history-step-a", 37);
    assert_eq!(text(&command(&unleash, &["install"])), "nothing to change: every flag is there\n");
    let base = format!("{FLAGS}/history-step-b/environments/development/strategies");
    let mut strategy = unleash.admin().get(&base).expect("an answer").json()[0].clone();
    strategy["parameters"]["groupId"] = json!("history-step-b");
    strategy["parameters"]["rollout"] = json!("12");
    let id = strategy["id"].as_str().expect("an id").to_owned();
    let http = unleash.admin().with("Content-Type", "application/json");
    let answer = http.send("PUT", &format!("{base}/{id}"), strategy.to_string().as_bytes()).expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
    let repaired: Value = serde_json::from_slice(&command(&unleash, &["install", "--json"]).stdout).expect("JSON");
    assert_eq!(repaired["changes"].as_array().expect("a list").len(), 1, "{repaired}");
    let strategy = unleash.admin().get(&base).expect("an answer").json()[0]["parameters"].clone();
    assert_eq!((&strategy["groupId"], &strategy["rollout"]), (&json!("history-steps"), &json!("12")));

    let wrong = command(&unleash, &["install", "--environment", "staging"]);
    assert_eq!(wrong.status.code(), Some(2), "{}", text(&wrong));
    assert!(text(&wrong).contains("development"));
    assert_eq!(command(&unleash, &["install", "--project", "nowhere"]).status.code(), Some(2));
}

#[test]
fn the_definition_is_good_for_the_import_page() {
    let Some(postgres) = Postgres::start() else { return };
    let Some(unleash) = Unleash::start(&postgres) else { return };
    let login = json!({"username": "admin", "password": "unleash4all"});
    let session = Http::at(unleash.url()).post("/auth/simple/login", &login).expect("an answer");
    let cookie = session.header("Set-Cookie").expect("a session").split(';').next().expect("a cookie").to_owned();
    let expiry = json!({"description": "import", "expiresAt": "2099-01-01T00:00:00.000Z"});
    let personal = Http::at(unleash.url()).with("Cookie", &cookie).post("/api/admin/user/tokens", &expiry).expect("an answer");
    let token = personal.json()["secret"].as_str().expect("a token").to_owned();
    let data: Value = serde_json::from_str(DEFINITION).expect("JSON");
    let import = json!({"project": "default", "environment": "development", "data": data});
    let answer =
        Http::at(unleash.url()).with("Authorization", &token).post("/api/admin/features-batch/import", &import).expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(text(&command(&unleash, &["install", "--environment", "development"])), "nothing to change: every flag is there\n");
    let listed = text(&command(&unleash, &["list"]));
    assert!(listed.starts_with("unleash ") && listed.contains("history-shadow       on  100 %"), "{listed}");
}

#[test]
fn flips_arrive_within_a_poll_and_the_kill_switch_beats_them() {
    let Some((_postgres, unleash)) = installed() else { return };
    let flags = start(&unleash);
    assert_eq!((steps(&flags, "s"), flags.status().set.expect("a set").origin), ([false; 4], Origin::Unleash));
    roll_out(&unleash, "history-step-a", 100);
    soon("A", || steps(&flags, "s") == [true, false, false, false]);

    // C without B: the longest legal prefix is A, and it is a violation.
    roll_out(&unleash, "history-step-c", 100);
    soon("C", || steps(&flags, "s") == [true, false, true, false]);
    let found = plan(&flags.toggles(&prepared("s")), &[Breaker::Closed; 4]);
    assert_eq!((found.serve, found.violation), (Rung::A, Some(Step::C)));

    let on = format!("{FLAGS}/history-kill-switch/environments/development/on");
    assert_eq!(unleash.admin().send("POST", &on, b"").expect("an answer").status, 200);
    soon("the kill switch", || flags.toggles(&prepared("s")).kill);
    assert_eq!(plan(&flags.toggles(&prepared("s")), &[Breaker::Closed; 4]).serve, Rung::Ground);
}

#[test]
fn a_tenth_is_a_tenth_sticky_and_in_order_and_a_cohort_is_drawn() {
    let Some((_postgres, unleash)) = installed() else { return };
    let flags = start(&unleash);
    for (flag, share) in [("history-step-a", 50), ("history-step-b", 10), ("history-step-c", 10)] {
        roll_out(&unleash, flag, share);
    }
    let sessions: Vec<Prepared> = (0..10_000).map(|session| prepared(&format!("session-{session}"))).collect();
    let draw = || -> Vec<[bool; 4]> { sessions.iter().map(|session| flags.toggles(session).steps).collect() };
    soon("the shares", || flags.status().set.is_some_and(|_| draw().iter().filter(|steps| steps[2]).count() > 500));
    let drawn = draw();
    let count = |step: usize| drawn.iter().filter(|steps| steps[step]).count();
    // Four standard deviations of a binomial: 4·√(10 000 · 0.1 · 0.9) and 4·√(10 000 · 0.5 · 0.5).
    assert!(count(1).abs_diff(1_000) <= 120, "{}", count(1));
    assert!(count(0).abs_diff(5_000) <= 200, "{}", count(0));
    assert!(drawn.iter().all(|[a, b, c, _]| (*a || !b) && b == c), "who has a step has those before it");
    assert_eq!(drawn, draw(), "the same session is always drawn the same way");

    let base = format!("{FLAGS}/history-step-a/environments/development/strategies");
    let mut strategy = unleash.admin().get(&base).expect("an answer").json()[0].clone();
    strategy["parameters"]["rollout"] = json!("100");
    let is = |name: &str, value: &str| json!({"contextName": name, "operator": "IN", "values": [value], "inverted": false, "caseInsensitive": false});
    strategy["constraints"] = json!([is("sameAtD", "yes"), is("hasForks", "no")]);
    let id = strategy["id"].as_str().expect("an id").to_owned();
    let http = unleash.admin().with("Content-Type", "application/json");
    let answer = http.send("PUT", &format!("{base}/{id}"), strategy.to_string().as_bytes()).expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
    let of = |same: Option<bool>, forks: bool| {
        let mut session = context("s");
        (session.same_at_d, session.has_forks) = (same, forks);
        flags.toggles(&Prepared::new(&session)).steps[0]
    };
    soon("the cohort", || of(Some(true), false) && !of(None, false));
    assert!(!of(Some(true), true) && !of(Some(false), false));
}

#[test]
fn usage_counts_reach_the_server() {
    let Some((_postgres, unleash)) = installed() else { return };
    let flags = start(&unleash);
    for session in 0..40 {
        flags.toggles(&prepared(&format!("s{session}")));
    }
    let usage = |flag: &str| {
        let seen = unleash.admin().get(&format!("/api/admin/client-metrics/features/{flag}")).expect("an answer").json();
        let last =
            seen["lastHourUsage"].as_array().and_then(|hours| hours.iter().find(|hour| hour["environment"] == "development")).cloned();
        last.map(|hour| (hour["yes"].as_u64().unwrap_or(0), hour["no"].as_u64().unwrap_or(0)))
    };
    // The server forgets what is posted of flags that are younger than ten seconds: ask on until it has some.
    soon("the counts", || {
        flags.toggles(&prepared("s"));
        usage("history-step-a").is_some_and(|(_, no)| no > 0) && usage("history-shadow").is_some_and(|(yes, _)| yes > 0)
    });
    assert_eq!(usage("history-step-a").expect("counts").0, 0);
}

#[test]
fn a_server_that_hangs_or_is_gone_leaves_the_last_set() {
    let Some((_postgres, mut unleash)) = installed() else { return };
    roll_out(&unleash, "history-step-a", 100);
    let flags = start(&unleash);
    let on = || steps(&flags, "s") == [true, false, false, false];
    soon("A", on);
    unleash.freeze();
    soon("the trouble", || flags.status().trouble.is_some());
    assert!(on());
    unleash.thaw();
    soon("its end", || flags.status().trouble.is_none());
    unleash.kill();
    soon("the trouble", || flags.status().trouble.is_some_and(|trouble| trouble.contains("no answer")));
    assert!(on());
    unleash.start_again();
    roll_out(&unleash, "history-step-a", 0);
    soon("the new set", || steps(&flags, "s") == [false; 4]);
    assert!(flags.status().trouble.is_none());
    let unknown = Connection::new(&format!("{}/api", unleash.url()), "default:development.wrong");
    let refused = Flags::start(&Source::Unleash(unknown, None), Arc::new(parallax::metrics::Metrics::new().expect("metrics")));
    assert!(refused.status().trouble.expect("trouble").contains("401"));
}
