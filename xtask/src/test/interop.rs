//! Random files, written by the reference implementation and read by the tool; and random chunks and arrays, written by the
//! library and by the npm package, and read by the reference.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::unit;
use crate::build;
use crate::command::{cargo, command};
use crate::error::{About, Result};
use crate::process::run;
use crate::project::Project;
use crate::setup::{node, python};
use crate::stamp;

pub(super) const SCRIPT: &str = "tests/interop/random_files.py";
/// Reads what the library wrote.
const READER: &str = "tests/interop/read_back.py";
/// Reads those that C-Blosc reads.
const BLOSC1: &str = "tests/interop/blosc1.py";
/// Repeats the changes that the library made to arrays.
const EDITS: &str = "tests/interop/edits.py";
/// Reads the frames that the library wrote.
const FRAMES: &str = "tests/interop/frames.py";
/// Writes arrays with the npm package, in the form that `FRAMES` reads.
const JAVASCRIPT: &str = "www/test/interop/write.mjs";
const ARRAYS: &str = "1000";
/// Reads arrays with ZFP with the npm package.
const ZFP: &str = "www/test/interop/zfp.mjs";
/// Compares the chunks with ZFP that the tool writes with the reference's.
const WRITTEN_ZFP: &str = "tests/interop/written_zfp.py";
/// Compares the npm package's command with the tool.
const COMMAND: &str = "www/test/interop/tool.mjs";
/// Reads the dtypes that the library built.
const DTYPES: &str = "tests/interop/dtypes.py";
/// Reads the logs that the library and the firmware wrote.
const LOGS: &str = "tests/interop/logs.py";
/// Sends packets that the tool collects.
const STREAMS: &str = "tests/interop/streams.py";
/// Reads what the tool wrote.
const TOOL: &str = "tests/interop/tool.py";
/// Directories of the script's modules; it shares those of the corpus.
const MODULES: &[&str] = &["tests/interop", "tests/golden"];
/// Changes stores in turn with the tool and the reference.
const CHANGED_STORES: &str = "tests/interop/changed_stores.py";
/// Reads the tables that the tool makes, and appends to them.
const WRITTEN_TABLES: &str = "tests/interop/written_tables.py";
/// Makes tables of Parquet and Arrow with the tool, and reads the Parquet and Arrow that it makes of tables.
const EXCHANGED_TABLES: &str = "tests/interop/exchanged_tables.py";
/// Evaluates expressions as NumPy, and lazy arrays.
const EXPRESSIONS: &str = "tests/interop/expressions.py";
/// Reads the sequences of objects that the tool makes.
const WRITTEN_OBJECTS: &str = "tests/interop/written_objects.py";
/// Writes stores.
pub(super) const STORES: &str = "tests/interop/stores.py";
/// Writes arrays, and what NumPy takes of them.
const INDEXING: &str = "tests/interop/indexing.py";
/// Writes sequences of objects.
const OBJECTS: &str = "tests/interop/objects.py";
/// Writes tables.
const TABLES: &str = "tests/interop/tables.py";
/// Reads with pandas and DuckDB what the tool and the command print.
const TEXTS: &str = "tests/interop/texts.py";
const CHOICE: &[&str] = &["--seed", "20", "--count", "2000", "--zfp", "300"];

pub fn interop(project: &Project) -> Result {
    let files = project.target.join("interop");
    write(project, &files)?;
    run(project, ignored(&["interop::"]).arg("--nocapture").env("B2ND_INTEROP", &files))?;
    build::package(project)?;
    run(project, node::node(project, ZFP).arg(&files))?;
    stores_and_arrays(project)?;
    objects_and_tables(project)?;
    read_back(project)?;
    javascript(project)?;
    exchanged_tables(project)
}

/// Exchanges tables with readers of Parquet and Arrow.
fn exchanged_tables(project: &Project) -> Result {
    let tool = project.target.join("debug").join("b2nd");
    let folder = project.target.join("interop-exchanged");
    let readers = python::with_readers(project)?;
    run(project, single_threaded(&readers, EXCHANGED_TABLES).arg(tool).arg(folder)).map(drop)
}

/// Checks what the npm package writes: with the reference, and against the bytes that the library writes.
fn javascript(project: &Project) -> Result {
    let folder = project.target.join("interop-javascript");
    empty(&folder)?;
    build::package(project)?;
    run(project, node::node(project, JAVASCRIPT).arg(&folder).arg(ARRAYS))?;
    let python = python::with_reference(project)?;
    run(project, single_threaded(&python, FRAMES).arg(&folder))?;
    run(project, ignored(&["javascript::"]).env("B2ND_WRITTEN", &folder))?;
    // The tests before have built the tool.
    let tool = project.target.join("debug").join("b2nd");
    run(project, node::node(project, COMMAND).arg(&tool).arg(project.root.join("tests/golden")))?;
    let mut texts = single_threaded(&python::with_readers(project)?, TEXTS);
    texts.arg(project.target.join("interop-texts")).arg(tool);
    run(project, texts.arg("node").arg(project.root.join("www/dist/cli.js"))).map(drop)
}

pub(super) fn empty(folder: &Path) -> Result {
    if folder.exists() {
        fs::remove_dir_all(folder).about(folder.display())?;
    }
    fs::create_dir_all(folder).about(folder.display())
}

