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

/// The states of one alphabet, of which the first `used` count.
pub(super) struct States<const N: usize> {
    entries: [Entry; N],
    used: usize,
}

impl<const N: usize> States<N> {
    const EMPTY: Self = Self { entries: [Entry::ZERO; N], used: 0 };

    #[inline(always)]
    pub(super) fn get(&self, state: usize) -> Result<&Entry, Corrupt> {
        self.entries.get(state).ok_or(Corrupt)
    }

    /// The bits of a state.
    pub(super) fn log(&self) -> u8 {
        self.used.checked_ilog2().unwrap_or(0) as u8
    }

    /// Reads a description at `at`; says where it ends.
    pub(super) fn read(&mut self, alphabet: &Alphabet, src: &[u8], at: usize) -> Result<usize, Corrupt> {
        let (used, end) = read(&mut self.entries, alphabet, src, at)?;
        self.used = used;
        Ok(end)
    }

    fn set(&mut self, entries: &[Entry]) -> Result<(), Corrupt> {
        self.entries.get_mut(..entries.len()).ok_or(Corrupt)?.copy_from_slice(entries);
        self.used = entries.len();
        Ok(())
    }
}

/// Without the number of entries, so that it is compiled once.
fn read(
    entries: &mut [Entry],
    alphabet: &Alphabet,
    src: &[u8],
    at: usize,
) -> Result<(usize, usize), Corrupt> {
    let src = src.get(at..).ok_or(Corrupt)?;
    let (distribution, len) = Distribution::read(src, alphabet.codes.extra.len(), alphabet.most)?;
    let states = entries.get_mut(..distribution.states()).ok_or(Corrupt)?;
    distribution.fill(&alphabet.codes, states);
    Ok((states.len(), at + len))
}

/// Where the table is that a block may use without describing it.
#[derive(Clone, Copy, PartialEq)]
enum Source {
    /// Nowhere: no block has described one.
    Nowhere,
    Own,
    Dictionary,
}

/// The tables that the blocks of a frame use.
pub(super) struct InUse<'a> {
    own: &'a mut Tables,
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
    pub(super) fn read_huffman(&mut self, src: &[u8], at: usize, pairs: bool) -> Result<usize, Corrupt> {
        self.huffman = Source::Own;
        self.own.huffman.read(src, at, pairs)
    }

    pub(super) fn huffman(&self) -> Result<&huffman::Table, Corrupt> {
        match self.huffman {
            Source::Nowhere => Err(Corrupt),
            Source::Own => Ok(&self.own.huffman),
            Source::Dictionary => self.dictionary.map(|tables| &tables.huffman).ok_or(Corrupt),
        }
    }

    /// Reads the descriptions of the three tables of sequences, as `modes` says, from `at` on; says where they
    /// end and where the tables are: in one place, so that the hot loop has one pointer to them.
    pub(super) fn read_sequences(
        &mut self,
        modes: u8,
        src: &[u8],
        at: usize,
    ) -> Result<(usize, &Tables), Corrupt> {
        let Self { own, dictionary, literals, offsets, matches, .. } = self;
        let sources = [*literals, *offsets, *matches];
        if let Some(dictionary) = dictionary
            && modes == 0xFC
            && sources == [Source::Dictionary; 3]
        {
            return Ok((at, dictionary));
        }
        let at = choose(
            literals,
            &mut own.literals,
            dictionary.map(|d| &d.literals),
            &LITERALS,
            modes >> 6,
            src,
            at,
        )?;
        let at =
            choose(offsets, &mut own.offsets, dictionary.map(|d| &d.offsets), &OFFSETS, modes >> 4, src, at)?;
        let at =
            choose(matches, &mut own.matches, dictionary.map(|d| &d.matches), &MATCHES, modes >> 2, src, at)?;
        Ok((at, own))
    }
}

fn choose<const N: usize>(
    source: &mut Source,
    own: &mut States<N>,
    dictionary: Option<&States<N>>,
    alphabet: &Alphabet,
    mode: u8,
    src: &[u8],
    mut at: usize,
) -> Result<usize, Corrupt> {
    match (mode & 3, *source) {
        (0, _) => own.set(alphabet.predefined)?,
        (1, _) => {
            let code = *src.get(at).ok_or(Corrupt)?;
            let (base, extra) = alphabet.codes.get(code).ok_or(Corrupt)?;
            own.set(&[Entry { base, extra, ..Entry::ZERO }])?;
            at += 1;
        }
        (2, _) => at = own.read(alphabet, src, at)?,
        (_, Source::Nowhere) => return Err(Corrupt),
        (_, Source::Own) => {}
        (_, Source::Dictionary) => {
            let States { entries, used } = dictionary.ok_or(Corrupt)?;
            own.set(entries.get(..*used).ok_or(Corrupt)?)?;
        }
    }
    *source = Source::Own;
    Ok(at)
}
