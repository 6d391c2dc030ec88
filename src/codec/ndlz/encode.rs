//! The encoder: cells of one value, then cells and rows that were literals before, by a table of their positions.

use super::{CONSTANT, LITERAL, SAME_CELL, rows_of_4, rows_of_8};

/// The last position of each hash of rows in the encoded stream; 0 for none.
pub(in crate::codec) type Positions = [u32; 1 << 12];

/// Tokens of cells with matching rows, those that save the most first: two pairs, three rows, a pair.
static TOKENS_OF_4: [u8; 13] = {
    let mut tokens = [5, 6, 7, 28, 29, 30, 31, 16, 17, 18, 19, 22, 23];
    let mut at = 0;
    while at < tokens.len() {
        tokens[at] <<= 3;
        at += 1;
    }
    tokens
};
/// Cells of 8 × 8: three rows in a row, or two.
static TOKENS_OF_8: [u8; 13] = {
    let mut tokens = [0; 13];
    let mut row = 0;
    while row < 13 {
        tokens[row as usize] = if row < 6 { 21 << 3 | row } else { 17 << 3 | (row - 6) };
        row += 1;
    }
    tokens
};

/// Encodes `src`, rows of `width` bytes, and returns the length; `None` if it does not fit. Cells are `edge` wide, 4 or 8.
pub(in crate::codec) fn encode(
    src: &[u8],
    edge: u8,
    [height, width]: [u32; 2],
    dst: &mut [u8],
    table: &mut Positions,
) -> Option<usize> {
    table.fill(0);
    let edge = usize::from(edge);
    let mut out = Writer { dst, at: 0, table };
    out.put(&[2])?;
    out.put(&height.to_le_bytes())?;
    out.put(&width.to_le_bytes())?;
    let (height, width) = (height as usize, width as usize);
    for top in (0..height).step_by(edge) {
        for left in (0..width).step_by(edge) {
            let (rows, columns) = (edge.min(height - top), edge.min(width - left));
            let mut cell = [0; 64];
            let cell = &mut cell[..rows * columns];
            for (row, bytes) in cell.chunks_exact_mut(columns).enumerate() {
                bytes.copy_from_slice(&src[(top + row) * width + left..][..columns]);
            }
            if (rows, columns) == (edge, edge) {
                out.cell(cell, edge)?;
            } else {
                // Cropped cells are literals.
                out.put(&[LITERAL])?;
                out.put(cell)?;
            }
        }
    }
    Some(out.at)
}

struct Writer<'a> {
    dst: &'a mut [u8],
    at: usize,
    table: &'a mut Positions,
}

impl Writer<'_> {
    fn put(&mut self, bytes: &[u8]) -> Option<()> {
        self.dst.get_mut(self.at..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        self.at += bytes.len();
        Some(())
    }

    /// Writes a whole cell.
    fn cell(&mut self, cell: &[u8], edge: usize) -> Option<()> {
        if cell.iter().all(|byte| *byte == cell[0]) {
            return self.put(&[CONSTANT, cell[0]]);
        }
        if let Some(offset) = self.find(cell) {
            self.put(&[SAME_CELL])?;
            return self.put(&offset);
        }
        let tokens = if edge == 4 { &TOKENS_OF_4 } else { &TOKENS_OF_8 };
        for &token in tokens {
            let sets = if edge == 4 { rows_of_4(token) } else { rows_of_8(token) };
            let found = sets.map(|set| (set != 0).then(|| self.find(Rows::of(cell, edge, set).bytes())));
            let [Some(Some(first)), second @ (None | Some(Some(_)))] = found else { continue };
            self.put(&[token])?;
            self.put(&first)?;
            if let Some(Some(second)) = second {
                self.put(&second)?;
            }
            return self.put(Rows::of(cell, edge, !(sets[0] | sets[1])).bytes());
        }
        self.put(&[LITERAL])?;
        let start = self.at;
        self.put(cell)?;
        self.enter(cell, start);
        for rows in 2..=3 {
            for row in 0..=edge - rows {
                self.enter(&cell[row * edge..][..rows * edge], start + row * edge);
            }
        }
        Some(())
    }

    /// How far before the token these bytes are literals, if they are.
    fn find(&self, bytes: &[u8]) -> Option<[u8; 2]> {
        let at = self.table[slot(bytes)] as usize;
        let same = at > 0 && self.dst[at..].starts_with(bytes);
        same.then(|| u16::try_from(self.at - at).ok()).flatten().map(u16::to_le_bytes)
    }

    fn enter(&mut self, bytes: &[u8], at: usize) {
        self.table[slot(bytes)] = at as u32;
    }
}

