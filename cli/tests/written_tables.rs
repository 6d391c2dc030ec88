//! `b2nd create-table` and `b2nd append-rows`: tables of lines of text, which `b2nd get` prints again.

mod common;

use common::goldens::golden;
use common::tool::{Folder, done, json, refused};
use serde_json::json as value;
use std::fs;
use std::path::Path;

/// The rows of a table as JSON lines.
fn rows(table: &str) -> String {
    String::from_utf8(done(&["get", table, "-f", "ndjson"])).expect("text")
}

fn file(folder: &Folder, name: &str, content: &str) -> String {
    let path = folder.path(name);
    fs::write(&path, content).expect("written");
    path
}

/// Kinds are inferred as DuckDB does, apart from digits that numbers would lose.
#[test]
fn kinds_are_those_of_the_values() {
    let folder = Folder::new("written-tables-kinds");
    let lines = "\u{feff}id,mass,plz,seen,born,note\r\n\
                 1,4.5,01069,true,2026-01-31,\"a \"\"b\"\", c\nd\"\r\n\
                 -2,,80331,false,2026-02-01T12:30:00.5,é\r\n";
    let (csv, table) = (file(&folder, "people.csv", lines), folder.path("run.b2z") + "/group/people");
    done(&["create-table", &csv, &table]);
    let facts = json(&["info", "--json", &table]);
    let kinds: Vec<_> =
        facts["columns"].as_array().expect("columns").iter().map(|c| c["kind"].clone()).collect();
    assert_eq!(kinds, ["int64", "float64", "utf8", "bool", "timestamp", "utf8"], "{facts}");
    let first = rows(&table)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect::<Vec<serde_json::Value>>();
    assert_eq!(first[0]["note"], "a \"b\", c\nd");
    assert_eq!((&first[0]["plz"], &first[1]["mass"]), (&value!("01069"), &value!(null)));
    assert_eq!(first[1]["id"], -2);
}

#[test]
fn columns_have_names_of_their_own() {
    let folder = Folder::new("written-tables-names");
    for (name, lines, told) in
        [("a.csv", "", "no columns"), ("b.csv", "a,a\n1,2\n", "same name"), ("c.ndjson", "", "no columns")]
    {
        let lines = file(&folder, name, lines);
        assert!(refused(&["create-table", &lines, &folder.path("new.b2z")], 1).contains(told));
    }
    assert!(!Path::new(&folder.path("new.b2z")).exists());
}

/// A row that does not fit is named, and changes nothing.
#[test]
fn rows_that_do_not_fit_are_refused() {
    let folder = Folder::new("written-tables-refused");
    let (good, table) = (file(&folder, "good.csv", "a,b\n1,x\n"), folder.path("run.b2z") + "/t");
    done(&["create-table", &good, &table]);
    let before = (rows(&table), fs::read(folder.path("run.b2z")).expect("a store"));
    for (lines, told) in [
        ("a,b\n2,y\nz,y\n", "line 3"),
        ("a,b\n2,y\n3\n", "line 3"),
        ("a,c\n2,y\n", "line 1"),
        ("a,b\n2,y\n99999999999999999999,y\n", "line 3"),
    ] {
        let more = file(&folder, "more.csv", lines);
        assert!(refused(&["append-rows", &table, &more], 1).contains(told), "{lines:?}");
    }
    let more = file(&folder, "more.ndjson", "{\"a\": 2, \"b\": \"y\"}\n{\"a\": 3, \"d\": 1}\n");
    assert!(refused(&["append-rows", &table, &more], 1).contains("line 2"));
    assert_eq!(before, (rows(&table), fs::read(folder.path("run.b2z")).expect("a store")));
    let names: Vec<_> =
        fs::read_dir(&folder.0).expect("files").map(|file| file.expect("a file").file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");

    let more = file(&folder, "more.ndjson", "{\"b\": \"y\", \"a\": 2}\n\n{\"a\": null}\n");
    done(&["append-rows", &table, &more]);
    assert_eq!(rows(&table).lines().count(), 3);
}

/// A table takes the place of one, not of a store whose key was forgotten.
#[test]
fn stores_stay() {
    let folder = Folder::new("written-tables-stay");
    let (csv, store) = (file(&folder, "a.csv", "a\n1\n"), folder.path("tree.b2z"));
    let archive = fs::read(golden("stores/tree.b2z")).expect("a store");
    fs::write(&store, &archive).expect("written");
    assert!(refused(&["create-table", &csv, &store], 2).contains("name a member"));
    assert!(fs::read(&store).expect("a store") == archive);
    let table = folder.path("table.b2z");
    for lines in ["a\n1\n", "a\n2.5\n"] {
        done(&["create-table", &file(&folder, "a.csv", lines), &table]);
    }
    assert_eq!(rows(&table), "{\"a\": 2.5}\n");
    assert!(Path::new(&table).is_file());
    done(&["add", &table, "extra", &golden("blosc2-4.14.1/sample.b2nd").display().to_string()]);
    assert!(refused(&["create-table", &csv, &table], 2).contains("name a member"));
    assert!(done(&["ls", &table]).starts_with(b"/  table") && rows(&table) == "{\"a\": 2.5}\n");
}
