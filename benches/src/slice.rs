//! Slices of arrays written by the reference, from memory and from cached files.

mod parts;

use std::path::Path;

use b2nd::{DParams, ReadAt, Reader, Selection};
use peak_alloc::PeakAlloc;

use crate::MEMORY;
use crate::case::Case;
use crate::error::{Error, Result};
use crate::reference::{Array, c_path};
use crate::run::{BUDGET, Run, group};
use crate::timing::compare;
use parts::{Kind, Part};

/// The prepared files: names, codecs and filters.
const FILES: &[(&str, &str, &str)] = &[
    ("2d zstd", "zstd", "shuffle"),
    ("3d lz4", "lz4", "bitshuffle"),
    ("4d lz4", "lz4", "shuffle"),
    ("5d blosclz", "blosclz", "shuffle"),
    ("3d zfp acc", "zfp", "none"),
    ("2d zfp prec", "zfp", "none"),
    ("4d zfp rate", "zfp", "none"),
];

pub fn slice(run: &mut Run) -> Result {
    for &(name, codec, filters) in FILES {
        let path = run.files.join(format!("{name}.b2nd"));
        if !parts::KINDS
            .iter()
            .any(|kind| run.wants(&label(name, kind, "memory")) || run.wants(&label(name, kind, "file")))
        {
            continue;
        }
        let bytes =
            std::fs::read(&path).map_err(|error| Error::new(format!("{}: {error}", path.display())))?;
        let mut cases = from_memory(run, name, &bytes)?;
        cases.extend(from_file(run, name, &path)?);
        for case in cases {
            run.cases.push(case.with("codec", codec).with("filters", filters));
        }
    }
    Ok(())
}

fn label(name: &str, kind: &Kind, source: &str) -> String {
    format!("{name}, {}, {source}", kind.name())
}

fn from_memory(run: &Run, name: &str, bytes: &[u8]) -> Result<Vec<Case>> {
    let reader = Reader::open(bytes, DParams::default())?;
    let theirs = [1, 2].map(|threads| run.reference.array_in(bytes.to_vec(), threads));
    let [one, two] = theirs;
    measure(run, name, "memory", &reader, &[one?, two?])
}

fn from_file(run: &Run, name: &str, path: &Path) -> Result<Vec<Case>> {
    let reader = b2nd::open(path)?;
    let path = c_path(path)?;
    let theirs = [1, 2].map(|threads| run.reference.open_array(&path, threads));
    let [one, two] = theirs;
    measure(run, name, "file", &reader, &[one?, two?])
}

fn measure<S: ReadAt + Sync>(
    run: &Run,
    name: &str,
    source: &str,
    reader: &Reader<S>,
    theirs: &[Array<'_>; 2],
) -> Result<Vec<Case>>
where
    S::Error: core::error::Error + Send,
{
    let array = reader.layout()?.ok_or_else(|| Error::new(format!("{name} is not an array")))?;
    let mut cases = Vec::new();
    for kind in parts::KINDS {
        let name = label(name, kind, source);
        if kind.axis().is_some_and(|axis| axis >= array.shape().len()) || !run.wants(&name) {
            continue;
        }
        let parts = kind.parts(&array.shape(), array.itemsize() as usize);
        let case = compare_parts(name, reader, theirs, &parts)?;
        eprintln!("{:>6.2}  {:<10} {}", case.ratio(), case.group, case.name);
        cases.push(case);
    }
    Ok(cases)
}

fn compare_parts<S: ReadAt + Sync>(
    name: String,
    reader: &Reader<S>,
    theirs: &[Array<'_>; 2],
    parts: &[Part],
) -> Result<Case>
where
    S::Error: core::error::Error + Send,
{
    let [one, two] = theirs;
    let mut ours = vec![1; parts[0].nbytes];
    let mut boxed = vec![2; parts[0].box_nbytes];
    let mut picked = vec![3; parts[0].nbytes];
    let mut extra = 0;
    for part in parts {
        extra = extra.max(memory_besides(|| read(reader, &part.selection, &mut ours))?);
        part.read(one, &mut boxed, &mut picked)?;
        if ours != part.result(&boxed, &picked) {
            return Err(Error::new(format!("{name}: the results differ")));
        }
    }
    let mut all = |array: &Array<'_>| {
        for part in parts {
            part.read(array, &mut boxed, &mut picked).expect("it has read before");
        }
    };
    let each = parts.len() as f64;
    let mut by_two = vec![4; parts[0].nbytes];
    for part in parts {
        read(reader, &part.selection, &mut ours)?;
        read_parallel(reader, &part.selection, &mut by_two)?;
        if ours != by_two {
            return Err(Error::new(format!("{name}: the results of two threads differ")));
        }
    }
    let threads = compare(
        BUDGET / 2,
        || {
            parts.iter().for_each(|part| {
                read_parallel(reader, &part.selection, &mut by_two).expect("it has read before");
            });
        },
        || all(two),
    );
    drop(by_two);
    let times = compare(
        BUDGET,
        || {
            parts
                .iter()
                .for_each(|part| read(reader, &part.selection, &mut ours).expect("it has read before"))
        },
        || all(one),
    );
    Ok(Case::new(&group("slice"), name, times.of(each))
        .with_two_threads(threads.of(each))
        .with("nbytes_out", parts[0].nbytes)
        .with("extra_bytes", extra))
}

/// Plans and reads a slice.
fn read<S: ReadAt>(reader: &Reader<S>, selection: &Selection, out: &mut [u8]) -> Result
where
    S::Error: core::error::Error,
{
    let plan = reader.plan(selection)?;
    Ok(reader.get_into(&plan, out)?)
}

/// Plans and reads a slice with two threads.
fn read_parallel<S: ReadAt + Sync>(reader: &Reader<S>, selection: &Selection, out: &mut [u8]) -> Result
where
    S::Error: core::error::Error + Send,
{
    let plan = reader.plan(selection)?;
    Ok(reader.get_parallel_into(&plan, out)?)
}

/// Peak memory during `work`, minus what was in use before.
fn memory_besides(work: impl FnOnce() -> Result) -> Result<usize> {
    let memory: &PeakAlloc = &MEMORY;
    memory.reset_peak_usage();
    let before = memory.current_usage();
    work()?;
    Ok(memory.peak_usage().saturating_sub(before))
}
