//! `--explain`: the parameters of a new frame, and how they were chosen.

use b2nd::Layout;
use b2nd::array::ArrayParams;
use b2nd::chunk::{Auto, CParams, Goal, Trial};
use b2nd::codec::Codec;
use b2nd::filter::{self, Filter, Pipeline};
use b2nd::sink::{self, Editor};
use serde::Serialize;

/// Prints how an array is stored.
pub(crate) fn array(params: &ArrayParams, array: Option<&Layout>) {
    if let Some(array) = array {
        let blocks = array.blockshape().unwrap_or_default();
        eprintln!("shape {:?}, chunks {:?}, blocks {blocks:?}", array.shape(), array.chunkshape());
    }
    eprint!("dtype {}, ", params.dtype);
    cparams(&params.cparams, params.auto);
}

/// Prints how chunks are compressed.
pub(crate) fn cparams(cparams: &CParams, auto: Option<Auto>) {
    let CParams { clevel, splitmode, .. } = cparams;
    let codec = if auto.is_some_and(|auto| auto.codec) { "auto" } else { name(cparams.codec) };
    let filters =
        if auto.is_some_and(|auto| auto.filters) { "auto".into() } else { describe(&cparams.filters) };
    eprintln!("codec {codec}, clevel {clevel}, filters {filters}, split {}", splitmode.name());
}

/// Prints what was tried at the first chunk, and what was chosen.
pub(crate) fn choices(editor: &Editor<sink::File>) {
    let Some(first) = editor.first_choice() else { return };
    eprintln!("   codec    filters                        sampled  encoded    ratio");
    for trial in &first.trials {
        let Trial { codec, filters, nbytes, cbytes, .. } = trial;
        let mark = if is_first(trial, editor) { "->" } else { "  " };
        let (codec, filters, ratio) = (name(*codec), describe(filters), *nbytes as f64 / *cbytes as f64);
        eprintln!("{mark} {codec:<8} {filters:<28} {nbytes:>9} {cbytes:>8} {ratio:>8.2}");
    }
    for chosen in editor.chosen() {
        let chunks = crate::words::count(chosen.nchunks, "chunk");
        eprintln!("{chunks} with {}, {}", name(chosen.codec), describe(&chosen.filters));
    }
}

/// How parameters were chosen, for JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Choices {
    goal: &'static str,
    tried: Vec<Tried>,
    chosen: Vec<Chosen>,
}

/// A candidate at the first chunk.
#[derive(Debug, Serialize)]
struct Tried {
    codec: &'static str,
    filters: String,
    sampled: usize,
    encoded: usize,
    ratio: f64,
    cost: u64,
    chosen: bool,
}

/// A codec and filters, and how many chunks have them.
#[derive(Debug, Serialize)]
struct Chosen {
    codec: &'static str,
    filters: String,
    nchunks: u64,
}

impl Choices {
    /// The choices of an editor, if there were any.
    pub(crate) fn of(editor: &Editor<sink::File>, auto: Option<Auto>) -> Option<Self> {
        let goal = match auto?.goal {
            Goal::Ratio => "ratio",
            Goal::Balanced => "balanced",
            Goal::Speed => "speed",
        };
        let tried = |trial: &Trial| Tried {
            codec: name(trial.codec),
            filters: describe(&trial.filters),
            sampled: trial.nbytes,
            encoded: trial.cbytes,
            ratio: trial.nbytes as f64 / trial.cbytes as f64,
            cost: trial.cost,
            chosen: is_first(trial, editor),
        };
        let trials = editor.first_choice().map_or(&[][..], |choice| &choice.trials);
        let chosen = editor.chosen().iter().map(|chosen| Chosen {
            codec: name(chosen.codec),
            filters: describe(&chosen.filters),
            nchunks: chosen.nchunks,
        });
        Some(Self { goal, tried: trials.iter().map(tried).collect(), chosen: chosen.collect() })
    }
}

/// Whether the first choice was this candidate.
fn is_first(trial: &Trial, editor: &Editor<sink::File>) -> bool {
    editor.first_choice().is_some_and(|choice| (choice.codec, choice.filters) == (trial.codec, trial.filters))
}

fn name(codec: Codec) -> &'static str {
    codec.name().unwrap_or("?")
}

/// Formats filters with their parameters.
pub(crate) fn describe(filters: &Pipeline) -> String {
    let name = |filter: Filter| {
        let name = filter::name(filter.id).map_or_else(|| filter.id.to_string(), str::to_owned);
        if filter.meta == 0 { name } else { format!("{name}:{}", filter.meta) }
    };
    let names: Vec<String> = filters.iter().map(name).collect();
    if names.is_empty() { "none".into() } else { names.join(",") }
}
