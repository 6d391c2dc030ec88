//! The description of Huffman codes: the weight of each symbol but the last, which follows from the others.

use super::bits::BitWriter;
use super::fse::{Counts, FseEncoder, describe, normalized};
use crate::codec::zstd::fse::MAX_SYMBOLS;

/// The accuracy of the table of weights.
const MAX_LOG: u32 = 6;
/// The longest description of weights by FSE, in bytes.
const MAX_COMPRESSED_BYTES: usize = 127;
/// The most weights that can be written as they are.
const MAX_DIRECT_WEIGHTS: usize = 128;
/// Upper bound of the length of a description.
pub(super) const MAX_DESCRIPTION_BYTES: usize = 1 + MAX_COMPRESSED_BYTES;

/// Writes the description of `weights` and returns its length; `None` if there is none.
pub(super) fn write(weights: &[u8], dst: &mut [u8; MAX_DESCRIPTION_BYTES]) -> Option<usize> {
    let direct = if weights.len() <= MAX_DIRECT_WEIGHTS { weights.len().div_ceil(2) } else { usize::MAX };
    let (head, rest) = dst.split_first_mut()?;
    if let Some(len) = compressed(weights, rest).filter(|len| *len < direct) {
        *head = len as u8;
        return Some(1 + len);
    }
    let packed = rest.get_mut(..direct)?;
    *head = 127 + weights.len() as u8;
    for (byte, two) in packed.iter_mut().zip(weights.chunks(2)) {
        *byte = two[0] << 4 | two.get(1).unwrap_or(&0);
    }
    Some(1 + direct)
}

/// Writes the weights with two alternating states.
fn compressed(weights: &[u8], dst: &mut [u8]) -> Option<usize> {
    let mut counts: Counts = [0; MAX_SYMBOLS];
    weights.iter().for_each(|weight| counts[usize::from(*weight) & (MAX_SYMBOLS - 1)] += 1);
    // A table of a single weight would need no bits, and a reader would not know how many there are.
    if weights.len() < 4 || counts.iter().any(|count| *count as usize == weights.len()) {
        return None;
    }
    let distribution = normalized(&counts, MAX_LOG);
    let described = describe(&distribution, dst)?;
    let mut table = FseEncoder::EMPTY;
    table.fill(&distribution);
    let mut writer = BitWriter::new(&mut dst[described..]);
    let (before, [other, last]) = weights.split_last_chunk()?;
    let (mut state, mut next) = (table.first(*last), table.first(*other));
    for weight in before.iter().rev() {
        (state, next) = (next, table.add(state, *weight, &mut writer));
        writer.flush()?;
    }
    table.add_state(state, &mut writer);
    table.add_state(next, &mut writer);
    Some(described + writer.finish_marked()?)
}
