//! `b2nd create` as scripts see it, and what all commands that write have in common.

use crate::common::golden;
use crate::common::tool::{
    Folder, b2nd, command, done, done_with, json, names, numbers, path, piped, raw, refused, status,
};
use serde_json::{Value, json};
use std::fs;
use std::process::Command;

const SAMPLE: &str = "blosc2-4.14.1/sample.b2nd";
const SPARSE: &str = "blosc2-4.14.1/sparse-lz4.b2frame";

#[test]
fn arrays_are_made_from_files_and_pipes_to_the_same_bytes() {
    let folder = Folder::new("create");
    let npy = done(&["get", &path(SAMPLE), "-f", "npy"]);
    let [input, file, pipe, second] =
        ["x.npy", "file.b2nd", "pipe.b2nd", "second.b2nd"].map(|name| folder.path(name));
    fs::write(&input, &npy).expect("written");
    done(&["create", &input, &file]);
    done_with(&["create", "-", &pipe], &npy);
    fs::write(&second, done(&["create", &input, "-"])).expect("written");
    let bytes = fs::read(&file).expect("a frame");
    assert_eq!((raw(&file), bytes.len() < npy.len()), (raw(&path(SAMPLE)), true));
    assert!(fs::read(&pipe).expect("a frame") == bytes && fs::read(&second).expect("a frame") == bytes);
    let info = json(&["info", "--json", &file]);
    assert_eq!(
        (&info["shape"], &info["dtype"], &info["codec"]),
        (&json!([12, 30, 40]), &json!("<f4"), &json!("zstd"))
    );
    assert_eq!(info["filters"], json!([{ "id": 1, "name": "shuffle", "meta": 0 }]));

    let sparse = folder.path("sparse");
    done(&["create", &input, &sparse, "--sparse"]);
    assert!(fs::metadata(format!("{sparse}/chunks.b2frame")).expect("an index").is_file());
    assert_eq!(raw(&sparse), raw(&file));
    assert_eq!(names(&folder), ["file.b2nd", "pipe.b2nd", "second.b2nd", "sparse", "x.npy"]);
}

#[test]
fn options_say_how() {
    let folder = Folder::new("options");
    let out = folder.path("out.b2nd");
    let output = piped(
        &[
            "create",
            "-",
            &out,
            "--shape",
            "20,30",
            "--dtype",
            ">u2",
            "--chunks",
            "10,30",
            "--blocks",
            "5,10",
            "--codec",
            "lz4",
            "--clevel",
            "9",
            "--filters",
            "delta,bitshuffle",
            "--split",
            "never",
            "--metalayer",
            "grid={\"x\": [1, 2.5]}",
            "--attr",
            "units=\"K\"",
            "--attr",
            "none=null",
            "--threads",
            "2",
            "--explain",
            "--json",
        ],
        &numbers(0..600),
    );
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("chunks [10, 30], blocks [5, 10]") && said.contains("delta,bitshuffle"), "{said}");
    let info: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let names: Vec<_> =
        info["filters"].as_array().expect("filters").iter().map(|filter| &filter["name"]).collect();
    assert_eq!(names, ["delta", "bitshuffle"]);
    assert_eq!((&info["chunks"], &info["blocks"]), (&json!([10, 30]), &json!([5, 10])));
    assert_eq!(
        (&info["codec"], &info["clevel"], &info["splitmode"]),
        (&json!("lz4"), &json!(9), &json!("never"))
    );
    assert_eq!((&info["dtype"], &info["metalayers"]["grid"]), (&json!(">u2"), &json!({ "x": [1, 2.5] })));
    assert_eq!(info["attributes"], json!({ "units": "K", "none": null }));
    assert_eq!(raw(&out), numbers(0..600));

    done_with(&["create", "-", &out, "--shape", "600", "--dtype", "<u2", "--caterva"], &numbers(0..600));
    assert_eq!(json(&["info", "--json", &out])["dtype"], Value::Null);
}

