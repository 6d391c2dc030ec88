//! `b2nd verify` finds all members of stores, written by the reference, and nothing wrong with them.

mod common;

use common::goldens::{golden, listed};
use common::tool::{Folder, command, done, done_with, json as shown, path, refused};
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

#[test]
fn members_are_not_changed() {
    for words in [&["attrs", "rm", "x"][..], &["resize", "3"], &["compact"]] {
        let member = path("stores/tree.b2z/group/image");
        let words = [&words[..1], &[&member], &words[1..]].concat();
        assert!(refused(&words, 2).contains("members of stores can be read, but not changed"));
    }
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
