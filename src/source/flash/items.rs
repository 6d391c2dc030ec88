//! What a frame in flash holds: an array, or items in a row.

use crate::b2nd::Array;
use crate::base::{Limits, Result, Unsupported};
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
    pub(super) fn of<'a>(
        header: &Header,
        metalayers: &Metalayers<'a>,
        limits: &Limits,
    ) -> Result<(Self, Option<&'a [u8]>)> {
        let find = |name: &str| find(metalayers, name);
        Ok(match Array::of_metalayers(header, find("b2nd")?, find("caterva")?, limits)? {
            Some((array, dtype)) => (Self::Array(array), dtype),
            None => (Self::Row(SChunk::of_header(header)?.ok_or(Unsupported::VariableBlocks)?), None),
        })
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
pub(super) fn find<'a>(metalayers: &Metalayers<'a>, name: &str) -> Result<Option<&'a [u8]>> {
    for entry in metalayers.clone() {
        let (found, content) = entry?;
        if found == name.as_bytes() {
            return Ok(Some(content));
        }
    }
    Ok(None)
}