/// Reads stores that the reference writes, and takes of its arrays what NumPy takes.
fn stores_and_arrays(project: &Project) -> Result {
    build::package(project)?;
    let python = python::with_reference(project)?;
    for (script, variable, test, javascript) in [
        (STORES, "B2ND_STORES", "stores", "www/test/store.test.mjs"),
        (INDEXING, "B2ND_INDEXING", "numpy", "www/test/indexing.test.mjs"),
    ] {
        let folder = project.target.join("interop-".to_owned() + test);
        empty(&folder)?;
        run(project, single_threaded(&python, script).arg(&folder))?;
        run(project, ignored(&[&format!("{test}::")]).env(variable, &folder))?;
        let mut javascript = node::node(project, javascript);
        javascript.env("B2ND_GOLDEN", project.root.join("tests/golden"));
        run(project, javascript.env(variable, &folder))?;
    }
    Ok(())
}

/// Reads sequences of objects and tables that the reference writes.
fn objects_and_tables(project: &Project) -> Result {
    let python = python::with_reference(project)?;
    let mut test = ignored(&["objects::", "tables::", "cli::"]);
    let mut javascript = node::node(project, "www/test/table.test.mjs");
    javascript.env("B2ND_GOLDEN", project.root.join("tests/golden"));
    for (script, name, variable) in [(OBJECTS, "objects", "B2ND_OBJECTS"), (TABLES, "tables", "B2ND_TABLES")]
    {
        let folder = project.target.join("interop-".to_owned() + name);
        empty(&folder)?;
        run(project, single_threaded(&python, script).arg(&folder))?;
        test.env(variable, &folder);
        javascript.env(variable, &folder);
    }
    run(project, &mut test)?;
    build::package(project)?;
    run(project, &mut javascript).map(drop)
}

/// Checks with the reference what the library and the tool write.
fn read_back(project: &Project) -> Result {
    let folder = project.target.join("interop-written");
    empty(&folder)?;
    let writers =
        ["written::", "frames::", "edits::", "dtypes::", "logs::", "cards::cards_for_the_reference"];
    run(project, ignored(&writers).env("B2ND_WRITTEN", &folder))?;
    let python = python::with_reference(project)?;
    for script in [READER, FRAMES, EDITS, DTYPES, LOGS] {
        run(project, single_threaded(&python, script).arg(&folder))?;
    }
    run(project, single_threaded(&python::with_peers(project)?, BLOSC1).arg(&folder))?;
    // The tests above have built the tool.
    let tool = project.target.join("debug").join("b2nd");
    run(project, single_threaded(&python, CHANGED_STORES).arg(&tool).arg(folder.join("stores")))?;
    run(
        project,
        single_threaded(&python, WRITTEN_TABLES)
            .arg(&tool)
            .arg(folder.join("tables"))
            .args(["--count", "25"]),
    )?;
    run(project, single_threaded(&python, EXPRESSIONS).arg(&tool).arg(folder.join("expressions")))?;
    run(project, single_threaded(&python, WRITTEN_OBJECTS).arg(&tool).arg(folder.join("objects")))?;
    run(project, single_threaded(&python, STREAMS).arg(&tool).arg(folder.join("streams")))?;
    run(project, single_threaded(&python, WRITTEN_ZFP).arg(&tool).arg(folder.join("zfp")))?;
    run(project, single_threaded(&python, TOOL).arg(tool).arg(folder.join("tool"))).map(drop)
}

/// A script of the reference, with one thread: for arrays as small as these, starting more takes most of the time.
pub(super) fn single_threaded(python: &Path, script: &str) -> Command {
    let mut command = command(python, [script]);
    command.env("BLOSC_NTHREADS", "1");
    command
}

/// Tests of the library and the tool that need the reference, with these words in their names.
fn ignored(words: &[&str]) -> Command {
    let mut test = cargo(unit::TESTS);
    test.args(["--test", "library", "--test", "tool", "--", "--ignored"]).args(words);
    test
}

/// Writes the files, unless these versions of the scripts already did.
fn write(project: &Project, files: &Path) -> Result {
    let python = python::with_reference(project)?;
    let stamp = project.cache("interop.txt");
    let wanted = format!("{:016x} {} {}", version(project)?, CHOICE.join(" "), python::REFERENCE);
    if files.exists() && stamp::holds(&stamp, &wanted) {
        return Ok(());
    }
    if files.exists() {
        fs::remove_dir_all(files).about(files.display())?;
    }
    run(project, single_threaded(&python, SCRIPT).arg(files).args(CHOICE))?;
    stamp::write(&stamp, &wanted)
}

/// A hash of the scripts.
fn version(project: &Project) -> Result<u64> {
    let mut scripts = Vec::new();
    for folder in MODULES {
        find_scripts(&project.root.join(folder), &mut scripts)?;
    }
    scripts.sort();
    let mut text = Vec::new();
    for script in &scripts {
        text.extend(fs::read(script).about(script.display())?);
    }
    Ok(stamp::hash(&text))
}

fn find_scripts(folder: &Path, scripts: &mut Vec<PathBuf>) -> Result {
    for entry in fs::read_dir(folder).about(folder.display())? {
        let path = entry.about(folder.display())?.path();
        if path.is_dir() {
            find_scripts(&path, scripts)?;
        } else if path.extension().is_some_and(|extension| extension == "py") {
            scripts.push(path);
        }
    }
    Ok(())
}
