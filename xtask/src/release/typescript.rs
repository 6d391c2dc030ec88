//! The API for JavaScript, as www/API.md describes it, compared with that of another version.

use std::collections::BTreeMap;

/// Names of declarations that differ, such as `b2nd/store Store.open`.
#[derive(Debug, Default, PartialEq)]
pub struct Changes {
    pub removed: Vec<String>,
    pub changed: Vec<String>,
}

/// Differences that callers of `before` may notice in `now`.
pub fn compare(before: &str, now: &str) -> Changes {
    let now = declarations(now);
    let mut changes = Changes::default();
    for (name, signature) in declarations(before) {
        match now.get(&name) {
            None => changes.removed.push(name),
            Some(other) if *other != signature => changes.changed.push(name),
            Some(_) => {}
        }
    }
    changes
}

/// The signatures of exports and of their members, by name. Those of an overloaded function are one text.
fn declarations(document: &str) -> BTreeMap<String, String> {
    let (mut entry, mut export, mut code) = ("", "", false);
    let mut found = BTreeMap::<String, String>::new();
    for line in document.lines() {
        if line.starts_with("```") {
            code = line == "```ts" && !export.is_empty();
        } else if code {
            *found.entry(format!("{entry} {export}")).or_default() += line;
        } else if let Some(name) = line.strip_prefix("## ") {
            (entry, export) = (name.trim_matches('`'), "");
        } else if let Some(name) = line.strip_prefix("### ") {
            export = name.trim_matches('`');
        } else if let Some((signature, _)) = line.strip_prefix("- `").and_then(|rest| rest.split_once('`'))
            && !export.is_empty()
        {
            *found.entry(format!("{entry} {export}.{}", member(signature))).or_default() += signature;
        }
    }
    found
}

/// The name in the signature of a member: `chunks` in `readonly chunks?: number[]`.
fn member(signature: &str) -> &str {
    let words = ["static ", "readonly ", "get ", "set ", "async "];
    let name = words.iter().fold(signature, |rest, word| rest.strip_prefix(word).unwrap_or(rest));
    name.split(['(', '?', ':', '<']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEFORE: &str = "# API\n\n## `b2nd`\n\n### `open`\n\n```ts\nfunction open(url: string): Promise<A>\n```\n\n### `A`\n\n```ts\nclass A\n```\n\n- `readonly shape?: number[]`: The shape.\n- `get(at: number): Data`: An item.\n\n## `b2nd/store`\n\n### `open`\n\n```ts\nfunction open(): S\n```\n";

    #[test]
    fn what_is_missing_or_different_is_named() {
        assert_eq!(compare(BEFORE, BEFORE), Changes::default());
        let now =
            BEFORE.replace("- `get(at: number): Data`: An item.\n", "").replace("url: string", "url: URL");
        let changes = compare(BEFORE, &now);
        assert_eq!(changes.removed, ["b2nd A.get"]);
        assert_eq!(changes.changed, ["b2nd open"]);
        // What is new breaks nobody.
        assert_eq!(compare(&now, BEFORE).removed, [""; 0]);
        let (main, _) = BEFORE.split_once("## `b2nd/store`").unwrap();
        assert_eq!(compare(BEFORE, main).removed, ["b2nd/store open"]);
    }

    #[test]
    fn descriptions_are_no_signatures() {
        assert_eq!(compare(BEFORE, &BEFORE.replace("The shape.", "Its shape.")), Changes::default());
    }

    #[test]
    fn the_document_of_the_package_has_declarations() {
        let found = declarations(include_str!("../../../www/API.md"));
        assert!(found.len() > 500, "{}", found.len());
        assert!(
            found.contains_key("b2nd openArray") && found.contains_key("b2nd NDArray.shape"),
            "{found:?}"
        );
    }
}
