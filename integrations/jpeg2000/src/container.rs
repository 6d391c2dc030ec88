//! The codestream in a JP2 file.
//!
//! Boxes with palettes, colour spaces and the like are left out: the plugins of the reference do not write them for
//! other pictures than grey and sRGB, and an array has the samples as they are.

use crate::reader::Reader;
use b2nd::codec::Corrupt;

/// The first bytes of a JP2 file: a box with its signature.
const SIGNATURE: &[u8] = b"\0\0\0\x0cjP  \r\n\x87\n";

/// The codestream in `stream`, which is one, or a JP2 file with one.
pub(crate) fn codestream(stream: &[u8]) -> Result<&[u8], Corrupt> {
    let Some(boxes) = stream.strip_prefix(SIGNATURE) else { return Ok(stream) };
    let mut reader = Reader(boxes);
    loop {
        let (kind, content) = next_box(&mut reader)?;
        if kind == b"jp2c" {
            return Ok(content);
        }
    }
}

/// The type and the content of the next box.
fn next_box<'a>(reader: &mut Reader<'a>) -> Result<(&'a [u8], &'a [u8]), Corrupt> {
    let len = reader.u32()?;
    let kind = reader.take(4)?;
    let content = match len {
        // The last box may have no length.
        0 => reader.0.len(),
        1 => usize::try_from(reader.u64()?).ok().and_then(|len| len.checked_sub(16)).ok_or(Corrupt)?,
        len => len.checked_sub(8).ok_or(Corrupt)? as usize,
    };
    Ok((kind, reader.take(content)?))
}
