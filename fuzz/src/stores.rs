//! Stores: archives, directories and frames with members.

use super::bounds::{call, dparams};
use super::{frames, objects, tables};
use alloc::collections::BTreeMap;
use b2nd::objects::Objects;
use b2nd::store::{Storage, Store};
use b2nd::{ReadAt, Reader};
use core::fmt::Display;

/// Members of a store that are read.
const MEMBERS: usize = 12;

/// Any bytes are an archive or a frame with members, or give an error; and what local headers of an archive name are the files of a
/// directory.
pub fn store(bytes: &[u8]) {
    if let Some(store) = call("open a store", || Store::open(bytes, bytes.len() as u64, dparams())) {
        members(&store);
        if let Some(shorter) = bytes.len().checked_sub(1) {
            // What has grown or shrunk since its length was told.
            _ = call("open a store", || Store::open(&bytes[..shorter], bytes.len() as u64, dparams()));
        }
    }
    let files = files(bytes);
    if files.contains_key("embed.b2e") {
        let names: Vec<String> = files.keys().cloned().collect();
        let open = move |name: &str| Ok(files.get(name).cloned().unwrap_or_default());
        if let Some(store) = call("open a directory", || Store::open_directory(names, open, dparams())) {
            members(&store);
        }
    }
}

/// The members of an archive according to the headers of its members.
fn files(bytes: &[u8]) -> BTreeMap<String, Vec<u8>> {
    const MAGIC: &[u8] = b"PK\x03\x04";
    const LOCAL: usize = 30;
    let starts = (0..bytes.len()).filter(|at| bytes[*at..].starts_with(MAGIC));
    let file = |at: usize| {
        let header = bytes[at..].first_chunk::<LOCAL>()?;
        let lens = [header[26], header[28]].map(usize::from);
        let size = u32::from_le_bytes(*header[18..].first_chunk()?) as usize;
        let name = String::from_utf8_lossy(bytes.get(at + LOCAL..)?.get(..lens[0])?).into_owned();
        Some((name, bytes.get(at + LOCAL + lens[0] + lens[1]..)?.get(..size)?.to_vec()))
    };
    starts.filter_map(file).collect()
}

/// Reads the members of a store.
fn members<S: ReadAt<Error: Display>>(store: &Store<S>) {
    let keys: Vec<&str> = store.keys().collect();
    assert!(keys.is_sorted_by(|one, next| one < next), "{keys:?}");
    for key in keys.iter().take(MEMBERS) {
        assert!(key.starts_with('/'), "{key}");
        let kind = store.storage(key).expect("it has a place");
        call("attributes", || store.attributes(key));
        let Some(reader) = call("a member", || store.get(key)) else { continue };
        assert!(!matches!(kind, Storage::Compressed | Storage::Remote), "{key}");
        if let Some(items) = frames::same_in_all_ways(&reader) {
            alone(store, key, &items);
        }
        frames::attributes(&reader);
        if let Some(objects) = call("objects", || Objects::open(reader)) {
            objects::same_in_all_ways(&objects);
        }
    }
    call("attributes", || store.attributes(""));
    tables::tables(store);
}

/// A member that is opened again has the same items.
fn alone<S: ReadAt<Error: Display>>(store: &Store<S>, key: &str, items: &[u8]) {
    let reader: Reader<_> = call("a member", || store.get(key)).expect("it was opened before");
    let again = call("its items", || reader.get(b2nd::Selection::all()));
    assert!(again.as_deref() == Some(items), "{key}");
}
