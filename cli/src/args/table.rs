//! The options of commands that read the rows of tables.

use clap::ValueEnum;
use std::path::Path;

/// The options about the table.
#[derive(Debug, clap::Args)]
pub(crate) struct TableOptions {
    /// The columns, in place of those that the values show: id=int32,name=text?,t=timestamp[ms], where ? allows nulls; or the JSON
    /// of the schema's columns, as python-blosc2 has it
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) schema: Option<String>,
    /// Format of the input [default: that of its name]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<RowFormat>,
}

/// Which rows of a table are written, of those that are selected.
#[derive(Debug, Default, clap::Args)]
pub(crate) struct RowChoice {
    /// Only rows of a table that match: x > 3 and name == 'a' or t >= 2026-01-01, with and, or, not and parentheses. A comparison with
    /// null is not true
    #[arg(long = "where", value_name = "CONDITION")]
    pub(crate) condition: Option<String>,
    /// At most so many rows of a table
    #[arg(long, value_name = "N")]
    pub(crate) limit: Option<u64>,
    /// The number of rows in place of their values
    #[arg(long)]
    pub(crate) count: bool,
    /// The rows of a table in the order of columns, those that begin with - from the largest value down: --sort=-price,name. What has no
    /// order, such as NaN, comes after all values, and null last
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) sort: Vec<String>,
}

impl RowChoice {
    /// Whether it takes all rows in their order.
    pub(crate) const fn is_plain(&self) -> bool {
        self.condition.is_none() && self.limit.is_none() && !self.count && self.sort.is_empty()
    }
}

/// A format of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// A line of names, then a line for each row; empty cells are null
    Csv,
    /// A JSON object for each row; missing values are null
    Ndjson,
    /// Parquet
    Parquet,
    /// A file or stream of Arrow; files are also called Feather
    Arrow,
}

impl RowFormat {
    /// The format that a name tells.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let name = path.extension().and_then(|name| name.to_str()).map(str::to_ascii_lowercase);
        match name.as_deref() {
            Some("csv") => Some(Self::Csv),
            Some("ndjson" | "jsonl") => Some(Self::Ndjson),
            Some("parquet" | "pq") => Some(Self::Parquet),
            Some("arrow" | "arrows" | "feather" | "ipc") => Some(Self::Arrow),
            _ => None,
        }
    }
}
