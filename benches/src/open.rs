//! Opening files, with and without decoding the last chunk.

use std::fs;
use std::hint::black_box;

use crate::case::Case;
use crate::error::{Error, Result};
use crate::reference::c_path;
use crate::run::{BUDGET, Run};
use crate::timing::compare;

/// File name, number of chunks, uncompressed bytes per chunk.
const FRAMES: &[(&str, i64, usize)] = &[
    ("zeros", 1, 4096),
    ("zeros", 1_000, 4096),
    ("zeros", 1_000_000, 4096),
    ("small", 1, 128),
    ("small", 100, 128),
    ("small", 10_000, 128),
];
const ARRAYS: &[&str] = &["2d zstd", "5d blosclz"];

pub fn open(run: &mut Run) -> Result {
    for &(kind, count, nbytes) in FRAMES {
        let frame = Frame { file: format!("{kind}-{count}.b2frame"), last: count - 1, nbytes };
        let name = format!("{count} {kind} chunks");
        alone(run, &frame.file, name.clone() + ", header", false)?;
        frame.with_chunk(run, name + ", to the last chunk")?;
    }
    for array in ARRAYS {
        alone(run, &format!("{array}.b2nd"), format!("array {array}"), true)?;
    }
    Ok(())
}

/// Times opening and closing as an array or a super-chunk.
fn alone(run: &mut Run, file: &str, name: String, array: bool) -> Result {
    if !run.wants(&name) {
        return Ok(());
    }
    let path = run.files.join(file);
    let c = c_path(&path)?;
    let times = compare(
        BUDGET / 2,
        || drop(black_box(b2nd::open(&path).expect("set-up has written it"))),
        || {
            if array {
                drop(black_box(run.reference.open_array(&c, 1).expect("set-up has written it")));
            } else {
                drop(black_box(run.reference.open_schunk(&c).expect("set-up has written it")));
            }
        },
    );
    let case = Case::new("open", name, times).with("file_bytes", fs::metadata(&path)?.len());
    run.record(case);
    Ok(())
}

struct Frame {
    file: String,
    last: i64,
    nbytes: usize,
}

impl Frame {
    fn with_chunk(&self, run: &mut Run, name: String) -> Result {
        if !run.wants(&name) {
            return Ok(());
        }
        let path = run.files.join(&self.file);
        let c = c_path(&path)?;
        let mut theirs = vec![2; self.nbytes];
        let ours = || b2nd::open(&path).and_then(|reader| reader.chunk(self.last as u64));
        let mut reference = || run.reference.open_schunk(&c)?.chunk(self.last, &mut theirs);
        reference()?;
        let mine = ours()?;
        let times = compare(
            BUDGET / 2,
            || drop(black_box(ours().expect("it has read before"))),
            || reference().expect("it has read before"),
        );
        if mine != theirs {
            return Err(Error::new(format!("{name}: the results differ")));
        }
        run.record(Case::new("open", name, times).with("file_bytes", fs::metadata(&path)?.len()));
        Ok(())
    }
}
