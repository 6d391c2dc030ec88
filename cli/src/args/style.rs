//! How CSV and JSON write what they have no form for.

use b2nd::export::{BytesAs, NanAs, Style};
use clap::ValueEnum;

/// The options of values in CSV and JSON.
#[derive(Debug, clap::Args)]
pub(crate) struct Styles {
    /// Bytes in csv, json and ndjson
    #[arg(long, value_enum, value_name = "FORM", default_value = "escapes")]
    bytes: Bytes,
    /// NaN and infinities in json and ndjson
    #[arg(long, value_enum, value_name = "FORM", default_value = "string")]
    nan: Nan,
    /// Null cells of tables in csv [default: an empty field; an empty text is ""]
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    null: String,
}

/// How bytes become text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Bytes {
    /// ASCII as it is, other bytes and backslashes as \xC3; raw bytes (V) hexadecimal
    Escapes,
    /// UTF-8 as it is, other bytes and backslashes as \xC3
    Utf8,
    /// Base64 with padding
    Base64,
    /// Hexadecimal digits
    Hex,
}

/// How NaN and infinities become JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Nan {
    /// "NaN", "Infinity" and "-Infinity"
    String,
    /// null
    Null,
    /// NaN, Infinity and -Infinity without quotes, as Python writes them: no JSON
    Literal,
}

impl Styles {
    pub(crate) fn style(&self) -> Style {
        let bytes = match self.bytes {
            Bytes::Escapes => BytesAs::Escapes,
            Bytes::Utf8 => BytesAs::Utf8,
            Bytes::Base64 => BytesAs::Base64,
            Bytes::Hex => BytesAs::Hex,
        };
        let nan = match self.nan {
            Nan::String => NanAs::String,
            Nan::Null => NanAs::Null,
            Nan::Literal => NanAs::Literal,
        };
        Style { bytes, nan, null: self.null.clone() }
    }
}