/// Filters and codecs that the tool chooses, and what it says of it.
#[test]
fn choices_are_explained() {
    let folder = Folder::new("auto");
    let [out, again, items] = ["x.b2nd", "again.b2nd", "items.b2frame"].map(|name| folder.path(name));
    let walk: Vec<u8> = (0..40_000_u32).flat_map(|n| (n * n % 977 + n / 3).to_le_bytes()).collect();
    let create =
        ["create", "-", &out, "--shape", "100,400", "--dtype", "<u4", "--codec", "lz4", "--chunks", "25,400"];
    let output = piped(&[&create[..], &["--filters", "auto", "--explain", "--json"]].concat(), &walk);
    let said = String::from_utf8(output.stderr).expect("text");
    assert!(said.contains("codec lz4, clevel 5, filters auto"), "{said}");
    let tried: Vec<&str> = said.lines().filter(|line| line.contains(" lz4  ")).collect();
    let best: Vec<&&str> = tried.iter().filter(|line| line.starts_with("->")).collect();
    assert!(tried.len() == 4 && best.len() == 1, "{said}");
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let auto = &told["auto"];
    assert_eq!((&auto["goal"], &auto["chosen"][0]["nchunks"]), (&json!("balanced"), &json!(4)));
    let chosen = auto["tried"].as_array().expect("candidates").iter().find(|trial| trial["chosen"] == true);
    let filters = chosen.expect("one of them")["filters"].as_str().expect("text");
    assert!(best[0].contains(filters) && said.contains(&format!("4 chunks with lz4, {filters}")), "{said}");
    let names: Vec<&str> = told["filters"]
        .as_array()
        .expect("filters")
        .iter()
        .filter_map(|filter| filter["name"].as_str())
        .collect();
    assert_eq!(names.join(","), filters);
    assert_eq!(raw(&out), walk);

    done(&["repack", &out, &again, "--codec", "auto", "--goal", "ratio", "--clevel", "9"]);
    assert_eq!(json(&["info", "--json", &again])["codec"], json!("zstd"));
    assert!(fs::metadata(&again).expect("a file").len() < fs::metadata(&out).expect("a file").len());
    assert_eq!(raw(&again), walk);
    // A goal alone chooses filters, unless they are named.
    for (options, auto) in
        [(&["--goal", "speed"][..], true), (&["--goal", "speed", "--filters", "shuffle"], false)]
    {
        let json = output_of(&[&["repack", &out, &again, "--explain", "--json"], options].concat());
        assert_eq!(json["auto"]["goal"] == json!("speed"), auto);
    }
    assert_eq!(status(&["repack", &out, &again, "--goal", "best"]), 2);

    let frame = &path("blosc2-4.14.1/pipe-lz4-shuf-t255-walk-split2.b2frame");
    let json = output_of(&["repack", frame, &items, "--filters", "auto", "--explain", "--json"]);
    assert!(json["auto"]["chosen"].as_array().expect("choices").len() == 1, "{json}");
    assert_eq!(raw(&items), raw(frame));
}

fn output_of(arguments: &[&str]) -> Value {
    serde_json::from_slice(&done(arguments)).expect("JSON")
}

/// The bit of the frame's header stays where a frame is written anew, but not for codecs without dictionaries.
#[test]
fn dictionaries_are_asked_for() {
    let folder = Folder::new("dictionaries");
    let [plain, with, again, zlib] = ["plain", "with", "again", "zlib"].map(|name| folder.path(name));
    let records: Vec<u8> = (0..1000_u64)
        .flat_map(|i| {
            format!("{i:08} a sentence of {:08}, as {:08}\n", i * i % 977, i * 7919 % 1009).into_bytes()
        })
        .collect();
    let shape = records.len().to_string();
    let options = ["--shape", &shape, "--dtype", "|u1", "--blocks", "512", "--codec", "lz4"];
    done_with(&[&["create", "-", &plain][..], &options].concat(), &records);
    done_with(&[&["create", "-", &with, "--dict"][..], &options].concat(), &records);
    done(&["repack", &with, &again, "--clevel", "10"]);
    done(&["repack", &with, &zlib, "--codec", "zlib"]);
    let bytes = [&plain, &with, &again, &zlib].map(|path| fs::read(path).expect("a frame"));
    assert_eq!(bytes.each_ref().map(|bytes| bytes[85]), [0, 1, 1, 0]);
    assert!(bytes[1].len() < bytes[0].len() * 4 / 5, "{} of {}", bytes[1].len(), bytes[0].len());
    for path in [&with, &again, &zlib] {
        assert_eq!(raw(path), records);
    }
}

