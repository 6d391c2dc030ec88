//! `cargo xtask bench`: compares this crate with C-Blosc2 in one process (benches/).

mod expressions;
mod remote;
mod sql;
mod tables;
mod wasm;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use crate::arguments::Arguments;
use crate::build;
use crate::command::{ask, cargo, command};
use crate::error::{About, Error, Result};
use crate::process::{run, show};
use crate::project::Project;
use crate::setup::python;
use crate::stamp;

const GROUPS: &[&str] = &["decode", "encode", "auto", "slice", "filters", "open", "sizes"];
/// Groups that use zstd, and the part of the case names that says so.
const WITH_ZSTD: &[&str] = &["decode", "slice"];
const ZSTD: &str = "zstd";
const SCRIPT: &str = "benches/files.py";
/// Compares with other readers; runs only by name.
const PEERS: &str = "peers";
const WASM: &str = "wasm";
const REMOTE: &str = "remote";
const SQL: &str = "sql";
const TABLES: &str = "tables";
const EXPRESSIONS: &str = "expressions";
const EMBEDDED: &str = "embedded";
const SIGNALS: &str = "signals";
const PEERS_SCRIPT: &str = "benches/peers.py";
/// The modules that a page loads.
const MODULES: &[&str] = &["www/dist/b2nd.wasm", "www/dist/b2nd.scalar.wasm"];
const FIND: &str = "import blosc2, pathlib; print(pathlib.Path(blosc2.__file__).parent)";

/// Instruction sets, of which the library uses the widest that there is unless told otherwise.
const KERNELS: &[&str] = &["avx512", "avx2", "sse2", "scalar"];
const USAGE: &str = "usage: cargo xtask bench [decode] [encode] [auto] [slice] [filters] [open] [sizes] [--json] [--only SUBSTR] \
                     [--kernels avx512|avx2|sse2|scalar], or: cargo xtask bench peers [--json], or: cargo xtask bench wasm [--json] [--only SUBSTR], or: cargo \
                     xtask bench embedded|expressions|remote|signals|sql|tables";

