//! The directory of unpacked packages: its links and libraries.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::error::{About, Error, Result};

/// Makes absolute links to files in the root relative, since they mean these and not the system's.
pub fn relink(root: &Path) -> Result {
    for link in links(root)? {
        let Ok(target) = fs::read_link(&link) else { continue };
        let Ok(inside) = target.strip_prefix("/") else { continue };
        if root.join(inside).symlink_metadata().is_err() {
            continue;
        }
        fs::remove_file(&link).about(link.display())?;
        let relative = relative(link.strip_prefix(root).unwrap_or(&link), inside);
        symlink(&relative, &link).about(link.display())?;
    }
    Ok(())
}

/// The path from a link to its target, both relative to the same directory.
fn relative(link: &Path, target: &Path) -> PathBuf {
    let up = link.components().skip(1).map(|_| Component::ParentDir);
    up.chain(target.components()).collect()
}

#[cfg(unix)]
use std::os::unix::fs::symlink;

/// Only systems with apt have these packages.
#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// All symbolic links below a directory.
fn links(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut links, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).about(folder.display())? {
            let entry = entry.about(folder.display())?;
            let kind = entry.file_type().about(folder.display())?;
            if kind.is_symlink() {
                links.push(entry.path());
            } else if kind.is_dir() {
                folders.push(entry.path());
            }
        }
    }
    Ok(links)
}

/// The directory of the root's architecture in `usr/lib`, such as `usr/lib/x86_64-linux-gnu`.
pub fn architecture(root: &Path) -> Result<PathBuf> {
    let mut folders = folders(&root.join("usr/lib"))?;
    folders.retain(|folder| folder.to_str().is_some_and(|name| name.contains("-linux-gnu")));
    folders.pop().ok_or_else(|| Error::new(format!("{} has no libraries", root.display())))
}

/// The directories of libraries, for `LD_LIBRARY_PATH`. Some libraries have a directory of their own, which their users name
/// by an absolute path.
pub fn libraries(root: &Path) -> Result<String> {
    let own = architecture(root)?;
    let name = own.file_name().unwrap_or_default();
    let mut all = vec![own.clone(), root.join("lib").join(name), root.join("usr/lib"), root.join("lib")];
    let mut private = folders(&own)?;
    private.retain(|folder| has_libraries(folder));
    private.sort();
    all.append(&mut private);
    let joined = std::env::join_paths(all).ok().and_then(|joined| joined.into_string().ok());
    joined.ok_or_else(|| Error::new(format!("{} cannot be searched for libraries", root.display())))
}

fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).about(folder.display())?;
    Ok(entries.flatten().map(|entry| entry.path()).filter(|path| path.is_dir()).collect())
}

fn has_libraries(folder: &Path) -> bool {
    let library = |name: &str| name.starts_with("lib") && name.contains(".so");
    fs::read_dir(folder)
        .is_ok_and(|entries| entries.flatten().any(|entry| entry.file_name().to_str().is_some_and(library)))
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::{libraries, relative, relink, symlink};

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("b2nd-xtask-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn file(&self, name: &str) {
            let path = self.0.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, name).unwrap();
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn absolute_links_lead_into_the_root() {
        let root = Folder::new("links");
        root.file("usr/share/fonts/a.conf");
        root.file("etc/fonts/b.conf");
        let link = |name: &str, target: &str| symlink(Path::new(target), root.0.join(name)).unwrap();
        link("etc/fonts/a.conf", "/usr/share/fonts/a.conf");
        link("etc/fonts/c.conf", "b.conf");
        link("top", "/etc/fonts");
        link("etc/fonts/none", "/dev/null");
        relink(&root.0).unwrap();
        let target = |name: &str| fs::read_link(root.0.join(name)).unwrap();
        assert_eq!(fs::read_to_string(root.0.join("etc/fonts/a.conf")).unwrap(), "usr/share/fonts/a.conf");
        assert_eq!(target("top"), Path::new("etc/fonts"));
        assert_eq!(target("etc/fonts/c.conf"), Path::new("b.conf"));
        assert_eq!(target("etc/fonts/none"), Path::new("/dev/null"));
        // A second time nothing changes.
        relink(&root.0).unwrap();
        assert_eq!(target("etc/fonts/a.conf"), Path::new("../../usr/share/fonts/a.conf"));
    }

    #[test]
    fn a_relative_path_leaves_the_directories_of_the_link() {
        assert_eq!(relative(Path::new("a"), Path::new("b/c")), Path::new("b/c"));
        assert_eq!(relative(Path::new("a/b/c"), Path::new("d")), Path::new("../../d"));
    }

    #[test]
    fn directories_with_libraries_are_searched() {
        let root = Folder::new("libraries");
        assert!(libraries(&root.0).is_err());
        root.file("usr/lib/riscv64-linux-gnu/libz.so.1");
        root.file("usr/lib/riscv64-linux-gnu/pulseaudio/libpulse-16.1.so");
        root.file("usr/lib/riscv64-linux-gnu/gconv/UTF-7.so");
        let at = root.0.display();
        let own = format!("{at}/usr/lib/riscv64-linux-gnu");
        let wanted = format!("{own}:{at}/lib/riscv64-linux-gnu:{at}/usr/lib:{at}/lib:{own}/pulseaudio");
        assert_eq!(libraries(&root.0).unwrap(), wanted);
    }
}
