//! Sizes of programs.

use std::fs;

use miniz_oxide::deflate::compress_to_vec;

use crate::error::Result;
use crate::run::{Run, Size};

/// Bytes of gzip's header and trailer.
const GZIP: usize = 18;

pub fn sizes(run: &mut Run) -> Result {
    for path in &run.programs {
        let program = fs::read(path)?;
        let name = path.file_name().unwrap_or_default().display().to_string();
        let gzipped = compress_to_vec(&program, 9).len() + GZIP;
        run.sizes.push(Size { name, bytes: program.len(), gzipped });
    }
    Ok(())
}
