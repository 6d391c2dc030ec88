//! Dtypes built in Rust.

use super::layout::{Layout, alignment};
use super::scalar::has_size;
use super::{ByteOrder, Dtype, Field, Kind, MAX_ITEMSIZE, MAX_SUBARRAY_DIMS, composite};
use crate::base::{ArgumentError, Error, Result, times};
use alloc::{boxed::Box, string::String, vec::Vec};

impl Dtype {
    /// Single values of a kind, little-endian, `itemsize` bytes each: four for each character of [`Kind::Str`].
    ///
    /// ```
    /// use b2nd::array::{Dtype, Kind, TimeStep, TimeUnit};
    /// let nanoseconds = TimeStep { count: 1, unit: TimeUnit::Nanosecond };
    /// assert_eq!(Dtype::scalar(Kind::Datetime(nanoseconds), 8)?.to_string(), "<M8[ns]");
    /// assert_eq!(Dtype::scalar(Kind::Str, 20)?.to_string(), "<U5");
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if NumPy has no such values of this size, for a [`TimeStep`](super::TimeStep) that counts no unit or
    /// none of them, and for sub-arrays and structures, which are built by [`subarray`](Self::subarray) and
    /// [`structure`](Self::structure).
    pub fn scalar(kind: Kind, itemsize: usize) -> Result<Self> {
        if let Kind::Datetime(step) | Kind::Timedelta(step) = kind
            && !step.is_valid()
        {
            return Err(parameter("time step", step.count as usize));
        }
        if !has_size(&kind, itemsize) {
            return Err(parameter("itemsize", itemsize));
        }
        Ok(Self::number(kind, itemsize))
    }

    /// Values of a size that their kind has, little-endian.
    pub(crate) const fn number(kind: Kind, itemsize: usize) -> Self {
        let ordered = match kind {
            Kind::Bytes | Kind::Void | Kind::Object => false,
            Kind::Str => true,
            _ => itemsize > 1,
        };
        let byte_order = if ordered { ByteOrder::Little } else { ByteOrder::NotApplicable };
        Self { kind, byte_order, itemsize }
    }

    /// The dtype with numbers in this byte order, also within structures and sub-arrays, as `newbyteorder` of NumPy.
    ///
    /// ```
    /// use b2nd::array::{ByteOrder, Dtype};
    /// assert_eq!(Dtype::of::<f32>().with_byte_order(ByteOrder::Big).to_string(), ">f4");
    /// assert_eq!(Dtype::of::<u8>().with_byte_order(ByteOrder::Big).to_string(), "|u1");
    /// ```
    #[must_use]
    pub fn with_byte_order(mut self, order: ByteOrder) -> Self {
        match &mut self.kind {
            Kind::Subarray { item, .. } => {
                **item = core::mem::replace(&mut **item, Self::void(0)).with_byte_order(order);
            }
            Kind::Struct { fields, .. } => {
                for field in fields {
                    field.dtype = core::mem::replace(&mut field.dtype, Self::void(0)).with_byte_order(order);
                }
            }
            _ if self.byte_order != ByteOrder::NotApplicable && order != ByteOrder::NotApplicable => {
                self.byte_order = order;
            }
            _ => {}
        }
        self
    }

