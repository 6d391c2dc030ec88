//! Tests of the library, in one program, which is compiled and linked in a fraction of the time that a program for each file takes.
//!
//! Programs of their own have the tests that other steps run with other features, and those that start themselves as processes.

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
