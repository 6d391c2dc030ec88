//! Golden arrays whose numbers are changed.

use super::golden;
use super::parts::Parts;

/// A golden array whose numbers can be changed.
pub(crate) struct Forgery {
    pub(crate) bytes: Vec<u8>,
    /// Where the metalayer's first marker of a length is.
    lens: usize,
    ndim: usize,
}

impl Forgery {
    pub(crate) fn of(name: &str, ndim: usize) -> Self {
        let case = golden().into_iter().find(|case| case.name == name).expect("a golden file");
        let bytes = Parts::of(&case).0.remove(0).1;
        let marks = [0x97, 0, ndim as u8, 0x90 + ndim as u8];
        let lens = bytes.windows(4).position(|window| window == marks).expect("the metalayer") + marks.len();
        Self { bytes, lens, ndim }
    }

    pub(crate) fn put(&mut self, at: usize, bytes: &[u8]) {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }

    /// The frame's plain length, that of a chunk and that of a block.
    pub(crate) fn nbytes(&mut self, nbytes: u64, chunksize: u32, blocksize: u32) {
        self.put(30, &nbytes.to_be_bytes());
        self.put(53, &blocksize.to_be_bytes());
        self.put(58, &chunksize.to_be_bytes());
    }

    pub(crate) fn shape(&mut self, shape: &[u64]) {
        for (axis, len) in shape.iter().enumerate() {
            self.put(self.lens + 9 * axis + 1, &len.to_be_bytes());
        }
    }

    pub(crate) fn chunkshape(&mut self, shape: &[u32]) {
        self.small(self.lens + 9 * self.ndim + 1, shape);
    }

    pub(crate) fn blockshape(&mut self, shape: &[u32]) {
        self.small(self.lens + 14 * self.ndim + 2, shape);
    }

    /// The plain length of an index that repeats one entry, and that of its blocks.
    pub(crate) fn index(&mut self, nbytes: u32, blocksize: u32) {
        let at = self.bytes.windows(4).position(|window| window == [5, 1, 5, 8]).expect("the index");
        self.put(at + 4, &nbytes.to_le_bytes());
        self.put(at + 8, &blocksize.to_le_bytes());
    }

    fn small(&mut self, start: usize, shape: &[u32]) {
        for (axis, len) in shape.iter().enumerate() {
            self.put(start + 5 * axis + 1, &len.to_be_bytes());
        }
    }

    /// An array of so many chunks of zeros, each of 8 × 8 bytes, which are entries of the index and nothing else.
    pub(crate) fn of_zeros(nchunks: u32) -> Self {
        let mut forgery = Self::of("blosc2-4.14.1/special-zeros-u1.b2nd", 2);
        forgery.nbytes(u64::from(nchunks) * 64, 64, 64);
        forgery.shape(&[u64::from(nchunks) * 8, 8]);
        forgery.chunkshape(&[8, 8]);
        forgery.blockshape(&[8, 8]);
        forgery.index(nchunks * 8, 16 << 10);
        forgery
    }
}
