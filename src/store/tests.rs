use super::*;
use crate::base::{Error, ErrorKind, FormatError, Limits, Malformed};
use alloc::vec;

/// A member as its entry in the directory describes it.
struct Entry {
    name: &'static [u8],
    header: u32,
    stored: u32,
    plain: u32,
    method: u16,
    extra: Vec<u8>,
}

const MEMBER: Entry =
    Entry { name: b"a.b2nd", header: 0, stored: 10, plain: 10, method: 0, extra: Vec::new() };

impl Entry {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; 46];
        bytes[..4].copy_from_slice(b"PK\x01\x02");
        bytes[10..12].copy_from_slice(&self.method.to_le_bytes());
        for (at, value) in [(20, self.stored), (24, self.plain), (42, self.header)] {
            bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
        bytes[28] = self.name.len() as u8;
        bytes[30] = self.extra.len() as u8;
        [&bytes, self.name, &self.extra].concat()
    }
}

fn members(entries: &[Entry], start: u64) -> Result<Vec<ArchiveMember>, Error> {
    let bytes: Vec<u8> = entries.iter().flat_map(Entry::bytes).collect();
    zip::members(&bytes, start, &Limits::default())
}

fn what(result: Result<Vec<ArchiveMember>, Error>) -> Malformed {
    match result.unwrap_err().kind() {
        ErrorKind::Format(FormatError { what, .. }) => what,
        other => panic!("{other:?}"),
    }
}

#[test]
fn members_lie_before_what_follows() {
    let second = Entry { name: b"g/b.b2f", header: 60, ..MEMBER };
    let found = members(&[second, MEMBER], 120).unwrap();
    let places: Vec<_> = found.iter().map(|member| (member.name.as_str(), member.range.clone())).collect();
    assert_eq!(places, [("g/b.b2f", 110..120), ("a.b2nd", 50..60)], "in the order of the directory");
    // The second one's own header says that it begins earlier.
    let mut header = [&[0; 30][..], b"g/b.b2f"].concat();
    header[..4].copy_from_slice(b"PK\x03\x04");
    (header[26], header[28]) = (7, 1);
    assert_eq!(found[0].located(&header), Ok(98..108));
    header[28] = 14;
    assert!(found[0].located(&header).is_err());
    (header[28], header[30]) = (0, b'h');
    assert!(found[0].located(&header).is_err(), "the header of another member");
}

#[test]
fn members_of_4_gib_have_their_sizes_elsewhere() {
    let mut extra = vec![1, 0, 24, 0];
    for value in [5_u64 << 32, 5 << 32, 1 << 40] {
        extra.extend(value.to_le_bytes());
    }
    let large = Entry { header: u32::MAX, stored: u32::MAX, plain: u32::MAX, extra, ..MEMBER };
    let end = (1 << 40) + (5 << 32) + 36;
    assert_eq!(members(&[large], end).unwrap()[0].range, end - (5 << 32)..end);
}

#[test]
fn lies_are_errors() {
    let mismatch =
        |name| move |what| matches!(what, Malformed::Mismatch { name: found, .. } if found == name);
    assert!(mismatch("end of a zip member")(what(members(&[MEMBER], 45))), "beyond the directory");
    let second = Entry { name: b"b.b2nd", header: 40, ..MEMBER };
    assert!(mismatch("end of a zip member")(what(members(&[MEMBER, second], 100))), "overlap");
    assert!(mismatch("zip size")(what(members(&[Entry { plain: 11, ..MEMBER }], 100))));
    for name in
        [&b"../a.b2nd"[..], b"/a.b2nd", b"a/../../b.b2f", b"a//b.b2f", b"a\\..\\b.b2f", b"\xff.b2f", b""]
    {
        let wrong = what(members(&[Entry { name, ..MEMBER }], 100));
        assert!(matches!(wrong, Malformed::Field { name: "zip name", .. }), "{name:?}: {wrong:?}");
    }
    let deflated = members(&[Entry { method: 8, plain: 99, ..MEMBER }], 100).unwrap();
    assert!(!deflated[0].is_stored);
    assert!(members(&[Entry { name: b"group/", ..MEMBER }], 100).unwrap().is_empty());
}

#[test]
fn the_end_is_found_behind_a_comment() {
    let mut end = vec![0; 22];
    end[..4].copy_from_slice(b"PK\x05\x06");
    end[12..16].copy_from_slice(&40_u32.to_le_bytes());
    end[16..20].copy_from_slice(&60_u32.to_le_bytes());
    assert_eq!(zip::directory(&end, 122), Ok(60..100));
    end[20] = 6;
    end.extend(b"PK\x05\x06!!");
    assert_eq!(zip::directory(&end, 128), Ok(60..100));
    assert!(zip::directory(&end, 127).is_err(), "the directory ends behind its end");
    assert!(zip::directory(&end, 129).is_err(), "the directory ends before its end");
    assert!(zip::directory(&end[..27], 127).is_err());
    assert!(zip::directory(&[], 0).is_err());
}

#[test]
fn members_of_a_frame_lie_in_it() {
    let layer = |content: &[u8]| Metalayer { name: b"estore_metadata".to_vec(), content: content.to_vec() };
    let read = |content: &[u8]| {
        let read = Catalogue::new(StoreKind::Embed, &[layer(content)], 100, &Limits::default());
        read.map(|catalogue| catalogue.members)
    };
    let one = |fields: &[u8]| [b"\x81\xa9embed_map\x81\xa2/a", fields].concat();
    let found = read(&one(b"\x82\xa6offset\x14\xa6length\x50")).unwrap();
    assert!(matches!(&found[..], [(key, super::Entry::Items(items))] if key == "/a" && *items == (20..100)));
    for wrong in [
        &one(b"\x82\xa6offset\x15\xa6length\x50")[..],
        &one(b"\x82\xa6offset\xff\xa6length\x50"),
        &one(b"\x81\xa6offset\x14"),
        &one(b"\x07"),
        b"\x80",
        b"\x07",
    ] {
        assert!(read(wrong).is_err(), "{wrong:?}");
    }
    for (fields, url) in [
        (&b"\x81\xa7urlbase\xa1u"[..], "u"),
        (b"\x82\xa7urlbase\xa5http:\xa4path\xa3@/a", "http:/@/a"),
        (b"\x82\xa7urlbase\xc0\xa4path\xa1a", "a"),
        (b"\x81\xa7urlpath\xa3../", "../"),
    ] {
        assert_eq!(read(&one(fields)).unwrap()[0].1, super::Entry::Remote(url.into()));
    }
}
