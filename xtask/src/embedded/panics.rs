//! Calls of functions that panic, in 32-bit ELF programs for Cortex-M.

use std::collections::BTreeMap;

use super::elf::{Section, half, sections, symbols};

/// Substrings of the names of functions in `core` that do not return.
const PANICS: [&str; 5] =
    ["9panicking", "slice_index_fail", "len_mismatch_fail", "expect_failed", "unwrap_failed"];

/// How often each function calls one that panics. `None` if these bytes are no program with symbols.
pub fn panics(bytes: &[u8]) -> Option<BTreeMap<String, usize>> {
    // The lowest bit says that a function is of Thumb instructions.
    let functions: BTreeMap<u32, &str> = symbols(bytes)?
        .map(|(address, name)| (address & !1, name))
        .filter(|(_, name)| !name.starts_with('$'))
        .collect();
    let is_panic = |name: &&str| PANICS.iter().any(|panic| name.contains(panic));
    let mut calls = BTreeMap::new();
    for section in sections(bytes)?.filter(Section::is_code) {
        for (from, to) in branches(bytes.get(section.range())?, section.address) {
            let caller = functions.range(..=from).next_back().map(|(_, name)| *name);
            if functions.get(&to).is_some_and(is_panic) && !caller.as_ref().is_some_and(is_panic) {
                *calls.entry(caller.unwrap_or("?").to_owned()).or_insert(0) += 1;
            }
        }
    }
    Some(calls)
}

/// The instructions BL of a section, and where they go.
fn branches(code: &[u8], start: u32) -> impl Iterator<Item = (u32, u32)> {
    let mut at = 0;
    core::iter::from_fn(move || {
        loop {
            let first = half(code, at)? as u32;
            let from = start + at as u32;
            // These have two halves.
            if first >> 11 < 0b11101 {
                at += 2;
                continue;
            }
            let second = half(code, at + 2)? as u32;
            at += 4;
            if first >> 11 == 0b11110 && second & 0xD000 == 0xD000 {
                let sign = first >> 10 & 1;
                let bit = |at: u32| !(second >> at ^ sign) & 1;
                let offset = sign << 24
                    | bit(13) << 23
                    | bit(11) << 22
                    | (first & 0x3FF) << 12
                    | (second & 0x7FF) << 1;
                let offset = (offset << 7) as i32 >> 7;
                return Some((from, from.wrapping_add(4).wrapping_add_signed(offset)));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::branches;

    /// As `as` assembles `bl .+0x1234`, `nop`, `bl .-0x100` and `ldr.w r0, [r0]`.
    #[test]
    fn branches_are_found() {
        let code = [0x01, 0xf0, 0x18, 0xf9, 0x00, 0xbf, 0xff, 0xf7, 0x7e, 0xff, 0xd0, 0xf8, 0x00, 0x00];
        let found: Vec<_> = branches(&code, 0x1000).collect();
        assert_eq!(found, [(0x1000, 0x2234), (0x1006, 0xf06)]);
    }
}
