//! Archives that lie, and what is said of each: what their members hold, or whose fault it is that they cannot be read.

use b2nd::Selection;
use b2nd::array::ArrayParams;
use b2nd::frame::{FrameParams, Metalayer};
use b2nd::sink::{Editor, Memory};

/// An archive, with where its parts are.
pub(crate) struct Archive {
    pub(crate) bytes: Vec<u8>,
    /// The headers of members, in the archive.
    headers: Vec<usize>,
    /// Their entries in the directory.
    entries: Vec<usize>,
    /// Where the directory begins, and the record at the end.
    directory: usize,
    end: usize,
}

/// A part of an archive.
enum Part<'n> {
    /// A member of this name.
    Member(&'n [u8], Vec<u8>),
    /// A member with an extra field in its own header.
    Extra(&'n [u8], Vec<u8>, usize),
    /// Bytes that the directory does not know.
    Other(Vec<u8>),
}
use Part::{Extra, Member, Other};

/// An array of one byte. All take the same space.
fn array(value: u8) -> Vec<u8> {
    let mut editor = Editor::create_array(Memory::default(), &ArrayParams::new(&[1], "|u1")).unwrap();
    editor.set(Selection::all(), &[value]).unwrap();
    editor.commit().unwrap();
    editor.into_sink().into_bytes()
}

/// A frame of small members that has none.
fn embed() -> Vec<u8> {
    let tree = Metalayer { name: b"b2tree".to_vec(), content: b"\x81\xa7version\x01".to_vec() };
    let params = FrameParams { chunksize: 8192, metalayers: vec![tree], ..FrameParams::default() };
    let mut editor = Editor::create(Memory::default(), &params).unwrap();
    editor.commit().unwrap();
    editor.into_sink().into_bytes()
}

/// The fields that a header and an entry share.
fn fields(name: &[u8], len: usize) -> Vec<u8> {
    let len = (len as u32).to_le_bytes();
    [&[20, 0, 0, 0, 0, 0, 0, 0, 33, 0, 0, 0, 0, 0][..], &len, &len, &(name.len() as u16).to_le_bytes()]
        .concat()
}

impl Archive {
    /// An archive of these parts, and the frame of small members.
    fn of(parts: Vec<Part<'_>>) -> Self {
        Self::without_embed(parts.into_iter().chain([Member(b"embed.b2e", embed())]))
    }

    fn without_embed<'n>(parts: impl IntoIterator<Item = Part<'n>>) -> Self {
        let (mut bytes, mut directory) = (Vec::new(), Vec::new());
        let (mut headers, mut entries) = (Vec::new(), Vec::new());
        for part in parts {
            let (name, data, extra) = match part {
                Member(name, data) => (name, data, 0),
                Extra(name, data, extra) => (name, data, extra),
                Other(data) => {
                    bytes.extend(data);
                    continue;
                }
            };
            headers.push(bytes.len());
            entries.push(directory.len());
            let fields = fields(name, data.len());
            directory.extend([b"PK\x01\x02\x14\0", &fields[..], &[0; 12]].concat());
            directory.extend((bytes.len() as u32).to_le_bytes());
            directory.extend(name);
            bytes.extend([b"PK\x03\x04", &fields[..], &(extra as u16).to_le_bytes(), name].concat());
            bytes.extend(vec![0; extra]);
            bytes.extend(data);
        }
        let start = bytes.len();
        entries.iter_mut().for_each(|entry| *entry += start);
        let count = (headers.len() as u16).to_le_bytes();
        let mut archive = Self { headers, entries, directory: start, end: start + directory.len(), bytes };
        archive.bytes.extend(&directory);
        archive.bytes.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count].concat());
        archive.bytes.extend((directory.len() as u32).to_le_bytes());
        archive.bytes.extend((start as u32).to_le_bytes());
        archive.bytes.extend([0; 2]);
        archive
    }

    fn put(mut self, at: usize, bytes: &[u8]) -> Self {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    /// Changes the header of a member.
    fn header(self, member: usize, at: usize, bytes: &[u8]) -> Self {
        let header = self.headers[member];
        self.put(header + at, bytes)
    }

    /// Changes the entry of a member.
    fn entry(self, member: usize, at: usize, bytes: &[u8]) -> Self {
        let entry = self.entries[member];
        self.put(entry + at, bytes)
    }

    /// Changes the record at the end.
    fn end(self, at: usize, bytes: &[u8]) -> Self {
        let end = self.end;
        self.put(end + at, bytes)
    }

    /// The length of a member's header and bytes, and of its entry.
    fn lens(&self) -> (u32, usize) {
        ((self.headers[1] - self.headers[0]) as u32, self.entries[1] - self.entries[0])
    }

    /// Swaps the first two entries, which have the same length.
    fn swapped(mut self) -> Self {
        let (_, len) = self.lens();
        let at = self.entries[0];
        self.bytes[at..at + 2 * len].rotate_left(len);
        self
    }

    fn comment(mut self, comment: &[u8]) -> Self {
        let at = self.end + 20;
        self.bytes[at..at + 2].copy_from_slice(&(comment.len() as u16).to_le_bytes());
        self.bytes.extend(comment);
        self
    }

    /// Moves the sizes of the first entry to an extra field, whose values `change` gets.
    fn large_entry(mut self, change: impl FnOnce(&mut Vec<u64>)) -> Self {
        let entry = self.entries[0];
        let at = |at: usize| entry + at..entry + at + 4;
        let u32_at = |place| u32::from_le_bytes(self.bytes[at(place)].try_into().unwrap());
        let mut values: Vec<u64> = [24, 20, 42].map(|place| u32_at(place).into()).to_vec();
        change(&mut values);
        for place in [24, 20, 42] {
            self.bytes[at(place)].copy_from_slice(&[0xff; 4]);
        }
        let values: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let extra = [&[1, 0, values.len() as u8, 0][..], &values].concat();
        self.bytes[entry + 30] = extra.len() as u8;
        let name = usize::from(self.bytes[entry + 28]);
        self.bytes.splice(entry + 46 + name..entry + 46 + name, extra.iter().copied());
        self.end += extra.len();
        let len = (self.end - self.directory) as u32;
        self.end(12, &len.to_le_bytes())
    }

    /// Adds the records of a large archive, of which `change` gets the count, the length and the place of the directory, and the
    /// place of the record in its locator.
    fn large(mut self, change: impl FnOnce(&mut [u64; 4])) -> Self {
        let (start, end) = (self.directory as u64, self.end as u64);
        let mut values = [self.headers.len() as u64, end - start, start, end];
        change(&mut values);
        let [count, len, start, place] = values.map(u64::to_le_bytes);
        let record =
            [b"PK\x06\x06\x2c\0\0\0\0\0\0\0\x2d\0\x2d\0\0\0\0\0\0\0\0\0", &count[..], &count, &len, &start];
        let locator = [b"PK\x06\x07\0\0\0\0", &place[..], &[1, 0, 0, 0]];
        let records = [record.concat(), locator.concat()].concat();
        self.bytes.splice(self.end..self.end, records.iter().copied());
        self.end += records.len();
        self
    }
}

