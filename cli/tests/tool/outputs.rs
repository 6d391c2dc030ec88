//! The command with paths that are not files: directories, links, pipes and devices.
#![cfg(unix)]

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, process, thread};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = env::temp_dir().join(format!("b2nd-outputs-{name}-{}", process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_b2nd"));
        command.args(words).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    /// Sixteen values, and an array of them.
    fn values(&self) {
        fs::write(self.0.join("x.raw"), (0..16).collect::<Vec<u8>>()).unwrap();
        ok(&self.run(&["create", "--dtype", "u1", "x.raw", "x.b2nd"]));
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[track_caller]
fn ok(output: &Output) {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[track_caller]
fn fails(output: &Output, status: i32, with: &str) {
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), text.contains(with)), (Some(status), true), "{text}");
}

fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The bytes that a pipe receives.
fn received(path: PathBuf) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        fs::File::open(path).unwrap().read_to_end(&mut bytes).unwrap();
        bytes
    })
}

#[test]
fn directories_stay() {
    let folder = Folder::new("directories");
    folder.values();
    fs::create_dir(folder.0.join("vd")).unwrap();
    fs::write(folder.0.join("vd/thesis.txt"), "years").unwrap();
    for words in [
        &["create", "--dtype", "u1", "x.raw", "vd"][..],
        &["create", "--dtype", "u1", "--sparse", "x.raw", "vd/"],
        &["create", "--dtype", "u1", "x.raw", "vd/.."],
        &["create", "--dtype", "u1", "x.raw", "."],
        &["repack", "x.b2nd", "vd"],
        &["repack", "--sparse", "x.b2nd", "vd/../vd"],
    ] {
        fails(&folder.run(words), 2, "which is no part of a sparse frame");
    }
    fails(&folder.run(&["get", "x.b2nd", "-o", "vd"]), 2, "cannot write the output");
    assert_eq!(fs::read(folder.0.join("vd/thesis.txt")).unwrap(), b"years");
    assert_eq!(folder.names(), ["vd", "x.b2nd", "x.raw"]);
    let sparse = ["repack", "--sparse", "x.b2nd", "s"];
    ok(&folder.run(&sparse));
    ok(&folder.run(&sparse));
    ok(&folder.run(&["repack", "x.b2nd", "s"]));
    assert_eq!(fs::read(folder.0.join("s")).unwrap(), fs::read(folder.0.join("x.b2nd")).unwrap());
}

#[test]
fn devices_and_pipes_are_written_to() {
    let folder = Folder::new("devices");
    folder.values();
    let frame = fs::read(folder.0.join("x.b2nd")).unwrap();
    symlink("/dev/full", folder.0.join("full")).unwrap();
    for words in [
        &["create", "--dtype", "u1", "x.raw", "full"][..],
        &["repack", "x.b2nd", "full"],
        &["get", "-f", "raw", "x.b2nd", "-o", "full"],
    ] {
        fails(&folder.run(words), 2, "No space left on device");
    }
    for words in [&["create", "--dtype", "u1", "x.raw", "/dev/null"][..], &["repack", "x.b2nd", "/dev/null"]]
    {
        ok(&folder.run(words));
    }
    fails(&folder.run(&["repack", "--sparse", "x.b2nd", "/dev/null"]), 2, "a sparse frame is a directory");
    let path = folder.0.join("pipe");
    pipe(&path);
    for (words, expected) in [
        (&["create", "--dtype", "u1", "x.raw", "pipe"][..], &frame),
        (&["repack", "x.b2nd", "pipe"], &frame),
        (&["get", "-f", "raw", "x.b2nd", "-o", "pipe"], &(0..16).collect()),
    ] {
        let reader = received(path.clone());
        ok(&folder.run(words));
        assert_eq!(reader.join().unwrap(), *expected);
    }
    // Standard output may be a file that is appended to.
    fs::write(folder.0.join("log"), "old").unwrap();
    let log = fs::File::options().append(true).open(folder.0.join("log")).unwrap();
    let mut get = folder.command(&["get", "-f", "raw", "x.b2nd", "-o", "/dev/stdout"]);
    assert!(get.stdout(log).status().unwrap().success());
    assert_eq!(
        fs::read(folder.0.join("log")).unwrap(),
        [&b"old"[..], &(0..16).collect::<Vec<u8>>()].concat()
    );
    assert_eq!(folder.names(), ["full", "log", "pipe", "x.b2nd", "x.raw"]);
}

