//! Scripts that start unpacked programs, with the environment that they need.

use std::fs;
use std::path::{Path, PathBuf};

use super::tree;
use crate::command;
use crate::error::{About, Error, Result};

/// Where a program looks for its files.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    /// Beside itself, or where variables of the environment say.
    Anywhere,
    /// At absolute paths below /usr.
    Usr,
}

/// Mounts the root's usr over the system's, which the program and those that it starts see, and nobody else.
const MOUNT: &str = "mount -t overlay overlay -o lowerdir=usr:/usr /usr && cd / && exec \"$@\"";
/// Ways to be allowed to do so: as root, who may also where something else is mounted below /usr, or as a user.
const ALLOWED: [&str; 2] = ["unshare --mount", "unshare --user --map-root-user --mount"];
const FORBIDDEN: &str =
    "it finds its parts only in /usr, and this system does not let `unshare` mount anything there";

/// Writes the script, and returns its path.
pub fn write(root: &Path, folder: &Path, program: &str, place: Place) -> Result<PathBuf> {
    let name = Path::new(program).file_name().unwrap_or_default();
    let (script, prefix) = match place {
        Place::Anywhere => (root.join(program), String::new()),
        Place::Usr => (Path::new("/").join(program), mounting(root)?),
    };
    let text = text(root, &prefix, &environment(root)?, &script);
    let path = folder.join(name);
    fs::write(&path, text).about(path.display())?;
    permit(&path).about(path.display())?;
    Ok(path)
}

/// The start of a command in a namespace where /usr is the root's, with the system's behind it.
fn mounting(root: &Path) -> Result<String> {
    let works = |allowed: &&&str| {
        let probe = format!("{allowed} sh -c {} sh true", quote(MOUNT));
        command::ask(command::command("sh", ["-c", &probe]).current_dir(root)).is_some()
    };
    let allowed = ALLOWED.iter().find(works).ok_or_else(|| Error::new(FORBIDDEN))?;
    Ok(format!("{allowed} sh -c {} sh ", quote(MOUNT)))
}

fn text(root: &Path, prefix: &str, environment: &[(&str, String)], program: &Path) -> String {
    let set: String = environment.iter().map(|(name, value)| format!("{name}={} ", quote(value))).collect();
    let (root, program) = (quote(&root.display().to_string()), quote(&program.display().to_string()));
    let start = if prefix.is_empty() { String::new() } else { format!("cd {root} || exit\n") };
    format!("#!/bin/sh\n# Written by `cargo xtask`.\n{start}exec {prefix}env {set}{program} \"$@\"\n")
}

/// The variables for a program, so that it finds the root's files.
pub fn environment(root: &Path) -> Result<Vec<(&'static str, String)>> {
    let own = tree::architecture(root)?;
    let text = |path: PathBuf| path.display().to_string();
    Ok(vec![
        ("LD_LIBRARY_PATH", tree::libraries(root)?),
        ("FONTCONFIG_FILE", text(root.join(FONTS))),
        ("XDG_DATA_DIRS", text(root.join("usr/share"))),
        // The loaders that are built in suffice.
        ("GDK_PIXBUF_MODULE_FILE", "/dev/null".into()),
        ("GIO_MODULE_DIR", text(own.join("gio/modules"))),
        ("LIBGL_DRIVERS_PATH", text(own.join("dri"))),
        ("__EGL_VENDOR_LIBRARY_DIRS", text(root.join("usr/share/glvnd/egl_vendor.d"))),
    ])
}

/// Relative to the root.
const FONTS: &str = "etc/fonts/unpacked.conf";

/// The configuration of fonts, with the root's instead of the system's.
pub fn write_fonts(root: &Path) -> Result {
    let path = root.join(FONTS);
    let Some(folder) = path.parent().filter(|folder| folder.exists()) else { return Ok(()) };
    let (at, rules) = (root.display(), folder.join("conf.d"));
    let text = format!(
        "<?xml version=\"1.0\"?>\n<!DOCTYPE fontconfig SYSTEM \"fonts.dtd\">\n<fontconfig>\n\
         <dir>{at}/usr/share/fonts</dir>\n<cachedir>{at}/var/cache/fontconfig</cachedir>\n\
         <include ignore_missing=\"yes\">{}</include>\n</fontconfig>\n",
        rules.display()
    );
    fs::write(&path, text).about(path.display())
}

/// A word for sh.
fn quote(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(unix)]
fn permit(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn permit(_: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::process::Command;

    use super::{quote, text};

    #[test]
    fn a_script_sets_the_environment_and_passes_arguments() {
        let set = [("A", "1 2".to_owned()), ("B", "it's".to_owned())];
        let script = text(Path::new("/tmp"), "", &set, Path::new("/usr/bin/printenv"));
        assert!(
            script.starts_with("#!/bin/sh\n") && script.ends_with(" '/usr/bin/printenv' \"$@\"\n"),
            "{script}"
        );
        let output = Command::new("sh").args(["-c", &script, "sh", "A", "B"]).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), "1 2\nit's\n");
    }

    #[test]
    fn a_program_at_a_fixed_place_starts_beside_its_root() {
        let script = text(Path::new("/a b"), "unshare ", &[], Path::new("/usr/bin/x"));
        assert!(script.contains("\ncd '/a b' || exit\nexec unshare env '/usr/bin/x' \"$@\"\n"), "{script}");
        assert_eq!(quote("a'b"), r"'a'\''b'");
    }
}
