//! A server of axum: https://docs.rs/axum

mod database;
mod delay;
mod failure;
mod primes;
mod schema;
mod techempower;
mod web;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::routing::{get, post};
use axum::serve::ListenerExt;
use axum::{Json, Router};
use axum_server::accept::NoDelayAcceptor;
use axum_server::tls_rustls::{RustlsConfig, from_tcp_rustls};
use shared::delay::Delay;
use shared::greeting::Greeting;
use shared::schema::MAX_BODY_BYTES;
use shared::settings::Settings;
use tokio::net::TcpListener;

use crate::primes::Cpu;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::read()?;
    let delay = Router::new()
        .route("/delay", get(delay::delay))
        .with_state(Arc::new(Delay::new(settings.hello_html)));
    let primes = Router::new()
        .route("/primes", get(primes::primes))
        .with_state(Cpu::new(settings.cpu_workers));
    let schema = Router::new()
        .route("/schema", post(schema::schema))
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES));
    let app = Router::new()
        .route("/", get(|| async { "Hello world" }))
        .route("/json", get(|| async { Json(Greeting::now()) }))
        .merge(database::routes(settings.pool.clone()))
        .merge(delay)
        .merge(primes)
        .merge(schema)
        .merge(techempower::routes(settings.pool))
        .merge(web::routes(&settings.static_folder));

    let listener = TcpListener::bind((settings.host, settings.port)).await?;
    if let Some(mut tls) = settings.tls {
        tls.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
        let server = from_tcp_rustls(listener.into_std()?, RustlsConfig::from_config(tls.into()))?;
        let app = app.into_make_service();
        if settings.tcp_nodelay {
            let server = server.map(|acceptor| acceptor.acceptor(NoDelayAcceptor::new()));
            server.serve(app).await?;
        } else {
            server.serve(app).await?;
        }
    } else if settings.tcp_nodelay {
        let listener = listener.tap_io(|connection| {
            let _ = connection.set_nodelay(true); // fails only if the client has gone
        });
        axum::serve(listener, app).await?;
    } else {
        axum::serve(listener, app).await?;
    }
    Ok(())
}
