//! Parallax: serve OpenProgram's history loads by flag, run the other path beside them, and record where they part.

pub mod cli;
pub mod compare;
pub mod config;
pub mod dag;
pub mod experiment;
pub mod flags;
pub mod history;
pub mod lab;
pub mod metrics;
pub mod plan;
pub mod step;
