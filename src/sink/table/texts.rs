//! The two arrays of a column of texts: where each begins and ends, and their bytes.

use super::{Grid, Written, array_params};
use crate::array::ArrayParams;
use crate::base::{Error, Malformed};
use crate::sink::{Editor, File, StoreEditor};
use crate::source::ReadError;
use alloc::vec::Vec;

/// The chunks and blocks of the reference, by which it appends.
const PLACES: Grid = Grid { chunk: 1 << 17, block: 1 << 14 };
const BYTES: Grid = Grid { chunk: 1 << 21, block: 1 << 17 };

#[derive(Debug)]
pub(super) struct Texts {
    places: Editor<File>,
    bytes: Editor<File>,
    end: u64,
}

impl Texts {
    pub(super) fn create(store: &mut StoreEditor, keys: [&str; 2], template: &ArrayParams) -> Written<Self> {
        let mut places = store.create_array(keys[0], &array_params("<i8", &[], PLACES, template))?;
        let bytes = store.create_array(keys[1], &array_params("|u1", &[], BYTES, template))?;
        places.append(0, &0_u64.to_le_bytes())?;
        Ok(Self { places, bytes, end: 0 })
    }

    /// Opens the arrays, and forgets bytes after the last text.
    pub(super) fn open(places: Editor<File>, mut bytes: Editor<File>) -> Written<Self> {
        let wrong =
            || ReadError::from(Error::format(Malformed::Field { name: "offsets of texts", value: 0 }));
        let last = places.get(-1)?;
        let end = u64::from_le_bytes(last.try_into().map_err(|_| wrong())?);
        let stored = bytes.layout().map_or(0, |array| array.shape()[0]);
        match end.cmp(&stored) {
            core::cmp::Ordering::Greater => return Err(wrong()),
            core::cmp::Ordering::Less => bytes.resize(&[end])?,
            core::cmp::Ordering::Equal => {}
        }
        Ok(Self { places, bytes, end })
    }

    /// The number of texts.
    pub(super) fn len(&self) -> u64 {
        self.places.layout().map_or(0, |array| array.shape()[0].saturating_sub(1))
    }

    pub(super) fn append<'t>(&mut self, texts: impl Iterator<Item = &'t str>) -> Written<()> {
        let (mut places, mut bytes) = (Vec::new(), Vec::new());
        for text in texts {
            bytes.extend_from_slice(text.as_bytes());
            places.extend_from_slice(&(self.end + bytes.len() as u64).to_le_bytes());
        }
        self.places.append(0, &places)?;
        self.bytes.append(0, &bytes)?;
        self.end += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn finish(mut self) -> Written<()> {
        if self.end == 0 {
            // As the reference has it, which has no empty arrays.
            self.bytes.resize(&[1])?;
        }
        self.places.commit()?;
        self.bytes.commit()
    }
}
