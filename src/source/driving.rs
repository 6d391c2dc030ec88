//! The synchronous driver of exchanges.

use super::{ReadAt, ReadError};
use crate::frame::Exchange;
use alloc::vec::Vec;

/// Reads from a source what an exchange asks for, and returns its result.
///
/// ```
/// use b2nd::{DParams, source::drive, wire::Opening};
/// let file = std::fs::read("tests/golden/blosc2-4.14.1/sample.b2nd").unwrap();
/// let frame = drive(&file, Opening::new(&DParams::default()))?;
/// assert_eq!(frame.header.frame_len, file.len() as u64);
/// # Ok::<(), b2nd::ReadError<core::convert::Infallible>>(())
/// ```
///
/// # Errors
/// `Source` if the source cannot be read, `Blosc` for the errors of the exchange.
pub fn drive<S: ReadAt + ?Sized, E: Exchange>(
    source: &S,
    mut exchange: E,
) -> Result<E::Outcome, ReadError<S::Error>> {
    complete(source, &mut exchange, &mut Vec::new())?;
    Ok(exchange.finish()?)
}

/// Reads what an exchange asks for, to buffers that are reused, until nothing is left.
#[inline(never)]
pub(super) fn complete<S: ReadAt + ?Sized>(
    source: &S,
    exchange: &mut impl Exchange,
    buffers: &mut Vec<Vec<u8>>,
) -> Result<(), ReadError<S::Error>> {
    loop {
        let requests = exchange.ask()?;
        if requests.is_empty() {
            return Ok(());
        }
        if requests.len() > 1 {
            source.prefetch(requests).map_err(ReadError::Source)?;
        }
        if buffers.len() < requests.len() {
            buffers.resize_with(requests.len(), Vec::new);
        }
        let read = |(request, buffer)| source.read_at(request, buffer).map_err(ReadError::Source);
        let answers = requests.iter().zip(&mut *buffers).map(read).collect::<Result<Vec<_>, _>>()?;
        exchange.give(&answers)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ArgumentError, ErrorKind};
    use crate::chunk::DParams;
    use crate::frame::{IndexReading, Location, Opening, TrailerReading};
    use crate::reading::{ChunkCheck, PlanReading, ReadingMemory, SizesReading};
    use crate::source::Reader;
    use alloc::vec;

    const SAMPLE: &[u8] = include_bytes!("../../tests/golden/blosc2-4.14.1/sample.b2nd");

    /// Refuses answers that were not asked for, and to finish early; then reads to the end.
    fn check<E: Exchange>(mut make: impl FnMut() -> E) -> E::Outcome {
        let mut exchange = make();
        let some = exchange.ask().expect("requests").len();
        assert!(some > 0, "nothing was asked for");
        let error = exchange.give(&vec![SAMPLE; some + 1]).expect_err("too many answers");
        assert_eq!(error.kind(), ErrorKind::Argument(ArgumentError::NotAsked));
        let error = make().finish().err().expect("unfinished");
        assert_eq!(error.kind(), ErrorKind::Argument(ArgumentError::Unfinished));
        drive(SAMPLE, make()).expect("the result")
    }

    #[test]
    fn all_exchanges_follow_one_protocol() {
        let dparams = DParams::default();
        let frame = check(|| Opening::new(&dparams));
        let index = check(|| IndexReading::new(&frame.header, &dparams));
        let trailer = check(|| TrailerReading::new(&frame.header, &dparams));
        assert_eq!((index.nchunks(), trailer.attributes.len()), (2, 3));
        #[cfg(feature = "write")]
        assert_eq!(check(|| crate::frame::EditOpening::new(&dparams)).header, frame.header);

        let reader = Reader::open(SAMPLE, dparams.clone()).expect("a reader");
        let chunks = reader.chunks().expect("the chunks");
        let sizes = check(|| SizesReading::new(chunks).expect("few chunks"));
        assert_eq!(sizes, [(2, 28_800)]);
        let info = reader.chunk_info(1).expect("a chunk");
        let Location::Stored { part, offset } = info.location else { panic!("a stored chunk") };
        drive(SAMPLE, ChunkCheck::new(chunks, (part, offset), &info.header, &mut ReadingMemory::default()))
            .expect("a good chunk");
        let plan = reader.plan("3:8, 1").expect("a plan");
        let mut out = vec![0; plan.nbytes()];
        let mut memory = ReadingMemory::default();
        let reading =
            PlanReading::new(chunks, &plan, &mut memory, &mut out).expect("a buffer of this length");
        drive(SAMPLE, reading).expect("the items");
        assert_eq!(out, reader.get("3:8, 1").expect("the items"));
    }

    #[test]
    fn answers_that_were_not_asked_for_are_refused() {
        let reader = Reader::open(SAMPLE, DParams::default()).expect("a reader");
        let chunks = reader.chunks().expect("the chunks");
        let info = reader.chunk_info(1).expect("a chunk");
        let Location::Stored { part, offset } = info.location else { panic!("a stored chunk") };
        let mut memory = ReadingMemory::default();
        let mut reading = ChunkCheck::new(chunks, (part, offset), &info.header, &mut memory);
        reading.ask().expect("requests");
        let error = reading.give(&[]).expect_err("no answer");
        assert_eq!(error.kind(), ErrorKind::Argument(ArgumentError::NotAsked));
        let error = reading.finish().expect_err("unfinished");
        assert_eq!(error.kind(), ErrorKind::Argument(ArgumentError::Unfinished));
    }
}
