//! `b2nd verify` finds all members of stores, written by the reference, and nothing wrong with them.

use crate::common::goldens::{golden, listed};
use crate::common::tool::{
    Folder, command, done, done_with, json as shown, names, path, raw, refused, status,
};
use serde_json::{Value, json};
use std::path::Path;

#[test]
fn golden_stores() {
    assert!(verify(&golden("stores")) >= 3);
}

#[test]
#[ignore = "the reference must write the stores first: cargo xtask test --only interop"]
fn random_stores() {
    let folder = std::env::var_os("B2ND_STORES").expect("B2ND_STORES names the folder of random stores");
    assert!(verify(Path::new(&folder)) >= 300);
}

/// Verifies all stores with the tool, and returns their number.
fn verify(folder: &Path) -> usize {
    let stores = listed(&folder.join("stores.jsonl"));
    for (path, facts) in &stores {
        let verified = command(&["verify"]).arg(path).output().unwrap();
        let said = String::from_utf8(verified.stdout).unwrap();
        assert!(verified.status.success() && said.lines().all(|line| line.contains(": good")), "{said}");
        let has = |key: &str| said.contains(&format!("{}{key}: ", path.display()));
        let members = ["members", "tables"].into_iter().filter_map(|kind| facts[kind].as_object());
        assert!(members.flatten().all(|(key, _)| has(key)), "{said}");
    }
    stores.len()
}

/// A store is never replaced by an array whose key was forgotten.
#[test]
fn outputs_are_no_stores() {
    let folder = Folder::new("outputs-no-stores");
    let archive = std::fs::read(golden("stores/tree.b2z")).unwrap();
    let (store, unnamed) = (folder.path("run.b2z"), folder.path("archive"));
    for path in [&store, &unnamed] {
        std::fs::write(path, &archive).unwrap();
    }
    let sample = path("blosc2-4.14.1/sample.b2nd");
    for output in [&store, &unnamed, &folder.path("new.b2e"), &folder.path("new.b2d")] {
        assert!(refused(&["repack", &sample, output], 2).contains("name a member"));
        assert!(refused(&["get", &sample, "-f", "npy", "-o", output], 2).contains("name a member"));
    }
    assert_eq!([&store, &unnamed].map(|path| std::fs::read(path).unwrap()), [archive.clone(), archive]);
}

/// Each kind of store is made, changed and copied to the other kinds by commands alone.
#[test]
fn members_are_made_and_changed() {
    let folder = Folder::new("members-changed");
    for extension in ["b2z", "b2d", "b2e"] {
        let store = folder.path(&format!("run.{extension}"));
        let member = |key: &str| format!("{store}/{key}");
        done_with(
            &["create", "-", &member("group/a"), "--shape", "2,3", "--dtype", "u1"],
            &[1, 2, 3, 4, 5, 6],
        );
        done_with(&["create", "-", &member("b"), "--shape", "2", "--dtype", "u1"], &[7, 8]);
        done_with(
            &["append", &member("group/a"), "-", "--from", "raw", "--dtype", "u1", "--shape", "1,3"],
            &[9, 9, 9],
        );
        done(&["set", &member("b"), "0", "--value", "5"]);
        done(&["resize", &member("b"), "3"]);
        done(&["attrs", &member("b"), "set", "unit", "\"K\""]);
        assert_eq!(raw(&member("group/a")), [1, 2, 3, 4, 5, 6, 9, 9, 9]);
        assert_eq!(raw(&member("b")), [5, 8, 0]);
        done(&["attrs", &member("group"), "set", "note", "1"]);
        done(&["mv", &store, "b", "other/c"]);
        done(&["add", &store, "d", &member("other/c")]);
        done(&["rm", &store, "other"]);
        assert_eq!(raw(&member("d")), [5, 8, 0]);
        let attrs = |path: &str| -> Value { serde_json::from_slice(&done(&["attrs", path])).expect("JSON") };
        assert_eq!(
            (attrs(&member("group")), attrs(&member("d"))),
            (json!({ "note": 1 }), json!({ "unit": "K" }))
        );
        done(&["attrs", &member("group"), "rm", "note"]);
        assert!(refused(&["attrs", &member("group"), "rm", "note"], 2).contains("no attribute"));
        done(&["compact", &store]);
        assert!(done(&["verify", &store]).ends_with(b"bytes\n"));
        for other in ["b2z", "b2d", "b2e"] {
            let copy = folder.path(&format!("from-{extension}.{other}"));
            done(&["repack", &store, &copy]);
            assert_eq!(raw(&format!("{copy}/group/a")), [1, 2, 3, 4, 5, 6, 9, 9, 9]);
        }
    }
}

