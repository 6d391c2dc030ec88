//! The options of `get`.

use crate::args::View;
use crate::args::table::RowChoice;
use crate::values::Format;
use b2nd::array::Dtype;
use b2nd::export::Style;
use std::path::Path;

/// The part to read, and how to write it.
pub(crate) struct Options<'a> {
    pub(crate) selection: Option<&'a str>,
    /// Columns of a table; all of them if there is none.
    pub(crate) columns: &'a [String],
    /// Which of a table's rows.
    pub(crate) choice: &'a RowChoice,
    pub(crate) view: &'a View,
    /// Overrides the stored dtype.
    pub(crate) dtype: Option<&'a Dtype>,
    pub(crate) format: Format,
    /// How values are written for which CSV and JSON have no form.
    pub(crate) style: Style,
    /// A path; `None` for standard output.
    pub(crate) output: Option<&'a Path>,
}
