//! `b2nd create-table` and `b2nd append-rows`: tables of lines of text, which `b2nd get` prints again.

use crate::common::goldens::golden;
use crate::common::tool::{Folder, done, json, refused, status};
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

/// Times with offsets are moments, which are stored and told in UTC.
#[test]
fn offsets_of_times_are_not_lost() {
    let folder = Folder::new("written-tables-offsets");
    let csv = file(
        &folder,
        "a.csv",
        "t,local\n2026-01-01T00:00:00+02:00,2026-01-01T00:00:00\n2026-01-01T00:00:00Z,\n",
    );
    let table = folder.path("s.b2z/t");
    done(&["create-table", &csv, &table]);
    let rows = rows(&table);
    assert!(
        rows.starts_with(r#"{"t": "2025-12-31T22:00:00.000000Z", "local": "2026-01-01T00:00:00.000000"}"#),
        "{rows}"
    );
    let chosen = done(&["get", &table, "--where", "t < 2026-01-01T01:00:00+01:00", "--count"]);
    assert_eq!(chosen, b"1\n");
    // Those without are in a zone that nobody knows.
    let csv = file(&folder, "b.csv", "t\n2026-01-01T00:00:00+02:00\n2026-01-01T00:00:00\n");
    let table = folder.path("s.b2z/mixed");
    done(&["create-table", &csv, &table]);
    assert_eq!(json(&["info", "--json", &table])["columns"][0]["kind"], "utf8");
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
fn columns_are_added_to_all_rows() {
    let folder = Folder::new("columns-added");
    let table = folder.path("s.b2z/t");
    done(&["create-table", &file(&folder, "a.csv", "id\n1\n2\n"), &table]);
    let more = file(&folder, "more.csv", "age,t\n3,2026-01-01\n,2026-02-01T12:00\n");
    done(&["add-columns", &table, &more, "--schema", "age=int8?,t=timestamp[s]"]);
    let expected = r#"{"id": 1, "age": 3, "t": "2026-01-01T00:00:00"}
{"id": 2, "age": null, "t": "2026-02-01T12:00:00"}
"#;
    assert_eq!(rows(&table), expected);
    // Rows are missing, or too many, or a column is there.
    for content in ["b\n1\n", "b\n1\n2\n3\n", "t\n1\n2\n"] {
        assert_eq!(status(&["add-columns", &table, &file(&folder, "wrong.csv", content)]), 2, "{content}");
    }
    assert_eq!(rows(&table), expected);
}

/// Computed columns are null where what they are computed from is.
#[test]
fn columns_are_computed() {
    let folder = Folder::new("written-tables-computed");
    let table = folder.path("table.b2z") + "/t";
    done(&["create-table", &file(&folder, "a.csv", "x,y,s\n1,0.5,a\n,1.5,b\n3,2.5,c\n"), &table]);
    done(&["add-columns", &table, "--computed", "sum = x + 2*y", "--computed", "small=0 <= x < 2"]);
    let expected = r#"{"x": 1, "y": 0.5, "s": "a", "sum": 2.0, "small": true}
{"x": null, "y": 1.5, "s": "b", "sum": null, "small": null}
{"x": 3, "y": 2.5, "s": "c", "sum": 8.0, "small": false}
"#;
    assert_eq!(rows(&table), expected);
    done(&["append-rows", &table, &file(&folder, "more.csv", "x,y,s\n5,1,d\n")]);
    assert_eq!(done(&["get", &table, "--where", "sum > 6", "--columns", "s", "-f", "csv"]), b"s\nc\nd\n");
    for (column, status_of) in [
        ("sum = x", 2),
        ("x = y", 2),
        ("_a = x", 2),
        ("z = nothing", 2),
        ("z = s + x", 2),
        ("z = sum(x)", 2),
        ("z = x +", 2),
        ("z", 2),
    ] {
        assert_eq!(status(&["add-columns", &table, "--computed", column]), status_of, "{column}");
    }
    assert_eq!(status(&["drop-columns", &table, "x"]), 3);
    done(&["drop-columns", &table, "sum", "small"]);
    done(&["add-columns", &table, "--generated", "twice = 2 * x"]);
    done(&["add-columns", &table, "--generated", "four = 2 * twice"]);
    // Values of new rows are computed, or given.
    done(&["append-rows", &table, &file(&folder, "more.csv", "x,y,s\n4,1,e\n,1,f\n")]);
    let given = r#"{"x": 1, "y": 1, "s": "g", "twice": 2, "four": 5}"#;
    done(&["append-rows", &table, &file(&folder, "more.ndjson", given)]);
    let columns = ["get", &table, "--columns", "twice,four", "-f", "csv"];
    assert_eq!(done(&columns), b"twice,four\n2,4\n,\n6,12\n10,20\n8,16\n,\n2,5\n");
    // One of them is missing.
    let given = r#"{"x": 1, "y": 1, "s": "g", "twice": 2}"#;
    assert_eq!(status(&["append-rows", &table, &file(&folder, "more.ndjson", given)]), 2);
    assert_eq!(status(&["refresh-columns", &table, "x"]), 2);
    done(&["refresh-columns", &table]);
    assert_eq!(done(&columns), b"twice,four\n2,4\n,\n6,12\n10,20\n8,16\n,\n2,4\n");
    assert_eq!(status(&["drop-columns", &table, "twice"]), 3);
    done(&["drop-columns", &table, "four"]);
    assert_eq!(status(&["drop-columns", &table, "x"]), 3);
    done(&["rename-column", &table, "twice", "double"]);
    done(&["drop-columns", &table, "double"]);
    done(&["drop-columns", &table, "x"]);
    assert!(rows(&table).starts_with("{\"y\": 0.5, \"s\": \"a\"}\n"));
}

/// Columns that python-blosc2 generated, and that were stale.
#[test]
fn generated_columns_are_refreshed() {
    let folder = Folder::new("written-tables-refreshed");
    let table = folder.path("stale.b2z");
    fs::copy(golden("tables/stale.b2z"), &table).expect("a copy");
    // By an input that is stale itself.
    assert_eq!(status(&["refresh-columns", &table, "four"]), 3);
    done(&["append-rows", &table, &file(&folder, "more.csv", "a,b\n4,3.5\n")]);
    done(&["refresh-columns", &table]);
    let rows =
        b"a,b,double,four,half\n100,0.5,200,400,0.25\n2,1.5,4,8,0.75\n3,2.5,6,12,1.25\n4,3.5,8,16,1.75\n";
    assert_eq!(done(&["get", &table, "-f", "csv"]), rows);
}

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

/// A table with many columns does not need as many open files.
#[cfg(unix)]
#[test]
fn wide_tables_need_few_files() {
    let folder = Folder::new("written-tables-wide");
    let names: Vec<_> = (0..300).map(|n| format!("c{n}")).collect();
    let cells: Vec<_> = (0..300).map(|n| if n % 2 == 0 { n.to_string() } else { String::new() }).collect();
    let lines = [names.join(","), cells.join(","), cells.join(",")].join("\n");
    let (csv, table) = (file(&folder, "wide.csv", &lines), folder.path("wide.b2z"));
    for command in [["create-table", &csv, &table], ["append-rows", &table, &csv]] {
        let run = "ulimit -n 64 && exec \"$0\" \"$@\"";
        let done = std::process::Command::new("sh")
            .args(["-c", run, env!("CARGO_BIN_EXE_b2nd")])
            .args(command)
            .output()
            .expect("a shell");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    let first: serde_json::Value =
        serde_json::from_str(rows(&table).lines().nth(3).expect("four rows")).expect("JSON");
    assert_eq!((&first["c298"], &first["c299"]), (&value!(298), &value!(null)));
}

/// Two quotes are a text, which `get` writes so.
#[test]
fn empty_texts_have_quotes() {
    let folder = Folder::new("written-tables-quotes");
    let lines = "\u{feff}\"t,u\",n,\"v\"\r\n\"\",\"\",x\n\n,1,\"a\"\"\"\n\"a\nb\",2,\"\"";
    let (csv, table) = (file(&folder, "a.csv", lines), folder.path("a.b2z"));
    done(&["create-table", &csv, &table]);
    let printed = String::from_utf8(done(&["get", &table, "-f", "csv"])).expect("text");
    assert_eq!(printed, "\"t,u\",n,v\n\"\",,x\n,1,\"a\"\"\"\n\"a\nb\",2,\"\"\n");
}

#[test]
fn digits_are_not_lost() {
    let folder = Folder::new("written-tables-digits");
    let (csv, table) = (file(&folder, "a.csv", "a,b\n1e400,inf\n2,nan\n"), folder.path("a.b2z"));
    done(&["create-table", &csv, &table]);
    assert_eq!(rows(&table).lines().next(), Some(r#"{"a": "1e400", "b": "Infinity"}"#));
    assert!(
        refused(&["create-table", &csv, &table, "--schema", "a=float64,b=float64"], 1).contains("line 2")
    );
}

/// Neither a line of JSON nor a quote that is not closed is read whole, whatever its length.
#[test]
fn lines_are_bounded() {
    let folder = Folder::new("written-tables-bounded");
    let long = "x".repeat(17 << 20);
    for (name, lines) in [("a.ndjson", format!("{{\"a\": \"{long}")), ("a.csv", format!("a\n1\n\"{long}"))] {
        let lines = file(&folder, name, &lines);
        assert!(refused(&["create-table", &lines, &folder.path("a.b2z")], 1).contains("16 MiB"), "{name}");
    }
}

/// Conditions choose rows of all formats, and their columns need not be written.
#[test]
fn rows_are_chosen() {
    let folder = Folder::new("written-tables-where");
    let lines: String = (0..10_000).map(|n| format!("{n},{},name{}\n", n % 7, n % 3)).collect();
    let (csv, table) = (file(&folder, "a.csv", &format!("n,r,s\n{lines}")), folder.path("a.b2z"));
    done(&["create-table", &csv, &table]);
    let get = |options: &[&str]| {
        let options = [&["get", &table, "-f", "csv"], options].concat();
        String::from_utf8(done(&options)).expect("text")
    };
    let condition =
        ["--where", "n >= 9_000 and r == 3 and not s != 'name1'"].map(|word| word.replace('_', ""));
    let condition = [&condition[0][..], &condition[1]];
    let expected: Vec<_> = (9000..10_000).filter(|n| n % 7 == 3 && n % 3 == 1).collect();
    let printed: String = expected.iter().map(|n| format!("{n}\n")).collect();
    assert_eq!(get(&[&condition[..], &["--columns", "n"]].concat()), format!("n\n{printed}"));
    assert_eq!(get(&[&condition[..], &["--count"]].concat()), format!("{}\n", expected.len()));
    assert_eq!(get(&["--where", "r == 3", "--limit", "2"]), "n,r,s\n3,3,name0\n10,3,name1\n");
    assert_eq!(get(&["--count", "--limit", "70000"]), "10000\n");
    let npy = folder.path("n.npy");
    done(&[&["get", &table, "--columns", "n", "-o", &npy], &condition[..]].concat());
    assert_eq!(done(&["get", &table, "100:0:-1", "--where", "n < 50", "--count"]), b"49\n");
    assert!(
        String::from_utf8_lossy(&fs::read(&npy).expect("a file")).contains(&format!("({},)", expected.len()))
    );
    for (wrong, told) in [("n >", "byte 3"), ("x > 1", "no stored column"), ("n == 'a'", "different kinds")] {
        assert!(refused(&["get", &table, "--where", wrong], 2).contains(told), "{wrong}");
    }
}

/// Rows in the order of columns, in all formats, also those that lie far apart.
#[test]
fn rows_are_sorted() {
    let folder = Folder::new("written-tables-sorted");
    let many = 200_000_u64;
    let place = |n: u64| n * 7919 % many;
    let lines: String = (0..many).map(|n| format!("{},{},{n}\n", n % 5, place(n))).collect();
    let (csv, table) = (file(&folder, "a.csv", &format!("r,p,n\n{lines}")), folder.path("a.b2z"));
    done(&["create-table", &csv, &table]);
    let get = |options: &[&str]| {
        let options = [&["get", &table, "--columns", "n", "-f", "csv"], options].concat();
        let text = String::from_utf8(done(&options)).expect("text");
        text.lines().skip(1).map(|line| line.parse().expect("a number")).collect::<Vec<u64>>()
    };
    let mut expected: Vec<u64> = (0..many).collect();
    expected.sort_by_key(|n| place(*n));
    assert!(get(&["--sort", "p"]) == expected);
    assert_eq!(get(&["--sort", "p", "--limit", "3"]), expected[..3]);
    let ten: Vec<u64> = expected.iter().rev().filter(|n| **n < 500 && **n % 5 > 2).copied().collect();
    assert_eq!(get(&["0:500", "--where", "r > 2", "--sort=-p"]), ten);
    expected.sort_by_key(|n| core::cmp::Reverse(n % 5));
    assert!(get(&["--sort=-r,p"]) == expected);
    let plain = done(&["get", &table, "--columns", "n", "--sort=-r,p", "-f", "raw"]);
    assert!(plain == expected.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<_>>());
    // In text only the edges.
    assert!(String::from_utf8(done(&["get", &table, "--sort", "p"])).expect("text").lines().count() < 12);
    #[cfg(feature = "arrow")]
    {
        let (arrow, again) = (folder.path("a.arrow"), folder.path("b.b2z"));
        done(&["get", &table, "--sort=-r,p", "-o", &arrow]);
        done(&["create-table", &arrow, &again]);
        let numbers = done(&["get", &again, "--columns", "n", "-f", "raw"]);
        assert!(numbers == plain);
    }
    assert!(refused(&["get", &table, "--sort", "zz"], 2).contains("zz"));
    assert_eq!(done(&["get", &table, "--sort", "p", "--count"]), b"200000\n");
}

/// Columns are members of the store, too: who changes one there, changes what a condition is about.
#[test]
fn summaries_are_stale_after_columns_changed_as_members() {
    let folder = Folder::new("tables-columns");
    let lines: String = (0..40_000).map(|number| format!("{number}\n")).collect();
    let table = file(&folder, "t.csv", &format!("x\n{lines}"));
    for name in ["a.b2z", "b.b2d"] {
        let store = folder.path(name);
        let (path, column) = (format!("{store}/people"), format!("{store}/people/_cols/x"));
        done(&["create-table", &table, &path]);
        let found =
            || String::from_utf8(done(&["get", &path, "--where", "x > 50000", "-f", "csv"])).expect("text");
        assert_eq!(found(), "x\n");
        done(&["set", &column, "5", "--value", "60000"]);
        assert_eq!(found(), "x\n60000\n", "{name}");
        // A member that takes the place of a column.
        done(&["create-table", &table, &path]);
        let other = folder.path("other.b2nd");
        done(&["repack", &column, &other]);
        done(&["set", &other, "7", "--value", "70000"]);
        done(&["add", &store, "people/_cols/x", &other]);
        assert_eq!(found(), "x\n70000\n", "{name}");
    }
}
