//! The promise of a version: its API keeps what the last one had, unless its number says otherwise.

use crate::command::{ask, command};
use crate::error::{Error, Result};
use crate::process::run;
use crate::project::Project;
use crate::setup;

use super::typescript;

/// The crates with an API.
const LIBRARIES: [&str; 2] = ["b2nd", "b2nd-refs"];
/// The API for JavaScript, generated from the types.
pub const TYPESCRIPT: &str = "www/API.md";

/// Checks that the version may break what the APIs have broken since the last release, if there is one. `now` is the API for
/// JavaScript. Standard output is for the notes, so remarks are printed on standard error.
pub fn check(project: &Project, version: &str, now: &str) -> Result {
    let Some(last) = last_tag(project, version) else {
        eprintln!("no tag of an earlier release: nothing to compare the APIs with");
        return Ok(());
    };
    javascript(project, version, &last, now)?;
    rust(project, &last)
}

fn last_tag(project: &Project, version: &str) -> Option<String> {
    let this = format!("v{version}");
    let mut describe =
        command("git", ["describe", "--tags", "--abbrev=0", "--match", "v*", "--exclude", &this]);
    ask(describe.current_dir(&project.root))
}

fn rust(project: &Project, last: &str) -> Result {
    let mut check =
        command(setup::semver_checks::program(project)?, ["semver-checks", "--baseline-rev", last]);
    run(project, check.args(LIBRARIES.iter().flat_map(|name| ["--package", name]))).map(drop)
}

fn javascript(project: &Project, version: &str, last: &str, now: &str) -> Result {
    let mut show = command("git", ["show", &format!("{last}:{TYPESCRIPT}")]);
    let Some(before) = ask(show.current_dir(&project.root)) else {
        eprintln!("{last} has no {TYPESCRIPT}: nothing to compare the API for JavaScript with");
        return Ok(());
    };
    let changes = typescript::compare(&before, now);
    // Whether a caller notices, only a reader can tell: an optional parameter breaks nobody.
    changes.changed.iter().for_each(|name| eprintln!("the signature of {name} has changed since {last}"));
    if changes.removed.is_empty() || breaks(last.trim_start_matches('v'), version) {
        return Ok(());
    }
    let removed = changes.removed.join(", ");
    Err(Error::new(format!("{version} must keep what {last} exports to JavaScript, but has no {removed}")))
}

/// Whether a version may break programs for an earlier one: the first number that is not zero is another.
fn breaks(last: &str, version: &str) -> bool {
    let significant = |version: &str| {
        let numbers: Vec<String> = version.split(['.', '-', '+']).take(3).map(str::to_owned).collect();
        let zeros = numbers.iter().take_while(|number| *number == "0").count();
        numbers.into_iter().take(zeros + 1).collect::<Vec<_>>()
    };
    significant(last) != significant(version)
}

#[cfg(test)]
mod tests {
    use super::breaks;

    #[test]
    fn the_first_number_that_is_not_zero_allows_breaking() {
        assert!(breaks("0.1.4", "0.2.0"));
        assert!(breaks("0.9.0", "1.0.0"));
        assert!(breaks("1.9.0", "2.0.0"));
        assert!(breaks("0.0.1", "0.0.2"));
        assert!(!breaks("0.1.0", "0.1.1"));
        assert!(!breaks("1.0.0", "1.1.0"));
    }
}
