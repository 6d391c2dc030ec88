//! MessagePack's extensions by python-blosc2.

use super::tokens::{Token, Tokens};
use crate::base::{Error, Limits, Malformed, Result};

/// The codes of what other modules write, too.
pub(crate) const FRAME: i8 = 42;
pub(crate) const TENSOR: i8 = 46;

/// An extension that python-blosc2 writes, of whose values only the beginning has been read: how many they are, and the tokens that
/// follow.
///
/// ```
/// use b2nd::{Limits, msgpack::{Extended, Token}};
/// let Some(Extended::Set(1, mut tokens)) = Extended::parse(45, b"\x91\x07", &Limits::default())? else { panic!() };
/// assert_eq!(tokens.next(), Some(Ok(Token::Int(7))));
/// # Ok::<(), b2nd::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Extended<'a> {
    /// A frame: its bytes.
    Frame(&'a [u8]),
    /// A map that refers to a stored array, or says how one is computed.
    Reference(usize, Tokens<'a>),
    /// A complex number: its real and its imaginary part.
    Complex(f64, f64),
    /// A set.
    Set(usize, Tokens<'a>),
    /// A map that describes a NumPy array, and has its items.
    Tensor(usize, Tokens<'a>),
}

impl<'a> Extended<'a> {
    /// Interprets the code and the bytes of an extension; `None` if python-blosc2 does not write the code. The depth of nesting in
    /// `limits` is that which is left.
    ///
    /// ```
    /// use b2nd::{Limits, msgpack::Extended};
    /// let frame = Extended::parse(42, b"bytes", &Limits::default())?;
    /// assert!(matches!(frame, Some(Extended::Frame(b"bytes"))));
    /// assert!(Extended::parse(5, b"", &Limits::default())?.is_none());
    /// # Ok::<(), b2nd::Error>(())
    /// ```
    ///
    /// # Errors
    /// `Format` if the bytes are not such a value, and `Limit` if nothing may be nested in it.
    pub fn parse(code: i8, bytes: &'a [u8], limits: &Limits) -> Result<Option<Self>> {
        Ok(Some(match code {
            FRAME => Self::Frame(bytes),
            44 => {
                let [real, imaginary] = bytes.as_chunks().0 else { return Err(wrong(code)) };
                Self::Complex(f64::from_be_bytes(*real), f64::from_be_bytes(*imaginary))
            }
            43 | 45 | TENSOR => {
                let mut tokens = Tokens::new(bytes, &inside(limits)?);
                match (code, tokens.next().transpose()?) {
                    (43, Some(Token::Map(len))) => Self::Reference(len, tokens),
                    (45, Some(Token::Array(len))) => Self::Set(len, tokens),
                    (TENSOR, Some(Token::Map(len))) => Self::Tensor(len, tokens),
                    _ => return Err(wrong(code)),
                }
            }
            _ => return Ok(None),
        }))
    }
}

/// The limits within an extension.
pub(crate) fn inside(limits: &Limits) -> Result<Limits> {
    limits.allow_depth(1)?;
    Ok(Limits { depth: limits.depth - 1, ..*limits })
}

/// An extension is not what its code says.
#[cold]
pub(crate) fn wrong(code: i8) -> Error {
    Error::format(Malformed::Field { name: "MessagePack extension", value: code.into() })
}
