//! The rows as Markdown, as benches/RESULTS.md has them.

use crate::row::{Peer, Row};

/// The goals of the rows.
struct Bar {
    name: &'static str,
    mean: f64,
    least: f64,
    of: fn(&Row) -> f64,
}

const SPEEDS: [Bar; 2] = [
    Bar { name: "decode", mean: 1.8, least: 0.9, of: |row| row.decode.ratio },
    Bar { name: "encode", mean: 1.4, least: 0.6, of: |row| row.encode.ratio },
];
const SIZE: f64 = 1.05;
/// So many of the worst rows come first.
const WORST: usize = 12;

pub(crate) fn print(rows: &[Row]) {
    println!("| goal | measured | |\n|---|---|---|");
    for Bar { name, mean, least, of } in SPEEDS {
        let (found, lowest) = (geometric(rows, of), rows.iter().map(of).fold(f64::MAX, f64::min));
        let below = rows.iter().filter(|row| of(row) < least).count();
        println!("| {name}: mean ≥ {mean} | {found:.2} | {} |", verdict(found >= mean));
        println!("| {name}: every row ≥ {least} | {lowest:.2}, {below} below | {} |", verdict(below == 0));
    }
    let (mean, largest) =
        (geometric(rows, |row| row.size), rows.iter().map(|row| row.size).fold(0.0, f64::max));
    let above = rows.iter().filter(|row| row.size > SIZE).count();
    println!(
        "| size: every row ≤ {SIZE} | {largest:.2}, {above} above; mean {mean:.2} | {} |",
        verdict(above == 0)
    );
    peers(rows);
    for Bar { name, of, .. } in SPEEDS {
        worst(rows, name, |row| -of(row), of);
    }
    worst(rows, "size", |row| -row.size, |row| row.size);
    table(rows);
}

const fn verdict(met: bool) -> &'static str {
    if met { "met" } else { "**missed**" }
}

fn geometric(rows: &[Row], of: impl Fn(&Row) -> f64) -> f64 {
    (rows.iter().map(|row| of(row).ln()).sum::<f64>() / rows.len() as f64).exp()
}

fn peers(rows: &[Row]) {
    let both: [(&str, fn(&Row) -> &Peer); 2] =
        [("decodes", |row| &row.blusc_decodes), ("encodes", |row| &row.blusc_encodes)];
    println!();
    for (what, of) in both {
        let ratios: Vec<f64> = rows
            .iter()
            .filter_map(|row| match of(row) {
                Peer::Takes(ratio) => Some(*ratio),
                _ => None,
            })
            .collect();
        let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let wrong = rows.iter().filter(|row| matches!(of(row), Peer::Errs)).count();
        let refused = rows.iter().filter(|row| matches!(of(row), Peer::Refuses)).count();
        println!(
            "blusc {what} {} of {} chunks, in {mean:.2} times our time; {wrong} wrongly, without an error; {refused} not at all.",
            ratios.len(),
            rows.len()
        );
    }
}

fn worst(rows: &[Row], name: &str, key: impl Fn(&Row) -> f64, of: impl Fn(&Row) -> f64) {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    sorted.sort_by(|a, b| key(b).total_cmp(&key(a)));
    if name == "size" {
        sorted.reverse();
    }
    println!("\nWorst of {name}:\n");
    sorted.iter().take(WORST).for_each(|row| println!("- {:.2} {}", of(row), row.case));
}

fn table(rows: &[Row]) {
    println!("\n| case | decode | C | ratio | encode | C | ratio | size | blusc decodes | encodes |");
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for Row { case, decode, encode, size, blusc_decodes, blusc_encodes } in rows {
        let times = |times: &crate::timing::Times| {
            format!("{:.2} ms | {:.2} ms | {:.2}", times.ours / 1e6, times.reference / 1e6, times.ratio)
        };
        let [decodes, encodes] = [blusc_decodes, blusc_encodes].map(|peer| match peer {
            Peer::Takes(ratio) => format!("{ratio:.2}"),
            Peer::Refuses => "refuses".into(),
            Peer::Errs => "**wrong**".into(),
        });
        println!("| {case} | {} | {} | {size:.3} | {decodes} | {encodes} |", times(decode), times(encode));
    }
}
