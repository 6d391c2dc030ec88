//! An empty FAT16 file system in a partition.

/// The first block of the partition, and blocks of each of the two tables.
const START: u32 = 1;
const TABLE: u16 = 36;

/// The blocks, by their numbers, of a card with so many that are not left as they are.
pub(crate) fn blocks(count: u32) -> Vec<(usize, [u8; 512])> {
    let len = count - START;
    let mut master = [0; 512];
    // A partition of the type FAT16.
    master[446 + 4] = 0x06;
    master[446 + 8..446 + 12].copy_from_slice(&START.to_le_bytes());
    master[446 + 12..446 + 16].copy_from_slice(&len.to_le_bytes());
    master[510..].copy_from_slice(&[0x55, 0xAA]);
    let mut boot = [0; 512];
    boot[..11].copy_from_slice(b"\xEB\x3C\x90b2nd    ");
    // Bytes of a block, blocks of a cluster, reserved blocks, tables, entries of the root, blocks, medium.
    boot[11..13].copy_from_slice(&512_u16.to_le_bytes());
    boot[13..17].copy_from_slice(&[1, 1, 0, 2]);
    boot[17..19].copy_from_slice(&16_u16.to_le_bytes());
    boot[19..21].copy_from_slice(&(len as u16).to_le_bytes());
    boot[21] = 0xF8;
    boot[22..24].copy_from_slice(&TABLE.to_le_bytes());
    boot[38] = 0x29;
    boot[43..62].copy_from_slice(b"CARD       FAT16   ");
    boot[510..].copy_from_slice(&[0x55, 0xAA]);
    let mut table = [0; 512];
    table[..4].copy_from_slice(&[0xF8, 0xFF, 0xFF, 0xFF]);
    let start = START as usize;
    let mut blocks = vec![(0, master), (start, boot)];
    // Both tables, and the block of the root.
    blocks.extend((start + 1..=start + 2 * usize::from(TABLE) + 1).map(|number| (number, [0; 512])));
    for first in [start + 1, start + 1 + usize::from(TABLE)] {
        blocks.push((first, table));
    }
    blocks
}
