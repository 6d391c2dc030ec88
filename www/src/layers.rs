//! Metalayers, as the reader's module writes them.

use alloc::vec::Vec;
use b2nd::frame::Metalayer;

/// Reads a map of names and contents. No bytes are an empty one.
pub(crate) fn read(bytes: &[u8]) -> Vec<Metalayer> {
    let mut layers = Vec::new();
    // Without the tags of the map and of its end.
    let mut rest = bytes.get(1..bytes.len().saturating_sub(1)).unwrap_or_default();
    while !rest.is_empty() {
        let (name, content) = (part(&mut rest), part(&mut rest));
        layers.push(Metalayer { name, content });
    }
    layers
}

/// Takes a text or bytes.
fn part(bytes: &mut &[u8]) -> Vec<u8> {
    let head: Option<(&[u8; 5], &[u8])> = bytes.split_first_chunk();
    let split = head.and_then(|([_, a, b, c, d], rest)| {
        rest.split_at_checked(u32::from_le_bytes([*a, *b, *c, *d]) as usize)
    });
    let (part, rest) = split.unwrap_or_default();
    *bytes = rest;
    part.to_vec()
}
