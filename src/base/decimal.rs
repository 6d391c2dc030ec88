//! Decimal numbers as floats. The standard library's tables for it would be a fifth of what a browser loads for a table.

use alloc::vec::Vec;

/// Digits that can decide how a number is rounded; of those after them it only matters whether there are any.
const DIGITS: usize = 800;
/// Beyond these powers of ten numbers are infinite or zero.
const LARGEST: i64 = 310;
const LEAST: i64 = -330;
/// Digits that are counted in one step: as many as a word holds.
const STEP: usize = 9;

/// The float nearest to a number as JSON writes it; of two, the even one.
pub(crate) fn decimal(text: &str) -> f64 {
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (is_negative, mantissa) = sign(mantissa);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = whole.bytes().chain(fraction.bytes()).map(|digit| digit - b'0');
    let significant = digits.skip_while(|digit| *digit == 0);
    let mut power = exponent_of(exponent).saturating_sub(fraction.len() as i64);
    let mut kept: Vec<u8> = significant.clone().take(DIGITS).collect();
    let rest = significant.skip(DIGITS);
    power = power.saturating_add(rest.clone().count() as i64);
    if rest.into_iter().any(|digit| digit != 0) {
        kept.push(1);
        power -= 1;
    }
    let size = power.saturating_add(kept.len() as i64);
    let float = match size {
        _ if kept.is_empty() || size < LEAST => 0.0,
        LARGEST.. => f64::INFINITY,
        _ => scaled(&kept, power),
    };
    if is_negative { -float } else { float }
}

fn sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn exponent_of(text: &str) -> i64 {
    let (is_negative, digits) = sign(text);
    let add = |sum: i64, digit: u8| sum.saturating_mul(10).saturating_add((digit - b'0').into());
    let size = digits.bytes().fold(0, add);
    if is_negative { -size } else { size }
}

/// An integer of these digits times a power of ten.
fn scaled(digits: &[u8], power: i64) -> f64 {
    // Little-endian words.
    let mut words = Vec::new();
    for digits in digits.chunks(STEP) {
        let number = digits.iter().fold(0, |number, digit| number * 10 + u64::from(*digit));
        multiply(&mut words, 10_u64.pow(digits.len() as u32), number);
    }
    factors(power).for_each(|factor| multiply(&mut words, factor, 0));
    // A power of ten has less than four bits each: 64 bits and more are left after the division.
    let shift = if power < 0 { (-power as usize * 4 + 64).div_ceil(32) } else { 0 };
    words.splice(0..0, core::iter::repeat_n(0, shift));
    let mut is_cut = false;
    factors(-power).for_each(|factor| is_cut |= divide(&mut words, factor));
    while words.last() == Some(&0) {
        words.pop();
    }
    rounded(&words, -(32 * shift as i64), is_cut)
}

/// Factors of a power of ten, each of which fits a word; none if the power is negative.
fn factors(power: i64) -> impl Iterator<Item = u64> {
    (0..power).step_by(STEP).map(move |done| 10_u64.pow((power - done).min(STEP as i64) as u32))
}

fn multiply(words: &mut Vec<u32>, factor: u64, add: u64) {
    let mut carry = add;
    for word in words.iter_mut() {
        carry += u64::from(*word) * factor;
        *word = carry as u32;
        carry >>= 32;
    }
    if carry > 0 {
        words.push(carry as u32);
    }
}

/// Returns whether there is a rest.
fn divide(words: &mut [u32], divisor: u64) -> bool {
    let mut rest = 0;
    for word in words.iter_mut().rev() {
        let part = rest << 32 | u64::from(*word);
        *word = (part / divisor) as u32;
        rest = part % divisor;
    }
    rest > 0
}

/// The float nearest to an integer times a power of two, which is a little more if something was cut off.
fn rounded(words: &[u32], power: i64, is_cut: bool) -> f64 {
    // The upper 64 bits, of which the first is set.
    let word = |from_end: usize| words.len().checked_sub(from_end).map_or(0, |at| words[at]);
    let unused = word(1).leading_zeros();
    let upper = (1..=3).fold(0, |bits, at| bits << 32 | u128::from(word(at)));
    let top = (upper << unused >> 32) as u64;
    let below = (upper << unused) as u32;
    let is_cut = is_cut || below != 0 || words.iter().rev().skip(3).any(|word| *word != 0);
    let exponent = power + 32 * words.len() as i64 - i64::from(unused) - 1;
    // Fewer bits are left of the smallest floats.
    let bits = if exponent < -1022 { 53 - (-1022 - exponent) } else { 53 };
    if exponent > 1023 || bits < 0 {
        return if bits < 0 { 0.0 } else { f64::INFINITY };
    }
    let drop = 64 - bits as u32;
    let kept = top.checked_shr(drop).unwrap_or(0);
    let rest = top & u64::MAX.checked_shr(64 - drop).unwrap_or(0);
    let half = 1 << (drop - 1);
    let up = rest > half || (rest == half && (is_cut || kept & 1 == 1));
    // What carries goes into the exponent.
    let biased = if bits == 53 { ((exponent + 1022) as u64) << 52 } else { 0 };
    f64::from_bits(biased + kept + u64::from(up))
}

#[cfg(test)]
mod tests {
    use super::decimal;
    use alloc::format;
    use alloc::string::String;

    fn check(text: &str) {
        let expected: f64 = text.parse().unwrap();
        assert_eq!(decimal(text).to_bits(), expected.to_bits(), "{text}");
    }

    #[test]
    #[cfg_attr(miri, ignore = "minutes of plain arithmetic")]
    fn is_what_the_standard_library_reads() {
        for text in [
            "0",
            "-0",
            "0.0e5",
            "1",
            "-999.1",
            "0.1",
            "1e400",
            "-1e400",
            "1e-400",
            "5e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "1.7976931348623157e308",
            "1.7976931348623158e308",
            "1.7976931348623159e308",
            "9007199254740993",
            "9007199254740992.5",
            "9007199254740993.0000000000000000000001",
            "1e22",
            "1e23",
            "123456789012345678901234567890",
            "0.000001e-300",
            "1e99999999999999999999",
            "1e-99999999999999999999",
            "1E+2",
            "18446744073709551616",
        ] {
            check(text);
        }
        check(&"1".repeat(5000));
        check(&format!("0.{}1", "0".repeat(900)));
        check(&format!("{}e-900", "9".repeat(1000)));
        // Halfway between two floats, and a little more, after more digits than are kept.
        let half = format!("9007199254740993.{}", "0".repeat(900));
        check(&half);
        check(&format!("{half}1"));
    }

    #[test]
    #[cfg_attr(miri, ignore = "minutes of plain arithmetic")]
    fn random_floats_come_back() {
        let mut state = 7_u64;
        for _ in 0..4000 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let float = f64::from_bits(state);
            if float.is_finite() {
                check(&format!("{float:e}"));
                // A digit less or more is another float, or halfway to it.
                let digits: String = format!("{float:.16e}");
                check(&digits);
            }
        }
    }
}
