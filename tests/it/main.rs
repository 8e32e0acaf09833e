//! The integration tests, in one binary.

mod claims;
mod cli;
mod compare;
mod corpus;
mod experiment;
mod flags;
mod r#gen;
mod ground;
mod hostile;
mod invariants;
mod lab;
mod properties;
mod reading;
mod rig;
mod rig_works;
mod runbooks;
mod rungs;
mod target;
mod tidy;
