//! The manifest's promises: all feature combinations, and the minimum Rust version.

use super::capi;
use crate::command::{apart, ask, cargo, command, unoptimized};
use crate::error::Result;
use crate::process::run;
use crate::project::Project;
use crate::setup;

/// Features are additive: the library compiles with none, with all, with each alone, and with sets that tell any two apart.
/// `tests/features.rs`, which is written for no features, compiles with none and with all.
pub fn features(project: &Project) -> Result {
    let features = project.features();
    for set in [String::new(), features.join(",")] {
        check(project, &["--lib"], &set)?;
        check(project, &["--test", "features"], &set)?;
    }
    features.iter().try_for_each(|feature| check(project, &["--lib"], feature))?;
    mixed(&features).iter().try_for_each(|set| check(project, &["--lib"], set))
}

fn check(project: &Project, target: &[&str], features: &str) -> Result {
    let mut check = cargo(["check", "--package", "b2nd", "--no-default-features", "--features", features]);
    run(project, apart(&project.target, unoptimized(check.args(target)))).map(drop)
}

/// Few sets of features: for each two there is one with the first only, one with the second only, and one without
/// both. Each feature has three of the bits of a number of its own, and each bit makes a set.
fn mixed(features: &[&str]) -> Vec<String> {
    let numbers: Vec<u32> =
        (0..).filter(|number: &u32| number.count_ones() == 3).take(features.len()).collect();
    let bits = numbers.last().map_or(0, |last| u32::BITS - last.leading_zeros());
    let with = |bit| features.iter().zip(&numbers).filter(move |(_, number)| *number >> bit & 1 == 1);
    (0..bits).map(|bit| with(bit).map(|(feature, _)| *feature).collect::<Vec<_>>().join(",")).collect()
}

/// The minimum version compiles the library and the libraries for C.
pub fn msrv(project: &Project) -> Result {
    let toolchain = oldest(project)?;
    for choice in [&[][..], &["--no-default-features"]] {
        check_by(project, toolchain.as_deref(), choice)?;
    }
    capi::msrv(project, toolchain.as_deref())
}

/// It compiles the tool, and the library with all features. They hide what stands in for some of them.
pub fn msrv_tool(project: &Project) -> Result {
    let tool = ["--package", "b2nd-cli", "--features", &project.all_features()];
    check_by(project, oldest(project)?.as_deref(), &tool)
}

/// The toolchain of the minimum version, as an argument for cargo. `None` if it is the one in use.
fn oldest(project: &Project) -> Result<Option<String>> {
    let version = project.rust_version()?;
    let current = ask(&mut command("rustc", ["--version"])).unwrap_or_default();
    if current.starts_with(&format!("rustc {version}.")) {
        return Ok(None);
    }
    Ok(Some(format!("+{}", setup::toolchain(project, version)?)))
}

fn check_by(project: &Project, toolchain: Option<&str>, choice: &[&str]) -> Result {
    let mut check = cargo(toolchain);
    check.args(["check", "--package", "b2nd"]).args(choice);
    run(project, apart(&project.target, unoptimized(&mut check))).map(drop)
}

#[cfg(test)]
mod tests {
    use super::mixed;

    #[test]
    fn any_two_features_are_apart_and_left_out_together() {
        let names: Vec<String> = (0..40).map(|k| k.to_string()).collect();
        let features: Vec<&str> = names.iter().map(String::as_str).collect();
        let sets = mixed(&features);
        let sets: Vec<Vec<&str>> = sets.iter().map(|set| set.split(',').collect()).collect();
        assert!(sets.len() < 10);
        for (at, one) in features.iter().enumerate() {
            for other in &features[at + 1..] {
                for expected in [[true, false], [false, true], [false, false]] {
                    assert!(sets.iter().any(|set| [set.contains(one), set.contains(other)] == expected));
                }
            }
        }
    }
}
