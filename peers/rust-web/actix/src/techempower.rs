//! The tests of TechEmpower's benchmarks.

use actix_web::http::header::SERVER;
use actix_web::middleware::DefaultHeaders;
use actix_web::web::{Data, Html, Json, Query, ServiceConfig};
use shared::database::Pool;
use shared::fortunes;
use shared::world::{self, Cache, Parameters, World};

use crate::failure::Refused;
use crate::methods::get;

pub fn routes(config: &mut ServiceConfig) {
    let named = || DefaultHeaders::new().add((SERVER, "Actix Web"));
    config
        .service(get("/plaintext", async || "Hello, World!").wrap(named()))
        .service(get("/db", row).wrap(named()))
        .service(get("/queries", rows).wrap(named()))
        .service(get("/updates", updates).wrap(named()))
        .service(get("/cached", cached).wrap(named()))
        .service(get("/fortunes", page).wrap(named()));
}

async fn row(pool: Data<Pool>) -> Result<Json<World>, Refused> {
    Ok(Json(world::random_row(&pool).await?))
}

async fn rows(
    pool: Data<Pool>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Refused> {
    Ok(Json(world::random_rows(&pool, parameters.count()).await?))
}

async fn updates(
    pool: Data<Pool>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Refused> {
    Ok(Json(world::updated_rows(&pool, parameters.count()).await?))
}

async fn cached(
    cache: Data<Cache>,
    Query(parameters): Query<Parameters>,
) -> Result<Json<Vec<World>>, Refused> {
    Ok(Json(cache.take(parameters.count()).await?))
}

async fn page(pool: Data<Pool>) -> Result<Html, Refused> {
    Ok(Html::new(fortunes::page(&pool).await?))
}
