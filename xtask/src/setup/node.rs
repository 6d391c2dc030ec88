//! Node.js, and the npm packages for www/.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::command;
use crate::error::{About, Error, Result};
use crate::process;
use crate::project::Project;
use crate::stamp;

/// The oldest version that the package supports.
const OLDEST: u32 = 20;
const MISSING: &str = "Node.js 20 or newer with its npm is missing: the system's package manager or the project's own \
                       site has it";

/// `node` with a script of the project.
pub fn node(project: &Project, script: &str) -> Command {
    command::command("node", [project.root.join(script)])
}

/// Installs www/node_modules if needed. Returns its path.
pub fn packages(project: &Project) -> Result<PathBuf> {
    install(project, &project.root.join("www"))
}

/// Installs docs/node_modules if needed. Returns the directory of the documentation.
pub fn documentation(project: &Project) -> Result<PathBuf> {
    let docs = project.root.join("docs");
    install(project, &docs)?;
    Ok(docs)
}

/// Installs the bundlers and runtimes for tests if needed. They have many files and are stored below target/xtask. Returns the
/// directory.
pub fn bundlers(project: &Project) -> Result<PathBuf> {
    let list = project.root.join("www/test/bundlers/tools");
    let home = project.cache("bundlers");
    fs::create_dir_all(&home).about(home.display())?;
    for file in ["package.json", "package-lock.json", ".npmrc"] {
        fs::copy(list.join(file), home.join(file)).about(list.join(file).display())?;
    }
    install(project, &home)?;
    Ok(home)
}

/// Installs the packages of a lock file beside it.
fn install(project: &Project, home: &Path) -> Result<PathBuf> {
    check_node()?;
    let lock = home.join("package-lock.json");
    let wanted = fs::read_to_string(&lock).about(lock.display())?;
    let modules = home.join("node_modules");
    // npm empties the directory first, so the stamp exists only after a complete installation.
    let stamp = modules.join(".installed-from.json");
    if stamp::holds(&stamp, &wanted) {
        return Ok(modules);
    }
    // npm reads the .npmrc of this directory.
    let mut npm = command::command("npm", ["--prefix".as_ref(), home.as_os_str(), "ci".as_ref()]);
    process::run(project, &mut npm).map_err(|error| Error {
        sentence: format!(
            "npm could not install the packages of {}: npm's registry must be reachable, and the lock must agree with the \
             package.json beside it",
            lock.display()
        ),
        output: error.output,
    })?;
    stamp::write(&stamp, &wanted)?;
    Ok(modules)
}

fn check_node() -> Result {
    let version = command::ask(&mut command::command("node", ["--version"])).and_then(|text| major(&text));
    let npm = command::ask(&mut command::command("npm", ["--version"]));
    if version.is_some_and(|major| major >= OLDEST) && npm.is_some() {
        Ok(())
    } else {
        Err(Error::new(MISSING))
    }
}

/// 20 for `v20.1.2`.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_version_has_a_major_part() {
        assert_eq!(super::major("v20.20.2"), Some(20));
        assert_eq!(super::major("nonsense"), None);
    }

    /// npm writes the registry's address if it is configured differently.
    #[test]
    fn the_locks_name_no_host() {
        let locks = [
            include_str!("../../../docs/package-lock.json"),
            include_str!("../../../www/package-lock.json"),
            include_str!("../../../www/test/bundlers/tools/package-lock.json"),
        ];
        assert!(locks.iter().all(|lock| !lock.contains("\"resolved\": \"http")));
    }
}
