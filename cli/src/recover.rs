//! `b2nd recover`: puts a frame together that lost its index.

use crate::args::Args;
use crate::error::{CommandError, read_error};
use crate::source::Source;
use crate::target::{new_file, written};
use b2nd::DParams;
use b2nd::sink::{Editor, Found};
use std::path::Path;

/// Writes the frame, and says what was found.
pub(crate) fn run(args: &Args, from: &Path, output: &Path) -> Result<(), CommandError> {
    let source = Source::open(from, args.offset, &args.limits())?;
    let dparams = DParams { limits: args.limits(), ..DParams::default() };
    let (mut editor, found) =
        Editor::recover(new_file(output)?, &source, dparams).map_err(|error| read_error(from, error))?;
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
