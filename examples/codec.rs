//! A codec of one's own, here in place of zstd, which it only measures: `cargo run --example codec`

extern crate alloc;

use alloc::sync::Arc;
use b2nd::codec::{Codec, Corrupt, Plugin, Registry, Stream};
use b2nd::{DParams, Reader, Selection};
use core::error::Error;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Gives zeros, whatever the stream.
#[derive(Default)]
struct Zeros {
    compressed: AtomicUsize,
    plain: AtomicUsize,
}

impl Plugin for Zeros {
    fn name(&self) -> &'static str {
        "zeros"
    }

    fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
        self.compressed.fetch_add(stream.src.len(), Ordering::Relaxed);
        self.plain.fetch_add(dst.len(), Ordering::Relaxed);
        dst.fill(0);
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let codec = Arc::new(Zeros::default());
    let mut registry = Registry::new();
    registry.insert_shared(Codec::ZSTD, codec.clone());
    let frame: &[u8] = include_bytes!("sample.b2nd");
    let reader = Reader::open(frame, DParams { registry, ..DParams::default() })?;
    reader.get(Selection::all())?;
    let [compressed, plain] = [&codec.compressed, &codec.plain].map(|count| count.load(Ordering::Relaxed));
    println!("{compressed} bytes of streams for {plain} bytes of blocks");
    Ok(())
}
