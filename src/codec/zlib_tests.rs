//! The zlib adapter, whichever crate is behind it.

use crate::codec::Corrupt;
use crate::codec::zlib::{Inflate, decode};

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
