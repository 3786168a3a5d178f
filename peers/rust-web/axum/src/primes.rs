use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use shared::internal;
use shared::primes::{Parameters, Primes};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::failure::Refused;

/// Tokio has 512 threads for what blocks: too many to compute on.
#[derive(Clone)]
pub struct Cpu(Arc<Semaphore>);

impl Cpu {
    pub fn new(threads: usize) -> Self {
        Self(Arc::new(Semaphore::new(threads)))
    }
}

pub async fn primes(
    State(Cpu(threads)): State<Cpu>,
    Query(parameters): Query<Parameters>,
) -> Result<Response, Refused> {
    let limit = parameters.limit()?;
    let permit = threads.acquire_owned().await.map_err(internal)?;
    let answer = spawn_blocking(move || {
        // Held here, since the computation goes on when its client leaves.
        let _permit = permit;
        Json(Primes::up_to(limit, "spawn_blocking")).into_response()
    });
    Ok(answer.await.map_err(internal)?)
}
