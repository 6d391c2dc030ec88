//! Selections and views of random arrays by the reference, compared with what NumPy takes of them: by the library and by the tool.

use crate::common::tool::{Folder, done, golden};
use crate::common::{numpy, sha256};
use b2nd::plan::{Plan, Points, View};
use b2nd::source::{File, Reader};
use b2nd::{Index, Selection};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// How many cases there were, and of how many of them the tool was asked.
#[derive(Default)]
struct Count {
    cases: usize,
    tool: usize,
}

#[test]
fn golden_selections() {
    let count = compare(&golden("indexing"), 1);
    assert!(count.cases >= 56 && count.tool >= 15, "{} cases, {} by the tool", count.cases, count.tool);
}

#[test]
#[ignore = "the reference must write the arrays first: cargo xtask test --only interop"]
fn random_selections() {
    let folder = std::env::var_os("B2ND_INDEXING").expect("B2ND_INDEXING names the folder of random arrays");
    let count = compare(Path::new(&folder), 3);
    assert!(count.cases >= 1200 && count.tool >= 120, "{} cases, {} by the tool", count.cases, count.tool);
}

/// Compares shapes and items with what `indexing.jsonl` says; by the tool one case of `every`.
fn compare(folder: &Path, every: usize) -> Count {
    let (mut count, temporary) = (Count::default(), Folder::new(&format!("numpy-{every}")));
    for line in fs::read_to_string(folder.join("indexing.jsonl")).unwrap().lines() {
        let facts: Value = serde_json::from_str(line).unwrap();
        let path = folder.join(facts["path"].as_str().unwrap());
        let reader = b2nd::open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for case in facts["cases"].as_array().unwrap() {
            compare_one(&reader, case, &path);
            count.cases += 1;
            if count.cases.is_multiple_of(every) {
                count.tool += usize::from(compare_tool(case, &path, &temporary));
            }
        }
    }
    count
}

fn compare_one(reader: &Reader<File>, case: &Value, path: &Path) {
    let place = format!("{}: {case}", path.display());
    let selection = Selection(list(&case["selection"]).iter().map(index).collect());
    let changes = list(&case["changes"]);
    let mut plan = if changes.is_empty() {
        reader.plan(&selection).unwrap_or_else(|error| panic!("{place}: {error}"))
    } else {
        let array = reader.layout().unwrap().expect("an array");
        changes.iter().fold(array.view(), changed).plan(&selection).unwrap()
    };
    if let Some(order) = case.get("order") {
        plan = plan.permute(&numbers(order)).unwrap();
    }
    if case.get("squeeze").is_some() {
        plan = plan.squeeze();
    }
    assert_eq!(plan.shape().to_vec(), numbers::<u64>(&case["shape"]), "{place}");
    let items = |plan: &Plan| {
        let mut out = vec![0xAA; plan.nbytes()];
        reader.get_into(plan, &mut out).unwrap_or_else(|error| panic!("{place}: {error}"));
        out
    };
    let all = items(&plan);
    assert_eq!(sha256(&all), case["sha256"], "{place}");
    let parts: Vec<_> = plan.parts(97).map(|part| items(&part)).collect();
    assert!(parts.concat() == all, "in parts: {place}");
}

fn changed(view: View, change: &Value) -> View {
    let axis = || change[1].as_u64().expect("an axis") as usize;
    match change[0].as_str() {
        Some("transpose") => view.permute(&numbers(&change[1])).unwrap(),
        Some("flip") => view.flip(axis()).unwrap(),
        Some("squeeze") => view.squeeze(),
        Some("expand_dims") => view.expand_dims(axis()).unwrap(),
        _ => panic!("{change} is no change"),
    }
}

fn index(told: &Value) -> Index {
    match told {
        Value::Number(at) => Index::At(at.as_i64().unwrap()),
        Value::String(text) => numpy::indices(text).remove(0),
        Value::Array(_) => Index::list(numbers::<i64>(told)),
        _ => Index::Points(points(told)),
    }
}

fn points(told: &Value) -> Points {
    if let Some(positions) = told.get("points") {
        return Points::new(told["axes"].as_u64().unwrap() as usize, numbers(positions)).unwrap();
    }
    Points::of_mask(&numbers::<u64>(&told["shape"]), &mask(told)).unwrap()
}

/// The bits of a mask.
fn mask(told: &Value) -> Vec<bool> {
    let count = numbers::<u64>(&told["shape"]).iter().product::<u64>() as usize;
    let digits = told["mask"].as_str().unwrap().chars().map(|digit| digit.to_digit(16).unwrap());
    digits.flat_map(|digit| (0..4).rev().map(move |bit| digit >> bit & 1 == 1)).take(count).collect()
}

/// Compares what the tool writes, if it has options for the case.
fn compare_tool(case: &Value, path: &Path, folder: &Folder) -> bool {
    let mut selection = list(&case["selection"]);
    let mut arguments = vec!["get".to_owned(), path.display().to_string(), "--format=raw".to_owned()];
    if let Some(first) = selection.first().filter(|first| first.is_object()) {
        let file =
            if first.get("mask").is_some() { folder.path("mask.npy") } else { folder.path("points.csv") };
        arguments.push(write_points(first, &file));
        selection = &selection[1..];
    }
    if selection.iter().any(Value::is_object) || !list(&case["changes"]).is_empty() {
        return false;
    }
    let texts: Vec<_> =
        selection.iter().map(|told| told.as_str().map_or(told.to_string(), str::to_owned)).collect();
    arguments.push(format!("{},", texts.join(", ")).replace("] ,", "],"));
    if let Some(order) = case.get("order").filter(|order| !list(order).is_empty()) {
        arguments.push("--transpose=".to_owned() + order.to_string().trim_matches(['[', ']']));
    }
    if case.get("squeeze").is_some() {
        arguments.push("--squeeze".to_owned());
    }
    if texts.is_empty() {
        arguments.retain(|argument| argument != ",");
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    assert_eq!(sha256(&done(&arguments)), case["sha256"], "{arguments:?}: {case}");
    true
}

/// Writes a mask or points to a file, and returns the option for it.
fn write_points(told: &Value, file: &str) -> String {
    if told.get("mask").is_some() {
        let shape: Vec<_> = list(&told["shape"]).iter().map(|len| format!("{len},")).collect();
        let header = format!("{{'descr': '|b1', 'fortran_order': False, 'shape': ({}), }}\n", shape.concat());
        let bytes =
            [b"\x93NUMPY\x01\0", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
        fs::write(file, [bytes, mask(told).into_iter().map(u8::from).collect()].concat()).unwrap();
        return format!("--mask={file}");
    }
    let rows = points(told).iter().fold(String::new(), |rows, point| {
        let row: Vec<_> = point.iter().map(i64::to_string).collect();
        rows + &row.join(",") + "\n"
    });
    fs::write(file, rows).unwrap();
    format!("--points={file}")
}

fn list(told: &Value) -> &[Value] {
    told.as_array().expect("a list")
}

fn numbers<T: TryFrom<i64>>(told: &Value) -> Vec<T> {
    let number = |told: &Value| told.as_i64().and_then(|number| T::try_from(number).ok()).expect("a number");
    list(told).iter().map(number).collect()
}
