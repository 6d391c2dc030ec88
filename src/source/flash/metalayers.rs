//! Metalayers of a frame in flash.

use crate::array::Layout;
use crate::base::{Limits, Reference, Result, Unsupported};
use crate::contents::Contents;
use crate::frame::{Header, Metalayers};
use crate::schunk::SChunk;

/// The contents by the header and its metalayers, and an array's dtype.
#[inline(never)]
pub(super) fn contents<'a>(
    header: &Header,
    metalayers: &Metalayers<'a>,
) -> Result<(Contents, Option<&'a [u8]>)> {
    if header.is_beta() {
        return Err(Unsupported::BetaFrame.into());
    }
    if header.sparse {
        return Err(Unsupported::SparseFrame.into());
    }
    for (name, reference) in Reference::METALAYERS {
        if let Some(content) = find(metalayers, name)? {
            return Err(Unsupported::Reference(reference.told_by(content)).into());
        }
    }
    let (b2nd, caterva) = (find(metalayers, "b2nd")?, find(metalayers, "caterva")?);
    Ok(match Layout::of_metalayers(header, b2nd, caterva, &Limits::default())? {
        Some((array, dtype)) => (Contents::Array(array), dtype),
        None => (items(header)?, None),
    })
}

/// Items in one dimension.
#[inline(never)]
fn items(header: &Header) -> Result<Contents> {
    Ok(Contents::Items(SChunk::of_header(header)?.ok_or(Unsupported::VariableChunks)?))
}

/// The content of the metalayer with this name.
#[inline(never)]
pub(super) fn find<'a>(metalayers: &Metalayers<'a>, name: &str) -> Result<Option<&'a [u8]>> {
    let found = metalayers.clone().find_map(|entry| match entry {
        Ok((found, content)) => (found == name.as_bytes()).then_some(Ok(content)),
        Err(error) => Some(Err(error)),
    });
    found.transpose()
}
