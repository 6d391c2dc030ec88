//! The numbers of the texts of a dictionary column, and the texts.

use super::Written;
use crate::base::ArgumentError;
use crate::msgpack::Value;
use crate::sink::{Editor, File, ObjectEditor};
use crate::table::{Cells, ColumnSpec, Data};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

#[derive(Debug)]
pub(super) struct Codes {
    /// The array of the numbers.
    pub(super) editor: Editor<File>,
    words: ObjectEditor<File>,
    /// The number of each text.
    numbers: BTreeMap<String, i32>,
}

impl Codes {
    pub(super) const fn new(
        editor: Editor<File>,
        words: ObjectEditor<File>,
        numbers: BTreeMap<String, i32>,
    ) -> Self {
        Self { editor, words, numbers }
    }

    /// The numbers of cells, as they are stored. New texts get new ones, in the order in which they are given.
    pub(super) fn rows_of(&mut self, spec: &ColumnSpec, cells: &Cells) -> Written<Vec<u8>> {
        if let Data::Words { words, .. } = &cells.data {
            self.add_words(words, spec.is_ordered())?;
        }
        let mut rows = Vec::with_capacity(4 * cells.len());
        for word in spec.words_of(cells)? {
            let code = word.map_or(Ok(spec.null_code()), |word| self.code_of(word))?;
            rows.extend_from_slice(&code.to_le_bytes());
        }
        Ok(rows)
    }

    /// Adds the texts that are new. Those of an ordered dictionary must be in its order.
    fn add_words(&mut self, words: &[String], ordered: bool) -> Written<()> {
        let mut last = None;
        for word in words {
            let code = Some(self.code_of(word)?);
            if ordered && code <= last {
                return Err(ArgumentError::WordOrder.into());
            }
            last = code;
        }
        Ok(())
    }

    fn code_of(&mut self, word: &str) -> Written<i32> {
        if let Some(code) = self.numbers.get(word) {
            return Ok(*code);
        }
        let full = ArgumentError::Parameter { name: "texts of a dictionary", value: i32::MAX.into() };
        let code = i32::try_from(self.words.len()).map_err(|_| full)?;
        self.words.push(&Value::Str(word.into()))?;
        self.numbers.insert(word.into(), code);
        Ok(code)
    }

    pub(super) fn commit(&mut self) -> Written<()> {
        self.editor.commit()?;
        self.words.commit()
    }
}
