//! Stores that the library writes.
#![cfg(all(feature = "std", feature = "store", feature = "write", feature = "zstd"))]

use crate::common::goldens;
use b2nd::array::ArrayParams;
use b2nd::sink::StoreEditor;
use b2nd::source::ReadError;
use b2nd::store::{self, StoreKind};
use b2nd::{ArgumentError, DParams, ErrorKind};
use std::fs;
use std::io;
use std::path::PathBuf;

const EXTENSIONS: [&str; 3] = ["b2z", "b2d", "b2e"];

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("b2nd-stores-written-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    /// A store with three arrays of a byte each.
    fn store(&self, extension: &str) -> PathBuf {
        let path = self.0.join("s").with_extension(extension);
        let mut store = StoreEditor::create(&path, StoreKind::Tree).expect("a store");
        for (key, value) in [("/a", 1), ("/group/b", 2), ("/group/c", 3)] {
            put(&mut store, key, value);
        }
        store.commit().expect("a commit");
        path
    }

    fn names(&self) -> Vec<String> {
        let names =
            fs::read_dir(&self.0).expect("a folder").map(|entry| entry.expect("an entry").file_name());
        names.map(|name| name.into_string().expect("UTF-8")).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn put(store: &mut StoreEditor, key: &str, value: u8) {
    let mut editor = store.create_array(key, &ArrayParams::of_type::<u8>(&[1])).expect("an array");
    editor.write(.., &[value]).expect("a value");
    editor.commit().expect("a commit");
}

fn edit(path: &PathBuf) -> StoreEditor {
    StoreEditor::open(path, DParams::default()).expect("a store")
}

fn content(path: &PathBuf) -> Vec<(String, u8)> {
    let store = store::open(path).expect("a store");
    let value = |key: &str| store.get(key).and_then(|reader| reader.get(..)).expect("a value")[0];
    store.keys().map(|key| (key.to_owned(), value(key))).collect()
}

fn pairs(content: &[(&str, u8)]) -> Vec<(String, u8)> {
    content.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect()
}

#[test]
fn members_are_added_renamed_replaced_and_removed() {
    for extension in EXTENSIONS {
        let folder = Folder::new(extension);
        let path = folder.store(extension);
        assert_eq!(content(&path), pairs(&[("/a", 1), ("/group/b", 2), ("/group/c", 3)]));
        let mut store = edit(&path);
        put(&mut store, "/a", 4);
        store.rename("/group", "/moved/here").expect("a name");
        store.remove("/moved/here/c").expect("removed");
        put(&mut store, "/moved/d", 5);
        store.rename("/moved/d", "/d").expect("a name");
        assert_eq!(content(&path), pairs(&[("/a", 1), ("/group/b", 2), ("/group/c", 3)]));
        store.commit().expect("a commit");
        let expected = pairs(&[("/a", 4), ("/d", 5), ("/moved/here/b", 2)]);
        assert_eq!(content(&path), expected, "{extension}");
        store.compact().expect("a commit");
        assert_eq!(content(&path), expected, "{extension}");
        drop(store);
        assert_eq!(folder.names(), [format!("s.{extension}")]);
    }
}

/// Two members that change places have each other's values.
#[test]
fn members_change_places() {
    for extension in EXTENSIONS {
        let folder = Folder::new(&format!("places-{extension}"));
        let path = folder.store(extension);
        let mut store = edit(&path);
        for (from, to) in [("/a", "/spare"), ("/group/b", "/a"), ("/spare", "/group/b")] {
            store.rename(from, to).expect("a name");
        }
        store.commit().expect("a commit");
        assert_eq!(content(&path), pairs(&[("/a", 2), ("/group/b", 1), ("/group/c", 3)]), "{extension}");
    }
}

#[test]
fn a_second_writer_is_refused() {
    for extension in EXTENSIONS {
        let folder = Folder::new(&format!("second-{extension}"));
        let path = folder.store(extension);
        let first = edit(&path);
        match StoreEditor::open(&path, DParams::default()) {
            Err(ReadError::Source(error)) => assert_eq!(error.kind(), io::ErrorKind::WouldBlock),
            other => panic!("{extension}: {other:?}"),
        }
        drop(first);
        drop(edit(&path));
    }
}

/// A process that is killed as it begins the first commit leaves a journal that is not complete.
#[test]
fn a_first_commit_that_was_killed_is_begun_again() {
    let folder = Folder::new("begun");
    let path = folder.0.join("s.b2d");
    fs::create_dir(&path).expect("a folder");
    fs::write(path.join(".b2nd-commit.tmp"), "half").expect("a file");
    drop(folder.store("b2d"));
    assert_eq!(content(&path), pairs(&[("/a", 1), ("/group/b", 2), ("/group/c", 3)]));
    assert!(!path.join(".b2nd-commit.tmp").exists());
}

/// Without a commit nothing changes, and nothing is left.
#[test]
fn changes_that_are_not_committed_are_lost() {
    for extension in EXTENSIONS {
        let folder = Folder::new(&format!("lost-{extension}"));
        let path = folder.store(extension);
        let mut store = edit(&path);
        put(&mut store, "/a", 9);
        store.remove("/group").expect("removed");
        drop(store);
        assert_eq!(content(&path), pairs(&[("/a", 1), ("/group/b", 2), ("/group/c", 3)]));
        // An array whose editor was not committed is none.
        let mut store = edit(&path);
        drop(store.create_array("/a", &ArrayParams::of_type::<u8>(&[7])).expect("an array"));
        store.commit().expect("a commit");
        assert_eq!(content(&path)[0], ("/a".into(), 1));
        drop(store);
        assert_eq!(folder.names(), [format!("s.{extension}")]);
    }
}

#[test]
fn keys_that_are_in_use_are_refused() {
    let folder = Folder::new("keys");
    for extension in EXTENSIONS {
        let path = folder.store(extension);
        let mut store = edit(&path);
        let refused = |result: Result<(), ReadError<io::Error>>, why: ArgumentError| match result {
            Err(ReadError::Blosc(error)) => assert_eq!(error.kind(), ErrorKind::Argument(why)),
            other => panic!("{other:?}"),
        };
        let array = ArrayParams::of_type::<u8>(&[1]);
        for key in ["/group", "/a/below"] {
            refused(store.create_array(key, &array).map(drop), ArgumentError::KeyInUse);
        }
        for key in ["a", "/", "/../x", "/a:b"] {
            refused(store.create_array(key, &array).map(drop), ArgumentError::Key);
        }
        refused(store.rename("/a", "/group/b"), ArgumentError::KeyInUse);
        refused(store.rename("/group", "/group/d"), ArgumentError::KeyInUse);
        refused(store.rename("/none", "/x"), ArgumentError::NoMember);
        refused(store.remove("/none"), ArgumentError::NoMember);
        refused(store.edit("/group").map(drop), ArgumentError::IsGroup);
    }
}

/// Members that are no frames stay in an archive; a directory that has other files is not taken for a new store.
#[test]
fn other_files_stay() {
    let folder = Folder::new("other");
    let path = folder.store("b2d");
    fs::write(path.join("notes.txt"), "notes").expect("a file");
    let mut store = edit(&path);
    store.remove("/group").expect("removed");
    store.commit().expect("a commit");
    assert_eq!(fs::read_to_string(path.join("notes.txt")).expect("a file"), "notes");
    assert!(!path.join("group").exists());
    drop(store);
    fs::remove_file(path.join("embed.b2e")).expect("removed");
    let refused = StoreEditor::create(&path, StoreKind::Tree);
    assert!(
        matches!(refused, Err(ReadError::Source(error)) if error.kind() == io::ErrorKind::DirectoryNotEmpty)
    );
}

/// Archives of equal content have equal bytes, with large members first and the frame of small ones at the end.
#[test]
fn archives_are_reproducible() {
    let (one, two) = (Folder::new("one"), Folder::new("two"));
    let bytes = [&one, &two].map(|folder| fs::read(folder.store("b2z")).expect("an archive"));
    assert_eq!(bytes[0], bytes[1]);
    let last = bytes[0].windows(9).rposition(|part| part == b"embed.b2e").expect("a name");
    let others = bytes[0].windows(6).rposition(|part| part == b"c.b2nd").expect("a name");
    assert!(others < last);
}

/// A golden store with members in its frame, with attributes and with a table.
#[test]
fn golden_stores_are_copied() {
    let folder = Folder::new("golden");
    for name in ["stores/tree.b2z", "stores/embed.b2e", "tables/010.b2d"] {
        let old = store::open(goldens::golden(name)).expect("a store");
        for extension in EXTENSIONS {
            let path = folder.0.join(name.replace(['/', '.'], "-")).with_extension(extension);
            let mut new = StoreEditor::create(&path, old.kind()).expect("a store");
            new.add_store(&old).expect("members");
            new.commit().expect("a commit");
            let copy = store::open(&path).expect("a store");
            let keys: Vec<_> = copy.keys().collect();
            assert_eq!(keys, old.keys().collect::<Vec<_>>(), "{name} {extension}");
            for key in keys {
                let [there, here] = [&old, &copy].map(|store| store.get(key).expect("a member"));
                assert_eq!(here.trailer().expect("a trailer"), there.trailer().expect("a trailer"));
                assert_eq!(here.nchunks().expect("chunks"), there.nchunks().expect("chunks"));
                for nchunk in 0..here.nchunks().expect("chunks") {
                    assert_eq!(here.chunk(nchunk).expect("a chunk"), there.chunk(nchunk).expect("a chunk"));
                }
            }
            assert_eq!(copy.attributes("").expect("attributes"), old.attributes("").expect("attributes"));
            drop((copy, new));
        }
    }
}
