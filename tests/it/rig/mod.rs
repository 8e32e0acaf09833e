//! The servers that the tests run.

mod faulty;
mod http;
mod need;
mod postgres;
mod server;
mod unleash;

pub(crate) use faulty::{Answer, Faulty};
pub(crate) use http::Http;
pub(crate) use postgres::Postgres;
pub(crate) use server::{children, is_alive, wait_until};
pub(crate) use unleash::Unleash;
