//! The target path equals the right answers of the corpus.

use parallax::dag::{Place, Snapshot, Sym};
use parallax::history::{self, Cancel, Target, history_at};
use parallax::step::Rung;
use serde_json::{Value, json};

use crate::corpus::each_case;

struct Answers<'a> {
    snapshot: &'a Snapshot,
    target: &'a Target,
}

impl Answers<'_> {
    fn place(&self, id: &str) -> Place {
        let sym = self.snapshot.symbol(id).unwrap_or_else(|| panic!("no node {id}"));
        self.snapshot.place(sym).unwrap_or_else(|| panic!("no node {id}"))
    }

    fn id(&self, place: Place) -> Value {
        json!(self.snapshot.text(self.snapshot.at(place).id))
    }

    fn word(&self, sym: Option<Sym>) -> Value {
        sym.map_or(Value::Null, |sym| json!(self.snapshot.text(sym)))
    }

    fn ids(&self, places: &[Place]) -> Value {
        places.iter().map(|place| self.id(*place)).collect()
    }

    fn chain(&self, rung: Rung) -> Value {
        let history = history_at(self.snapshot, rung, &Cancel::new()).expect("not cancelled");
        let shown = history.messages.iter().filter(|message| message.on_chain);
        shown.map(|message| json!(self.snapshot.text(self.snapshot.node(message.node).id))).collect()
    }

    /// The answer to one key of `expected.json`; for keys that name ids, about `id`.
    fn answer(&self, key: &str, id: &str) -> Value {
        let target = self.target;
        match key {
            "head" => target.head(self.snapshot).map_or(Value::Null, |place| self.id(place)),
            "chain_a" => self.chain(Rung::A),
            "chain_b" => self.chain(Rung::B),
            "chain_c" => self.chain(Rung::C),
            "chain_d" => self.chain(Rung::D),
            "kinds" => json!(target.kinds.kind(self.place(id)).name()),
            "pred" => {
                let pred = target.preds.get(self.place(id)).expect("a message");
                json!([pred.place.map(|place| self.id(place)), pred.provenance.name()])
            }
            "siblings" => {
                let siblings = target.versions.siblings(self.snapshot, self.place(id));
                json!([siblings.index, siblings.total, self.word(siblings.previous), self.word(siblings.next)])
            }
            "tools" => self.ids(target.tools(self.place(id))),
            "cards" => self.ids(target.steps(self.place(id))),
            "attachments" => target.kinds.owner(self.place(id)).map_or(Value::Null, |place| self.id(place)),
            other => panic!("nobody answers {other}"),
        }
    }

    fn fault_count(&self, code: &str) -> usize {
        let faults = history::faults(self.snapshot, &Cancel::new()).expect("not cancelled");
        faults.iter().filter(|fault| fault.code.name() == code).count()
    }

    fn check(&self, expected: &Value, wrong: &mut Vec<String>) {
        for (key, want) in expected.as_object().expect("an object") {
            match key.as_str() {
                "faults" => {
                    let codes: Vec<&str> = want.as_array().expect("a list").iter().filter_map(Value::as_str).collect();
                    for code in &codes {
                        let at_least = codes.iter().filter(|other| *other == code).count();
                        if self.fault_count(code) < at_least {
                            wrong.push(format!("fault {code}: {} instead of {at_least}", self.fault_count(code)));
                        }
                    }
                }
                "no_faults" => {
                    for code in want.as_array().expect("a list").iter().filter_map(Value::as_str) {
                        if self.fault_count(code) > 0 {
                            wrong.push(format!("fault {code}"));
                        }
                    }
                }
                "kinds" | "pred" | "siblings" | "tools" | "cards" | "attachments" => {
                    for (id, want) in want.as_object().expect("an object") {
                        let got = self.answer(key, id);
                        if got != *want {
                            wrong.push(format!("{key} of {id}: {got} instead of {want}"));
                        }
                    }
                }
                whole => {
                    let got = self.answer(whole, "");
                    if got != *want {
                        wrong.push(format!("{whole}: {got} instead of {want}"));
                    }
                }
            }
        }
    }
}

#[test]
fn the_target_path_equals_the_corpus() {
    let mut failed = Vec::new();
    let mut cases = 0;
    each_case("target", |case| {
        cases += 1;
        let snapshot = case.snapshot();
        let target = history::target(&snapshot, &Cancel::new()).expect("not cancelled");
        let mut wrong = Vec::new();
        Answers { snapshot: &snapshot, target: &target }.check(case.expected.as_ref().expect("an answer"), &mut wrong);
        if !wrong.is_empty() {
            failed.push(format!("{}:\n  {}", case.name, wrong.join("\n  ")));
        }
    });
    assert!(cases >= 111, "{cases} cases");
    assert!(failed.is_empty(), "{} of {cases} cases differ\n{}", failed.len(), failed.join("\n"));
}