/// `create` reads the CSV that `get` writes.
#[test]
fn tables_are_read_back() {
    let folder = Folder::new("tables");
    let [table, made] = ["x.csv", "made.b2nd"].map(|name| folder.path(name));
    let mut seen = 0;
    for case in golden().iter().filter(|case| case.kind() == "array" && case.error().is_none()) {
        let file = case.path.to_str().expect("UTF-8");
        if case.offset() > 0 || !case.name.starts_with("blosc2-4.14.1/") {
            continue;
        }
        let info = json(&["info", "--json", "--as-stored", file]);
        let (shape, dtype) =
            (info["shape"].as_array().expect("a shape"), info["dtype"].as_str().unwrap_or_default());
        let count: u64 = shape.iter().filter_map(Value::as_u64).product();
        let is_exact = ["i", "u", "f4", "f8", "b", "c8", "c16", "M", "m"]
            .iter()
            .any(|kind| dtype.get(1..).is_some_and(|rest| rest.starts_with(kind)));
        if !is_exact || count == 0 || count > 5000 || !info["reference"].is_null() || seen == 40 {
            continue;
        }
        seen += 1;
        fs::write(&table, done(&["get", file, "-f", "csv"])).expect("written");
        let lens: Vec<String> = shape.iter().map(Value::to_string).collect();
        let lens = format!("({})", lens.join(","));
        done(&["create", &table, &made, "--dtype", dtype, "--shape", &lens]);
        // NaN has many forms.
        let text = |path: &str| done(&["get", path, "-f", "json"]);
        assert_eq!(text(&made), text(file), "{}", case.name);
    }
    assert_eq!(seen, 40);
}

