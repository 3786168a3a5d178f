use garde::Validate;
use serde::{Deserialize, Serialize};

use crate::{Failure, refused};

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

impl Parameters {
    pub fn limit(&self) -> Result<usize, Failure> {
        self.validate().map_err(refused)?;
        Ok(self.limit)
    }
}

#[derive(Serialize)]
pub struct Primes {
    numbers: Vec<usize>,
    from: &'static str,
}

impl Primes {
    pub fn up_to(limit: usize, from: &'static str) -> Self {
        Self {
            numbers: sieve(limit),
            from,
        }
    }
}

fn sieve(limit: usize) -> Vec<usize> {
    let mut composite = vec![0u8; limit + 1];
    for n in 2..=limit.isqrt() {
        if composite[n] == 0 {
            // Not ..=limit, for which step_by is slower
            for multiple in (n * n..limit + 1).step_by(n) {
                composite[multiple] = 1;
            }
        }
    }
    (2..=limit).filter(|&n| composite[n] == 0).collect()
}
