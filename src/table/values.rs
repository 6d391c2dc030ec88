//! The cells that stored rows of a column are: what is meant by the bytes, whoever reads them.

use super::cells::{Cells, Data};
use super::null::Null;
use super::schema::ColumnSpec;
use crate::array::{Dtype, Kind};
use crate::base::{Error, Limits, Malformed, Result, text};
use crate::msgpack::Value;
use alloc::string::String;
use alloc::vec::Vec;

impl ColumnSpec {
    /// The dtype of a row of an array with this dtype and shape: that of its items, with the other axes as a sub-array.
    ///
    /// # Errors
    /// `Format` if the column has no unit of time and needs one, or an impossible shape.
    pub fn row_dtype(&self, mut dtype: Dtype, shape: &[u64], limits: &Limits) -> Result<Dtype> {
        if self.kind == "timestamp" {
            let unit = self.entry.get("unit").and_then(Value::as_str);
            let unit = unit.ok_or_else(|| wrong("unit of a timestamp"))?;
            dtype = Dtype::parse(&["<M8[", unit, "]"].concat(), limits)?;
        }
        if let [_, inner @ ..] = shape
            && !inner.is_empty()
        {
            let inner = inner.iter().map(|len| usize::try_from(*len));
            let inner = inner.collect::<core::result::Result<Vec<_>, _>>();
            dtype = dtype.subarray(&inner.map_err(|_| wrong("shape of a column"))?)?;
        }
        Ok(dtype)
    }

    /// The cells of rows that have this dtype.
    pub fn cells_of_items(&self, dtype: &Dtype, rows: Vec<u8>) -> Cells {
        let null = self.null().and_then(|value| Null::of(value, dtype));
        let size = dtype.itemsize().max(1);
        let valid = null.map(|null| rows.chunks_exact(size).map(|row| !null.is(dtype, row)).collect());
        let data = Data::Items { dtype: dtype.clone(), items: rows };
        let mut cells = Cells { data, valid: only_if_some_null(valid) };
        if self.is_widened(dtype) {
            cells.widen();
        }
        cells
    }

    /// Whether booleans are stored as bytes, of which one stands for null.
    pub(super) fn is_widened(&self, dtype: &Dtype) -> bool {
        self.kind == "bool" && *dtype.kind() == Kind::Uint
    }

    /// The cells of a column of texts.
    pub fn cells_of_texts(&self, texts: Vec<String>) -> Cells {
        let null = self.null().and_then(Value::as_str);
        let valid = null.map(|null| texts.iter().map(|text| text != null).collect());
        Cells { data: Data::Texts(texts), valid: only_if_some_null(valid) }
    }

    /// The number of the text of each row of a dictionary column with `ntexts` texts; `None` for null.
    ///
    /// # Errors
    /// `Format` if there is no such text.
    pub fn codes(&self, rows: &[u8], ntexts: usize) -> Result<Vec<Option<usize>>> {
        let null = self.null_code();
        let codes = rows.as_chunks().0.iter().map(|code| i32::from_le_bytes(*code));
        let code = |code: i32| {
            if code == null {
                return Ok(None);
            }
            let index = usize::try_from(code).ok().filter(|code| *code < ntexts);
            let what = Malformed::Field { name: "code of a text", value: code.into() };
            index.map(Some).ok_or_else(|| Error::format(what))
        };
        codes.map(code).collect()
    }

    /// The code of a dictionary column that is null.
    pub(crate) fn null_code(&self) -> i32 {
        match self.entry.get("null_code") {
            Some(Value::Int(code)) => i32::try_from(*code).unwrap_or(-1),
            _ => -1,
        }
    }

    /// The cells of a column of objects.
    pub fn cells_of_objects(objects: Vec<Value>) -> Cells {
        let valid = objects.iter().map(|value| *value != Value::Nil).collect();
        Cells { data: Data::Objects(objects), valid: only_if_some_null(Some(valid)) }
    }

    /// The value that stands for null, if there is one.
    pub(super) fn null(&self) -> Option<&Value> {
        self.entry.get("null_value").filter(|value| **value != Value::Nil)
    }
}

/// Where texts begin and end in the bytes of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextPlaces(Vec<u64>);

impl TextPlaces {
    /// The places of texts by the stored offsets: those of the rows, and the one after the last.
    ///
    /// # Errors
    /// `Format` if a text ends before it begins.
    pub fn parse(rows: &[u8]) -> Result<Self> {
        let ends: Vec<u64> = rows.as_chunks().0.iter().map(|end| u64::from_le_bytes(*end)).collect();
        if ends.is_sorted() { Ok(Self(ends)) } else { Err(wrong("offsets of texts")) }
    }

    /// The number of texts.
    pub const fn len(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where each text begins, counted from the first one, and where the last one ends.
    #[cfg(feature = "arrow")]
    pub(super) fn ends(&self) -> impl Iterator<Item = u64> {
        let start = self.range().start;
        self.0.iter().map(move |end| end - start)
    }

    /// The bytes that all texts take.
    pub fn range(&self) -> core::ops::Range<u64> {
        match (self.0.first(), self.0.last()) {
            (Some(start), Some(end)) => *start..*end,
            _ => 0..0,
        }
    }

    /// Checks that a result may take so much, of which the file has `stored` bytes. `used` counts the memory of all texts.
    ///
    /// # Errors
    /// `Limit` if it takes too much.
    pub fn allow(&self, stored: u64, limits: &Limits, used: &mut u64) -> Result<()> {
        let core::ops::Range { start, end } = self.range();
        let each = (self.0.len() * size_of::<String>()) as u64;
        *used = used.saturating_add(end - start).saturating_add(each);
        limits.allow_memory(*used)?;
        limits.allow_expansion(*used, stored)
    }

    /// The texts, or the picked ones of them, in these bytes.
    pub fn texts(&self, content: &[u8], picked: Option<&[usize]>) -> Vec<String> {
        let start = self.range().start;
        let text_of = |row: usize| match self.0.get(row..row + 2) {
            Some([from, to]) => {
                text(content.get((from - start) as usize..(to - start) as usize).unwrap_or_default())
            }
            _ => String::new(),
        };
        match picked {
            Some(picked) => picked.iter().copied().map(text_of).collect(),
            None => (0..self.len()).map(text_of).collect(),
        }
    }
}

impl Cells {
    /// Makes null what the mask of the column says.
    ///
    /// ```
    /// use b2nd::{array::Dtype, table::{Cells, Data}};
    /// let data = Data::Items { dtype: Dtype::of::<u8>(), items: vec![1, 2] };
    /// let mut cells = Cells { data, valid: None };
    /// cells.mask(&[1, 0]);
    /// assert!(cells.is_null(1));
    /// ```
    pub fn mask(&mut self, mask: &[u8]) {
        let valid = mask.iter().map(|byte| *byte != 0).collect();
        self.valid = only_if_some_null(Some(valid));
    }

    /// Makes booleans of the bytes that hold them where one stands for null.
    fn widen(&mut self) {
        if let Data::Items { dtype, items } = &mut self.data {
            *dtype = Dtype::of::<bool>();
            items.iter_mut().for_each(|item| *item = u8::from(*item == 1));
        }
    }
}

fn only_if_some_null(valid: Option<Vec<bool>>) -> Option<Vec<bool>> {
    valid.filter(|valid| valid.contains(&false))
}

fn wrong(name: &'static str) -> Error {
    Error::format(Malformed::Field { name, value: 0 })
}
