//! `b2nd verify` finds all members of stores, written by the reference, and nothing wrong with them.

mod common;

use common::told::{golden, told};
use common::tool::{command, done, path, refused};
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
    let stores = told(&folder.join("stores.jsonl"));
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
}
