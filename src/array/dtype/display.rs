//! Dtypes as text that NumPy understands.
//!
//! The text is put together without `core::fmt`, which in WebAssembly takes as much code as all of this file.

use super::{ByteOrder, Dtype, Field, Kind, TimeStep, TimeUnit};
use crate::base::TypeCode;
use alloc::string::String;
use core::fmt;

impl fmt::Display for Dtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl fmt::Display for TimeStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = Text::default();
        text.step(*self);
        f.write_str(&text.0)
    }
}

impl Dtype {
    /// The text of `Display`.
    pub(crate) fn text(&self) -> String {
        let mut text = Text::default();
        text.dtype(self);
        text.0
    }

    /// Byte order, kind and size. Structures and sub-arrays count as raw bytes, and the steps of times are left out.
    ///
    /// ```
    /// use b2nd::array::Dtype;
    /// let code = Dtype::of::<f32>().code();
    /// assert_eq!(code.to_string(), "<f4");
    /// ```
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

/// Text under construction.
#[derive(Default)]
struct Text(String);

impl Text {
    #[inline(never)]
    fn put(&mut self, text: &str) {
        self.0.push_str(text);
    }

    fn number(&mut self, number: usize) {
        if number >= 10 {
            self.number(number / 10);
        }
        self.0.push(char::from(b'0' + (number % 10) as u8));
    }

    fn dtype(&mut self, dtype: &Dtype) {
        match &dtype.kind {
            Kind::Subarray { item, shape } => {
                self.put("(");
                self.shaped(item, shape);
            }
            Kind::Struct { fields, aligned } if *aligned || !is_packed(fields, dtype.itemsize) => {
                self.layout(fields, dtype.itemsize, *aligned);
            }
            Kind::Struct { fields, .. } => self.list("[", fields, |text, field| {
                text.put("(");
                text.name(field);
                text.put(", ");
                match &field.dtype.kind {
                    Kind::Subarray { item, shape } => text.shaped(item, shape),
                    _ => {
                        text.nested(&field.dtype);
                        text.put(")");
                    }
                }
            }),
            kind => {
                self.code(dtype.code());
                if let Kind::Datetime(step) | Kind::Timedelta(step) = kind {
                    self.step(*step);
                }
            }
        }
    }

    fn code(&mut self, code: TypeCode) {
        self.0.push(code.order);
        self.0.push(code.kind);
        if let Some(number) = code.number() {
            self.number(number);
        }
    }

    fn step(&mut self, TimeStep { count, unit }: TimeStep) {
        if unit == TimeUnit::Generic {
            return;
        }
        self.put("[");
        if count > 1 {
            self.number(count as usize);
        }
        self.put(unit.symbol());
        self.put("]");
    }

    /// A dtype inside a literal: type strings are quoted there.
    fn nested(&mut self, dtype: &Dtype) {
        let quote = match dtype.kind {
            Kind::Subarray { .. } | Kind::Struct { .. } => "",
            _ => "'",
        };
        self.put(quote);
        self.dtype(dtype);
        self.put(quote);
    }

    /// The end of a tuple: a dtype and a shape.
    fn shaped(&mut self, item: &Dtype, shape: &[usize]) {
        self.nested(item);
        self.shape(shape);
    }

    /// `, (2, 3))`, `, (2,))`
    fn shape(&mut self, shape: &[usize]) {
        self.put(", (");
        self.separated(shape, |text, len| text.number(*len));
        self.put(if shape.len() == 1 { ",))" } else { "))" });
    }

    /// `'name'` or `('title', 'name')`
    fn name(&mut self, field: &Field) {
        if let Some(title) = &field.title {
            self.put("(");
            self.quoted(title);
            self.put(", ");
            self.quoted(&field.name);
            self.put(")");
        } else {
            self.quoted(&field.name);
        }
    }

    /// A Python string literal.
    fn quoted(&mut self, content: &str) {
        self.put("'");
        for char in content.chars() {
            match char {
                '\'' | '\\' => self.put("\\"),
                char if char.is_control() => {
                    // There are none above 0x9f.
                    self.put("\\x");
                    for digit in [u32::from(char) >> 4, u32::from(char) & 15] {
                        self.0.extend(char::from_digit(digit, 16));
                    }
                    continue;
                }
                _ => {}
            }
            self.0.push(char);
        }
        self.put("'");
    }

    /// `{'names': […], 'formats': […], 'offsets': […], 'itemsize': 12}`
    fn layout(&mut self, fields: &[Field], itemsize: usize, aligned: bool) {
        self.list("{'names': [", fields, |text, field| text.quoted(&field.name));
        self.list(", 'formats': [", fields, |text, field| text.nested(&field.dtype));
        self.list(", 'offsets': [", fields, |text, field| text.number(field.offset));
        if fields.iter().any(|field| field.title.is_some()) {
            self.list(", 'titles': [", fields, |text, field| match &field.title {
                Some(title) => text.quoted(title),
                None => text.put("None"),
            });
        }
        self.put(", 'itemsize': ");
        self.number(itemsize);
        self.put(if aligned { ", 'aligned': True}" } else { "}" });
    }

    /// `start`, the fields, and `]`.
    fn list(&mut self, start: &str, fields: &[Field], one: impl FnMut(&mut Self, &Field)) {
        self.put(start);
        self.separated(fields, one);
        self.put("]");
    }

    fn separated<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T)) {
        let start = self.0.len();
        for item in items {
            self.separate(start);
            one(self, item);
        }
    }

    /// The dtype as the `descr` of a `.npy` header. `None` if that format cannot express it.
    fn descr(&mut self, dtype: &Dtype) -> Option<()> {
        match &dtype.kind {
            Kind::Subarray { item, shape } => {
                self.put("(");
                self.descr(item)?;
                self.shape(shape);
            }
            Kind::Struct { fields, .. } => self.descr_of_fields(fields, dtype.itemsize)?,
            _ => self.nested(dtype),
        }
        Some(())
    }

    fn descr_of_fields(&mut self, fields: &[Field], itemsize: usize) -> Option<()> {
        self.put("[");
        let (start, mut end) = (self.0.len(), 0);
        for field in fields {
            self.gap(start, field.offset.checked_sub(end)?);
            end = field.offset + field.dtype.itemsize;
            self.separate(start);
            self.put("(");
            self.name(field);
            self.put(", ");
            if let Kind::Subarray { item, shape } = &field.dtype.kind {
                self.descr(item)?;
                self.shape(shape);
            } else {
                self.descr(&field.dtype)?;
                self.put(")");
            }
        }
        self.gap(start, itemsize.checked_sub(end)?);
        self.put("]");
        Some(())
    }

    /// An unnamed field for a gap of `len` bytes, in the list that starts at `start`.
    fn gap(&mut self, start: usize, len: usize) {
        if len > 0 {
            self.separate(start);
            self.put("('', '|V");
            self.number(len);
            self.put("')");
        }
    }

    /// Separates the next item of the list that starts at `start`.
    fn separate(&mut self, start: usize) {
        if self.0.len() > start {
            self.put(", ");
        }
    }
}

fn is_packed(fields: &[Field], itemsize: usize) -> bool {
    let ends = fields
        .iter()
        .try_fold(0, |end, field| (field.offset == end).then_some(field.offset + field.dtype.itemsize));
    ends == Some(itemsize)
}

/// The dtype as the `descr` of a `.npy` header, unless that format cannot express it.
pub(super) fn descr(dtype: &Dtype) -> Option<String> {
    let mut text = Text::default();
    text.descr(dtype)?;
    Some(text.0)
}
