//! What Unleash has to know of our flags: the file that its import page takes, too.

use serde::Deserialize;
use serde_json::{Map, Value};

/// The file, as it is built in.
pub const DEFINITION: &str = include_str!("../../flags/unleash.json");

/// The flags, their strategies, and the properties that cohorts are made of.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Definition {
    pub(super) features: Vec<Feature>,
    pub(super) feature_strategies: Vec<Strategy>,
    pub(super) feature_environments: Vec<Environment>,
    pub(super) context_fields: Vec<Value>,
}

/// A flag.
#[derive(Debug, Deserialize)]
pub(super) struct Feature {
    pub(super) name: String,
    pub(super) description: String,
    #[serde(rename = "type")]
    pub(super) kind: String,
}

/// Who gets a flag.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Strategy {
    pub(super) name: String,
    pub(super) feature_name: String,
    pub(super) parameters: Map<String, Value>,
}

/// Whether a flag is on at first.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Environment {
    pub(super) feature_name: String,
    pub(super) enabled: bool,
}

impl Definition {
    /// The built-in definition.
    pub(super) fn built_in() -> Result<Self, serde_json::Error> {
        serde_json::from_str(DEFINITION)
    }

    /// The strategy of a flag.
    pub(super) fn strategy(&self, feature: &str) -> Option<&Strategy> {
        self.feature_strategies.iter().find(|strategy| strategy.feature_name == feature)
    }

    /// Whether a flag is on at first.
    pub(super) fn enabled(&self, feature: &str) -> bool {
        self.feature_environments.iter().any(|environment| environment.feature_name == feature && environment.enabled)
    }
}
