//! The command-line tool: inspects, creates and changes Blosc2 files, and converts their values to and from other formats.

mod append_rows;
mod args;
mod attrs;
mod batches;
mod chunks;
mod collect;
mod columns;
mod compact;
mod create;
mod create_objects;
mod create_table;
mod edit;
mod error;
mod eval;
mod explain;
mod facts;
mod files;
mod get;
mod info;
mod input;
mod json;
mod ls;
mod members;
mod objects;
mod opened;
mod origin;
mod output;
mod permissions;
mod pipe;
mod points;
mod preview;
mod progress;
mod recover;
#[cfg(all(feature = "object_store", not(target_family = "wasm")))]
mod remote;
#[cfg(not(all(feature = "object_store", not(target_family = "wasm"))))]
#[path = "remote/none.rs"]
mod remote;
mod repack;
mod rows;
mod signals;
mod source;
mod spool;
mod stats;
mod store;
mod table;
mod target;
mod values;
mod verify;
mod words;
mod zarr;

use args::{Args, Command};
use b2nd::objects::Kind;
use clap::{CommandFactory, Parser};
use error::CommandError;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    // The host says where paths begin.
    #[cfg(target_os = "wasi")]
    let _ = std::env::var_os("PWD").map(std::env::set_current_dir);
    let args = Args::parse();
    args.urls.begin();
    let done = run(&args);
    args.urls.end();
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => error.report(),
    }
}

fn run(args: &Args) -> Result<(), CommandError> {
    match &args.command {
        Command::Info { path, json } => info::run(args, path, *json),
        Command::Ls { path, json } => ls::run(args, path, *json),
        Command::Get { path, selection, view, output, format, dtype, columns, choice, styles, threads } => {
            target::set_threads(*threads);
            let (selection, dtype, output) = (selection.as_deref(), dtype.as_ref(), output.as_deref());
            let columns = columns.as_ref().map_or(&[][..], |names| &names.0);
            let format = format.unwrap_or_else(|| values::Format::of(output));
            let style = styles.style();
            get::run(
                args,
                path,
                &get::Options { selection, view, dtype, format, style, output, columns, choice },
            )
        }
        Command::Eval { expression, operands, selection, output, format, styles, storage } => {
            let target =
                eval::Target { selection: selection.as_deref(), output: output.as_deref(), format: *format };
            eval::run(args, (expression, operands), &target, &styles.style(), storage)
        }
        Command::Stats { path, selection, axis, json } => {
            stats::run(args, path, selection.as_deref(), axis.as_deref(), *json)
        }
        Command::Preview { path, selection, output, size, map, range, dtype } => {
            let (selection, map, dtype) = (selection.as_deref(), map.as_deref(), dtype.as_ref());
            let options = preview::Options { selection, size: *size, map, range: *range, dtype };
            preview::run(args, path, output, &options)
        }
        Command::Chunks { path, json } => chunks::run(args, path, *json),
        Command::Verify { paths, threads } => {
            target::set_threads(*threads);
            verify::run(args, paths)
        }
        Command::Create { input, output, source, storage } => {
            create::run(args, input, output, source, storage)
        }
        Command::Repack { input, output, storage } => repack::run(args, input, output, storage),
        Command::Recover { input, output, json } => {
            recover::run(args, input, output)?;
            target::finish(args, output, *json)
        }
        Command::Pack { input, output, json } => {
            zarr::pack(args, input, output)?;
            target::finish(args, output, *json)
        }
        Command::Unpack { input, output } => zarr::unpack(args, input, output),
        Command::Refs { paths, join, name, url, output } => {
            zarr::refs(args, paths, join, name.as_deref(), url.as_deref(), output.as_deref())
        }
        Command::Set { path, selection, input, value, source, json } => {
            let values = match (input, value) {
                (Some(input), _) => edit::Values::Input(input, source),
                (None, value) => edit::Values::One(value.as_deref().unwrap_or_default()),
            };
            edit::set(args, path, selection, &values)?;
            target::finish(args, path, *json)
        }
        Command::Resize { path, shape, fill, json } => {
            edit::resize(args, path, &shape.0, fill.as_deref())?;
            target::finish(args, path, *json)
        }
        Command::Append { path, input, axis, source, json } => {
            edit::append(args, path, *axis, input, source)?;
            target::finish(args, path, *json)
        }
        Command::Collect { input, output, options, storage } => {
            collect::run(args, input, output, options, storage)
        }
        Command::Attrs { path, action, name, json, metalayers } => {
            let words = [action, name, json].map(Option::as_deref);
            attrs::run(args, path, words, *metalayers)
        }
        Command::CreateObjects { input, output, single, lists, batch, block, storage } => {
            let kind = if *single { Kind::Objects } else { Kind::Batches };
            let lens = (*batch as usize, *block as usize);
            create_objects::run(args, input, output, (kind, lists.as_ref(), lens), storage)
        }
        Command::CreateTable { input, output, options, storage } => {
            create_table::run(args, input, output, options, storage)
        }
        Command::AppendRows { path, input, from } => append_rows::run(args, path, input, *from),
        Command::AddColumns { path, input, computed, generated, options } => {
            columns::add(args, path, (input.as_deref(), computed, generated), options)
        }
        Command::DropColumns { path, names } => columns::drop(args, path, names),
        Command::RenameColumn { path, from, to } => columns::rename(args, path, from, to),
        Command::RefreshColumns { path, names } => columns::refresh(args, path, names),
        Command::Add { store, key, frame } => members::add(args, store, key, frame),
        Command::Rm { store, keys } => members::remove(args, store, keys),
        Command::Mv { store, from, to } => members::rename(args, store, from, to),
        Command::Compact { path, json } => {
            compact::run(args, path)?;
            target::finish(args, path, *json)
        }
        // The script that starts this runs it.
        #[cfg(target_os = "wasi")]
        Command::View { .. } => Ok(()),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(*shell, &mut Args::command(), "b2nd", &mut script);
            io::stdout().write_all(&script).map_err(CommandError::Output)
        }
    }
}
