//! The tool joins packets to an array, whatever becomes of them on the way.

use crate::common::tool::{Folder, b2nd, command, done, json, piped, status};
use crate::random::Random;
use b2nd::chunk::stream::{Sender, send_area_len};
use b2nd::chunk::{CParams, EncodeWork};
use b2nd::codec::{BloscLzTable, Codec};
use b2nd::filter::SHUFFLE;
use serde_json::json;
use std::fs;
use std::io::Write;
use std::process::Stdio;

/// Rows of three channels.
fn rows(count: u16) -> Vec<u8> {
    (0..count).flat_map(|n| [n, n / 3, n % 7]).flat_map(u16::to_le_bytes).collect()
}

/// The packets of some rows, 16 rows in a block.
fn packets(stream: u16, plain: &[u8]) -> Vec<Vec<u8>> {
    const BLOCK: usize = 96;
    let (mut bytes, mut table) = ([0; send_area_len(BLOCK, &[SHUFFLE])], BloscLzTable::<512>::new());
    let cparams =
        CParams { codec: Codec::BLOSCLZ, typesize: 2, blocksize: BLOCK as u32, ..CParams::default() };
    let work = EncodeWork::new(&mut bytes, &mut table);
    let mut sender = Sender::new(stream, 120, cparams, work).expect("a sender");
    let (mut packets, mut at) = (Vec::new(), 0);
    while at < plain.len() {
        at += sender.push(&plain[at..]).expect("samples");
        while let Some(packet) = sender.packet().expect("a packet") {
            packets.push(packet.to_vec());
        }
    }
    sender.flush();
    while let Some(packet) = sender.packet().expect("a packet") {
        packets.push(packet.to_vec());
    }
    packets
}

fn raw(path: &str) -> Vec<u8> {
    done(&["get", path, "-f", "raw"])
}

#[test]
fn packets_of_a_file_become_rows() {
    let folder = Folder::new("collect");
    let (from, to) = (folder.path("packets.bin"), folder.path("log.b2nd"));
    fs::write(&from, packets(7, &rows(1000)).concat()).expect("a file");
    let counts =
        json(&["collect", &from, "-o", &to, "--dtype", "<u2", "--row", "3", "--chunks", "256,3", "--json"]);
    assert_eq!(
        (&counts["rows"], &counts["lost_rows"], &counts["stream"]),
        (&json!(1000), &json!(0), &json!(7))
    );
    assert_eq!(raw(&to), rows(1000));
    let info = json(&["info", &to, "--json"]);
    assert_eq!((&info["shape"], &info["chunks"]), (&json!([1000, 3]), &json!([256, 3])));
    // Once more: all of it is there already. Of another stream: it follows.
    assert_eq!(json(&["collect", &from, "-o", &to, "--json"])["late"], counts["blocks"]);
    let other = packets(8, &rows(100)).concat();
    let collected = piped(&["collect", "-", "-o", &to, "--stream", "8"], &other);
    assert!(collected.status.success());
    assert!(String::from_utf8_lossy(&collected.stderr).contains("1100 rows"));
    assert_eq!(raw(&to), [rows(1000), rows(100)].concat());
    // A template has all parameters.
    let copy = folder.path("copy.b2nd");
    done(&["collect", &from, "-o", &copy, "--template", &to]);
    assert_eq!(
        (json(&["info", &copy, "--json"])["chunks"].clone(), raw(&copy)),
        (json!([256, 3]), rows(1000))
    );
}

#[test]
fn what_is_lost_is_filled_and_listed() {
    let folder = Folder::new("collect-lost");
    let to = folder.path("log.b2nd");
    let mut random = Random(5);
    let plain = rows(10_000);
    let mut bytes = b"boot: ok\r\n".to_vec();
    for mut packet in packets(1, &plain) {
        match random.below(20) {
            0 => continue,
            1 => packet.truncate(5),
            2 => packet[9] ^= 4,
            3 => bytes.extend_from_within(bytes.len() / 2..),
            _ => {}
        }
        bytes.extend(packet);
    }
    let collected = piped(
        &["collect", "-", "-o", &to, "--dtype", "<u2", "--row", "3", "--fill", "65535", "--json"],
        &bytes,
    );
    let counts: serde_json::Value = serde_json::from_slice(&collected.stdout).expect("JSON");
    let lost: Vec<(usize, usize)> = serde_json::from_value(counts["lost"].clone()).expect("rows");
    assert!(lost.len() > 30, "{counts}");
    let found = raw(&to);
    for (row, (found, sent)) in found.chunks(6).zip(plain.chunks(6)).enumerate() {
        let is_lost = lost.iter().any(|(start, end)| (*start..*end).contains(&row));
        assert_eq!(found, if is_lost { &[0xFF; 6] } else { sent }, "{row}");
    }
    let said = json(&["attrs", &to, "collected"]);
    assert_eq!((&said["lost"], &said["stream"]), (&counts["lost"], &json!(1)));
}

#[test]
fn calls_that_cannot_be_are_refused() {
    let folder = Folder::new("collect-refused");
    let (from, to) = (folder.path("packets.bin"), folder.path("log.b2nd"));
    fs::write(&from, packets(7, &rows(50)).concat()).expect("a file");

    assert_eq!(status(&["collect", &from, "-o", &to]), 2, "no dtype");
    assert_eq!(status(&["collect", &from, "-o", &to, "--dtype", "<u2", "--fill", "x"]), 2);
    assert_eq!(status(&["collect", &from, "-o", &folder.path("a.b2z/b"), "--dtype", "<u2"]), 2);
    assert!(fs::metadata(folder.path("a.b2z")).is_err());
    assert!(fs::metadata(&to).is_err(), "nothing was made");
    done(&["collect", &from, "-o", &to, "--dtype", "<u2", "--row", "3"]);
    assert_eq!(status(&["collect", &from, "-o", &to, "--dtype", "<u2"]), 2, "there is an array");
    assert_eq!(status(&["collect", &folder.path("none"), "-o", &to]), 1);
    assert_eq!(raw(&to), rows(50));
    // Items of 2 bytes are no rows of 5.
    let text = folder.path("text.b2nd");
    assert_eq!(status(&["collect", &from, "-o", &text, "--dtype", "|S5"]), 2);
}

/// Whoever ends it: what arrived is there.
#[cfg(unix)]
#[test]
fn rows_are_there_when_it_is_stopped() {
    let folder = Folder::new("collect-stopped");
    let (plain, wait) = (rows(160), core::time::Duration::from_millis(20));
    for signal in ["INT", "TERM", "KILL"] {
        let to = folder.path(&format!("{signal}.b2nd"));
        let mut tool = command(&["collect", "-", "-o", &to, "--dtype", "<u2", "--row", "3"]);
        let mut tool = tool.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the tool runs");
        let mut pipe = tool.stdin.take().expect("a pipe");
        pipe.write_all(&packets(1, &plain).concat()).expect("it reads");
        let is_there = || b2nd(&["get", &to, "-f", "raw"]).stdout == plain;
        // One that cannot be caught comes after the commit.
        while signal == "KILL" && !is_there() {
            std::thread::sleep(wait);
        }
        while fs::metadata(&to).is_err() {
            std::thread::sleep(wait);
        }
        std::thread::sleep(5 * wait);
        let kill = format!("kill -{signal} {}", tool.id());
        assert!(std::process::Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
        tool.wait().expect("its end");
        assert!(is_there(), "{signal}");
    }
}
