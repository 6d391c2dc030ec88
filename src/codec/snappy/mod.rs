//! Raw snappy blocks, which only Blosc1 reads and writes.
//!
//! The output length as a varint, then elements whose low two bits give their kind: literals, or a copy with an offset
//! of 11, 16 or 32 bits.

#[cfg(feature = "encoders")]
mod encode;

#[cfg(feature = "encoders")]
pub(super) use encode::{Positions, encode};

use super::Corrupt;
use super::copy::{SLACK, exact, wide};

/// Decodes one block into exactly `dst.len()` bytes.
pub(super) fn decode(src: &[u8], dst: &mut [u8]) -> Result<(), Corrupt> {
    let mut input = src;
    if varint(&mut input)? != dst.len() as u64 {
        return Err(Corrupt);
    }
    let mut op = 0;
    while let Some((&tag, rest)) = input.split_first() {
        input = rest;
        let high = usize::from(tag >> 2);
        let len = if tag & 3 == 0 {
            let len = literal_len(&mut input, high)?;
            let (literals, rest) = input.split_at_checked(len).ok_or(Corrupt)?;
            dst[op..].get_mut(..len).ok_or(Corrupt)?.copy_from_slice(literals);
            input = rest;
            len
        } else {
            let (dist, len) = match tag & 3 {
                1 => ((high >> 3) << 8 | little(&mut input, 1)?, (high & 7) + 4),
                2 => (little(&mut input, 2)?, high + 1),
                _ => (little(&mut input, 4)?, high + 1),
            };
            take_copy(dst, op, dist, len)?;
            len
        };
        op += len;
    }
    if op == dst.len() { Ok(()) } else { Err(Corrupt) }
}

fn take_copy(dst: &mut [u8], op: usize, dist: usize, len: usize) -> Result<(), Corrupt> {
    let room = dst.len() - op;
    if dist == 0 || dist > op || len > room {
        return Err(Corrupt);
    }
    if room - len >= SLACK {
        wide(dst, op, dist, len);
    } else {
        exact(dst, op, dist, len);
    }
    Ok(())
}

/// Up to 60 literals are counted in the tag, more in one to four bytes.
fn literal_len(input: &mut &[u8], high: usize) -> Result<usize, Corrupt> {
    let less_one = if high < 60 { high } else { little(input, high - 59)? };
    less_one.checked_add(1).ok_or(Corrupt)
}

/// A little-endian number of `n <= 4` bytes.
fn little(input: &mut &[u8], n: usize) -> Result<usize, Corrupt> {
    let (bytes, rest) = input.split_at_checked(n).ok_or(Corrupt)?;
    *input = rest;
    let value = bytes.iter().rev().fold(0, |value, &byte| value << 8 | u32::from(byte));
    usize::try_from(value).map_err(|_| Corrupt)
}

/// A length of at most 32 bits, seven of them in each byte.
fn varint(input: &mut &[u8]) -> Result<u64, Corrupt> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = input.split_first().ok_or(Corrupt)?;
        *input = rest;
        value |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return Ok(value);
        }
    }
    Err(Corrupt)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded<const N: usize>(src: &[u8]) -> Result<[u8; N], Corrupt> {
        let mut dst = [0xEE; N];
        decode(src, &mut dst).map(|()| dst)
    }

    #[test]
    fn literals_and_copies() {
        assert_eq!(decoded(&[0]), Ok([]));
        assert_eq!(decoded(&[3, 2 << 2, 1, 2, 3]), Ok([1, 2, 3]));
        assert_eq!(decoded(&[3, 60 << 2, 2, 1, 2, 3]), Ok([1, 2, 3]));
        assert_eq!(decoded(&[6, 1 << 2, 1, 2, 1, 2]), Ok([1, 2, 1, 2, 1, 2]));
        assert_eq!(decoded(&[5, 1 << 2, 1, 2, 2 << 2 | 2, 2, 0]), Ok([1, 2, 1, 2, 1]));
        assert_eq!(decoded(&[5, 1 << 2, 1, 2, 2 << 2 | 3, 2, 0, 0, 0]), Ok([1, 2, 1, 2, 1]));
    }

    #[test]
    fn refuses_what_is_malformed() {
        let malformed: [(&str, &[u8]); 11] = [
            ("nothing", &[]),
            ("length only", &[8]),
            ("length cut short", &[0x88]),
            ("endless length", &[0x88, 0x80, 0x80, 0x80, 0x80, 0]),
            ("other length", &[7, 6 << 2, 1, 2, 3, 4, 5, 6, 7]),
            ("literals cut short", &[8, 7 << 2, 1]),
            ("length of literals cut short", &[8, 63 << 2, 7, 0, 0]),
            ("enormous literals", &[8, 63 << 2, 255, 255, 255, 255, 0]),
            ("offset 0", &[8, 3 << 2, 1, 2, 3, 4, 1, 0]),
            ("offset before the start", &[8, 3 << 2, 1, 2, 3, 4, 1, 5]),
            ("copy beyond the output", &[8, 3 << 2, 1, 2, 3, 4, 5, 4]),
        ];
        for (what, src) in malformed {
            assert_eq!(decoded::<8>(src), Err(Corrupt), "{what}");
        }
    }
}
