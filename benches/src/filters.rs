//! Filters without chunks.

use b2nd::kernels::{BITSHUFFLE, BITUNSHUFFLE, Kernel as Ours, SHUFFLE, UNSHUFFLE};

use crate::case::Case;
use crate::data::RANDOM;
use crate::error::{Error, Result};
use crate::reference::Kernel;
use crate::run::{BUDGET, Run};
use crate::timing::compare;

const KERNELS: &[(&str, Ours, Kernel)] = &[
    ("shuffle", SHUFFLE, Kernel::Shuffle),
    ("unshuffle", UNSHUFFLE, Kernel::Unshuffle),
    ("bitshuffle", BITSHUFFLE, Kernel::Bitshuffle),
    ("bitunshuffle", BITUNSHUFFLE, Kernel::Bitunshuffle),
];
const TYPESIZES: &[usize] = &[1, 2, 3, 4, 6, 8, 12, 16, 24];
/// A typical block size.
const BLOCK: usize = 64 << 10;

pub fn filters(run: &mut Run) -> Result {
    for (kernel, ours, reference) in KERNELS {
        for &typesize in TYPESIZES.iter().filter(|&&size| size > 1 || kernel.starts_with("bit")) {
            let name = format!("{kernel} of {typesize} bytes, {} KiB", BLOCK >> 10);
            if run.wants(&name) {
                let case = measure(run, name, typesize, *ours, *reference)?;
                run.record(case.with("kernel", *kernel).with("typesize", typesize));
            }
        }
    }
    Ok(())
}

fn measure(run: &Run, name: String, typesize: usize, ours: Ours, reference: Kernel) -> Result<Case> {
    // Whole groups of eight items; both sides copy the rest.
    let src = RANDOM.make(BLOCK - BLOCK % (8 * typesize));
    let (mut mine, mut theirs) = (vec![1; src.len()], vec![2; src.len()]);
    ours(typesize, &src, &mut mine);
    run.reference.transpose(reference, typesize, &src, &mut theirs);
    if mine != theirs {
        return Err(Error::new(format!("{name}: the results differ")));
    }
    let times = compare(
        BUDGET / 2,
        || ours(typesize, &src, &mut mine),
        || run.reference.transpose(reference, typesize, &src, &mut theirs),
    );
    Ok(Case::new("filters", name, times).with("nbytes", src.len()))
}
