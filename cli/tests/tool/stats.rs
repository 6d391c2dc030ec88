//! `b2nd stats`.

use crate::common::tool::{Folder, done, done_with, json, path, refused};
use serde_json::{Value, json as value};

/// An array of doubles of 2 × 4.
fn array(folder: &Folder) -> String {
    let array = folder.path("a.b2nd");
    let items = [1.0, 2.0, f64::NAN, 5.0, f64::INFINITY, -3.0, 0.5, f64::NEG_INFINITY];
    let bytes: Vec<u8> = items.iter().flat_map(|item: &f64| item.to_le_bytes()).collect();
    let create =
        ["create", "-", &array, "--shape", "2,4", "--dtype", "<f8", "--chunks", "2,2", "--blocks", "1,2"];
    done_with(&create, &bytes);
    array
}

#[test]
fn finite_items_are_summarized_and_others_counted() {
    let folder = Folder::new("stats");
    let a = array(&folder);
    let text = String::from_utf8(done(&["stats", &a])).unwrap();
    assert_eq!(
        text,
        "count     8\nnan       1\ninfinite  2\nmin       -3.0\nmax       5.0\nmean      1.1\nstd       2.5768197453450252\n"
    );
    assert_eq!(
        json(&["stats", &a, "0, :2", "--json"]),
        value!({"shape": [], "count": 2, "nan": 0, "infinite": 0, "min": 1.0, "max": 2.0, "mean": 1.5, "std": 0.5})
    );
    // A place without finite items has none.
    let lines = String::from_utf8(done(&["stats", &a, ":, 2:", "--axis", "-2"])).unwrap();
    assert_eq!(lines, "i0,count,nan,infinite,min,max,mean,std\n0,2,1,0,0.5,0.5,0.5,0\n1,2,0,1,5.0,5.0,5,0\n");
    let none = json(&["stats", &a, "0, 2", "--json"]);
    assert_eq!((&none["nan"], &none["min"], &none["mean"]), (&value!(1), &Value::Null, &Value::Null));
}

#[test]
fn integers_stay_exact() {
    let folder = Folder::new("stats-integers");
    let array = folder.path("a.b2nd");
    let bytes: Vec<u8> = [u64::MAX, 1, u64::MAX - 2].iter().flat_map(|item| item.to_le_bytes()).collect();
    done_with(&["create", "-", &array, "--shape", "3", "--dtype", "<u8"], &bytes);
    let found = json(&["stats", &array, "--json"]);
    assert_eq!((&found["max"], &found["min"]), (&value!(u64::MAX), &value!(1)));
    let sample = path("blosc2-4.14.1/sample.b2nd");
    let planes = json(&["stats", &sample, "--axis", "1,2", "--json"]);
    assert_eq!((&planes["shape"], planes["mean"].as_array().unwrap().len()), (&value!([12]), 12));
}

#[test]
fn other_items_and_axes_are_refused() {
    let folder = Folder::new("stats-refused");
    let a = array(&folder);
    assert!(refused(&["stats", &a, "--axis", "2"], 2).contains("axis"));
    assert!(refused(&["stats", &a, ":0"], 2).contains("no items"));
    let text = folder.path("text.b2nd");
    done_with(&["create", "-", &text, "--shape", "2", "--dtype", "|S3"], b"abcdef");
    assert!(refused(&["stats", &text], 2).contains("S3"));
}
