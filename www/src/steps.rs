//! Steps, which JavaScript carries out with a file. ABI.md lists them.

use crate::value;
use b2nd::wire::{Revision, Step};

/// Writes a step.
pub(crate) fn put_step(out: &mut value::Writer<'_>, step: &Step) {
    match step {
        Step::Write { offset, bytes, .. } => put(out, "write", [*offset, 0, 0], bytes),
        Step::Compare(revision) => put_revision(out, revision),
        Step::Truncate(len) => put(out, "truncate", [*len, 0, 0], &[]),
        // The others are those of sparse frames, which the journal refuses.
        _ => put(out, "sync", [0; 3], &[]),
    }
}

/// Writes what the old file must have.
pub(crate) fn put_revision(out: &mut value::Writer<'_>, revision: &Revision) {
    for (place, bytes) in revision.requests().iter().zip([&revision.header, &revision.end]) {
        put(out, "compare", [place.range.start, 0, 0], bytes);
    }
}

/// Writes a step of a kind with its offset, its length and the offset in the old file.
pub(crate) fn put(out: &mut value::Writer<'_>, kind: &str, numbers: [u64; 3], bytes: &[u8]) {
    out.record();
    out.name("kind").text(kind);
    for (name, number) in ["offset", "length", "from"].iter().zip(numbers) {
        out.name(name).count(number);
    }
    out.name("bytes").bytes(bytes);
    out.end();
}
