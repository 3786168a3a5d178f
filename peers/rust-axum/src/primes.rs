use std::sync::Arc;

use axum::Json;
use axum::extract::{Query, State};
use axum::response::{IntoResponse, Response};
use garde::Validate;
use serde::{Deserialize, Serialize};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::failure::{Failure, bad_request, internal};

/// Tokio has 512 threads for what blocks: too many to compute on.
#[derive(Clone)]
pub struct Cpu(Arc<Semaphore>);

impl Cpu {
    pub fn new(threads: usize) -> Self {
        Self(Arc::new(Semaphore::new(threads)))
    }
}

#[derive(Deserialize, Validate)]
#[serde(default)]
pub struct Parameters {
    #[garde(range(min = 2, max = 10_000_000))]
    limit: usize,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { limit: 1_000_000 }
    }
}

#[derive(Serialize)]
struct Primes {
    numbers: Vec<usize>,
    from: &'static str,
}

pub async fn primes(
    State(Cpu(threads)): State<Cpu>,
    Query(parameters): Query<Parameters>,
) -> Result<Response, Failure> {
    parameters.validate().map_err(bad_request)?;
    let permit = threads.acquire_owned().await.map_err(internal)?;
    spawn_blocking(move || {
        // Held here, since the computation goes on when its client leaves.
        let _permit = permit;
        let numbers = sieve(parameters.limit);
        Json(Primes {
            numbers,
            from: "spawn_blocking",
        })
        .into_response()
    })
    .await
    .map_err(internal)
}

fn sieve(limit: usize) -> Vec<usize> {
    let mut composite = vec![0u8; limit + 1];
    for n in 2..=limit.isqrt() {
        if composite[n] == 0 {
            for multiple in (n * n..=limit).step_by(n) {
                composite[multiple] = 1;
            }
        }
    }
    (2..=limit).filter(|&n| composite[n] == 0).collect()
}
