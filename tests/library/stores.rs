//! Stores: trees of frames in directories, archives and frames, written by the reference.
#![cfg(all(feature = "std", feature = "store", feature = "filters", feature = "lz4", feature = "zstd"))]

use crate::common::goldens::{golden, listed, refused};
use crate::common::sha256;
use alloc::collections::BTreeSet;
use b2nd::store::{self, Storage, Store, StoreKind};
use b2nd::table::Table;
use b2nd::{DParams, ErrorKind, Limits, Selection, Unsupported};
use std::fs;
use std::path::Path;

#[test]
fn golden_stores() {
    assert!(compare(&golden("stores")) >= 3);
}

#[test]
#[ignore = "the reference must write the stores first: cargo xtask test --only interop"]
fn random_stores() {
    let folder = std::env::var_os("B2ND_STORES").expect("B2ND_STORES names the folder of random stores");
    assert!(compare(Path::new(&folder)) >= 300);
}

/// Compares all members and attributes with what `stores.jsonl` says, and returns the number of stores.
fn compare(folder: &Path) -> usize {
    let (stores, mut seen) = (listed(&folder.join("stores.jsonl")), BTreeSet::new());
    for (path, facts) in &stores {
        let store = store::open(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert_eq!(store.kind().name(), facts["kind"], "{}", path.display());
        let members = facts["members"].as_object().unwrap();
        let tables = facts["tables"].as_object();
        let is_of =
            |key: &str, table: &str| key.strip_prefix(table).is_some_and(|rest| rest.starts_with("/_"));
        let is_member =
            |key: &&str| !tables.iter().flat_map(|tables| tables.keys()).any(|table| is_of(key, table));
        let keys: BTreeSet<&str> = store.keys().filter(is_member).collect();
        assert_eq!(keys, members.keys().map(String::as_str).collect(), "{}", path.display());
        for (key, digest) in members {
            let place = format!("{}{key}", path.display());
            let reader = store.get(key).unwrap_or_else(|error| panic!("{place}: {error}"));
            let items = reader.get(Selection::all()).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(sha256(&items), *digest, "{place}");
            seen.insert(format!("{:?}", store.storage(key).unwrap()));
        }
        for (group, rows) in tables.into_iter().flatten() {
            assert_eq!(Table::open(&store, group).unwrap().len(), *rows, "{}{group}", path.display());
        }
        for (group, note) in facts["attributes"].as_object().unwrap() {
            let layers = store.attributes(group).unwrap();
            let value = layers[0].value(&Limits::default()).unwrap();
            assert_eq!(
                value,
                b2nd::msgpack::Value::Str(note.as_str().unwrap().into()),
                "{}{group}",
                path.display()
            );
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), ["Archive", "Embedded", "File"]);
    stores.len()
}

#[test]
fn what_is_no_store_is_refused() {
    let sample = golden("blosc2-4.14.1/sample.b2nd");
    assert_eq!(refused(store::open(sample)), ErrorKind::Unsupported(Unsupported::NoStore));
    let store = store::open(golden("stores/tree.b2z")).unwrap();
    assert_eq!(store.kind(), StoreKind::Tree);
    assert!(store.get("/nothing").is_err() && store.storage("/nothing").is_none());
    assert_eq!(store.attributes("/nothing").unwrap(), []);
}

#[test]
fn cut_archives_are_errors() {
    let bytes = fs::read(golden("stores/tree.b2z")).unwrap();
    for len in 0..bytes.len() {
        let opened = Store::open(&bytes[..len], len as u64, DParams::default());
        assert!(opened.is_err(), "{len} of {} bytes", bytes.len());
    }
}

#[test]
fn flipped_bits_never_panic() {
    let mut bytes = fs::read(golden("stores/tree.b2z")).unwrap();
    let mut opened = 0;
    for bit in 0..bytes.len() * 8 {
        // All of the directory, and some of the rest.
        if bit / 8 < bytes.len() - 600 && bit % 37 != 0 {
            continue;
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(store) = Store::open(&bytes[..], bytes.len() as u64, DParams::default()) {
            opened += 1;
            for key in store.keys() {
                if let Ok(reader) = store.get(key) {
                    let _ = reader.get(Selection::all());
                }
            }
        }
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
    assert!(opened > 100);
}

#[test]
fn links_to_directories_are_not_followed() {
    #[cfg(unix)]
    {
        let folder = std::env::temp_dir().join(format!("b2nd-stores-{}.b2d", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::copy(golden("stores/dict.b2d/embed.b2e"), folder.join("embed.b2e")).unwrap();
        std::os::unix::fs::symlink(&folder, folder.join("loop")).unwrap();
        let store = store::open(&folder);
        fs::remove_dir_all(&folder).unwrap();
        let store = store.unwrap();
        assert!(store.keys().all(|key| store.storage(key) == Some(Storage::Embedded)));
    }
}

/// A large member is decoded as it is read, and says so if the frame around it is no longer the same.
#[cfg(feature = "write")]
#[test]
fn members_of_a_changed_frame_say_so() {
    use b2nd::array::ArrayParams;
    use b2nd::frame::{FrameParams, Metalayer};
    use b2nd::sink::{Editor, Memory};
    let mut array = Editor::create_array(Memory::default(), &ArrayParams::new(&[1 << 21], "|u1")).unwrap();
    let mut state = 1_u32;
    let noise = |_| {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state as u8
    };
    let items: Vec<u8> = (0..1 << 21).map(noise).collect();
    array.set(Selection::all(), &items).unwrap();
    array.commit().unwrap();
    let member = array.into_sink().into_bytes();

    let layer = Metalayer { name: b"b2embed".to_vec(), content: b"\x81\xa7version\x01".to_vec() };
    let params = FrameParams { chunksize: 1 << 16, metalayers: vec![layer], ..FrameParams::default() };
    let path = std::env::temp_dir().join(format!("b2nd-changed-{}.b2e", std::process::id()));
    let mut embed = Editor::create(b2nd::sink::File::create(&path, false).unwrap(), &params).unwrap();
    member.chunks(1 << 16).for_each(|chunk| embed.append_chunk(chunk).unwrap());
    let len = (member.len() as u32).to_be_bytes();
    let map = [b"\x81\xa9embed_map\x81\xa2/a\x82\xa6offset\x00\xa6length\xce", &len[..]].concat();
    embed.set_attr_bytes("estore_metadata", &map).unwrap();
    embed.commit().unwrap();
    drop(embed);

    let store = store::open(&path).unwrap();
    let reader = store.get("/a").unwrap();
    let part = "5:9".parse::<Selection>().unwrap();
    assert_eq!(reader.get(&part).unwrap(), items[5..9]);
    let mut editor = b2nd::edit(&path).unwrap();
    editor.set_attr_bytes("other", b"\xc0").unwrap();
    editor.commit().unwrap();
    let read = reader.get("1500000:1500004".parse::<Selection>().unwrap());
    fs::remove_file(&path).unwrap();
    assert!(matches!(refused(read), ErrorKind::Changed(_)));
}
