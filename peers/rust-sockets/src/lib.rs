//! What the four servers on raw sockets have in common: all but how they wait.

pub mod blocking;
mod request;
mod response;

use std::env;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub use request::Request;
pub use response::{Response, Status};

/// What a request asks for.
pub enum Route {
    Text,
    /// hello.html, after a wait for some.
    Delay(Option<Duration>),
    Error(Status),
}

/// What all connections share.
pub struct App {
    pub hello_html: PathBuf,
    delays: AtomicU64,
}

impl App {
    pub fn from_env() -> Self {
        Self {
            hello_html: variable("HELLO_HTML", "hello.html").into(),
            delays: AtomicU64::new(0),
        }
    }

    pub fn route(&self, request: &Request) -> Route {
        let target = match &request.target {
            Ok(target) => target.as_str(),
            Err(status) => return Route::Error(*status),
        };
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        match path {
            "/" => Route::Text,
            "/delay" => self
                .delay(query)
                .unwrap_or(Route::Error(Status::BadRequest)),
            _ => Route::Error(Status::NotFound),
        }
    }

    fn delay(&self, query: &str) -> Option<Route> {
        let ms = parameter(query, "ms", 2000, 0..=60_000)?;
        let every = parameter(query, "every", 10, 1..=1_000_000)?;
        let count = self.delays.fetch_add(1, Ordering::Relaxed) + 1;
        let wait = (count % every == 0).then(|| Duration::from_millis(ms));
        Some(Route::Delay(wait))
    }
}

/// Where to listen.
pub fn address() -> String {
    format!(
        "{}:{}",
        variable("HOST", "127.0.0.1"),
        variable("PORT", "8000")
    )
}

fn variable(name: &str, default: &str) -> String {
    env::var(name).unwrap_or_else(|_| default.to_owned())
}

/// A number in the query, or `None` if it is out of its range.
fn parameter(query: &str, name: &str, default: u64, range: RangeInclusive<u64>) -> Option<u64> {
    let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    match pairs.find(|(key, _)| *key == name) {
        None => Some(default),
        Some((_, value)) => value.parse().ok().filter(|number| range.contains(number)),
    }
}
