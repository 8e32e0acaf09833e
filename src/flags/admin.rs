//! Putting the flags into an Unleash server, through its Admin API, and changing nothing that operators set.
//!
//! The import endpoint refuses admin tokens, so flags, strategies and context fields are made one by one. A second call finds
//! nothing left to do.

use std::time::Duration;

use serde_json::{Map, Value, json};
use ureq::http::Method;

use super::definition::{Definition, Feature, Strategy};
use super::unleash::{HttpTransport, TransportError, accept};

/// What an admin call failed by.
#[derive(Debug, thiserror::Error)]
pub enum AdminError {
    /// The server gives nothing that can be used.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// The server says no, with its own words.
    #[error("{what}: {url} answers with status {status}: {answer}")]
    Refused {
        /// What was to be done.
        what: String,
        /// Where.
        url: String,
        /// The status.
        status: u16,
        /// The server's words.
        answer: String,
    },
    /// An answer or the built-in definition is not what it should be.
    #[error("{what}: {source}")]
    Answer {
        /// What was to be done.
        what: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// There is no such project.
    #[error("there is no project {project} on the server")]
    Project {
        /// The project asked for.
        project: String,
    },
    /// There is no such environment.
    #[error("project {project} has no environment {environment}: it has {known}")]
    Environment {
        /// The project.
        project: String,
        /// The environment asked for.
        environment: String,
        /// Those that there are.
        known: String,
    },
}

/// One thing that has to change on the server.
#[derive(Debug)]
pub struct Change {
    /// In words.
    pub what: String,
    method: Method,
    path: String,
    body: Option<Value>,
}

/// An Unleash server as its administrators see it.
pub struct Admin {
    transport: HttpTransport,
    url: String,
    token: String,
    project: String,
    /// The one environment to work in; all of the project's without it.
    environment: Option<String>,
}

impl Admin {
    /// A server by the address of its API (`…/api`), with an admin token.
    pub fn new(url: &str, token: &str, project: &str, environment: Option<&str>) -> Self {
        Admin {
            transport: HttpTransport::new(Duration::from_secs(15)),
            url: format!("{}/admin", url.trim_end_matches('/')),
            token: token.to_owned(),
            project: project.to_owned(),
            environment: environment.map(str::to_owned),
        }
    }

    /// What has to be done so that all our flags are there. What a flag has already is left alone, but for what it is sticky by:
    /// that keeps the steps in order.
    pub fn missing(&self) -> Result<Vec<Change>, AdminError> {
        let definition =
            Definition::built_in().map_err(|source| AdminError::Answer { what: "the built-in definition".to_owned(), source })?;
        let mut changes = Vec::new();
        let known = self.get("read the context fields", "/context")?.unwrap_or_default();
        for field in &definition.context_fields {
            let name = field["name"].as_str().unwrap_or_default();
            if !known.as_array().is_some_and(|known| known.iter().any(|known| known["name"] == name)) {
                changes.push(Change::new(format!("add the context field {name}"), Method::POST, "/context", Some(field.clone())));
            }
        }
        let environments = self.environments()?;
        for feature in &definition.features {
            self.feature(&definition, feature, &environments, &mut changes)?;
        }
        Ok(changes)
    }

    /// The environments to work in.
    fn environments(&self) -> Result<Vec<String>, AdminError> {
        let overview = self.get("read the project", &format!("/projects/{}/overview", self.project))?;
        let overview = overview.ok_or_else(|| AdminError::Project { project: self.project.clone() })?;
        let named = |entry: &Value| entry["environment"].as_str().map(str::to_owned);
        let known: Vec<String> = overview["environments"].as_array().into_iter().flatten().filter_map(named).collect();
        match &self.environment {
            None => Ok(known),
            Some(environment) if known.contains(environment) => Ok(vec![environment.clone()]),
            Some(environment) => {
                let (project, environment, known) = (self.project.clone(), environment.clone(), known.join(", "));
                Err(AdminError::Environment { project, environment, known })
            }
        }
    }

