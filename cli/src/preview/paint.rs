//! From values to pixels: the rules of the viewer (`www/viewer/draw/paint.ts` and `paint-colours.ts`).

use super::colours::{LABELS, Odd, Rgb, label, palette, rounded};
use super::plane::Plane;
use super::range::usable;

/// Pixels, row by row: red, green, blue and how opaque they are.
pub(super) struct Image {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) pixels: Vec<[u8; 4]>,
}

/// Paints a plane in the colours of a map. No side has more than `size` pixels.
pub(super) fn plane(plane: &Plane, map: &str, range: (f64, f64), size: usize) -> Image {
    let (width, height) = fitting(plane, size);
    let colour = colourer(map, range);
    if (width, height) == (plane.width, plane.height) {
        return image(plane, plane.values.iter().map(|&value| opaque(colour(value)))).enlarged(size);
    }
    if map == LABELS {
        let nearest = nearest(plane, width, height, |at| opaque(colour(plane.values[at])));
        return Image { width, height, pixels: nearest };
    }
    let (means, odd) = shrunk(plane, width, height, 0, f64::is_finite);
    let mut pixels: Vec<_> = means.iter().map(|&value| opaque(colour(value))).collect();
    mark(&mut pixels, &odd, width);
    Image { width, height, pixels }
}

/// Paints colours that are stored, of three channels or four.
pub(super) fn colours(plane: &Plane, (min, max): (f64, f64), size: usize) -> Image {
    let (width, height) = fitting(plane, size);
    let factor = 255.0 / if max == min { 1.0 } else { max - min };
    let level = |value: f64| rounded((value - min) * factor);
    let pixel = |colour: &[f64]| {
        let alpha = colour.get(3).map_or(255, |&alpha| level(alpha));
        [level(colour[0]), level(colour[1]), level(colour[2]), alpha]
    };
    if (width, height) == (plane.width, plane.height) {
        return image(plane, plane.values.chunks_exact(plane.channels).map(pixel)).enlarged(size);
    }
    // The mean of transparent colours is not the mean of their channels.
    if plane.channels > 3 {
        let at = |at: usize| pixel(&plane.values[at * plane.channels..][..plane.channels]);
        return Image { width, height, pixels: nearest(plane, width, height, at) };
    }
    let means = [0, 1, 2].map(|channel| shrunk(plane, width, height, channel, |value| !value.is_nan()).0);
    let pixels = (0..width * height).map(|at| pixel(&[means[0][at], means[1][at], means[2][at]])).collect();
    Image { width, height, pixels }
}

impl Image {
    /// Each pixel as a square of several.
    fn enlarged(self, size: usize) -> Self {
        let times = (size / self.width.max(self.height)).max(1);
        let (width, height) = (self.width * times, self.height * times);
        let at = |at: usize| self.pixels[at / width / times * self.width + at % width / times];
        Self { width, height, pixels: (0..width * height).map(at).collect() }
    }
}

/// The size of a plane that is larger than a square.
fn fitting(&Plane { width, height, .. }: &Plane, size: usize) -> (usize, usize) {
    let most = width.max(height);
    if most <= size {
        return (width, height);
    }
    let shorter = |len: usize| ((len as f64 * size as f64 / most as f64).round() as usize).max(1);
    (shorter(width), shorter(height))
}

fn image(plane: &Plane, pixels: impl Iterator<Item = [u8; 4]>) -> Image {
    Image { width: plane.width, height: plane.height, pixels: pixels.collect() }
}

fn opaque([red, green, blue]: Rgb) -> [u8; 4] {
    [red, green, blue, 255]
}

fn colourer(map: &str, range: (f64, f64)) -> Box<dyn Fn(f64) -> Rgb> {
    let odd = Odd::new();
    if map == LABELS {
        return Box::new(move |value| if value.is_finite() { label(value) } else { odd.of(f64::NAN) });
    }
    let colours = palette(map);
    let (min, max) = usable(range);
    // Half of a range does not overflow even if the range does.
    let scale = if (max - min).is_finite() { 1.0 } else { 0.25 };
    let last = (colours.len() - 1) as f64;
    let factor = last / (max * scale - min * scale);
    Box::new(move |value| match value {
        _ if !value.is_finite() => odd.of(value),
        _ => colours[((value * scale - min * scale) * factor).clamp(0.0, last).round() as usize],
    })
}

/// The values whose places are nearest to those of the pixels.
fn nearest<T>(plane: &Plane, width: usize, height: usize, of: impl Fn(usize) -> T) -> Vec<T> {
    let from = |at: usize, len: usize, of: usize| (2 * at + 1) * of / (2 * len);
    let place = |at: usize| {
        from(at / width, height, plane.height) * plane.width + from(at % width, width, plane.width)
    };
    (0..width * height).map(|at| of(place(at))).collect()
}

/// The mean of the values that count in each pixel, NaN without any, and the last one that does not.
fn shrunk(
    plane: &Plane,
    width: usize,
    height: usize,
    channel: usize,
    counts: fn(f64) -> bool,
) -> (Vec<f64>, Vec<Option<f64>>) {
    let to = |at: usize, len: usize, of: usize| ((at as f64 + 0.5) * len as f64 / of as f64) as usize;
    let columns: Vec<usize> = (0..plane.width).map(|x| to(x, width, plane.width)).collect();
    let mut sums = vec![(0.0, 0u32); width * height];
    let mut odd = vec![None; width * height];
    for (y, row) in plane.values.chunks_exact(plane.width * plane.channels).enumerate() {
        let first = to(y, height, plane.height) * width;
        for (value, column) in row.iter().skip(channel).step_by(plane.channels).zip(&columns) {
            let at = first + column;
            if counts(*value) {
                sums[at] = (sums[at].0 + value, sums[at].1 + 1);
            } else {
                odd[at] = Some(*value);
            }
        }
    }
    (sums.into_iter().map(|(sum, count)| sum / f64::from(count)).collect(), odd)
}

/// Single values that are not finite would not be seen: their colour is also that of the pixels to the left and above.
fn mark(pixels: &mut [[u8; 4]], odd: &[Option<f64>], width: usize) {
    let colours = Odd::new();
    for (at, value) in odd.iter().enumerate() {
        let Some(value) = value else { continue };
        let left = at - usize::from(at % width > 0);
        for place in [left, at] {
            pixels[place] = opaque(colours.of(*value));
            if let Some(above) = place.checked_sub(width) {
                pixels[above] = pixels[place];
            }
        }
    }
}
