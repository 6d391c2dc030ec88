//! zlib streams (RFC 1950), through miniz_oxide. Its feature `simd` speeds the checksum up, and with it the
//! whole decoder by a quarter.

use super::Corrupt;
use miniz_oxide::inflate::TINFLStatus;
pub(super) use miniz_oxide::inflate::core::DecompressorOxide as Inflate;
use miniz_oxide::inflate::core::decompress;
use miniz_oxide::inflate::core::inflate_flags::{
    TINFL_FLAG_PARSE_ZLIB_HEADER, TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF,
};

/// Decodes one stream into exactly `dst.len()` bytes, its checksum verified, without allocating.
pub(super) fn decode(inflate: &mut Inflate, src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    inflate.init();
    let flags = TINFL_FLAG_PARSE_ZLIB_HEADER | TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    match decompress(inflate, src, dst, 0, flags) {
        (TINFLStatus::Done, _, written) if written == dst.len() => Ok(()),
        _ => Err(Corrupt),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stored block of four bytes.
    const STORED: [u8; 15] = [0x78, 1, 1, 4, 0, 251, 255, 1, 2, 3, 4, 0, 24, 0, 11];

    #[test]
    fn the_length_and_the_checksum_must_be_right() {
        let mut inflate = Inflate::default();
        let mut dst = [0; 4];
        assert_eq!(decode(&mut inflate, &STORED, &mut dst), Ok(()));
        assert_eq!(dst, [1, 2, 3, 4]);
        assert_eq!(decode(&mut inflate, &STORED, &mut [0; 3]), Err(Corrupt));
        assert_eq!(decode(&mut inflate, &STORED, &mut [0; 5]), Err(Corrupt));
        assert_eq!(decode(&mut inflate, &[], &mut dst), Err(Corrupt));
        for at in 0..STORED.len() {
            assert_eq!(decode(&mut inflate, &STORED[..at], &mut dst), Err(Corrupt));
            let mut wrong = STORED;
            wrong[at] ^= 1;
            assert_eq!(decode(&mut inflate, &wrong, &mut dst), Err(Corrupt), "byte {at}");
        }
        assert_eq!(decode(&mut inflate, &STORED, &mut dst), Ok(()));
    }
}
