//! Frames that lie in memory, those of sparse frames file by file.

use super::Case;
use b2nd::wire::Part;
use std::fs;

/// The files of a frame, or a chunk's. The first one is the frame itself.
#[derive(Debug, Clone)]
pub(crate) struct Parts(pub(crate) Vec<(Part, Vec<u8>)>);

impl Parts {
    pub(crate) fn of(case: &Case) -> Self {
        let read = |path| fs::read(path).expect("a golden file");
        if !case.path.is_dir() {
            return Self(vec![(Part::Frame, read(case.path.clone())[case.offset() as usize..].to_vec())]);
        }
        let mut parts = vec![(Part::Frame, read(case.path.join("chunks.b2frame")))];
        for entry in fs::read_dir(&case.path).expect("a directory") {
            let path = entry.expect("an entry").path();
            let number = path.file_stem().and_then(|stem| u32::from_str_radix(stem.to_str()?, 16).ok());
            if let Some(number) = number.filter(|_| path.extension().is_some_and(|end| end == "chunk")) {
                parts.push((Part::Chunk(number), read(path)));
            }
        }
        parts[1..].sort_by_key(|(part, _)| match part {
            Part::Frame => 0,
            Part::Chunk(number) => *number,
        });
        Self(parts)
    }

    /// Bytes in all.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|(_, bytes)| bytes.len()).sum()
    }

    /// The byte at `at` of all of them in a row.
    pub(crate) fn byte(&mut self, mut at: usize) -> &mut u8 {
        for (_, bytes) in &mut self.0 {
            if at < bytes.len() {
                return &mut bytes[at];
            }
            at -= bytes.len();
        }
        panic!("{at} bytes after the end");
    }
}
