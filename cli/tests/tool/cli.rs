//! The command line as scripts see it: JSON keys, formats, exit statuses.

use crate::common::forgery::Forgery;
use crate::common::tool::{
    Folder, b2nd, command, done, done_with, golden, json, path, piped, refused, status,
};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const SAMPLE: &str = "blosc2-4.14.1/sample.b2nd";
const SPARSE: &str = "blosc2-4.14.1/sparse-lz4.b2frame";
/// Its first chunk has codec 160.
const FOREIGN: &str = "damaged/x-frame-user-codec.b2nd";

#[test]
fn info_has_all_keys() {
    let info = json(&["info", "--json", &path(SAMPLE)]);
    let keys: Vec<_> = info.as_object().expect("an object").keys().map(String::as_str).collect();
    let expected = [
        "kind",
        "reference",
        "shape",
        "chunks",
        "blocks",
        "dtype",
        "typesize",
        "nbytes",
        "cbytes",
        "missing",
        "nchunks",
        "codec",
        "clevel",
        "filters",
        "splitmode",
        "contiguous",
        "frame_version",
        "metalayers",
        "attributes",
    ];
    assert_eq!(keys, expected);
    assert_eq!(info["kind"], "array");
    assert_eq!(info["shape"], serde_json::json!([12, 30, 40]));
    assert_eq!(info["blocks"], serde_json::json!([3, 10, 20]));
    assert_eq!(info["codec"], "zstd");
    assert_eq!(info["filters"], serde_json::json!([{ "id": 1, "name": "shuffle", "meta": 0 }]));
    assert_eq!(info["metalayers"]["grid"]["x"], serde_json::json!([-3.0, 3.0]));
    assert_eq!(info["attributes"]["units"], "K");
    assert_eq!(json(&["info", "--json", &path("blosc2-4.14.1/sparse-lz4.b2frame")])["contiguous"], false);
    assert_eq!(json(&["info", "--json", &path("blosc-1.11.1/level0.chunk")])["kind"], "chunk");
}

#[test]
fn get_writes_formats() {
    let sample = path(SAMPLE);
    let text = |arguments: &[&str]| String::from_utf8(b2nd(arguments).stdout).expect("text");
    assert_eq!(text(&["get", &sample, "0, 0, :2", "--format", "json"]), "[\"NaN\", \"NaN\"]\n");
    assert_eq!(b2nd(&["get", &sample, "--format", "raw"]).stdout.len(), 12 * 30 * 40 * 4);
    assert_eq!(b2nd(&["get", &sample, "-1, ...", "--format", "raw"]).stdout.len(), 30 * 40 * 4);
    let npy = b2nd(&["get", &sample, "::5", "-f", "npy"]).stdout;
    assert!(npy.starts_with(b"\x93NUMPY\x01\x00") && npy.len() == 128 + 3 * 30 * 40 * 4);
    assert_eq!(text(&["get", &sample, ":2, 9, 9:12", "-f", "csv"]).lines().count(), 2);
}

#[test]
fn chunks_are_listed() {
    let chunks = json(&["chunks", "--json", &path(SAMPLE)]);
    assert_eq!(chunks.as_array().map(Vec::len), Some(2));
    let keys: Vec<_> = chunks[0].as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(keys, ["chunk", "file", "offset", "nbytes", "cbytes", "ratio", "special"]);
    assert_eq!(json(&["chunks", "--json", &path("blosc2-4.14.1/shape-empty-0.b2nd")]), serde_json::json!([]));
}

#[test]
fn exit_statuses_say_whose_fault_it_is() {
    let (sample, damaged) = (path(SAMPLE), path("damaged/x-frame-trailer-cut.b2nd"));
    assert_eq!(status(&["verify", &sample]), 0);
    assert_eq!(status(&["verify", &sample, &damaged]), 1);
    assert_eq!(status(&["info", &path("README.md")]), 1);
    assert_eq!(status(&["info", &path("no-such-file")]), 1);
    assert_eq!(status(&["get", &sample, "99"]), 2);
    assert_eq!(status(&["get", &sample, "1:2:0"]), 2);
    assert_eq!(status(&["get", &sample, "nonsense"]), 2);
    assert_eq!(status(&["get"]), 2);
    // Valid, but with a codec that this build does not know.
    assert_eq!(status(&["get", &path(FOREIGN), "-f", "raw"]), 3);
    assert_eq!(status(&["verify", &path(FOREIGN)]), 3);
    assert_eq!(status(&["verify", &path(FOREIGN), &sample]), 3);
    assert_eq!(status(&["verify", &path(FOREIGN), &damaged]), 1);
}

