//! The scenarios of Stampede's first days.

use actix_web::http::header::ContentType;
use actix_web::web::{Data, Json, Query, ServiceConfig};
use actix_web::{HttpResponse, Responder, web};
use shared::database::{self, Books, Now, Pool, User};
use shared::delay::{self, Delay};
use shared::greeting::Greeting;
use shared::internal;
use shared::primes::{self, Primes};
use tokio::sync::Semaphore;

use crate::failure::Refused;
use crate::methods::get;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(get("/", async || "Hello world"))
        .service(get("/json", async || Json(Greeting::now())))
        .service(get("/sql1", now))
        .service(get("/sql2", users))
        .service(get("/books", books))
        .service(get("/delay", later))
        .service(get("/primes", primes));
}

async fn now(pool: Data<Pool>) -> Result<Json<Now>, Refused> {
    Ok(Json(database::now(&pool).await?))
}

async fn users(pool: Data<Pool>) -> Result<Json<Vec<User>>, Refused> {
    Ok(Json(database::users(&pool).await?))
}

async fn books(pool: Data<Pool>) -> Result<Json<Books>, Refused> {
    Ok(Json(database::books(&pool).await?))
}

async fn later(
    delay: Data<Delay>,
    Query(parameters): Query<delay::Parameters>,
) -> Result<impl Responder, Refused> {
    let html = delay.read(parameters).await?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::html())
        .body(html))
}

async fn primes(
    threads: Data<Semaphore>,
    Query(parameters): Query<primes::Parameters>,
) -> Result<HttpResponse, Refused> {
    let limit = parameters.limit()?;
    // Each worker has many threads for what blocks: too many to compute on
    let permit = threads.into_inner().acquire_owned().await;
    let permit = permit.map_err(internal)?;
    let computed = web::block(move || {
        // Held here, since the computation goes on when its client leaves
        let _permit = permit;
        serde_json::to_vec(&Primes::up_to(limit, "web::block"))
    });
    let body = computed.await.map_err(internal)?.map_err(internal)?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(body))
}
