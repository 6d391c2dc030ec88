//! `b2nd collect`: rows that a device sends in packets.

#[cfg_attr(target_family = "wasm", path = "collect/direct.rs")]
mod pieces;

use crate::args::collect::CollectOptions;
use crate::args::{Args, Storage};
use crate::create::usual_params;
use crate::edit::{dtype, item};
use crate::error::CommandError;
use crate::opened::Opened;
use crate::progress::Progress;
use crate::store;
use crate::target::{self, made, written};
use crate::values::ValueError;
use crate::words::count;
use b2nd::array::{ArrayParams, Dtype, Kind};
use b2nd::chunk::stream::ReceiveParams;
use b2nd::sink::{self, Collected, Collector, Editor};
use b2nd::{DParams, Layout};
use core::time::Duration;
use pieces::{Piece, Pieces};
use serde_json::json;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

/// How long rows may wait for a commit.
const PATIENCE: Duration = Duration::from_secs(1);
/// Bytes of a chunk, if nothing else is said.
const CHUNK_BYTES: u64 = 1 << 20;

/// Collects until the input ends, or a signal does.
pub(crate) fn run(
    args: &Args,
    input: &Path,
    output: &Path,
    options: &CollectOptions,
    storage: &Storage,
) -> Result<(), CommandError> {
    target::set_threads(storage.threads);
    let (editor, fill) = open(args, output, options, storage)?;
    let params = ReceiveParams {
        stream: options.stream,
        from: (!options.join).then_some(0),
        window: options.window.into(),
    };
    let failed = |error| written(output, error);
    let mut collector = Collector::new(editor, params, &fill).map_err(failed)?.with_limits(args.limits());
    // A signal waits for what this holds.
    let pieces = Pieces::open(input);
    let done = collect(&mut collector, &pieces, input, output);
    let collected = collector.finish().map_err(failed)?;
    print(&collected, storage.json).map_err(CommandError::Output)?;
    done
}

/// Takes what arrives, and commits it every second.
fn collect(
    collector: &mut Collector<sink::File>,
    pieces: &Pieces,
    input: &Path,
    output: &Path,
) -> Result<(), CommandError> {
    let total = fs::metadata(input).ok().filter(fs::Metadata::is_file).map(|metadata| metadata.len());
    let mut progress = total.map(|total| Progress::new("collecting", total));
    let mut committed = Instant::now();
    let mut rows = collector.rows();
    loop {
        match pieces.next(PATIENCE.saturating_sub(committed.elapsed())) {
            Piece::Bytes(bytes) => {
                collector.push(&bytes).map_err(|error| written(output, error))?;
                progress.iter_mut().for_each(|progress| progress.advance(bytes.len() as u64));
            }
            Piece::Nothing => {}
            Piece::End => return Ok(()),
            Piece::Failed(error) => return Err(CommandError::Input(input.into(), error)),
        }
        if committed.elapsed() >= PATIENCE {
            if collector.rows() > rows {
                collector.commit().map_err(|error| written(output, error))?;
                rows = collector.rows();
            }
            committed = Instant::now();
        }
    }
}

/// Opens the array, or makes one. Returns an item that stands for lost ones as well.
fn open(
    args: &Args,
    output: &Path,
    options: &CollectOptions,
    storage: &Storage,
) -> Result<(Editor<sink::File>, Vec<u8>), CommandError> {
    if args.offset != 0 {
        return Err(ValueError::Offset.into());
    }
    if store::destination(output).is_some() {
        return Err(ValueError::Member.into());
    }
    store::refuse_store(output)?;
    if output.exists() {
        if !options.is_for_old() || !storage.is_default() {
            return Err(ValueError::ArrayParameters.into());
        }
        let dparams = DParams { limits: args.limits(), ..DParams::default() };
        let editor = sink::edit_with(output, dparams).map_err(|error| written(output, error))?;
        let fill = fill(options, &dtype(editor.layout().ok_or(ValueError::NotAnArray)?))?;
        return Ok((editor, fill));
    }
    let mut params = params(args, options)?;
    storage.apply(&mut params);
    params.auto = storage.auto(false);
    let dtype = Dtype::parse(&params.dtype, &args.limits()).map_err(CommandError::Parameters)?;
    let fill = fill(options, &dtype)?;
    let sink = sink::File::create(output, params.sparse).map_err(CommandError::Output)?;
    let mut editor = Editor::create_array(sink, &params).map_err(|error| made(output, error))?;
    for layer in &storage.attr {
        editor.set_attr_bytes(&layer.name, &layer.content).map_err(|error| written(output, error))?;
    }
    editor.commit().map_err(|error| written(output, error))?;
    Ok((editor, fill))
}

/// The parameters of a new array without rows.
fn params(args: &Args, options: &CollectOptions) -> Result<ArrayParams, CommandError> {
    if let Some(path) = &options.template {
        let opened = Opened::new(path, args)?;
        let array: &Layout = opened.array()?.ok_or(ValueError::NotAnArray)?;
        let params = ArrayParams::of(opened.reader.frame(), array);
        let mut params = params.map_err(|error| CommandError::Blosc(path.clone(), error))?;
        params.shape.iter_mut().take(1).for_each(|rows| *rows = 0);
        return Ok(params);
    }
    let dtype = options.dtype.as_ref().ok_or(ValueError::NoRows)?;
    let row = options.row.as_ref().map_or(&[][..], |row| &row.0);
    let mut params = usual_params(&[&[0], row].concat(), dtype);
    let row_len = row.iter().fold(dtype.itemsize() as u64, |len, &axis| len.saturating_mul(axis));
    let rows = CHUNK_BYTES.checked_div(row_len).unwrap_or(1).max(1);
    let chunk = [&[rows], row].concat();
    params.chunkshape = chunk.iter().map(|&len| u32::try_from(len).ok()).collect();
    Ok(params)
}

/// An item that stands for lost ones.
fn fill(options: &CollectOptions, dtype: &Dtype) -> Result<Vec<u8>, CommandError> {
    match &options.fill {
        Some(text) => item(text, dtype),
        None if matches!(dtype.kind(), Kind::Float) => item("nan", dtype),
        None => Ok(vec![0; dtype.itemsize()]),
    }
}

/// Prints the counts: on standard error, or as JSON.
fn print(collected: &Collected<sink::File>, is_json: bool) -> io::Result<()> {
    let Collected { report, stream, lost, .. } = collected;
    let rows = collected.editor.layout().map_or(0, |array| array.shape()[0]);
    let lost_rows: u64 = lost.iter().map(|rows| rows.end - rows.start).sum();
    if is_json {
        let said = json!({
            "stream": stream,
            "rows": rows,
            "lost_rows": lost_rows,
            "lost": lost.iter().map(|rows| [rows.start, rows.end]).collect::<Vec<_>>(),
            "packets": report.packets,
            "blocks": report.blocks,
            "items": report.items,
            "lost_items": report.lost,
            "damaged": report.damaged,
            "duplicates": report.duplicates,
            "late": report.late,
            "other_streams": report.others,
            "bad_descriptions": report.descriptions,
            "undecodable_blocks": report.undecodable,
            "garbage_bytes": report.garbage,
        });
        return io::stdout().write_all(format!("{said:#}\n").as_bytes());
    }
    let (rows, packets) = (count(rows, "row"), count(report.packets, "packet"));
    let (late, damaged) = (report.late, report.damaged);
    eprintln!(
        "b2nd: {rows}, {lost_rows} of them lost; {packets}, {late} of them late; {damaged} damaged ones"
    );
    Ok(())
}
