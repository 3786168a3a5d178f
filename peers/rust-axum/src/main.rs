mod database;
mod delay;
mod failure;
mod primes;
mod schema;
mod techempower;
mod web;
mod world;

use std::env;
use std::str::FromStr;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::{Json, Router};
use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;
use tokio::net::TcpListener;

use crate::delay::Delay;
use crate::primes::Cpu;

#[derive(Serialize)]
struct Message {
    message: &'static str,
    ts: String,
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pool = database::pool(variable("DB_POOL", 10))?;
    let database = Router::new()
        .route("/sql1", get(database::sql1))
        .route("/sql2", get(database::sql2))
        .route("/books", get(database::books))
        .with_state(pool.clone());
    let delay = Router::new()
        .route("/delay", get(delay::delay))
        .with_state(Arc::new(Delay::new(variable(
            "HELLO_HTML",
            "hello.html".into(),
        ))));
    let cores = std::thread::available_parallelism()?.get();
    let primes = Router::new()
        .route("/primes", get(primes::primes))
        .with_state(Cpu::new(variable("CPU_WORKERS", cores)));
    let schema = Router::new()
        .route("/schema", post(schema::schema))
        .layer(DefaultBodyLimit::max(schema::MAX_BODY_BYTES));
    let app = Router::new()
        .route("/", get(|| async { "Hello world" }))
        .route("/json", get(json))
        .merge(database)
        .merge(delay)
        .merge(primes)
        .merge(schema)
        .merge(techempower::routes(pool))
        .merge(web::routes(&variable("STATIC_FOLDER", ".".to_owned())));

    let host = variable("HOST", "127.0.0.1".to_owned());
    let listener = TcpListener::bind((host, variable("PORT", 8000))).await?;
    axum::serve(listener, app).await?;
    Ok(())
}

async fn json() -> Json<Message> {
    Json(Message {
        message: "Hello world",
        ts: iso(Utc::now()),
    })
}

fn iso(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}

fn variable<T: FromStr>(name: &str, default: T) -> T {
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
