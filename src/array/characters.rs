//! Text of fixed length, four bytes a character (NumPy's kind `U`).

use super::ByteOrder;
use alloc::borrow::ToOwned;
use alloc::string::String;

/// The text of an item, without trailing zeros. What is no character becomes U+FFFD.
pub(crate) fn characters(item: &[u8], order: ByteOrder) -> String {
    let used = item.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    let used = &item[..used.next_multiple_of(4).min(item.len())];
    let character = |bytes: &[u8; 4]| {
        let point = match order {
            ByteOrder::Big => u32::from_be_bytes(*bytes),
            _ => u32::from_le_bytes(*bytes),
        };
        char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)
    };
    let text: String = used.as_chunks().0.iter().map(character).collect();
    text.trim_end_matches('\0').to_owned()
}
