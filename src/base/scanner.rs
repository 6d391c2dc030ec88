//! A text that is parsed from its start.

/// The place in a text up to which it is parsed.
#[derive(Debug, Clone)]
pub(crate) struct Scanner<'t> {
    text: &'t str,
    pub(crate) at: usize,
    /// Whether a sign is part of a word.
    is_word: fn(char) -> bool,
}

impl<'t> Scanner<'t> {
    pub(crate) const fn new(text: &'t str, is_word: fn(char) -> bool) -> Self {
        Self { text, at: 0, is_word }
    }

    pub(crate) fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    pub(crate) fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Whether a sign or a whole word is next.
    pub(crate) fn is_next(&mut self, sign: &str) -> bool {
        self.skip_space();
        let Some(rest) = self.rest().strip_prefix(sign) else { return false };
        !sign.starts_with(self.is_word) || !rest.starts_with(self.is_word)
    }

    /// Takes a sign or a word, if it is next.
    pub(crate) fn take(&mut self, sign: &str) -> bool {
        let is_next = self.is_next(sign);
        self.at += if is_next { sign.len() } else { 0 };
        is_next
    }

    /// Takes one of these, the first that is next.
    #[cfg(feature = "store")]
    pub(crate) fn take_one(&mut self, signs: &[&str]) -> bool {
        signs.iter().any(|sign| self.take(sign))
    }

    /// Takes what is next of a word, which may be nothing.
    pub(crate) fn take_word(&mut self) -> &'t str {
        let rest = self.rest();
        let len = rest.find(|char| !(self.is_word)(char)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }
}