#[test]
fn messages_name_what_is_there() {
    let folder = Folder::new("messages");
    let said = |arguments: &[&str]| String::from_utf8(b2nd(arguments).stderr).expect("text");
    let directory = folder.path("directory");
    fs::create_dir(&directory).expect("a folder");
    assert!(said(&["info", &directory]).contains("a directory without chunks.b2frame is no sparse frame"));
    let zip = folder.path("store.b2z");
    fs::write(&zip, b"PK\x03\x04 and more").expect("written");
    assert!(said(&["info", &zip]).contains("truncated"));
    assert_eq!(status(&["info", &zip]), 1);
    assert!(said(&["get", &path(FOREIGN), "-f", "raw"]).contains("codec 160 is not built in"));
    assert!(said(&["verify", &path(FOREIGN)]).ends_with("b2nd: 1 of 1 file is not supported\n"));
    assert!(said(&["verify", &path("README.md")]).ends_with("b2nd: 1 of 1 file is wrong\n"));
    assert!(said(&["get", &path(SAMPLE), "[1,99]"]).contains("index 99 is outside axis 0 of length 12"));
}

#[test]
fn members_of_stores_are_paths() {
    for (store, kind) in [("stores/tree.b2z", "TreeStore"), ("stores/dict.b2d", "DictStore")] {
        let store = path(store);
        assert_eq!(json(&["info", "--json", &store])["store"], kind);
        let rows = json(&["ls", "--json", &store]);
        let keys: Vec<_> = rows.as_array().unwrap().iter().map(|row| row["key"].as_str().unwrap()).collect();
        assert_eq!(keys, ["/group/deep/er/line", "/group/image", "/group/items", "/small"]);
        assert_eq!(rows[1]["shape"], serde_json::json!([20, 30]));
        let image = format!("{store}/group/image");
        assert_eq!(json(&["info", "--json", &image])["dtype"], "|u1");
        let small = b2nd(&["get", &format!("{store}/small"), "3:5"]).stdout;
        assert_eq!(String::from_utf8(small).unwrap(), "[3 4]\n");
        let verified = String::from_utf8(b2nd(&["verify", &store]).stdout).unwrap();
        assert_eq!(verified.lines().filter(|line| line.contains(": good")).count(), 4);
        // The store itself has no items, and nothing else has this key.
        assert_eq!([status(&["get", &store]), status(&["get", &format!("{store}/other")])], [2, 2]);
    }
    // With an offset the path stands for a frame in the file.
    let archive = fs::read(golden("stores/tree.b2z")).unwrap();
    let at = archive.windows(9).position(|bytes| bytes == b"\x9e\xa8b2frame").unwrap().to_string();
    assert_eq!(json(&["info", "--json", "--offset", &at, &path("stores/tree.b2z")])["kind"], "array");
    assert_eq!(json(&["ls", "--json", &path("stores/embed.b2e")]).as_array().unwrap().len(), 4);
}

#[test]
fn a_file_that_was_cut_still_shows_its_header() {
    let folder = Folder::new("cut");
    let whole = fs::read(golden(SAMPLE)).expect("read");
    let cut = folder.path("cut.b2nd");
    fs::write(&cut, &whole[..whole.len() - 1]).expect("written");
    let output = b2nd(&["info", "--json", &cut]);
    assert_eq!(output.status.code(), Some(1));
    assert!(!output.stderr.is_empty());
    let info: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&info["dtype"], &info["missing"]), (&"<f4".into(), &1.into()));
    assert_eq!(json(&["info", "--json", &path(SAMPLE)])["missing"], 0);
    let text = String::from_utf8(b2nd(&["info", &cut]).stdout).expect("text");
    assert!(text.lines().any(|line| line == "missing       1 byte"), "{text}");
    fs::write(&cut, &whole[..whole.len() / 2]).expect("written");
    let info: Value = serde_json::from_slice(&b2nd(&["info", "--json", &cut]).stdout).expect("JSON");
    assert_eq!((&info["shape"], &info["nchunks"]), (&serde_json::json!([12, 30, 40]), &2.into()));
}

#[test]
fn a_hyphen_is_standard_input_and_output() {
    let whole = fs::read(golden(SAMPLE)).expect("read");
    let values = b2nd(&["get", &path(SAMPLE), "-1", "-f", "raw"]).stdout;
    assert_eq!(piped(&["get", "-", "-1", "-f", "raw", "-o", "-"], &whole).stdout, values);
    let shifted = [b"12345", &whole[..]].concat();
    assert_eq!(piped(&["get", "-", "-1", "-f", "raw", "--offset", "5"], &shifted).stdout, values);
    for command in [&["info", "-"][..], &["chunks", "-"], &["verify", "-"]] {
        assert!(piped(command, &whole).status.success());
    }
    assert_eq!(piped(&["info", "-"], &whole[..0]).status.code(), Some(1));
}

#[test]
fn a_dtype_may_be_given() {
    let text = |arguments: &[&str]| String::from_utf8_lossy(&b2nd(arguments).stdout).into_owned();
    let sample = path(SAMPLE);
    assert_eq!(
        text(&["get", &sample, "0, 0, :2", "-f", "json", "--dtype", "<i4"]),
        "[2143289344, 2143289344]\n"
    );
    // Nothing says what these two bytes are.
    let plain = path("blosc2-4.14.1/sparse-lz4.b2frame");
    assert!(text(&["get", &plain, ":1", "-f", "npy"]).contains("|V2"));
    assert!(text(&["get", &plain, ":1", "-f", "npy", "--dtype", ">u2"]).contains(">u2"));
    assert_eq!(status(&["get", &sample, "--dtype", "<f8"]), 2);
    assert_eq!(status(&["get", &sample, "--dtype", "float"]), 2);
}

