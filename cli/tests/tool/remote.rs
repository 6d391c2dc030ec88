//! URLs: what the tool prints is what it prints of files, whatever the server does, or it fails and says why.
#![cfg(feature = "object_store")]

use crate::common::server;
use crate::common::tool::{command, done, golden, path, refused};
use alloc::sync::Arc;
use core::time::Duration;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Output;
use std::sync::Mutex;
use std::thread;

/// A fault that the server adds to its answer.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// It answers with status 500.
    Fails,
    /// It closes the connection in the middle of the body.
    Cut,
    /// It waits for a moment.
    Slow,
    /// The file is another one from now on.
    Changed,
    /// So it is, and the server does not compare ETags.
    Mixed,
    /// It sends the whole file.
    Whole,
    /// It wants a password.
    Forbidden,
}

#[derive(Default)]
struct State {
    /// Ranges that were asked for, with their paths.
    asked: Vec<(String, String)>,
    /// The faults of the next requests.
    faults: Vec<Option<Fault>>,
    changed: bool,
}

/// A server of the golden files, which are also the objects of the bucket `golden`.
#[derive(Clone)]
struct Server {
    url: String,
    state: Arc<Mutex<State>>,
}

impl Server {
    fn new() -> Self {
        let (listener, url) = server::listen();
        let server = Self { url, state: Arc::default() };
        let serving = server.clone();
        server::serve(listener, move |stream| while serving.answer(&stream).is_some() {});
        server
    }

    fn fail(&self, faults: &[Option<Fault>]) {
        *self.state.lock().unwrap() = State { faults: faults.to_vec(), ..State::default() };
    }

    /// Answers a request; `None` at the end of the connection.
    fn answer(&self, mut stream: &TcpStream) -> Option<()> {
        let mut lines = BufReader::new(stream).lines();
        let request = lines.next()?.ok()?;
        let headers: Vec<String> = lines.map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
        let header = |name: &str| {
            headers.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": ").map(str::to_owned))
        };
        let target = request.split(' ').nth(1)?;
        let (file, query) = target.split_once('?').unwrap_or((target, ""));
        let file = &decoded(file);
        let range = header("range").unwrap_or_default();
        let (fault, changed) = {
            let mut state = self.state.lock().unwrap();
            state.asked.push((file.to_owned(), range.clone()));
            let fault = if state.faults.is_empty() { None } else { state.faults.remove(0) };
            state.changed |= matches!(fault, Some(Fault::Changed | Fault::Mixed));
            (fault, state.changed)
        };
        let mut send = |status: &str, headers: &str, body: &[u8]| {
            let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
            let body = if request.starts_with("HEAD") { b"" } else { body };
            stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).ok()
        };
        match fault {
            Some(Fault::Fails) => return send("500 Internal Server Error", "", b"out of order"),
            Some(Fault::Forbidden) => return send("403 Forbidden", "", b""),
            Some(Fault::Slow) => thread::sleep(Duration::from_millis(50)),
            _ => {}
        }
        if query.contains("list-type=2") {
            return send("200 OK", "", listing().as_bytes());
        }
        let Ok(mut bytes) = fs::read(golden(file.trim_start_matches("/golden").trim_start_matches('/')))
        else {
            return send("404 Not Found", "", b"");
        };
        if changed {
            let len = bytes.len();
            bytes[len / 2..].iter_mut().for_each(|byte| *byte ^= 1);
        }
        let tag = format!("\"{}\"", u8::from(changed));
        if header("if-match").is_some_and(|asked| asked != tag) && fault != Some(Fault::Mixed) {
            return send("412 Precondition Failed", "", b"");
        }
        let ends = range.strip_prefix("bytes=").and_then(|range| range.split_once('-'));
        let headers = format!("etag: {tag}\r\nlast-modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n");
        let Some((start, end)) = ends.filter(|_| fault != Some(Fault::Whole)) else {
            return send("200 OK", &headers, &bytes);
        };
        let (start, end): (usize, usize) = (start.parse().ok()?, end.parse().ok()?);
        let end = (end + 1).min(bytes.len());
        let headers = format!("{headers}content-range: bytes {start}-{}/{}\r\n", end - 1, bytes.len());
        if fault == Some(Fault::Cut) {
            let head =
                format!("HTTP/1.1 206 Partial Content\r\ncontent-length: {}\r\n{headers}\r\n", end - start);
            let _ = stream
                .write_all(head.as_bytes())
                .and_then(|()| stream.write_all(&bytes[start..(start + end) / 2]));
            let _ = stream.shutdown(std::net::Shutdown::Both);
            return None;
        }
        send("206 Partial Content", &headers, &bytes[start..end])
    }
}

