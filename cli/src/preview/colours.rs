//! Colours of values. The table beside this file is that of the viewer, too.

use serde::Deserialize;
use std::collections::BTreeMap;

pub(super) type Rgb = [u8; 3];

#[derive(Deserialize)]
struct Table {
    maps: BTreeMap<String, String>,
    odd: BTreeMap<String, String>,
    lines: Vec<String>,
}

fn table() -> Table {
    serde_json::from_str(include_str!("colours.json")).expect("the table is a part of the program")
}

/// The map of integers that are labels, which has no order.
pub(super) const LABELS: &str = "labels";

/// The name of a map.
pub(crate) fn map_name(text: &str) -> Result<String, String> {
    let mut names: Vec<_> = table().maps.into_keys().collect();
    names.push(LABELS.into());
    if names.iter().any(|name| name == text) {
        return Ok(text.into());
    }
    Err(format!("no colour map: there are {}", names.join(", ")))
}

/// Steps of a map.
const STEPS: usize = 1024;

/// The colours of a map, from the least to the greatest value.
pub(super) fn palette(name: &str) -> Vec<Rgb> {
    let stops: Vec<Rgb> = table().maps[name].split(' ').map(rgb).collect();
    let mixed = |step: usize| {
        let place = step as f64 / (STEPS - 1) as f64 * (stops.len() - 1) as f64;
        let low = (place as usize).min(stops.len() - 2);
        let [a, b] = [stops[low], stops[low + 1]].map(|stop| stop.map(f64::from));
        let mix = |channel: usize| a[channel] + (b[channel] - a[channel]) * (place - low as f64);
        [0, 1, 2].map(|channel| rounded(mix(channel)))
    };
    (0..STEPS).map(mixed).collect()
}

/// The colours of values that no map contains.
pub(super) struct Odd {
    nan: Rgb,
    plus: Rgb,
    minus: Rgb,
}

impl Odd {
    pub(super) fn new() -> Self {
        let odd = table().odd;
        let [nan, plus, minus] = ["NaN", "+∞", "−∞"].map(|name| rgb(&odd[name]));
        Self { nan, plus, minus }
    }

    /// The colour of a value that is not finite.
    pub(super) fn of(&self, value: f64) -> Rgb {
        match value {
            _ if value.is_nan() => self.nan,
            _ if value > 0.0 => self.plus,
            _ => self.minus,
        }
    }
}

/// The colours of lines, one after the other.
pub(super) fn lines() -> Vec<Rgb> {
    table().lines.iter().map(|hex| rgb(hex)).collect()
}

/// The colour of a label: 0 is dark, and neighbours differ strongly.
pub(super) fn label(label: f64) -> Rgb {
    if label == 0.0 {
        return [24, 24, 27];
    }
    let number = label.abs();
    let turn = (number * 0.618_033_988_7) % 1.0;
    let light = 0.48 + 0.22 * ((number * 0.754_877_666_2) % 1.0);
    [0.0, 8.0, 4.0].map(|offset| {
        let k = (offset + turn * 12.0) % 12.0;
        rounded(255.0 * (light - 0.32 * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0)))
    })
}

/// The nearest level; halves are rounded up, and NaN is 0.
pub(super) fn rounded(level: f64) -> u8 {
    (level + 0.5).floor() as u8
}

/// A colour such as `#0072b2`, with or without its sign.
fn rgb(hex: &str) -> Rgb {
    let hex = hex.trim_start_matches('#');
    [0, 2, 4].map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("six digits"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn maps_go_from_their_first_to_their_last_colour() {
        for (name, stops) in table().maps {
            let palette = palette(&name);
            let stops: Vec<Rgb> = stops.split(' ').map(rgb).collect();
            assert_eq!([palette.first(), palette.last()], [stops.first(), stops.last()], "{name}");
            assert_eq!(palette.len(), STEPS);
            assert!(map_name(&name).is_ok());
        }
        assert!(map_name("jet").unwrap_err().contains("viridis"));
    }

    #[test]
    fn labels_differ_from_their_neighbours() {
        for number in 0..1000 {
            let [a, b] = [number, number + 1].map(|number| label(f64::from(number)));
            let distance: i32 = a.iter().zip(b).map(|(&a, b)| (i32::from(a) - i32::from(b)).abs()).sum();
            assert!(distance > 40, "{number}: {a:?} {b:?}");
        }
        assert_eq!(label(-3.0), label(3.0));
    }
}
