//! `b2nd-icechunk DIR`: an Icechunk repository of references, which standard input has as `b2nd refs` writes them.

mod references;
mod repository;

use references::References;
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

const USAGE: &str = "usage: b2nd-icechunk DIR < refs.json
Makes an Icechunk repository of the references that `b2nd refs` writes; DIR must not exist.";

fn main() -> ExitCode {
    let args: Vec<_> = env::args_os().skip(1).collect();
    let [dir] = &args[..] else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match run(Path::new(dir)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("b2nd-icechunk: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(dir: &Path) -> Result<(), Box<dyn Error>> {
    if fs::symlink_metadata(dir).is_ok() {
        return Err(format!("{}: there is something already", dir.display()).into());
    }
    let references = References::parse(io::stdin().lock())?;
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    fs::create_dir_all(parent)?;
    // The repository gets its name when it is complete.
    let temporary = tempfile::Builder::new().prefix(".b2nd-icechunk-").tempdir_in(parent)?;
    let new = temporary.path().join("repository");
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?
        .block_on(repository::write(&new, &references))?;
    // A rename would replace an empty directory that came meanwhile. This one fails if there is anything.
    #[cfg(unix)]
    fs::create_dir(dir)?;
    fs::rename(new, dir).inspect_err(|_| {
        // A directory with anything in it stays.
        #[cfg(unix)]
        let _ = fs::remove_dir(dir);
    })?;
    Ok(())
}
