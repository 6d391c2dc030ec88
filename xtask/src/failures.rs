//! The names of tests that failed, from the output of `cargo test` and `node --test`.

/// The most names in a sentence.
const MAX_NAMES: usize = 8;

/// A clause with the names of the tests that failed; empty if the output names none.
pub fn named(output: &str) -> String {
    let mut names: Vec<String> = output.lines().filter_map(name).map(str::to_owned).collect();
    if names.len() > MAX_NAMES {
        let more = names.split_off(MAX_NAMES).len();
        names.push(format!("and {more} more"));
    }
    let colon = if names.is_empty() { "" } else { ":" };
    names.iter().fold(colon.to_owned(), |clause, name| clause + "\n            " + name)
}

/// The name of a test that failed, if the line says so.
fn name(line: &str) -> Option<&str> {
    let by_cargo = || line.strip_prefix("test ")?.strip_suffix(" ... FAILED");
    // Node.js numbers them.
    let by_node = || Some(line.strip_prefix("not ok ")?.split_once(" - ")?.1);
    by_cargo().or_else(by_node)
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn names_of_failed_tests() {
        let output = "test a::b ... ok\ntest a::c ... FAILED\nnot ok 3 - reads: 1 - 2\n  not ok 4 - a part\nok 5 - d\n";
        assert_eq!(named(output), ":\n            a::c\n            reads: 1 - 2");
        assert_eq!(named("error: no such command\n"), "");
        let many: String = (0..10).map(|k| format!("not ok {k} - {k}\n")).collect();
        assert!(named(&many).ends_with("7\n            and 2 more"), "{}", named(&many));
    }
}