#[test]
fn stores_are_not_changed_by_mistakes() {
    let folder = Folder::new("members-refused");
    let store = folder.path("run.b2z");
    std::fs::copy(path("stores/tree.b2z"), &store).unwrap();
    let before = std::fs::read(&store).unwrap();
    let member = |key: &str| format!("{store}/{key}");
    let values = path("stores/tree.b2z/group/image");
    for (words, what) in [
        (&["rm", &store, "none"][..], "no member"),
        (&["mv", &store, "group/image", "group/image/x"], "something else"),
        (&["repack", &values, &member("group")], "something else"),
        (&["repack", &values, &member("x"), "--sparse"], "cannot be a member"),
        (&["set", &member("none"), "0", "--value", "1"], "no member"),
        (&["set", &member("group"), "0", "--value", "1"], "is a group"),
        (&["add", &store, "a:b", &member("group/image")], "not a key"),
        (&["get", &member("group/image"), "-o", &member("x.npy")], "writes files"),
        (&["repack", &store, &folder.path("x.b2d"), "--codec", "lz4"], "copied as they are"),
    ] {
        assert!(refused(words, 2).contains(what), "{words:?}");
    }
    // Nothing is there that could be changed.
    assert_eq!(status(&["rm", &folder.path("none.b2z"), "a"]), 1);
    assert_eq!(std::fs::read(&store).unwrap(), before);
    assert_eq!(names(&folder), ["run.b2z"]);
}

#[test]
fn attributes_of_groups_are_printed() {
    let attrs = |member: &str| -> Value {
        serde_json::from_slice(&done(&["attrs", &path(&format!("stores/tree.b2z{member}"))])).expect("JSON")
    };
    assert_eq!(attrs(""), json!({ "note": "root" }));
    assert_eq!(
        [attrs("/group"), attrs("/group/")],
        [json!({ "note": "of a group" }), json!({ "note": "of a group" })]
    );
    assert_eq!(attrs("/group/image"), json!({}));
    assert!(refused(&["attrs", &path("stores/tree.b2z/none")], 2).contains("no member"));
    assert!(refused(&["get", &path("stores/tree.b2z/group")], 2).contains("is a group"));
}

/// A member that is an array of a server has its URL, wherever the tool tells of it.
#[test]
fn remote_members_have_urls() {
    let folder = Folder::new("remote-members");
    let store = folder.path("far.b2e");
    std::fs::copy(path("stores/embed.b2e"), &store).unwrap();
    let map = r#"{"embed_map": {"/far": {"urlbase": "https://example.org/", "path": "@public/a.b2nd"}}}"#;
    done(&["attrs", &store, "set", "estore_metadata", map]);
    let url = "https://example.org/@public/a.b2nd";
    assert_eq!(done(&["ls", &store]), format!("/far  {url}  remote\n").into_bytes());
    assert_eq!(shown(&["ls", "--json", &store])[0], json!({ "key": "/far", "stored": "remote", "url": url }));
    let member = format!("{store}/far");
    assert!(refused(&["info", &member], 3).contains(&format!("stored elsewhere, at {url}")));
}

/// Columns are named as in a line of CSV: a name with a comma has quotes.
#[test]
fn columns_have_names_with_commas() {
    let folder = Folder::new("commas");
    let store = folder.path("s.b2d");
    std::fs::create_dir_all(format!("{store}/_cols")).unwrap();
    std::fs::copy(path("tables/010.b2d/embed.b2e"), format!("{store}/embed.b2e")).unwrap();
    let create = |name: &str, dtype: &str, items: &[u8]| {
        done_with(&["create", "-", &format!("{store}/{name}"), "--shape", "2", "--dtype", dtype], items);
    };
    create("_meta.b2nd", "i1", &[0, 0]);
    create("_valid_rows.b2nd", "?", &[1, 1]);
    create("_cols/a,b.b2nd", "i1", &[1, 2]);
    create("_cols/a.b2nd", "i1", &[3, 4]);
    let columns = json!([{ "name": "a,b", "kind": "int8" }, { "name": "a", "kind": "int8" }]);
    let schema = Value::from(json!({ "columns": columns }).to_string()).to_string();
    for (name, value) in [("kind", "\"ctable\""), ("schema", &schema)] {
        done(&["attrs", &format!("{store}/_meta.b2nd"), "set", name, value]);
    }
    assert_eq!(done(&["get", "-f", "csv", &store]), b"\"a,b\",a\n1,3\n2,4\n");
    assert_eq!(done(&["get", "-f", "csv", &store, "--columns", "a,\"a,b\""]), b"a,\"a,b\"\n3,1\n4,2\n");
}
