//! The values of a plane, or a coarser grid of them: those that the viewer reads (`www/viewer/model/plane.ts`).

use super::gather::Gather;
use super::numbers::Numbers;
use super::part::{Cut, Part};
use super::shown::Shown;
use super::summary::Summary;
use crate::error::CommandError;
use crate::opened::Opened;
use crate::progress::Progress;
use b2nd::Selection;

/// Of more items every second, fourth, … is taken, or the mean of as many.
const MAX_ITEMS: u64 = 1 << 22;
/// The maximum number of bytes of items that means are made of.
const MAX_MEAN_BYTES: u64 = 1 << 29;
/// Over a network, of as many blocks and compressed bytes.
const MAX_BLOCKS: u64 = 1 << 14;
const MAX_REMOTE_BYTES: u64 = 64_000_000;
/// The maximum number of bytes to read at a time.
const AT_ONCE: usize = 16 << 20;

/// Values in C order, those of a pixel side by side.
pub(super) struct Plane {
    pub(super) width: usize,
    pub(super) height: usize,
    pub(super) channels: usize,
    pub(super) values: Vec<f64>,
    /// Of all items, even if the values are means.
    pub(super) summary: Summary,
    /// Whether the values are means.
    pub(super) are_means: bool,
}

/// Reads the plane of these axes, and all along a third.
pub(super) fn read(
    opened: &Opened<'_>,
    part: &Part,
    shown: Shown,
    (x, y, z): (usize, usize, Option<usize>),
    is_remote: bool,
    numbers: &mut Numbers,
) -> Result<Plane, CommandError> {
    let shape = part.shape();
    let (width, height) = (shape[x], shape[y]);
    let channels = z.map_or(1, |z| shape[z]);
    let mut step = 1;
    while width.div_ceil(step) * height.div_ceil(step) > MAX_ITEMS {
        step *= 2;
    }
    let items = width.saturating_mul(height).saturating_mul(channels);
    let are_means = step > 1 && !is_sparse(opened, part, (items, step), [x, y], is_remote);
    let cuts = cuts(&shape, shown, is_remote, items_bytes(opened, &shape), if are_means { 1 } else { step });
    let (columns, rows) = (width.div_ceil(step), height.div_ceil(step));
    let kept = columns * rows * channels;
    let wrong = |error| CommandError::Blosc(opened.path.into(), error);
    opened.limits.allow_memory(kept.saturating_mul(size_of::<f64>() as u64)).map_err(wrong)?;
    let mut plane = Plane {
        width: columns as usize,
        height: rows as usize,
        channels: channels as usize,
        values: Vec::with_capacity(kept as usize),
        summary: Summary::default(),
        are_means,
    };
    let mut gather =
        are_means.then(|| Gather::new(numbers, width as usize, channels as usize, step as usize));
    each(opened, &part.selection(&cuts), numbers, |numbers| {
        plane.summary.add(numbers);
        match &mut gather {
            Some(gather) => gather.add(numbers, &mut plane.values),
            None => plane.values.extend_from_slice(numbers),
        }
    })?;
    if let Some(gather) = &mut gather {
        gather.finish(&mut plane.values);
    }
    Ok(plane)
}

/// The cut of each axis: the middle of those that are not shown, or the start of an array far away, which has come with its head.
pub(super) fn cuts(shape: &[u64], shown: Shown, is_remote: bool, nbytes: u64, step: u64) -> Vec<Cut> {
    const FAR: u64 = 1 << 25;
    let is_far = is_remote && nbytes > FAR;
    let axes = shown.axes();
    let cut = |(axis, &len): (usize, &u64)| match shown {
        Shown::Colours { z, .. } if axis == z => Cut::Every(1),
        _ if axes.contains(&axis) => Cut::Every(step),
        _ if is_far => Cut::At(0),
        _ => Cut::At((len - 1) / 2),
    };
    shape.iter().enumerate().map(cut).collect()
}

/// The bytes of all items of the part.
pub(super) fn items_bytes(opened: &Opened<'_>, shape: &[u64]) -> u64 {
    let itemsize = u64::from(opened.reader.frame().header.typesize);
    shape.iter().fold(itemsize, |bytes, &len| bytes.saturating_mul(len))
}

/// Whether single items are read instead of means.
fn is_sparse(
    opened: &Opened<'_>,
    part: &Part,
    (items, step): (u64, u64),
    axes: [usize; 2],
    is_remote: bool,
) -> bool {
    let header = &opened.reader.frame().header;
    let bytes = items.saturating_mul(u64::from(header.typesize));
    let Ok(Some(layout)) = opened.array() else { return bytes > MAX_MEAN_BYTES };
    let blocks = axes.map(|axis| {
        layout
            .blockshape()
            .and_then(|shape| shape.get(part.axis(axis)).copied())
            .map_or(1, |len| u64::from(len).max(1))
    });
    let compressed = bytes as u128 * u128::from(header.cbytes) / u128::from(header.nbytes.max(1));
    let is_far =
        compressed > u128::from(MAX_REMOTE_BYTES) || items / blocks[0].saturating_mul(blocks[1]) > MAX_BLOCKS;
    bytes > MAX_MEAN_BYTES || (is_remote && is_far && blocks.iter().any(|&len| step > len))
}

/// Passes on the numbers of a selection, some at a time, in C order.
pub(super) fn each(
    opened: &Opened<'_>,
    selection: &Selection,
    numbers: &mut Numbers,
    mut use_some: impl FnMut(&[f64]),
) -> Result<(), CommandError> {
    let plan = opened.of(opened.reader.plan(selection))?;
    let mut progress = Progress::new("reading", plan.nbytes() as u64);
    let mut buffer = Vec::new();
    for part in plan.parts(AT_ONCE) {
        let len = opened.limits.allow_memory(part.nbytes() as u64);
        buffer.resize(len.map_err(|error| CommandError::Blosc(opened.path.into(), error))?, 0);
        opened.of(opened.reader.get_parallel_into(&part, &mut buffer))?;
        use_some(&numbers.decode(&buffer));
        progress.advance(part.nbytes() as u64);
    }
    Ok(())
}
