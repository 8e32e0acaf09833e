//! Ground equals what the legacy program really answered.

use parallax::dag::{FaultCode, Snapshot};
use parallax::history::{Cancel, history_at};
use parallax::step::Rung;
use serde_json::{Value, json as value};

use crate::corpus::{Case, each_case, json};

/// What Ground answers, in the shape of the recorded answers.
fn answer(snapshot: &Snapshot) -> Value {
    let history = history_at(snapshot, Rung::Ground, &Cancel::new()).expect("not cancelled");
    let mut messages = Vec::new();
    history.write_messages(snapshot, &mut messages).expect("written");
    let messages: Value = json(&String::from_utf8(messages).expect("UTF-8")).expect("valid JSON");
    value!({
        "head_id": history.head.map(|head| snapshot.text(head)),
        "messages": messages,
        "fallback_used": history.fallback_used,
        "failed": history.error.is_some(),
    })
}

/// Whether two answers are equal; times and ids that were made up are.
fn equal(got: &Value, want: &Value) -> bool {
    match (got, want) {
        (Value::Number(_), Value::String(word)) => word == "<now>",
        (Value::String(got), Value::String(want)) if want.starts_with("<auto-id-") => *want == format!("<{got}>"),
        (Value::Null, Value::String(word)) => word.starts_with("<<"),
        (Value::Number(got), Value::Number(want)) => got == want || got.as_f64() == want.as_f64(),
        (Value::Array(got), Value::Array(want)) => got.len() == want.len() && got.iter().zip(want).all(|(got, want)| equal(got, want)),
        (Value::Object(got), Value::Object(want)) => {
            got.len() == want.len() && want.iter().all(|(key, want)| got.get(key).is_some_and(|got| equal(got, want)))
        }
        (got, want) => got == want,
    }
}

fn check(case: &Case) -> Result<(), String> {
    let got = answer(&case.snapshot());
    let expected = case.expected.as_ref().ok_or_else(|| "the answer can not be read".to_owned())?;
    let failed = !expected["error"].is_null() || expected["stub"] == value!(true);
    if failed || got["failed"] == value!(true) {
        return if got["failed"] == value!(failed) { Ok(()) } else { Err(format!("failed: {} instead of {failed}", got["failed"])) };
    }
    for key in ["head_id", "fallback_used"] {
        if !equal(&got[key], &expected[key]) {
            return Err(format!("{key}: {} instead of {}", got[key], expected[key]));
        }
    }
    let list = |value: &Value| value["messages"].as_array().cloned().unwrap_or_default();
    let (got, want) = (list(&got), list(expected));
    let ids = |list: &[Value]| list.iter().map(|message| message["id"].clone()).collect::<Value>();
    if got.len() != want.len() {
        return Err(format!("ids: {} instead of {}", ids(&got), ids(&want)));
    }
    for (got, want) in got.iter().zip(&want).filter(|(got, want)| !equal(got, want)) {
        let (got, want) = (got.as_object().expect("an object"), want.as_object().expect("an object"));
        for key in got.keys().chain(want.keys()) {
            let null = Value::Null;
            let side = |side: Option<&Value>| side.unwrap_or(&null).clone();
            if got.contains_key(key) != want.contains_key(key) || !equal(&side(got.get(key)), &side(want.get(key))) {
                return Err(format!("{key} of {}: {:?} instead of {:?}", want["id"], got.get(key), want.get(key)));
            }
        }
    }
    Ok(())
}

#[test]
fn ground_equals_the_legacy_program_on_every_plain_session() {
    let mut wrong = Vec::new();
    let mut cases = 0;
    each_case("ground", |case| {
        cases += 1;
        wrong.extend(check(case).err().map(|difference| format!("{}: {difference}", case.name)));
        let snapshot = case.snapshot();
        assert!(!snapshot.is_odd(), "{} is plain", case.name);
    });
    assert!(cases >= 434, "{cases} cases");
    assert!(wrong.is_empty(), "{} of {cases} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn odd_sessions_never_crash_and_always_show_a_fault() {
    let (mut cases, mut right) = (0, 0);
    each_case("ground-odd", |case| {
        cases += 1;
        right += usize::from(check(case).is_ok());
        let snapshot = case.snapshot();
        for rung in Rung::ALL {
            history_at(&snapshot, rung, &Cancel::new()).expect("not cancelled");
        }
        assert!(snapshot.faults().iter().any(|fault| fault.code != FaultCode::NoGit), "{} has a fault", case.name);
        assert!(snapshot.is_odd(), "{} is odd", case.name);
    });
    println!("ground-odd: {right} of {cases} equal");
    assert!(cases >= 106, "{cases} cases");
}
