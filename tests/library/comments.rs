//! Comments begin with the thing that they describe: what it is comes first, then when and why.

use crate::texts;
use std::fs;
use std::path::Path;

/// First words that put the description before the thing.
const ROUNDABOUT: &[&str] = &["What", "Those", "As for", "The same"];

#[test]
fn comments_begin_with_the_thing() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = texts::below(root, &["rs", "ts"]);
    let mut wrong = Vec::new();
    for path in &files {
        let text = fs::read_to_string(path).expect("text");
        // The first line of each comment.
        let mut before = "";
        for (number, line) in text.lines().map(str::trim_start).enumerate() {
            let words = comment(line).filter(|_| comment(before).is_none_or(|text| text.is_empty()));
            if words.is_some_and(|words| ROUNDABOUT.iter().any(|first| begins(words, first))) {
                wrong.push(format!("{}:{}: {line}", path.display(), number + 1));
            }
            before = line;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(files.len() > 500, "{} files: they are all there", files.len());
}

/// The text of a line of documentation in Rust or TypeScript.
fn comment(line: &str) -> Option<&str> {
    ["///", "//!", "/**"].iter().find_map(|start| line.strip_prefix(start)).map(str::trim)
}

fn begins(words: &str, first: &str) -> bool {
    words.strip_prefix(first).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
}
