//! Indexes of the root's files, which the packages' own scripts would make at installation.

use std::path::Path;

use super::{script, tree};
use crate::command;
use crate::error::{Error, Result};

/// A program and the directory that it makes an index of; `*` is the directory of the architecture.
const PROGRAMS: &[(&str, &str)] = &[
    // GTK recognizes its pictures by it, and ends without.
    ("usr/bin/update-mime-database", "usr/share/mime"),
    ("usr/lib/*/glib-2.0/glib-compile-schemas", "usr/share/glib-2.0/schemas"),
];

pub fn write(root: &Path) -> Result {
    let own = tree::architecture(root)?;
    let name = own.file_name().unwrap_or_default().display().to_string();
    let environment = script::environment(root)?;
    for (program, folder) in PROGRAMS {
        let (program, folder) = (root.join(program.replace('*', &name)), root.join(folder));
        if !program.exists() || !folder.exists() {
            continue;
        }
        let mut index = command::command(&program, [&folder]);
        index.envs(environment.iter().map(|(name, value)| (name, value)));
        if command::ask(&mut index).is_none() {
            return Err(Error::new(format!("{} failed for {}", program.display(), folder.display())));
        }
    }
    Ok(())
}
