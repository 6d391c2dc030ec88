//! Handmade frames, and two of libzstd's that need no libzstd: suitable for Miri.

#[cfg(not(miri))]
mod libzstd;

use super::{Corrupt, ZstdDict};
use crate::codec::tables::Decode;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Tables that streams reuse.
struct Decoder(Box<ZstdDict>);

impl Default for Decoder {
    fn default() -> Self {
        Self(Box::new(ZstdDict::new()))
    }
}

impl Decoder {
    fn decode(&mut self, src: &[u8], dict: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
        self.0.zstd(src, dict, dst).expect("tables of zstd")
    }
}

fn decoded(src: &[u8], dict: &[u8], len: usize) -> Result<Vec<u8>, Corrupt> {
    let mut dst = vec![0xEE; len];
    Decoder::default().decode(src, dict, &mut dst).map(|()| dst)
}

/// A frame without a content size, in a window of 1 KiB.
fn frame(blocks: &[u8]) -> Vec<u8> {
    [&[0x28, 0xB5, 0x2F, 0xFD, 0, 0], blocks].concat()
}

/// The last block of a frame, compressed.
fn compressed(content: &[u8]) -> Vec<u8> {
    let head = (content.len() << 3 | 5) as u32;
    frame(&[&head.to_le_bytes()[..3], content].concat())
}

#[test]
fn blocks_that_are_not_compressed() {
    let raw_and_run = frame(&[0x18, 0, 0, 1, 2, 3, 0x23, 0, 0, 9]);
    assert_eq!(decoded(&raw_and_run, &[], 7), Ok(vec![1, 2, 3, 9, 9, 9, 9]));
    assert_eq!(decoded(&raw_and_run, &[], 6), Err(Corrupt));
    assert_eq!(decoded(&raw_and_run, &[], 8), Err(Corrupt));
    let reserved = frame(&[0x07, 0, 0]);
    assert_eq!(decoded(&reserved, &[], 0), Err(Corrupt));
}

#[test]
fn sequences_of_one_code_each() {
    // Three raw literals and one sequence: two literals, offset code 2, a match of 3 + 2. Then the mark and the extra
    // bits 01: an offset of 4 + 1 - 3.
    let one = [0x18, 1, 2, 3, 1, 0x54, 2, 2, 2, 0b101];
    assert_eq!(decoded(&compressed(&one), &[], 8), Ok(vec![1, 2, 1, 2, 1, 2, 1, 3]));
    assert_eq!(decoded(&compressed(&one), &[], 7), Err(Corrupt));
    let unmarked = [0x18, 1, 2, 3, 1, 0x54, 2, 2, 2, 0];
    assert_eq!(decoded(&compressed(&unmarked), &[], 8), Err(Corrupt));
    // An offset of 4 reaches two bytes into the dictionary.
    let far = [0x18, 1, 2, 3, 1, 0x54, 2, 2, 2, 0b111];
    assert_eq!(decoded(&compressed(&far), &[], 8), Err(Corrupt));
    assert_eq!(decoded(&compressed(&far), &[7, 8, 9], 8), Ok(vec![1, 2, 8, 9, 1, 2, 8, 3]));
    // The initial repeated offsets: 1, 4 and 8.
    let repeated = [0x18, 1, 2, 3, 1, 0x54, 2, 0, 2, 1];
    assert_eq!(decoded(&compressed(&repeated), &[], 8), Ok(vec![1, 2, 2, 2, 2, 2, 2, 3]));
}

#[test]
fn frames_in_a_row_and_to_skip() {
    let run = frame(&[0x1B, 0, 0, 9]);
    let skipped = [0x5A, 0x2A, 0x4D, 0x18, 2, 0, 0, 0, 1, 2];
    let all = [&run[..], &skipped, &run, &skipped].concat();
    assert_eq!(decoded(&all, &[], 6), Ok(vec![9; 6]));
    for len in 1..all.len() {
        let whole = matches!(len, 10 | 20 | 30);
        let count = if len < 30 { 3 } else { 6 };
        assert_eq!(decoded(&all[..len], &[], count).is_ok(), whole, "{len} bytes");
    }
    assert_eq!(decoded(&[&run[..], &[0]].concat(), &[], 3), Err(Corrupt));
}

#[test]
fn sizes_and_dictionaries_that_a_frame_names() {
    let sized = |size: u8| [0x28, 0xB5, 0x2F, 0xFD, 0x20, size, 0x1B, 0, 0, 9];
    assert_eq!(decoded(&sized(3), &[], 3), Ok(vec![9; 3]));
    assert_eq!(decoded(&sized(2), &[], 3), Err(Corrupt));
    assert_eq!(decoded(&sized(4), &[], 3), Err(Corrupt));
    assert_eq!(decoded(&sized(4), &[], 4), Err(Corrupt));
    let with_dictionary = [0x28, 0xB5, 0x2F, 0xFD, 0x21, 5, 3, 0x1B, 0, 0, 9];
    assert_eq!(decoded(&with_dictionary, &[], 3), Err(Corrupt));
    let reserved = [0x28, 0xB5, 0x2F, 0xFD, 0x28, 3, 0x1B, 0, 0, 9];
    assert_eq!(decoded(&reserved, &[], 3), Err(Corrupt));
}

