//! Reading values of Rust types.

use super::{ReadAt, ReadError, Reader};
use crate::array::{Dtype, Element, Kind, Values};
use crate::base::{ArgumentError, Limits, Result as Checked};
use crate::plan::{Plan, ToSelection};
use alloc::vec::Vec;

/// Bytes of items to read before they are converted.
const AT_ONCE: usize = 2 << 20;
/// Bytes of items to read before several threads convert them, or that are under way on a network.
#[cfg(feature = "std")]
pub(super) const AT_ONCE_PARALLEL: usize = 64 << 20;

impl<S: ReadAt> Reader<S> {
    /// The dtype of the items. `|V<n>` where the frame stores none that is known here and has the size of the items.
    ///
    /// ```
    /// # let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// assert_eq!(reader.dtype()?.to_string(), "<f4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`contents`](Self::contents).
    pub fn dtype(&self) -> Result<Dtype, ReadError<S::Error>> {
        let itemsize = self.contents()?.itemsize() as usize;
        let stored = self.layout()?.and_then(|array| array.dtype());
        let dtype = stored.and_then(|text| Dtype::parse(text, &self.dparams.limits).ok());
        Ok(dtype.filter(|dtype| dtype.itemsize() == itemsize).unwrap_or(Dtype::void(itemsize)))
    }

    /// The selected values, in the byte order of this machine. The axes of a sub-array dtype follow those of the array.
    ///
    /// Items are converted a few MiB at a time, so that this needs little more memory than the values.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let kelvin = reader.read::<f32>("-1, ::10, 5")?;
    /// assert_eq!(kelvin.shape(), [3]);
    /// assert!(kelvin.as_slice().iter().all(|value| *value > 0.0));
    ///
    /// let error = reader.read::<i32>("-1").unwrap_err();
    /// assert_eq!(error.to_string(), "the dtype is <f4, not i32");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `Argument` if the dtype is another one or the selection does not fit; otherwise as for [`get`](Self::get).
    pub fn read<T: Element>(&self, selection: impl ToSelection) -> Result<Values<T>, ReadError<S::Error>> {
        self.read_as(selection, &self.dtype()?)
    }

    /// Like [`read`](Self::read), for items of this dtype, whatever the frame says: for super-chunks, and for arrays
    /// whose dtype is missing or wrong.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// use b2nd::{Selection, array::Element};
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sparse-lz4.b2frame")?;
    /// assert!(reader.layout()?.is_none());
    /// let values = reader.read_as::<u16>("10:20", &u16::dtype())?;
    /// assert_eq!(values.shape(), [10]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`read`](Self::read); `Argument` also if the items have another size.
    pub fn read_as<T: Element>(
        &self,
        selection: impl ToSelection,
        dtype: &Dtype,
    ) -> Result<Values<T>, ReadError<S::Error>> {
        self.values(&self.plan(selection)?, dtype)
    }

    /// The selected values, written to a slice of as many: no more memory is allocated than for a few MiB of items.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let mut plane = vec![0.0_f32; 30 * 40];
    /// reader.read_into("-1", &mut plane)?;
    /// assert_eq!(plane[20 * 40 + 7], reader.read::<f32>("-1, 20, 7")?.as_slice()[0]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`read`](Self::read); `Argument` also if `out` has another length. Then it holds nothing of use.
    pub fn read_into<T: Element>(
        &self,
        selection: impl ToSelection,
        out: &mut [T],
    ) -> Result<(), ReadError<S::Error>> {
        let plan = self.plan(selection)?;
        self.values_into(&plan, AT_ONCE, out, |plan, items| self.get_into(plan, items))
    }

    /// The values of a plan.
    pub(super) fn values<T: Element>(
        &self,
        plan: &Plan,
        dtype: &Dtype,
    ) -> Result<Values<T>, ReadError<S::Error>> {
        self.values_by(plan, dtype, AT_ONCE, |plan, items| self.get_into(plan, items))
    }

    /// Checks that values of this type can be read as items of `dtype`. Returns the dtype of an item of a sub-array dtype, and the
    /// lengths of its axes.
    fn check_dtype<'d, T: Element>(
        &self,
        dtype: &'d Dtype,
    ) -> Result<(&'d Dtype, &'d [usize]), ReadError<S::Error>> {
        let (item, inner) = match dtype.kind() {
            Kind::Subarray { item, shape } => (&**item, &shape[..]),
            _ => (dtype, &[][..]),
        };
        item.check::<T>()?;
        if dtype.itemsize() == self.contents()?.itemsize() as usize {
            return Ok((item, inner));
        }
        let value = dtype.itemsize() as i64;
        Err(ArgumentError::Parameter { name: "itemsize", value }.into())
    }

    fn values_by<T: Element>(
        &self,
        plan: &Plan,
        dtype: &Dtype,
        at_once: usize,
        mut get: impl FnMut(&Plan, &mut [u8]) -> Result<(), ReadError<S::Error>>,
    ) -> Result<Values<T>, ReadError<S::Error>> {
        let (mut decoding, shares) = Decoding::new(self, plan, dtype, at_once, 1)?;
        let mut items = Vec::new();
        for share in &shares {
            items.resize(share.nbytes(), 0);
            get(share, &mut items)?;
            decoding.take(&items);
        }
        decoding.finish()
    }

    fn values_into<T: Element>(
        &self,
        plan: &Plan,
        at_once: usize,
        out: &mut [T],
        get: impl FnMut(&Plan, &mut [u8]) -> Result<(), ReadError<S::Error>>,
    ) -> Result<(), ReadError<S::Error>> {
        let dtype = self.dtype()?;
        let (item, _) = self.check_dtype::<T>(&dtype)?;
        let count = plan.nbytes() / item.itemsize().max(1);
        if out.len() != count {
            let (expected, actual) = (count as u64, out.len() as u64);
            return Err(ArgumentError::ValueCount { expected, actual }.into());
        }
        let mut rest = out;
        self.each_share(plan, at_once, get, |items| {
            let (these, others) =
                core::mem::take(&mut rest).split_at_mut(items.len() / item.itemsize().max(1));
            T::decode_into(items, item, these);
            rest = others;
        })
    }

    /// Reads a plan in shares of about `at_once` bytes.
    fn each_share(
        &self,
        plan: &Plan,
        at_once: usize,
        mut get: impl FnMut(&Plan, &mut [u8]) -> Result<(), ReadError<S::Error>>,
        mut take: impl FnMut(&[u8]),
    ) -> Result<(), ReadError<S::Error>> {
        let shares = shares(plan, at_once, 1, 0, &self.dparams.limits)?;
        let mut items = Vec::new();
        for share in &shares {
            items.resize(share.nbytes(), 0);
            get(share, &mut items)?;
            take(&items);
        }
        Ok(())
    }
}

