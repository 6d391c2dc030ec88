//! Values from JavaScript, for MessagePack.

#[cfg(feature = "archive")]
use super::TENSOR;
use super::{BYTES, END, EXTENSION, FALSE, INT, LIST, MAP, NUMBER, SET, STORED, TEXT, TRUE, UINT};
use alloc::vec::Vec;
use b2nd::msgpack::Token;

/// The value that all bytes are, in MessagePack.
pub(crate) fn packed(mut bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut bytes, &mut out);
    out
}

/// Appends the next value; `None` at the end of a list or a map.
fn put(rest: &mut &[u8], out: &mut Vec<u8>) -> Option<()> {
    let tag = *rest.split_off_first()?;
    let mut body = Vec::new();
    let token = match tag {
        END => return None,
        LIST | MAP | SET => {
            let mut count = 0;
            while put(rest, &mut body).is_some() {
                count += 1;
            }
            match tag {
                LIST => Token::Array(count),
                MAP => Token::Map(count / 2),
                _ => {
                    let mut list = Vec::new();
                    Token::Array(count).emit(&mut list);
                    list.extend(body);
                    Token::Ext(45, &list).emit(out);
                    return Some(());
                }
            }
        }
        #[cfg(feature = "archive")]
        TENSOR => {
            put(rest, &mut body)?;
            Token::Ext(46, &body).emit(out);
            return Some(());
        }
        STORED => {
            out.extend(sized(rest)?);
            return Some(());
        }
        FALSE | TRUE => Token::Bool(tag == TRUE),
        NUMBER => number(f64::from_le_bytes(fixed(rest)?)),
        INT => Token::Int(i64::from_le_bytes(fixed(rest)?).into()),
        UINT => Token::Int(u64::from_le_bytes(fixed(rest)?).into()),
        TEXT => Token::Str(sized(rest)?),
        BYTES => Token::Bin(sized(rest)?),
        EXTENSION => {
            let (code, data) = sized(rest)?.split_first()?;
            Token::Ext(*code as i8, data)
        }
        _ => Token::Nil,
    };
    token.emit(out);
    out.extend(body);
    Some(())
}

/// An integer if it is whole: JavaScript does not tell.
fn number(number: f64) -> Token<'static> {
    let int = number as i64;
    let is_exact = int.unsigned_abs() < 1 << 53 && (int as f64).to_bits() == number.to_bits();
    if is_exact { Token::Int(int.into()) } else { Token::Float(number) }
}

fn fixed<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    rest.split_off(..N)?.first_chunk().copied()
}

/// A length and as many bytes.
fn sized<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = u32::from_le_bytes(fixed(rest)?) as usize;
    rest.split_off(..len)
}
