use actix_web::HttpRequest;
use actix_web::error::{ErrorUnsupportedMediaType, JsonPayloadError};
use actix_web::web::{Json, JsonConfig, Query, ServiceConfig};
use shared::schema::{Body, MAX_BODY_BYTES, Parameters, Reply, answer};

use crate::failure::Refused;
use crate::methods::post;

pub fn routes(config: &mut ServiceConfig) {
    let bodies =
        JsonConfig::default()
            .limit(MAX_BODY_BYTES)
            .error_handler(|error, _| match error {
                JsonPayloadError::ContentType => ErrorUnsupportedMediaType(error),
                other => other.into(),
            });
    config.service(post("/schema", schema).app_data(bodies));
}

async fn schema(
    request: HttpRequest,
    Query(parameters): Query<Parameters>,
    Json(body): Json<Body>,
) -> Result<Json<Reply>, Refused> {
    let has_foo = request.headers().contains_key("x-foo");
    Ok(Json(answer(has_foo, &parameters, &body)?))
}
