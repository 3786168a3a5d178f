use std::io;
use std::net::TcpListener;
use std::thread;

use rust_sockets::{App, address, blocking};

fn main() -> io::Result<()> {
    let app = App::from_env();
    let listener = TcpListener::bind(address())?;
    thread::scope(|scope| {
        for _ in 0..blocking::threads() {
            scope.spawn(|| {
                for stream in listener.incoming().flatten() {
                    // A client that goes away concerns nobody else.
                    let _ = blocking::serve(stream, &app);
                }
            });
        }
    });
    Ok(())
}
