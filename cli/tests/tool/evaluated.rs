//! `b2nd eval`, as scripts see it.

use crate::common::tool::{Folder, done, done_with, json, numbers, path, refused};
use serde_json::{Value, json as value};
use std::fs;

/// An array of `u16`, 0, 1, … from `start` on, of 4 × 5.
fn array(folder: &Folder, name: &str, start: u16) -> String {
    let array = folder.path(name);
    let create =
        ["create", "-", &array, "--shape", "4,5", "--dtype", "<u2", "--chunks", "3,2", "--blocks", "2,1"];
    done_with(&create, &numbers(start..start + 20));
    array
}

fn values(arguments: &[&str]) -> Value {
    serde_json::from_slice(&done(&[&["eval", "-f", "json"], arguments].concat())).expect("JSON")
}

#[test]
fn values_are_printed_and_stored() {
    let folder = Folder::new("eval");
    let [a, b] = [array(&folder, "a.b2nd", 0), array(&folder, "b.b2nd", 100)];
    assert_eq!(values(&["a[1] + 2*b[0]", "-a", &a, "-b", &b]), value!([205, 208, 211, 214, 217]));
    assert_eq!(values(&["max(wide) - 1", &format!("wide={a}")]), value!(18));
    assert_eq!(values(&["sum(a, axis=1) / 2", "-a", &a, "--selection", "::-2"]), value!([42.5, 17.5]));
    let out = folder.path("out.b2nd");
    done(&["eval", "where(a > 7, b, 0) ** 2", "-a", &a, "-b", &b, "-o", &out, "--codec", "lz4"]);
    let info = json(&["info", "--json", &out]);
    assert_eq!(
        (&info["dtype"], &info["chunks"], &info["codec"]),
        (&value!("<u2"), &value!([3, 2]), &value!("lz4"))
    );
    let stored: Value = serde_json::from_slice(&done(&["get", &out, "1", "-f", "json"])).expect("JSON");
    assert_eq!(stored, value!([0, 0, 0, 108 * 108, 109 * 109]));
    let csv = folder.path("out.csv");
    done(&["eval", "a < 3", "-a", &a, "--selection", "0", "-o", &csv]);
    assert_eq!(fs::read_to_string(&csv).expect("a table"), "True\nTrue\nTrue\nFalse\nFalse\n");
}

/// A lazy array of python-blosc2 is computed from the files that it names.
#[test]
fn lazy_arrays_are_computed() {
    let folder = Folder::new("eval-lazy");
    let lazy = folder.path("lazy.b2nd");
    fs::copy(path("blosc2-4.14.1/lazy-expression.b2nd"), &lazy).expect("a file");
    assert!(refused(&["get", &lazy], 3).contains("b2nd eval"));
    assert!(refused(&["eval", &lazy], 1).contains("a.b2nd"));
    for (name, start) in [("a.b2nd", 0), ("b.b2nd", 100)] {
        array(&folder, name, start);
    }
    assert_eq!(values(&[&lazy, "--selection", "0, :2"]), value!([200, 203]));
    assert!(refused(&["eval", &path("blosc2-4.14.1/lazy-function.b2nd")], 2).contains("no expression"));
}

/// A file cannot have pipes waited for.
#[cfg(unix)]
#[test]
fn pipes_that_a_file_names_are_refused() {
    let folder = Folder::new("eval-pipe");
    let lazy = folder.path("lazy.b2nd");
    fs::copy(path("blosc2-4.14.1/lazy-expression.b2nd"), &lazy).expect("a file");
    let made = std::process::Command::new("mkfifo").arg(folder.path("a.b2nd")).status().expect("mkfifo runs");
    assert!(made.success());
    array(&folder, "b.b2nd", 100);
    assert!(refused(&["eval", &lazy], 1).contains("neither a file nor a directory"));
}

/// The call is at fault, and nothing is written.
#[test]
fn wrong_expressions_are_refused() {
    let folder = Folder::new("eval-refused");
    let (a, out) = (array(&folder, "a.b2nd", 0), folder.path("out.b2nd"));
    for (expression, told) in [
        ("a +", "byte 3"),
        ("a + c", "\"c\""),
        ("system(a)", "\"system\""),
        ("a + 70000", "70000"),
        ("a + a[:, 1]", "shapes"),
        ("2 ** (a * -1)", "-1"),
    ] {
        assert!(refused(&["eval", expression, "-a", &a, "-o", &out], 2).contains(told), "{expression}");
    }
    assert!(refused(&["eval", "a", "-a", &a, "--selection", "9", "-o", &out], 2).contains('9'));
    assert!(!fs::exists(&out).expect("a folder"));
}
