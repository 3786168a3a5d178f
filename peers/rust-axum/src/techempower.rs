//! The tests of TechEmpower's benchmarks.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::Html;
use axum::routing::get;
use deadpool_postgres::Pool;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::database::query;
use crate::failure::{Failure, internal};
use crate::world::{self, Cache};

struct Fortune {
    id: i32,
    message: String,
}

#[derive(Template)]
#[template(path = "fortunes.html")]
struct Page {
    fortunes: Vec<Fortune>,
}

pub fn routes(pool: Pool) -> Router {
    Router::new()
        .route("/plaintext", get(|| async { "Hello, World!" }))
        .route("/db", get(world::db))
        .route("/queries", get(world::queries))
        .route("/updates", get(world::updates))
        .route("/fortunes", get(fortunes))
        .with_state(pool.clone())
        .merge(
            Router::new()
                .route("/cached", get(world::cached))
                .with_state(Cache::new(pool)),
        )
        .layer(SetResponseHeaderLayer::overriding(
            header::SERVER,
            HeaderValue::from_static("axum"),
        ))
}

async fn fortunes(State(pool): State<Pool>) -> Result<Html<String>, Failure> {
    let rows = query(&pool, "SELECT id, message FROM fortune", &[]).await?;
    let mut fortunes: Vec<Fortune> = rows
        .iter()
        .map(|row| Fortune {
            id: row.get("id"),
            message: row.get("message"),
        })
        .collect();
    fortunes.push(Fortune {
        id: 0,
        message: "Brewed for this very request.".to_owned(),
    });
    fortunes.sort_by(|a, b| a.message.cmp(&b.message));
    Page { fortunes }.render().map(Html).map_err(internal)
}
