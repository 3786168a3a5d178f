use std::time::Duration;

use futures_util::stream::{self, Stream};
use garde::Validate;
use serde::Deserialize;
use tokio::time;

use crate::{Failure, refused};

#[derive(Deserialize, Validate)]
#[serde(default)]
pub struct Parameters {
    #[garde(range(min = 1, max = 10_000))]
    events: u64,
    #[garde(range(max = 1000))]
    ms: u64,
}

impl Default for Parameters {
    fn default() -> Self {
        Self { events: 100, ms: 0 }
    }
}

/// The data of each event, one after the other.
pub fn events(parameters: Parameters) -> Result<impl Stream<Item = String>, Failure> {
    parameters.validate().map_err(refused)?;
    let Parameters { events, ms } = parameters;
    Ok(stream::unfold(1, move |event| async move {
        if event > events {
            return None;
        }
        if ms > 0 && event > 1 {
            time::sleep(Duration::from_millis(ms)).await;
        }
        Some((event.to_string(), event + 1))
    }))
}
