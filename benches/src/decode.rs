//! Decoding of chunks written by the reference, whole or block by block, on one thread.

mod cases;

use std::cell::{RefCell, RefMut};

use b2nd::{Scratch, chunk::Chunk};

use crate::case::Case;
use crate::error::{Error, Result};
use crate::run::{BUDGET, Run, group};
use crate::timing::{Times, compare};
use cases::Shape;

pub fn decode(run: &mut Run) -> Result {
    for plan in cases::all() {
        let name = plan.name();
        if !run.wants(&name) {
            continue;
        }
        let chunks = plan.make(&run.reference)?;
        let about = |error: Error| Error::new(format!("{name}: {}", error.0));
        let times = match plan.shape {
            Shape::Whole => whole(run, &chunks),
            Shape::Block => blocks(run, &chunks[0]),
        };
        let case = Case::new(&group("decode"), name.clone(), times.map_err(about)?)
            .with("codec", plan.codec.name)
            .with("filters", plan.filters.name)
            .with("typesize", plan.data.typesize)
            .with("nbytes", plan.nbytes)
            .with("cbytes", chunks[0].len());
        run.record(case);
    }
    Ok(())
}

/// Decodes chunks one after the other. Returns the time per chunk.
fn whole(run: &Run, chunks: &[Vec<u8>]) -> Result<Times> {
    let opened = chunks.iter().map(|bytes| Chunk::new(bytes)).collect::<b2nd::Result<Vec<_>>>()?;
    let mut scratch = Scratch::default();
    let mut decoder = run.reference.decoder();
    let buffer = Buffer::new(opened[0].header().nbytes as usize);
    for (chunk, bytes) in opened.iter().zip(chunks) {
        buffer.compare(|out| Ok(chunk.decode_into(out, &mut scratch)?), |out| decoder.chunk(bytes, out))?;
    }
    let times = compare(
        BUDGET,
        || {
            for chunk in &opened {
                chunk.decode_into(&mut buffer.borrow(), &mut scratch).expect("it has decoded before");
            }
        },
        || {
            for bytes in chunks {
                decoder.chunk(bytes, &mut buffer.borrow()).expect("it has decoded before");
            }
        },
    );
    Ok(times.of(chunks.len() as f64))
}

/// Decodes whole chunks block by block. Returns the time per block.
fn blocks(run: &Run, bytes: &[u8]) -> Result<Times> {
    let chunk = Chunk::new(bytes)?;
    let header = *chunk.header();
    let count = header.blocksize / u32::from(header.typesize);
    let starts: Vec<u32> = (0..header.nbytes / header.blocksize).map(|block| block * count).collect();
    let mut scratch = Scratch::default();
    let mut decoder = run.reference.decoder();
    let buffer = Buffer::new(header.blocksize as usize);
    for &start in &starts {
        let items = start..start + count;
        buffer.compare(
            |out| Ok(chunk.items_into(items, out, &mut scratch)?),
            |out| decoder.items(bytes, start as usize, count as usize, out),
        )?;
    }
    let times = compare(
        BUDGET,
        || {
            for &start in &starts {
                let done = chunk.items_into(start..start + count, &mut buffer.borrow(), &mut scratch);
                done.expect("it has decoded before");
            }
        },
        || {
            for &start in &starts {
                let done = decoder.items(bytes, start as usize, count as usize, &mut buffer.borrow());
                done.expect("it has decoded before");
            }
        },
    );
    Ok(times.of(starts.len() as f64))
}

/// A shared output buffer, so that both have the same pages and caches.
struct Buffer(RefCell<Vec<u8>>);

impl Buffer {
    fn new(len: usize) -> Self {
        Self(RefCell::new(vec![1; len]))
    }

    fn borrow(&self) -> RefMut<'_, Vec<u8>> {
        self.0.borrow_mut()
    }

    /// Times both after checking that they write the same bytes.
    fn compare(
        &self,
        ours: impl FnOnce(&mut [u8]) -> Result,
        reference: impl FnOnce(&mut [u8]) -> Result,
    ) -> Result {
        let mut theirs = vec![2; self.borrow().len()];
        ours(&mut self.borrow())?;
        reference(&mut theirs)?;
        same(&self.borrow(), &theirs)
    }
}

fn same(ours: &[u8], theirs: &[u8]) -> Result {
    match ours.iter().zip(theirs).position(|(a, b)| a != b) {
        None => Ok(()),
        Some(at) => Err(Error::new(format!("byte {at} differs from the reference's"))),
    }
}