pub fn bench(project: &Project, arguments: &Arguments) -> Result<ExitCode> {
    let misused = || Error::new(USAGE);
    let kernels = arguments.kernels.as_deref();
    let plain = !arguments.has("json") && arguments.only.is_empty() && kernels.is_none();
    match &arguments.names()[..] {
        _ if kernels.is_some_and(|kernels| !KERNELS.contains(&kernels)) => return Err(misused()),
        [PEERS] if arguments.only.is_empty() && kernels.is_none() => {
            return peers(project, &arguments.options());
        }
        [WASM] if arguments.only.len() <= 1 && kernels.is_none() => {
            return wasm(project, &arguments.options());
        }
        [EMBEDDED] if plain => return crate::embedded::bench(project),
        [EXPRESSIONS] if plain => return expressions::bench(project),
        [REMOTE] if plain => return remote::bench(project),
        [SQL] if plain => return sql::bench(project),
        [TABLES] if plain => return tables::bench(project),
        [SIGNALS] if plain => return crate::embedded::bench_signals(project),
        groups if groups.iter().all(|group| GROUPS.contains(group)) => {}
        _ => return Err(misused()),
    }
    let (names, json) = (arguments.names(), arguments.has("json"));
    let groups = if names.is_empty() { GROUPS.to_vec() } else { names };
    let python = python::with_reference(project)?;
    let library = find_library(&python)?;
    let files = write_files(project, &python)?;
    let bench = |program: &Path, groups: &[&str]| {
        let mut bench = command(program, ["--library"]);
        bench.arg(&library).arg("--files").arg(&files).args(groups);
        bench.args(arguments.only.iter().flat_map(|only| ["--only", only]));
        // The library reads these variables; the comparison is between single threads.
        bench.env_remove("BLOSC_NTHREADS").env_remove("BLOSC_NOLOCK");
        bench.envs(kernels.map(|kernels| ("B2ND_KERNELS", kernels)));
        bench
    };
    let zstd: Vec<&str> = groups.iter().copied().filter(|group| WITH_ZSTD.contains(group)).collect();
    // Rows for libzstd need another build.
    let mut with = Vec::new();
    if !zstd.is_empty() {
        let program = build_bench(project, &["--features", "zstd-safe"])?;
        let report = run_json(project, bench(&program, &zstd).args(["--only", ZSTD, "--json"]))?;
        let path = project.target.join("bench").join("zstd-safe.json");
        fs::write(&path, report).about(path.display())?;
        with.push(path);
    }
    let program = build_bench(project, &[])?;
    let mut bench = bench(&program, &groups);
    for path in &with {
        bench.arg("--with").arg(path);
    }
    if groups.contains(&"sizes") {
        bench.arg("--program").arg(command_line_tool(project)?);
        build::package(project)?;
        // The text report has a separate table for the modules.
        for module in MODULES.iter().filter(|_| json) {
            bench.arg("--program").arg(project.root.join(module));
        }
    }
    if json {
        bench.arg("--json");
        print!("{}", run_json(project, &mut bench)?);
    } else {
        show(project, &mut bench)?;
        if groups.contains(&"sizes") {
            build::sizes(project)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Compares the npm package with other JavaScript readers.
fn wasm(project: &Project, flags: &[&str]) -> Result<ExitCode> {
    wasm::bench(project, flags)?;
    Ok(ExitCode::SUCCESS)
}

/// Compares this crate with other Python readers of compressed arrays.
fn peers(project: &Project, flags: &[&str]) -> Result<ExitCode> {
    let python = python::with_peers(project)?;
    let program = build_bench(project, &[])?;
    let mut script = command(&python, [PEERS_SCRIPT]);
    script.arg(&program).arg(project.target.join("bench").join(PEERS)).args(flags);
    script.env_remove("BLOSC_NTHREADS").env_remove("BLOSC_NOLOCK");
    print!("{}", run_json(project, &mut script)?);
    Ok(ExitCode::SUCCESS)
}

/// The shared library in the reference's wheel.
fn find_library(python: &Path) -> Result<PathBuf> {
    let package = ask(&mut command(python, ["-c", FIND])).map(PathBuf::from);
    let folder = package.map(|package| package.join("lib"));
    let names = ["libblosc2.so", "libblosc2.dylib", "libblosc2.dll"];
    let found =
        folder.and_then(|folder| names.iter().map(|name| folder.join(name)).find(|path| path.exists()));
    found.ok_or_else(|| {
        Error::new(format!("the wheel of {} has no libblosc2 for this system", python::REFERENCE))
    })
}

/// Writes the files, unless this version of the script already did.
fn write_files(project: &Project, python: &Path) -> Result<PathBuf> {
    let files = project.target.join("bench").join("files");
    let script = project.root.join(SCRIPT);
    let wanted = fs::read_to_string(&script).about(script.display())? + python::REFERENCE;
    let stamp = files.join("written-by.txt");
    if stamp::holds(&stamp, &wanted) {
        return Ok(files);
    }
    if files.exists() {
        fs::remove_dir_all(&files).about(files.display())?;
    }
    run(project, command(python, [SCRIPT]).arg(&files))?;
    stamp::write(&stamp, &wanted)?;
    Ok(files)
}

/// Builds the program, replacing an earlier build.
fn build_bench(project: &Project, features: &[&str]) -> Result<PathBuf> {
    let rustc = ask(&mut command("rustc", ["--version"])).unwrap_or_default();
    let build = ["build", "--release", "--package", "b2nd-bench"];
    run(project, cargo(build).args(features).env("B2ND_RUSTC", rustc))?;
    Ok(executable(project, "b2nd-bench"))
}

/// The tool as shipped, without symbols.
fn command_line_tool(project: &Project) -> Result<PathBuf> {
    let build = ["rustc", "--release", "--package", "b2nd-cli", "--bin", "b2nd"];
    run(project, cargo(build).args(["--", "-Cstrip=symbols"]))?;
    Ok(executable(project, "b2nd"))
}

fn executable(project: &Project, name: &str) -> PathBuf {
    project.target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
}

/// Runs it, with progress on the terminal. Returns its output.
fn run_json(project: &Project, bench: &mut Command) -> Result<String> {
    let output = bench.current_dir(&project.root).stderr(std::process::Stdio::inherit()).output();
    let output = output.about("b2nd-bench")?;
    if !output.status.success() {
        return Err(Error::new("the benchmark failed"));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
