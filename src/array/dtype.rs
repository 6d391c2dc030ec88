//! The type of an array's items: NumPy dtypes, parsed from the text that Blosc2 files store.

mod build;
mod composite;
mod display;
mod layout;
mod literal;
mod scalar;
#[cfg(test)]
mod tests;
pub(crate) mod time;

use crate::{Error, Limits, Result, Unsupported};
use alloc::{boxed::Box, string::String, vec::Vec};
use core::str::FromStr;

pub use build::StructBuilder;

/// The largest item: type sizes are 32-bit signed integers throughout Blosc2.
const MAX_ITEMSIZE: u64 = i32::MAX as u64;

/// The most dimensions of a sub-array, as in NumPy.
const MAX_SUBARRAY_DIMS: usize = 64;

/// The type of an array's items, in NumPy's terms.
///
/// `Display` writes a normal form that NumPy understands and [`Dtype::parse`] reads back: `<f4`, `('<i4', (2, 3))`,
/// `[('a', '<i4'), ('b', '<f8')]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dtype {
    kind: Kind,
    byte_order: ByteOrder,
    itemsize: usize,
}

/// The kind of values.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kind {
    /// `b1`: one byte, false where it is zero.
    Bool,
    /// `i`: signed integers of 1, 2, 4 or 8 bytes.
    Int,
    /// `u`: unsigned integers of 1, 2, 4 or 8 bytes.
    Uint,
    /// `f`: IEEE 754 floating point of 2, 4 or 8 bytes. 12 or 16 bytes hold the `long double` of the writer's C
    /// compiler.
    Float,
    /// `c`: two [`Float`](Self::Float)s of half the size, the real part first.
    Complex,
    /// `M8`: a 64-bit count of steps since 1970.
    Datetime(TimeStep),
    /// `m8`: a 64-bit count of steps.
    Timedelta(TimeStep),
    /// `S`: a byte string, padded with zeros.
    Bytes,
    /// `U`: four bytes per code point, padded with zeros.
    Str,
    /// `V`: raw bytes.
    Void,
    /// `O`: addresses of Python objects. They mean nothing outside the process that wrote them.
    Object,
    /// An array within each item, in C order.
    Subarray {
        /// The type of its items; not itself a sub-array.
        item: Box<Dtype>,
        /// Its shape, of at least one dimension.
        shape: Vec<usize>,
    },
    /// Named fields.
    Struct {
        /// The fields, in the order of their names. They may overlap and leave gaps, but none ends beyond the item.
        fields: Vec<Field>,
        /// Whether the writer declared the layout of a C compiler (`align=True`).
        aligned: bool,
    },
}

/// One field of a structured dtype.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Its name; no two fields of a structure share one.
    pub name: String,
    /// An optional second name, usually a human-readable one.
    pub title: Option<String>,
    /// Offset of its first byte within the item.
    pub offset: usize,
    /// Its type.
    pub dtype: Dtype,
}

impl Field {
    /// A field whose name, offset and dtype are still to be read.
    const fn blank() -> Self {
        Self { name: String::new(), title: None, offset: 0, dtype: Dtype::void(0) }
    }
}

/// The byte order of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ByteOrder {
    /// `<`: least significant byte first.
    Little,
    /// `>`: most significant byte first.
    Big,
    /// `|`: not applicable. The items are single bytes, byte strings, or compounds whose parts have their own byte
    /// order.
    NotApplicable,
}

/// The step of dates and durations: `[25s]` counts in steps of 25 seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeStep {
    /// Units per step.
    pub count: u32,
    /// The unit.
    pub unit: TimeUnit,
}

/// NumPy's units of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// No unit given.
    Generic,
    /// `Y`
    Year,
    /// `M`
    Month,
    /// `W`
    Week,
    /// `D`
    Day,
    /// `h`
    Hour,
    /// `m`
    Minute,
    /// `s`
    Second,
    /// `ms`
    Millisecond,
    /// `us`
    Microsecond,
    /// `ns`
    Nanosecond,
    /// `ps`
    Picosecond,
    /// `fs`
    Femtosecond,
    /// `as`
    Attosecond,
}

