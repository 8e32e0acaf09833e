//! The Unleash client: the only place that names it. Evaluation, usage counts, and the conversation with the server.

mod evaluator;
mod link;
mod transport;

pub use evaluator::Prepared;
pub(super) use evaluator::{Evaluator, Usage};
pub use link::Connection;
pub(super) use link::{Fetched, Link, LinkError};
pub use transport::TransportError;
pub(super) use transport::{HttpTransport, accept};
