//! Chunks that the reference has made, decoded whole or block by block on one thread.

mod cases;

use b2nd::{Scratch, chunk::Chunk};

use crate::case::Case;
use crate::failure::{Failure, Result};
use crate::run::{BUDGET, Run, group};
use crate::timing::{Times, compare};
use cases::Shape;

pub fn decode(run: &mut Run) -> Result {
    for plan in cases::all() {
        let name = plan.name();
        if !run.wants(&name) {
            continue;
        }
        let chunk = plan.make(&run.reference)?;
        let about = |failure: Failure| Failure::new(format!("{name}: {}", failure.0));
        let times = match plan.shape {
            Shape::Whole => whole(run, &chunk),
            Shape::Block => blocks(run, &chunk),
        };
        let case = Case::new(&group("decode"), name.clone(), times.map_err(about)?)
            .with("codec", plan.codec.name)
            .with("filters", plan.filters.name)
            .with("typesize", plan.data.typesize)
            .with("nbytes", plan.nbytes)
            .with("cbytes", chunk.len());
        run.record(case);
    }
    Ok(())
}

fn whole(run: &Run, bytes: &[u8]) -> Result<Times> {
    let chunk = Chunk::new(bytes)?;
    let mut scratch = Scratch::default();
    let mut decoder = run.reference.decoder();
    let mut ours = vec![1; chunk.header().nbytes as usize];
    let mut theirs = vec![2; ours.len()];
    chunk.decode_into(&mut ours, &mut scratch)?;
    decoder.chunk(bytes, &mut theirs)?;
    same(&ours, &theirs)?;
    Ok(compare(
        BUDGET,
        || chunk.decode_into(&mut ours, &mut scratch).expect("it has decoded before"),
        || decoder.chunk(bytes, &mut theirs).expect("it has decoded before"),
    ))
}

/// One block at a time, all over the chunk; the time of one.
fn blocks(run: &Run, bytes: &[u8]) -> Result<Times> {
    let chunk = Chunk::new(bytes)?;
    let header = *chunk.header();
    let count = header.blocksize / u32::from(header.typesize);
    let starts: Vec<u32> =
        (0..header.nbytes / header.blocksize).step_by(7).map(|block| block * count).collect();
    let mut scratch = Scratch::default();
    let mut decoder = run.reference.decoder();
    let mut ours = vec![1; header.blocksize as usize];
    let mut theirs = vec![2; ours.len()];
    for &start in &starts {
        chunk.items_into(start..start + count, &mut ours, &mut scratch)?;
        decoder.items(bytes, start as usize, count as usize, &mut theirs)?;
        same(&ours, &theirs)?;
    }
    let times = compare(
        BUDGET,
        || {
            for &start in &starts {
                let items = start..start + count;
                chunk.items_into(items, &mut ours, &mut scratch).expect("it has decoded before");
            }
        },
        || {
            for &start in &starts {
                let done = decoder.items(bytes, start as usize, count as usize, &mut theirs);
                done.expect("it has decoded before");
            }
        },
    );
    Ok(times.of(starts.len() as f64))
}

fn same(ours: &[u8], theirs: &[u8]) -> Result {
    match ours.iter().zip(theirs).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(at) => Err(Failure::new(format!("byte {at} differs from the reference's"))),
    }
}
