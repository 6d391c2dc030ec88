//! The tables that blocks describe, or reuse from earlier blocks, from the format or from a dictionary.

use super::codes::{Alphabet, LITERALS, MATCHES, OFFSETS, READY};
use super::fse::{Distribution, FseEntry, MAX_STATES};
use super::huffman;
use crate::codec::Corrupt;

/// One table of each kind: 14 KiB.
pub(super) struct Tables {
    pub(super) huffman: huffman::Table,
    pub(super) literals: States<[FseEntry; MAX_STATES]>,
    pub(super) offsets: States<[FseEntry; MAX_STATES / 2]>,
    pub(super) matches: States<[FseEntry; MAX_STATES]>,
}

impl Tables {
    /// Uninitialised tables.
    pub(super) const EMPTY: Self = Self {
        huffman: huffman::Table::EMPTY,
        literals: States::EMPTY,
        offsets: States::EMPTY,
        matches: States::EMPTY,
    };
}

/// The states of one alphabet, of which the first `used` are valid.
pub(super) struct States<E: ?Sized = [FseEntry]> {
    used: u16,
    /// Whether they are the predefined ones.
    predefined: bool,
    entries: E,
}

impl<const N: usize> States<[FseEntry; N]> {
    const EMPTY: Self = Self { used: 0, predefined: false, entries: [FseEntry::ZERO; N] };

    #[inline(always)]
    pub(super) fn get(&self, state: usize) -> Result<&FseEntry, Corrupt> {
        self.entries.get(state).ok_or(Corrupt)
    }

    /// The accuracy: bits of a state.
    pub(super) fn log(&self) -> u8 {
        self.used.checked_ilog2().unwrap_or(0) as u8
    }
}

impl States {
    /// Reads a description at `at`. Returns its end.
    pub(super) fn read(&mut self, alphabet: &Alphabet, src: &[u8], at: usize) -> Result<usize, Corrupt> {
        let src = src.get(at..).ok_or(Corrupt)?;
        let (distribution, len) = Distribution::read(src, alphabet.codes.extra.len(), alphabet.most)?;
        self.fill(&distribution, alphabet)?;
        Ok(at + len)
    }

    fn fill(&mut self, distribution: &Distribution, alphabet: &Alphabet) -> Result<(), Corrupt> {
        distribution.fill(&alphabet.codes, self.room(distribution.states())?);
        Ok(())
    }

    /// Room for `used` new states.
    fn room(&mut self, used: usize) -> Result<&mut [FseEntry], Corrupt> {
        (self.used, self.predefined) = (used as u16, false);
        self.entries.get_mut(..used).ok_or(Corrupt)
    }
}

/// Where a table comes from that a block may reuse.
#[derive(Clone, Copy, PartialEq)]
enum TableSource {
    /// None: no block has described one.
    Nowhere,
    Own,
    Dictionary,
}

/// The tables that the blocks of a frame use.
pub(super) struct InUse<'a> {
    own: &'a mut Tables,
    dictionary: Option<&'a Tables>,
    huffman: TableSource,
    literals: TableSource,
    offsets: TableSource,
    matches: TableSource,
}

impl<'a> InUse<'a> {
    /// The tables at the start of a frame.
    pub(super) const fn new(own: &'a mut Tables, dictionary: Option<&'a Tables>) -> Self {
        let source = if dictionary.is_some() { TableSource::Dictionary } else { TableSource::Nowhere };
        Self { own, dictionary, huffman: source, literals: source, offsets: source, matches: source }
    }

    /// Reads the description of a Huffman table at `at`. Returns its end.
    pub(super) fn read_huffman(&mut self, src: &[u8], at: usize, pairs: bool) -> Result<usize, Corrupt> {
        self.huffman = TableSource::Own;
        self.own.huffman.read(src, at, pairs)
    }

    pub(super) fn huffman(&self) -> Result<&huffman::Table, Corrupt> {
        match self.huffman {
            TableSource::Nowhere => Err(Corrupt),
            TableSource::Own => Ok(&self.own.huffman),
            TableSource::Dictionary => self.dictionary.map(|tables| &tables.huffman).ok_or(Corrupt),
        }
    }

    /// Reads the descriptions of the three sequence tables at `at`, according to `modes`. Returns their end, and the
    /// tables in one place, so that the hot loop needs one pointer.
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
            && sources == [TableSource::Dictionary; 3]
        {
            return Ok((at, dictionary));
        }
        let mut at = at;
        choose(
            literals,
            &mut own.literals,
            dictionary.map(|d| &d.literals as _),
            &LITERALS,
            modes >> 6,
            src,
            &mut at,
        )?;
        choose(
            offsets,
            &mut own.offsets,
            dictionary.map(|d| &d.offsets as _),
            &OFFSETS,
            modes >> 4,
            src,
            &mut at,
        )?;
        choose(
            matches,
            &mut own.matches,
            dictionary.map(|d| &d.matches as _),
            &MATCHES,
            modes >> 2,
            src,
            &mut at,
        )?;
        Ok((at, own))
    }
}

fn choose(
    source: &mut TableSource,
    own: &mut States,
    dictionary: Option<&States>,
    alphabet: &Alphabet,
    mode: u8,
    src: &[u8],
    at: &mut usize,
) -> Result<(), Corrupt> {
    match (mode & 3, *source) {
        (0, _) if own.predefined => {}
        (0, _) => {
            if READY {
                own.room(alphabet.table.len())?.copy_from_slice(alphabet.table);
            } else {
                own.fill(&Distribution::new(alphabet.predefined), alphabet)?;
            }
            own.predefined = true;
        }
        (1, _) => {
            let code = *src.get(*at).ok_or(Corrupt)?;
            let (base, extra) = alphabet.codes.get(code).ok_or(Corrupt)?;
            own.room(1)?.fill(FseEntry { base, extra, ..FseEntry::ZERO });
            *at += 1;
        }
        (2, _) => *at = own.read(alphabet, src, *at)?,
        (_, TableSource::Nowhere) => return Err(Corrupt),
        (_, TableSource::Own) => {}
        (_, TableSource::Dictionary) => {
            let States { entries, used, .. } = dictionary.ok_or(Corrupt)?;
            let used = usize::from(*used);
            own.room(used)?.copy_from_slice(entries.get(..used).ok_or(Corrupt)?);
        }
    }
    *source = TableSource::Own;
    Ok(())
}
