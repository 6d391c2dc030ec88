//! A slice, read with tokio: `cargo run --example asynchronous [FILE]`
//!
//! Each operation is an `Exchange`: it asks for ranges of bytes, and takes the answers. Here the ranges of a batch are read at
//! the same time. In place of the file could be an object store.

use b2nd::reading::{Chunks, Merge, PlanReading, ReadingMemory};
use b2nd::wire::{Exchange, IndexReading, Opening, Request};
use b2nd::{DParams, Layout, Selection};
use core::error::Error;
use std::io::SeekFrom;
use std::path::{Path, PathBuf};
use tokio::io::{AsyncReadExt, AsyncSeekExt};
use tokio::task::JoinSet;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/sample.b2nd");

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let path = PathBuf::from(std::env::args().nth(1).as_deref().unwrap_or(SAMPLE));
    let dparams = DParams::default();

    let frame = run(&path, Opening::new(&dparams)).await?;
    let index = run(&path, IndexReading::new(&frame.header, &dparams)).await?;
    let array = Layout::of_frame(&frame, &dparams.limits)?.ok_or("a super-chunk and no array")?;

    let plan = array.plan(Selection::all())?;
    let mut items = vec![0; plan.nbytes()];
    let mut memory = ReadingMemory::new(&dparams);
    let context = array.context();
    let chunks = Chunks { frame: &frame, index: &index, context, dparams: &dparams, merge: Merge::NETWORK };
    run(&path, PlanReading::new(chunks, &plan, &mut memory, &mut items)?).await?;
    println!("{} bytes of items in {} chunks", items.len(), index.nchunks());
    Ok(())
}

/// Brings an exchange what it asks for.
async fn run<E: Exchange>(path: &Path, mut exchange: E) -> Result<E::Outcome, Box<dyn Error>> {
    loop {
        let mut reads = JoinSet::new();
        for (k, request) in exchange.ask()?.iter().enumerate() {
            let (path, request) = (path.to_owned(), request.clone());
            reads.spawn(async move { read(&path, &request).await.map(|bytes| (k, bytes)) });
        }
        if reads.is_empty() {
            return Ok(exchange.finish()?);
        }
        let mut answers = reads.join_all().await.into_iter().collect::<Result<Vec<_>, _>>()?;
        answers.sort_unstable_by_key(|(k, _)| *k);
        let answers: Vec<&[u8]> = answers.iter().map(|(_, bytes)| &bytes[..]).collect();
        exchange.give(&answers)?;
    }
}

/// The bytes of a request, or those that the file has of them.
async fn read(path: &Path, request: &Request) -> std::io::Result<Vec<u8>> {
    let mut file = tokio::fs::File::open(path).await?;
    file.seek(SeekFrom::Start(request.range.start)).await?;
    let mut bytes = Vec::new();
    file.take(request.range.end - request.range.start).read_to_end(&mut bytes).await?;
    Ok(bytes)
}
