//! Fragments of messages.

/// A number with a noun: `1 byte`, `2 bytes`.
pub(crate) fn count(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_singular() {
        assert_eq!([0, 1, 2].map(|number| count(number, "byte")), ["0 bytes", "1 byte", "2 bytes"]);
    }
}
