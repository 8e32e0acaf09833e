//! The configuration file: TOML with one key an option, and one table for what holds for a single command.

use std::io;
use std::path::{Path, PathBuf};

/// A configuration file that can not be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file can not be read.
    #[error("can not read the configuration file {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is no TOML.
    #[error("the configuration file {path} is no TOML: {source}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Where and why.
        source: toml::de::Error,
    },
    /// A key holds what no option can be.
    #[error("{key} in the configuration file {path} must be a text, a number, true or false")]
    Value {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
    },
    /// A key that names no option.
    #[error("{key} in the configuration file {path} is no option of {place}: there are {known}")]
    Unknown {
        /// The file.
        path: PathBuf,
        /// The key.
        key: String,
        /// Of what it is no option.
        place: String,
        /// The options that there are.
        known: String,
    },
}

/// A configuration file that was read.
#[derive(Debug)]
pub struct Config {
    path: PathBuf,
    table: toml::Table,
}

/// One option as a file sets it.
#[derive(Debug, PartialEq, Eq)]
pub struct Setting {
    /// The option's long name.
    pub key: String,
    /// Its value.
    pub value: String,
}

impl Config {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let text = std::fs::read_to_string(path).map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        let table = text.parse().map_err(|source| ConfigError::Syntax { path: path.to_owned(), source })?;
        Ok(Config { path: path.to_owned(), table })
    }

    /// Fails on a key that is no option, so that a misspelt one is not silently without effect. `commands`: each command with the
    /// long names of its options.
    pub fn check(&self, commands: &[(String, Vec<String>)]) -> Result<(), ConfigError> {
        let unknown = |key: &str, place: &str, known: &[String]| {
            let (path, place) = (self.path.clone(), place.to_owned());
            Err(ConfigError::Unknown { path, key: key.to_owned(), place, known: known.join(", ") })
        };
        let mut all: Vec<String> = commands.iter().flat_map(|(_, options)| options).cloned().collect();
        all.sort_unstable();
        all.dedup();
        for (key, value) in &self.table {
            match (value.as_table(), commands.iter().find(|(command, _)| command == key)) {
                (Some(table), Some((command, known))) => {
                    if let Some(key) = table.keys().find(|key| !known.contains(key)) {
                        return unknown(key, command, known);
                    }
                }
                (Some(_), None) => {
                    let known: Vec<String> = commands.iter().map(|(command, _)| command.clone()).collect();
                    return unknown(key, "parallax with a table of its own", &known);
                }
                (None, _) if !all.contains(key) => return unknown(key, "any command", &all),
                (None, _) => {}
            }
        }
        Ok(())
    }

    /// What the file sets for a command that has `options`: the command's own table before what holds for all.
    pub fn settings(&self, command: &str, options: &[String]) -> Result<Vec<Setting>, ConfigError> {
        let own = self.table.get(command).and_then(toml::Value::as_table);
        let found = options.iter().filter_map(|key| {
            Some((key, own.and_then(|own| own.get(key)).or_else(|| self.table.get(key).filter(|value| !value.is_table()))?))
        });
        found.map(|(key, value)| Ok(Setting { key: key.clone(), value: self.text(key, value)? })).collect()
    }

    fn text(&self, key: &str, value: &toml::Value) -> Result<String, ConfigError> {
        match value {
            toml::Value::String(text) => Ok(text.clone()),
            toml::Value::Integer(number) => Ok(number.to_string()),
            toml::Value::Float(number) => Ok(number.to_string()),
            toml::Value::Boolean(flag) => Ok(flag.to_string()),
            toml::Value::Datetime(_) | toml::Value::Array(_) | toml::Value::Table(_) => {
                Err(ConfigError::Value { path: self.path.clone(), key: key.to_owned() })
            }
        }
    }
}
