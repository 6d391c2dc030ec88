//! The command line as scripts see it: JSON keys, formats, exit statuses.

mod common;

use common::forgery::Forgery;
use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name)
}

fn b2nd(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_b2nd")).args(arguments).output().expect("the tool runs")
}

fn status(arguments: &[&str]) -> i32 {
    b2nd(arguments).status.code().expect("an exit status")
}

fn json(arguments: &[&str]) -> Value {
    let output = b2nd(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn path(name: &str) -> String {
    golden(name).to_str().expect("a path in UTF-8").to_owned()
}

const SAMPLE: &str = "blosc2-4.14.1/sample.b2nd";

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
        "nchunks",
        "codec",
        "clevel",
        "filters",
        "splitmode",
        "contiguous",
        "frame_version",
        "metalayers",
        "vlmetalayers",
    ];
    assert_eq!(keys, expected);
    assert_eq!(info["kind"], "array");
    assert_eq!(info["shape"], serde_json::json!([12, 30, 40]));
    assert_eq!(info["blocks"], serde_json::json!([3, 10, 20]));
    assert_eq!(info["codec"], "zstd");
    assert_eq!(info["filters"], serde_json::json!([{ "id": 1, "name": "shuffle", "meta": 0 }]));
    assert_eq!(info["metalayers"]["grid"]["x"], serde_json::json!([-3.0, 3.0]));
    assert_eq!(info["vlmetalayers"]["units"], "K");
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
}

#[test]
fn a_failed_get_leaves_the_old_file() {
    let folder = std::env::temp_dir().join(format!("b2nd-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let out = folder.join("out.raw");
    std::fs::write(&out, "old").expect("written");
    let out_text = out.to_str().expect("UTF-8");
    assert_eq!(status(&["get", &path("damaged/x-frame-half.b2nd"), "-f", "raw", "-o", out_text]), 1);
    assert_eq!(std::fs::read(&out).expect("read"), b"old");
    assert_eq!(status(&["get", &path(SAMPLE), "0, 0, :1", "-f", "raw", "-o", out_text]), 0);
    assert_eq!(std::fs::read(&out).expect("read").len(), 4);
    std::fs::remove_dir_all(folder).expect("removed");
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

/// What a file claims costs neither time nor memory, where its values are not wanted.
#[test]
#[cfg(target_os = "linux")]
fn claims_cost_nothing() {
    /// KiB of addresses; threads would take more.
    const LITTLE: &str = "ulimit -v 200000;";
    let folder = std::env::temp_dir().join(format!("b2nd-claims-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let file = folder.join("zeros.b2nd");
    std::fs::write(&file, Forgery::of_zeros(1 << 27).bytes).expect("written");
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
    std::fs::remove_dir_all(folder).expect("removed");
}

#[test]
fn the_message_of_a_limit_names_the_option() {
    let sample = path(SAMPLE);
    let refused = b2nd(&["get", &sample, "-f", "raw", "--max-memory", "1K"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("raise --max-memory"), "{refused:?}");
    assert_eq!(status(&["get", &sample, "-f", "raw", "--max-memory", "1M"]), 0);
    assert_eq!(status(&["get", &sample, "--max-memory", "much"]), 2);
}
