//! What a frame in flash holds: an array, or items in a row.

use crate::array::Array;
use crate::base::{Limits, Reference, Result, Unsupported};
use crate::chunk::Context;
use crate::frame::{Header, Metalayers};
use crate::plan::{Grid, Index, Plan};
use crate::schunk::SChunk;

#[derive(Debug, Clone)]
pub(super) enum Items {
    Array(Array),
    Row(SChunk),
}

impl Items {
    /// What the header and its metalayers tell, and an array's dtype.
    // Its temporaries are not to lie on the stack of its caller.
    #[inline(never)]
    pub(super) fn of<'a>(header: &Header, metalayers: &Metalayers<'a>) -> Result<(Self, Option<&'a [u8]>)> {
        for (name, reference) in Reference::METALAYERS {
            if let Some(content) = find(metalayers, name)? {
                return Err(Unsupported::Reference(reference.told_by(content)).into());
            }
        }
        let (b2nd, caterva) = (find(metalayers, "b2nd")?, find(metalayers, "caterva")?);
        Ok(match Array::of_metalayers(header, b2nd, caterva, &Limits::default())? {
            Some((array, dtype)) => (Self::Array(array), dtype),
            None => (Self::row(header)?, None),
        })
    }

    /// Items in a row.
    // Its temporaries are not to lie on the stack of its caller.
    #[inline(never)]
    fn row(header: &Header) -> Result<Self> {
        Ok(Self::Row(SChunk::of_header(header)?.ok_or(Unsupported::VariableChunks)?))
    }

    pub(super) const fn grid(&self) -> &Grid {
        match self {
            Self::Array(array) => array.grid(),
            Self::Row(row) => row.grid(),
        }
    }

    pub(super) fn context(&self) -> Context<'_> {
        match self {
            Self::Array(array) => array.context(),
            Self::Row(row) => row.context(),
        }
    }

    pub(super) fn plan(&self, selection: &[Index]) -> Result<Plan> {
        match self {
            Self::Array(array) => array.plan_of(selection),
            Self::Row(row) => row.plan_of(selection),
        }
    }
}

/// The content of the metalayer with this name.
// Its temporaries are not to lie on the stack of its caller.
#[inline(never)]
pub(super) fn find<'a>(metalayers: &Metalayers<'a>, name: &str) -> Result<Option<&'a [u8]>> {
    let found = metalayers.clone().find_map(|entry| match entry {
        Ok((found, content)) => (found == name.as_bytes()).then_some(Ok(content)),
        Err(error) => Some(Err(error)),
    });
    found.transpose()
}
