use std::fmt::Display;

use axum::http::StatusCode;

/// What answers a request that fails.
pub type Failure = (StatusCode, String);

pub fn bad_request(error: impl Display) -> Failure {
    (StatusCode::BAD_REQUEST, error.to_string())
}

/// The reason is none of the client's business.
pub fn internal(error: impl Display) -> Failure {
    eprintln!("{error}");
    (StatusCode::INTERNAL_SERVER_ERROR, String::new())
}
