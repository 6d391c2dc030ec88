//! Arrays of booleans: which rows are there, and which cells of a column are not null.

use super::{Grid, Written, array_params};
use crate::array::ArrayParams;
use crate::sink::{Editor, File, StoreEditor};

/// Rows that are written at once.
const AT_ONCE: u64 = 1 << 20;

/// Creates an empty array.
pub(super) fn create(
    store: &mut StoreEditor,
    key: &str,
    grid: Grid,
    template: &ArrayParams,
) -> Written<Editor<File>> {
    store.create_array(key, &array_params("|b1", &[], grid, template))
}

/// Appends rows that are all true.
pub(super) fn append_true(editor: &mut Editor<File>, rows: u64) -> Written<()> {
    let ones = alloc::vec![1; rows.min(AT_ONCE) as usize];
    let mut rest = rows;
    while rest > 0 {
        let now = rest.min(AT_ONCE);
        editor.append(0, &ones[..now as usize])?;
        rest -= now;
    }
    Ok(())
}
