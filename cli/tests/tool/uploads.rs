//! Arrays, stores and values written to an object store: complete objects, or none.
#![cfg(feature = "object_store")]

use crate::common::server;
use crate::common::tool::{Folder, command, done, golden, path};
use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Output;
use std::sync::Mutex;

const SAMPLE: &str = "blosc2-4.14.1/sample.b2nd";

#[derive(Default)]
struct State {
    objects: BTreeMap<String, Vec<u8>>,
    /// The parts of uploads that are not complete.
    parts: BTreeMap<String, BTreeMap<u32, Vec<u8>>>,
    /// Requests by their method and query.
    asked: Vec<String>,
    /// The method, and the number of requests with it, from which on all fail.
    fails: Option<(&'static str, usize)>,
}

/// A server with one bucket, as much of S3 as the tool uses.
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
        server::serve(listener, move |stream| {
            let mut reader = BufReader::new(stream.try_clone().expect("a connection"));
            while serving.answer(&mut reader, &stream).is_some() {}
        });
        server
    }

    /// Answers a request; `None` at the end of the connection.
    fn answer(&self, reader: &mut BufReader<TcpStream>, mut stream: &TcpStream) -> Option<()> {
        let lines: Vec<String> =
            reader.by_ref().lines().map_while(Result::ok).take_while(|line| !line.is_empty()).collect();
        let header = |name: &str| lines.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        let mut body = vec![0; header("content-length").map_or(0, |len| len.parse().expect("a length"))];
        reader.read_exact(&mut body).ok()?;
        let (method, target) = lines.first()?.split_once(' ')?;
        let target = target.split(' ').next()?;
        let (key, query) = target.split_once('?').unwrap_or((target, ""));
        let (status, headers, body) =
            self.reply((method, key.trim_start_matches("/bucket"), query), header("range"), body);
        let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len());
        let body = if method == "HEAD" { &[][..] } else { &body };
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body)).ok()
    }

    fn reply(
        &self,
        (method, key, query): (&str, &str, &str),
        range: Option<&str>,
        body: Vec<u8>,
    ) -> (&'static str, String, Vec<u8>) {
        let state = &mut *self.state.lock().unwrap();
        state.asked.push(format!("{method} {query}"));
        let count = state.asked.iter().filter(|asked| asked.starts_with(&format!("{method} "))).count();
        if state.fails.is_some_and(|(which, from)| which == method && count > from) {
            return ("403 Forbidden", String::new(), Vec::new());
        }
        let key = key.trim_start_matches('/').to_owned();
        let tag = "etag: \"1\"\r\nlast-modified: Thu, 01 Jan 2026 00:00:00 GMT\r\n".to_owned();
        let part = query.split('&').find_map(|pair| pair.strip_prefix("partNumber=")?.parse().ok());
        match (method, part) {
            ("PUT", Some(part)) => {
                state.parts.get_mut(&key).expect("an upload").insert(part, body);
            }
            ("PUT", None) => {
                state.objects.insert(key, body);
            }
            ("POST", _) if query.starts_with("uploads") => {
                state.parts.insert(key.clone(), BTreeMap::new());
                let text = format!(
                    "<InitiateMultipartUploadResult><Bucket>bucket</Bucket><Key>{key}</Key><UploadId>1</UploadId></InitiateMultipartUploadResult>"
                );
                return ("200 OK", String::new(), text.into());
            }
            ("POST", _) => {
                let parts = state.parts.remove(&key).expect("an upload");
                state.objects.insert(key, parts.into_values().flatten().collect());
                let text =
                    "<CompleteMultipartUploadResult><ETag>\"1\"</ETag></CompleteMultipartUploadResult>";
                return ("200 OK", String::new(), text.into());
            }
            ("DELETE", _) => {
                state.parts.remove(&key);
            }
            _ if query.contains("list-type=2") => {
                let prefix =
                    query.split('&').find_map(|pair| pair.strip_prefix("prefix=")).unwrap_or_default();
                let prefix = prefix.replace("%2F", "/");
                let mut text =
                    "<ListBucketResult><Name>bucket</Name><IsTruncated>false</IsTruncated>".to_owned();
                for (key, bytes) in state.objects.iter().filter(|(key, _)| key.starts_with(&prefix)) {
                    text += &format!(
                        "<Contents><Key>{key}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified><ETag>\"1\"</ETag><Size>{}</Size></Contents>",
                        bytes.len()
                    );
                }
                return ("200 OK", String::new(), (text + "</ListBucketResult>").into());
            }
            _ => {
                let Some(bytes) = state.objects.get(&key) else {
                    return ("404 Not Found", String::new(), Vec::new());
                };
                let ends = range.and_then(|range| range.strip_prefix("bytes=")?.split_once('-'));
                let Some((start, end)) = ends else { return ("200 OK", tag, bytes.clone()) };
                let start: usize = start.parse().expect("a number");
                let end = end.parse::<usize>().expect("a number").min(bytes.len() - 1);
                let headers = format!("{tag}content-range: bytes {start}-{end}/{}\r\n", bytes.len());
                return ("206 Partial Content", headers, bytes[start..=end].to_vec());
            }
        }
        ("200 OK", tag, Vec::new())
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = command(arguments);
        let keys =
            [("ENDPOINT", &*self.url), ("ALLOW_HTTP", "true"), ("REGION", "here"), ("ACCESS_KEY_ID", "me")];
        command.envs(keys.map(|(name, value)| (format!("AWS_{name}"), value)));
        command.env("AWS_SECRET_ACCESS_KEY", "secret").env("NO_PROXY", "127.0.0.1");
        command.output().expect("the tool runs")
    }

    fn done(&self, arguments: &[&str]) -> Vec<u8> {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    fn refused(&self, arguments: &[&str], words: &str) {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && text.contains(words), "{arguments:?}: {text}");
    }
}

