//! Reports: tables, and JSON.

use serde_json::{Value, json};

use crate::case::{Case, by_level, geometric, mean, sizes};
use crate::error::{Error, Result};
use crate::goals;
use crate::machine;
use crate::run::Run;

const WORST: usize = 15;

/// Parses the cases that [`json()`] printed.
pub fn cases_of(text: &str) -> Result<Vec<Case>> {
    let report: Value = serde_json::from_str(text)?;
    let cases = report["cases"].as_array().into_iter().flatten().map(Case::from_json);
    cases.collect::<Option<_>>().ok_or_else(|| Error::new("these are not results of this program"))
}

pub fn json(run: &Run) {
    let means: Vec<Value> = groups(&run.cases)
        .into_iter()
        .map(|group| json!({ "group": group, "geometric_mean": mean(of(&run.cases, group)) }))
        .collect();
    let goals: Vec<Value> = goals::all(&run.cases).iter().map(goals::Goal::to_json).collect();
    let report = json!({
        "machine": machine::facts(run),
        "goals": goals,
        "means": means,
        "sizes": run.sizes.iter().map(|size| size.to_json()).collect::<Vec<_>>(),
        "cases": run.cases.iter().map(Case::to_json).collect::<Vec<_>>(),
    });
    println!("{report:#}");
}

/// Prints a Markdown table.
pub fn text(run: &Run) {
    for (name, fact) in machine::facts(run).as_object().into_iter().flatten() {
        println!("- {name}: {}", fact.as_str().unwrap_or_default());
    }
    let goals = goals::all(&run.cases);
    if !goals.is_empty() {
        println!("\n| goal | measured | |\n|---|---|---|");
        for goal in goals {
            println!(
                "| {} | {:.2} | {} |",
                goal.text,
                goal.measured,
                if goal.met() { "met" } else { "**missed**" }
            );
        }
    }
    println!("\nRatios are C's time over ours, the median of pairs of rounds: above 1 we are faster.");
    for size in &run.sizes {
        println!("\n{}: {} bytes stripped, {} gzipped", size.name, size.bytes, size.gzipped);
    }
    behind(&run.cases);
    for group in groups(&run.cases) {
        let cases: Vec<&Case> = of(&run.cases, group).collect();
        println!(
            "\n## {group}: geometric mean {:.2} of {} cases\n",
            mean(cases.iter().copied()).unwrap_or(1.0),
            cases.len()
        );
        means(&cases);
        levels(&cases);
        chosen(&cases);
        worst(&cases);
        let heads = extra_heads(&cases);
        println!("| case | ours | C | ratio |{heads}");
        println!("|---|---:|---:|---:|{}", "---:|".repeat(heads.matches('|').count()));
        for case in cases {
            println!(
                "| {} | {} | {} | {:.2} |{}",
                case.name,
                time(case.times.ours),
                time(case.times.reference),
                case.ratio(),
                extras(case)
            );
        }
    }
}

/// Below this speed, relative to C, or above this size a case is behind.
const SLOW: f64 = 0.9;
const LARGE: f64 = 1.05;

/// All cases that are slower or larger.
fn behind(cases: &[Case]) {
    let size = |case: &Case| case.number("size_ratio").unwrap_or(1.0);
    let mut behind: Vec<&Case> =
        cases.iter().filter(|case| case.ratio() < SLOW || size(case) > LARGE).collect();
    behind.sort_by(|a, b| (a.ratio() / size(a)).total_cmp(&(b.ratio() / size(b))));
    println!(
        "\n## Below {SLOW} of C's speed, or above {LARGE} times its size: {} of {} cases\n",
        behind.len(),
        cases.len()
    );
    println!("| case | speed | size |\n|---|---:|---:|");
    for case in behind {
        println!("| {}: {} | {:.2} | {:.2} |", case.group, case.name, case.ratio(), size(case));
    }
}

/// Means: codecs in rows, filters in columns.
fn means(cases: &[&Case]) {
    let (codecs, filters) = (distinct(cases, "codec"), distinct(cases, "filters"));
    if codecs.is_empty() {
        return;
    }
    println!("| mean | {} | all |", filters.join(" | "));
    println!("|---|{}---:|", "---:|".repeat(filters.len()));
    for codec in codecs {
        let row: Vec<&Case> = cases.iter().copied().filter(|case| case.text("codec") == codec).collect();
        let cell = |filters: Option<&str>| {
            let chosen =
                row.iter().copied().filter(|case| filters.is_none_or(|name| case.text("filters") == name));
            mean(chosen).map_or(String::new(), |mean| format!("{mean:.2}"))
        };
        let cells: Vec<String> = filters.iter().map(|name| cell(Some(name))).chain([cell(None)]).collect();
        println!("| {codec} | {} |", cells.join(" | "));
    }
    println!();
}

