//! What every group needs to run, and what it leaves behind.

use std::path::PathBuf;
use std::time::Duration;

use crate::case::Case;
use crate::reference::Reference;
use crate::sizes::Size;

pub const BUDGET: Duration = Duration::from_millis(320);

pub struct Run {
    pub reference: Reference,
    /// Where the set-up step has put the files.
    pub files: PathBuf,
    /// Parts that the names of the cases to run have.
    pub only: Vec<String>,
    /// Programs whose size is asked for.
    pub programs: Vec<PathBuf>,
    pub cases: Vec<Case>,
    pub sizes: Vec<Size>,
}

impl Run {
    pub fn wants(&self, name: &str) -> bool {
        self.only.iter().all(|part| name.contains(part))
    }

    /// Keeps the case; says so, since the next may take a while.
    pub fn record(&mut self, case: Case) {
        eprintln!("{:>6.2}  {:<10} {}", case.ratio(), case.group, case.name);
        self.cases.push(case);
    }
}

/// The group's name; with libzstd it is another group.
pub fn group(name: &str) -> String {
    if cfg!(feature = "zstd-safe") { format!("{name}, zstd-safe") } else { name.into() }
}
