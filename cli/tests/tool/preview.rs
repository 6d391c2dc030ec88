//! `b2nd preview`.

use crate::common::tool::{Folder, done, done_with, json, path, refused};
use std::fs::{self, File};
use std::io::BufReader;

/// The size and the pixels of a picture, of as many bytes each as it has channels.
fn picture(path: &str) -> (u32, u32, usize, Vec<u8>) {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    (info.width, info.height, info.color_type.samples(), bytes)
}

/// Makes an array of items in C order.
fn array(folder: &Folder, name: &str, dtype: &str, shape: &str, bytes: &[u8]) -> String {
    let array = folder.path(name);
    done_with(&["create", "-", &array, "--shape", shape, "--dtype", dtype], bytes);
    array
}

#[test]
fn a_plane_has_the_colours_of_its_values() {
    let folder = Folder::new("preview");
    let items = [0f32, 1.0, f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.5];
    let bytes: Vec<u8> = items.repeat(12).iter().flat_map(|item| item.to_le_bytes()).collect();
    let (a, out) = (array(&folder, "a.b2nd", "<f4", "12,6", &bytes), folder.path("a.png"));
    done(&["preview", &a, "-o", &out, "--map", "grey", "--size", "48"]);
    let (width, height, channels, pixels) = picture(&out);
    // Pixels are squares of whole numbers.
    assert_eq!((width, height, channels), (24, 48, 3));
    let at = |column: usize| &pixels[(4 * column + 3) * 3..][..3];
    let expected = [[0, 0, 0], [255; 3], [0xff, 0x5f, 0xc8], [255; 3], [0x3c, 0x14, 0x14], [128; 3]];
    assert_eq!([0, 1, 2, 3, 4, 5].map(at), expected.each_ref().map(|colour| &colour[..]));
    done(&["preview", &a, "-o", &out, "--map", "grey", "--size", "48", "--range", "0,2"]);
    assert_eq!(picture(&out).3[12..15], [128; 3]);
}

#[test]
fn a_large_plane_is_reduced_to_means() {
    let folder = Folder::new("preview-large");
    // 4500² items are read in cells of 4 × 4: each has the mean of stripes.
    let row: Vec<u8> = (0..4500u32).map(|x| if x % 2 == 0 { 100 } else { 200 }).collect();
    let (a, out) = (array(&folder, "a.b2nd", "|i1", "4500,4500", &row.repeat(4500)), folder.path("a.png"));
    done(&["preview", &a, "-o", &out, "--map", "grey", "--range", "-56,100"]);
    let (width, height, _, pixels) = picture(&out);
    assert_eq!((width, height), (640, 640));
    // 200 is -56 in a signed byte: the mean is 22.
    let middle = ((22.0 + 56.0) / 156.0 * 255.0f64).round() as u8;
    assert!(pixels.iter().all(|&level| level.abs_diff(middle) <= 1), "{middle}");
    let nearest = ["preview", &a, ":, ::2", "-o", &out, "--map", "grey", "--range", "-56,100"];
    done(&nearest);
    assert!(picture(&out).3.iter().all(|&level| level == 255));
}

#[test]
fn stored_colours_are_kept_with_how_opaque_they_are() {
    let folder = Folder::new("preview-colours");
    let colours: Vec<u8> = (0..64).flat_map(|k| [k, 2 * k, 3 * k, 255 - k]).collect();
    let (a, out) = (array(&folder, "a.b2nd", "|u1", "8,8,4", &colours), folder.path("a.png"));
    done(&["preview", &a, "-o", &out, "--size", "32"]);
    let (width, height, channels, pixels) = picture(&out);
    assert_eq!((width, height, channels), (32, 32, 4));
    assert_eq!(pixels[16..20], colours[4..8]);
    done(&["preview", &a, "..., :3", "-o", &out, "--size", "32"]);
    assert_eq!(picture(&out).3[12..15], colours[4..7]);
}

