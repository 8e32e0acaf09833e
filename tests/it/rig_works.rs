//! The rig: the servers come, hang, go, come back, and leave nothing behind.

use std::io::{ErrorKind, Read};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::Pid;
use serde_json::{Value, json};

use crate::rig::{Answer, Faulty, Http, Postgres, Unleash, children, is_alive, wait_until};

const FLAGS: &str = "/api/admin/projects/default/features";
const SHORT: Duration = Duration::from_millis(500);

fn create(unleash: &Unleash, flag: &str) {
    let admin = unleash.admin();
    let created = admin.post(FLAGS, &json!({"name": flag, "type": "release"})).expect("an answer");
    assert_eq!(created.status, 201, "{}", created.text());
    let strategy = json!({
        "name": "flexibleRollout",
        "parameters": {"rollout": "100", "stickiness": "sessionId", "groupId": "history-steps"},
        "constraints": [],
    });
    let environment = format!("{FLAGS}/{flag}/environments/development");
    let added = admin.post(&format!("{environment}/strategies"), &strategy).expect("an answer");
    assert_eq!(added.status, 200, "{}", added.text());
    let enabled = admin.send("POST", &format!("{environment}/on"), b"").expect("an answer");
    assert_eq!(enabled.status, 200, "{}", enabled.text());
}

/// The flag as clients get it.
fn served(unleash: &Unleash, flag: &str) -> Option<Value> {
    let answer = unleash.client().get("/api/client/features").expect("an answer");
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.json()["features"].as_array()?.iter().find(|feature| feature["name"] == flag).cloned()
}

fn wait_for_flag(unleash: &Unleash, flag: &str) {
    let on = || served(unleash, flag).is_some_and(|feature| feature["enabled"] == true);
    wait_until(on, || format!("{flag} is not served"));
}

