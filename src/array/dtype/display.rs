//! Dtypes as text that NumPy understands.

use super::{ByteOrder, Dtype, Field, Kind, TimeStep, TimeUnit};
use crate::base::TypeCode;
use alloc::{format, string::String};
use core::fmt::{self, Write};

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Subarray { item, shape } => write!(f, "({}, {})", Nested(item), Tuple(shape)),
            Kind::Struct { fields, aligned } if *aligned || !is_packed(fields, self.itemsize) => {
                layout(f, fields, self.itemsize, *aligned)
            }
            Kind::Struct { fields, .. } => {
                write!(f, "[")?;
                separated(f, fields, |f, field| write!(f, "{}", Packed(field)))?;
                write!(f, "]")
            }
            Kind::Datetime(step) | Kind::Timedelta(step) => write!(f, "{}{step}", self.code()),
            _ => write!(f, "{}", self.code()),
        }
    }
}

impl fmt::Display for TimeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self { unit: TimeUnit::Generic, .. } => Ok(()),
            Self { count: 1, unit } => write!(f, "[{}]", unit.symbol()),
            Self { count, unit } => write!(f, "[{count}{}]", unit.symbol()),
        }
    }
}

impl Dtype {
    /// Byte order, kind and size. Structures and sub-arrays count as raw bytes, and the steps of times are left out.
    pub const fn code(&self) -> TypeCode {
        let order = match self.byte_order {
            ByteOrder::Little => '<',
            ByteOrder::Big => '>',
            ByteOrder::NotApplicable => '|',
        };
        let kind = match self.kind {
            Kind::Bool => 'b',
            Kind::Int => 'i',
            Kind::Uint => 'u',
            Kind::Float => 'f',
            Kind::Complex => 'c',
            Kind::Datetime(_) => 'M',
            Kind::Timedelta(_) => 'm',
            Kind::Bytes => 'S',
            Kind::Str => 'U',
            Kind::Object => 'O',
            Kind::Void | Kind::Subarray { .. } | Kind::Struct { .. } => 'V',
        };
        TypeCode { order, kind, itemsize: self.itemsize }
    }
}

/// A dtype inside a literal: type strings are quoted there.
struct Nested<'a>(&'a Dtype);

impl fmt::Display for Nested<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.kind {
            Kind::Subarray { .. } | Kind::Struct { .. } => write!(f, "{}", self.0),
            _ => write!(f, "'{}'", self.0),
        }
    }
}

/// `(2, 3)`, `(2,)`
struct Tuple<'a>(&'a [usize]);

impl fmt::Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(")?;
        separated(f, self.0, |f, dim| write!(f, "{dim}"))?;
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

/// A field in the list of a structure without gaps.
struct Packed<'a>(&'a Field);

impl fmt::Display for Packed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Field { dtype, .. } = self.0;
        write!(f, "({}, ", Name(self.0))?;
        match &dtype.kind {
            Kind::Subarray { item, shape } => write!(f, "{}, {})", Nested(item), Tuple(shape)),
            _ => write!(f, "{})", Nested(dtype)),
        }
    }
}

/// `'name'` or `('title', 'name')`
struct Name<'a>(&'a Field);

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0.title {
            Some(title) => write!(f, "({}, {})", Quoted(title), Quoted(&self.0.name)),
            None => write!(f, "{}", Quoted(&self.0.name)),
        }
    }
}

/// A Python string literal.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char('\'')?;
        for char in self.0.chars() {
            match char {
                '\'' | '\\' => write!(f, "\\{char}")?,
                char if char.is_control() => write!(f, "\\x{:02x}", u32::from(char))?,
                char => f.write_char(char)?,
            }
        }
        f.write_char('\'')
    }
}

fn separated<T>(
    f: &mut fmt::Formatter<'_>,
    items: &[T],
    mut one: impl FnMut(&mut fmt::Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            write!(f, ", ")?;
        }
        one(f, item)?;
    }
    Ok(())
}

/// `{'names': […], 'formats': […], 'offsets': […], 'itemsize': 12}`
fn layout(f: &mut fmt::Formatter<'_>, fields: &[Field], itemsize: usize, aligned: bool) -> fmt::Result {
    write!(f, "{{'names': [")?;
    separated(f, fields, |f, field| write!(f, "{}", Quoted(&field.name)))?;
    write!(f, "], 'formats': [")?;
    separated(f, fields, |f, field| write!(f, "{}", Nested(&field.dtype)))?;
    write!(f, "], 'offsets': [")?;
    separated(f, fields, |f, field| write!(f, "{}", field.offset))?;
    if fields.iter().any(|field| field.title.is_some()) {
        write!(f, "], 'titles': [")?;
        separated(f, fields, |f, field| match &field.title {
            Some(title) => write!(f, "{}", Quoted(title)),
            None => write!(f, "None"),
        })?;
    }
    write!(f, "], 'itemsize': {itemsize}")?;
    f.write_str(if aligned { ", 'aligned': True}" } else { "}" })
}

fn is_packed(fields: &[Field], itemsize: usize) -> bool {
    let ends = fields
        .iter()
        .try_fold(0, |end, field| (field.offset == end).then_some(field.offset + field.dtype.itemsize));
    ends == Some(itemsize)
}

/// The dtype as the `descr` of a `.npy` header, unless that format cannot express it.
pub(super) fn descr(dtype: &Dtype) -> Option<String> {
    match &dtype.kind {
        Kind::Subarray { item, shape } => Some(format!("({}, {})", descr(item)?, Tuple(shape))),
        Kind::Struct { fields, .. } => descr_of_fields(fields, dtype.itemsize),
        _ => Some(format!("'{dtype}'")),
    }
}

fn descr_of_fields(fields: &[Field], itemsize: usize) -> Option<String> {
    let mut parts = String::new();
    let mut end = 0;
    let gap_until = |parts: &mut String, end: usize, offset: usize| {
        let gap = offset.checked_sub(end)?;
        if gap > 0 {
            part(parts, format_args!("('', '|V{gap}')"));
        }
        Some(())
    };
    for field in fields {
        gap_until(&mut parts, end, field.offset)?;
        end = field.offset + field.dtype.itemsize;
        let (name, dtype) = (Name(field), &field.dtype);
        match &dtype.kind {
            Kind::Subarray { item, shape } => {
                part(&mut parts, format_args!("({name}, {}, {})", descr(item)?, Tuple(shape)))
            }
            _ => part(&mut parts, format_args!("({name}, {})", descr(dtype)?)),
        }
    }
    gap_until(&mut parts, end, itemsize)?;
    Some(format!("[{parts}]"))
}

fn part(parts: &mut String, text: fmt::Arguments<'_>) {
    let separator = if parts.is_empty() { "" } else { ", " };
    // Writing to a String cannot fail.
    let _ = write!(parts, "{separator}{text}");
}
