//! The texts of JavaScript are those of `Display`. `B2ND_WRITE=1 cargo test -p b2nd-wasm` writes their table anew.

use super::*;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use b2nd::{FormatError, LimitError};
use core::iter;

const TABLE: &str = include_str!("../../js/engine/message-table.ts");
/// Where all errors are declared.
const DECLARED: &str = include_str!("../../../src/base/error_kind.rs");
/// Errors that the engine never reports: those of files, of texts of selections, of builds without an allocator, of
/// dtypes of Rust, and of ZFP, which it does not encode.
const ELSEWHERE: [&str; 43] = [
    "NotSparse",
    "MissingChunk",
    "Dimensions(u8)",
    "NoStore",
    "NoObjects",
    "NoTable",
    "ComputedColumn",
    "InputColumn",
    "StaleColumn",
    "CompressedMember",
    "RemoteMember",
    "IsGroup",
    "Key",
    "KeyInUse",
    "NoMember",
    "NoColumn",
    "NoOrder",
    "ColumnName",
    "NoSortKey",
    "Condition",
    "WordOrder",
    "ColumnInUse",
    "RowCount",
    "NoTableHere",
    "NullValue",
    "Null",
    "CellType",
    "TextLen",
    "Selection",
    "MaskLen",
    "ListOrder",
    "Axis",
    "AxisLen",
    "PointsOfView",
    "ListOfLazy",
    "NegativePower",
    "NoItems",
    "ValueType",
    "FieldName",
    "NotFloats(u8)",
    "BlockShape(u8)",
    "ValueCount",
    "Unspecified",
];

/// Numbers that no text has for another reason.
const A: u64 = 1001;
const B: u64 = 1002;
const ID: u8 = 201;

/// All errors that the engine may raise, the kinds in the order of their numbers.
fn errors() -> Vec<Error> {
    let malformed = [
        Malformed::Truncated { needed: A, available: B },
        Malformed::Magic,
        Malformed::Field { name: "NAME", value: A as i64 },
        Malformed::Mismatch { name: "NAME", found: A, expected: B },
        Malformed::Marker { found: ID },
        Malformed::Stream { codec: "NAME" },
    ];
    let references = [
        Reference::LazyExpr,
        Reference::LazyUdf,
        Reference::Proxy,
        Reference::RemoteArray,
        Reference::C2Array,
        Reference::Other,
    ];
    let unsupported = [
        Unsupported::Codec(ID),
        Unsupported::Filter(ID),
        Unsupported::Shapeless(ID),
        Unsupported::ChunkVersion(ID),
        Unsupported::FrameVersion(ID),
        Unsupported::Instrumented,
        Unsupported::VariableBlocks,
        Unsupported::Dtype,
        Unsupported::BetaFrame,
        Unsupported::VariableChunks,
        Unsupported::NotFetched { chunk: A },
    ];
    let arguments = [
        ArgumentError::Index { axis: B as usize, index: A as i64, len: 1003 },
        ArgumentError::Dimensions { given: A as usize, ndim: B as usize },
        ArgumentError::ZeroStep { axis: A as usize },
        ArgumentError::BufferLen { actual: A, expected: B },
        ArgumentError::Chunk { index: A, nchunks: B },
        ArgumentError::Block { index: A, nblocks: B },
        ArgumentError::NotAnArray,
        ArgumentError::NotAsked,
        ArgumentError::Unfinished,
        ArgumentError::FirstBlock,
        ArgumentError::NotOpened,
        ArgumentError::Parameter { name: "NAME", value: A as i64 },
        ArgumentError::Inapplicable(ID),
    ];
    let limits = [Limit::Memory, Limit::Metadata, Limit::Depth, Limit::Expansion];
    let format = |what| FormatError { what, offset: None, chunk: None, block: None }.into();
    let limit = |limit| LimitError { limit, wanted: A, allowed: B }.into();
    let unsupported = unsupported.into_iter().chain(references.map(Unsupported::Reference));
    let unsupported = unsupported.chain([
        Unsupported::SparseFrame,
        Unsupported::ArrowObjects,
        Unsupported::ColumnKind,
        Unsupported::Archive,
    ]);
    malformed
        .map(format)
        .into_iter()
        .chain(unsupported.map(Error::from))
        .chain(arguments.map(Error::from))
        .chain(limits.map(limit))
        .chain([Changed::Read, Changed::Edit].map(Error::from))
        .collect()
}

