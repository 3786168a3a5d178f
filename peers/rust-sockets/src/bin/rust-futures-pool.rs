use std::io;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;

use futures::executor::ThreadPool;
use rust_sockets::{App, address, blocking};

fn main() -> io::Result<()> {
    let app = Arc::new(App::from_env());
    let listener = TcpListener::bind(address())?;
    let pool = ThreadPool::builder()
        .pool_size(blocking::threads())
        .create()?;
    for stream in listener.incoming().flatten() {
        pool.spawn_ok(serve(stream, app.clone()));
    }
    Ok(())
}

/// Never gives its thread back while it waits, as it was published.
async fn serve(stream: TcpStream, app: Arc<App>) {
    // A client that goes away concerns nobody else.
    let _ = blocking::serve(stream, &app);
}
