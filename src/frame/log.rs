//! Parts of frames that a logger needs without an allocator.

use super::header::Header;
use super::wire::at;
use crate::base::{Error, Malformed, Result, put_at};
use crate::chunk::CParams;

/// The trailer of a frame without attributes.
pub(crate) const EMPTY_TRAILER: [u8; 35] =
    *b"\x94\x01\x93\xcd\0\x06\xde\0\0\xdc\0\0\xce\0\0\0\x23\xd8\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

/// Sets the lengths in a header that is stored, those of the frame, its items and its chunks, and that its trailer has no
/// metalayers.
///
/// # Errors
/// `Format` (truncated) for a shorter header.
pub(crate) fn patch_sizes(header: &mut [u8], [frame_len, nbytes, cbytes]: [u64; 3]) -> Result<()> {
    for (at, value) in [(at::FRAME_LEN, frame_len), (at::NBYTES, nbytes), (at::CBYTES, cbytes)] {
        put_at(header, at, &value.to_be_bytes())?;
    }
    put_at(header, at::HAS_ATTRIBUTES, &[crate::msgpack::marker::FALSE])
}

impl CParams {
    /// The compression parameters in a frame's header. They do not include the block shape, which the header does not contain.
    ///
    /// ```
    /// use b2nd::{Limits, chunk::CParams, filter::SHUFFLE, frame::Header};
    /// let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let cparams = CParams::of_frame(&Header::parse(&file, &Limits::default())?)?;
    /// assert!(cparams.typesize == 4 && cparams.filters.contains(SHUFFLE));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Format` for a level that the format does not have.
    pub fn of_frame(header: &Header) -> Result<Self> {
        let Header { codec, codec_meta, clevel, typesize, blocksize, filters, splitmode, use_dict, .. } =
            *header;
        if clevel > crate::codec::MAX_STORED_CLEVEL {
            return Err(Error::format(Malformed::Field { name: "clevel", value: clevel.into() }));
        }
        Ok(Self {
            codec,
            codec_meta,
            clevel,
            typesize,
            blocksize,
            filters,
            splitmode: splitmode.unwrap_or_default(),
            use_dict,
            ..Self::default()
        })
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;
    use crate::base::Limits;
    use crate::frame::trailer::WireTrailer;
    use crate::frame::wire::WireFrame;
    use alloc::vec::Vec;

    #[test]
    fn the_trailer_is_that_of_other_writers() {
        assert_eq!(WireTrailer::default().emit(), EMPTY_TRAILER);
    }

    #[test]
    fn a_level_that_the_format_lacks_is_the_files_fault() {
        let sample = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");
        let mut header = Header::parse(sample, &Limits::default()).unwrap();
        header.clevel = 11;
        assert!(matches!(CParams::of_frame(&header).unwrap_err().kind(), crate::ErrorKind::Format(_)));
    }

    #[test]
    fn only_the_lengths_change() {
        let sample = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");
        let mut wire = WireFrame::parse(sample).unwrap();
        let mut bytes = Vec::from(&sample[..wire.header_len as usize]);
        patch_sizes(&mut bytes, [1 << 40, 2 << 40, 3 << 40]).unwrap();
        (wire.frame_len, wire.has_attributes) = (1 << 40, false);
        (wire.numbers[0], wire.numbers[1]) = (2 << 40, 3 << 40);
        let metalayers = Header::parse(sample, &Limits::default()).unwrap().metalayers;
        assert_eq!(wire.emit(&metalayers), bytes);
    }
}
