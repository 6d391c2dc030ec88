//! Sub-arrays and structures, from Python literals.

use super::extent::Extent;
use super::literal::{self, Literal, Value, too_deep};
use super::{Dtype, Field, Kind, MAX_SUBARRAY_DIMS, malformed, scalar, unknown};
use crate::base::times;
use crate::{Error, Limits, Result};
use alloc::{boxed::Box, collections::BinaryHeap, string::String, vec::Vec};
use core::slice;

/// Reads a literal that spells a dtype.
pub(super) fn parse(text: &str, limits: &Limits) -> Result<Dtype> {
    let literal = literal::parse(text, limits)?;
    Reader { text, depth: limits.depth }.dtype(&literal, Context { levels: limits.depth, aligned: false })
}

struct Reader<'a> {
    text: &'a str,
    depth: u32,
}

/// What the surroundings of a literal say about it.
#[derive(Clone, Copy)]
struct Context {
    /// Levels of structure that it may have.
    levels: u32,
    /// It lies in an aligned structure. Then it is aligned too, and NumPy does not say so again.
    aligned: bool,
}

/// The entries of a structure that says where its fields lie.
#[derive(Default)]
struct Layout<'a> {
    names: Option<&'a [Literal]>,
    formats: Option<&'a [Literal]>,
    offsets: Option<&'a [Literal]>,
    titles: Option<&'a [Literal]>,
    itemsize: Option<u64>,
    aligned: bool,
}