#[test]
fn shells_complete_commands() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = String::from_utf8(b2nd(&["completions", shell]).stdout).expect("text");
        assert!(script.contains("verify") && script.contains("early-bitshuffle"), "{shell}");
    }
    assert_eq!(status(&["completions", "dash"]), 2);
}

#[test]
fn help_says_what_cannot_be_verified() {
    let help = String::from_utf8(b2nd(&["verify", "--help"]).stdout).expect("text");
    assert!(help.contains("no checksums"), "{help}");
}

/// The tool writes more zeros than it can before it is killed.
#[cfg(unix)]
#[test]
fn who_is_killed_leaves_nothing_behind() {
    use core::time::Duration;
    use std::os::unix::process::ExitStatusExt;
    use std::thread::sleep;
    let folder = Folder::new("signals");
    let frame = folder.path("frame.b2nd");
    let zeros = b2nd::array::ArrayParams::new(&[1 << 33], "|u1");
    b2nd::create(&frame, &zeros).and_then(|mut editor| editor.commit()).expect("an array");
    let out = folder.path("results");
    fs::create_dir(&out).expect("a folder");
    let new = format!("{out}/new.npy");
    let old = format!("{out}/old.npy");
    fs::write(&old, "old").expect("written");
    let signals = [("INT", 2), ("TERM", 15)];
    // Who was started in the background of a script ignores interrupts, and so do its children.
    for (signal, number) in
        signals.into_iter().filter(|&(signal, _)| signal != "INT" || !ignores_interrupts())
    {
        for target in [&new, &old] {
            let mut tool =
                command(&["get", &frame, "-f", "csv", "-o", target]).spawn().expect("the tool runs");
            while !is_writing(tool.id(), &out) {
                sleep(Duration::from_millis(5));
                assert_eq!(tool.try_wait().expect("a child"), None);
            }
            let kill = format!("kill -{signal} {}", tool.id());
            assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
            assert_eq!(tool.wait().expect("an end").signal(), Some(number));
            assert_eq!(names(Path::new(&out)), ["old.npy"]);
        }
    }
    assert_eq!(fs::read(&old).expect("read"), b"old");
}

/// Whether a process has a new file in the folder, be it without a name.
#[cfg(unix)]
fn is_writing(process: u32, folder: &str) -> bool {
    let open = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let mut files = open.filter_map(|entry| fs::read_link(entry.path()).ok());
    names(Path::new(folder)).len() > 1 || files.any(|file| file.starts_with(folder))
}

#[cfg(unix)]
fn ignores_interrupts() -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 2 != 0)
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().display().to_string()).collect()
}

#[test]
fn references_are_refused_by_name() {
    let (lazy, proxy) = (path("blosc2-4.14.1/lazy-expression.b2nd"), path("blosc2-4.14.1/proxy-chunks.b2nd"));
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    for command in ["get", "chunks", "verify"] {
        let output = b2nd(&[command, &lazy]);
        let said = text(output.stdout) + &text(output.stderr);
        assert!(!output.status.success() && said.contains("a lazy expression"), "{said}");
        assert!(said.contains("--as-stored"), "{said}");
    }
    assert_eq!(json(&["info", "--json", &lazy])["reference"], "lazyexpr");
    assert!(text(b2nd(&["info", &proxy]).stdout).contains("\nreference     a proxy of another array"));
    assert_eq!(json(&["get", &lazy, "0, :2", "-f", "json", "--as-stored"]), serde_json::json!([0, 0]));
    assert!(text(b2nd(&["get", &proxy, "10", "--as-stored"]).stderr).contains("chunk 2 was not fetched"));
    assert_eq!(status(&["get", &proxy, "0", "--as-stored"]), 0);
    assert!(
        text(b2nd(&["verify", &proxy, "--as-stored"]).stdout)
            .contains("good, 6 chunks (3 of them not fetched)")
    );
    assert_eq!(json(&["chunks", "--json", &proxy, "--as-stored"])[2]["special"], "not fetched");
}