    /// An array of this shape within each item; without axes the dtype itself. Of a sub-array it makes one with more
    /// axes.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// assert_eq!(Dtype::of::<i32>().subarray(&[2, 3])?.to_string(), "('<i4', (2, 3))");
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` for more than 64 axes, and items of more than 2³¹ − 1 bytes.
    pub fn subarray(self, shape: &[usize]) -> Result<Self> {
        if shape.is_empty() {
            return Ok(self);
        }
        let nbytes = shape.iter().try_fold(self.itemsize as u64, |nbytes, &len| times(nbytes, len as u64));
        let Some(itemsize) = nbytes.filter(|&nbytes| nbytes <= MAX_ITEMSIZE) else {
            return Err(parameter("itemsize", usize::MAX));
        };
        let mut shape = shape.to_vec();
        let item = match self.kind {
            Kind::Subarray { item, shape: inner } => {
                shape.extend(inner);
                item
            }
            _ => Box::new(self),
        };
        if shape.len() > MAX_SUBARRAY_DIMS {
            return Err(parameter("ndim", shape.len()));
        }
        Ok(Self { kind: Kind::Subarray { item, shape }, ..Self::void(itemsize as usize) })
    }

    /// Begins a structure, to which fields are added.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// let packed = Dtype::structure().field("id", Dtype::of::<i32>()).field("at", Dtype::of::<f64>()).build()?;
    /// assert_eq!(packed.to_string(), "[('id', '<i4'), ('at', '<f8')]");
    ///
    /// let aligned = Dtype::structure().field("id", Dtype::of::<i32>()).field("at", Dtype::of::<f64>()).aligned();
    /// assert_eq!(aligned.build()?.itemsize(), 16);
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    pub fn structure() -> StructBuilder {
        StructBuilder::default()
    }
}

/// A structured dtype that is being built: see [`Dtype::structure`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct StructBuilder {
    fields: Vec<(Field, Option<usize>)>,
    itemsize: Option<usize>,
    aligned: bool,
}

impl StructBuilder {
    /// Adds a field, which begins where the one before ends, or at the next place that its alignment allows. NumPy names
    /// fields without a name by their number: `f0`.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// let dtype = Dtype::structure().field("id", Dtype::of::<i32>()).field("at", Dtype::of::<f64>()).build()?;
    /// assert_eq!(dtype.itemsize(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field(self, name: &str, dtype: Dtype) -> Self {
        self.push(name, dtype, None)
    }

    /// Adds a field that begins at byte `offset`. Fields may leave gaps and overlap.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// let dtype = Dtype::structure().field_at(4, "id", Dtype::of::<i32>()).build()?;
    /// assert_eq!(dtype.itemsize(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn field_at(self, offset: usize, name: &str, dtype: Dtype) -> Self {
        self.push(name, dtype, Some(offset))
    }

    fn push(mut self, name: &str, dtype: Dtype, offset: Option<usize>) -> Self {
        let name = if name.is_empty() { composite::numbered(self.fields.len()) } else { name.into() };
        self.fields.push((Field { name, title: None, offset: 0, dtype }, offset));
        self
    }

    /// Gives the last field a title, a second name.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// let dtype = Dtype::structure().field("t", Dtype::of::<f32>()).title("temperature").build()?;
    /// assert_eq!(dtype.to_string(), "[(('temperature', 't'), '<f4')]");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn title(mut self, title: &str) -> Self {
        if let Some((field, _)) = self.fields.last_mut() {
            field.title = Some(title.into());
        }
        self
    }

    /// Lays fields out as C compilers for 64-bit machines do (`align=True`), which includes structures within.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// let fields = Dtype::structure().field("id", Dtype::of::<i32>()).field("at", Dtype::of::<f64>());
    /// assert_eq!(fields.aligned().build()?.itemsize(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn aligned(mut self) -> Self {
        self.aligned = true;
        self
    }

    /// Bytes per item, if they are more than the fields need.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// let dtype = Dtype::structure().field("id", Dtype::of::<i32>()).itemsize(16).build()?;
    /// assert_eq!(dtype.itemsize(), 16);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn itemsize(mut self, itemsize: usize) -> Self {
        self.itemsize = Some(itemsize);
        self
    }

    /// The dtype.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// let id = Dtype::structure().field("id", Dtype::of::<i32>());
    /// assert!(id.clone().build().is_ok());
    /// assert!(id.field("id", Dtype::of::<f64>()).build().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if two fields share a name or title, for fields beyond the item size, for items of more than 2³¹ − 1
    /// bytes, and, where the structure is aligned, for offsets and sizes that are not multiples of the alignment, be it
    /// in a structure within.
    pub fn build(self) -> Result<Dtype> {
        let mut layout = Layout::new(self.aligned);
        let mut fields = Vec::new();
        for (mut field, offset) in self.fields {
            if self.aligned {
                align(&mut field.dtype)?;
            }
            match offset {
                Some(offset) => {
                    field.offset = bounded("offset", offset)?;
                    layout.place(&field);
                }
                None => layout.append(&mut field),
            }
            fields.push(field);
        }
        check_names(&fields)?;
        let itemsize = bounded("itemsize", self.itemsize.unwrap_or(layout.rounded()))?;
        if itemsize < layout.furthest {
            return Err(parameter("itemsize", itemsize));
        }
        let kind = Kind::Struct { fields, aligned: false };
        let mut dtype = Dtype { kind, ..Dtype::void(itemsize) };
        if self.aligned {
            align(&mut dtype)?;
        }
        Ok(dtype)
    }
}

/// Declares the structures of a dtype aligned, which they must be.
fn align(dtype: &mut Dtype) -> Result<()> {
    match &mut dtype.kind {
        Kind::Subarray { item, .. } => return align(item),
        Kind::Struct { fields, aligned } => {
            for field in fields {
                align(&mut field.dtype)?;
                if !field.offset.is_multiple_of(alignment(&field.dtype)) {
                    return Err(parameter("offset", field.offset));
                }
            }
            *aligned = true;
        }
        _ => return Ok(()),
    }
    if dtype.itemsize.is_multiple_of(alignment(dtype)) {
        return Ok(());
    }
    Err(parameter("itemsize", dtype.itemsize))
}

fn check_names(fields: &[Field]) -> Result<()> {
    let mut labels: Vec<(&String, usize)> = Vec::new();
    for (number, field) in fields.iter().enumerate() {
        labels.push((&field.name, number));
        labels.extend(field.title.as_ref().map(|title| (title, number)));
    }
    labels.sort_unstable();
    match labels.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(pair) => Err(ArgumentError::FieldName { field: pair[1].1 }.into()),
        None => Ok(()),
    }
}

fn bounded(name: &'static str, value: usize) -> Result<usize> {
    if value as u64 <= MAX_ITEMSIZE { Ok(value) } else { Err(parameter(name, value)) }
}

#[cold]
fn parameter(name: &'static str, value: usize) -> Error {
    ArgumentError::Parameter { name, value: i64::try_from(value).unwrap_or(i64::MAX) }.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::{TimeStep, TimeUnit};
    use crate::{ErrorKind, Limits};
    use alloc::string::ToString;

    fn parse(text: &str) -> Dtype {
        Dtype::parse(text, &Limits::default()).unwrap()
    }

    /// A dtype built anew, part by part, from the one that was parsed.
    fn rebuilt(dtype: &Dtype) -> Dtype {
        match dtype.kind() {
            Kind::Subarray { item, shape } => rebuilt(item).subarray(shape).unwrap(),
            Kind::Struct { fields, aligned } => {
                let mut builder = Dtype::structure().itemsize(dtype.itemsize());
                for field in fields {
                    builder = builder.field_at(field.offset, &field.name, rebuilt(&field.dtype));
                    if let Some(title) = &field.title {
                        builder = builder.title(title);
                    }
                }
                if *aligned { builder.aligned() } else { builder }.build().unwrap()
            }
            kind => {
                Dtype::scalar(kind.clone(), dtype.itemsize()).unwrap().with_byte_order(dtype.byte_order())
            }
        }
    }

    #[test]
    fn builds_all_that_is_parsed() {
        for (text, normal, _) in super::super::tests::FROM_NUMPY {
            let dtype = parse(text);
            assert_eq!(rebuilt(&dtype), dtype, "{text}");
            assert_eq!(rebuilt(&dtype).to_string(), normal);
        }
    }

    #[test]
    fn fields_follow_each_other() {
        let inner = Dtype::structure().field("u", Dtype::of::<u8>()).field("v", Dtype::of::<f64>());
        let outer = |inner: StructBuilder| {
            let array = inner.build().unwrap().subarray(&[2]).unwrap();
            Dtype::structure().field("a", Dtype::of::<i16>()).field("", array).title("second")
        };
        let packed = outer(inner.clone()).build().unwrap();
        assert_eq!(packed, parse("[('a', '<i2'), (('second', 'f1'), [('u', 'u1'), ('v', '<f8')], (2,))]"));
        let aligned = outer(inner.aligned()).aligned().build().unwrap();
        let text = "{'names': ['a', 'f1'], 'formats': ['<i2', ({'names': ['u', 'v'], 'formats': ['|u1', '<f8'], \
                    'offsets': [0, 8], 'itemsize': 16, 'aligned': True}, (2,))], 'offsets': [0, 8], \
                    'titles': [None, 'second'], 'itemsize': 40, 'aligned': True}";
        assert_eq!((aligned.to_string().as_str(), &parse(text)), (text, &aligned));
        let big = aligned.with_byte_order(ByteOrder::Big);
        assert_eq!(big, parse(&text.replace('<', ">")));
    }

    #[test]
    fn structures_within_aligned_ones_are_aligned() {
        let pair =
            Dtype::structure().field("r", Dtype::of::<u8>()).field("g", Dtype::of::<u8>()).build().unwrap();
        let aligned = Dtype::structure().field("id", Dtype::of::<u8>()).field("pair", pair).aligned();
        assert_eq!(parse(&aligned.clone().build().unwrap().to_string()), aligned.build().unwrap());
    }

    fn refused(result: Result<Dtype>) -> ArgumentError {
        match result.unwrap_err().kind() {
            ErrorKind::Argument(error) => error,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn what_numpy_lacks_is_refused() {
        let parameter = |name, value| ArgumentError::Parameter { name, value };
        let years = |count| Kind::Timedelta(TimeStep { count, unit: TimeUnit::Year });
        let counted = TimeStep { count: 2, unit: TimeUnit::Generic };
        for (kind, size) in
            [(Kind::Int, 3), (Kind::Float, 1), (Kind::Str, 6), (Kind::Bool, 64), (years(1), 4)]
        {
            assert_eq!(refused(Dtype::scalar(kind, size)), parameter("itemsize", size as i64));
        }
        assert_eq!(refused(Dtype::scalar(years(0), 8)), parameter("time step", 0));
        assert_eq!(refused(Dtype::scalar(Kind::Datetime(counted), 8)), parameter("time step", 2));
        let array = Kind::Subarray { item: Box::new(Dtype::void(1)), shape: [1].into() };
        assert_eq!(refused(Dtype::scalar(array, 1)), parameter("itemsize", 1));
        assert!(Dtype::void(1 << 20).subarray(&[1 << 12]).is_err());
        assert_eq!(refused(Dtype::void(1).subarray(&[1; 65])), parameter("ndim", 65));

        let two = |first: &str, second: &str| {
            Dtype::structure().field(first, Dtype::void(1)).field(second, Dtype::void(2))
        };
        assert_eq!(refused(two("a", "a").build()), ArgumentError::FieldName { field: 1 });
        assert_eq!(refused(two("a", "b").title("a").build()), ArgumentError::FieldName { field: 1 });
        assert_eq!(refused(two("a", "b").itemsize(2).build()), parameter("itemsize", 2));
        assert!(two("a", "b").field("c", Dtype::void(i32::MAX as usize)).build().is_err());
        let (float, far) = (Dtype::of::<f32>(), usize::MAX);
        assert_eq!(
            refused(Dtype::structure().field_at(far, "a", float.clone()).build()),
            parameter("offset", i64::MAX)
        );
        let odd = Dtype::structure().field_at(2, "a", float.clone());
        assert_eq!(refused(odd.clone().aligned().build()), parameter("offset", 2));
        assert_eq!(refused(odd.clone().itemsize(7).aligned().build()), parameter("offset", 2));
        let within = Dtype::structure().field("s", odd.build().unwrap()).aligned();
        assert_eq!(refused(within.build()), parameter("offset", 2));
        let long = Dtype::structure().field("a", float).itemsize(5).aligned();
        assert_eq!(refused(long.build()), parameter("itemsize", 5));
    }
}
