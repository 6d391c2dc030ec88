//! Python with the reference implementation, in a virtual environment below target/xtask.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::debian;
use crate::command;
use crate::error::{About, Error, Result};
use crate::process;
use crate::project::Project;

/// Pinned, since the tests depend on what this version writes.
pub const REFERENCE: &str = "blosc2==4.14.1";
const PACKAGES: &[&str] = &[REFERENCE, "numpy"];
/// Other readers of compressed arrays, for benchmarks.
const PEERS: &[&str] =
    &[REFERENCE, "numpy", "zarr==3.1.6", "numcodecs==0.16.6", "h5py==3.16.0", "hdf5plugin==7.1.0"];
/// Notebooks.
const JUPYTER: &[&str] = &[REFERENCE, "numpy", "jupyterlab==4.6.6", "anywidget==0.11.0"];
/// Readers of CSV, JSON, Parquet and Arrow.
const READERS: &[&str] = &[REFERENCE, "numpy", "pandas==3.1.1", "duckdb==2.0.0", "pyarrow==26.0.1"];
/// The packages with which the reference opens URLs.
const REMOTE: &[&str] = &[REFERENCE, "numpy", "fsspec==2026.9.0", "aiohttp==3.14.5"];
/// An S3 server, and a client that fills it.
const S3: &[&str] = &["moto[s3,server]==5.2.5", "boto3==1.44.8"];
/// Linters of texts and workflows.
const LINTERS: &[&str] = &["typos==1.48.0", "zizmor==1.32.0"];
/// The builder of wheels.
const MATURIN: &[&str] = &["maturin==1.16.0"];
const NAMES: &[&str] = &["python3", "python", "python3.14", "python3.13", "python3.12", "python3.11"];
const NEW_ENOUGH: &str = "import sys; sys.exit(sys.version_info < (3, 11))";

/// The interpreter of the environment with the reference.
pub fn with_reference(project: &Project) -> Result<PathBuf> {
    environment(project, "python", PACKAGES)
}

/// The interpreter of the environment with the other readers.
pub fn with_peers(project: &Project) -> Result<PathBuf> {
    environment(project, "peers", PEERS)
}

/// The interpreter of the environment with JupyterLab.
pub fn with_jupyter(project: &Project) -> Result<PathBuf> {
    environment(project, "jupyter", JUPYTER)
}

/// The interpreter of the environment with readers of CSV, JSON, Parquet and Arrow.
pub fn with_readers(project: &Project) -> Result<PathBuf> {
    environment(project, "readers", READERS)
}

/// The interpreter of the environment in which the reference opens URLs.
pub fn with_remote(project: &Project) -> Result<PathBuf> {
    environment(project, "remote", REMOTE)
}

/// The interpreter of the environment with an S3 server.
pub fn with_s3(project: &Project) -> Result<PathBuf> {
    environment(project, "s3", S3)
}

/// The folder with typos and zizmor.
pub fn linters(project: &Project) -> Result<PathBuf> {
    environment(project, "linters", LINTERS).map(|python| python.with_file_name(""))
}

/// The interpreter of the environment with maturin.
pub fn with_maturin(project: &Project) -> Result<PathBuf> {
    environment(project, "maturin", MATURIN)
}

fn environment(project: &Project, name: &str, packages: &[&str]) -> Result<PathBuf> {
    // Steps of several queues need one.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    let home = project.cache(name);
    let python = python(&home);
    let stamp = home.join("installed.txt");
    let wanted = packages.join("\n");
    if python.exists() && fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    create(project, &home)?;
    // Python compiles what is imported, a small part of what is installed.
    let install = ["-m", "pip", "install", "--disable-pip-version-check", "--no-input", "--no-compile"];
    let missing =
        format!("pip could not install {}: the Python Package Index must be reachable", packages.join(" "));
    process::run(project, command::command(&python, install).args(packages))
        .map_err(|error| Error { sentence: missing, output: error.output })?;
    fs::write(&stamp, wanted).about(stamp.display())?;
    Ok(python)
}

/// Makes the environment, with pip.
fn create(project: &Project, home: &Path) -> Result {
    let system = NAMES
        .iter()
        .find(|name| command::ask(&mut command::command(name, ["-c", NEW_ENOUGH])).is_some())
        .ok_or_else(|| {
            Error::new("Python 3.11 or later is missing: `apt-get install python3` installs it on Debian")
        })?;
    let venv = |options: &[&str]| {
        let mut venv = command::command(system, ["-m", "venv", "--clear"]);
        process::run(project, venv.args(options).arg(home))
    };
    // Debian's python3 has no ensurepip, which would install pip.
    if command::ask(&mut command::command(system, ["-c", "import ensurepip"])).is_some() {
        return venv(&[]).map(drop);
    }
    venv(&["--without-pip"])?;
    let wheel = debian_pip(project)?;
    // A wheel can be run as it is.
    let install = [wheel.join("pip").as_os_str(), "install".as_ref(), wheel.as_os_str()].map(OsStr::to_owned);
    process::run(project, &mut command::command(python(home), install)).map(drop)
}

/// The wheel of pip in Debian's package for virtual environments.
fn debian_pip(project: &Project) -> Result<PathBuf> {
    let root = debian::unpack(project, "pip", &["python3-pip-whl"])?;
    let folder = root.path().join("usr/share/python-wheels");
    let entries = fs::read_dir(&folder).about(folder.display())?;
    let mut wheels = entries.flatten().map(|entry| entry.path());
    let pip =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.display().to_string().starts_with("pip-"));
    wheels.find(pip).ok_or_else(|| Error::new(format!("{} has no pip", folder.display())))
}

/// The interpreter of an environment.
fn python(home: &Path) -> PathBuf {
    home.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" })
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use crate::project::Project;

    const FOLDERS: &[&str] = &["benches", "tests", "www/bench", "www/test", "www/viewer"];
    /// The module itself, scripts that write no file, and those for earlier releases.
    const OTHERS: &[&str] = &[
        "explicit.py",
        "remote_read.py",
        "told.py",
        "tool.py",
        "edits.py",
        "logs.py",
        "written_arrays.py",
        "frames.py",
        "read_back.py",
        "sitecustomize.py",
        "old_blosc2.py",
        "old_common.py",
    ];

    /// Scripts must set all parameters that affect a file, because the reference's defaults depend on the processor.
    #[test]
    fn scripts_that_use_the_reference_keep_it_from_choosing() {
        let project = Project::open(false).unwrap();
        let mut scripts = Vec::new();
        FOLDERS.iter().for_each(|folder| find(&project.root.join(folder), &mut scripts));
        scripts.retain(|script| !OTHERS.iter().any(|name| script.ends_with(name)));
        let mut checked = 0;
        for script in scripts {
            let text = fs::read_to_string(&script).unwrap();
            let at = |start| text.lines().position(|line: &str| line.starts_with(start));
            if let Some(reference) = at("import blosc2") {
                let first = at("import explicit").filter(|explicit| *explicit < reference);
                let shared = at("from reference import").or(at("import reference"));
                assert!(first.or(shared).is_some(), "{} must import explicit", script.display());
                checked += 1;
            }
        }
        assert!(checked > 10, "{checked} scripts");
    }

    fn find(folder: &Path, scripts: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("node_modules") {
                find(&path, scripts);
            } else if path.extension().is_some_and(|extension| extension == "py") {
                scripts.push(path);
            }
        }
    }
}
