//! Sizes of programs.

use std::fs;

use miniz_oxide::deflate::compress_to_vec;
use serde_json::{Value, json};

use crate::failure::Result;
use crate::run::Run;

/// Bytes of gzip's header and trailer.
const GZIP: usize = 18;

pub struct Size {
    pub name: String,
    pub bytes: usize,
    pub gzipped: usize,
}

impl Size {
    pub fn to_json(&self) -> Value {
        json!({ "name": self.name, "bytes": self.bytes, "gzipped": self.gzipped })
    }
}

pub fn sizes(run: &mut Run) -> Result {
    for path in &run.programs {
        let program = fs::read(path)?;
        let name = path.file_name().unwrap_or_default().display().to_string();
        let gzipped = compress_to_vec(&program, 9).len() + GZIP;
        run.sizes.push(Size { name, bytes: program.len(), gzipped });
    }
    Ok(())
}
