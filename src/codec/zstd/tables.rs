//! The tables that blocks describe, and those of earlier blocks, of the format or of a dictionary that they may
//! use instead.

use super::codes::{Alphabet, LITERALS, MATCHES, OFFSETS};
use super::fse::{Distribution, Entry, MOST_STATES};
use super::huffman;
use crate::codec::Corrupt;

/// One table of each kind: 14 KiB.
pub(super) struct Tables {
    pub(super) huffman: huffman::Table,
    pub(super) literals: States<MOST_STATES>,
    pub(super) offsets: States<{ MOST_STATES / 2 }>,
    pub(super) matches: States<MOST_STATES>,
}

impl Tables {
    /// Tables not described yet.
    pub(super) const EMPTY: Self = Self {
        huffman: huffman::Table::EMPTY,
        literals: States::EMPTY,
        offsets: States::EMPTY,
        matches: States::EMPTY,
    };
}

/// The states of one alphabet.
pub(super) struct States<const N: usize> {
    entries: [Entry; N],
    used: usize,
}

impl<const N: usize> States<N> {
    const EMPTY: Self = Self { entries: [Entry::ZERO; N], used: 0 };

    /// Reads a description at `at`; says where it ends.
    pub(super) fn read(&mut self, alphabet: &Alphabet, src: &[u8], at: usize) -> Result<usize, Corrupt> {
        self.used = 0;
        read(&mut self.entries, &mut self.used, alphabet, src, at)
    }

    fn filled(&self) -> Option<&[Entry]> {
        self.entries.get(..self.used).filter(|states| !states.is_empty())
    }
}

fn read(
    entries: &mut [Entry],
    used: &mut usize,
    alphabet: &Alphabet,
    src: &[u8],
    at: usize,
) -> Result<usize, Corrupt> {
    let src = src.get(at..).ok_or(Corrupt)?;
    let (distribution, len) = Distribution::read(src, alphabet.codes.len(), alphabet.most)?;
    let states = entries.get_mut(..distribution.states()).ok_or(Corrupt)?;
    distribution.fill(alphabet.codes, states);
    *used = states.len();
    Ok(at + len)
}

/// Where a table is.
#[derive(Clone, Copy)]
pub(super) enum Source {
    /// Nowhere: no block has described one.
    Nowhere,
    Predefined,
    Own,
    Dictionary,
}

/// The tables that a block uses.
pub(super) struct InUse<'a> {
    pub(super) own: &'a mut Tables,
    dictionary: Option<&'a Tables>,
    huffman: Source,
    literals: Source,
    offsets: Source,
    matches: Source,
}

impl<'a> InUse<'a> {
    /// Those at the start of a frame.
    pub(super) const fn new(own: &'a mut Tables, dictionary: Option<&'a Tables>) -> Self {
        let source = if dictionary.is_some() { Source::Dictionary } else { Source::Nowhere };
        Self { own, dictionary, huffman: source, literals: source, offsets: source, matches: source }
    }

    /// Reads the description of a Huffman table at `at`; says where it ends.
    pub(super) fn read_huffman(&mut self, src: &[u8], at: usize) -> Result<usize, Corrupt> {
        self.huffman = Source::Own;
        self.own.huffman.read(src, at)
    }

    pub(super) fn huffman(&self) -> Result<&huffman::Table, Corrupt> {
        match self.huffman {
            Source::Own => Ok(&self.own.huffman),
            Source::Dictionary => self.dictionary.map(|tables| &tables.huffman).ok_or(Corrupt),
            _ => Err(Corrupt),
        }
    }

    /// Reads the descriptions of the three tables of sequences, as `modes` says, from `at` on; says where they
    /// end.
    pub(super) fn read_sequences(&mut self, modes: u8, src: &[u8], mut at: usize) -> Result<usize, Corrupt> {
        let Tables { literals, offsets, matches, .. } = &mut *self.own;
        at = choose(&mut self.literals, &mut literals.entries, &mut literals.used, &LITERALS, modes >> 6, src, at)?;
        at = choose(&mut self.offsets, &mut offsets.entries, &mut offsets.used, &OFFSETS, modes >> 4, src, at)?;
        choose(&mut self.matches, &mut matches.entries, &mut matches.used, &MATCHES, modes >> 2, src, at)
    }

    /// The states of lengths of literals, of offsets and of lengths of matches.
    pub(super) fn sequences(&self) -> Result<[&[Entry]; 3], Corrupt> {
        let Self { own, dictionary, .. } = self;
        Ok([
            chosen(self.literals, &LITERALS, own.literals.filled(), dictionary.and_then(|d| d.literals.filled()))?,
            chosen(self.offsets, &OFFSETS, own.offsets.filled(), dictionary.and_then(|d| d.offsets.filled()))?,
            chosen(self.matches, &MATCHES, own.matches.filled(), dictionary.and_then(|d| d.matches.filled()))?,
        ])
    }
}

fn choose(
    source: &mut Source,
    entries: &mut [Entry],
    used: &mut usize,
    alphabet: &Alphabet,
    mode: u8,
    src: &[u8],
    at: usize,
) -> Result<usize, Corrupt> {
    match mode & 3 {
        0 => *source = Source::Predefined,
        1 => {
            let code = *src.get(at).ok_or(Corrupt)?;
            let code = alphabet.codes.get(usize::from(code)).ok_or(Corrupt)?;
            *entries.first_mut().ok_or(Corrupt)? = Entry { base: code.base, extra: code.extra, ..Entry::ZERO };
            *used = 1;
            *source = Source::Own;
            return Ok(at + 1);
        }
        2 => {
            *source = Source::Own;
            return read(entries, used, alphabet, src, at);
        }
        _ => {}
    }
    Ok(at)
}

fn chosen<'t>(
    source: Source,
    alphabet: &'static Alphabet,
    own: Option<&'t [Entry]>,
    dictionary: Option<&'t [Entry]>,
) -> Result<&'t [Entry], Corrupt> {
    match source {
        Source::Nowhere => None,
        Source::Predefined => Some(alphabet.predefined),
        Source::Own => own,
        Source::Dictionary => dictionary,
    }
    .ok_or(Corrupt)
}
