//! `Http`: as much of HTTP/1.1 as the tests need, one connection a request.

use std::io::{BufRead, BufReader, Error, ErrorKind, Read, Result, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use serde_json::Value;

/// Where requests go, with which headers, and how long an answer may take.
#[derive(Clone)]
pub(crate) struct Http {
    authority: String,
    headers: Vec<(String, String)>,
    timeout: Duration,
}

/// A request or an answer: first line, headers, body.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) first_line: String,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

/// A whole answer.
#[derive(Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) message: Message,
}

impl Http {
    /// Requests to `http://host:port`.
    pub(crate) fn at(url: &str) -> Self {
        let authority = url.strip_prefix("http://").expect("http").trim_end_matches('/').to_owned();
        Self { authority, headers: Vec::new(), timeout: Duration::from_secs(30) }
    }

    /// With one header more.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With another time until `ErrorKind::TimedOut`.
    pub(crate) fn within(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Reads.
    pub(crate) fn get(&self, path: &str) -> Result<Response> {
        self.send("GET", path, b"")
    }

    /// Sends JSON.
    pub(crate) fn post(&self, path: &str, body: &Value) -> Result<Response> {
        self.clone().with("Content-Type", "application/json").send("POST", path, body.to_string().as_bytes())
    }

    /// Sends anything. An answer that breaks off is an error, one with status 500 is an answer.
    pub(crate) fn send(&self, method: &str, path: &str, body: &[u8]) -> Result<Response> {
        let end = Instant::now() + self.timeout;
        let address = self.authority.to_socket_addrs()?.next().ok_or_else(|| bad("no address"))?;
        let mut stream = TcpStream::connect_timeout(&address, self.timeout)?;
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n", self.authority);
        for (name, value) in &self.headers {
            head += &format!("{name}: {value}\r\n");
        }
        head += &format!("Content-Length: {}\r\n\r\n", body.len());
        stream.set_write_timeout(Some(self.timeout))?;
        stream.write_all(&[head.as_bytes(), body].concat())?;
        let message = read_message(&mut BufReader::new(Until { stream, end }), method != "HEAD")?;
        let status = message.first_line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)?.parse().ok());
        Ok(Response { status: status.ok_or_else(|| bad("no status"))?, message })
    }
}

impl Message {
    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }
}

impl Response {
    /// A header's value.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.message.header(name)
    }

    /// The body.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.message.body).into_owned()
    }

    /// The body as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.message.body).unwrap_or_else(|error| panic!("{error}: {}", self.text()))
    }
}

/// Reads a request or an answer. `body`: whether an answer without a length has one.
pub(super) fn read_message(reader: &mut impl BufRead, body: bool) -> Result<Message> {
    let first_line = line(reader)?;
    let mut message = Message { first_line, headers: Vec::new(), body: Vec::new() };
    loop {
        let line = line(reader)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| bad("no header"))?;
        message.headers.push((name.to_owned(), value.trim().to_owned()));
    }
    let empty = [" 204", " 304"].iter().any(|status| message.first_line.starts_with(&format!("HTTP/1.1{status}")));
    let length = message.header("Content-Length").map(|length| length.parse::<usize>().map_err(|_| bad("no length"))).transpose()?;
    let chunked = message.header("Transfer-Encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"));
    message.body = match length {
        _ if empty || !body => Vec::new(),
        _ if chunked => chunks(reader)?,
        Some(length) => exactly(reader, length)?,
        None if message.first_line.starts_with("HTTP/") => {
            let mut rest = Vec::new();
            reader.read_to_end(&mut rest)?;
            rest
        }
        None => Vec::new(),
    };
    Ok(message)
}

fn chunks(reader: &mut impl BufRead) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let size = line(reader)?;
        let size = usize::from_str_radix(size.split(';').next().unwrap_or("").trim(), 16).map_err(|_| bad("no chunk size"))?;
        body.extend(exactly(reader, size)?);
        // The line's end after a chunk; after the last one, trailers up to an empty line.
        while !line(reader)?.is_empty() {}
        if size == 0 {
            return Ok(body);
        }
    }
}

fn exactly(reader: &mut impl BufRead, length: usize) -> Result<Vec<u8>> {
    let mut body = Vec::new();
    reader.take(u64::try_from(length).unwrap_or(u64::MAX)).read_to_end(&mut body)?;
    if body.len() == length { Ok(body) } else { Err(ErrorKind::UnexpectedEof.into()) }
}

fn line(reader: &mut impl BufRead) -> Result<String> {
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line)?;
    if line.pop() != Some(b'\n') {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    if line.last() == Some(&b'\r') {
        line.pop();
    }
    String::from_utf8(line).map_err(|_| bad("no text"))
}

fn bad(why: &str) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}

/// A stream that must be done at a time, however slowly bytes come.
struct Until {
    stream: TcpStream,
    end: Instant,
}

impl Read for Until {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let left = self.end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(into).map_err(|error| if error.kind() == ErrorKind::WouldBlock { ErrorKind::TimedOut.into() } else { error })
    }
}
