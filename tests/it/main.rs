//! The integration tests, in one binary.

mod compare;
mod corpus;
mod ground;
mod target;