    fn feature(
        &self,
        definition: &Definition,
        feature: &Feature,
        environments: &[String],
        changes: &mut Vec<Change>,
    ) -> Result<(), AdminError> {
        let (name, path) = (&feature.name, format!("/projects/{}/features", self.project));
        let own = format!("{path}/{name}");
        let there = self.get(&format!("read the flag {name}"), &own)?;
        if there.is_none() {
            let body = json!({"name": name, "type": feature.kind, "description": feature.description});
            changes.push(Change::new(format!("add the flag {name}"), Method::POST, &path, Some(body)));
        }
        let Some(strategy) = definition.strategy(name) else { return Ok(()) };
        for environment in environments {
            let states = there.as_ref().and_then(|there| there["environments"].as_array()).into_iter().flatten();
            let state = states.into_iter().find(|state| state["name"] == environment.as_str());
            let strategies = state.and_then(|state| state["strategies"].as_array()).map_or(&[][..], Vec::as_slice);
            let base = format!("{own}/environments/{environment}");
            if strategies.is_empty() {
                let body = json!({"name": strategy.name, "parameters": strategy.parameters, "constraints": []});
                let share = strategy.parameters.get("rollout").and_then(Value::as_str).unwrap_or("?");
                let what = format!("{name}: add a gradual rollout to {share} % in {environment}");
                changes.push(Change::new(what, Method::POST, &format!("{base}/strategies"), Some(body)));
                let on = state.is_some_and(|state| state["enabled"] == true);
                if definition.enabled(name) && !on {
                    changes.push(Change::new(format!("{name}: turn on in {environment}"), Method::POST, &format!("{base}/on"), None));
                }
            }
            changes.extend(strategies.iter().filter_map(|there| repair(name, environment, &base, strategy, there)));
        }
        Ok(())
    }

    /// Makes a change.
    pub fn apply(&self, change: &Change) -> Result<(), AdminError> {
        self.send(&change.what, change.method.clone(), &change.path, change.body.as_ref())?;
        Ok(())
    }

    /// `None` where the server knows no such thing.
    fn get(&self, what: &str, path: &str) -> Result<Option<Value>, AdminError> {
        let body = match self.send(what, Method::GET, path, None) {
            Err(AdminError::Refused { status: 404, .. }) => return Ok(None),
            body => body?,
        };
        serde_json::from_slice(&body).map(Some).map_err(|source| AdminError::Answer { what: what.to_owned(), source })
    }

    fn send(&self, what: &str, method: Method, path: &str, body: Option<&Value>) -> Result<Vec<u8>, AdminError> {
        let url = format!("{}{path}", self.url);
        let headers = [("authorization".to_owned(), self.token.clone())];
        let answer = self.transport.send(method, &url, &headers, body.map(|body| body.to_string().into_bytes()))?;
        match answer.status().as_u16() {
            status @ (400 | 404 | 405 | 409 | 415 | 422) => {
                let answer = String::from_utf8_lossy(answer.body()).chars().take(300).collect();
                Err(AdminError::Refused { what: what.to_owned(), url, status, answer })
            }
            _ => Ok(accept(&url, answer)?),
        }
    }
}

/// Makes a strategy draw the sessions that it must.
fn repair(name: &str, environment: &str, base: &str, wanted: &Strategy, there: &Value) -> Option<Change> {
    if there["name"] != wanted.name.as_str() {
        return None;
    }
    let mut parameters: Map<String, Value> = there["parameters"].as_object().cloned().unwrap_or_default();
    let wrong = ["stickiness", "groupId"].into_iter().filter(|key| parameters.get(*key) != wanted.parameters.get(*key));
    let wrong: Vec<&str> = wrong.collect();
    for key in &wrong {
        parameters.insert((*key).to_owned(), wanted.parameters.get(*key).cloned().unwrap_or_default());
    }
    let mut body = there.clone();
    body["parameters"] = Value::Object(parameters);
    let id = there["id"].as_str()?;
    let what = format!("{name}: set {} of its rollout in {environment}, or steps come out of order", wrong.join(" and "));
    (!wrong.is_empty()).then(|| Change::new(what, Method::PUT, &format!("{base}/strategies/{id}"), Some(body)))
}

impl Change {
    fn new(what: String, method: Method, path: &str, body: Option<Value>) -> Self {
        Change { what, method, path: path.to_owned(), body }
    }
}
