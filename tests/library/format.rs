//! docs/format.md is what the code cites: citations and links lead somewhere, and its examples decode.

use crate::texts;
use alloc::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Folders with citations, besides the documents at the root.
const FOLDERS: &[&str] = &["src", "tests", "www", "xtask", "benches", "docs"];
const TEXTS: &[&str] = &["rs", "ts", "js", "mjs", "py", "md", "toml", "html", "css"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn document() -> String {
    fs::read_to_string(root().join("docs/format.md")).expect("docs/format.md")
}

/// The lines that are not part of an example.
fn prose(text: &str) -> impl Iterator<Item = &str> {
    let mut example = false;
    text.lines().filter(move |line| {
        let fence = line.starts_with("```");
        example ^= fence;
        !example && !fence
    })
}

fn headings(text: &str) -> impl Iterator<Item = &str> {
    prose(text).filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim())
}

/// Places that can be cited: numbers of sections, and of bugs as `11 B3`.
fn sections(text: &str) -> BTreeSet<String> {
    let numbers = headings(text).filter_map(|heading| heading.split(' ').next()).map(str::to_owned);
    let bugs = prose(text).filter_map(|line| line.strip_prefix("| B")?.split(' ').next());
    numbers.chain(bugs.map(|number| format!("11 B{number}"))).collect()
}

/// The citation after a `§`: `7.2`, or `11 B3`.
fn citation(after: &str) -> String {
    let digits = |text: &str| text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let number = after.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(after.len());
    let (number, rest) = after.split_at(number);
    match rest.strip_prefix(" B").map(|bug| &bug[..digits(bug)]) {
        Some(bug) if !bug.is_empty() => format!("{number} B{bug}"),
        _ => number.trim_end_matches('.').to_owned(),
    }
}

#[test]
fn citations_lead_to_sections() {
    let mut files: Vec<_> =
        fs::read_dir(root()).expect("the root").map(|entry| entry.expect("one").path()).collect();
    files.retain(|path| path.extension().is_some_and(|kind| kind == "md"));
    for folder in FOLDERS {
        files.extend(texts::below(&root().join(folder), TEXTS));
    }
    // This file speaks of the sign itself.
    files.retain(|path| !path.ends_with("tests/library/format.rs"));
    let sections = sections(&document());
    let (mut cited, mut wrong) = (0, Vec::new());
    for path in &files {
        let text = fs::read_to_string(path).expect("text");
        for (number, line) in text.lines().enumerate() {
            let place = format!("{}:{}", path.display(), number + 1);
            if line.contains('§') && !line.contains("FORMAT §") {
                wrong.push(format!("{place}: a section of what? Write FORMAT before the first on a line"));
            }
            for after in line.split('§').skip(1) {
                cited += 1;
                let section = citation(after);
                if !sections.contains(&section) {
                    wrong.push(format!("{place}: docs/format.md has no section {section:?}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(cited > 40, "{cited} citations: they are all there");
}

/// GitHub's name for the place of a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

/// Links to sections that are written as `[7.2]`.
fn labels(line: &str) -> impl Iterator<Item = &str> {
    let after = line.match_indices([' ', '(']).filter_map(|(at, _)| line[at + 1..].strip_prefix('['));
    after
        .filter_map(|rest| rest.split(']').next())
        .filter(|label| label.chars().all(|c| c.is_ascii_digit() || c == '.'))
}

#[test]
fn links_lead_to_headings_and_files() {
    let text = document();
    let anchors: BTreeSet<_> = headings(&text).map(anchor).collect();
    let definitions = || prose(&text).filter_map(|line| line.strip_prefix('[')?.split_once("]: "));
    let defined: BTreeSet<_> = definitions().map(|(label, _)| label).collect();
    let mut wrong: Vec<_> = prose(&text).flat_map(labels).filter(|label| !defined.contains(label)).collect();
    let inline =
        prose(&text).flat_map(|line| line.split("](").skip(1).filter_map(|rest| rest.split(')').next()));
    wrong.extend(inline.chain(definitions().map(|(_, target)| target)).filter(|target| {
        !match target.strip_prefix('#') {
            Some(name) => anchors.contains(name),
            None => target.starts_with("https://") || root().join("docs").join(target).exists(),
        }
    }));
    assert!(wrong.is_empty(), "these lead nowhere: {wrong:?}");
    assert!(prose(&text).flat_map(labels).count() > 40, "the links are there");
}

/// The bytes of a dump: `05 01 00*6 ; comment`.
fn bytes(dump: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    for word in dump.lines().flat_map(|line| line.split(';').next().unwrap_or_default().split_whitespace()) {
        let (byte, times) = word.split_once('*').unwrap_or((word, "1"));
        let byte = u8::from_str_radix(byte, 16).unwrap_or_else(|_| panic!("{word} is no byte"));
        bytes.extend(core::iter::repeat_n(byte, times.parse().expect("how many")));
    }
    bytes
}

#[cfg(feature = "lz4")]
#[test]
fn examples_decode() {
    let text = document();
    let mut examples = 0;
    for example in text.split("```stored\n").skip(1) {
        let (stored, rest) = example.split_once("```").expect("an end");
        let (_, plain) = rest.split_once("```plain\n").expect("what it decodes to");
        let plain = bytes(plain.split("```").next().expect("an end"));
        let stored = bytes(stored);
        let reader = b2nd::Reader::open(&stored[..], b2nd::DParams::default()).expect("a chunk or a frame");
        let decoded = reader.get("...").expect("good data");
        assert_eq!(decoded, plain, "{stored:02x?}");
        examples += 1;
    }
    assert_eq!(examples, headings(&text).filter(|heading| heading.starts_with("14.")).count());
}
