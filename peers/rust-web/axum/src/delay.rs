use std::sync::Arc;

use axum::extract::{Query, State};
use axum::response::Html;
use shared::delay::{Delay, Parameters};

use crate::failure::Refused;

pub async fn delay(
    State(delay): State<Arc<Delay>>,
    Query(parameters): Query<Parameters>,
) -> Result<Html<Vec<u8>>, Refused> {
    Ok(Html(delay.read(parameters).await?))
}
