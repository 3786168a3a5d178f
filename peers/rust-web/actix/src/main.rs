//! A server of Actix Web: https://actix.rs/docs

mod basic;
mod failure;
mod methods;
mod schema;
mod techempower;
mod web;

use actix_web::web::Data;
use actix_web::{App, HttpServer};
use shared::delay::Delay;
use shared::settings::Settings;
use shared::world::Cache;
use tokio::sync::Semaphore;

#[actix_web::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let settings = Settings::read()?;
    // One of each for all workers
    let cache = Data::new(Cache::new(settings.pool.clone()));
    let pool = Data::new(settings.pool);
    let delay = Data::new(Delay::new(settings.hello_html));
    let threads = Data::new(Semaphore::new(settings.cpu_workers));
    let folder = settings.static_folder;
    let server = HttpServer::new(move || {
        App::new()
            .app_data(cache.clone())
            .app_data(pool.clone())
            .app_data(delay.clone())
            .app_data(threads.clone())
            .configure(basic::routes)
            .configure(schema::routes)
            .configure(techempower::routes)
            .configure(web::routes(&folder))
    })
    .workers(settings.workers)
    .tcp_nodelay(settings.tcp_nodelay);
    let address = (settings.host, settings.port);
    let server = match settings.tls {
        None => server.bind(address)?,
        Some(tls) => server.bind_rustls_0_23(address, tls)?,
    };
    server.run().await?;
    Ok(())
}
