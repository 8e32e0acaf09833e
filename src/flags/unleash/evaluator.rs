//! One set of flags, evaluated by Unleash's own engine. A set is never changed: the next one gets an evaluator of its own.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use unleash_api_client::client::FeatureKey;
use unleash_api_client::http::{Request, Response, Transport};
use unleash_api_client::{Client, ClientBuilder};

use super::super::context::Context;
use super::super::document::{BadSet, Document};
use super::super::key::Flag;
use super::super::toggles::{FlagSet, Toggles};
use crate::step::Step;

impl FeatureKey for Flag {
    fn name(self) -> &'static str {
        Flag::name(self)
    }
}

/// How often each flag was asked for and what it said, as the server takes it.
pub(in crate::flags) type Usage = Value;

/// A context in the form that the engine wants. Making one takes longer than evaluating it: make it once a snapshot.
#[derive(Debug)]
pub struct Prepared(unleash_api_client::Context);

impl Prepared {
    /// Prepares a context.
    pub fn new(context: &Context) -> Self {
        let properties = context.properties().into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        Prepared(unleash_api_client::Context { session_id: Some(context.session_id.clone()), properties, ..Default::default() })
    }
}

/// A set of flags that can be asked.
pub(in crate::flags) struct Evaluator {
    client: Client<Flag>,
    document: Arc<Document>,
}

impl Evaluator {
    /// Takes up a document. A flag of ours that the engine can not compile makes the whole set bad.
    pub(in crate::flags) fn new(app: &str, instance: &str, document: Arc<Document>) -> Result<Self, BadSet> {
        let evaluator = Evaluator::made(app, instance, document)?;
        // Asked of one that nobody else asks, so that it does not count as usage.
        let probe = Evaluator::made(app, instance, evaluator.document.clone())?;
        let context = unleash_api_client::Context::default();
        let answers = |flag| [true, false].map(|default| probe.client.is_enabled(flag, Some(&context), default));
        match Flag::ALL.into_iter().find(|flag| answers(*flag) == [true, false]) {
            Some(flag) => {
                Err(BadSet::Flag { name: flag.name().to_owned(), what: "its strategies or constraints do not compile".to_owned() })
            }
            None => Ok(evaluator),
        }
    }

    fn made(app: &str, instance: &str, document: Arc<Document>) -> Result<Self, BadSet> {
        let builder = ClientBuilder::default().disable_metric_submission();
        let bad = |what: String| BadSet::Flag { name: "(the whole set)".to_owned(), what };
        let client =
            builder.into_client_with_transport("", app, instance, None, Arc::new(Unconnected)).map_err(|error| bad(error.to_string()))?;
        client.memoize(document.features.clone()).map_err(|error| bad(error.to_string()))?;
        Ok(Evaluator { client, document })
    }

    /// The document that it was made from.
    pub(in crate::flags) fn document(&self) -> &Document {
        &self.document
    }

    /// The answers of all flags.
    pub(in crate::flags) fn toggles(&self, context: &Prepared, set: Arc<FlagSet>) -> Toggles {
        let on = |flag| self.client.is_enabled(flag, Some(&context.0), false);
        let steps = Step::ALL.map(|step| on(Flag::Step(step)));
        Toggles { steps, shadow: on(Flag::Shadow), kill: on(Flag::KillSwitch), set: Some(set) }
    }

    /// Takes the counts since the last call, if there are any. Taking up the same document again is how the client gives them.
    pub(in crate::flags) fn usage(&self) -> Option<Usage> {
        let metrics = self.client.memoize(self.document.features.clone()).ok().flatten()?;
        serde_json::to_value(metrics).ok()
    }
}

/// An evaluator never talks to the server.
struct Unconnected;

#[async_trait]
impl Transport for Unconnected {
    async fn execute(&self, _request: Request) -> Result<Response, anyhow::Error> {
        Err(anyhow::anyhow!("an evaluator has no connection"))
    }
}
