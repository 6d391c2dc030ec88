//! The decoders of codestreams.

use crate::header::Header;
use b2nd::codec::Corrupt;
use hayro_jpeg2000::{DecodeSettings, DecoderContext, Image};
use std::panic::catch_unwind;

/// The samples of all components of the codestream that has this header.
///
/// # Errors
/// The codestream is damaged, or takes a decoder that is not built in.
pub(crate) fn planes(codestream: &[u8], header: &Header) -> Result<Vec<Vec<u16>>, Corrupt> {
    let decode = if header.high_throughput { high_throughput } else { plain };
    // Damage that a decoder does not foresee is damage still.
    let planes = catch_unwind(|| decode(codestream, header)).map_err(|_| Corrupt)??;
    let whole = planes.len() == usize::from(header.components)
        && planes.iter().all(|plane| plane.len() == header.plane());
    if whole { Ok(planes) } else { Err(Corrupt) }
}

fn plain(codestream: &[u8], header: &Header) -> Result<Vec<Vec<u16>>, Corrupt> {
    let settings = DecodeSettings { resolve_palette_indices: false, strict: true, target_resolution: None };
    let image = Image::new(codestream, &settings).map_err(|_| Corrupt)?;
    let mut context = DecoderContext::default();
    let decoded = image.decode(&mut context).map_err(|_| Corrupt)?;
    let most = f32::from(u16::MAX >> (16 - header.precision));
    let sample = |&value: &f32| value.round_ties_even().clamp(0.0, most) as u16;
    Ok(decoded.components().iter().map(|plane| plane.samples().iter().map(sample).collect()).collect())
}

#[cfg(feature = "htj2k")]
fn high_throughput(codestream: &[u8], header: &Header) -> Result<Vec<Vec<u16>>, Corrupt> {
    use dicom_toolkit_jpeg2000::{DecodeSettings, Image};
    let settings = DecodeSettings { resolve_palette_indices: false, strict: true, target_resolution: None };
    let image = Image::new(codestream, &settings).map_err(|_| Corrupt)?;
    let decoded = image.decode_native().map_err(|_| Corrupt)?;
    let components = usize::from(header.components);
    let samples: Vec<u16> = match decoded.bytes_per_sample {
        1 => decoded.data.iter().map(|&sample| sample.into()).collect(),
        _ => decoded.data.as_chunks().0.iter().map(|&sample| u16::from_le_bytes(sample)).collect(),
    };
    Ok((0..components)
        .map(|plane| samples.iter().skip(plane).step_by(components).copied().collect())
        .collect())
}

#[cfg(not(feature = "htj2k"))]
fn high_throughput(_: &[u8], _: &Header) -> Result<Vec<Vec<u16>>, Corrupt> {
    Err(Corrupt)
}
