//! Arrays and stores, written by the reference implementation and read by the tool from an S3 server.

use super::interop::{self, single_threaded};
use super::unit;
use crate::command::command;
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup::python;

const SCRIPT: &str = "tests/s3/s3.py";
/// About 200 arrays and super-chunks, and, of this many stores, 50 that are archives or frames.
const ARRAYS: &[&str] = &["--seed", "31", "--count", "240", "--zfp", "10"];
const STORES: &[&str] = &["--count", "80"];

pub fn s3(project: &Project) -> Result {
    let (reference, server) = (python::with_reference(project)?, python::with_s3(project)?);
    let [arrays, stores] = ["s3-arrays", "s3-stores"].map(|name| project.target.join(name));
    for (folder, script, choice) in [(&arrays, interop::SCRIPT, ARRAYS), (&stores, interop::STORES, STORES)] {
        interop::empty(folder)?;
        run(project, single_threaded(&reference, script).arg(folder).args(choice))?;
    }
    run(project, command(&server, [SCRIPT]).arg(unit::tool(project)?).arg(arrays).arg(stores)).map(drop)
}
