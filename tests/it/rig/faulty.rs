//! `Faulty`: a server that answers as told, for the faults that the real one can not be brought to.

use std::io::{BufReader, ErrorKind, Read, Result, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::Duration;

use super::http::{Message, read_message};

/// What comes back, whatever was asked.
#[derive(Clone)]
pub(crate) enum Answer {
    /// A status with a body, complete and as JSON.
    Status(u16, String),
    /// As Unleash does: to a GET the body with its ETag, or 304 to whom has that; to all else 202.
    Features(String),
    /// Takes the connection and says nothing.
    Hang,
    /// Takes the connection and closes it.
    Close,
    /// Promises the whole body, sends half of it and closes.
    HalfBody(String),
    /// No HTTP.
    Garbage,
    /// A byte each time.
    Drip(String, Duration),
}

/// The server. It ends, and lets go of hanging clients, when it is dropped.
pub(crate) struct Faulty {
    shared: Arc<Shared>,
    address: SocketAddr,
    listening: Option<JoinHandle<()>>,
}

struct Shared {
    answer: Mutex<Answer>,
    requests: Mutex<Vec<Message>>,
    not_modified: AtomicUsize,
    done: AtomicBool,
}

impl Faulty {
    /// Listens on a free port.
    pub(crate) fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let shared = Arc::new(Shared {
            answer: Mutex::new(answer),
            requests: Mutex::new(Vec::new()),
            not_modified: AtomicUsize::new(0),
            done: AtomicBool::new(false),
        });
        let listening = spawn({
            let shared = Arc::clone(&shared);
            move || listen(&listener, &shared)
        });
        Self { shared, address, listening: Some(listening) }
    }

    /// Answers otherwise from the next request on.
    pub(crate) fn answer_with(&self, answer: Answer) {
        *self.shared.answer.lock().expect("a lock") = answer;
    }

    /// Where it is, without a slash at the end.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All requests so far, in the order in which they were read.
    pub(crate) fn requests(&self) -> Vec<Message> {
        self.shared.requests.lock().expect("a lock").clone()
    }

    /// How many were answered with 304.
    pub(crate) fn not_modified(&self) -> usize {
        self.shared.not_modified.load(Ordering::SeqCst)
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        self.shared.done.store(true, Ordering::SeqCst);
        let _wakes = TcpStream::connect(self.address);
        if let Some(listening) = self.listening.take() {
            let _ended = listening.join();
        }
    }
}

fn listen(listener: &TcpListener, shared: &Arc<Shared>) {
    let mut talks = Vec::new();
    for stream in listener.incoming() {
        if shared.done.load(Ordering::SeqCst) {
            break;
        }
        let Ok(stream) = stream else { continue };
        let shared = Arc::clone(shared);
        // A client that goes away is no fault of the server's.
        talks.push(spawn(move || drop(talk(stream, &shared))));
    }
    for talk in talks {
        let _ended = talk.join();
    }
}

fn talk(mut stream: TcpStream, shared: &Shared) -> Result<()> {
    let request = read_message(&mut BufReader::new(Patient { stream: stream.try_clone()?, shared }), true)?;
    let answer = shared.answer.lock().expect("a lock").clone();
    shared.requests.lock().expect("a lock").push(request.clone());
    match answer {
        Answer::Status(status, body) => stream.write_all(whole(status, "", &body).as_bytes()),
        Answer::Features(body) => stream.write_all(features(&request, &body, shared).as_bytes()),
        Answer::Hang => {
            while !shared.done.load(Ordering::SeqCst) {
                sleep(Duration::from_millis(10));
            }
            Ok(())
        }
        Answer::Close => Ok(()),
        Answer::HalfBody(body) => {
            let all = whole(200, "", &body);
            stream.write_all(&all.as_bytes()[..all.len() - body.len().div_ceil(2)])
        }
        Answer::Garbage => stream.write_all(b"\x16\x03\x01\0\xff this is no HTTP\r\n\r\n\0\0\0"),
        Answer::Drip(body, pause) => {
            for byte in whole(200, "", &body).bytes() {
                if shared.done.load(Ordering::SeqCst) {
                    break;
                }
                stream.write_all(&[byte])?;
                sleep(pause);
            }
            Ok(())
        }
    }
}

fn features(request: &Message, body: &str, shared: &Shared) -> String {
    if !request.first_line.starts_with("GET ") {
        return whole(202, "", "");
    }
    // Any function of the body will do.
    let sum = body.bytes().fold(7_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let tag = format!("\"{sum:x}:1:v1\"");
    if request.header("If-None-Match") == Some(&tag) {
        shared.not_modified.fetch_add(1, Ordering::SeqCst);
        return format!("HTTP/1.1 304 Not Modified\r\nETag: {tag}\r\nConnection: close\r\n\r\n");
    }
    whole(200, &format!("ETag: {tag}\r\n"), body)
}

fn whole(status: u16, headers: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status} As told\r\nContent-Type: application/json; charset=utf-8\r\n{headers}Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len()
    )
}

/// Reads for as long as the server lives.
struct Patient<'a> {
    stream: TcpStream,
    shared: &'a Shared,
}

impl Read for Patient<'_> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        self.stream.set_read_timeout(Some(Duration::from_millis(20)))?;
        loop {
            match self.stream.read(into) {
                Err(error) if error.kind() == ErrorKind::WouldBlock && !self.shared.done.load(Ordering::SeqCst) => {}
                read => return read,
            }
        }
    }
}
