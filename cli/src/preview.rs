//! `b2nd preview`: a picture of an array, as the viewer shows it at first.

mod colours;
mod gather;
mod lines;
mod numbers;
mod paint;
mod part;
mod plane;
mod range;
mod shown;
mod summary;

use crate::args::{Args, RangeMode};
use crate::error::CommandError;
use crate::opened::Opened;
use crate::output::Output;
use crate::remote::is_url;
use crate::store;
use crate::values::ValueError;
use b2nd::array::{Dtype, Kind};
pub(crate) use colours::map_name;
use numbers::Numbers;
use paint::Image;
use part::Part;
use plane::Plane;
use range::range_of;
use shown::Shown;
use std::io::{self, Write};
use std::path::Path;

/// The picture that is asked for.
pub(crate) struct Options<'a> {
    pub(crate) selection: Option<&'a str>,
    /// The most pixels of a side.
    pub(crate) size: u16,
    /// The colour map; that of the viewer without one.
    pub(crate) map: Option<&'a str>,
    pub(crate) range: RangeMode,
    pub(crate) dtype: Option<&'a Dtype>,
}

/// Writes the picture as PNG.
pub(crate) fn run(
    args: &Args,
    path: &Path,
    output: &Path,
    options: &Options<'_>,
) -> Result<(), CommandError> {
    store::refuse_member(output)?;
    let opened = Opened::new(path, args)?;
    let dtype = opened.dtype(options.dtype)?;
    let part = Part::new(&opened, options.selection)?;
    let image = draw(&opened, &part, &dtype, options)?;
    let mut out = Output::create(Some(output)).map_err(CommandError::Output)?;
    write(&image, &mut out).and_then(|()| out.commit()).map_err(CommandError::Output)
}

fn draw(
    opened: &Opened<'_>,
    part: &Part,
    dtype: &Dtype,
    options: &Options<'_>,
) -> Result<Image, CommandError> {
    let no_picture = |what: String| CommandError::from(ValueError::NoPicture(what));
    let mut numbers =
        Numbers::of(dtype).ok_or_else(|| no_picture(format!("items of dtype {dtype} are no numbers")))?;
    let shape = part.shape();
    let shown = Shown::of(&shape, dtype)
        .ok_or_else(|| no_picture(format!("the shape {shape:?} has fewer than two items")))?;
    let (size, is_remote) = (usize::from(options.size), is_url(opened.path));
    let axes = match shown {
        Shown::Lines { x, y } => {
            return lines::draw(opened, part, (x, y), is_remote, &mut numbers, (options.range, size));
        }
        Shown::Plane { x, y } => (x, y, None),
        Shown::Colours { x, y, z } => (x, y, Some(z)),
    };
    let plane = plane::read(opened, part, shown, axes, is_remote, &mut numbers)?;
    Ok(match shown {
        Shown::Colours { .. } => paint::colours(&plane, levels(&plane, dtype, options.range), size),
        _ => painted(&plane, &numbers.dtype, options, size),
    })
}

/// Bytes are colours as they are.
fn levels(plane: &Plane, dtype: &Dtype, range: RangeMode) -> (f64, f64) {
    match range {
        RangeMode::Auto if dtype.itemsize() == 1 => (0.0, 255.0),
        RangeMode::Auto => range_of(RangeMode::Full, plane),
        range => range_of(range, plane),
    }
}

fn painted(plane: &Plane, dtype: &Dtype, options: &Options<'_>, size: usize) -> Image {
    let is_bool = matches!(dtype.kind(), Kind::Bool);
    let are_labels =
        || matches!(dtype.kind(), Kind::Int | Kind::Uint) && !plane.are_means && range::are_labels(plane);
    let map = options.map.unwrap_or_else(|| match () {
        () if is_bool => "grey",
        () if are_labels() => colours::LABELS,
        () => "viridis",
    });
    let range = match options.range {
        RangeMode::Auto if is_bool => (0.0, 1.0),
        range => range_of(range, plane),
    };
    paint::plane(plane, map, range, size)
}

fn write(image: &Image, out: impl Write) -> io::Result<()> {
    let is_opaque = image.pixels.iter().all(|pixel| pixel[3] == 255);
    let channels = if is_opaque { 3 } else { 4 };
    let mut encoder = png::Encoder::new(out, image.width as u32, image.height as u32);
    encoder.set_color(if is_opaque { png::ColorType::Rgb } else { png::ColorType::Rgba });
    encoder.set_depth(png::BitDepth::Eight);
    let bytes: Vec<u8> = image.pixels.iter().flat_map(|pixel| &pixel[..channels]).copied().collect();
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    writer.finish()?;
    Ok(())
}
