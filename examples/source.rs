//! A source of one's own, which counts what is read: `cargo run --example source`

use b2nd::wire::Request;
use b2nd::{Array, ReadAt};
use core::cell::Cell;
use core::convert::Infallible;
use core::error::Error;

/// In its place could be a network, a database, or an archive.
struct Counted {
    bytes: &'static [u8],
    requests: Cell<usize>,
    read: Cell<usize>,
}

impl ReadAt for Counted {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        let bytes = self.bytes.read_at(request, buffer)?;
        self.requests.set(self.requests.get() + 1);
        self.read.set(self.read.get() + bytes.len());
        Ok(bytes)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let source =
        Counted { bytes: include_bytes!("sample.b2nd"), requests: Cell::default(), read: Cell::default() };
    let array = Array::from_source(&source)?;
    let items = array.get((5, 10))?;
    println!(
        "{} bytes of items: {} requests, {} of {} bytes read",
        items.len(),
        source.requests.get(),
        source.read.get(),
        source.bytes.len()
    );
    Ok(())
}
