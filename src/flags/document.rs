//! A set of flags as Unleash serves it to clients: checked, and rid of what would spoil the rest.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;
use unleash_types::client_features::{ClientFeature, ClientFeatures, Segment, Strategy};

use super::key::Flag;
use crate::dag::digest;

/// Why a document is not taken up. The set before it stays.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSet {
    /// The text is no JSON.
    #[error("no JSON at line {line}, column {column}: {what}")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
        /// What is wrong.
        what: String,
    },
    /// The JSON is not what Unleash serves to clients.
    #[error("no set of flags: there is no list `features`, as Unleash serves it at /api/client/features")]
    Shape,
    /// Some of our flags are not in it.
    #[error("the set lacks {}: `parallax flags install` puts them into Unleash; is this the right project and environment?", .0.join(", "))]
    Missing(Vec<&'static str>),
    /// One of our flags is in it and can not be used.
    #[error("the flag {name} can not be used: {what}")]
    Flag {
        /// Its name.
        name: String,
        /// What is wrong.
        what: String,
    },
}

impl BadSet {
    /// A text that is no JSON.
    pub(super) fn syntax(error: &serde_json::Error) -> Self {
        BadSet::Syntax { line: error.line(), column: error.column(), what: without_place(error) }
    }

    /// A short name for metrics.
    pub fn name(&self) -> &'static str {
        match self {
            BadSet::Syntax { .. } => "syntax",
            BadSet::Shape => "shape",
            BadSet::Missing(_) => "missing-flags",
            BadSet::Flag { .. } => "bad-flag",
        }
    }
}

/// A document that can be taken up.
#[derive(Clone, Debug)]
pub(super) struct Document {
    pub(super) features: ClientFeatures,
    /// A hash of our six flags and the segments, whatever else the project holds.
    pub(super) hash: String,
    /// Flags of others that were left out, with the reason.
    pub(super) dropped: Vec<(String, String)>,
}

impl Document {
    /// Checks a document: our six flags must be there and sound; an unsound flag of somebody else is left out.
    pub(super) fn parse(text: &[u8]) -> Result<Self, BadSet> {
        let mut whole: Value = serde_json::from_slice(text).map_err(|error| BadSet::syntax(&error))?;
        let list = |value: Value| if let Value::Array(items) = value { Some(items) } else { None };
        let features = whole.get_mut("features").map(Value::take).and_then(list).ok_or(BadSet::Shape)?;
        let segments = whole.get_mut("segments").map(Value::take).and_then(list).unwrap_or_default();
        let mut dropped = Vec::new();
        let features: Vec<ClientFeature> = sound(features, &mut dropped);
        if let Some((name, what)) = dropped.iter().find(|(name, _)| Flag::named(name).is_some()) {
            return Err(BadSet::Flag { name: name.clone(), what: what.clone() });
        }
        let segments: Vec<Segment> = sound(segments, &mut dropped);
        let features = ClientFeatures { version: 2, features, segments: Some(segments), query: None, meta: None };
        let missing: Vec<&str> =
            Flag::ALL.map(Flag::name).into_iter().filter(|name| !features.features.iter().any(|feature| feature.name == *name)).collect();
        if !missing.is_empty() {
            return Err(BadSet::Missing(missing));
        }
        let hash = hash(&features);
        Ok(Document { features, hash, dropped })
    }
}

/// A flag as a set has it.
#[derive(Clone, Debug, PartialEq)]
pub struct FlagState {
    /// Its name.
    pub name: &'static str,
    /// Whether it is on at all.
    pub enabled: bool,
    /// Who gets it; everybody if there is none.
    pub strategies: Vec<StrategyState>,
}

/// One way to get a flag.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyState {
    /// The strategy's name.
    pub name: String,
    /// The share of the sessions, in per cent, where it has one.
    pub rollout: Option<f64>,
    /// What sessions are drawn by.
    pub stickiness: Option<String>,
    /// The group whose flags draw the same sessions.
    pub group: Option<String>,
    /// How many constraints make the cohort.
    pub constraints: usize,
}

impl Document {
    /// Our flags, in order.
    pub(super) fn states(&self) -> Vec<FlagState> {
        let of = |key: Flag| {
            let feature = self.features.features.iter().rev().find(|feature| feature.name == key.name())?;
            let strategies = feature.strategies.iter().flatten().map(strategy_state).collect();
            Some(FlagState { name: key.name(), enabled: feature.enabled, strategies })
        };
        Flag::ALL.into_iter().filter_map(of).collect()
    }
}

fn strategy_state(strategy: &Strategy) -> StrategyState {
    let parameter = |name: &str| strategy.parameters.as_ref().and_then(|parameters| parameters.get(name)).cloned();
    StrategyState {
        name: strategy.name.clone(),
        rollout: parameter("rollout").and_then(|share| share.parse().ok()),
        stickiness: parameter("stickiness"),
        group: parameter("groupId"),
        constraints: strategy.constraints.as_ref().map_or(0, Vec::len) + strategy.segments.as_ref().map_or(0, Vec::len),
    }
}

/// The items that have the right shape; the others with their name and what is wrong with them.
fn sound<T: DeserializeOwned>(items: Vec<Value>, dropped: &mut Vec<(String, String)>) -> Vec<T> {
    let mut kept = Vec::with_capacity(items.len());
    for item in items {
        let name = item.get("name").and_then(Value::as_str).unwrap_or("(without a name)").to_owned();
        match serde_json::from_value(item) {
            Ok(item) => kept.push(item),
            Err(error) => dropped.push((name, error.to_string())),
        }
    }
    kept
}

/// Of two flags with one name the last one counts.
fn hash(features: &ClientFeatures) -> String {
    let ours: BTreeMap<&str, &ClientFeature> =
        features.features.iter().filter(|feature| Flag::named(&feature.name).is_some()).map(|feature| (&*feature.name, feature)).collect();
    let parts = ours.values().map(|feature| (feature.enabled, &feature.strategies, &feature.dependencies)).collect::<Vec<_>>();
    let text = serde_json::to_vec(&(parts, &features.segments)).unwrap_or_default();
    format!("{:016x}", digest(&text) >> 64)
}

/// What is wrong, without the place that is said beside it.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.clone(), |(what, _)| what.to_owned())
}
