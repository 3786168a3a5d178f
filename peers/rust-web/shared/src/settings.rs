use std::env;
use std::path::PathBuf;
use std::str::FromStr;

use deadpool_postgres::Pool;

use crate::tls::ServerConfig;
use crate::{database, tls};

/// What the environment says.
pub struct Settings {
    pub host: String,
    pub port: u16,
    /// For HTTPS in place of HTTP.
    pub tls: Option<ServerConfig>,
    /// Whether a part of a response leaves before the client has confirmed the part before it.
    pub tcp_nodelay: bool,
    pub pool: Pool,
    pub workers: usize,
    /// Threads for primes.
    pub cpu_workers: usize,
    pub hello_html: PathBuf,
    pub static_folder: String,
}

impl Settings {
    pub fn read() -> Result<Self, Box<dyn std::error::Error>> {
        Ok(Self {
            host: variable("HOST", "127.0.0.1".to_owned()),
            port: variable("PORT", 8000),
            tls: tls::config()?,
            tcp_nodelay: variable("TCP_NODELAY", 0) == 1,
            pool: database::pool(variable("DB_POOL", 10))?,
            workers: variable("WORKERS", 1),
            cpu_workers: variable("CPU_WORKERS", std::thread::available_parallelism()?.get()),
            hello_html: variable("HELLO_HTML", "hello.html".into()),
            static_folder: variable("STATIC_FOLDER", ".".to_owned()),
        })
    }
}

fn variable<T: FromStr>(name: &str, default: T) -> T {
    env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
