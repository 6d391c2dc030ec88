//! The parameters of an array as numbers.

use crate::cparams::cparams;
use crate::sections::f64s;
use alloc::string::String;
use alloc::vec::Vec;
use b2nd::array::ArrayParams;

/// The sections that describe a new array: compression parameters, numbers, dtype.
pub(crate) const ARRAY: [(); 3] = [(); 3];

/// The parameters of an array. Its numbers are `ndim, caterva, chunks given, blocks given`, then `ndim` lengths of the shape and,
/// if given, of chunks and of blocks.
pub(crate) fn array([compression, numbers, dtype]: [&[u8]; 3]) -> ArrayParams {
    let mut numbers = f64s(numbers);
    let mut next = || numbers.next().unwrap_or_default();
    let (ndim, caterva, chunks, blocks) = (next() as usize, next(), next(), next());
    let mut params = ArrayParams::new(&[], &String::from_utf8_lossy(dtype));
    params.shape = numbers.by_ref().take(ndim).map(|len| len as u64).collect();
    let mut lens = |given: f64| {
        let lens = numbers.by_ref().take(if given == 0.0 { 0 } else { ndim });
        let lens: Vec<u32> = lens.map(|len| len as u32).collect();
        Some(lens).filter(|_| given != 0.0)
    };
    (params.chunkshape, params.blockshape) = (lens(chunks), lens(blocks));
    params.caterva = caterva != 0.0;
    params.cparams = cparams(compression);
    params
}