/// Means of what was encoded: codecs and levels in rows.
fn levels(cases: &[&Case]) {
    let encoded: Vec<&Case> =
        cases.iter().copied().filter(|case| case.number("size_ratio").is_some()).collect();
    if encoded.is_empty() {
        return;
    }
    println!("| codec | level | speed | by two threads | size / C's |\n|---|---:|---:|---:|---:|");
    for level in by_level(&encoded) {
        let by_two: Vec<Case> = level.iter().filter_map(|case| case.by_two_threads()).collect();
        if let (Some(one), Some(two), Some(size)) =
            (mean(level.iter().copied()), mean(&by_two), geometric(sizes(&level)))
        {
            let (codec, clevel) = (level[0].text("codec"), level[0].number("clevel").unwrap_or(0.0));
            println!("| {codec} | {clevel} | {one:.2} | {two:.2} | {size:.3} |");
        }
    }
    println!();
}

/// Means of arrays whose filters were chosen: codecs in rows. Their other side is shuffle by this crate.
fn chosen(cases: &[&Case]) {
    let sized: Vec<&Case> =
        cases.iter().copied().filter(|case| case.number("size_to_shuffle").is_some()).collect();
    if sized.is_empty() {
        return;
    }
    println!("| codec | shuffle's time / time | size / shuffle's |\n|---|---:|---:|");
    for codec in distinct(&sized, "codec") {
        let row: Vec<&Case> = sized.iter().copied().filter(|case| case.text("codec") == codec).collect();
        let size = geometric(row.iter().filter_map(|case| case.number("size_to_shuffle")));
        if let (Some(speed), Some(size)) = (mean(row), size) {
            println!("| {codec} | {speed:.2} | {size:.3} |");
        }
    }
    println!();
}

fn worst(cases: &[&Case]) {
    let mut sorted = cases.to_vec();
    sorted.sort_by(|a, b| a.ratio().total_cmp(&b.ratio()));
    println!("Worst:\n");
    for case in sorted.iter().take(WORST.min(cases.len().div_ceil(4))) {
        println!("- {:.2} {}", case.ratio(), case.name);
    }
    println!();
}

/// Extra measurements of slices.
const EXTRAS: &[(&str, &str)] = &[
    ("ours_2_threads_ns", "ours, 2 threads"),
    ("c_2_threads_ns", "C, 2 threads"),
    ("ratio_2_threads", "ratio"),
    ("nbytes_out", "output"),
    ("extra_bytes", "memory besides"),
    ("size_ratio", "size / C's"),
    ("size_to_shuffle", "size / shuffle's"),
];

fn extra_heads(cases: &[&Case]) -> String {
    let has = |key: &&(&str, &str)| cases.iter().any(|case| case.number(key.0).is_some());
    EXTRAS.iter().filter(has).map(|(_, head)| format!(" {head} |")).collect()
}

fn extras(case: &Case) -> String {
    let show = |key: &str, value: f64| match key {
        _ if key.ends_with("_ns") => time(value),
        _ if key.contains("ratio") || key == "size_to_shuffle" => format!("{value:.2}"),
        _ => bytes(value),
    };
    EXTRAS.iter().filter_map(|(key, _)| Some(format!(" {} |", show(key, case.number(key)?)))).collect()
}

fn groups(cases: &[Case]) -> Vec<&str> {
    let mut groups: Vec<&str> = Vec::new();
    for case in cases {
        if !groups.contains(&case.group.as_str()) {
            groups.push(&case.group);
        }
    }
    groups
}

fn of<'a>(cases: &'a [Case], group: &str) -> impl Iterator<Item = &'a Case> {
    cases.iter().filter(move |case| case.group == group)
}

fn distinct<'a>(cases: &[&'a Case], key: &str) -> Vec<&'a str> {
    let mut values = Vec::new();
    for value in cases.iter().map(|case| case.text(key)) {
        if !value.is_empty() && !values.contains(&value) {
            values.push(value);
        }
    }
    values
}

fn time(ns: f64) -> String {
    match ns {
        ..1e4 => format!("{ns:.0} ns"),
        ..1e7 => format!("{:.1} µs", ns / 1e3),
        _ => format!("{:.1} ms", ns / 1e6),
    }
}

fn bytes(count: f64) -> String {
    match count {
        ..1e4 => format!("{count:.0} B"),
        ..1e7 => format!("{:.0} KiB", count / 1024.0),
        _ => format!("{:.1} MiB", count / 1_048_576.0),
    }
}
