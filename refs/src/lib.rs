//! Blosc2 arrays as arrays of Zarr (docs/zarr.md): the metadata, and references by which engines for Zarr read the chunks where they
//! are.
//!
//! ```
//! use b2nd_refs::{Join, Place, References};
//!
//! let array = b2nd::Array::open("../tests/golden/blosc2-4.14.1/sample.b2nd")?;
//! let mut references = References::new(Join::default(), None);
//! references.add(array.reader(), &Place::at("s3://bucket/sample.b2nd"))?;
//! let json = references.finish();
//! assert_eq!(json["version"], 1);
//! assert_eq!(json["refs"]["c/0/0/0"][0], "s3://bucket/sample.b2nd");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attributes;
mod chunk;
mod error;
mod join;
mod metadata;
mod references;
mod types;

pub use chunk::{chunk, chunks};
pub use error::{Error, MetadataError};
pub use join::Join;
pub use metadata::{Fill, Metadata};
pub use references::{Place, References};