#[test]
fn lines_are_drawn_where_one_axis_is_long() {
    let folder = Folder::new("preview-lines");
    let items: Vec<u8> = (0..2 * 500).flat_map(|k| f64::from(k % 500).to_le_bytes()).collect();
    let (a, out) = (array(&folder, "a.b2nd", "<f8", "2,500", &items), folder.path("a.png"));
    done(&["preview", &a, "1", "-o", &out]);
    let (width, height, _, pixels) = picture(&out);
    assert_eq!((width, height), (640, 320));
    let place = |x: usize, y: usize| &pixels[(y * 640 + x) * 3..][..3];
    // From the lower left to the upper right, in the first colour.
    assert_eq!([place(9, 310), place(631, 9)], [[0x00, 0x72, 0xb2]; 2]);
    assert_eq!([place(9, 9), place(631, 310)], [[255; 3]; 2]);
}

#[test]
fn selections_and_members_of_stores_have_pictures() {
    let folder = Folder::new("preview-parts");
    let (sample, out, other) =
        (path("blosc2-4.14.1/sample.b2nd"), folder.path("a.png"), folder.path("b.png"));
    done(&["preview", &sample, "-o", &out]);
    // The middle of the first axis.
    done(&["preview", &sample, "5", "-o", &other]);
    assert_eq!(fs::read(&out).unwrap(), fs::read(&other).unwrap());
    done(&["preview", &sample, "::-1, ...", "-o", &other]);
    let last = folder.path("c.png");
    done(&["preview", &sample, "6", "-o", &last]);
    assert_eq!(fs::read(&last).unwrap(), fs::read(&other).unwrap());
    done(&["preview", &path("stores/tree.b2z/group/image"), "-o", &other]);
    assert!(picture(&other).0 >= 32);
    assert_eq!(done(&["preview", &sample, "-o", "-"]), fs::read(&out).unwrap());
}

#[test]
fn only_what_is_shown_is_read() {
    let folder = Folder::new("preview-damaged");
    let items: Vec<u8> =
        (0..3 * 64 * 64u32).flat_map(|k| (k.wrapping_mul(2_654_435_761)).to_le_bytes()).collect();
    let (a, out) = (folder.path("a.b2nd"), folder.path("a.png"));
    done_with(&["create", "-", &a, "--shape", "3,64,64", "--dtype", "<u4", "--chunks", "1,64,64"], &items);
    let chunks = json(&["chunks", &a, "--json"]);
    let first = chunks[0]["offset"].as_u64().unwrap() as usize;
    let mut bytes = fs::read(&a).unwrap();
    bytes[first..first + 16].fill(255);
    fs::write(&a, bytes).unwrap();
    done(&["preview", &a, "-o", &out]);
    assert_eq!(picture(&out).0, 640);
    assert!(refused(&["preview", &a, "0", "-o", &out], 1).contains("chunk 0"));
}

#[test]
fn what_has_no_picture_is_refused_and_nothing_is_replaced() {
    let folder = Folder::new("preview-refused");
    let out = folder.path("old.png");
    fs::write(&out, "old").unwrap();
    let texts = array(&folder, "text.b2nd", "|S3", "2", b"abcdef");
    let one = array(&folder, "one.b2nd", "|u1", "1,1", b"a");
    let sample = path("blosc2-4.14.1/sample.b2nd");
    for (arguments, what) in [
        (&[&texts[..]][..], "S3"),
        (&[&one], "fewer than two"),
        (&[&sample, "[1,2]"], "lists"),
        (&[&sample, "3, 4, 5"], "fewer than two"),
        (&[&sample, "99"], "99"),
        (&[&sample, "--map", "jet"], "viridis"),
        (&[&sample, "--range", "1"], "percentiles"),
        (&[&sample, "--dtype", "<f8"], "8 bytes"),
    ] {
        let refused = refused(&[&["preview", "-o", &out], arguments].concat(), 2);
        assert!(refused.contains(what), "{arguments:?}: {refused}");
    }
    assert_eq!(fs::read(&out).unwrap(), b"old");
    refused(&["preview", &sample, "-o", &folder.path("none/a.png")], 2);
    refused(&["preview", &sample, "-o", &format!("{}/a.png", path("stores/tree.b2z"))], 2);
}
