//! Serde for arrays, codecs and filters. Types that are read from files serialize only; parameters do both.

use super::{Dtype, Layout};
use crate::base::serial::as_text;
use crate::codec::Codec;
use crate::filter::{Filter, MAX_FILTERS, Pipeline};
use alloc::vec::Vec;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

as_text!(Codec, Dtype, Filter);

/// The filters from the first one in use on; the slots before it are empty.
impl Serialize for Pipeline {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let unused = self.slots.iter().take_while(|filter| **filter == Filter::default()).count();
        self.slots[unused..].serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Pipeline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let filters = Vec::<Filter>::deserialize(deserializer)?;
        let unused = MAX_FILTERS.checked_sub(filters.len());
        let mut pipeline = Self::default();
        let unused = unused.ok_or_else(|| D::Error::invalid_length(filters.len(), &"at most 6 filters"))?;
        pipeline.slots[unused..].copy_from_slice(&filters);
        Ok(pipeline)
    }
}

impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut layout = serializer.serialize_struct("Layout", 5)?;
        layout.serialize_field("shape", &self.shape().to_vec())?;
        layout.serialize_field("chunkshape", self.chunkshape())?;
        layout.serialize_field("blockshape", &self.blockshape())?;
        layout.serialize_field("itemsize", &self.itemsize())?;
        layout.serialize_field("dtype", &self.dtype())?;
        layout.end()
    }
}