/// The shares of a plan of about `at_once` bytes, so many of which are `ahead`. The limits hold for these and what is `held` besides.
fn shares(plan: &Plan, at_once: usize, ahead: usize, held: u64, limits: &Limits) -> Checked<Vec<Plan>> {
    let count = plan.nbytes().div_ceil(at_once);
    let shares = if ahead > 1 { plan.shares_of_chunks(count) } else { plan.shares(count) };
    let items = longest(&shares).saturating_mul(under_way(&shares, at_once, ahead));
    limits.allow_memory(held.saturating_add(items as u64))?;
    Ok(shares)
}

fn longest(shares: &[Plan]) -> usize {
    shares.iter().map(Plan::nbytes).max().unwrap_or(0)
}

/// How many shares are read at a time: as many as `ahead`, or fewer if they are longer than `at_once`.
pub(super) fn under_way(shares: &[Plan], at_once: usize, ahead: usize) -> usize {
    (at_once.saturating_mul(ahead) / longest(shares).max(1)).clamp(1, ahead.min(shares.len()).max(1))
}

/// The values of a plan, whose items are read share by share.
pub(super) struct Decoding<'d, T> {
    /// The dtype of one value.
    item: &'d Dtype,
    shape: Vec<u64>,
    count: usize,
    values: Vec<T>,
}

impl<'d, T: Element> Decoding<'d, T> {
    /// A place for the items of the shares, which are returned besides.
    pub(super) fn new<S: ReadAt>(
        reader: &Reader<S>,
        plan: &Plan,
        dtype: &'d Dtype,
        at_once: usize,
        ahead: usize,
    ) -> Result<(Self, Vec<Plan>), ReadError<S::Error>> {
        let (item, inner) = reader.check_dtype::<T>(dtype)?;
        let mut shape = plan.shape().to_vec();
        shape.extend(inner.iter().map(|&len| len as u64));
        let count = plan.nbytes() / item.itemsize().max(1);
        let nbytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        let limits = reader.limits();
        limits.allow_memory(nbytes)?;
        let shares = shares(plan, at_once, ahead, nbytes, limits)?;
        Ok((Self { item, shape, count, values: Vec::new() }, shares))
    }

    /// Takes the items of a share.
    pub(super) fn take(&mut self, items: &[u8]) {
        // Only after the limits were kept.
        self.values.reserve_exact(self.count - self.values.len());
        T::decode(items, self.item, &mut self.values);
    }

    pub(super) fn finish<E>(self) -> Result<Values<T>, ReadError<E>> {
        Ok(Values::new(self.shape, self.values)?)
    }
}

#[cfg(feature = "rayon")]
impl<S> Reader<S>
where
    S: ReadAt + Sync,
    S::Error: Send,
{
    /// [`read`](Self::read) by several threads, as [`get_parallel`](Self::get_parallel) does it.
    ///
    /// # Errors
    /// Errors of [`read`](Self::read).
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let selection = "::2, ..., 3";
    /// let bits = |values: b2nd::array::Values<f32>| values.into_vec().into_iter().map(f32::to_bits).collect::<Vec<_>>();
    /// assert_eq!(bits(reader.read_parallel(selection)?), bits(reader.read(selection)?));
    /// # Ok(()) }
    /// ```
    pub fn read_parallel<T: Element>(
        &self,
        selection: impl ToSelection,
    ) -> Result<Values<T>, ReadError<S::Error>> {
        let get = |plan: &Plan, items: &mut [u8]| self.get_parallel_into(plan, items);
        self.values_by(&self.plan(selection)?, &self.dtype()?, AT_ONCE_PARALLEL, get)
    }

    /// [`read_into`](Self::read_into) by several threads, as [`get_parallel`](Self::get_parallel) does it.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let reader = b2nd::open("tests/golden/blosc2-4.14.1/sample.b2nd")?;
    /// let mut plane = vec![0.0_f32; 30 * 40];
    /// reader.read_parallel_into(5, &mut plane)?;
    /// assert_eq!(plane[20 * 40 + 7], reader.read::<f32>("5, 20, 7")?.as_slice()[0]);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Errors of [`read_into`](Self::read_into).
    pub fn read_parallel_into<T: Element>(
        &self,
        selection: impl ToSelection,
        out: &mut [T],
    ) -> Result<(), ReadError<S::Error>> {
        let plan = self.plan(selection)?;
        let get = |plan: &Plan, items: &mut [u8]| self.get_parallel_into(plan, items);
        self.values_into(&plan, AT_ONCE_PARALLEL, out, get)
    }
}
