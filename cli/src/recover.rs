//! `b2nd recover`: puts a frame together that lost its index.

use crate::args::Args;
use crate::error::{CommandError, read_error};
use crate::pipe::{is_standard_output, is_written_through};
use crate::signals::on_signals;
use crate::source::Source;
use crate::store;
use crate::target::written;
use b2nd::DParams;
use b2nd::sink::{self, Editor, Found};
use std::io;
use std::path::Path;

/// Writes the frame, and says what was found.
pub(crate) fn run(args: &Args, from: &Path, output: &Path) -> Result<(), CommandError> {
    store::refuse_member(output)?;
    if is_standard_output(output) || is_written_through(output) {
        return Err(CommandError::Output(io::ErrorKind::Unsupported.into()));
    }
    let source = Source::open(from, args.offset, &args.limits())?;
    // Without a handler, what a signal leaves is removed by the next writer of the path.
    let _ = on_signals(sink::remove_temporaries);
    let file = sink::File::create(output, false).map_err(CommandError::Output)?;
    let dparams = DParams { limits: args.limits(), ..DParams::default() };
    let (mut editor, found) =
        Editor::recover(file, &source, dparams).map_err(|error| read_error(from, error))?;
    editor.commit().map_err(|error| written(output, error))?;
    eprintln!("b2nd: {}", sentence(found));
    Ok(())
}

fn sentence(Found { found, nchunks, is_certain, .. }: Found) -> String {
    if is_certain {
        return format!("all {nchunks} chunks were found; attributes are lost");
    }
    format!(
        "{found} of {nchunks} chunks were found, and attributes are lost. They are in the right places if all were written once \
         and in order, and none before them is special, such as one of zeros only. The others are uninitialised"
    )
}
