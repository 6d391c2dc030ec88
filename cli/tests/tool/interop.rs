//! The tool reads what the reference has just written with random parameters, to the byte.
//!
//! `cargo xtask test --only interop` has the reference write the files and sets `B2ND_INTEROP` to their folder.

use crate::common::{Case, cases, golden, sha256};
use std::path::Path;
use std::process::{Command, Output};

#[test]
fn golden_files_through_the_tool() {
    let cases = golden();
    assert_eq!(cases.len(), 1110, "golden files");
    compare(&cases);
}

/// All files that are not damaged, in one call.
#[test]
fn golden_files_are_verified() {
    let is_plain =
        |case: &&Case| case.error().is_none() && case.offset() == 0 && !case.dparams().early_bitshuffle;
    let cases = golden();
    let paths: Vec<_> = cases.iter().filter(is_plain).map(|case| &case.path).collect();
    assert!(paths.len() > 800, "{}", paths.len());
    let verified =
        Command::new(env!("CARGO_BIN_EXE_b2nd")).arg("verify").args(&paths).output().expect("the tool runs");
    let said = String::from_utf8_lossy(&verified.stdout).into_owned();
    let wrong: Vec<_> = said.lines().filter(|line| !line.contains(": good")).collect();
    assert_eq!((verified.status.code(), wrong), (Some(0), vec![]));
    // Frames of frames have a line for each member as well.
    let untold = paths.iter().filter(|path| !said.contains(&*path.to_string_lossy())).count();
    assert_eq!(untold, 0);
}

#[test]
#[ignore = "the reference must write the files first: cargo xtask test --only interop"]
fn random_files_through_the_tool() {
    let folder = std::env::var_os("B2ND_INTEROP").expect("B2ND_INTEROP names the folder of random files");
    let cases = cases(Path::new(&folder), "cases.jsonl");
    assert!(cases.len() >= 2300, "only {} random files", cases.len());
    compare(&cases);
}

/// Every file, whole and in slices, half of them in each of two threads.
fn compare(cases: &[Case]) {
    let (first, second) = cases.split_at(cases.len() / 2);
    let wrong: Vec<String> = std::thread::scope(|scope| {
        let half = scope.spawn(|| first.iter().flat_map(differences).collect::<Vec<_>>());
        let mut wrong: Vec<String> = second.iter().flat_map(differences).collect();
        wrong.extend(half.join().expect("no panic"));
        wrong
    });
    assert!(wrong.is_empty(), "{} differences in {} files:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    println!("{} files are the same to the byte, whole and in slices", cases.len());
}

fn differences(case: &Case) -> Vec<String> {
    if let Some(error) = case.error() {
        // All of it: values that are whole may come before the damage.
        let status = tool("verify", case).output().expect("the tool runs").status.code();
        let expected = Some(if error == "format" { 1 } else { 3 });
        return (status != expected)
            .then(|| format!("{}: status {status:?}", case.name))
            .into_iter()
            .collect();
    }
    let slices = case.slices();
    let check = |(selection, digest): &(String, String)| {
        let output = get(case, selection);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) if sha256(&output.stdout) == *digest => None,
            Some(0) => Some(format!("{} [{selection}]: {} other bytes", case.name, output.stdout.len())),
            status => Some(format!("{} [{selection}]: status {status:?}, {error}", case.name)),
        }
    };
    slices.iter().filter_map(check).collect()
}

fn get(case: &Case, selection: &str) -> Output {
    let mut tool = tool("get", case);
    tool.args(["--format", "raw"]);
    if !selection.is_empty() {
        tool.arg(selection);
    }
    tool.output().expect("the tool runs")
}

/// The tool, about to do something with a file.
fn tool(command: &str, case: &Case) -> Command {
    let mut tool = Command::new(env!("CARGO_BIN_EXE_b2nd"));
    tool.arg(command).arg(&case.path).args(["--offset", &case.offset().to_string()]);
    if case.dparams().early_bitshuffle {
        tool.arg("--early-bitshuffle");
    }
    tool
}
