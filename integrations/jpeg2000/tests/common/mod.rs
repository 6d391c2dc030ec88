//! Files of the plugins, and their values.

#![allow(dead_code, reason = "each test uses a part")]

use b2nd::{DParams, Reader, Selection};
use std::fs;
use std::path::{Path, PathBuf};

/// The files of the plugins whose codecs are built in, by name.
pub(crate) fn files() -> Vec<(String, PathBuf)> {
    let folder = Path::new("tests/golden").read_dir().unwrap();
    let mut files: Vec<_> = folder
        .map(|entry| entry.unwrap().path())
        .filter_map(|path| {
            let name = path.file_name()?.to_str()?.strip_suffix(".b2nd")?.to_owned();
            (!name.ends_with(".values") && (cfg!(feature = "htj2k") || !high_throughput(&name)))
                .then_some((name, path))
        })
        .collect();
    files.sort();
    files
}

/// Whether a file has streams of High-Throughput JPEG 2000.
pub(crate) fn high_throughput(name: &str) -> bool {
    name.contains("htj2k") || name.contains("high-throughput")
}

/// The items of a file as its plugin decoded them, and their dtype.
pub(crate) fn expected(path: &Path) -> (Vec<u8>, String) {
    let array = b2nd::Array::open(path.with_extension("values.b2nd")).unwrap();
    (array.get(Selection::all()).unwrap(), array.dtype().to_string())
}

/// Decodes an array in memory.
pub(crate) fn decode(frame: &[u8]) -> Result<Vec<u8>, b2nd::ReadError<std::convert::Infallible>> {
    let dparams = DParams { registry: b2nd_jpeg2000::registry(), ..DParams::default() };
    Reader::open(frame, dparams)?.into_array()?.get(Selection::all())
}

/// The bytes of a file.
pub(crate) fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap()
}
