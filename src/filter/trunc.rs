//! TRUNC_PREC and INT_TRUNC: low bits of items set to zero (FORMAT §5.4, §5.5).

use super::{Filter, TRUNC_PREC};

/// How many low bits of an item the filter clears; `None` if it cannot be applied to items of `typesize` bytes. The
/// parameter is signed: bits to keep, of the mantissa for floats, or for integers with a minus bits to clear.
pub(super) fn cleared(filter: Filter, typesize: usize) -> Option<u32> {
    let meta = i32::from(filter.meta.cast_signed());
    let bits = match (filter.id, typesize) {
        // A number of bits to keep is one above 0. C-Blosc2 takes others, and keeps 0 bits of what is no float.
        (TRUNC_PREC, _) if meta <= 0 => return None,
        (TRUNC_PREC, 4) => 23,
        (TRUNC_PREC, 8) => 52,
        (TRUNC_PREC, _) => return None,
        (_, 1 | 2 | 4 | 8) => 8 * typesize as u32,
        _ => return None,
    };
    let cleared = if meta < 0 { meta.unsigned_abs() } else { bits.checked_sub(meta.unsigned_abs())? };
    // All bits of an integer may go no more than those of a mantissa and its exponent.
    (cleared <= bits && cleared < 8 * typesize as u32).then_some(cleared)
}

/// Clears so many low bits of each item.
pub(super) fn clear(bits: u32, typesize: usize, bytes: &mut [u8]) {
    let mask = (u64::MAX << bits).to_le_bytes();
    for item in bytes.chunks_exact_mut(typesize) {
        item.iter_mut().zip(mask).for_each(|(byte, mask)| *byte &= mask);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::filter::INT_TRUNC;

    #[test]
    fn bits_to_keep_or_to_clear() {
        let cleared = |id, meta: i8, typesize| cleared(Filter { id, meta: meta.cast_unsigned() }, typesize);
        assert_eq!(cleared(TRUNC_PREC, 10, 4), Some(13));
        assert_eq!(cleared(TRUNC_PREC, -10, 4), None);
        assert_eq!(cleared(TRUNC_PREC, 0, 8), None);
        assert_eq!(cleared(TRUNC_PREC, 24, 4), None);
        assert_eq!(cleared(TRUNC_PREC, -24, 4), None);
        assert_eq!(cleared(TRUNC_PREC, 10, 2), None);
        assert_eq!(cleared(INT_TRUNC, 3, 1), Some(5));
        assert_eq!(cleared(INT_TRUNC, -3, 2), Some(3));
        assert_eq!(cleared(INT_TRUNC, 0, 2), None, "nothing would be left");
        assert_eq!(cleared(INT_TRUNC, 2, 3), None);
    }

    #[test]
    fn clears_low_bits() {
        let mut bytes = [0xff; 5];
        clear(9, 2, &mut bytes);
        assert_eq!(bytes, [0, 0xfe, 0, 0xfe, 0xff]);
    }
}
