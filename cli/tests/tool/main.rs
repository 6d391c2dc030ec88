//! Tests of the tool, in one program.

extern crate alloc;

mod common;
#[path = "../../../tests/common/random.rs"]
mod random;

mod bombs;
mod changing;
mod cli;
mod collecting;
mod creating;
mod evaluated;
mod exchanged_tables;
mod interop;
mod numpy;
mod outputs;
mod preview;
mod remote;
mod stats;
mod stores;
mod uploads;
mod written_tables;
mod zarr;