/// Two members, a and b, of these values.
fn two(a: u8, b: u8) -> Archive {
    Archive::of(vec![Member(b"a.b2nd", array(a)), Member(b"b.b2nd", array(b))])
}

/// A member with this name.
fn named(name: &[u8]) -> Archive {
    Archive::of(vec![Member(name, array(1))])
}

/// Archives with what [`said`](crate::said) says of them.
pub(crate) fn all() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let (len, _) = two(1, 2).lens();
    let long = two(1, 2).bytes.len();
    let one = array(1).len() as u32;
    let end = |archive: &Archive| archive.bytes[archive.end..].to_vec();
    let tests = [
        ("plain", two(1, 2), "/a 1, /b 2"),
        // What a header of its own says.
        ("extra-field", Archive::of(vec![Extra(b"a.b2nd", array(1), 99)]), "/a 1"),
        (
            "bytes-behind",
            Archive::of(vec![Member(b"a.b2nd", array(1)), Other(b"PK\x07\x08 behind".into())]),
            "/a 1",
        ),
        ("deleted-behind", Archive::of(vec![Member(b"a.b2nd", array(1)), Other(array(9))]), "/a 1"),
        ("other-header-name", two(1, 2).header(0, 30, b"b"), "/a format, /b 2"),
        ("other-header-length", two(1, 2).header(0, 26, b"\x05"), "/a format, /b 2"),
        ("no-header", two(1, 2).header(1, 0, b"PK\x01\x02"), "/a 1, /b format"),
        ("long-extra-field", two(1, 2).header(0, 28, &[1]), "/a format, /b 2"),
        ("longest-extra-field", two(1, 2).header(0, 28, &[0xff; 2]), "/a format, /b 2"),
        ("other-header-sizes", two(1, 2).header(0, 18, &[7; 8]), "/a 1, /b 2"),
        ("other-header-method", two(1, 2).header(0, 8, &[8]), "/a 1, /b 2"),
        // Sizes and offsets of the directory.
        ("long-member", two(1, 2).entry(0, 20, &[(one + 1).to_le_bytes(); 2].concat()), "format"),
        ("short-member", two(1, 2).entry(0, 20, &[(one - 1).to_le_bytes(); 2].concat()), "/a 1, /b 2"),
        ("empty-member", two(1, 2).entry(0, 20, &[0; 8]), "/a format, /b 2"),
        ("two-sizes", two(1, 2).entry(0, 20, &[1]), "format"),
        ("same-place", two(1, 2).entry(1, 42, &[0; 4]), "format"),
        ("within-another", two(1, 2).entry(1, 42, &[1]), "format"),
        ("in-the-directory", two(1, 2).entry(1, 42, &(3 * len).to_le_bytes()), "format"),
        ("far-away", two(1, 2).entry(1, 42, &[0xfe, 0xff, 0xff, 0xff]), "format"),
        (
            "swapped-places",
            two(1, 2).entry(0, 42, &len.to_le_bytes()).entry(1, 42, &[0; 4]),
            "/a format, /b format",
        ),
        // Names.
        ("same-name", two(1, 2).entry(1, 46, b"a").header(1, 30, b"a"), "/a 2"),
        ("same-name-swapped", two(1, 2).entry(1, 46, b"a").header(1, 30, b"a").swapped(), "/a 1"),
        ("same-key", Archive::of(vec![Member(b"a.b2nd", array(1)), Member(b"a.b2f", array(2))]), "/a 2"),
        ("case", two(1, 2).entry(1, 46, b"A").header(1, 30, b"A"), "/A 2, /a 1"),
        (
            "normalisation",
            Archive::of(vec![
                Member("é.b2nd".as_bytes(), array(1)),
                Member("e\u{301}.b2nd".as_bytes(), array(2)),
            ]),
            "/e\u{301} 2, /é 1",
        ),
        ("colon", named(b"C:a.b2nd"), "/C:a 1"),
        ("backslash", named(b"a\\b.b2nd"), "/a\\b 1"),
        ("up", named(b"../a.b2nd"), "format"),
        ("up-within", named(b"a/../../b.b2nd"), "format"),
        ("up-with-backslashes", named(b"a\\..\\..\\b.b2nd"), "format"),
        ("here", named(b"./a.b2nd"), "format"),
        ("absolute", named(b"/a.b2nd"), "format"),
        ("no-part", named(b"a//b.b2nd"), "format"),
        ("zero-in-name", named(b"a.b2nd\0.b2nd"), "format"),
        ("no-utf8", named(b"\xe9.b2nd"), "format"),
        ("no-name", named(b""), "format"),
        ("nothing-but-extension", named(b"a/.b2nd"), ""),
        ("folder", named(b"a.b2nd/"), ""),
        // What others do with members.
        ("deflated", two(1, 2).entry(0, 10, &[8]), "/a unsupported, /b 2"),
        ("encrypted", two(1, 2).entry(0, 8, &[1]), "/a unsupported, /b 2"),
        ("deflated-embed", two(1, 2).entry(2, 10, &[8]), "unsupported"),
        ("no-embed", Archive::without_embed([Member(b"a.b2nd", array(1))]), "unsupported"),
        (
            "two-embeds",
            Archive::of(vec![Member(b"embed.b2e", array(1)), Member(b"a.b2nd", array(1))]),
            "/a 1",
        ),
        // The record at the end.
        ("comment", two(1, 2).comment(b"PK\x05\x06 and more"), "/a 1, /b 2"),
        ("end-in-comment", two(1, 2).comment(&end(&two(1, 2))), "format"),
        ("other-end-in-comment", two(1, 2).comment(&[&[0; 9][..], &end(&two(1, 2))].concat()), "format"),
        (
            "behind-another",
            {
                let (first, second) = (two(1, 2), two(3, 4));
                Archive { bytes: [first.bytes, second.bytes].concat(), ..second }
            },
            "format",
        ),
        (
            "bytes-after",
            {
                let mut archive = two(1, 2);
                archive.bytes.push(0);
                archive
            },
            "format",
        ),
        ("other-count", two(1, 2).end(8, &[9, 0, 9, 0]), "/a 1, /b 2"),
        ("directory-of-members", two(1, 2).end(16, &[0; 4]), "format"),
        (
            "directory-at-end",
            two(1, 2).end(12, &[0; 4]).end(16, &(long as u32 - 22).to_le_bytes()),
            "unsupported",
        ),
        ("directory-at-itself", two(1, 2).entry(0, 42, &(3 * len).to_le_bytes()), "format"),
        ("long-directory", two(1, 2).end(12, &[0xff; 4]), "format"),
        ("far-directory", two(1, 2).end(16, &[0xff; 4]), "format"),
        ("bad-directory", two(1, 2).entry(1, 0, b"PK\x01\x03"), "format"),
        ("name-beyond-directory", two(1, 2).entry(2, 28, &[0xff; 2]), "format"),
        ("extra-beyond-directory", two(1, 2).entry(2, 30, &[1]), "format"),
        // Large archives.
        ("large", two(1, 2).large(|_| ()), "/a 1, /b 2"),
        ("large-marked", two(1, 2).large(|_| ()).end(8, &[0xff; 12]), "/a 1, /b 2"),
        ("large-count", two(1, 2).large(|[count, ..]| *count = u64::MAX), "/a 1, /b 2"),
        ("large-length", two(1, 2).large(|[_, len, ..]| *len = u64::MAX).end(8, &[0xff; 12]), "format"),
        ("large-place", two(1, 2).large(|[_, _, place, _]| *place = u64::MAX).end(8, &[0xff; 12]), "format"),
        ("large-other-length", two(1, 2).large(|[_, len, ..]| *len -= 1), "format"),
        ("large-other-place", two(1, 2).large(|[.., place]| *place = 0), "format"),
        ("large-none", two(1, 2).end(8, &[0xff; 12]), "format"),
        ("large-entry", two(1, 2).large_entry(|_| ()), "/a 1, /b 2"),
        ("large-entry-size", two(1, 2).large_entry(|sizes| sizes[..2].fill(u64::MAX)), "format"),
        ("large-entry-place", two(1, 2).large_entry(|sizes| sizes[2] = u64::MAX - 40), "format"),
        ("large-entry-missing", two(1, 2).large_entry(|sizes| sizes.truncate(1)), "format"),
        ("large-entry-none", two(1, 2).entry(0, 20, &[0xff; 8]), "format"),
    ];
    tests.into_iter().map(|(name, archive, said)| (name, archive.bytes, said)).collect()
}

/// An archive with a name of 65 535 bytes.
pub(crate) fn long_name() -> Vec<u8> {
    named(&[&b"n".repeat(65_530)[..], b".b2nd"].concat()).bytes
}
