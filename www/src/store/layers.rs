//! Metalayers, as the reader's module writes them.

use alloc::vec::Vec;
use b2nd::frame::Metalayer;

/// Reads a count, then for each metalayer the length and the bytes of its name and of its content.
pub(super) fn read(mut bytes: &[u8]) -> Vec<Metalayer> {
    let mut layers = Vec::new();
    let count = u32(&mut bytes);
    for _ in 0..count {
        let (name, content) = (part(&mut bytes), part(&mut bytes));
        layers.push(Metalayer { name, content });
    }
    layers
}

fn part(bytes: &mut &[u8]) -> Vec<u8> {
    let len = u32(bytes) as usize;
    let (part, rest) = bytes.split_at_checked(len).unwrap_or_default();
    *bytes = rest;
    part.to_vec()
}

fn u32(bytes: &mut &[u8]) -> u32 {
    let Some((number, rest)) = bytes.split_first_chunk() else { return 0 };
    *bytes = rest;
    u32::from_le_bytes(*number)
}
