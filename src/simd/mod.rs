//! Byte and bit transpositions at the speed of the machine; the only `unsafe` of the crate.
