//! Arrays that were opened.

use crate::error::At;
use crate::location::Location;
use crate::source::{Counts, Source};
use crate::transfer;
use b2nd::DParams;
use b2nd::array::{Axis, Dtype, Layout};
use b2nd::msgpack::Value;
use b2nd::source::{AsyncArray, AsyncReader, Fetched};
use b2nd::store::{AsyncStore, Member};
use core::ops::Range;
use datafusion::arrow::array::{Array, ArrayRef};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::assert_or_internal_err;
use datafusion::error::Result;
use datafusion::execution::runtime_env::RuntimeEnv;

/// An array in a file of its own, or in a store.
pub(crate) enum Opened {
    Frame(AsyncArray<Source>),
    Member(AsyncArray<Source, Member<Fetched>>, AsyncStore<Source>),
}

impl Opened {
    pub(crate) async fn open(runtime: &RuntimeEnv, location: &Location, counts: &Counts) -> Result<Self> {
        if location.is_store() {
            let store = location.open(runtime, counts).await?;
            let reader = store.get(&location.key()).await.at(location)?;
            return Ok(Self::Member(reader.into_array().await.at(location)?, store));
        }
        let source = location.source(runtime, counts).await?;
        let reader = AsyncReader::open(source, DParams::default()).await.at(location)?;
        Ok(Self::Frame(reader.into_array().await.at(location)?))
    }

    pub(crate) fn layout(&self) -> &Layout {
        match self {
            Self::Frame(array) => array.layout(),
            Self::Member(array, _) => array.layout(),
        }
    }

    pub(crate) fn dtype(&self) -> &Dtype {
        match self {
            Self::Frame(array) => array.dtype(),
            Self::Member(array, _) => array.dtype(),
        }
    }

    /// The items in a box, in C order.
    pub(crate) async fn items(
        &self,
        ranges: &[Range<u64>],
        data_type: &DataType,
        location: &Location,
    ) -> Result<ArrayRef> {
        let selection = b2nd::Selection::of_ranges(ranges);
        let items = match self {
            Self::Frame(array) => array.get(selection).await,
            Self::Member(array, _) => array.get(selection).await,
        };
        let items = self.dtype().arrow_array(&items.at(location)?).at(location)?;
        let items = transfer::typed(&items)?;
        assert_or_internal_err!(items.data_type() == data_type, "the array has another dtype now");
        Ok(items)
    }

    /// The axes by the attributes.
    pub(crate) async fn axes(&self, location: &Location) -> Result<Vec<Axis>> {
        let attributes = match self {
            Self::Frame(array) => array.attrs().await,
            Self::Member(array, _) => array.attrs().await,
        };
        Ok(Axis::all(&attributes.at(location)?, self.layout().shape().as_slice()))
    }

    /// The items of the array beside this one in the store that has the name of an axis, if there is one for each position. Its
    /// attributes tell the unit.
    pub(crate) async fn beside(
        &self,
        location: &Location,
        len: u64,
        axis: &mut Axis,
    ) -> Result<Option<ArrayRef>> {
        let (Self::Member(_, store), Some(name)) = (self, &axis.name) else { return Ok(None) };
        let own = location.key();
        let member = format!("{}/{name}", own.rsplit_once('/').map_or("", |(group, _)| group));
        if member == own || store.storage(&member).is_none() {
            return Ok(None);
        }
        let location = &Location { member, ..location.clone() };
        let reader = store.get(&location.member).await.at(location)?;
        let fits = reader
            .run(|reader| Ok(reader.layout()?.is_some_and(|layout| layout.shape().as_slice() == [len])));
        if !fits.await.at(location)? {
            return Ok(None);
        }
        let array = reader.into_array().await.at(location)?;
        let attributes = array.attrs().await.at(location)?;
        let word = |key: &str| attributes.get(key).and_then(Value::as_str).map(String::from);
        (axis.unit, axis.calendar) = (word("units").or(word("unit")), word("calendar"));
        let items = array.dtype().arrow_array(&array.get(..).await.at(location)?).at(location)?;
        transfer::typed(&items).map(Some)
    }
}
