//! The kinds of columns that the reference has (FORMAT §10.4).

/// Dtypes of numbers, and the reference's names.
pub(super) const NUMBERS: [(&str, &str); 13] = [
    ("|b1", "bool"),
    ("|i1", "int8"),
    ("<i2", "int16"),
    ("<i4", "int32"),
    ("<i8", "int64"),
    ("|u1", "uint8"),
    ("<u2", "uint16"),
    ("<u4", "uint32"),
    ("<u8", "uint64"),
    ("<f4", "float32"),
    ("<f8", "float64"),
    ("<c8", "complex64"),
    ("<c16", "complex128"),
];

/// The other kinds of columns.
const OTHERS: &str = "string bytes utf8 vlstring vlbytes dictionary timestamp object list struct ndarray";

/// Whether the reference has columns of a kind.
pub(crate) fn is_known(kind: &str) -> bool {
    NUMBERS.iter().any(|(_, name)| *name == kind) || OTHERS.split(' ').any(|name| name == kind)
}
