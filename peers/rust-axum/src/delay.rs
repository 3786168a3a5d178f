use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::extract::{Query, State};
use axum::response::Html;
use garde::Validate;
use serde::Deserialize;
use tokio::{fs, time};

use crate::failure::{Failure, bad_request, internal};

pub struct Delay {
    html: PathBuf,
    requests: AtomicU64,
}

impl Delay {
    pub fn new(html: PathBuf) -> Self {
        Self {
            html,
            requests: AtomicU64::new(0),
        }
    }
}

#[derive(Deserialize, Validate)]
#[serde(default)]
pub struct Parameters {
    #[garde(range(max = 60_000))]
    ms: u64,
    #[garde(range(min = 1, max = 1_000_000))]
    every: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self {
            ms: 2000,
            every: 10,
        }
    }
}

pub async fn delay(
    State(delay): State<Arc<Delay>>,
    Query(parameters): Query<Parameters>,
) -> Result<Html<Vec<u8>>, Failure> {
    parameters.validate().map_err(bad_request)?;
    let count = delay.requests.fetch_add(1, Ordering::Relaxed) + 1;
    if count.is_multiple_of(parameters.every) {
        time::sleep(Duration::from_millis(parameters.ms)).await;
    }
    let html = fs::read(&delay.html).await.map_err(internal)?;
    Ok(Html(html))
}
