//! `Unleash`: the real server, as npm has it, on a test's `Postgres`.

use std::ops::{Deref, DerefMut};
use std::time::Duration;

use rustix::process::Signal;

use super::http::Http;
use super::need::{found, services, unleash_program};
use super::postgres::{Postgres, UNLEASH_DATABASE};
use super::server::{Port, Recipe, Server};

const CLIENT_TOKEN: &str = "default:development.parallax-rig-client";
const ADMIN_TOKEN: &str = "*:*.parallax-rig-admin";

/// A server that is gone when this is dropped. Its data are the `Postgres`'s.
pub(crate) struct Unleash {
    server: Server,
    url: String,
}

impl Unleash {
    /// `None`, with a note, where Unleash is not installed (a failure with `CI=true`).
    pub(crate) fn start(postgres: &Postgres) -> Option<Self> {
        let (program, _version) = found(unleash_program())?;
        let port = Port::claim();
        let url = format!("http://127.0.0.1:{}", port.number);
        let health = Http::at(&url).within(Duration::from_secs(5));
        let recipe = Recipe {
            name: "Unleash",
            program: "node".into(),
            arguments: vec![program.display().to_string()],
            variables: vec![
                ("DATABASE_URL", postgres.url_of(UNLEASH_DATABASE)),
                ("DATABASE_SSL", "false".to_owned()),
                ("INIT_CLIENT_API_TOKENS", CLIENT_TOKEN.to_owned()),
                ("INIT_ADMIN_API_TOKENS", ADMIN_TOKEN.to_owned()),
                ("CHECK_VERSION", "false".to_owned()),
                ("SEND_TELEMETRY", "false".to_owned()),
                ("HTTP_HOST", "127.0.0.1".to_owned()),
                ("HTTP_PORT", port.number.to_string()),
                ("LOG_LEVEL", "info".to_owned()),
                ("NODE_ENV", "production".to_owned()),
                ("TZ", "UTC".to_owned()),
            ],
            log: services().join(format!("logs/unleash-{}.log", port.number)),
            folder: tempfile::Builder::new().prefix("parallax-unleash-").tempdir().expect("a folder").keep(),
            stop_signal: Signal::TERM,
            last_signal: "KILL",
            ready: Box::new(move || health.get("/health").is_ok_and(|answer| answer.status == 200)),
        };
        Some(Self { server: Server::start(recipe, port), url })
    }

    /// Where it is, without a slash at the end. The SDK wants `{url}/api`.
    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    /// Reads the flags of project `default` in environment `development`.
    pub(crate) fn client_token(&self) -> &'static str {
        CLIENT_TOKEN
    }

    /// May do everything but import.
    pub(crate) fn admin_token(&self) -> &'static str {
        ADMIN_TOKEN
    }

    /// For calls as the SDK makes them.
    pub(crate) fn client(&self) -> Http {
        Http::at(&self.url).with("Authorization", CLIENT_TOKEN)
    }

    /// For calls to the Admin API.
    pub(crate) fn admin(&self) -> Http {
        Http::at(&self.url).with("Authorization", ADMIN_TOKEN)
    }
}

impl Deref for Unleash {
    type Target = Server;

    fn deref(&self) -> &Server {
        &self.server
    }
}

impl DerefMut for Unleash {
    fn deref_mut(&mut self) -> &mut Server {
        &mut self.server
    }
}