impl Dtype {
    /// Parses a dtype as Blosc2 files spell it: a type string (`<f4`, `|S300`, `<M8[25s]`), a NumPy name (`float32`,
    /// `datetime64[ns]`), or the Python literal of a sub-array or a structure.
    ///
    /// Native byte order (`f4`, `=f4`, `float32`) is taken as little-endian.
    ///
    /// # Errors
    ///
    /// * [`ErrorKind::Format`](crate::ErrorKind::Format) for text that NumPy would refuse. The offset is the position of the
    ///   offending byte in the text and the field's value is that byte, or −1 at the end.
    /// * [`Unsupported::Dtype`] for a well-formed dtype that this version does not know.
    /// * [`ErrorKind::Limit`](crate::ErrorKind::Limit) for a text longer than [`Limits::metadata`](field@Limits::metadata), a
    ///   dtype that would take more than [`Limits::memory`](field@Limits::memory), or structures nested deeper than
    ///   [`Limits::depth`].
    ///
    /// ```
    /// use b2nd::{Limits, array::{Dtype, Kind}};
    ///
    /// let dtype = Dtype::parse("[('id', '<i4'), ('at', 'datetime64[s]')]", &Limits::default())?;
    /// assert_eq!(dtype.itemsize(), 12);
    /// let Kind::Struct { fields, .. } = dtype.kind() else { unreachable!() };
    /// assert_eq!(fields[1].dtype.to_string(), "<M8[s]");
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn parse(text: &str, limits: &Limits) -> Result<Self> {
        limits.allow_metadata(text.len() as u64)?;
        composite::parse(text, limits)
    }

    /// Raw items of `itemsize` bytes, `|V<n>`: the fallback where the dtype is absent or contradicts the item size.
    ///
    /// ```
    /// assert_eq!(b2nd::array::Dtype::void(12).to_string(), "|V12");
    /// ```
    pub const fn void(itemsize: usize) -> Self {
        Self { kind: Kind::Void, byte_order: ByteOrder::NotApplicable, itemsize }
    }

    /// The kind of values.
    ///
    /// ```
    /// use b2nd::array::{Dtype, Kind};
    /// assert_eq!(*Dtype::of::<i16>().kind(), Kind::Int);
    /// ```
    pub const fn kind(&self) -> &Kind {
        &self.kind
    }

    /// Bytes per item.
    ///
    /// ```
    /// assert_eq!(b2nd::array::Dtype::of::<f32>().itemsize(), 4);
    /// ```
    pub const fn itemsize(&self) -> usize {
        self.itemsize
    }

    /// The byte order of numbers.
    ///
    /// ```
    /// use b2nd::array::{ByteOrder, Dtype};
    /// assert_eq!(Dtype::parse(">i4", &Default::default())?.byte_order(), ByteOrder::Big);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub const fn byte_order(&self) -> ByteOrder {
        self.byte_order
    }

    /// The dtype as a Python literal for the `descr` of a `.npy` header, with gaps as unnamed void fields. `None`
    /// where fields overlap or are out of order: `.npy` cannot express that.
    ///
    /// ```
    /// use b2nd::{Limits, array::Dtype};
    ///
    /// let padded = "{'names': ['a', 'b'], 'formats': ['|i1', '<f8'], 'offsets': [0, 8], 'itemsize': 16}";
    /// let dtype = Dtype::parse(padded, &Limits::default())?;
    /// assert_eq!(dtype.to_descr().unwrap(), "[('a', '|i1'), ('', '|V7'), ('b', '<f8')]");
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn to_descr(&self) -> Option<String> {
        display::descr(self)
    }
}

/// [`Dtype::parse`] with the default limits.
///
/// ```
/// use b2nd::array::Dtype;
/// assert_eq!("float32".parse::<Dtype>()?, Dtype::of::<f32>());
/// # Ok::<(), b2nd::Error>(())
/// ```
impl FromStr for Dtype {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        Self::parse(text, &Limits::default())
    }
}

/// An error at byte `at` of the text.
#[cold]
fn malformed(text: &[u8], at: usize) -> Error {
    let found = text.get(at).map_or(-1, |&byte| i64::from(byte));
    Error::field("dtype", found, at as u64)
}

/// The error for a well-formed dtype that this version does not know.
#[cold]
fn unknown() -> Error {
    Unsupported::Dtype.into()
}