#[test]
fn dictionaries_that_end_early() {
    let run = frame(&[0x1B, 0, 0, 9]);
    let magic = [0x37, 0xA4, 0x30, 0xEC, 1, 0, 0, 0];
    assert_eq!(decoded(&run, &magic, 3), Err(Corrupt));
    // Too short to have tables.
    assert_eq!(decoded(&run, &magic[..7], 3), Ok(vec![9; 3]));
}

#[test]
fn checksums() {
    let sum = |data: &[u8]| super::xxh64::xxh64(data);
    assert_eq!(sum(b""), 0xEF46_DB37_51D8_E999);
    assert_eq!(sum(b"abc"), 0x44BC_2CF5_AD77_0999);
    let mut src = hex(LEVEL_19);
    assert_eq!(decoded(&src, &[], 1500), Ok(plain()));
    *src.last_mut().unwrap() ^= 1;
    assert_eq!(decoded(&src, &[], 1500), Err(Corrupt));
}

#[test]
fn frames_of_libzstd() {
    for text in [LEVEL_19, LEVEL_1] {
        let src = hex(text);
        assert_eq!(decoded(&src, &[], 1500), Ok(plain()));
        for len in (0..src.len()).step_by(if cfg!(miri) { 40 } else { 1 }) {
            assert_eq!(decoded(&src[..len], &[], 1500), Err(Corrupt), "{len} bytes");
        }
    }
}

#[test]
fn memory() {
    assert!(size_of::<super::Tables>() <= 18_720);
}

/// A few kinds of literals, and repeats.
fn plain() -> Vec<u8> {
    let (mut state, mut data) = (1u32, Vec::new());
    while data.len() < 1500 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let random = (state >> 16) as usize;
        if random.is_multiple_of(5) && data.len() > 40 {
            let from = data.len() - 1 - (random >> 4) % 40;
            (0..random % 19 + 3).for_each(|i| data.push(data[from + i]));
        } else {
            data.push(b"aaaabbbcde fghij"[(random >> 5) % 16]);
        }
    }
    data.truncate(1500);
    data
}

fn hex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|at| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap()).collect()
}

/// [`plain`] at level 19 with a checksum, and at level 1: four streams of Huffman codes with compressed weights, three
/// described tables.
const LEVEL_19: &str = "28b52ffd64dc04450c0096de360ad0e724b4b4490200859f31003300340014c5035efe3867efff8dc2b9bf69c1\
    9ce33fba091293333006dcfaa650708a5ba1e609538b1e64643a6176f9f9fe8c850c01305c64766a9bc6d65450208e9f3d29225420\
    e425c09341011361324fcae1ea09913c88248f9edff631280adebcc2ebbd364d26bc7e306d5a4e6a9a3d5600f1838303082f39395f\
    0c701269e286375deaee020566421dd22b8251527b96f7096d361e1559f129578a027e574de53c7275e5a21a56ff6414088da55a68\
    6773e7d36b2169ac32faba21887546653681c7e73b87c9fe84d52919502820c640ee0611400c8521c38c4446192aba0d878d39807b\
    d892d45a3f857c312e6d72b1516e54a19c705ac4de123b0dda90290b1dec7a8b0162b5894c25bbfe1fc682ae3cd768507a672f459a\
    38aa0e0c9fb01d025e1075a506c22b9a45d64b5f008b28358a08424c9a7de4c8a500659a89df29244416907c7d71a9a1603ef33590\
    2b8ddc793f01b3a9bdbdfcce8403ca5d4b79cda4ef9b6a87f5d02464028b2ea08f4ef0329e2c039b94d5d2";
const LEVEL_1: &str = "28b52ffd60dc04f50d00b65e380ad0e7444444480200859f33003400340043513c606b39a7f5a370fa1d2b9873fc\
    a5064d909cf4e078700cd8ea4ea1e0143f839a274c56f420236313a62d3f6f3f63210314000c80e122d3a6be79b49a0a0a44796f11\
    a1022137023c1914301127b3621c2eab10c98348b2f47cb3ed39280a7613d6b6eda6d344deb4546aaa00e285830308b7b9e4c0244e\
    ce8d014e224d74d891ea77bbc2800233a10eb12b825162f734f60a6f3e968aae02358a22e0bd2a8ae691d6268db2b86214088f46bd\
    a95a78bd01cec7ae85e4b1eae8ab4310ab477537812587e9bec2b231f284b50b0766a861a55208118dc84c0a5218c63002c3a0a4b4\
    011120308a29a694132a693a2801be17d208a45ae39ea2012dd6271a25ed983856293789316f799ac3c9774dc5d81d1e6960c998f1\
    9106dc68c989c01f56ac735d391897d3136f30882df30d15c1a925dcc5d2ec7b39a0b0d07ee2f5a19bd00fba0fe6f541c8b55a857a\
    bfd150169dace10bf996300ea16598769365fdbe4fa189b9346414e6da5da92494a51c255fd142d1d5d8b2691066c1885b758e61c0\
    1c34bd96c1452dfb531c256e717deb9d40d3ea71c64ed820638da14ee21c6153d01f41a78ceeab";