#[test]
fn pipes_are_read_to_their_end() {
    let folder = Folder::new("inputs");
    folder.values();
    let path = folder.0.join("pipe");
    pipe(&path);
    let expected = fs::read(folder.0.join("x.b2nd")).unwrap();
    let send = |name: &str| {
        let (bytes, path) = (fs::read(folder.0.join(name)).unwrap(), path.clone());
        thread::spawn(move || fs::write(path, bytes).unwrap())
    };
    for (name, words) in [
        ("x.b2nd", &["info", "pipe"][..]),
        ("x.b2nd", &["verify", "pipe"]),
        ("x.b2nd", &["get", "pipe"]),
        ("x.b2nd", &["repack", "pipe", "y.b2nd"]),
        ("x.raw", &["create", "--dtype", "u1", "pipe", "z.b2nd"]),
        ("x.raw", &["set", "x.b2nd", "", "pipe"]),
    ] {
        let writer = send(name);
        ok(&folder.run(words));
        writer.join().unwrap();
    }
    let read = |name: &str| fs::read(folder.0.join(name)).unwrap();
    assert!(read("y.b2nd") == expected && read("z.b2nd") == expected);
}

#[test]
fn pipes_that_no_process_writes_to_are_errors() {
    let folder = Folder::new("silent");
    folder.values();
    pipe(&folder.0.join("pipe"));
    // All at once, since each waits for a moment.
    let children: Vec<_> = [
        &["info", "pipe"][..],
        &["get", "pipe"],
        &["ls", "pipe"],
        &["create", "--dtype", "u1", "pipe", "z.b2nd"],
        &["append", "x.b2nd", "pipe"],
        &["resize", "pipe", "5"],
        &["get", "x.b2nd", "--mask", "pipe"],
    ]
    .iter()
    .map(|words| folder.command(words).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap())
    .collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        fails(&output, 1, "pipe");
    }
    assert_eq!(folder.names(), ["pipe", "x.b2nd", "x.raw"]);
}

#[test]
fn links_are_followed() {
    let folder = Folder::new("links");
    folder.values();
    fs::create_dir(folder.0.join("data")).unwrap();
    symlink("data/a.b2nd", folder.0.join("link")).unwrap();
    symlink("data/a.npy", folder.0.join("npy")).unwrap();
    let is_link = |name: &str| fs::symlink_metadata(folder.0.join(name)).unwrap().is_symlink();
    for words in [
        &["create", "--dtype", "u1", "x.raw", "link"][..],
        &["repack", "x.b2nd", "link"],
        &["attrs", "link", "set", "name", "1", "--metalayers"],
        &["compact", "link"],
        &["get", "link", "-f", "npy", "-o", "npy"],
        &["get", "link", "-f", "npy", "-o", "npy"],
    ] {
        ok(&folder.run(words));
        assert!(is_link("link") && is_link("npy"));
    }
    let mut names: Vec<_> =
        fs::read_dir(folder.0.join("data")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.b2nd", "a.npy"]);
}

#[test]
fn what_is_made_of_a_file_is_as_private() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("private");
    folder.values();
    let mode = |name: &str| fs::metadata(folder.0.join(name)).unwrap().permissions().mode() & 0o077;
    let public = mode("x.b2nd");
    for (private, expected) in [(0o600, 0), (0o640, 0o040 & public), (0o644, public)] {
        for name in ["x.b2nd", "x.raw"] {
            fs::set_permissions(folder.0.join(name), fs::Permissions::from_mode(private)).unwrap();
        }
        let [repacked, created] = ["repacked", "created"].map(|name| format!("{private}-{name}"));
        ok(&folder.run(&["repack", "x.b2nd", &repacked]));
        ok(&folder.run(&["create", "--dtype", "u1", "x.raw", &created]));
        assert_eq!([mode(&repacked), mode(&created)], [expected; 2], "{private:o}");
    }
}
