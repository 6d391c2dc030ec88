//! Selections as text.

use super::MAX_DIM;
use super::selection::{Index, Selection};
use crate::base::{ArgumentError, Result};
use alloc::vec::Vec;
use core::str::FromStr;

impl FromStr for Selection {
    type Err = crate::Error;

    /// Reads `0:10, [1, 5, 9], ::2, ..., -1`, in brackets or not. Brackets around nothing but numbers are a list of positions, as
    /// in NumPy: `[]` takes nothing. An empty text is the whole array, as `()` is there.
    fn from_str(text: &str) -> Result<Self> {
        let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
        let wrong = |at: usize| ArgumentError::Selection { at };
        let mut inner = text.trim();
        if let Some(within) = brackets(inner).filter(|within| numbers(within).is_none()) {
            inner = within;
        }
        let mut indices = Vec::new();
        if inner.trim().is_empty() {
            return Ok(Self(indices));
        }
        for part in parts(without_comma(inner)) {
            if indices.len() > MAX_DIM {
                return Err(wrong(offset(part)).into());
            }
            let found = match brackets(part.trim()) {
                Some(within) => list(within),
                None => index(part.trim()),
            };
            let count = |bracket: char| part.matches(bracket).count();
            // Of brackets that are not closed, where they should be.
            let at = offset(part) + if count('[') > count(']') { part.len() } else { 0 };
            let index = found.ok_or(wrong(at))?;
            if matches!(index, Index::Range { step: 0, .. }) {
                return Err(ArgumentError::ZeroStep { axis: indices.len() }.into());
            }
            indices.push(index);
        }
        Ok(Self(indices))
    }
}

/// A trailing comma makes a tuple of one, as in Python.
fn without_comma(text: &str) -> &str {
    let text = text.trim_end();
    text.strip_suffix(',').unwrap_or(text)
}

/// The text between brackets.
fn brackets(text: &str) -> Option<&str> {
    let within = text.strip_prefix('[')?.strip_suffix(']')?;
    let mut depth = 0_usize;
    let closes = within.chars().all(|c| {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return false,
            ']' => depth -= 1,
            _ => {}
        }
        true
    });
    closes.then_some(within)
}

/// The parts between commas that are not in brackets.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    text.split(move |c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        c == ',' && depth == 0
    })
}

/// The numbers of a list without its brackets; `None` if it has anything else.
fn numbers(text: &str) -> Option<Vec<i64>> {
    if text.trim().is_empty() {
        return Some(Vec::new());
    }
    without_comma(text).split(',').map(|part| part.trim().parse().ok()).collect()
}

#[cfg(feature = "indexing")]
fn list(text: &str) -> Option<Index> {
    numbers(text).map(Index::list)
}

/// Lists are not supported.
#[cfg(not(feature = "indexing"))]
fn list(_: &str) -> Option<Index> {
    None
}

fn index(text: &str) -> Option<Index> {
    if text == "..." {
        return Some(Index::Ellipsis);
    }
    let mut parts = text.split(':').map(str::trim);
    let first = parts.next()?;
    let Some(stop) = parts.next() else { return first.parse().ok().map(Index::At) };
    let step = parts.next().unwrap_or("");
    if parts.next().is_some() {
        return None;
    }
    let number = |text: &str| if text.is_empty() { Some(None) } else { text.parse().ok().map(Some) };
    Some(Index::Range { start: number(first)?, stop: number(stop)?, step: number(step)?.unwrap_or(1) })
}

#[cfg(all(test, feature = "indexing"))]
mod tests {
    use super::*;
    use alloc::{string::ToString, vec};

    #[test]
    fn lists_and_brackets_around_the_whole() {
        let parsed = |text: &str| text.parse::<Selection>().unwrap().0;
        let lists = vec![Index::list([1, 5]), Index::ALL];
        for text in ["[1, 5], :", "[[1,5],:]", " [ 1,5, ] , : ,", "[[1, 5], ::1,]"] {
            assert_eq!(parsed(text), lists, "{text:?}");
        }
        assert_eq!(parsed("[1, 5]"), [Index::list([1, 5])]);
        assert_eq!(parsed("[-1]"), [Index::list([-1])]);
        assert_eq!(parsed("[1], [2]"), [Index::list([1]), Index::list([2])]);
        assert_eq!(parsed("[], 3"), [Index::list([]), Index::At(3)]);
        assert_eq!(parsed("[1:2, 5]"), parsed("1:2, 5"));
        assert_eq!(parsed("[...]"), [Index::Ellipsis]);
        assert_eq!(parsed(""), []);
        for text in ["[]", " [ ] ", "[[]]", "[],", "[[],]"] {
            assert_eq!(parsed(text), [Index::list([])], "{text:?}");
        }
        assert_eq!(parsed("[..., []]"), [Index::Ellipsis, Index::list([])]);
    }

    #[test]
    fn a_step_of_0_is_refused() {
        let error = ":, 1:2:0".parse::<Selection>().unwrap_err();
        assert_eq!(error, ArgumentError::ZeroStep { axis: 1 }.into());
        assert!("::-1".parse::<Selection>().is_ok());
    }

    #[test]
    fn what_is_written_is_read() {
        for text in ["", "5", "-1, 0:10, ::2, ..., :-3:-1", "[1, 5], :", "[]", "[], 3", "[-1]", "[1], [2]"] {
            let selection: Selection = text.parse().unwrap();
            let again = selection.to_string().parse::<Selection>().unwrap();
            let shape = [9, 8, 30, 2, 7];
            assert_eq!(again.shape(&shape), selection.shape(&shape), "{text:?}: {selection}");
        }
        let points = Selection(vec![Index::Points(crate::plan::Points::new(2, vec![0, 3, 1, 2]).unwrap())]);
        assert_eq!(points.to_string(), "([0, 1], [3, 2])");
    }

    #[test]
    fn what_is_not_understood_is_told() {
        let wrong = [
            ("1, x", 2),
            ("1:2:3:4", 0),
            ("1,,2", 2),
            ("[1", 2),
            ("[1, x]", 3),
            ("2:, [1, :]", 3),
            ("[[1]]x", 0),
            ("1]", 0),
            ("[1, [2, [3]]]", 3),
            ("[1][2]", 0),
            ("0, [[1, 2]]", 2),
            ("[[1, 2], [3], 4", 15),
        ];
        for (text, at) in wrong {
            let error = text.parse::<Selection>().unwrap_err();
            assert_eq!(error, ArgumentError::Selection { at }.into(), "{text:?}: {error}");
        }
    }
}
