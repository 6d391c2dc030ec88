//! Properties that hold for any input. The fuzz targets and `tests/properties.rs` check them.
//!
//! Each function takes bytes and panics if the property does not hold. Those that take a file read it as it is, so that the files
//! of `tests/golden` are seeds; the others read their parameters from the first bytes.

extern crate alloc;

mod arrays;
mod bounds;
mod changes;
mod encoding;
mod flash;
mod frames;
mod input;
#[path = "../../tests/common/meter.rs"]
mod meter;
mod objects;
mod packets;
mod plans;
mod stores;
mod streams;
mod tables;
mod text;

pub use arrays::{array, editor};
pub use changes::change;
pub use encoding::{chunk, codec};
pub use flash::{flash, logger};
pub use frames::frame;
pub use objects::{object, value};
pub use packets::{arrival, packets, sent};
pub use plans::plan;
pub use stores::store;
pub use streams::{hdf5, stream};
pub use text::{dtype, selection};
