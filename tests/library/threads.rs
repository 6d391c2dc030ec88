//! Types that threads may share, and that they may.

use alloc::sync::Arc;
use b2nd::array::Dtype;
use b2nd::chunk::Chunk;
use b2nd::codec::Registry;
use b2nd::source::{File, flash};
use b2nd::{DParams, Error, Layout, ReadError, Reader, Scratch, Selection};
use std::io;
use std::thread;

const fn shared<T: Send + Sync>() {}

#[cfg(feature = "write")]
const _: () = shared::<(b2nd::chunk::ChunkEncoder, b2nd::chunk::CParams)>();

// It is enough that this compiles.
const _: () = {
    shared::<Reader<File>>();
    shared::<Reader<Arc<[u8]>>>();
    shared::<File>();
    shared::<(Layout, Dtype, Selection, DParams, Registry, Scratch)>();
    shared::<(Chunk<'static>, flash::FlashFrame<'static>)>();
    shared::<(Error, ReadError<io::Error>)>();
};

#[test]
fn threads_share_a_reader() {
    let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd").expect("a good file");
    let whole = reader.get(Selection::all()).expect("a good file");
    let plane = whole.len() / 12;
    thread::scope(|scope| {
        for (number, expected) in whole.chunks(plane).enumerate() {
            let reader = &reader;
            scope.spawn(move || {
                assert_eq!(reader.get(number).expect("a good file"), expected);
            });
        }
    });
}
