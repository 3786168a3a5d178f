use std::io;
use std::sync::Arc;

use rust_sockets::{App, Request, Response, Route, address};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::{fs, time};

#[tokio::main]
async fn main() -> io::Result<()> {
    let app = Arc::new(App::from_env());
    let listener = TcpListener::bind(address()).await?;
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, app.clone()));
        }
    }
}

async fn serve(mut stream: TcpStream, app: Arc<App>) -> io::Result<()> {
    let (mut input, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let Some(request) = Request::take(&mut input) else {
            match stream.read(&mut chunk).await? {
                0 => return Ok(()),
                length => input.extend_from_slice(&chunk[..length]),
            }
            continue;
        };
        let response = match app.route(&request) {
            Route::Text => Response::text("Hello world"),
            Route::Delay(wait) => {
                if let Some(wait) = wait {
                    time::sleep(wait).await;
                }
                Response::html(fs::read(&app.hello_html).await)
            }
            Route::Error(status) => Response::error(status),
        };
        stream.write_all(&response.to(&request)).await?;
        if !request.keep_alive {
            return Ok(());
        }
    }
}
