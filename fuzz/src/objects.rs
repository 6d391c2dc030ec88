//! MessagePack values, sequences of objects, and what stands for a value in a metalayer.

use super::bounds::{LIMITS, call, dparams, tried};
use super::frames;
use b2nd::msgpack::Value;
use b2nd::objects::{Extension, Objects, Tensor, origin};
use b2nd::{Limits, ReadAt, Reader};
use core::fmt::Display;

/// Objects of a sequence that are read.
const OBJECTS: u64 = 10_000;

/// Any bytes are no MessagePack, or a value that is written in bytes that are read as this value.
pub fn value(bytes: &[u8]) {
    let Some(value) = call("value", || Value::parse(bytes, &LIMITS)) else { return };
    let short = value.emit();
    // Each byte that is no UTF-8 has become three.
    assert!(short.len() <= 3 * bytes.len() + 16, "{} bytes from {}", short.len(), bytes.len());
    let roomy = Limits { metadata: LIMITS.memory, ..LIMITS };
    let again = Value::parse(&short, &roomy).expect("what was written");
    // NaNs are not equal to themselves; the bytes tell.
    assert_eq!(again.emit(), short);
    extensions(&value, LIMITS.depth);
}

fn extensions(value: &Value, depth: u32) {
    let Some(less) = depth.checked_sub(1) else { return };
    match value {
        Value::Ext(code, bytes) => {
            let limits = Limits { depth, ..LIMITS };
            match call("extension", || Extension::parse(*code, bytes, &limits)).flatten() {
                Some(Extension::Set(values) | Extension::Objects { items: values, .. }) => {
                    values.iter().for_each(|value| extensions(value, less));
                }
                Some(Extension::Reference(value)) => extensions(&value, less),
                Some(Extension::Tensor(tensor)) => {
                    let count: u64 = tensor.shape.iter().product();
                    assert_eq!(tensor.data.len() as u64, count * tensor.dtype.itemsize() as u64);
                }
                _ => {}
            }
        }
        Value::Array(values) => values.iter().for_each(|value| extensions(value, less)),
        Value::Map(pairs) => pairs.iter().for_each(|(key, value)| {
            extensions(key, less);
            extensions(value, less);
        }),
        _ => {}
    }
}

/// A frame with objects, whose objects are the same one by one, in batches and in ranges.
pub fn object(bytes: &[u8]) {
    let Some(reader) = call("open", || Reader::open(bytes, dparams())) else { return };
    for layer in frames::attributes(&reader) {
        if let Some(value) = call("attribute", || layer.value(&LIMITS)) {
            extensions(&value, LIMITS.depth);
        }
    }
    if let Some(trailer) = call("trailer", || reader.trailer()) {
        let header = &reader.frame().header;
        call("origin", || origin(header, trailer, &LIMITS));
        call("tensor", || Tensor::packed(trailer, header.nbytes, &LIMITS));
    }
    if let Some(objects) = call("objects", || Objects::open(reader)) {
        same_in_all_ways(&objects);
    }
}

/// Reads all objects together, those of each batch, and single ones.
pub(super) fn same_in_all_ways<S: ReadAt<Error: Display>>(objects: &Objects<S>) -> Option<Vec<Value>> {
    let (len, nbatches) = (objects.len(), objects.nbatches());
    let mut end = 0;
    for nbatch in 0..nbatches.min(OBJECTS) {
        let batch = objects.batch(nbatch).expect("there is one");
        assert_eq!(batch.start, end, "batches follow each other");
        end = batch.end;
    }
    assert!(nbatches > OBJECTS || end == len, "{end} of {len} objects are in batches");
    let all = tried("objects", || objects.range(0..len.min(OBJECTS))).ok();
    let text = |value: &Value| format!("{value:?}");
    for index in (0..len.min(OBJECTS)).step_by(1 + (len.min(OBJECTS) / 16) as usize) {
        let one = call("object", || objects.get(index));
        if let Some(all) = &all {
            // NaNs are not equal to themselves.
            assert_eq!(one.as_ref().map(text), Some(text(&all[index as usize])), "object {index} of {len}");
        }
        if let Some(value) = &one {
            extensions(value, LIMITS.depth);
        }
    }
    for nbatch in 0..nbatches.min(8) {
        let Some(nblocks) = call("blocks", || objects.nblocks(nbatch)) else { continue };
        (0..nblocks.min(8)).for_each(|nblock| _ = call("payload", || objects.payload(nbatch, nblock)));
    }
    all.filter(|all| all.len() as u64 == len)
}