fn refused(http: &Http) -> bool {
    http.get("/health").is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

#[test]
fn unleash_serves_a_flag_hangs_goes_and_comes_back() {
    let Some(postgres) = Postgres::start() else { return };
    let Some(mut unleash) = Unleash::start(&postgres) else { return };
    create(&unleash, "rig-check");
    wait_for_flag(&unleash, "rig-check");
    let flag = served(&unleash, "rig-check").expect("the flag");
    assert_eq!(flag["strategies"][0]["parameters"]["groupId"], "history-steps");

    let health = Http::at(unleash.url()).within(SHORT);
    unleash.freeze();
    assert_eq!(health.get("/health").expect_err("it hangs").kind(), ErrorKind::TimedOut);
    unleash.thaw();
    assert_eq!(health.within(Duration::from_secs(30)).get("/health").expect("an answer").status, 200);

    let health = Http::at(unleash.url());
    unleash.stop();
    assert!(refused(&health));
    unleash.start_again();
    assert!(served(&unleash, "rig-check").is_some());
    unleash.kill();
    assert!(refused(&health));
    unleash.start_again();
    wait_for_flag(&unleash, "rig-check");
    assert!(unleash.log().is_file());
}

#[test]
fn an_unchanged_state_is_not_sent_twice() {
    let Some(postgres) = Postgres::start() else { return };
    let Some(unleash) = Unleash::start(&postgres) else { return };
    create(&unleash, "tagged");
    wait_for_flag(&unleash, "tagged");
    let first = unleash.client().get("/api/client/features").expect("an answer");
    let tag = first.header("ETag").expect("a tag");
    let again = || unleash.client().with("If-None-Match", tag).get("/api/client/features").expect("an answer");
    assert_eq!((again().status, again().text().as_str()), (304, ""));
    create(&unleash, "another");
    wait_until(|| again().status == 200, || "the tag stays".to_owned());
}

#[test]
fn posted_usage_shows_in_the_admin_api() {
    let Some(postgres) = Postgres::start() else { return };
    let Some(unleash) = Unleash::start(&postgres) else { return };
    create(&unleash, "used");
    let now = unleash.admin().get(&format!("{FLAGS}/used")).expect("an answer").json()["createdAt"].clone();
    let usage = json!({"appName": "rig", "bucket": {"start": now, "stop": now, "toggles": {"used": {"yes": 7, "no": 3}}}});
    let posted = unleash.client().post("/api/client/metrics", &usage).expect("an answer");
    assert_eq!(posted.status, 202, "{}", posted.text());
    let seen = || unleash.admin().get("/api/admin/client-metrics/features/used").expect("an answer").json();
    wait_until(|| seen()["lastHourUsage"][0]["yes"] == 7, || seen().to_string());
    let seen = seen();
    assert_eq!((&seen["lastHourUsage"][0]["no"], &seen["lastHourUsage"][0]["environment"]), (&json!(3), &json!("development")));
}

#[test]
fn tokens_open_what_they_should() {
    let Some(postgres) = Postgres::start() else { return };
    let Some(unleash) = Unleash::start(&postgres) else { return };
    for (token, path, status) in [
        (unleash.admin_token(), "/api/admin/projects", 200),
        (unleash.admin_token(), "/api/client/features", 200),
        (unleash.client_token(), "/api/admin/projects", 403),
        (unleash.client_token(), "/health", 403),
        ("wrong", "/api/client/features", 401),
        ("wrong", "/api/admin/projects", 401),
    ] {
        let answer = Http::at(unleash.url()).with("Authorization", token).get(path).expect("an answer");
        assert_eq!(answer.status, status, "{token} {path}: {}", answer.text());
    }
    let data = json!({"features": [], "featureStrategies": [], "featureEnvironments": [], "contextFields": [], "featureTags": [],
        "segments": [], "tagTypes": []});
    let import = json!({"project": "default", "environment": "development", "data": data});
    let refused = unleash.admin().post("/api/admin/features-batch/import", &import).expect("an answer");
    assert_eq!(refused.status, 400);
    assert!(refused.text().contains("You can't use an admin token to import features"), "{}", refused.text());
}

#[test]
fn a_server_is_gone_with_its_owner() {
    let Some(postgres) = Postgres::start() else { return };
    let Some(unleash) = Unleash::start(&postgres) else { return };
    let process = postgres.process().expect("it runs");
    let mut processes = children(process);
    assert!(processes.len() > 2, "PostgreSQL has workers: {processes:?}");
    processes.extend([process, unleash.process().expect("it runs")]);
    // Their ports may be another test's at once: only the processes tell.
    drop((unleash, postgres));
    wait_until(|| !processes.iter().any(|process| is_alive(*process)), || "a process is left over".to_owned());
}

#[test]
fn a_stopped_or_frozen_database_comes_back_with_its_data() {
    let Some(mut postgres) = Postgres::start() else { return };
    assert!(postgres.url().starts_with("postgres://postgres@127.0.0.1:"));
    postgres.stop();
    postgres.start_again();
    postgres.kill();
    postgres.start_again();
    let Some(unleash) = Unleash::start(&postgres) else { return };
    create(&unleash, "kept");
    let projects = || unleash.admin().within(SHORT).get("/api/admin/projects");
    postgres.freeze();
    assert_eq!(projects().expect_err("the database hangs").kind(), ErrorKind::TimedOut);
    postgres.thaw();
    wait_until(|| projects().is_ok_and(|answer| answer.status == 200), || "the database hangs still".to_owned());
    wait_for_flag(&unleash, "kept");
}

/// Runs itself as another process, which is killed while it holds a database.
#[test]
fn a_server_is_gone_when_the_test_is_killed() {
    if std::env::var_os("RIG_HOLD").is_some() {
        let Some(postgres) = Postgres::start() else { return };
        let folder = std::fs::read_link(format!("/proc/{}/cwd", postgres.process().expect("it runs").as_raw_nonzero()));
        println!("\nholds {} {}", postgres.process().expect("it runs").as_raw_nonzero(), folder.expect("a folder").display());
        loop {
            std::thread::park();
        }
    }
    let Some(_there) = Postgres::start() else { return };
    let mut other = Command::new(std::env::current_exe().expect("this program"))
        .args(["rig_works::a_server_is_gone_when_the_test_is_killed", "--exact", "--nocapture"])
        .env("RIG_HOLD", "1")
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program");
    let mut output = other.stdout.take().expect("a pipe");
    let mut said = String::new();
    while !said.ends_with('\n') || !said.contains("holds ") {
        let mut byte = [0];
        output.read_exact(&mut byte).unwrap_or_else(|error| panic!("{error}: {said}"));
        said.push(char::from(byte[0]));
    }
    let mut words = said.split("holds ").nth(1).expect("what it holds").split_whitespace();
    let process = words.next().and_then(|number| Pid::from_raw(number.parse().ok()?)).expect("a process id");
    let folder = Path::new(words.next().expect("a folder"));
    assert!(is_alive(process) && folder.is_dir());
    other.kill().expect("a signal");
    other.wait().expect("its end");
    wait_until(|| !is_alive(process) && !folder.exists(), || "the server is left over".to_owned());
}

#[test]
fn parallel_starts_do_not_collide() {
    let servers: Vec<Option<Postgres>> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..4).map(|_| scope.spawn(Postgres::start)).collect();
        starts.into_iter().map(|start| start.join().expect("a start")).collect()
    });
    let urls: std::collections::BTreeSet<String> = servers.iter().flatten().map(Postgres::url).collect();
    assert!(urls.len() == 4 || servers.iter().all(Option::is_none), "{urls:?}");
}

