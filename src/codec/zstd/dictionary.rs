//! Dictionaries: content that logically precedes the output, and initial tables.

use super::bits::{GUARD, bytes_at};
use super::codes::{LITERALS, MATCHES, OFFSETS};
use super::sequences::Repeats;
use super::tables::{States, Tables};
use crate::codec::Corrupt;

const MAGIC: u32 = 0xEC30_A437;
/// Upper bound of the size of the table descriptions.
const MAX_HEAD_BYTES: usize = 512;

/// The tables of a dictionary, identified by the bytes that describe them: comparing these few bytes tells whether the
/// next dictionary has the same tables. The content is not kept.
pub(super) struct Prepared {
    pub(super) tables: Tables,
    head: [u8; MAX_HEAD_BYTES],
    len: usize,
}

/// The parts of a dictionary that a frame uses.
pub(super) struct Dictionary<'a> {
    pub(super) id: u32,
    pub(super) content: &'a [u8],
    pub(super) repeats: Repeats,
    pub(super) tables: Option<&'a Tables>,
}

/// Whether `dict` has tables besides content.
pub(super) fn has_tables(dict: &[u8]) -> bool {
    dict.len() >= GUARD && dict.starts_with(&MAGIC.to_le_bytes())
}

impl<'a> Dictionary<'a> {
    /// A dictionary with content only, or none.
    pub(super) const fn raw(content: &'a [u8]) -> Self {
        Self { id: 0, content, repeats: [1, 4, 8], tables: None }
    }
}

impl Prepared {
    pub(super) const EMPTY: Self = Self { tables: Tables::EMPTY, head: [0; MAX_HEAD_BYTES], len: 0 };

    /// Builds the tables of `dict`, for which [`has_tables`] holds, unless they are the current ones.
    pub(super) fn prepare<'a>(&'a mut self, dict: &'a [u8]) -> Result<Dictionary<'a>, Corrupt> {
        let known = &self.head[..self.len];
        if known.is_empty() || !dict.starts_with(known) {
            self.read(dict)?;
        }
        let (head, content) = dict.split_at_checked(self.len).ok_or(Corrupt)?;
        let repeats = head.last_chunk::<12>().ok_or(Corrupt)?;
        let repeat = |at| bytes_at(repeats, at).map(u32::from_le_bytes);
        let repeats = [repeat(0)?, repeat(4)?, repeat(8)?];
        if repeats.iter().any(|&repeat| repeat == 0 || repeat as usize > content.len()) {
            return Err(Corrupt);
        }
        Ok(Dictionary {
            id: u32::from_le_bytes(bytes_at(dict, 4)?),
            content,
            repeats,
            tables: Some(&self.tables),
        })
    }

    fn read(&mut self, dict: &[u8]) -> Result<(), Corrupt> {
        self.len = 0;
        let Tables { huffman, literals, offsets, matches } = &mut self.tables;
        let mut at = huffman.read(dict, GUARD, true)?;
        let of_sequences: [(&mut States, _); 3] =
            [(offsets, &OFFSETS), (matches, &MATCHES), (literals, &LITERALS)];
        for (states, alphabet) in of_sequences {
            at = states.read(alphabet, dict, at)?;
        }
        at += 12;
        let head = dict.get(..at).ok_or(Corrupt)?;
        self.head.get_mut(..at).ok_or(Corrupt)?.copy_from_slice(head);
        self.len = at;
        Ok(())
    }
}
