//! A connection on a thread of its own: of a pool of threads, or of a pool for futures.

use std::env;
use std::fs;
use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread;

use crate::{App, Request, Response, Route};

/// Threads of both pools, which is how many connections are served at once: 100, as published,
/// unless POOL_THREADS says otherwise.
pub fn threads() -> usize {
    env::var("POOL_THREADS")
        .ok()
        .and_then(|threads| threads.parse().ok())
        .unwrap_or(100)
}

pub fn serve(mut stream: TcpStream, app: &App) -> io::Result<()> {
    let (mut input, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let Some(request) = Request::take(&mut input) else {
            match stream.read(&mut chunk)? {
                0 => return Ok(()),
                length => input.extend_from_slice(&chunk[..length]),
            }
            continue;
        };
        let response = match app.route(&request) {
            Route::Text => Response::text("Hello world"),
            Route::Delay(wait) => {
                if let Some(wait) = wait {
                    thread::sleep(wait);
                }
                Response::html(fs::read(&app.hello_html))
            }
            Route::Error(status) => Response::error(status),
        };
        stream.write_all(&response.to(&request))?;
        if !request.keep_alive {
            return Ok(());
        }
    }
}
