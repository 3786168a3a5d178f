use serde::Serialize;
use sha2::{Digest, Sha256};

pub const MAX_BYTES: usize = 1_000_000;

#[derive(Serialize)]
pub struct Uploaded {
    bytes: usize,
    sha256: String,
}

impl Uploaded {
    pub fn of(body: &[u8]) -> Self {
        Self {
            bytes: body.len(),
            sha256: hex::encode(Sha256::digest(body)),
        }
    }
}