/// A path without the escapes that Google's client writes.
fn decoded(path: &str) -> String {
    ["%2F=/", "%2E=.", "%2D=-"]
        .iter()
        .fold(path.to_owned(), |path, escape| path.replace(&escape[..3], &escape[4..]))
}

/// The objects below `stores/dict.b2d`, as S3 and Google Cloud list them.
fn listing() -> String {
    fn walk(folder: &Path, name: &str, text: &mut String) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = format!("{name}/{}", path.file_name().unwrap().display());
            if path.is_dir() {
                walk(&path, &name, text);
            } else {
                *text += &format!(
                    "<Contents><Key>{name}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>\"0\"</ETag>\
                     <Size>{}</Size><StorageClass>STANDARD</StorageClass></Contents>",
                    path.metadata().unwrap().len()
                );
            }
        }
    }
    let mut text = "<ListBucketResult><Name>golden</Name><IsTruncated>false</IsTruncated>".into();
    walk(&golden("stores/dict.b2d"), "stores/dict.b2d", &mut text);
    text + "</ListBucketResult>"
}

fn run(server: &Server, arguments: &[&str]) -> Output {
    let mut command = command(arguments);
    let keys =
        [("ENDPOINT", &*server.url), ("ALLOW_HTTP", "true"), ("REGION", "here"), ("ACCESS_KEY_ID", "me")];
    command.envs(keys.map(|(name, value)| (format!("AWS_{name}"), value)));
    command.env("AWS_SECRET_ACCESS_KEY", "secret").env("NO_PROXY", "127.0.0.1");
    let account = r#"{"disable_oauth": true, "client_email": "", "private_key": "", "private_key_id": "", "gcs_base_url": "@"}"#;
    command
        .env("GOOGLE_SERVICE_ACCOUNT_KEY", account.replace('@', &server.url))
        .env("GOOGLE_ALLOW_HTTP", "true");
    command.output().expect("the tool runs")
}

/// Compares a command's outputs for a file and for its URLs.
fn same(server: &Server, arguments: &[&str], file: &str, key: &str) {
    let of = |input: String| {
        let arguments: Vec<&str> =
            arguments.iter().map(|word| if *word == "@" { &*input } else { word }).collect();
        let output = run(server, &arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).replace(&input, "@")
    };
    let expected = of(path(file) + key);
    assert!(!expected.is_empty());
    if !file.ends_with(".b2d") {
        assert_eq!(of(format!("{}/{file}{key}", server.url)), expected, "{arguments:?} {file}{key}");
    }
    for cloud in ["s3", "gs"] {
        let url = format!("{cloud}://golden/{file}{key}");
        assert_eq!(of(url.clone()), expected, "{arguments:?} {url}");
    }
}

const SAMPLE: &str = "blosc2-4.14.1/sample.b2nd";

#[test]
fn urls_read_as_files_do() {
    let server = Server::new();
    for arguments in [
        &["info", "@"][..],
        &["get", "@", "-f", "raw"],
        &["get", "@", "::5, 3", "-f", "csv"],
        &["chunks", "@"],
        &["verify", "@"],
    ] {
        same(&server, arguments, SAMPLE, "");
    }
    for file in ["stores/tree.b2z", "stores/embed.b2e", "stores/dict.b2d"] {
        same(&server, &["ls", "@"], file, "");
        same(&server, &["verify", "@"], file, "");
        same(&server, &["get", "@"], file, "/group/image");
        same(&server, &["info", "@"], file, "/group/image");
    }
    for arguments in
        [&["info", "@"][..], &["get", "@", "-f", "json"], &["get", "@", "2:4", "--columns", "f0"]]
    {
        same(&server, arguments, "tables/001.b2z", "");
    }
    same(&server, &["get", "@"], "objects/001.b2b", "");
    same(&server, &["get", "@"], "blosc2-4.14.1/sparse-2d.b2nd", "");
    // The query of a signed URL.
    assert_eq!(
        done(&["get", &format!("{}/{SAMPLE}?signed=1", server.url), "3"]),
        done(&["get", &path(SAMPLE), "3"])
    );
}

