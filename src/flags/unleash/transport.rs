//! HTTP as the client needs it: with time-outs, a look at the status, and the server's ETag.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use unleash_api_client::http::{Method, Request, Response, Transport};
use ureq::{Agent, Body, SendBody, http};

/// A set of flags is at most this long.
const LONGEST: u64 = 16 << 20;

/// Why the server gave nothing that can be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TransportError {
    /// The server can not be reached or does not answer in time.
    #[error("no answer from {url}: {what}")]
    Unreachable {
        /// What was asked for.
        url: String,
        /// What went wrong.
        what: String,
    },
    /// The token is wrong.
    #[error("{url} refuses the token with status {status}: a token of the right kind, project and environment is needed")]
    Refused {
        /// What was asked for.
        url: String,
        /// The status.
        status: u16,
    },
    /// A status that is no success.
    #[error("{url} answers with status {status}")]
    Status {
        /// What was asked for.
        url: String,
        /// The status.
        status: u16,
    },
}

impl TransportError {
    /// A short name for metrics.
    pub fn name(&self) -> &'static str {
        match self {
            TransportError::Unreachable { .. } => "unreachable",
            TransportError::Refused { .. } => "refused",
            TransportError::Status { .. } => "status",
        }
    }
}

/// A connection with limits on everything.
pub(in crate::flags) struct HttpTransport {
    agent: Agent,
    kept: Mutex<Kept>,
}

/// The last answer that had an ETag.
#[derive(Default)]
struct Kept {
    tag: Option<String>,
    body: Vec<u8>,
    /// The last answer was the same as the one before it.
    unchanged: bool,
}

impl HttpTransport {
    /// `patience`: how long a request may take as a whole.
    pub(in crate::flags) fn new(patience: Duration) -> Self {
        let config = Agent::config_builder()
            .timeout_connect(Some(patience.min(Duration::from_secs(3))))
            .timeout_global(Some(patience))
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("parallax/", env!("CARGO_PKG_VERSION")));
        HttpTransport { agent: config.build().into(), kept: Mutex::default() }
    }

    /// Whether the last answer was the same as the one before it.
    pub(in crate::flags) fn unchanged(&self) -> bool {
        self.kept().unchanged
    }

    /// Asks for the whole next time: what came last was of no use.
    pub(in crate::flags) fn forget(&self) {
        *self.kept() = Kept::default();
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends a request and answers with the status, headers and body of what came back, whatever the status.
    pub(in crate::flags) fn send(
        &self,
        method: http::Method,
        url: &str,
        headers: &[(String, String)],
        body: Option<Vec<u8>>,
    ) -> Result<http::Response<Vec<u8>>, TransportError> {
        let unreachable = |what: String| TransportError::Unreachable { url: url.to_owned(), what };
        let mut request = http::Request::builder().method(method).uri(url);
        for (name, value) in headers {
            request = request.header(name, value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(SendBody::none, |bytes| SendBody::from_owned_reader(std::io::Cursor::new(bytes)));
        let request = request.body(body).map_err(|error| unreachable(error.to_string()))?;
        let (head, mut body) = self.agent.run(request).map_err(|error| unreachable(error.to_string()))?.into_parts();
        let bytes = read(&mut body).map_err(|error| unreachable(error.to_string()))?;
        Ok(http::Response::from_parts(head, bytes))
    }

    /// Gets a document, by its ETag if there is one.
    fn get(&self, url: &str, headers: &[(String, String)]) -> Result<Vec<u8>, TransportError> {
        let mut headers = headers.to_vec();
        headers.extend(self.kept().tag.clone().map(|tag| ("if-none-match".to_owned(), tag)));
        let answer = self.send(http::Method::GET, url, &headers, None)?;
        let mut kept = self.kept();
        if answer.status() == http::StatusCode::NOT_MODIFIED && kept.tag.is_some() {
            kept.unchanged = true;
            return Ok(kept.body.clone());
        }
        let tag = answer.headers().get("etag").and_then(|tag| tag.to_str().ok()).map(str::to_owned);
        let body = accept(url, answer)?;
        let unchanged = kept.body == body && !body.is_empty();
        *kept = Kept { tag, body: body.clone(), unchanged };
        Ok(body)
    }
}

/// The body of an answer whose status is a success.
pub(in crate::flags) fn accept(url: &str, answer: http::Response<Vec<u8>>) -> Result<Vec<u8>, TransportError> {
    let url = url.to_owned();
    match answer.status().as_u16() {
        200..=299 => Ok(answer.into_body()),
        status @ (401 | 403) => Err(TransportError::Refused { url, status }),
        status => Err(TransportError::Status { url, status }),
    }
}

fn read(body: &mut Body) -> Result<Vec<u8>, ureq::Error> {
    body.with_config().limit(LONGEST).read_to_vec()
}

#[async_trait]
impl Transport for HttpTransport {
    async fn execute(&self, request: Request) -> Result<Response, anyhow::Error> {
        match request.method {
            Method::Get => Ok(Response { status: 200, body: self.get(&request.url, &request.headers)? }),
            Method::Post => {
                let answer = self.send(http::Method::POST, &request.url, &request.headers, request.body)?;
                Ok(Response { status: 202, body: accept(&request.url, answer)? })
            }
        }
    }
}
