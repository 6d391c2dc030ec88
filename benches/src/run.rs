//! Input and results of a run.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::case::Case;
use crate::reference::Reference;

pub const BUDGET: Duration = Duration::from_millis(320);

pub struct Run {
    pub reference: Reference,
    /// The directory of the prepared files.
    pub files: PathBuf,
    /// Substrings of the names of cases to run.
    pub only: Vec<String>,
    /// Programs whose size to report.
    pub programs: Vec<PathBuf>,
    pub cases: Vec<Case>,
    pub sizes: Vec<Size>,
}

impl Run {
    pub fn wants(&self, name: &str) -> bool {
        self.only.iter().all(|part| name.contains(part))
    }

    /// Records a case and prints it.
    pub fn record(&mut self, case: Case) {
        eprintln!("{:>6.2}  {:<10} {}", case.ratio(), case.group, case.name);
        self.cases.push(case);
    }
}

/// The name of the group, with a suffix for libzstd.
pub fn group(name: &str) -> String {
    if cfg!(feature = "zstd-safe") { format!("{name}, zstd-safe") } else { name.into() }
}

/// The size of a program.
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