/// The kind and what happened, and the text with `$` for each value; the values must stand in it in the order of the numbers.
fn template(error: &Error) -> (usize, usize, String) {
    let mut output = Output::default();
    write(error, &mut output);
    let (numbers, name) = output.bytes().split_at(8 * 8);
    let numbers: Vec<usize> =
        numbers.as_chunks().0.iter().map(|&number| f64::from_le_bytes(number) as usize).collect();
    let named = iter::once(String::from_utf8(name.to_vec()).unwrap()).filter(|name| !name.is_empty());
    let values = numbers[2..5].iter().filter(|number| **number > 0).map(|number| number.to_string());
    let text = error.to_string().replace("0xc9", "0x201");
    let (mut template, mut rest) = (String::new(), &text[..]);
    for value in named.chain(values) {
        let (before, after) =
            rest.split_once(&value).unwrap_or_else(|| panic!("no {value} in {rest:?} of {text:?}"));
        template += before;
        template.push('$');
        rest = after;
    }
    (numbers[0], numbers[1], template + rest)
}

fn table() -> String {
    let mut texts: [Vec<String>; 5] = Default::default();
    for error in &errors() {
        let (kind, what, text) = template(error);
        let plain = !["'", "100", "201"].iter().any(|other| text.contains(other));
        assert!(plain, "a value or a quote is left in {text}");
        assert_eq!(what, texts[kind].len(), "the number of {error:?}");
        texts[kind].push(text);
    }
    let lists = texts.map(|texts| texts.iter().map(|text| format!("    '{text}',\n")).collect::<String>());
    let lists: String = lists.iter().map(|list| format!("  [\n{list}  ],\n")).collect();
    format!(
        "// Written by the test in www/src/failure/tests.rs from the texts of the Rust library: change those.\n\n\
         /**\n * Errors by kind and number, as in ABI.md. Each `$` stands for the next of: the name, if there is one, \
         a, b, c.\n */\nexport const MESSAGES = [\n{lists}]\n"
    )
}

#[test]
fn the_texts_of_javascript_are_those_of_rust() {
    if std::env::var_os("B2ND_WRITE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/js/engine/message-table.ts");
        std::fs::write(path, table()).unwrap();
        return;
    }
    assert_eq!(TABLE, table(), "old: B2ND_WRITE=1 cargo test -p b2nd-wasm");
}

/// Nothing falls to the error without a text because it was forgotten.
#[test]
fn every_error_has_a_text_or_is_raised_elsewhere() {
    let code = include_str!("../failure.rs");
    let mut seen = 0;
    for name in ["Malformed", "Unsupported", "ArgumentError"] {
        let (_, declaration) = DECLARED.split_once(&format!("pub enum {name} {{\n")).unwrap();
        let (variants, _) = declaration.split_once("\n}\n").unwrap();
        let lines = variants.lines().filter_map(|line| line.strip_prefix("    "));
        for variant in lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase())) {
            let variant = variant.trim_end_matches(['{', ',', ' ']);
            let bare = variant.split('(').next().unwrap();
            let told = code.contains(&format!("{name}::{bare}"));
            assert!(told != ELSEWHERE.contains(&variant), "{name}::{variant}");
            seen += 1;
        }
    }
    assert!(seen > 35, "{seen}");
}

#[test]
fn codecs_that_are_not_built_in_are_named() {
    let mut output = Output::default();
    write(&Unsupported::Codec(38).into(), &mut output);
    assert_eq!(&output.bytes()[8 * 8..], b"openzl (38: OpenZL, of the package blosc2_openzl)");
}
