//! NDLZ: two-dimensional bytes, divided into square cells that repeat as a whole or in some rows (FORMAT §6.2).
//!
//! After the shape, one token per cell says where its rows come from. Matches refer to earlier literals in the encoded
//! stream.

#[cfg(feature = "write")]
mod encode;

use super::Corrupt;
#[cfg(feature = "write")]
pub(super) use encode::encode;

const LITERAL: u8 = 0x00;
const CONSTANT: u8 = 0x40;
const SAME_CELL: u8 = 0xc0;

/// Decodes exactly `dst.len()` bytes. `edge` is the codec's parameter: cells of 4 × 4 or 8 × 8.
pub(super) fn decode(src: &[u8], edge: u8, dst: &mut [u8]) -> Result<(), Corrupt> {
    let mut stream = NdlzStream { src, at: 0 };
    let [ndim] = stream.array()?;
    let mut len = || stream.array().map(|bytes| u32::from_le_bytes(bytes) as usize);
    let (height, width) = (len()?, len()?);
    let edge = usize::from(edge);
    if ndim != 2 || !matches!(edge, 4 | 8) || height.checked_mul(width) != Some(dst.len()) {
        return Err(Corrupt);
    }
    let mut cell = [0; 64];
    for top in (0..height).step_by(edge) {
        for left in (0..width).step_by(edge) {
            let (rows, columns) = (edge.min(height - top), edge.min(width - left));
            let cell = &mut cell[..rows * columns];
            stream.cell(edge, columns, cell)?;
            for (row, bytes) in cell.chunks_exact(columns).enumerate() {
                dst[(top + row) * width + left..][..columns].copy_from_slice(bytes);
            }
        }
    }
    Ok(())
}

struct NdlzStream<'a> {
    src: &'a [u8],
    at: usize,
}

impl<'a> NdlzStream<'a> {
    fn array<const N: usize>(&mut self) -> Result<[u8; N], Corrupt> {
        let array = self.src.get(self.at..).and_then(|rest| rest.first_chunk()).ok_or(Corrupt)?;
        self.at += N;
        Ok(*array)
    }

    fn take(&mut self, len: usize) -> Result<&'a [u8], Corrupt> {
        let taken = self.src.get(self.at..).and_then(|rest| rest.get(..len)).ok_or(Corrupt)?;
        self.at += len;
        Ok(taken)
    }

    /// Reads an offset, counted back from the cell's `token`, and returns the bytes there.
    fn earlier(&mut self, token: usize) -> Result<&'a [u8], Corrupt> {
        let offset = usize::from(u16::from_le_bytes(self.array()?));
        token.checked_sub(offset).and_then(|from| self.src.get(from..)).ok_or(Corrupt)
    }

    /// Decodes one cell, cropped to `columns` and to the rows of `cell`.
    fn cell(&mut self, edge: usize, columns: usize, cell: &mut [u8]) -> Result<(), Corrupt> {
        let start = self.at;
        let [token] = self.array()?;
        match token {
            LITERAL => cell.copy_from_slice(self.take(cell.len())?),
            CONSTANT => cell.fill(self.array::<1>()?[0]),
            SAME_CELL => cell.copy_from_slice(self.earlier(start)?.get(..cell.len()).ok_or(Corrupt)?),
            // Cropped cells never have matching rows.
            _ if cell.len() != edge * edge || columns != edge => return Err(Corrupt),
            _ => {
                let sets = if edge == 4 { rows_of_4(token) } else { rows_of_8(token) };
                return self.rows(start, edge, sets, cell);
            }
        }
        Ok(())
    }

    /// Decodes a cell with matching rows. Each set is a bit mask of rows that come from one earlier position. The
    /// other rows follow as literals.
    fn rows(&mut self, start: usize, edge: usize, sets: [u8; 2], cell: &mut [u8]) -> Result<(), Corrupt> {
        if sets[0] == 0 {
            return Err(Corrupt);
        }
        let literal = !(sets[0] | sets[1]) & 0xFF >> (8 - edge);
        for set in [sets[0], sets[1], literal].into_iter().filter(|set| *set != 0) {
            let from = if set == literal {
                self.take(edge * set.count_ones() as usize)?
            } else {
                self.earlier(start)?
            };
            let mut rows = from.chunks_exact(edge);
            for (row, bytes) in cell.chunks_exact_mut(edge).enumerate() {
                if set >> row & 1 != 0 {
                    bytes.copy_from_slice(rows.next().ok_or(Corrupt)?);
                }
            }
        }
        Ok(())
    }
}