/// Claims of a file cost neither time nor memory, where its values are not wanted.
#[test]
#[cfg(target_os = "linux")]
fn claims_cost_nothing() {
    /// KiB of addresses; threads would take more.
    const LITTLE: &str = "ulimit -v 200000;";
    let folder = std::env::temp_dir().join(format!("b2nd-claims-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("zeros.b2nd");
    fs::write(&file, Forgery::of_zeros(1 << 27).bytes).expect("written");
    let run = |prefix: &str, command: &str| {
        let script = format!("{prefix} exec {} {command} {}", env!("CARGO_BIN_EXE_b2nd"), file.display());
        let start = std::time::Instant::now();
        let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
        assert!(start.elapsed() < core::time::Duration::from_secs(10), "{command}: {:?}", start.elapsed());
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
    };
    assert!(run(LITTLE, "info").contains("nchunks       134217728"));
    assert!(run(LITTLE, "verify").contains("good, 134217728 chunks, 8589934592 bytes"));
    assert_eq!(run("", "get"), format!("[{0}\n {0}\n {0}\n ...\n {0}\n {0}\n {0}]\n", "[0 0 0 ... 0 0 0]"));
    fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_message_of_a_limit_names_the_option() {
    let sample = path(SAMPLE);
    let refused = b2nd(&["get", &sample, "-f", "raw", "--max-memory", "1K"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("raise --max-memory"), "{refused:?}");
    assert_eq!(status(&["get", &sample, "-f", "raw", "--max-memory", "1M"]), 0);
    assert_eq!(status(&["get", &sample, "--max-memory", "much"]), 2);
}

#[test]
#[ignore = "the reference must write the objects first: cargo xtask test --only interop"]
fn random_objects_are_json() {
    compare_objects(&std::env::var("B2ND_OBJECTS").expect("B2ND_OBJECTS names the folder of random objects"));
}

#[test]
fn objects_are_json() {
    compare_objects(&path("objects"));
    assert_eq!(status(&["get", "-f", "npy", &path("objects/000.b2b")]), 2);
    assert_eq!(status(&["get", &path("objects/000.b2b"), "1000"]), 2);
    // An array within an object is shown as one of NumPy.
    assert_eq!(
        json(&["get", "-f", "json", &path("objects/001.b2b"), "3"]),
        serde_json::json!([0, 1, 2, 3, 4, 5])
    );
}

/// Compares what the tool prints of sequences of objects with `objects.jsonl`.
fn compare_objects(folder: &str) {
    let list = fs::read_to_string(format!("{folder}/objects.jsonl")).unwrap();
    for line in list.lines() {
        let facts: Value = serde_json::from_str(line).unwrap();
        let file = format!("{folder}/{}", facts["path"].as_str().unwrap());
        assert_eq!(json(&["get", "-f", "json", &file]), facts["values"], "{file}");
        let values = facts["values"].as_array().unwrap();
        let info = json(&["info", "--json", &file]);
        assert_eq!((&info["kind"], &info["length"]), (&facts["kind"], &values.len().into()));
        let said = String::from_utf8(b2nd(&["verify", &file]).stdout).unwrap();
        assert!(said.contains(": good") && said.contains(&format!("{} object", values.len())), "{said}");
        if let [.., last] = &values[..] {
            assert_eq!(json(&["get", &file, "-1"]), *last, "{file}");
            let every = values.iter().rev().step_by(2).cloned().collect::<Vec<_>>();
            assert_eq!(json(&["get", "-f", "json", &file, "::-2"]), Value::Array(every), "{file}");
        }
    }
}

#[test]
fn tensors_and_origins_are_shown() {
    let tensor = json(&["get", "-f", "json", &path("objects/tensor.b2f")]);
    assert_eq!((&tensor[1][2][3], tensor.as_array().unwrap().len()), (&23.into(), 2));
    let records = json(&["get", "-f", "json", &path("objects/records.b2f")]);
    assert_eq!(records[1], serde_json::json!({ "a": 4, "b": [5.0, -1.0] }));
    assert_eq!(json(&["get", "-f", "json", &path("objects/tensor.b2f"), "3:5"]), serde_json::json!([3, 4]));
    let info = json(&["info", "--json", &path("objects/attributes.b2nd")]);
    assert_eq!(info["attributes"]["array"], serde_json::json!([[0, 1, 2, 3], [4, 5, 6, 7]]));
    let info = json(&["info", "--json", &path("objects/lazy.b2nd")]);
    assert_eq!(
        (&info["reference"], &info["origin"]["expression"]),
        (&"lazyexpr".into(), &"((o0 * 2) + 1)".into())
    );
}

#[test]
#[ignore = "the reference must write the tables first: cargo xtask test --only interop"]
fn random_tables_are_printed() {
    compare_tables(&std::env::var("B2ND_TABLES").expect("B2ND_TABLES names the folder of random tables"));
}

#[test]
fn tables_are_printed() {
    compare_tables(&path("tables"));
}

/// Compares what the tool prints of tables with `tables.jsonl`.
fn compare_tables(folder: &str) {
    for line in fs::read_to_string(format!("{folder}/tables.jsonl")).unwrap().lines() {
        let facts: Value = serde_json::from_str(line).unwrap();
        let file = format!("{folder}/{}", facts["path"].as_str().unwrap());
        let columns = facts["columns"].as_array().unwrap();
        let count = facts["rows"].as_u64().unwrap() as usize;
        let row = |at: usize| {
            let cells = columns.iter().map(|column| {
                let is_bytes = column["kind"].as_str().unwrap().ends_with("bytes");
                let cell = &column["cells"][at];
                let cell = if is_bytes { escaped(cell) } else { cell.clone() };
                (column["name"].as_str().unwrap().to_owned(), cell)
            });
            Value::Object(cells.collect())
        };
        let rows: Vec<Value> = (0..count).map(row).collect();
        assert_eq!(json(&["get", "-f", "json", &file]), Value::Array(rows.clone()), "{file}");
        let every: Vec<Value> = rows.iter().rev().step_by(3).cloned().collect();
        assert_eq!(json(&["get", "-f", "json", &file, "::-3"]), Value::Array(every), "{file}");
        let info = json(&["info", "--json", &file]);
        assert_eq!((&info["kind"], &info["rows"]), (&"table".into(), &count.into()), "{file}");
        let said = String::from_utf8(done(&["verify", &file])).unwrap();
        assert!(said.contains(&format!(": good, {count} row")), "{said}");
        assert_eq!(json(&["ls", "--json", &file])[0]["rows"], count, "{file}");
    }
}

/// Bytes as the tool prints them: of a text that has a character for each, or of hexadecimal digits.
fn escaped(cell: &Value) -> Value {
    let bytes: Vec<u8> = match (cell.as_str(), cell["bin"].as_str()) {
        (Some(text), _) => text.chars().map(|char| char as u8).collect(),
        (_, Some(hex)) => {
            (0..hex.len()).step_by(2).map(|at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap()).collect()
        }
        _ => return cell.clone(),
    };
    let each = bytes.into_iter().map(|byte| match byte {
        b'\\' => r"\x5C".to_owned(),
        b' '..=b'~' => char::from(byte).to_string(),
        _ => format!("\\x{byte:02X}"),
    });
    Value::String(each.collect())
}

/// Bytes, NaN and null cells are written as the options say, and can be told apart.
#[test]
fn values_that_formats_have_no_form_for_have_options() {
    let text = |arguments: &[&str]| String::from_utf8(done(arguments)).unwrap();
    let table = path("tables/nested.b2z") + "/group/table";
    let lines = "{\"number\": 1, \"text\": \"one\"}\n{\"number\": 2, \"text\": null}\n";
    assert_eq!(text(&["get", "-f", "ndjson", &table, ":2"]), lines);
    assert_eq!(text(&["get", "-f", "csv", "--null", "\\N", &table, "1"]), "number,text\n2,\\N\n");
    assert_eq!(
        done(&["get", "-f", "npy", "--columns", "number", &table])[128..],
        [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]
    );
    assert_eq!(done(&["get", "-f", "raw", "--columns", "number", &table, "::-2"]), [3, 0, 0, 0, 1, 0, 0, 0]);
    let bytes = |form: &[&str]| {
        text(
            &[&["get", "-f", "csv", "--columns", "f11"][..], form, &[&path("tables/nulls.b2z"), "0:3"]]
                .concat(),
        )
    };
    assert_eq!(bytes(&[]), "f11\n\\xFF\\x01\\x02\n\n\\xFF\n");
    assert_eq!(bytes(&["--bytes", "base64"]), "f11\n/wEC\n\n/w==\n");
    assert_eq!(bytes(&["--bytes", "hex"]), "f11\nff0102\n\nff\n");
    let folder = Folder::new("styles");
    let (table, file) = (folder.path("in.csv"), folder.path("floats.b2nd"));
    fs::write(&table, "nan\n-inf\n1.5\n").unwrap();
    done(&["create", &table, &file]);
    for (form, expected) in [
        ("string", "[\"NaN\", \"-Infinity\", 1.5]\n"),
        ("null", "[null, null, 1.5]\n"),
        ("literal", "[NaN, -Infinity, 1.5]\n"),
    ] {
        assert_eq!(text(&["get", "-f", "json", "--nan", form, &file]), expected);
    }
    fs::write(&table, "caf\\xC3\\xA9\n\\xE9\n\"\"\n").unwrap();
    done(&["create", &table, &file, "--dtype", "S5"]);
    assert_eq!(done(&["get", "-f", "raw", &file]), b"caf\xc3\xa9\xe9\0\0\0\0\0\0\0\0\0");
    assert_eq!(done(&["get", "-f", "csv", &file]), fs::read(&table).unwrap());
}

/// `info` tells what the schema says of columns; times have the offset of their column's zone.
#[test]
fn columns_are_described() {
    let table = path("tables/described.b2z");
    let text = |arguments: &[&str]| String::from_utf8(done(arguments)).unwrap();
    let said = text(&["info", &table]);
    for line in [
        "id: int64, index bucket",
        "moment: timestamp, unit ms, timezone +02:00, nullable, index summary",
        "city: timestamp, unit s, timezone Europe/Berlin, index summary",
        "word: dictionary, value type vlstring, nullable",
        "numbers: list, item int64, nullable",
        "matrix: ndarray, item shape (2, 3), dtype str <f4",
        "place: struct, fields (x int32, y string)",
    ] {
        assert!(said.contains(&format!("column        {line}\n")), "{line}: {said}");
    }
    let facts = json(&["info", "--json", &table]);
    let column = |at: usize, key: &str| facts["columns"][at][key].clone();
    assert_eq!(column(0, "index"), serde_json::json!({ "kind": "bucket", "stale": false }));
    assert_eq!((column(1, "timezone"), column(5, "item_shape")), ("+02:00".into(), vec![2, 3].into()));
    assert_eq!(column(4, "item")["kind"], "int64");
    let times = text(&["get", "-f", "csv", "--columns", "moment,city", &table]);
    assert_eq!(
        times,
        "moment,city\n1970-01-01T02:00:00.000+02:00,1970-01-01T00:00:00Z\n\
         1970-01-01T02:00:01.500+02:00,1970-01-01T00:00:01Z\n"
    );
}

/// Addresses of Python objects mean nothing: only their bytes are written.
#[test]
fn python_objects_are_refused() {
    let folder = Folder::new("python-objects");
    let file = folder.path("objects.b2nd");
    let mut bytes = fs::read(golden("blosc2-4.14.1/dtype-le-i8.b2nd")).unwrap();
    let at = bytes.windows(3).position(|text| text == b"<i8").expect("the dtype");
    bytes[at..at + 3].copy_from_slice(b"|O8");
    fs::write(&file, bytes).unwrap();
    for format in ["text", "csv", "json", "ndjson", "npy"] {
        assert!(
            refused(&["get", "-f", format, &file], 2).contains("addresses of Python objects"),
            "{format}"
        );
    }
    assert!(!done(&["get", "-f", "raw", &file]).is_empty());
}

/// Messages say what helps.
#[test]
fn messages_say_what_is_allowed() {
    for wrong in ["newaxis", "None", "[True, False]", "1.5"] {
        let said = refused(&["get", &path(SAMPLE), wrong], 2);
        assert!(said.contains("an axis takes -1, 2:10:2, [1,5,9] or ..., --mask a mask"), "{said}");
    }
    let said = refused(&["ls", &path(SAMPLE)], 3);
    assert!(said.contains("not a store: b2nd info tells what it is"), "{said}");
    let member = path("stores/tree.b2z") + "/new";
    let said = refused(&["get", &path(SAMPLE), "-o", &member], 2);
    assert!(said.contains("this command writes files: b2nd add puts a frame into a store"), "{said}");
}

#[test]
fn tables_have_columns() {
    let table = path("tables/nested.b2z") + "/group/table";
    let text = |arguments: &[&str]| String::from_utf8(done(arguments)).unwrap();
    let cut = "three ".repeat(6) + "thre...";
    let lines = text(&["get", &table]);
    assert_eq!(lines, format!("number  text\n1       one\n2       null\n3       {cut}\n"));
    assert_eq!(text(&["get", "-f", "csv", &table, "0:2"]), "number,text\n1,one\n2,\n");
    assert_eq!(text(&["get", "-f", "json", &table, "1"]), "{\"number\": 2, \"text\": null}\n");
    assert_eq!(text(&["get", "--columns", "text", &table, "0:1"]), "text\none\n");
    let listed = text(&["ls", &path("tables/nested.b2z")]);
    assert_eq!(
        listed,
        "/array  array  (5,)  <i8  40 bytes  archive\n/group/table  table  3 rows  2 columns\n"
    );
    let member = path("tables/members.b2e") + "/group/table";
    assert_eq!(text(&["get", "-f", "csv", &member, "1"]), "a,b,double,sum\n2,1.5,4,5.5\n");
    assert!(text(&["info", &member]).contains("column        sum: float64, computed: ((a * 2) + b)\n"));
    assert_eq!(
        text(&["get", "--columns", "sum,a", "--where", "sum > 5", "--sort=-sum", "-f", "csv", &member]),
        "sum,a\n8.5,3\n5.5,2\n"
    );
    let facts = text(&["info", &table]);
    assert!(
        facts.contains("column        number: int32\n") && facts.contains("text: utf8, nullable"),
        "{facts}"
    );
    for wrong in [
        &["get", "--columns", "none", &table][..],
        &["get", "--columns", "a", &path(SAMPLE)],
        &["get", "-f", "npy", &table],
        &["get", "--dtype", "<i4", &table],
        &["get", &table, "3"],
    ] {
        assert_eq!(status(wrong), 2, "{wrong:?}");
    }
}

/// Only the stale column is refused: it was computed from values that have changed.
#[test]
fn stale_columns_are_refused() {
    let table = path("tables/stale.b2z");
    let text = |arguments: &[&str]| String::from_utf8(done(arguments)).unwrap();
    assert_eq!(
        text(&["get", "-f", "csv", "--columns", "a,half", &table, "0:2"]),
        "a,half\n100,0.25\n2,0.75\n"
    );
    for columns in [&[][..], &["--columns", "double"], &["--columns", "b,four"]] {
        let said = refused(&[&["get", &table], columns].concat(), 3);
        assert!(said.contains("is stale") && said.contains("--as-stored"), "{said}");
    }
    assert_eq!(
        text(&["get", "-f", "csv", "--as-stored", &table, "0"]),
        "a,b,double,four,half\n100,0.5,2,4,0.25\n"
    );
    let facts = json(&["info", "--json", &table]);
    let stale: Vec<_> = facts["columns"].as_array().unwrap().iter().map(|column| &column["stale"]).collect();
    assert_eq!(
        Value::from_iter(stale.into_iter().cloned()),
        serde_json::json!([null, null, true, true, null])
    );
    assert!(
        text(&["info", &table]).contains("double: int32, default 0, stale"),
        "{}",
        text(&["info", &table])
    );
    assert!(text(&["verify", &table]).contains(": good, 3 rows, 5 columns"));
}

/// A fault in one does not keep others from being verified.
#[test]
fn damaged_stores_are_verified_beside_others() {
    let folder = Folder::new("damaged");
    let [archive, frame] = ["cut.b2z", "cut.b2e"].map(|name| folder.path(name));
    for (store, path) in [("stores/tree.b2z", &archive), ("stores/embed.b2e", &frame)] {
        let bytes = fs::read(golden(store)).unwrap();
        fs::write(path, &bytes[..bytes.len() - 9]).unwrap();
    }
    let output = b2nd(&["verify", &archive, &frame, &path(SAMPLE)]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!((output.status.code(), said.matches(": good").count()), (Some(1), 1), "{said}");
    assert!([&archive, &frame].iter().all(|path| said.contains(&format!("{path}: "))), "{said}");
    assert!(String::from_utf8(output.stderr).unwrap().contains("2 of 3 files are wrong"));
}

/// Rows and objects are selected as items are.
#[test]
fn lists_of_rows() {
    let table = path("tables/nested.b2z") + "/group/table";
    let numbers = |list: &str| {
        let read = json(&["get", "-f", "json", "--columns", "number", &table, list]);
        read.as_array().unwrap().iter().map(|row| row["number"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(numbers("[2, 0, -1]"), [3, 1, 3]);
    assert_eq!(numbers("[]"), [0; 0]);
    assert_eq!(status(&["get", &table, "[3]"]), 2);
    let objects = path("objects/000.b2b");
    let all = json(&["get", "-f", "json", &objects]);
    assert_eq!(json(&["get", "-f", "json", &objects, "[3, 1]"]), serde_json::json!([all[3], all[1]]));
}

/// An empty list takes nothing, as in NumPy.
#[test]
fn an_empty_list_takes_nothing() {
    for (selection, shape) in
        [("[]", "(0, 30, 40)"), ("[[]]", "(0, 30, 40)"), ("..., []", "(12, 30, 0)"), ("", "(12, 30, 40)")]
    {
        let file = done(&["get", "-f", "npy", &path(SAMPLE), selection]);
        let head = String::from_utf8_lossy(&file[..128]).into_owned();
        assert!(head.contains(&format!("'shape': {shape}")), "{selection}: {head}");
    }
}

/// Groups of a directory are directories, which may have the names of files.
#[test]
fn groups_are_directories() {
    let folder = Folder::new("groups");
    let store = folder.path("s.b2d");
    let copy = |from: &Path, to: &str| {
        let to = Path::new(&store).join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(from, to).unwrap();
    };
    let table = golden("tables/010.b2d");
    let mut folders = vec![table.clone()];
    while let Some(inner) = folders.pop() {
        for entry in fs::read_dir(inner).unwrap().map(|entry| entry.unwrap().path()) {
            let name = entry.strip_prefix(&table).unwrap().to_str().unwrap().to_owned();
            if entry.is_dir() {
                folders.push(entry);
            } else if name != "embed.b2e" {
                copy(&entry, &format!("group/t/{name}"));
                copy(&entry, &format!("v1.b2nd/t/{name}"));
            }
        }
    }
    copy(&golden("tables/010.b2d/embed.b2e"), "embed.b2e");
    copy(&golden(SAMPLE), "v1.b2nd/x.b2nd");
    for file in fs::read_dir(golden(SPARSE)).unwrap().map(|entry| entry.unwrap().path()) {
        copy(&file, &format!("sparse.b2nd/{}", file.file_name().unwrap().to_str().unwrap()));
    }
    let rows = json(&["ls", "--json", &store]);
    let keys: Vec<_> =
        rows.as_array().unwrap().iter().map(|row| (row["key"].as_str(), row["kind"].as_str())).collect();
    let expected =
        [("/group/t", "table"), ("/sparse", "schunk"), ("/v1.b2nd/t", "table"), ("/v1.b2nd/x", "array")];
    assert_eq!(keys, expected.map(|(key, kind)| (Some(key), Some(kind))));
    let whole = done(&["get", "-f", "json", &path("tables/010.b2d")]);
    for group in ["group/t", "v1.b2nd/t", "group/t/"] {
        assert_eq!(done(&["get", "-f", "json", &format!("{store}/{group}")]), whole, "{group}");
    }
    assert_eq!(json(&["info", "--json", &format!("{store}/v1.b2nd/x")])["kind"], "array");
    assert_eq!(status(&["info", &format!("{store}/group")]), 2);
    let said = String::from_utf8(done(&["verify", &store])).unwrap();
    assert!(said.lines().all(|line| line.contains(": good")), "{said}");
}

/// Positions from files, and axes in another order: compared with the same items of the whole array.
#[test]
fn masks_points_and_axes_in_another_order() {
    let folder = Folder::new("indexing");
    let items = |arguments: &[&str]| {
        let done = b2nd(&[&["get", &path(SAMPLE), "-f", "raw"], arguments].concat());
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        done.stdout
    };
    let all = items(&[]);
    let item = |at: [usize; 3]| all[((at[0] * 30 + at[1]) * 40 + at[2]) * 4..][..4].to_vec();
    let [points, mask] = ["points.csv", "mask.npy"].map(|name| folder.path(name));
    fs::write(&points, "11,-1\n0,3\n11,29\n").expect("a file");
    let expected = [[11, 29], [0, 3], [11, 29]].map(|[z, y]| [item([z, y, 7]), item([z, y, 2])].concat());
    assert_eq!(items(&["--points", &points, "[7,2]"]), expected.concat());
    let mut npy = b"\x93NUMPY\x01\x00v\x00".to_vec();
    npy.extend(format!("{:<117}\n", "{'descr': '|b1', 'fortran_order': False, 'shape': (12,), }").bytes());
    npy.extend((0..12).map(|k| u8::from(k % 5 == 3)));
    fs::write(&mask, npy).expect("a file");
    assert_eq!(
        items(&["--mask", &mask, "::29, 5"]),
        [[3, 0], [3, 29], [8, 0], [8, 29]].map(|[z, y]| item([z, y, 5])).concat()
    );
    let turned: Vec<u8> = (0..40).flat_map(|x| [2, 0].map(|z| item([z, 6, x]))).flatten().collect();
    assert_eq!(items(&["[2,0], 6:7", "--transpose", "--squeeze"]), turned);
    assert_eq!(items(&["[2,0], 6:7", "--transpose=2,1,0"]), turned);
    assert_eq!(status(&["get", &path(SAMPLE), "--transpose=0,1"]), 2);
    assert_eq!(status(&["get", &path(SAMPLE), "--mask", &points]), 1, "numbers are no mask");
    let said = b2nd(&["get", &path(SAMPLE), ":", "--mask", &mask, "-f", "raw", "--transpose"]);
    assert!(said.status.success());
    assert_eq!(
        status(&["get", &path("stores/dict.b2d/small"), "--mask", &mask]),
        2,
        "a mask of another length"
    );
}

/// Any number of threads prints the same.
#[test]
fn threads_do_not_change_what_is_printed() {
    let folder = Folder::new("threads");
    let [many, damaged] = ["many.b2nd", "damaged.b2nd"].map(|name| folder.path(name));
    let items: Vec<u8> = (0..60_000_u32).map(|at| (at / 9) as u8).collect();
    let create = ["create", "-", &many, "--dtype", "u1", "--shape", "60,1000", "--chunks", "1,1000"];
    done_with(&create, &items);
    let mut bytes = fs::read(&many).unwrap();
    let places = json(&["chunks", "--json", &many]);
    for place in places.as_array().unwrap().iter().skip(3).step_by(7) {
        // The item size of a chunk that says otherwise than the frame.
        bytes[place["offset"].as_u64().unwrap() as usize + 3] = 9;
    }
    fs::write(&damaged, bytes).unwrap();
    let (store, sample, foreign) = (path("stores/tree.b2z"), path(SAMPLE), path(FOREIGN));
    let paths = [&sample, &damaged, &many, &store, &foreign, &damaged, &sample, &many].map(String::as_str);
    let verified = |threads: &str, paths: &[&str]| {
        let output = b2nd(&[&["verify", "--threads", threads], paths].concat());
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let one = verified("1", &paths);
    assert_eq!((one.0, one.1.matches("(chunk ").count() > 4), (Some(1), true), "{}", one.1);
    assert_eq!(one.1, paths.map(|path| verified("1", &[path]).1).concat());
    for threads in ["2", "5"] {
        assert_eq!(verified(threads, &paths), one);
        assert_eq!(done(&["get", &many, "-f", "raw", "--threads", threads]), items);
    }
    for wrong in ["0", "-1", "x"] {
        assert_eq!(status(&["verify", &many, "--threads", wrong]), 2);
    }
}

/// Whoever reads the output may have seen enough.
#[test]
fn a_closed_pipe_is_no_error() {
    let (store, table) = (path("stores/tree.b2z"), path("tables/nested.b2z/group/table"));
    let (array, objects) = (path(SAMPLE), path("objects/000.b2b"));
    let calls: [&[&str]; 15] = [
        &["verify", &store],
        &["ls", &store],
        &["ls", "--json", &store],
        &["info", &array],
        &["info", "--json", &table],
        &["chunks", &array],
        &["chunks", "--json", &array],
        &["attrs", &array],
        &["get", &array],
        &["get", "-f", "csv", &array],
        &["get", "-f", "npy", &array],
        &["get", "-f", "ndjson", &table],
        &["get", &objects],
        &["completions", "bash"],
        &["--help"],
    ];
    for words in calls {
        let mut tool = command(words);
        let mut child = tool.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the tool");
        drop(child.stdout.take());
        let done = child.wait_with_output().expect("the tool");
        assert_eq!((done.status.code(), done.stderr.len()), (Some(0), 0), "{words:?}: {done:?}");
    }
}

#[test]
fn the_name_of_the_output_says_its_format() {
    let folder = Folder::new("formats");
    let start = |name: &str, options: &[&str]| {
        let out = folder.path(name);
        done(&[&["get", &path(SAMPLE), "0, :3, :3", "-o", &out], options].concat());
        fs::read(&out).expect("the values")[..2].to_vec()
    };
    assert_eq!(start("a.npy", &[]), b"\x93N");
    assert_eq!([start("a.json", &[]), start("a.text", &[])], [b"[[", b"[["]);
    assert_eq!(start("a.out", &[]), b"[[");
    assert_eq!(start("a.raw", &[]), start("b.json", &["-f", "raw"]));
}
