//! Encoders' tables in the caller's memory.

use super::encode::{Encode, check_clevel};
use super::{Codec, PlainStream, blosclz};
use crate::base::{ArgumentError, Result, Unsupported};
use core::fmt;

/// Tables for encoders. A codec without its table counts as not built in: `()` has none, a pair has those of both. This trait
/// is sealed.
#[expect(private_bounds, reason = "what seals it")]
pub trait EncoderTables: Encode {}

impl<T: Encode> EncoderTables for T {}

/// The longest stream whose positions fit into the tables.
const LONGEST: usize = u16::MAX as usize;

/// Defines the table of a codec, which encodes streams by this function.
macro_rules! tables {
    ($(#[$on:meta])* $name:ident, $codec:ident, $encode:expr;) => {
        $(#[$on])*
        // Words are cleared by a function that programs have anyway.
        #[repr(align(4))]
        pub struct $name<const N: usize>([u16; N]);

        impl<const N: usize> $name<N> {
            /// An empty table.
            ///
            #[doc = concat!("```\nlet table = b2nd::codec::", stringify!($name), "::<1024>::new();\n```")]
            #[must_use]
            pub const fn new() -> Self {
                const { assert!(N.is_power_of_two() && N >= 2 && N <= 1 << 16) };
                Self([0; N])
            }
        }

        impl<const N: usize> Default for $name<N> {
            fn default() -> Self {
                Self::new()
            }
        }

        impl<const N: usize> fmt::Debug for $name<N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("len", &N).finish_non_exhaustive()
            }
        }

        impl<const N: usize> Encode for $name<N> {
            fn encodes(&self, codec: Codec) -> bool {
                codec == Codec::$codec
            }

            fn encode_stream(
                &mut self,
                codec: Codec,
                stream: &PlainStream<'_>,
                _: &[u8],
                dst: &mut [u8],
            ) -> Result<Option<usize>> {
                check(self, codec, stream)?;
                let encode: fn(&PlainStream<'_>, &mut [u8], &mut [u16; N]) -> Option<usize> = $encode;
                Ok(encode(stream, dst, &mut self.0))
            }
        }
    };
}

tables! {
    /// The table of BloscLZ's encoder, of `N` entries of 2 bytes, for blocks of less than 64 KiB. `N` is a power of two.
    BloscLzTable, BLOSCLZ, |stream, dst, table| blosclz::encode(stream.src, dst, table, stream.clevel);
}

#[cfg(feature = "lz4")]
tables! {
    /// The table of LZ4's fast encoder, of `N` entries of 2 bytes, for blocks of less than 64 KiB. `N` is a power of two: with 1024
    /// chunks are about half a percent larger than with 8192, which [`Encoder`](super::Encoder) has, with 512 about one percent.
    Lz4Table, LZ4, |stream, dst, table| {
        super::lz4::encode(stream.src, 0, dst, table, super::lz4::acceleration(stream.clevel))
    };
}

impl Encode for () {
    fn encodes(&self, _: Codec) -> bool {
        false
    }

    fn encode_stream(
        &mut self,
        codec: Codec,
        _: &PlainStream<'_>,
        _: &[u8],
        _: &mut [u8],
    ) -> Result<Option<usize>> {
        Err(Unsupported::Codec(codec.0).into())
    }
}

impl<A: Encode, B: Encode> Encode for (A, B) {
    fn encodes(&self, codec: Codec) -> bool {
        self.0.encodes(codec) || self.1.encodes(codec)
    }

    fn encode_stream(
        &mut self,
        codec: Codec,
        stream: &PlainStream<'_>,
        dict: &[u8],
        dst: &mut [u8],
    ) -> Result<Option<usize>> {
        if self.0.encodes(codec) {
            return self.0.encode_stream(codec, stream, dict, dst);
        }
        self.1.encode_stream(codec, stream, dict, dst)
    }
}

/// Refuses what the table does not suffice for.
fn check(table: &impl Encode, codec: Codec, stream: &PlainStream<'_>) -> Result<()> {
    check_clevel(stream.clevel)?;
    if !table.encodes(codec) {
        return Err(Unsupported::Codec(codec.0).into());
    }
    let len = stream.src.len();
    if len > LONGEST {
        return Err(ArgumentError::Parameter { name: "blocksize", value: len as i64 }.into());
    }
    Ok(())
}
