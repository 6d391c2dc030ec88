//! A slot of the pipeline.

use super::name;
use crate::base::{UnknownName, filter_id};
use core::fmt;
use core::str::FromStr;

/// A filter and its parameter.
///
/// ```
/// use b2nd::filter::{Filter, SHUFFLE, TRUNC_PREC};
/// assert_eq!("shuffle".parse(), Ok(Filter::from(SHUFFLE)));
/// // Lossy filters take the number of bits to keep or, if negative, to remove.
/// let filter: Filter = "trunc_prec:-10".parse()?;
/// assert_eq!(filter, Filter { id: TRUNC_PREC, meta: 246 });
/// assert_eq!(filter.to_string(), "trunc_prec:246");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Filter {
    /// The filter's id; 0 is an empty slot.
    pub id: u8,
    /// The parameter, whose meaning depends on the filter (FORMAT §2.2).
    pub meta: u8,
}

/// The filter with this id, without a parameter.
impl From<u8> for Filter {
    fn from(id: u8) -> Self {
        Self { id, meta: 0 }
    }
}

/// Reads Blosc's name, or the id of a filter that has none; then a colon and the parameter, if it is not 0. A negative one is what
/// its byte is as a signed number.
impl FromStr for Filter {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        let (name, meta) = text.split_once(':').unwrap_or((text, "0"));
        let id = filter_id(name).or_else(|| name.parse().ok());
        let meta = meta.parse::<u8>().ok().or_else(|| meta.parse::<i8>().ok().map(|meta| meta as u8));
        let filter = id.zip(meta).map(|(id, meta)| Self { id, meta });
        filter.ok_or(UnknownName("no filter has this name and parameter"))
    }
}

/// Blosc's name, or the id of a filter that has none, and the parameter after a colon if it is not 0: what [`FromStr`] reads.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match name(self.id) {
            Some(name) => f.write_str(name)?,
            None => self.id.fmt(f)?,
        }
        if self.meta == 0 { Ok(()) } else { write!(f, ":{}", self.meta) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn names_and_parameters_are_read_again() {
        for id in (0..=u8::MAX).step_by(if cfg!(miri) { 15 } else { 1 }) {
            for meta in [0, 1, 246] {
                let filter = Filter { id, meta };
                assert_eq!(filter.to_string().parse(), Ok(filter), "{filter}");
            }
        }
        for text in ["", "shuffle:", "shuffle:256", "shuffle:-129", "Shuffle", "300", ":1"] {
            assert!(text.parse::<Filter>().is_err(), "{text:?}");
        }
    }
}