#[test]
fn what_is_uploaded_is_what_a_file_would_be() {
    let server = Server::new();
    let (sample, folder) = (path(SAMPLE), Folder::new("uploads"));
    let local = folder.path("local.b2nd");
    done(&["repack", &sample, &local, "--codec", "lz4"]);
    server.done(&["repack", &sample, "s3://bucket/a/b.b2nd", "--codec", "lz4"]);
    assert_eq!(server.state.lock().unwrap().objects["a/b.b2nd"], fs::read(&local).unwrap());

    let items = folder.path("items.npy");
    done(&["get", &sample, "-o", &items]);
    server.done(&["create", &items, "s3://bucket/a/b.b2nd"]);
    assert_eq!(server.done(&["get", "s3://bucket/a/b.b2nd"]), done(&["get", &sample]));
    server.done(&["get", &sample, "1:3", "-o", "s3://bucket/part.npy"]);
    assert_eq!(server.state.lock().unwrap().objects["part.npy"], done(&["get", &sample, "1:3", "-f", "npy"]));

    let store = golden("stores/dict.b2d");
    server.done(&["repack", store.to_str().unwrap(), "s3://bucket/run.b2z"]);
    server.done(&["repack", store.to_str().unwrap(), "s3://bucket/run.b2d"]);
    for url in ["s3://bucket/run.b2z", "s3://bucket/run.b2d"] {
        let member = "group/image";
        let expected = done(&["get", &format!("{}/{member}", store.display())]);
        assert_eq!(server.done(&["get", &format!("{url}/{member}")]), expected);
    }
}

#[test]
fn the_index_of_a_sparse_frame_is_uploaded_last_and_once() {
    let server = Server::new();
    let sample = path(SAMPLE);
    server.done(&["repack", &sample, "s3://bucket/sparse.b2nd", "--sparse"]);
    let names: Vec<_> = server.state.lock().unwrap().objects.keys().cloned().collect();
    assert!(names.contains(&"sparse.b2nd/chunks.b2frame".into()) && names.len() > 2, "{names:?}");
    let before = server.state.lock().unwrap().objects.clone();
    server.refused(&["repack", &sample, "s3://bucket/sparse.b2nd", "--sparse"], "there are objects already");
    assert!(server.state.lock().unwrap().objects == before);

    // An object of that name would hide it.
    server.done(&["repack", &sample, "s3://bucket/one.b2nd"]);
    server.refused(&["repack", &sample, "s3://bucket/one.b2nd", "--sparse"], "there are objects already");

    let failing = Server::new();
    failing.state.lock().unwrap().fails = Some(("PUT", 1));
    failing.refused(&["repack", &sample, "s3://bucket/sparse.b2nd", "--sparse"], "403");
    assert!(!failing.state.lock().unwrap().objects.contains_key("sparse.b2nd/chunks.b2frame"));
}

/// 20 MB of noise take three parts.
#[test]
fn long_files_are_uploaded_in_parts_or_not_at_all() {
    let (server, folder) = (Server::new(), Folder::new("parts"));
    let mut state = 1_u32;
    let noise = core::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    });
    let noise: Vec<u8> = noise.take(20_000_000).collect();
    let items = folder.path("items");
    fs::write(&items, &noise).unwrap();
    let create = ["create", &items, "s3://bucket/noise.b2nd", "--dtype", "uint8", "--shape", "20000000"];
    let printed = server.run(&[&create[..], &["--requests"]].concat());
    let printed = String::from_utf8(printed.stderr).unwrap();
    assert!(
        printed.contains("writes a part of 8388608 bytes") && printed.contains("completes the upload"),
        "{printed}"
    );
    assert!(server.done(&["get", "s3://bucket/noise.b2nd", "-f", "raw"]) == noise);

    // A part fails: what was there stays, and no parts are left.
    let before = server.state.lock().unwrap().objects.clone();
    server.state.lock().unwrap().asked.clear();
    server.state.lock().unwrap().fails = Some(("PUT", 1));
    server.refused(&[&create[..], &["--codec", "lz4"]].concat(), "403");
    let state = server.state.lock().unwrap();
    assert!(state.objects == before && state.parts.is_empty());
}

#[test]
fn what_cannot_be_written_is_refused_before_anything_is() {
    let server = Server::new();
    let sample = path(SAMPLE);
    server.refused(&["repack", &sample, &format!("{}/a.b2nd", server.url)], "not to HTTP servers");
    server.refused(&["get", &sample, "-o", &format!("{}/a.npy", server.url)], "not to HTTP servers");
    for arguments in [
        &["repack", &sample, "s3://bucket/run.b2z/key"][..],
        &["repack", &sample, "s3://bucket/run.b2z"],
        &["set", "s3://bucket/a.b2nd", "0", "--value", "1"],
        &["append", "s3://bucket/a.b2nd", &sample],
        &["add", "s3://bucket/run.b2z", "key", &sample],
        &["compact", "s3://bucket/a.b2nd"],
    ] {
        server.refused(arguments, "objects are written as a whole");
    }
    assert!(server.state.lock().unwrap().objects.is_empty());
}