#[test]
fn arrays_of_the_corpus_are_made_anew() {
    let folder = Folder::new("anew");
    let made = folder.path("made.b2nd");
    let mut seen = 0;
    for case in golden().iter().filter(|case| case.kind() == "array" && case.error().is_none()).step_by(6) {
        let file = case.path.to_str().expect("UTF-8");
        if case.offset() > 0 || case.dparams().early_bitshuffle {
            continue;
        }
        let npy = b2nd(&["get", file, "-f", "npy"]);
        // Lazy arrays, and lists of zeros that are longer than the limits.
        if !npy.status.success() || npy.stdout.len() > 4 << 20 {
            continue;
        }
        seen += 1;
        done_with(&["create", "-", &made, "--threads", "1"], &npy.stdout);
        assert!(raw(&made) == raw(file), "{}", case.name);
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn whoever_is_at_fault_is_told() {
    let folder = Folder::new("faults");
    let [array, npy, csv, bin] = ["a.b2nd", "x.npy", "x.csv", "x.bin"].map(|name| folder.path(name));
    done_with(&["create", "-", &array, "--shape", "2,3", "--dtype", "<u2"], &numbers(0..6));
    fs::write(&npy, done(&["get", &array, "-f", "npy"])).expect("written");
    fs::write(&csv, "1,2\n3,x\n").expect("written");
    fs::write(&bin, [1, 2, 3]).expect("written");
    let out = folder.path("out.b2nd");
    assert!(refused(&["create", &bin, &out], 2).contains("--from npy, csv or raw"));
    assert!(refused(&["create", &bin, &out, "--from", "raw"], 2).contains("--dtype"));
    assert!(
        refused(&["create", &bin, &out, "--dtype", "<u2"], 1).contains("3 bytes of items, the shape needs 4")
    );
    assert!(refused(&["create", &bin, &out, "--from", "npy"], 1).contains("not a .npy file"));
    assert!(refused(&["create", &csv, &out], 1).contains("line 2, column 2: \"x\" is no value of dtype <f8"));
    assert!(refused(&["create", &npy, &out, "--dtype", "<i2"], 2).contains("the dtype is <u2, not <i2"));
    assert!(refused(&["create", &npy, &out, "--chunks", "2"], 2).contains("1 indices for 2 dimensions"));
    assert!(refused(&["create", &npy, "-", "--sparse"], 2).contains("standard output"));
    assert_eq!(status(&["create", &npy, &out, "--codec", "snappy"]), 3);
    assert_eq!(status(&["create", &npy, &out, "--filters", "shufle"]), 2);
    assert_eq!(status(&["create", &folder.path("none"), &out, "--dtype", "u1"]), 1);
    assert_eq!(status(&["create", &npy, &folder.path("none/out")]), 2);
    assert!(!fs::exists(&out).expect("a folder"));

    assert!(refused(&["set", &array, "0", &npy], 2).contains("the shape is [2, 3], not [3]"));
    assert!(refused(&["set", &array, "0", "--value", "-1"], 2).contains("\"-1\" is no value of dtype <u2"));
    assert_eq!(status(&["set", &array, "0"]), 2);
    assert_eq!(status(&["set", &array, "9", "--value", "1"]), 2);
    assert_eq!(status(&["set", &path(SPARSE), "0", "--value", "1"]), 2);
    assert_eq!(status(&["resize", &array, "1"]), 2);
    assert_eq!(status(&["append", &array, &npy, "--axis", "2"]), 2);
    assert_eq!(status(&["compact", &array, "--offset", "1"]), 2);
    assert_eq!(status(&["set", &folder.path("none"), "0", "--value", "1"]), 1);
    assert_eq!(raw(&array), numbers(0..6));
}

#[test]
fn what_fails_leaves_what_was_there() {
    let folder = Folder::new("left");
    let out = folder.path("out.b2nd");
    done_with(&["create", "-", &out, "--dtype", "u1", "--shape", "3"], b"abc");
    let before = fs::read(&out).expect("a frame");
    for (shape, message) in [("4", "3 bytes of items, the shape needs 4"), ("2", "more than the 2 bytes")] {
        let output = piped(&["create", "-", &out, "--dtype", "u1", "--shape", shape], b"abc");
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8_lossy(&output.stderr).contains(message), "{output:?}");
    }
    // The array grew before the values turned out to be too few.
    let output = piped(&["append", &out, "-", "--shape", "5", "--from", "raw"], b"abc");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!((fs::read(&out).expect("a frame"), names(&folder)), (before, vec!["out.b2nd".to_owned()]));
}

/// Items from a pipe take little memory, be they compressed as they come or copied to a file first.
#[test]
#[cfg(target_os = "linux")]
fn pipes_take_bounded_memory() {
    let folder = Folder::new("memory");
    let out = folder.path("out.b2nd");
    for shape in ["536870912", "8192,65536"] {
        // KiB of addresses, of which threads take some.
        let script = format!(
            "ulimit -v 262144; head -c 536870912 /dev/zero | {} create - {out} --dtype u1 --threads 1 --codec lz4 --shape {shape}",
            env!("CARGO_BIN_EXE_b2nd"),
        );
        let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let info = json(&["info", "--json", &out]);
        assert_eq!((info["nbytes"].as_u64(), info["codec"].as_str()), (Some(512 << 20), Some("lz4")));
    }
}

/// The tool waits for items that never come, and is killed then.
#[test]
#[cfg(target_os = "linux")]
fn who_is_killed_leaves_nothing_behind() {
    use core::time::Duration;
    use std::io::Write;
    use std::process::Stdio;
    use std::thread::sleep;
    let folder = Folder::new("killed");
    let out = folder.path("out.b2nd");
    fs::write(&out, "old").expect("written");
    for sparse in [&[][..], &["--sparse"]] {
        let create = ["create", "-", &out, "--dtype", "u1", "--shape", "30000000", "--chunks", "1000"];
        let mut command = command(&[&create[..], sparse].concat());
        let mut tool = command.stdin(Stdio::piped()).spawn().expect("the tool runs");
        let mut pipe = tool.stdin.take().expect("a pipe");
        pipe.write_all(&[7; 100_000]).expect("written");
        while names(&folder).len() < 2 {
            sleep(Duration::from_millis(5));
            assert_eq!(tool.try_wait().expect("a child"), None);
        }
        let kill = format!("kill -TERM {}", tool.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
        assert!(!tool.wait().expect("an end").success());
        assert_eq!(names(&folder), ["out.b2nd"]);
    }
    assert_eq!(fs::read(&out).expect("read"), b"old");
}

#[test]
fn delta_comes_with_a_warning() {
    let folder = Folder::new("creating-delta");
    let path = folder.path("a.b2nd");
    for (filters, warns) in [("delta,shuffle", true), ("bytedelta", false)] {
        let arguments = ["create", "-", &path, "--shape", "9", "--dtype", "<i2", "--filters", filters];
        let output = piped(&arguments, &numbers(0..9));
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stderr).contains("C-Blosc2 misreads"), warns, "{filters}");
    }
}

