//! What docs/contract.md asks of a server, whatever its framework is.

pub mod database;
pub mod delay;
pub mod events;
pub mod fortunes;
pub mod greeting;
pub mod primes;
pub mod schema;
pub mod settings;
pub mod tls;
pub mod upload;
pub mod world;

use std::fmt::Display;

/// Why a request is not answered.
#[derive(Debug)]
pub enum Failure {
    /// The request is wrong.
    Refused(String),
    /// What happened is none of the client's business.
    Internal,
}

pub fn refused(error: impl Display) -> Failure {
    Failure::Refused(error.to_string())
}

pub fn internal(error: impl Display) -> Failure {
    eprintln!("{error}");
    Failure::Internal
}
