//! The integration tests, in one binary.

mod compare;
mod corpus;
mod r#gen;
mod ground;
mod invariants;
mod properties;
mod reading;
mod target;
mod tidy;
