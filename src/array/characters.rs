//! Text of fixed length, four bytes a character (NumPy's kind `U`).

use super::ByteOrder;
use alloc::string::String;

/// The text of an item, without trailing zeros. What is no character becomes U+FFFD.
#[cfg(any(feature = "arrow", feature = "export"))]
pub(crate) fn characters(item: &[u8], order: ByteOrder) -> String {
    let mut text = String::new();
    append_characters(&mut text, item, order);
    text
}

/// Appends the text of an item.
pub(crate) fn append_characters(text: &mut String, item: &[u8], order: ByteOrder) {
    let points = item.as_chunks().0;
    let used = points.iter().rposition(|point| *point != [0; 4]).map_or(0, |last| last + 1);
    text.extend(points[..used].iter().map(|bytes: &[u8; 4]| {
        let point = match order {
            ByteOrder::Big => u32::from_be_bytes(*bytes),
            _ => u32::from_le_bytes(*bytes),
        };
        char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)
    }));
}
