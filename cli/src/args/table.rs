//! The options of commands that read the rows of tables.

use super::choice::{self, CodecChoice};
use super::storage::{self, Filters, pipeline};
use crate::values::ValueError;
use b2nd::chunk::CParams;
use b2nd::table::ColumnSpec;
use clap::ValueEnum;
use std::path::Path;

/// The options about the table.
#[derive(Debug, clap::Args)]
pub(crate) struct TableOptions {
    /// The columns, in place of those that the values show: id=int32,name=text?,t=timestamp[ms], where ? allows nulls; or the JSON
    /// of the schema's columns, as python-blosc2 has it
    #[arg(long, value_name = "COLUMNS")]
    pub(crate) schema: Option<String>,
    /// The codec of a column, perhaps with a level and filters: price=zstd:9+bitshuffle, or t=zfp_acc:1e-3; may be repeated
    #[arg(long, value_name = "NAME=CODEC", value_parser = column_codec)]
    pub(crate) column_codec: Vec<ColumnCodec>,
    /// Format of the input [default: that of its name]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) from: Option<RowFormat>,
}

/// How a column is compressed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ColumnCodec {
    name: String,
    codec: CodecChoice,
    clevel: Option<u8>,
    filters: Option<Filters>,
}

/// Parses `price=zstd:9+trunc_prec:10+shuffle`. Names may contain `=`.
fn column_codec(text: &str) -> Result<ColumnCodec, String> {
    let (name, codec) = text.rsplit_once('=').ok_or("NAME=CODEC, such as price=zstd:9+bitshuffle")?;
    let mut parts = codec.split('+');
    let first = parts.next().unwrap_or_default();
    let with_level =
        first.split_once(':').and_then(|(codec, level)| Some((codec, level.parse::<u8>().ok()?)));
    let (codec, clevel) = match with_level.filter(|(codec, _)| !codec.starts_with("zfp_")) {
        Some((codec, level)) => (codec, Some(level)),
        None => (first, None),
    };
    let codec = choice::codec(codec)?;
    let filters = parts.collect::<Vec<_>>().join(",");
    let filters = if filters.is_empty() { None } else { Some(storage::filters(&filters)?) };
    if clevel > Some(9) {
        return Err("levels are from 0 to 9".into());
    }
    if codec == CodecChoice::Auto || filters == Some(Filters::Auto) {
        return Err("auto is for all columns: --codec auto, --filters auto".into());
    }
    Ok(ColumnCodec { name: name.into(), codec, clevel, filters })
}

impl TableOptions {
    /// Columns with the codecs that are named, and for the rest with the parameters of the table.
    pub(crate) fn compressed(
        &self,
        mut columns: Vec<ColumnSpec>,
        table: &CParams,
    ) -> Result<Vec<ColumnSpec>, ValueError> {
        for choice in &self.column_codec {
            let column = columns.iter_mut().find(|spec| spec.name == choice.name);
            let column = column.ok_or_else(|| ValueError::NoColumn(choice.name.clone()))?;
            let mut cparams = CParams { clevel: choice.clevel.unwrap_or(table.clevel), ..table.clone() };
            choice.codec.apply_to(&mut cparams);
            if let Some(Filters::These(filters)) = &choice.filters {
                cparams.filters = pipeline(filters);
            }
            *column = column.clone().with_cparams(&cparams);
        }
        Ok(columns)
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use b2nd::codec::Codec;

    #[test]
    fn columns_have_codecs_levels_and_filters() {
        let parsed = column_codec("a=b=zstd:9+trunc_prec:10+shuffle").unwrap();
        assert_eq!(
            (&parsed.name[..], parsed.codec, parsed.clevel),
            ("a=b", CodecChoice::This(Codec::ZSTD), Some(9))
        );
        assert!(matches!(parsed.filters, Some(Filters::These(filters)) if filters.len() == 2));
        assert_eq!(column_codec("x=lz4").unwrap().clevel, None);
        assert!(matches!(column_codec("x=zfp_acc:1e-3").unwrap().codec, CodecChoice::Zfp(_)));
        for wrong in ["", "x", "x=", "x=auto", "x=zstd+auto", "x=zstd:10", "x=zstd:x", "x=zstd+shufle"] {
            assert!(column_codec(wrong).is_err(), "{wrong}");
        }
    }
}