#[test]
fn faulty_answers_as_told() {
    let body = r#"{"version":2,"features":[]}"#.to_owned();
    let faulty = Faulty::start(Answer::Status(500, body.clone()));
    let patient = Http::at(&faulty.url());
    let hasty = patient.clone().within(SHORT);
    let ask_by = |http: &Http, answer| {
        faulty.answer_with(answer);
        let got = http.get("/api/client/features");
        got.map(|answer| (answer.status, answer.text())).map_err(|error| error.kind())
    };
    let ask = |answer| ask_by(&patient, answer);
    let second = Duration::from_secs(1);
    assert_eq!(ask(Answer::Status(500, body.clone())), Ok((500, body.clone())));
    assert_eq!(ask(Answer::Status(401, String::new())), Ok((401, String::new())));
    assert_eq!(ask(Answer::Features(body.clone())), Ok((200, body.clone())));
    assert_eq!(ask_by(&hasty, Answer::Hang), Err(ErrorKind::TimedOut));
    assert_eq!(ask(Answer::Close), Err(ErrorKind::UnexpectedEof));
    assert_eq!(ask(Answer::HalfBody(body.clone())), Err(ErrorKind::UnexpectedEof));
    assert_eq!(ask(Answer::Garbage), Err(ErrorKind::InvalidData));
    assert_eq!(ask_by(&hasty, Answer::Drip(body.clone(), second)), Err(ErrorKind::TimedOut));
    assert_eq!(ask(Answer::Drip(body.clone(), Duration::from_micros(10))), Ok((200, body)));
    assert_eq!(faulty.requests().len(), 9);
    let begin = Instant::now();
    drop(faulty);
    assert!(begin.elapsed() < 3 * second, "nothing holds it up");
}

#[test]
fn faulty_knows_who_has_its_state() {
    let faulty = Faulty::start(Answer::Features("[1]".to_owned()));
    let http = Http::at(&faulty.url());
    let tag = http.get("/api/client/features").expect("an answer").header("ETag").expect("a tag").to_owned();
    let http = http.with("if-none-match", &tag);
    assert_eq!(http.get("/api/client/features").expect("an answer").status, 304);
    faulty.answer_with(Answer::Features("[2]".to_owned()));
    assert_eq!(http.get("/api/client/features").expect("an answer").text(), "[2]");
    assert_eq!(http.post("/api/client/metrics", &json!({})).expect("an answer").status, 202);
    assert_eq!((faulty.requests().len(), faulty.not_modified()), (4, 1));
    assert_eq!(faulty.requests()[3].body, b"{}");
}
