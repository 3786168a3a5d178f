use axum::Json;
use axum::extract::Query;
use axum::extract::rejection::JsonRejection;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use shared::schema::{Body, Parameters, answer};

use crate::failure::Refused;

pub async fn schema(
    headers: HeaderMap,
    Query(parameters): Query<Parameters>,
    body: Result<Json<Body>, JsonRejection>,
) -> Result<Response, Response> {
    let Json(body) = body.map_err(refuse)?;
    let reply = answer(headers.contains_key("x-foo"), &parameters, &body);
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
