use std::convert::Infallible;

use axum::Json;
use axum::extract::Query;
use axum::extract::rejection::JsonRejection;
use axum::extract::FromRequestParts;
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use shared::schema::{Body, Parameters, answer};

use crate::failure::Refused;

/// Whether the request has the header x-foo. The extractor HeaderMap would copy all headers.
pub struct HasFoo(bool);

impl<S: Sync> FromRequestParts<S> for HasFoo {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(Self(parts.headers.contains_key("x-foo")))
    }
}

pub async fn schema(
    HasFoo(has_foo): HasFoo,
    Query(parameters): Query<Parameters>,
    body: Result<Json<Body>, JsonRejection>,
) -> Result<Response, Response> {
    let Json(body) = body.map_err(refuse)?;
    let reply = answer(has_foo, &parameters, &body);
    let reply = reply.map_err(|failure| Refused::from(failure).into_response())?;
    Ok(Json(reply).into_response())
}

/// A body of the wrong types is 422 to axum, and 400 by the contract.
fn refuse(rejection: JsonRejection) -> Response {
    match rejection {
        JsonRejection::JsonDataError(error) => {
            (StatusCode::BAD_REQUEST, error.body_text()).into_response()
        }
        other => other.into_response(),
    }
}