#[test]
fn requests_are_printed() {
    let server = Server::new();
    let url = format!("{}/{SAMPLE}", server.url);
    let output = run(&server, &["get", &url, "-1, ::10, 5", "--requests"]);
    let printed = String::from_utf8(output.stderr).unwrap();
    let lines = ["bytes 0 to 8192", "bytes 25960 to 26008", "bytes 13158 to 25960"]
        .map(|bytes| format!("{url}: {bytes}\n"));
    assert_eq!(printed, lines.concat() + "3 requests, 21042 bytes\n");
    let asked: Vec<_> = server.state.lock().unwrap().asked.iter().map(|(_, range)| range.clone()).collect();
    assert_eq!(asked, ["bytes=0-8191", "bytes=25960-26007", "bytes=13158-25959"]);
}

/// Transient faults do no harm, at whichever request they happen.
#[test]
fn faults_that_pass_are_overcome() {
    let server = Server::new();
    let expected = done(&["get", &path(SAMPLE), "-f", "raw"]);
    for fault in [Fault::Fails, Fault::Cut, Fault::Slow] {
        for at in 0..3 {
            let mut faults = vec![None; at];
            faults.push(Some(fault));
            server.fail(&faults);
            let output = run(&server, &["get", &format!("{}/{SAMPLE}", server.url), "-f", "raw"]);
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success() && output.stdout == expected, "{fault:?} {at}: {text}");
            assert!(server.state.lock().unwrap().faults.is_empty(), "{fault:?} {at}");
        }
    }
}

#[test]
fn a_file_that_changes_is_an_error() {
    let server = Server::new();
    let url = format!("{}/{SAMPLE}", server.url);
    for fault in [Fault::Changed, Fault::Mixed] {
        for at in 1..3 {
            let mut faults = vec![None; at];
            faults.push(Some(fault));
            server.fail(&faults);
            let output = run(&server, &["get", &url, "-f", "raw"]);
            let text = String::from_utf8_lossy(&output.stderr);
            assert!(text.contains("changed since"), "{fault:?} {at}: {text}");
            assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0), "{fault:?} {at}");
        }
    }
}

#[test]
fn files_of_servers_without_ranges_are_read_whole() {
    let server = Server::new();
    server.fail(&[Some(Fault::Whole); 2]);
    let output = run(&server, &["get", &format!("{}/{SAMPLE}", server.url), "-f", "raw"]);
    assert!(output.stdout == done(&["get", &path(SAMPLE), "-f", "raw"]));
    assert_eq!(server.state.lock().unwrap().asked.len(), 2);
}

#[test]
fn faults_that_stay_are_told() {
    let server = Server::new();
    let url = format!("{}/{SAMPLE}", server.url);
    for (fault, words, status) in [
        (Fault::Fails, "HTTP status 500 Internal Server Error", 1),
        (Fault::Forbidden, "HTTP status 403 Forbidden", 2),
    ] {
        server.fail(&[Some(fault); 100]);
        let text = refused(&["info", &url], status);
        assert!(text.starts_with(&format!("b2nd: {url}: {words}")), "{text}");
    }
    server.fail(&[]);
    let text = refused(&["info", &format!("{}/nowhere.b2nd", server.url)], 1);
    assert!(text.ends_with("nowhere.b2nd: not found\n"), "{text}");
    let text = refused(&["ls", &format!("{}/stores/dict.b2d", server.url)], 1);
    assert!(text.contains("an HTTP server does not list files"), "{text}");
    let text = refused(&["get", &format!("{}/stores/tree.b2z", server.url)], 2);
    assert!(text.contains("a store: name a member"), "{text}");
}
