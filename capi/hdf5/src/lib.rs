//! The HDF5 filters Blosc (32001) and Blosc2 (32026), for the two plugins beside this crate.
//!
//! `filter` has what the filters mean, in safe Rust; `plugin` what HDF5 calls, and `library` what it calls of HDF5. A plugin is not
//! linked with HDF5: it finds the library that has loaded it.

mod filter;
mod library;
mod plugin;

pub use plugin::{BLOSC, BLOSC2, Class};
