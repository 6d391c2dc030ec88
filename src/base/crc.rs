//! CRC-32, as zlib and many others have it.

/// The remainders of all values of four bits: 64 bytes of table, two look-ups a byte.
const TABLE: [u32; 16] = {
    let mut table = [0; 16];
    let mut value = 0;
    while value < 16 {
        let (mut crc, mut bit) = (value as u32, 0);
        while bit < 4 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
            bit += 1;
        }
        table[value] = crc;
        value += 1;
    }
    table
};

/// A checksum of bytes that come in pieces.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Crc(u32);

impl Crc {
    /// Of nothing.
    pub(crate) const fn new() -> Self {
        Self(!0)
    }

    /// Of bytes that have this checksum.
    pub(crate) const fn after(crc: u32) -> Self {
        Self(!crc)
    }

    /// Of these bytes as well.
    #[inline(never)]
    #[must_use]
    pub(crate) fn with(self, bytes: &[u8]) -> Self {
        Self(bytes.iter().fold(self.0, |crc, &byte| {
            let crc = crc ^ u32::from(byte);
            let crc = crc >> 4 ^ TABLE[(crc & 15) as usize];
            crc >> 4 ^ TABLE[(crc & 15) as usize]
        }))
    }

    /// The checksum.
    pub(crate) const fn get(self) -> u32 {
        !self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        assert_eq!(Crc::new().get(), 0);
        assert_eq!(Crc::new().with(b"123456789").get(), 0xCBF4_3926);
        assert_eq!(Crc::new().with(b"1234").with(b"56789").get(), 0xCBF4_3926);
    }
}