/// Bit masks of the rows of a 4 × 4 cell that match at a first and at a second position.
fn rows_of_4(token: u8) -> [u8; 2] {
    /// The second position's rows are in the upper half.
    static ROWS: [u8; 32] = {
        let mut rows = [0; 32];
        (rows[5], rows[6], rows[7]) = (0b1100_0011, 0b1010_0101, 0b0110_1001);
        (rows[17], rows[18], rows[19]) = (0b0011, 0b0101, 0b1001);
        (rows[22], rows[23]) = (0b0110, 0b1010);
        (rows[28], rows[29], rows[30], rows[31]) = (0b1110, 0b0111, 0b1011, 0b1101);
        rows
    };
    let rows = if token == 0x80 { 0b1100 } else { ROWS[usize::from(token >> 3)] };
    [rows & 15, rows >> 4]
}

/// An 8 × 8 cell: three rows, or two.
const fn rows_of_8(token: u8) -> [u8; 2] {
    match (token >> 3, token & 7) {
        (21, row @ 0..=5) => [0b111 << row, 0],
        (17, row @ 0..=6) => [0b11 << row, 0],
        _ => [0, 0],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded<const N: usize>(edge: u8, shape: [u32; 2], cells: &[u8]) -> Result<[u8; N], Corrupt> {
        let mut src = alloc::vec![2];
        src.extend(shape.iter().flat_map(|len| len.to_le_bytes()));
        src.extend(cells);
        let mut dst = [0xee; N];
        decode(&src, edge, &mut dst).map(|()| dst)
    }

    #[test]
    fn cells_are_cropped() {
        // A full constant cell, then one of two columns.
        let cells = [CONSTANT, 7, LITERAL, 0, 1, 2, 3, 4, 5, 6, 8];
        let plane: [u8; 24] = decoded(4, [4, 6], &cells).unwrap();
        assert_eq!(plane[..6], [7, 7, 7, 7, 0, 1]);
        assert_eq!(plane[18..], [7, 7, 7, 7, 6, 8]);
    }

    #[test]
    fn rows_match_earlier_literals() {
        let mut cells = alloc::vec![LITERAL];
        cells.extend(0..16);
        // The token is at byte 17 of the cells, the literals at 1.
        cells.extend([29 << 3, 16, 0, 90, 91, 92, 93]);
        let plane: [u8; 32] = decoded(4, [8, 4], &cells).unwrap();
        assert_eq!(plane[16..28], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
        assert_eq!(plane[28..], [90, 91, 92, 93]);
        // Rows 0 and 2 match from the second row of the literals on, rows 1 and 3 from the first.
        cells.truncate(17);
        cells.extend([6 << 3, 12, 0, 16, 0]);
        let plane: [u8; 32] = decoded(4, [8, 4], &cells).unwrap();
        assert_eq!(plane[16..], [4, 5, 6, 7, 0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7]);
    }

    #[test]
    fn refuses_what_is_malformed() {
        let refused = |edge, shape, cells: &[u8]| {
            assert_eq!(decoded::<16>(edge, shape, cells), Err(Corrupt), "{cells:?}")
        };
        refused(5, [4, 4], &[CONSTANT, 1]);
        refused(4, [4, 5], &[CONSTANT, 1, CONSTANT, 1]);
        refused(4, [u32::MAX, u32::MAX], &[CONSTANT, 1]);
        refused(4, [4, 4], &[]);
        refused(4, [4, 4], &[CONSTANT]);
        refused(4, [4, 4], &[LITERAL, 1, 2, 3]);
        refused(4, [4, 4], &[SAME_CELL, 10, 0]);
        refused(4, [4, 4], &[29 << 3, 9, 0]);
        refused(4, [4, 4], &[0x81, 0, 0]);
        refused(8, [2, 8], &[21 << 3, 0, 0]);
    }
}
