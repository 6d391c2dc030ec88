//! Chunks of equal items.

use crate::chunk::header::SpecialValue;

/// The value of all items, and the bytes that follow the header. `None` if they differ, or if there is a part of an item:
/// old readers then refuse zeros (FORMAT §11 B13).
pub(super) fn find(plain: &[u8], typesize: usize) -> Option<(SpecialValue, &[u8])> {
    let (value, rest) = plain.split_at_checked(typesize)?;
    if !plain.len().is_multiple_of(typesize) || plain[..rest.len()] != *rest {
        return None;
    }
    if value.iter().all(|byte| *byte == 0) {
        return Some((SpecialValue::Zeros, &[]));
    }
    if value == f32::NAN.to_le_bytes() || value == f64::NAN.to_le_bytes() {
        return Some((SpecialValue::Nan, &[]));
    }
    // A single item is copied.
    (!rest.is_empty()).then_some((SpecialValue::Repeat { width: typesize as u32 }, value))
}

/// The value that these bits of a header tell: zeros or NaNs, which make index entries.
pub(crate) const fn special_value(blosc2_flags: u8) -> Option<SpecialValue> {
    match blosc2_flags & 0x70 {
        value if value == bits(SpecialValue::Zeros) => Some(SpecialValue::Zeros),
        value if value == bits(SpecialValue::Nan) => Some(SpecialValue::Nan),
        _ => None,
    }
}

/// The bits of the value in the header.
pub(super) const fn bits(value: SpecialValue) -> u8 {
    let kind = match value {
        SpecialValue::Zeros => 1,
        SpecialValue::Nan => 2,
        SpecialValue::Repeat { .. } => 3,
        SpecialValue::Uninit => 4,
    };
    kind << 4
}
