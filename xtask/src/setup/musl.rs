//! The C compiler for musl: the tool with all features contains C, as do the libraries for TLS.

use std::env;

use super::installed;
use crate::error::{Error, Result};

/// Fails before a build of minutes would, if it is missing for a target of musl.
pub fn check(target: &str) -> Result {
    check_with(target, |name| env::var_os(name).is_some(), |name| installed(&[name], "--version").is_some())
}

fn check_with(target: &str, is_set: impl Fn(&str) -> bool, starts: impl Fn(&str) -> bool) -> Result {
    let Some(arch) = target.strip_suffix("-unknown-linux-musl") else { return Ok(()) };
    let cross = format!("{arch}-linux-musl-gcc");
    let native = arch == env::consts::ARCH && starts("musl-gcc");
    let told =
        [format!("CC_{}", target.replace('-', "_")), format!("CC_{target}"), "TARGET_CC".into(), "CC".into()];
    if native || starts(&cross) || told.iter().any(|name| is_set(name)) {
        return Ok(());
    }
    Err(Error::new(format!(
        "the C compiler {cross} for {target} is missing: on Debian, `apt-get install musl-tools` installs that of the \
         machine's own architecture"
    )))
}

#[cfg(test)]
mod tests {
    use super::check_with;

    #[test]
    fn only_targets_of_musl_need_the_compiler() {
        let target = format!("{}-unknown-linux-musl", std::env::consts::ARCH);
        let (set, none) = (|_: &str| true, |_: &str| false);
        assert!(check_with("x86_64-unknown-linux-gnu", none, none).is_ok());
        let sentence = check_with(&target, none, none).unwrap_err().sentence;
        assert!(sentence.contains("apt-get install musl-tools"), "{sentence}");
        assert!(check_with(&target, set, none).is_ok());
        assert!(check_with(&target, none, |name| name == "musl-gcc").is_ok());
        // That of another architecture compiles for its own.
        assert!(check_with("riscv64-unknown-linux-musl", none, |name| name == "musl-gcc").is_err());
        assert!(
            check_with("riscv64-unknown-linux-musl", none, |name| name == "riscv64-linux-musl-gcc").is_ok()
        );
    }
}
