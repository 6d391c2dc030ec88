//! It does not matter how bytes arrive: from memory, from files, or each time in another buffer.

use crate::common::parts::Parts;
#[cfg(feature = "rayon")]
use crate::common::sha256;
use crate::common::{Case, golden};
use b2nd::source::File;
use b2nd::wire::Request;
use b2nd::{DParams, Error, ReadAt, ReadError, Reader, Selection};
use core::convert::Infallible;

/// Brings bytes in a new buffer, whose rest is not to be relied upon.
struct Fresh<'a>(&'a Parts);

impl ReadAt for Fresh<'_> {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        let Ok(bytes) = self.0.read_at(request, &mut Vec::new()).map(<[u8]>::to_vec);
        let len = bytes.len();
        *buffer = bytes;
        buffer.extend_from_slice(b"not asked for");
        Ok(&buffer[..len])
    }
}

/// Everything that can be read, or why not.
fn everything<S: ReadAt>(case: &Case, source: S) -> Result<Vec<Result<Vec<u8>, Error>>, Error> {
    let blosc = |error| match error {
        ReadError::Blosc(error) => error,
        ReadError::Source(_) => panic!("{}: the source fails", case.name),
    };
    let dparams = DParams { early_bitshuffle: case.dparams().early_bitshuffle, ..DParams::default() };
    let reader = Reader::open(source, dparams).map_err(blosc)?;
    let mut all = Vec::new();
    for (text, _) in case.slices() {
        let selection: Selection = text.parse().expect("a selection");
        all.push(reader.get(&selection).map_err(blosc));
    }
    let nchunks = reader.index().map_err(blosc)?.nchunks();
    all.extend((0..nchunks).map(|nchunk| reader.chunk(nchunk).map_err(blosc)));
    let trailer = reader.trailer().map_err(blosc)?;
    all.extend(trailer.attributes.iter().map(|metalayer| Ok(metalayer.content.clone())));
    Ok(all)
}

#[test]
fn every_way_brings_the_same() {
    for case in golden() {
        let parts = Parts::of(&case);
        let file = if case.offset() == 0 {
            File::open(&case.path)
        } else {
            File::open_at(&case.path, case.offset())
        };
        let expected = everything(&case, &parts);
        assert_eq!(everything(&case, Fresh(&parts)), expected, "{}: fresh buffers", case.name);
        assert_eq!(everything(&case, file.expect("the file")), expected, "{}: a file", case.name);
        if let [(_, bytes)] = &parts.0[..] {
            assert_eq!(everything(&case, &bytes[..]), expected, "{}: a slice", case.name);
        }
    }
}

#[test]
fn every_way_fails_the_same() {
    for case in golden() {
        let whole = Parts::of(&case);
        let len = whole.len().max(1);
        // The header, the data, the index or the trailer, somewhere in the bodies of chunks.
        for at in [17, len / 3, len / 2, len - len / 8 - 1].into_iter().filter(|&at| at < whole.len()) {
            let mut parts = whole.clone();
            *parts.byte(at) ^= 0x41;
            assert_eq!(
                everything(&case, Fresh(&parts)),
                everything(&case, &parts),
                "{}: byte {at}",
                case.name
            );
        }
    }
}

#[test]
#[cfg(feature = "rayon")]
fn threads_bring_the_same() {
    for case in golden().iter().filter(|case| case.error().is_none()) {
        let reader = case.open().expect("a good file");
        for (text, digest) in case.slices() {
            let items = reader.get_parallel(&text).expect("good data");
            assert_eq!(sha256(&items), digest, "{} [{text}]", case.name);
        }
    }
}
