//! Stores, tables and objects: what their bytes mean. The caller reads the frames.

mod catalogue;
mod cells;
mod column;
mod loading;
mod object;
mod objects;
mod rows;
mod subject;
mod table;

use crate::status;
use wasm_bindgen::prelude::wasm_bindgen;

pub(crate) use subject::Subject;

/// Loads what the following calls are about, by its recipe.
#[cfg(not(feature = "reader"))]
#[wasm_bindgen]
pub fn load() -> u32 {
    status(loading::load)
}

/// Exports functions of numbers that return a status.
macro_rules! exports {
    ($($(#[$text:meta])* $name:ident($($number:ident),*) = $work:expr;)*) => {$(
        $(#[$text])*
        #[wasm_bindgen]
        pub fn $name($($number: f64),*) -> u32 {
            status($work)
        }
    )*};
}

exports! {
    /// The members of an archive of `len` bytes.
    archive(len) = |engine| catalogue::archive(engine, len as u64);
    /// Where a member of an archive begins, by its own header.
    member(header, start, end) =
        |engine| catalogue::member(engine, header as u64, start as u64, end as u64);
    /// The kind of a store, and the members in its frame of small members, which has `nbytes` items.
    catalogue(nbytes) = |engine| catalogue::catalogue(engine, nbytes as u64);
    /// The keys of files.
    keys() = catalogue::keys;
    /// The number of objects in a frame of `stored` bytes, and the most bytes that a batch may have.
    objects(stored) = |engine| objects::objects(engine, stored as u64);
    /// The batches in which the objects from `start` to `end` are.
    batches(start, end) = |engine| objects::batches(engine, start as u64..end as u64);
    /// The objects of a batch, of which the file has `stored` bytes.
    batch(nbatch, stored) = |engine| objects::batch(engine, nbatch as u64, stored as u64);
    /// The schema of a table.
    table() = table::table;
    /// The pieces of the mask of a table that are to be counted.
    pieces() = rows::pieces;
    /// The numbers of rows in pieces of a mask.
    count(piece) = |engine| rows::count(engine, piece as usize);
    /// The number of rows of a table.
    rows() = rows::rows;
    /// Where the rows from `start` to `end` are.
    spots(start, end) = |engine| rows::spots(engine, start as u64..end as u64);
    /// Which rows are meant of a piece of the stored ones.
    pick(start, end) = |engine| rows::pick(engine, start as u64..end as u64);
    /// The cells of `len` stored rows of items.
    items(len) = |engine| column::items(engine, len as usize);
    /// The items of `len` stored rows, as cells have them, then 1 for each row that is null, if one is.
    typed(len) = |engine| column::typed(engine, len as usize);
    /// The place of the texts of `len` stored rows.
    place(len, stored, nbytes) = |engine| column::place(engine, len as usize, stored as u64, nbytes as u64);
    /// The cells of `len` stored rows of texts.
    texts(len) = |engine| column::texts(engine, len as usize);
    /// The numbers of the texts of `len` stored rows of a dictionary column.
    codes(len, ntexts) = |engine| column::codes(engine, len as usize, ntexts as usize);
}
