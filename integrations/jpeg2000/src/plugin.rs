//! The codecs, as the library calls them.

use crate::container::codestream;
use crate::decoder::planes;
use crate::header::Header;
use crate::layout::{Layout, interleave};
use crate::quantized::Quantized;
use b2nd::codec::{Corrupt, Plugin, Stream};

/// A codec whose streams are images.
#[derive(Debug)]
pub(crate) struct Jpeg2000 {
    name: &'static str,
    layout: Layout,
    /// Whether images may stand for `float32`.
    quantizes: bool,
}

impl Jpeg2000 {
    #[cfg(feature = "htj2k")]
    pub(crate) const OPENHTJ2K: Self = Self { name: "openhtj2k", layout: Layout::Planar, quantizes: false };
    pub(crate) const GROK: Self = Self { name: "grok", layout: Layout::Interleaved, quantizes: false };
    pub(crate) const J2K: Self = Self { name: "j2k", layout: Layout::Interleaved, quantizes: true };
    #[cfg(feature = "htj2k")]
    pub(crate) const HTJ2K: Self = Self { name: "htj2k", layout: Layout::Interleaved, quantizes: true };

    /// Decodes the image of a block of `float32`.
    fn decode_values(
        &self,
        image: &Quantized<'_>,
        stream: &Stream<'_>,
        dst: &mut [u8],
    ) -> Result<(), Corrupt> {
        let codestream = codestream(image.image)?;
        let header = Header::read(codestream)?;
        let whole = stream.typesize == size_of::<f32>() && dst.len().is_multiple_of(size_of::<f32>());
        if header.precision != image.precision || !whole {
            return Err(Corrupt);
        }
        // The image itself has as many items, but shorter ones.
        let mut narrow = *stream;
        narrow.typesize = usize::from(header.precision / 8);
        self.layout.fits(&header, &narrow, dst.len() / size_of::<f32>() * narrow.typesize)?;
        interleave(&planes(codestream, &header)?, dst, |sample| image.value(sample).to_le_bytes());
        Ok(())
    }
}

impl Plugin for Jpeg2000 {
    fn name(&self) -> &'static str {
        self.name
    }

    fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
        if self.quantizes
            && let Some(image) = Quantized::read(stream.src)?
        {
            return self.decode_values(&image, stream, dst);
        }
        let codestream = codestream(stream.src)?;
        let header = Header::read(codestream)?;
        self.layout.fits(&header, stream, dst.len())?;
        self.layout.write(&planes(codestream, &header)?, header.precision, dst);
        Ok(())
    }
}
