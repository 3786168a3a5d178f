use chrono::{DateTime, SecondsFormat, Utc};
use serde::Serialize;

#[derive(Serialize)]
pub struct Greeting {
    message: &'static str,
    ts: String,
}

impl Greeting {
    pub fn now() -> Self {
        Self {
            message: "Hello world",
            ts: iso(Utc::now()),
        }
    }
}

pub fn iso(time: DateTime<Utc>) -> String {
    time.to_rfc3339_opts(SecondsFormat::Millis, true)
}
