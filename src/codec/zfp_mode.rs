//! The modes of ZFP, with their parameters.

use super::Codec;

/// A mode of ZFP, which loses what the mode allows. Arrays with it have little-endian floats of 4 or 8 bytes, one to four axes, and blocks
/// of at least 4 items along each.
///
/// NaN, infinity, and floats of 4 bytes below 2<sup>−98</sup> without larger ones beside them come back as other numbers, as they do
/// from the reference, together with up to 4 values along each axis beside them.
///
/// ```
/// use b2nd::codec::{Codec, Zfp};
/// let mode = Zfp::Accuracy(-3);
/// assert_eq!((mode.codec(), mode.meta()), (Codec::ZFP_ACC, 253));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Zfp {
    /// Absolute errors of at most 10 to this power.
    Accuracy(i8),
    /// About this number of significant bits of the greatest value of each cell of 4 values along each axis: bit planes beyond the
    /// 5, 7, 9 or 11 that the transform may take up.
    Precision(u8),
    /// This percentage of the plain size, from 1 to 100, for each cell alike; but at least the exponent of each cell.
    Rate(u8),
}

impl Zfp {
    /// The codec of this mode.
    ///
    /// ```
    /// # use b2nd::codec::{Codec, Zfp};
    /// assert_eq!(Zfp::Rate(25).codec(), Codec::ZFP_RATE);
    /// ```
    #[must_use]
    pub const fn codec(self) -> Codec {
        match self {
            Self::Accuracy(_) => Codec::ZFP_ACC,
            Self::Precision(_) => Codec::ZFP_PREC,
            Self::Rate(_) => Codec::ZFP_RATE,
        }
    }

    /// The codec's parameter, as chunks store it.
    ///
    /// ```
    /// # use b2nd::codec::Zfp;
    /// assert_eq!([Zfp::Accuracy(-1), Zfp::Precision(12)].map(Zfp::meta), [255, 12]);
    /// ```
    #[must_use]
    pub const fn meta(self) -> u8 {
        match self {
            Self::Accuracy(exponent) => exponent as u8,
            Self::Precision(meta) | Self::Rate(meta) => meta,
        }
    }
}
