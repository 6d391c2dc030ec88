//! Stores, tables and objects: what their bytes mean. The caller reads the frames.

mod catalogue;
mod cells;
mod column;
mod layers;
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

/// The members of an archive of `len` bytes.
#[wasm_bindgen]
pub fn archive(len: f64) -> u32 {
    status(|engine| catalogue::archive(engine, len as u64))
}

/// Where a member of an archive begins, by its own header.
#[wasm_bindgen]
pub fn member(header: f64, start: f64, end: f64) -> u32 {
    status(|engine| catalogue::member(engine, header as u64, start as u64, end as u64))
}

/// The kind of a store, and the members in its frame of small members, which has `nbytes` items.
#[wasm_bindgen]
pub fn catalogue(nbytes: f64) -> u32 {
    status(|engine| catalogue::catalogue(engine, nbytes as u64))
}

/// The keys of files.
#[wasm_bindgen]
pub fn keys() -> u32 {
    status(|engine| {
        catalogue::keys(engine);
        Ok(())
    })
}

/// The number of objects.
#[wasm_bindgen]
pub fn objects() -> u32 {
    status(objects::objects)
}

/// The batches in which the objects from `start` to `end` are.
#[wasm_bindgen]
pub fn batches(start: f64, end: f64) -> u32 {
    status(|engine| objects::batches(engine, start as u64..end as u64))
}

/// The objects of a batch, of which the file has `stored` bytes.
#[wasm_bindgen]
pub fn batch(nbatch: f64, stored: f64) -> u32 {
    status(|engine| objects::batch(engine, nbatch as u64, stored as u64))
}

/// The schema of a table.
#[wasm_bindgen]
pub fn table() -> u32 {
    status(table::table)
}

/// The pieces of the mask of a table that are to be counted.
#[wasm_bindgen]
pub fn pieces() -> u32 {
    status(rows::pieces)
}

/// The numbers of rows in pieces of a mask.
#[wasm_bindgen]
pub fn count(piece: f64) -> u32 {
    status(|engine| {
        rows::count(engine, piece as usize);
        Ok(())
    })
}

/// The number of rows of a table.
#[wasm_bindgen]
pub fn rows() -> u32 {
    status(rows::rows)
}

/// Where the rows from `start` to `end` are.
#[wasm_bindgen]
pub fn spots(start: f64, end: f64) -> u32 {
    status(|engine| rows::spots(engine, start as u64..end as u64))
}

/// Which rows are meant of a piece of the stored ones.
#[wasm_bindgen]
pub fn pick(start: f64, end: f64) -> u32 {
    status(|engine| {
        rows::pick(engine, start as u64..end as u64);
        Ok(())
    })
}

/// The cells of `len` stored rows of items.
#[wasm_bindgen]
pub fn items(len: f64) -> u32 {
    status(|engine| column::items(engine, len as usize))
}

/// The place of the texts of `len` stored rows.
#[wasm_bindgen]
pub fn place(len: f64, stored: f64, nbytes: f64) -> u32 {
    status(|engine| column::place(engine, len as usize, stored as u64, nbytes as u64))
}

/// The cells of `len` stored rows of texts.
#[wasm_bindgen]
pub fn texts(len: f64) -> u32 {
    status(|engine| column::texts(engine, len as usize))
}

/// The numbers of the texts of `len` stored rows of a dictionary column.
#[wasm_bindgen]
pub fn codes(len: f64, ntexts: f64) -> u32 {
    status(|engine| column::codes(engine, len as usize, ntexts as usize))
}
