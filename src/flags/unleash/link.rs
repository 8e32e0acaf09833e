//! The conversation with an Unleash server: register, fetch the set, report usage.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use unleash_api_client::{Client, ClientBuilder};

use super::super::document::BadSet;
use super::super::key::Flag;
use super::evaluator::Usage;
use super::transport::{HttpTransport, TransportError};

/// How an Unleash server is reached.
#[derive(Clone)]
pub struct Connection {
    /// The address of its API, `/api` included.
    pub url: String,
    /// A client token.
    pub token: String,
    /// What this program calls itself there.
    pub app: String,
    /// Which of its replicas this is.
    pub instance: String,
    /// How often the set is fetched.
    pub interval: Duration,
    /// How long one request may take.
    pub patience: Duration,
}

impl Connection {
    /// A connection with the usual times: a fetch every 15 seconds, at most 5 seconds each.
    pub fn new(url: &str, token: &str) -> Self {
        Connection {
            url: url.trim_end_matches('/').to_owned(),
            token: token.to_owned(),
            app: "parallax".to_owned(),
            instance: format!("parallax-{}", std::process::id()),
            interval: Duration::from_secs(15),
            patience: Duration::from_secs(5),
        }
    }
}

/// What a fetch came to.
pub(in crate::flags) enum Fetched {
    /// The same as last time.
    Unchanged,
    /// Another document.
    New(Box<RawValue>),
}

/// Why a conversation with the server failed.
#[derive(Clone, Debug, thiserror::Error)]
pub(in crate::flags) enum LinkError {
    /// Nothing that can be used came back.
    #[error(transparent)]
    Transport(#[from] TransportError),
    /// What came back is no JSON.
    #[error(transparent)]
    Bad(#[from] BadSet),
    /// The client says no for another reason.
    #[error("{0}")]
    Other(String),
}

impl LinkError {
    /// A short name for metrics.
    pub(in crate::flags) fn name(&self) -> &'static str {
        match self {
            LinkError::Transport(error) => error.name(),
            LinkError::Bad(error) => error.name(),
            LinkError::Other(_) => "other",
        }
    }

    fn of(error: anyhow::Error) -> Self {
        let error = match error.downcast::<TransportError>() {
            Ok(error) => return error.into(),
            Err(error) => error,
        };
        match error.downcast::<serde_json::Error>() {
            Ok(error) => BadSet::syntax(&error).into(),
            Err(error) => LinkError::Other(error.to_string()),
        }
    }
}

/// A connection to a server.
pub(in crate::flags) struct Link {
    client: Client<Flag>,
    transport: Arc<HttpTransport>,
    url: String,
    interval: u64,
}

impl Link {
    /// Makes the connection; nothing is sent yet.
    pub(in crate::flags) fn new(connection: &Connection) -> Result<Self, LinkError> {
        let transport = Arc::new(HttpTransport::new(connection.patience));
        let interval = u64::try_from(connection.interval.as_millis()).unwrap_or(u64::MAX);
        let token = Some(connection.token.clone());
        let client = ClientBuilder::default()
            .interval(interval)
            .into_client_with_transport(&connection.url, &connection.app, &connection.instance, token, transport.clone())
            .map_err(LinkError::of)?;
        Ok(Link { client, transport, url: connection.url.clone(), interval })
    }

    /// Tells the server that this replica is there.
    pub(in crate::flags) fn register(&self) -> Result<(), LinkError> {
        pollster::block_on(self.client.register()).map_err(|error| LinkError::Other(error.to_string()))
    }

    /// Fetches the set.
    pub(in crate::flags) fn fetch(&self) -> Result<Fetched, LinkError> {
        let url = format!("{}/client/features", self.url);
        let body = pollster::block_on(self.client.http.get_json::<Box<RawValue>>(&url, Some(self.interval)));
        match body {
            Ok(_) if self.transport.unchanged() => Ok(Fetched::Unchanged),
            Ok(body) => Ok(Fetched::New(body)),
            Err(error) => {
                self.forget();
                Err(LinkError::of(error))
            }
        }
    }

    /// Asks for the whole set next time.
    pub(in crate::flags) fn forget(&self) {
        self.transport.forget();
    }

    /// Reports usage counts.
    pub(in crate::flags) fn report(&self, usage: &Usage) -> Result<(), LinkError> {
        let url = format!("{}/client/metrics", self.url);
        match pollster::block_on(self.client.http.post_json(&url, usage, Some(self.interval))) {
            Ok(true) => Ok(()),
            Ok(false) => Err(LinkError::Other("the server does not take the usage counts".to_owned())),
            Err(error) => Err(LinkError::of(error)),
        }
    }
}
