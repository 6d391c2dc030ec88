//! The literals of a block: raw, one byte repeated, or Huffman codes, new ones or those of the block before.

use super::huffman::{Described, Huffman, histogram};

/// Fewer literals are written as they are.
const LEAST: usize = 16;
/// From so many literals on there are four streams.
const FOUR_STREAMS: usize = 256;
/// Huffman codes have to save one part of so many.
const GAIN: usize = 64;

/// Codes that the next block may use again.
pub(super) struct Literals {
    pub(super) huffman: Huffman,
    pub(super) known: bool,
}

impl Literals {
    pub(super) const EMPTY: Self = Self { huffman: Huffman::EMPTY, known: false };

    /// Writes the section and returns its length; `None` if it does not fit.
    pub(super) fn write(&mut self, literals: &[u8], dst: &mut [u8]) -> Option<usize> {
        let len = literals.len();
        if len < LEAST {
            return raw(literals, dst);
        }
        let histogram = histogram(literals);
        let most = histogram.iter().copied().max().unwrap_or(0) as usize;
        if most == len {
            return repeated(literals, dst);
        }
        // Nearly flat: no code saves as much as the description takes.
        if most <= len / 128 + 4 && !self.known {
            return raw(literals, dst);
        }
        let before = self.known.then(|| self.huffman.cost(&histogram)).flatten();
        let room = len - len / GAIN - 3;
        let new = Described::new(&histogram);
        let cost = new.as_ref().and_then(|new| Some(new.huffman.cost(&histogram)? + new.len));
        match (before, cost) {
            (Some(before), cost) if before < room && cost.is_none_or(|cost| before <= cost) => {
                self.coded(literals, None, dst)
            }
            (_, Some(cost)) if cost < room => self.coded(literals, new, dst),
            _ => raw(literals, dst),
        }
    }

    /// Writes literals with new codes, or else with those of the block before.
    fn coded(&mut self, literals: &[u8], new: Option<Described>, dst: &mut [u8]) -> Option<usize> {
        let len = literals.len();
        let streams = if len < FOUR_STREAMS { 1 } else { 4 };
        let (format, head) = match len {
            0..FOUR_STREAMS => (0, 3),
            FOUR_STREAMS..1024 => (1, 3),
            1024..16_384 => (2, 4),
            _ => (3, 5),
        };
        let mut at = head;
        let mut kind = 3;
        if let Some(new) = new {
            dst.get_mut(at..)?.get_mut(..new.len)?.copy_from_slice(&new.description[..new.len]);
            at += new.len;
            (self.huffman, self.known, kind) = (new.huffman, true, 2);
        }
        at += self.huffman.write(literals, streams, dst.get_mut(at..)?)?;
        let bits = [10, 10, 14, 18][format];
        let coded = (at - head) as u64;
        let fields = kind | (format as u64) << 2 | (len as u64) << 4 | coded << (4 + bits);
        dst.get_mut(..head)?.copy_from_slice(&fields.to_le_bytes()[..head]);
        (coded >> bits == 0).then_some(at)
    }
}

fn raw(literals: &[u8], dst: &mut [u8]) -> Option<usize> {
    let head = plain_head(0, literals.len(), dst)?;
    dst.get_mut(head..)?.get_mut(..literals.len())?.copy_from_slice(literals);
    Some(head + literals.len())
}

fn repeated(literals: &[u8], dst: &mut [u8]) -> Option<usize> {
    let head = plain_head(1, literals.len(), dst)?;
    *dst.get_mut(head)? = *literals.first()?;
    Some(head + 1)
}

/// Writes the header of literals without codes.
fn plain_head(kind: usize, len: usize, dst: &mut [u8]) -> Option<usize> {
    let (fields, head) = match len {
        0..32 => (kind | len << 3, 1),
        32..4096 => (kind | 1 << 2 | len << 4, 2),
        _ => (kind | 3 << 2 | len << 4, 3),
    };
    dst.get_mut(..head)?.copy_from_slice(&(fields as u32).to_le_bytes()[..head]);
    Some(head)
}
