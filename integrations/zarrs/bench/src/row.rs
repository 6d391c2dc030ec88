//! A measured case.

use crate::codecs::{self, Blusc, Codec};
use crate::timing::{self, Times};
use std::error::Error;
use std::fmt;
use std::time::Duration;

/// The data of a case, and the parameters of the encoder.
#[derive(Clone, Copy)]
pub(crate) struct Case {
    pub(crate) kind: &'static str,
    pub(crate) typesize: usize,
    pub(crate) cname: &'static str,
    pub(crate) shuffle: &'static str,
}

impl Case {
    pub(crate) const LEVEL: u8 = 5;
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}, {}", self.cname, self.shuffle, self.kind)
    }
}

/// The result of blusc, which may be wrong.
pub(crate) enum Peer {
    /// Its time over ours.
    Takes(f64),
    Refuses,
    /// It returns other bytes, without an error.
    Errs,
}

pub(crate) struct Row {
    pub(crate) case: Case,
    pub(crate) decode: Times,
    pub(crate) encode: Times,
    /// Bytes of our chunk over those of C's.
    pub(crate) size: f64,
    pub(crate) blusc_decodes: Peer,
    pub(crate) blusc_encodes: Peer,
}

impl Row {
    pub(crate) fn measure(case: Case, plain: &[u8], budget: Duration) -> Result<Self, Box<dyn Error>> {
        let (ours, of_c, blusc) = (codecs::ours(case)?, codecs::of_c(case)?, Blusc(case));
        let refused = || format!("{case}: refused");
        let chunk = of_c.encode(plain).ok_or_else(refused)?;
        let mine = ours.encode(plain).ok_or_else(refused)?;
        for (codec, chunk) in [(&ours as &dyn Codec, &chunk), (&ours, &mine), (&of_c, &mine)] {
            if codec.decode(chunk, plain.len()).ok_or_else(refused)? != plain {
                return Err(format!("{case}: decoded otherwise").into());
            }
        }
        // All decode the same chunk.
        let decode = |codec: &dyn Codec| _ = codec.decode(&chunk, plain.len());
        let encode = |codec: &dyn Codec| _ = codec.encode(plain);
        let judge = |found: Option<Vec<u8>>, work: &dyn Fn(&dyn Codec)| match found {
            None => Peer::Refuses,
            Some(found) if found != plain => Peer::Errs,
            Some(_) => Peer::Takes(timing::compare(budget / 2, || work(&ours), || work(&blusc)).ratio),
        };
        let theirs = blusc.encode(plain).map(|chunk| of_c.decode(&chunk, plain.len()).unwrap_or_default());
        Ok(Self {
            case,
            decode: timing::compare(budget, || decode(&ours), || decode(&of_c)),
            encode: timing::compare(budget, || encode(&ours), || encode(&of_c)),
            size: mine.len() as f64 / chunk.len() as f64,
            blusc_decodes: judge(blusc.decode(&chunk, plain.len()), &decode),
            blusc_encodes: judge(theirs, &encode),
        })
    }
}
