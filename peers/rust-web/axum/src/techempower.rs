//! The tests of TechEmpower's benchmarks.

use axum::extract::{Query, State};
use axum::http::{HeaderValue, header};
use axum::response::Html;
use axum::routing::get;
use axum::{Json, Router};
use shared::database::Pool;
use shared::fortunes;
use shared::world::{self, Cache, Parameters, World};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::failure::Refused;

pub fn routes(pool: Pool) -> Router {
    let cached = Router::new()
        .route("/cached", get(cached))
        .with_state(Cache::new(pool.clone()));
    Router::new()
        .route("/plaintext", get(|| async { "Hello, World!" }))
        .route("/db", get(row))
        .route("/queries", get(rows))
        .route("/updates", get(updates))
        .route("/fortunes", get(page))
        .with_state(pool)
        .merge(cached)
        .layer(SetResponseHeaderLayer::overriding(
            header::SERVER,
            HeaderValue::from_static("axum"),
        ))
}

async fn row(State(pool): State<Pool>) -> Result<Json<World>, Refused> {
    Ok(Json(world::random_row(&pool).await?))
}

async fn rows(
    State(pool): State<Pool>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Refused> {
    Ok(Json(world::random_rows(&pool, parameters.count()).await?))
}

async fn updates(
    State(pool): State<Pool>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Refused> {
    Ok(Json(world::updated_rows(&pool, parameters.count()).await?))
}

async fn cached(
    State(cache): State<Cache>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Refused> {
    Ok(Json(cache.take(parameters.count()).await?))
}

async fn page(State(pool): State<Pool>) -> Result<Html<String>, Refused> {
    Ok(Html(fortunes::page(&pool).await?))
}
