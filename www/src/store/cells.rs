//! Cells as values of JavaScript.

use crate::value::Writer;
use alloc::string::String;
use b2nd::Result;
use b2nd::array::Dtype;
use b2nd::array::dtype::{ByteOrder, Kind};
use b2nd::table::{Cells, Data};

/// Writes a list of cells.
pub(super) fn write(cells: &Cells, out: &mut Writer<'_>) -> Result<()> {
    match &cells.data {
        Data::Items { dtype, items } => self::items(cells, dtype, items, out),
        Data::Texts(texts) => {
            out.each(texts.iter().enumerate(), |out, (at, text)| {
                out.optional(Some(text.as_ref()).filter(|_| !cells.is_null(at)));
            });
        }
        Data::Objects(objects) => {
            out.list();
            objects.iter().try_for_each(|object| out.value(object))?;
            out.end();
        }
        _ => out.each([(); 0], |_, ()| {}),
    }
    Ok(())
}

fn items(cells: &Cells, dtype: &Dtype, items: &[u8], out: &mut Writer<'_>) {
    out.each(items.chunks_exact(dtype.itemsize().max(1)).enumerate(), |out, (at, row)| {
        if cells.is_null(at) { out.nil() } else { item(dtype, row, out) }
    });
}

/// Whether items are numbers of at most 64 bits, or times.
fn is_number(dtype: &Dtype) -> bool {
    match dtype.kind() {
        Kind::Int | Kind::Uint | Kind::Datetime(_) | Kind::Timedelta(_) => true,
        Kind::Float => matches!(dtype.itemsize(), 2 | 4 | 8),
        _ => false,
    }
}

enum Number {
    Int(i128),
    Real(f64),
}

/// A number of at most 64 bits.
fn number(dtype: &Dtype, item: &[u8]) -> Number {
    let is_big = dtype.byte_order() == ByteOrder::Big;
    let fold = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
    let bits = if is_big { item.iter().fold(0, fold) } else { item.iter().rev().fold(0, fold) };
    let unused = 64 - 8 * (item.len().clamp(1, 8) as u32);
    match (dtype.kind(), item.len()) {
        (Kind::Float, 2) => Number::Real(half(bits as u16)),
        (Kind::Float, 4) => Number::Real(f32::from_bits(bits as u32).into()),
        (Kind::Float, _) => Number::Real(f64::from_bits(bits)),
        (Kind::Uint | Kind::Bool, _) => Number::Int(bits.into()),
        _ => Number::Int(((bits << unused) as i64 >> unused).into()),
    }
}

/// A float of 16 bits.
fn half(bits: u16) -> f64 {
    let fraction = f64::from(bits & 0x3ff);
    let power = |exponent: u16| f64::from_bits((u64::from(exponent) + 1023 - 25) << 52);
    let size = match bits >> 10 & 31 {
        0 => fraction * power(1),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        exponent => (1024.0 + fraction) * power(exponent),
    };
    if bits >> 15 == 0 { size } else { -size }
}

/// An item: complex numbers and sub-arrays as lists, structures as maps, bytes as one character each, what else there is as bytes.
fn item(dtype: &Dtype, bytes: &[u8], out: &mut Writer<'_>) {
    let size = dtype.itemsize();
    match dtype.kind() {
        Kind::Bool => out.bool(bytes.iter().any(|byte| *byte != 0)),
        Kind::Bytes => {
            let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
            out.text(&bytes[..end].iter().map(|byte| char::from(*byte)).collect::<String>());
        }
        Kind::Str => out.text(&characters(bytes, dtype.byte_order())),
        Kind::Complex if size <= 16 => list(dtype, bytes, out),
        Kind::Subarray { .. } => list(dtype, bytes, out),
        Kind::Struct { fields, .. } => {
            out.map();
            for field in fields {
                out.text(&field.name);
                let end = field.offset + field.dtype.itemsize();
                item(&field.dtype, bytes.get(field.offset..end).unwrap_or_default(), out);
            }
            out.end();
        }
        _ if is_number(dtype) => single(dtype, bytes, out),
        _ if size == 1 => out.int(bytes.first().copied().unwrap_or(0).into()),
        _ => out.each(bytes, |out, byte| out.int((*byte).into())),
    }
}

fn list(dtype: &Dtype, bytes: &[u8], out: &mut Writer<'_>) {
    out.list();
    parts(dtype, bytes, out);
    out.end();
}

/// Integers of 64 bits and times are bigints.
fn single(dtype: &Dtype, bytes: &[u8], out: &mut Writer<'_>) {
    match number(dtype, bytes) {
        Number::Real(real) => out.number(real),
        Number::Int(int) if dtype.itemsize() == 8 => out.big(int),
        Number::Int(int) => out.int(int),
    }
}

/// The values in the list that an item is, those of sub-arrays in C order.
fn parts(dtype: &Dtype, bytes: &[u8], out: &mut Writer<'_>) {
    match dtype.kind() {
        Kind::Subarray { item, .. } => {
            bytes.chunks_exact(item.itemsize().max(1)).for_each(|bytes| parts(item, bytes, out));
        }
        Kind::Complex if dtype.itemsize() <= 16 => {
            let part = dtype.itemsize() / 2;
            if let Ok(real) = Dtype::scalar(Kind::Float, part) {
                let real = real.with_byte_order(dtype.byte_order());
                bytes.chunks_exact(part.max(1)).for_each(|bytes| item(&real, bytes, out));
            }
        }
        Kind::Bool | Kind::Bytes | Kind::Str | Kind::Struct { .. } => item(dtype, bytes, out),
        _ if is_number(dtype) => single(dtype, bytes, out),
        _ => bytes.iter().for_each(|byte| out.int((*byte).into())),
    }
}

/// Code points without the zeros at their end.
fn characters(bytes: &[u8], order: ByteOrder) -> String {
    let point = |bytes: &[u8; 4]| match order {
        ByteOrder::Big => u32::from_be_bytes(*bytes),
        _ => u32::from_le_bytes(*bytes),
    };
    let points = bytes.as_chunks().0;
    let end = points.iter().rposition(|point| *point != [0; 4]).map_or(0, |last| last + 1);
    let chars = points[..end].iter().map(|bytes| char::from_u32(point(bytes)));
    chars.map(|char| char.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