impl Reader<'_> {
    fn wrong(&self, literal: &Literal) -> Error {
        malformed(self.text.as_bytes(), literal.at)
    }

    fn dtype(&self, literal: &Literal, context: Context) -> Result<Dtype> {
        if let Value::Str(text) = &literal.value {
            return scalar::parse(text.as_bytes()).map_err(|error| error.shifted(literal.at as u64 + 1));
        }
        let levels = context.levels.checked_sub(1).ok_or_else(|| too_deep(self.depth))?;
        let inner = Context { levels, ..context };
        match &literal.value {
            Value::List(fields) => self.listed(literal, fields, inner),
            Value::Dict(entries) => self.laid_out(literal, entries, inner),
            Value::Tuple(parts) => self.pair(literal, parts, inner),
            _ => Err(self.wrong(literal)),
        }
    }

    /// `('<i4', (2, 3))`, a sub-array; `(numpy.record, [...])`, a structure of record arrays.
    fn pair(&self, literal: &Literal, parts: &[Literal], context: Context) -> Result<Dtype> {
        match parts {
            [class, dtype] if matches!(&class.value, Value::Name(name) if name == "numpy.record") => {
                self.dtype(dtype, context)
            }
            [item, shape] if matches!(shape.value, Value::Int(_) | Value::Tuple(_)) => {
                let item = self.dtype(item, context)?;
                self.subarray(item, shape)
            }
            [_, _] => Err(unknown()),
            _ => Err(self.wrong(literal)),
        }
    }

    /// An array of the items within an item. Of sub-arrays of sub-arrays NumPy makes one.
    fn subarray(&self, item: Dtype, shape: &Literal) -> Result<Dtype> {
        let wrong = || self.wrong(shape);
        let lens = match &shape.value {
            Value::Tuple(lens) => lens,
            _ => slice::from_ref(shape),
        };
        let mut dims = Vec::with_capacity(lens.len());
        for len in lens {
            dims.push(self.size(len)?);
        }
        if dims.is_empty() {
            return Ok(item);
        }
        let count = dims.iter().try_fold(item.itemsize as u64, |bytes, &dim| times(bytes, dim as u64));
        let itemsize = count.ok_or_else(wrong)?;
        let item = match item.kind {
            Kind::Subarray { item, shape } => {
                dims.extend(shape);
                item
            }
            _ => Box::new(item),
        };
        if dims.len() > MAX_SUBARRAY_DIMS {
            return Err(wrong());
        }
        Dtype::composed(Kind::Subarray { item, shape: dims }, itemsize).ok_or_else(wrong)
    }

    /// `[('a', '<i4'), …]`: each field starts where the last one ends. Unnamed void fields are gaps, as in
    /// the headers of `.npy` files.
    fn listed(&self, literal: &Literal, items: &[Literal], context: Context) -> Result<Dtype> {
        let mut fields = Vec::new();
        let mut extent = Extent::new(context.aligned);
        for item in items {
            let Value::Tuple(parts) = &item.value else { return Err(self.wrong(item)) };
            let (name, dtype) = match parts.as_slice() {
                [name, format] => (name, self.dtype(format, context)?),
                [name, format, shape] => (name, self.subarray(self.dtype(format, context)?, shape)?),
                _ => return Err(self.wrong(item)),
            };
            let (title, name) = self.name(name)?;
            let offset = extent.append(&dtype).ok_or_else(|| self.wrong(item))?;
            if !(name.is_empty() && matches!(dtype.kind, Kind::Void)) {
                let name = named(name, fields.len());
                fields.push(Field { name, title, offset, dtype });
            }
        }
        self.structure(literal, fields, extent.rounded(), context.aligned)
    }

    /// `'name'`, or `('title', 'name')`.
    fn name(&self, literal: &Literal) -> Result<(Option<String>, String)> {
        match &literal.value {
            Value::Tuple(pair) => match pair.as_slice() {
                [title, name] => Ok((self.title(title)?, self.str(name)?.into())),
                _ => Err(self.wrong(literal)),
            },
            _ => Ok((None, self.str(literal)?.into())),
        }
    }

    /// `{'names': […], 'formats': […], 'offsets': […], 'itemsize': 12}`
    fn laid_out(&self, literal: &Literal, entries: &[(Literal, Literal)], context: Context) -> Result<Dtype> {
        let layout = self.layout(entries)?;
        let (names, formats) = match (layout.names, layout.formats) {
            (Some(names), Some(formats)) if names.len() == formats.len() => (names, formats),
            // `{'a': ('<i4', 0)}` is an older spelling, which no NumPy writes.
            (None, None) => return Err(unknown()),
            _ => return Err(self.wrong(literal)),
        };
        let same_len = |list: Option<&[Literal]>| list.is_none_or(|list| list.len() == names.len());
        if !same_len(layout.offsets) || !same_len(layout.titles) {
            return Err(self.wrong(literal));
        }
        let context = Context { aligned: layout.aligned || context.aligned, ..context };
        let mut fields = Vec::with_capacity(names.len());
        let mut extent = Extent::new(context.aligned);
        for (index, (name, format)) in names.iter().zip(formats).enumerate() {
            let dtype = self.dtype(format, context)?;
            let offset = match layout.offsets {
                Some(offsets) => extent.place(self.size(&offsets[index])?, &dtype),
                None => extent.append(&dtype).ok_or_else(|| self.wrong(format))?,
            };
            let title = layout.titles.map_or(Ok(None), |titles| self.title(&titles[index]))?;
            fields.push(Field { name: named(self.str(name)?.into(), index), title, offset, dtype });
        }
        let itemsize = layout.itemsize.unwrap_or(extent.rounded());
        if itemsize < extent.furthest {
            return Err(self.wrong(literal));
        }
        self.structure(literal, fields, itemsize, context.aligned)
    }

    fn layout<'a>(&self, entries: &'a [(Literal, Literal)]) -> Result<Layout<'a>> {
        let mut layout = Layout::default();
        for (key, value) in entries {
            match self.str(key)? {
                "names" => layout.names = Some(self.items(value)?),
                "formats" => layout.formats = Some(self.items(value)?),
                "offsets" => layout.offsets = Some(self.items(value)?),
                "titles" => layout.titles = Some(self.items(value)?),
                "itemsize" => layout.itemsize = Some(self.size(value)? as u64),
                "aligned" => layout.aligned = self.bool(value)?,
                _ => return Err(unknown()),
            }
        }
        Ok(layout)
    }

    fn structure(
        &self,
        literal: &Literal,
        fields: Vec<Field>,
        itemsize: u64,
        aligned: bool,
    ) -> Result<Dtype> {
        let names = fields.iter().map(|field| &field.name);
        let labels: BinaryHeap<_> = names.chain(fields.iter().flat_map(|field| &field.title)).collect();
        // The sort with the least code.
        if labels.into_sorted_vec().windows(2).any(|pair| pair[0] == pair[1]) {
            return Err(self.wrong(literal));
        }
        Dtype::composed(Kind::Struct { fields, aligned }, itemsize).ok_or_else(|| self.wrong(literal))
    }

    fn items<'a>(&self, literal: &'a Literal) -> Result<&'a [Literal]> {
        match &literal.value {
            Value::List(items) | Value::Tuple(items) => Ok(items),
            _ => Err(self.wrong(literal)),
        }
    }

    fn str<'a>(&self, literal: &'a Literal) -> Result<&'a str> {
        match &literal.value {
            Value::Str(text) => Ok(text),
            _ => Err(self.wrong(literal)),
        }
    }

    fn title(&self, literal: &Literal) -> Result<Option<String>> {
        match &literal.value {
            Value::Name(name) if name == "None" => Ok(None),
            _ => self.str(literal).map(|title| Some(title.into())),
        }
    }

    fn size(&self, literal: &Literal) -> Result<usize> {
        match literal.value {
            // Within 31 bits, as all sizes of Blosc2: sums of a few cannot overflow 64.
            Value::Int(size) if size <= i64::from(i32::MAX) => {
                size.try_into().map_err(|_| self.wrong(literal))
            }
            _ => Err(self.wrong(literal)),
        }
    }

    fn bool(&self, literal: &Literal) -> Result<bool> {
        match &literal.value {
            Value::Name(name) if name == "True" => Ok(true),
            Value::Name(name) if name == "False" => Ok(false),
            Value::Int(0) => Ok(false),
            Value::Int(1) => Ok(true),
            _ => Err(self.wrong(literal)),
        }
    }
}

/// NumPy gives a name to fields that have none.
fn named(name: String, index: usize) -> String {
    if name.is_empty() { numbered(index) } else { name }
}

/// `f` and the number. Digit by digit, for formatting would weigh as much as all of this.
fn numbered(index: usize) -> String {
    let mut name = if index < 10 { "f".into() } else { numbered(index / 10) };
    name.push(char::from(b'0' + (index % 10) as u8));
    name
}
