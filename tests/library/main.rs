//! Tests of the library, in one program: compiling and linking one for each file takes several times as long.
//!
//! Tests that run with fewer features as well, that count memory or that trace processes are in programs of their own.

extern crate alloc;

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/random.rs"]
mod random;
#[path = "../common/save.rs"]
mod save;
#[path = "../common/texts.rs"]
mod texts;

mod archives;
mod array_chunks;
mod arrays;
mod arrival;
mod arrow;
mod asynchronous;
mod atomic;
mod auto;
mod bombs;
mod cards;
mod changed;
mod chunks;
mod comments;
mod copies;
mod crashes;
mod dtypes;
mod edits;
mod export;
mod expressions;
mod files;
mod format;
mod frames;
mod frugal;
mod hdf5;
mod indexing;
mod javascript;
mod layers;
mod logs;
mod many_writers;
mod nor;
mod object_store;
mod objects;
mod paths;
mod plans;
mod preparing;
mod recovered;
mod reference_bugs;
mod references;
mod requests;
mod serial;
mod stores;
mod stores_written;
mod streaming;
mod summaries;
mod tables;
mod tables_written;
mod threads;
mod typed;
mod wire;
mod written;
mod zips;
