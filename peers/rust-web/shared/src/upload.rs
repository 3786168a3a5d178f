use ring::digest::{SHA256, digest};
use serde::Serialize;

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
            sha256: hex::encode(digest(&SHA256, body)),
        }
    }
}
