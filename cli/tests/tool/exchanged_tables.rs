//! Tables from and to Parquet and Arrow. `tests/interop/exchanged_tables.py` compares them with what other programs read and write.

use crate::common::goldens::golden;
use crate::common::tool::{Folder, done, refused};
#[cfg(feature = "parquet")]
use crate::common::tool::{b2nd, piped};
use std::fs;

/// A store with a table.
fn people(folder: &Folder) -> String {
    let lines = "{\"id\": 1, \"name\": \"Ada\", \"height\": 1.5, \"born\": \"1815-12-10T00:00:00\", \"seat\": [1, 7]}\n\
                 {\"id\": null, \"name\": \"\", \"height\": null, \"born\": null, \"seat\": null}\n\
                 {\"id\": 3, \"name\": null, \"height\": -2.25, \"born\": \"2026-01-31T12:30:00\", \"seat\": [5, 6]}\n";
    let (path, table) = (folder.path("people.ndjson"), folder.path("run.b2z") + "/people");
    fs::write(&path, lines).expect("written");
    let schema = "id=int16?,name=utf8?,height=float64?,born=timestamp[s,Europe/Berlin]?,seat=int32[2]?";
    done(&["create-table", &path, &table, "--schema", schema]);
    table
}

#[cfg(feature = "parquet")]
fn rows(table: &str) -> String {
    String::from_utf8(done(&["get", table, "-f", "csv"])).expect("text")
}

#[cfg(feature = "parquet")]
#[test]
fn rows_come_back() {
    let folder = Folder::new("exchanged-tables");
    let table = people(&folder);
    for (name, format) in [("p.parquet", "parquet"), ("p.arrow", "arrow"), ("p.feather", "arrow")] {
        let (file, copy) = (folder.path(name), folder.path(&format!("{name}.b2z")));
        done(&["get", &table, "-o", &file]);
        done(&["create-table", &file, &copy]);
        // Parquet has no seconds.
        let expected =
            if format == "parquet" { rows(&table).replace("00Z", "00.000Z") } else { rows(&table) };
        assert_eq!(rows(&copy), expected, "{name}");
        let piped = piped(&["create-table", "-", &copy, "--from", format], &fs::read(&file).expect("a file"));
        assert!(piped.status.success() && rows(&copy) == expected, "{name}");
        done(&["append-rows", &copy, &file]);
        assert_eq!(rows(&copy).lines().count(), 7, "{name}");
        let part = folder.path(&format!("part-{name}"));
        done(&[
            "get",
            &copy,
            "1:",
            "--where",
            "id >= 3",
            "--columns",
            "height,id",
            "--limit",
            "1",
            "-o",
            &part,
        ]);
        done(&["create-table", &part, &copy]);
        assert_eq!(rows(&copy), "height,id\n-2.25,3\n", "{name}");
    }
}

/// Damaged files are told, whatever the crates that read them do.
#[cfg(feature = "parquet")]
#[test]
fn damage_is_told() {
    let folder = Folder::new("exchanged-damage");
    let (table, copy) = (people(&folder), folder.path("copy.b2z"));
    for name in ["damaged.parquet", "damaged.arrow"] {
        let file = folder.path(name);
        done(&["get", &table, "-o", &file]);
        let bytes = fs::read(&file).expect("a file");
        // From a fixed seed.
        let mut state = 28_u64;
        for case in 0..60 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % bytes.len();
            let mut damaged = bytes.clone();
            match case % 3 {
                0 => damaged.truncate(at),
                1 => damaged[at] = 0xff,
                _ => damaged[at] ^= 1 << (case % 8),
            }
            fs::write(&file, damaged).expect("written");
            let output = b2nd(&["create-table", &file, &copy]);
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            assert!(matches!(output.status.code(), Some(0..=3)), "{name}: {at}: {told}");
            assert!(!told.contains("panicked"), "{name}: {at}: {told}");
        }
    }
}

#[test]
fn only_tables_are_written_so() {
    let folder = Folder::new("exchanged-refused");
    let array = golden("blosc2-4.14.1/sample.b2nd");
    assert!(refused(&["get", array.to_str().expect("UTF-8"), "-f", "parquet"], 2).contains("only tables"));
    let (file, table) = (folder.path("none.parquet"), people(&folder));
    if cfg!(not(feature = "parquet")) {
        assert!(refused(&["get", &table, "-f", "parquet"], 2).contains("built without Parquet"));
        fs::write(&file, "PAR1").expect("written");
        assert!(refused(&["append-rows", &table, &file], 2).contains("built without Parquet"));
    } else {
        fs::write(&file, "PAR1").expect("written");
        assert!(refused(&["append-rows", &table, &file], 1).contains("no Parquet file"));
        assert!(refused(&["create-table", &file, &table], 1).contains("no Parquet file"));
    }
}
