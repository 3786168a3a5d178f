use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use garde::Validate;
use serde::Deserialize;
use tokio::{fs, time};

use crate::{Failure, internal, refused};

/// Reads a file; every tenth time of all it waits 2 s first, unless it is told otherwise.
pub struct Delay {
    html: PathBuf,
    requests: AtomicU64,
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

impl Delay {
    pub fn new(html: PathBuf) -> Self {
        Self {
            html,
            requests: AtomicU64::new(0),
        }
    }

    pub async fn read(&self, parameters: Parameters) -> Result<Vec<u8>, Failure> {
        parameters.validate().map_err(refused)?;
        let count = self.requests.fetch_add(1, Ordering::Relaxed) + 1;
        if count.is_multiple_of(parameters.every) {
            time::sleep(Duration::from_millis(parameters.ms)).await;
        }
        fs::read(&self.html).await.map_err(internal)
    }
}