/// Some rows of a cell, one after the other.
struct Rows {
    bytes: [u8; 64],
    len: usize,
}

impl Rows {
    /// The rows in the bit mask `set`.
    fn of(cell: &[u8], edge: usize, set: u8) -> Self {
        let mut rows = Self { bytes: [0; 64], len: 0 };
        for (_, row) in cell.chunks_exact(edge).enumerate().filter(|(row, _)| set >> row & 1 != 0) {
            rows.bytes[rows.len..][..edge].copy_from_slice(row);
            rows.len += edge;
        }
        rows
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// The place of some rows in the table.
fn slot(bytes: &[u8]) -> usize {
    let hash = bytes.as_chunks().0.iter().fold(bytes.len() as u32, |hash, four| {
        (hash.rotate_left(5) ^ u32::from_le_bytes(*four)).wrapping_mul(2_654_435_761)
    });
    (hash >> 20) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::tests::Random;
    use alloc::vec;
    use alloc::vec::Vec;

    fn round_trip(src: &[u8], edge: u8, shape: [u32; 2]) -> Vec<u8> {
        let mut dst = vec![0; 2 * src.len() + 99];
        let len = encode(src, edge, shape, &mut dst, &mut [0; 1 << 12]).unwrap();
        let mut decoded = vec![0xEE; src.len()];
        super::super::decode(&dst[..len], edge, &mut decoded).unwrap();
        assert!(decoded == src, "{edge} {shape:?}");
        for room in [len - 1, len / 2, 5] {
            assert_eq!(encode(src, edge, shape, &mut dst[..room], &mut [0; 1 << 12]), None);
        }
        dst.truncate(len);
        dst
    }

    #[test]
    fn decoder_undoes_it() {
        let mut random = Random(71);
        for _ in 0..600 {
            let shape = [1 + random.below(40), 1 + random.below(40)];
            // Cells share few rows.
            let rows: Vec<u8> = (0..64).map(|_| random.next() as u8).collect();
            let few = 1 + random.below(6);
            let edge = if random.below(2) == 0 { 4 } else { 8 };
            let plane: Vec<u8> = (0..shape[0] * shape[1])
                .map(|at| (at / shape[1], at % shape[1]))
                .map(|(y, x)| rows[(y * 7 + x / edge * 3 + y / edge * few) % few * 8 + x % edge])
                .collect();
            round_trip(&plane, edge as u8, shape.map(|len| len as u32));
            round_trip(&random.data(shape[0] * shape[1]), edge as u8, shape.map(|len| len as u32));
        }
    }

    #[test]
    fn rows_are_found_in_every_place() {
        let cell = |rows: &[u8], edge: usize| -> Vec<u8> {
            rows.iter().flat_map(|row| (0..edge as u8).map(move |x| row.wrapping_mul(17) ^ x)).collect()
        };
        // A literal cell, then one that has rows of it.
        for (edge, rows, token) in [
            (4, &[1, 2, 3, 4][..], SAME_CELL),
            (4, &[1, 2, 2, 3], 5 << 3),
            (4, &[2, 3, 4, 9], 29 << 3),
            (4, &[9, 2, 3, 4], 28 << 3),
            (4, &[1, 2, 9, 3], 30 << 3),
            (4, &[1, 9, 2, 3], 31 << 3),
            (4, &[8, 9, 3, 4], 16 << 3),
            (4, &[8, 3, 4, 9], 22 << 3),
            (8, &[20, 1, 2, 3, 21, 22, 23, 24], 21 << 3 | 1),
            (8, &[20, 21, 22, 23, 24, 25, 7, 8], 17 << 3 | 6),
        ] {
            let first: Vec<u8> = (1..=edge as u8).collect();
            let plane = [cell(&first, edge), cell(rows, edge)].concat();
            let encoded = round_trip(&plane, edge as u8, [2 * edge as u32, edge as u32]);
            let second = 9 + 1 + edge * edge;
            let sets = |token| if edge == 4 { rows_of_4(token) } else { rows_of_8(token) };
            let found = encoded[second];
            assert!(
                found == token || found != SAME_CELL && sets(found) == sets(token),
                "{rows:?}: {found:#x}"
            );
        }
    }
}