/// JSON lines become objects; what is no JSON leaves nothing.
#[test]
fn objects_are_made_of_lines() {
    let folder = Folder::new("objects");
    let lines = b"{\"a\":[1,-2.5,null]}\n\"text\"\n18446744073709551615\n";
    for (name, options) in [
        ("batch.b2b", &[][..]),
        ("single.b2f", &["--single"]),
        ("short.b2b", &["--batch", "2", "--block", "1"]),
    ] {
        let path = folder.path(name);
        done_with(&[&["create-objects", "-", &path, "--attr", "unit=1"], options].concat(), lines);
        assert_eq!(done(&["get", "-f", "ndjson", &path]), lines);
        assert!(done(&["verify", &path]).ends_with(b"3 objects\n"));
    }
    let wrong = folder.path("wrong.b2b");
    let output = piped(&["create-objects", "-", &wrong], b"1\n{\"a\": }\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 2 column 7"));
    assert_eq!(status(&["create-objects", "-", &wrong, "--sparse"]), 2);
    assert!(!std::path::Path::new(&wrong).exists());
}

/// Floats with losses: the parameter is told, kept and changed; other values are refused.
#[test]
fn floats_are_encoded_by_zfp() {
    let folder = Folder::new("zfp");
    let [input, out, rate, exact] =
        ["x.raw", "x.b2nd", "rate.b2nd", "exact.b2nd"].map(|name| folder.path(name));
    let values: Vec<f32> = (0..4000).map(|n| (n % 80) as f32 / 9.0 + (n / 80) as f32).collect();
    let plain: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    fs::write(&input, &plain).expect("written");
    let create = ["create", &input, &out, "--from", "raw", "--shape", "50,80"];
    let create = |dtype, codec| [&create[..], &["--dtype", dtype, "--codec", codec]].concat();
    done(&create("<f4", "zfp_acc:1e-2"));
    let told = |file: &str| {
        let info = json(&["info", "--json", file]);
        (info["codec"].clone(), info["codec_meta"].clone(), info["filters"].clone())
    };
    assert_eq!(told(&out), (json!("zfp_acc"), json!(254), json!([])));
    let read = |file: &str| -> Vec<f32> {
        raw(file).as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()
    };
    assert!(read(&out).iter().zip(&values).all(|(read, value)| (read - value).abs() <= 0.01));
    assert!(fs::metadata(&out).expect("a file").len() < plain.len() as u64 / 2);

    done(&["repack", &out, &rate, "--codec", "zfp_rate:50"]);
    assert_eq!(told(&rate), (json!("zfp_rate"), json!(50), json!([])));
    assert!(read(&rate).iter().zip(&values).all(|(read, value)| (read - value).abs() <= 0.03));
    done(&["repack", &rate, &exact, "--codec", "zstd"]);
    assert_eq!((told(&exact), raw(&exact)), ((json!("zstd"), Value::Null, json!([])), raw(&rate)));

    for (dtype, codec, wanted) in [
        ("<i4", "zfp_acc:1e-2", "floats"),
        (">f4", "zfp_acc:1e-2", "floats"),
        ("<f4", "zfp_acc:2e-2", "power of 10"),
        ("<f4", "zfp_rate:0", "percentage"),
    ] {
        let said = refused(&create(dtype, codec), 2);
        assert!(said.contains(wanted), "{said}");
    }
}
