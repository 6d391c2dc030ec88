//! Servers on this machine, for tools that read and write URLs.

use std::net::{TcpListener, TcpStream};
use std::thread;

/// A listener at a free port, and its URL.
pub(crate) fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    (listener, url)
}

/// Answers each connection in a thread, as long as the program runs.
pub(crate) fn serve(listener: TcpListener, answer: impl Fn(TcpStream) + Clone + Send + 'static) {
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (answer, stream) = (answer.clone(), stream.expect("a connection"));
            thread::spawn(move || answer(stream));
        }
    });
}
