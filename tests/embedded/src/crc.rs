//! CRC-32 without a table.

/// That of zlib.
pub fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
    })
}
