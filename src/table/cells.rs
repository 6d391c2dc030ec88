//! Values of a column.

use crate::array::Dtype;
use crate::msgpack::Value;
use alloc::string::String;
use alloc::vec::Vec;

/// The values of some rows of a column.
#[derive(Debug, Clone, PartialEq)]
pub struct Cells {
    /// The values; those of null cells mean nothing.
    pub data: Data,
    /// Which cells are not null; `None` if all are.
    pub valid: Option<Vec<bool>>,
}

/// The values of cells, by the kind of the column.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Data {
    /// Items of one size. Columns of arrays have sub-array dtypes.
    Items {
        /// The dtype of the items.
        dtype: Dtype,
        /// The items, one after the other.
        items: Vec<u8>,
    },
    /// Texts.
    Texts(Vec<String>),
    /// Texts to write, each once, and for each cell the number of its text. The texts of an ordered dictionary keep this order.
    Words {
        /// The texts.
        words: Vec<String>,
        /// The number of the text of each cell.
        codes: Vec<usize>,
    },
    /// Lists, structures, variable-length texts and bytes, and other objects; `Nil` where a cell is null.
    Objects(Vec<Value>),
}

impl Data {
    /// The text of a cell; `None` if it is none.
    pub(crate) fn text(&self, at: usize) -> Option<&str> {
        match self {
            Self::Texts(texts) => texts.get(at).map(|text| &text[..]),
            Self::Words { words, codes } => words.get(*codes.get(at)?).map(|text| &text[..]),
            Self::Objects(objects) => objects.get(at)?.as_str(),
            Self::Items { .. } => None,
        }
    }
}

impl Cells {
    /// The number of cells.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("f0")?.cells(0..3)?.len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn len(&self) -> usize {
        match &self.data {
            Data::Items { dtype, items } => match items.len().checked_div(dtype.itemsize()) {
                Some(len) => len,
                None => 0,
            },
            Data::Texts(texts) => texts.len(),
            Data::Words { codes, .. } => codes.len(),
            Data::Objects(objects) => objects.len(),
        }
    }

    /// Whether there are none.
    ///
    /// ```
    /// # let store = b2nd::store::open("tests/golden/tables/001.b2z")?;
    /// # let table = b2nd::table::Table::open(&store, "")?;
    /// assert!(table.column("f0")?.cells(0..0)?.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a cell is null.
    ///
    /// ```
    /// use b2nd::{array::Dtype, table::{Cells, Data}};
    /// let data = Data::Items { dtype: Dtype::of::<u8>(), items: vec![1, 2] };
    /// let cells = Cells { data, valid: Some(vec![true, false]) };
    /// assert!(!cells.is_null(0) && cells.is_null(1));
    /// ```
    pub fn is_null(&self, index: usize) -> bool {
        self.valid.as_ref().is_some_and(|valid| valid.get(index) == Some(&false))
    }

    /// Appends cells of the same column.
    pub(crate) fn append(&mut self, more: Self) {
        if let (None, Some(_)) | (Some(_), None) = (&self.valid, &more.valid) {
            let (old, new) = (self.len(), more.len());
            let valid = self.valid.get_or_insert_with(|| alloc::vec![true; old]);
            valid.extend(more.valid.unwrap_or_else(|| alloc::vec![true; new]));
        } else if let (Some(valid), Some(more)) = (&mut self.valid, more.valid) {
            valid.extend(more);
        }
        match (&mut self.data, more.data) {
            (Data::Items { items, .. }, Data::Items { items: more, .. }) => items.extend(more),
            (Data::Texts(texts), Data::Texts(more)) => texts.extend(more),
            (Data::Objects(objects), Data::Objects(more)) => objects.extend(more),
            _ => {}
        }
    }

    /// Bytes that the cells take, apart from what is in objects.
    pub(crate) fn size(&self) -> u64 {
        let size = match &self.data {
            Data::Items { items, .. } => items.len(),
            Data::Texts(texts) | Data::Words { words: texts, .. } => {
                texts.iter().map(|text| size_of::<String>() + text.len()).sum()
            }
            Data::Objects(objects) => objects.len() * size_of::<Value>(),
        };
        size as u64
    }

    /// Some of the cells, by their positions, which may repeat.
    pub(crate) fn at(&self, positions: &[usize]) -> Self {
        let data = match &self.data {
            Data::Items { dtype, items } => {
                let size = dtype.itemsize();
                let items = positions.iter().flat_map(|at| &items[at * size..][..size]).copied().collect();
                Data::Items { dtype: dtype.clone(), items }
            }
            Data::Texts(texts) => Data::Texts(positions.iter().map(|at| texts[*at].clone()).collect()),
            Data::Words { words, codes } => {
                Data::Words { words: words.clone(), codes: positions.iter().map(|at| codes[*at]).collect() }
            }
            Data::Objects(objects) => {
                Data::Objects(positions.iter().map(|at| objects[*at].clone()).collect())
            }
        };
        Self { data, valid: self.valid.as_ref().map(|valid| positions.iter().map(|at| valid[*at]).collect()) }
    }
}
