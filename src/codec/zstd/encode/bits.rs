//! Bit writers, least significant bit first. Entropy-coded streams are written from their last symbol to the first.

/// Writes bits to the start of `dst`.
pub(super) struct BitWriter<'a> {
    dst: &'a mut [u8],
    at: usize,
    /// Bits that have not been written, and how many.
    bits: u64,
    held: u32,
}

impl<'a> BitWriter<'a> {
    pub(super) const fn new(dst: &'a mut [u8]) -> Self {
        Self { dst, at: 0, bits: 0, held: 0 }
    }

    /// Adds `n` bits; `value` has no others. At most 57 bits can be added between two flushes.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn add(&mut self, value: u64, n: u32) {
        debug_assert!(self.held + n <= 64 && (n == 64 || value >> n == 0), "bits that do not fit");
        self.bits |= value << self.held;
        self.held += n;
    }

    /// Writes all whole bytes; `None` if there is no room.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn flush(&mut self) -> Option<()> {
        let whole = self.held / 8;
        match self.dst.get_mut(self.at..self.at.wrapping_add(8)).and_then(|room| room.first_chunk_mut()) {
            Some(room) => *room = self.bits.to_le_bytes(),
            None => self.flush_at_end(whole as usize)?,
        }
        self.at += whole as usize;
        // Two steps: a shift by 64 would be one too many.
        self.bits = self.bits >> (4 * whole) >> (4 * whole);
        self.held &= 7;
        Some(())
    }

    #[cold]
    fn flush_at_end(&mut self, whole: usize) -> Option<()> {
        self.dst.get_mut(self.at..)?.get_mut(..whole)?.copy_from_slice(&self.bits.to_le_bytes()[..whole]);
        Some(())
    }

    /// Pads to a whole byte and returns the length.
    pub(super) fn finish(mut self) -> Option<usize> {
        self.held = self.held.next_multiple_of(8);
        self.flush()?;
        Some(self.at)
    }

    /// Adds the mark at which a reader of the stream begins, and returns the length.
    pub(super) fn finish_marked(mut self) -> Option<usize> {
        self.flush()?;
        self.add(1, 1);
        self.finish()
    }
}

/// Codes in a row, of at most 11 bits each.
#[derive(Clone, Copy)]
pub(super) struct Code {
    /// Their bits, the last ones at the top. What is below them does not matter.
    bits: u64,
    /// In the lowest byte, how many bits.
    len: u64,
}

impl Code {
    const EMPTY: Self = Self { bits: 0, len: 0 };

    /// The code with these `len > 0` bits.
    pub(super) const fn new(bits: u32, len: u8) -> Self {
        Self { bits: (bits as u64) << (64 - len), len: len as u64 }
    }

    /// A code as one number: its bits at the top, their number at the bottom.
    pub(super) const fn packed(self) -> u64 {
        self.bits | self.len
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) const fn unpacked(both: u64) -> Self {
        Self { bits: both, len: both }
    }

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    const fn then(self, next: Self) -> Self {
        Self { bits: self.bits >> (next.len & 63) | next.bits, len: self.len.wrapping_add(next.len) }
    }
}

/// Writes codes. New bits come in from the top: one shift makes room for a code and one operation adds it.
pub(super) struct CodeWriter<'a> {
    dst: &'a mut [u8],
    at: usize,
    /// Bits that were not written yet.
    held: Code,
}

impl<'a> CodeWriter<'a> {
    pub(super) const fn new(dst: &'a mut [u8]) -> Self {
        Self { dst, at: 0, held: Code::EMPTY }
    }

    /// Writes four codes, joined in pairs so that few steps wait for each other. With one more, their numbers of bits at the
    /// bottom would run into the first bits. `None` if there is no room.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn write(&mut self, [a, b, c, d]: [Code; 4]) -> Option<()> {
        self.held = self.held.then(a.then(b).then(c.then(d)));
        self.flush()
    }

    /// Writes one code.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn write_one(&mut self, code: Code) -> Option<()> {
        self.held = self.held.then(code);
        self.flush()
    }

    /// Writes all whole bytes.
    #[inline(always)]
    fn flush(&mut self) -> Option<()> {
        let held = self.held.len & 63;
        let bytes = (self.held.bits >> ((64 - held) & 63)).to_le_bytes();
        let whole = held as usize / 8;
        match self.dst.get_mut(self.at..self.at.wrapping_add(8)).and_then(|room| room.first_chunk_mut()) {
            Some(room) => *room = bytes,
            None => self.dst.get_mut(self.at..)?.get_mut(..whole)?.copy_from_slice(&bytes[..whole]),
        }
        self.at += whole;
        self.held.len = held & 7;
        Some(())
    }

    /// Adds the mark at which a reader of the stream begins, and returns the length.
    pub(super) fn finish_marked(mut self) -> Option<usize> {
        self.write_one(Code::new(1, 1))?;
        while self.held.len > 0 {
            self.write_one(Code::new(0, 1))?;
        }
        Some(self.at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_room() {
        for room in 0..30 {
            let mut dst = [0xEE; 30];
            let mut writer = BitWriter::new(&mut dst[..room]);
            let written = (0..40).try_for_each(|i| {
                writer.add(i % 32, 5);
                if i % 10 == 9 { writer.flush() } else { Some(()) }
            });
            let len = written.and_then(|()| writer.finish_marked());
            assert_eq!(len, (room >= 26).then_some(26));
            assert!(dst[room..].iter().all(|byte| *byte == 0xEE));
            assert!(room < 26 || dst[25] == 1 && dst[0] == 0x20 && dst[1] == 0x88);
        }
    }

    #[test]
    fn codes_of_any_length() {
        let mut state = 1u32;
        for longest in 1..=11 {
            let (mut dst, mut expected) = ([0xEE; 100], [0xEE; 100]);
            let (mut writer, mut plain) = (CodeWriter::new(&mut dst), BitWriter::new(&mut expected));
            for _ in 0..15 {
                let codes = [(); 4].map(|()| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    let length = longest - (state >> 30).min(longest - 1);
                    let bits = state >> 8 & ((1 << length) - 1);
                    plain.add(bits.into(), length);
                    Code::unpacked(Code::new(bits, length as u8).packed())
                });
                writer.write(codes).and(plain.flush()).unwrap();
                plain.add(1, 1);
                writer.write_one(Code::new(1, 1)).unwrap();
            }
            let len = writer.finish_marked();
            assert_eq!(len, plain.finish_marked());
            assert_eq!(dst[..len.unwrap()], expected[..len.unwrap()]);
        }
    }
}
