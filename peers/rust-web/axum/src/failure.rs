use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use shared::Failure;

/// A failure as axum answers it.
pub struct Refused(Failure);

impl From<Failure> for Refused {
    fn from(failure: Failure) -> Self {
        Self(failure)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        match self.0 {
            Failure::Refused(reason) => (StatusCode::BAD_REQUEST, reason).into_response(),
            Failure::Internal => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        }
    }
}
