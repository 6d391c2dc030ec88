//! Signals that end the process.

use std::io;

/// Installs a handler that runs `action` before a signal ends the process.
#[cfg(unix)]
pub(crate) fn on_signals(action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    let mut signals = Signals::new([SIGINT, SIGTERM])?;
    std::thread::spawn(move || {
        if let Some(signal) = signals.forever().next() {
            action();
            let _ = emulate_default_handler(signal);
        }
    });
    Ok(())
}

#[cfg(not(unix))]
pub(crate) fn on_signals(_action: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use crate::output::Output;
    use core::time::Duration;
    use std::path::PathBuf;
    use std::process::{Command, Stdio};
    use std::thread::sleep;
    use std::{env, fs, process};

    const FOLDER: &str = "B2ND_TEST_FOLDER";

    /// Run and killed by the test below.
    #[test]
    #[ignore = "waits to be killed"]
    fn writes_until_it_is_killed() {
        let path = PathBuf::from(env::var_os(FOLDER).unwrap()).join("out");
        let _output = Output::create(Some(&path)).unwrap();
        sleep(Duration::from_secs(60));
    }

    #[test]
    fn they_remove_what_is_not_complete() {
        let folder = env::temp_dir().join(format!("b2nd-signals-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        let files = || fs::read_dir(&folder).unwrap().count();
        let this = "signals::tests::writes_until_it_is_killed";
        for signal in ["INT", "TERM"] {
            let mut child = Command::new(env::current_exe().unwrap())
                .args(["--exact", this, "--ignored"])
                .env(FOLDER, &folder)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            while files() == 0 {
                sleep(Duration::from_millis(5));
            }
            // The handler comes before the file.
            let kill = format!("kill -{signal} {}", child.id());
            assert!(Command::new("sh").args(["-c", &kill]).status().unwrap().success());
            assert!(!child.wait().unwrap().success());
            assert_eq!(files(), 0);
        }
        fs::remove_dir_all(folder).unwrap();
    }
}
