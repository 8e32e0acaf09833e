//! The integration tests, in one binary.

mod corpus;
mod ground;
mod target;
