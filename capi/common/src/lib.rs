//! The part that the libraries for C share: `raw` makes slices of pointers and values of panics, `pool` has threads.

pub mod pool;
pub mod raw;
