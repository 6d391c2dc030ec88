//! Frames in files, for the reference.

use b2nd::sink::Memory;
use std::fs;
use std::path::Path;

/// Writes a frame for the reference: a file, or a directory.
pub(crate) fn save(path: &Path, memory: &Memory, is_sparse: bool) {
    let frame = memory.clone().into_bytes();
    if !is_sparse {
        return fs::write(path, frame).unwrap();
    }
    fs::create_dir_all(path).unwrap();
    for (number, chunk) in memory.chunks() {
        fs::write(path.join(format!("{number:08X}.chunk")), chunk).unwrap();
    }
    fs::write(path.join("chunks.b2frame"), frame).unwrap();
}
