//! `b2nd info`: describes a file without decoding its data.

use crate::args::Args;
use crate::failure::{Failure, limit};
use crate::objects;
use crate::opened::{Opened, dparams};
use crate::store;
use crate::table;
use crate::words::count;
use b2nd::filter;
use b2nd::frame::{Metalayer, Trailer};
use b2nd::msgpack::Value;
use b2nd::objects::{Objects, Tensor, origin};
use b2nd::{Blame, Limits};
use serde_json::{Map, Value as Json, json};
use std::io::{self, Write};
use std::path::Path;

/// Prints the description as lines or as a JSON object. If data after the header is missing or damaged, prints the rest and
/// fails.
pub(crate) fn run(args: &Args, path: &Path, as_json: bool) -> Result<(), Failure> {
    let table = table::find(path, args)?;
    if table.is_some() || store::is_store(path, args) {
        let facts = match &table {
            Some(found) => table::info(path, found, &dparams(args).limits)?,
            None => store::info(path, args)?,
        };
        let text = if as_json { format!("{facts:#}\n") } else { lines(&facts) };
        return io::stdout().write_all(text.as_bytes()).map_err(Failure::Output);
    }
    let opened = Opened::new(path, args)?;
    let nchunks = opened.of(opened.reader.nchunks());
    let trailer = opened.of(opened.reader.trailer()).map(drop);
    let mut facts = facts(&opened, nchunks.as_ref().ok().copied(), opened.reader.trailer().ok())?;
    let reference = opened.reader.frame().header.reference();
    if trailer.is_ok() {
        add_contents(&mut facts, opened)?;
    }
    let text = if as_json {
        format!("{facts:#}\n")
    } else {
        facts["reference"] = reference.map(|reference| reference.to_string()).into();
        lines(&facts)
    };
    io::stdout().write_all(text.as_bytes()).map_err(Failure::Output)?;
    nchunks.and(trailer)
}

/// Prints the description of a written frame as JSON, and how its parameters were chosen.
pub(crate) fn json(args: &Args, path: &Path, auto: Option<Json>) -> Result<(), Failure> {
    let opened = Opened::new(path, args)?;
    let nchunks = opened.of(opened.reader.nchunks())?;
    let mut facts = facts(&opened, Some(nchunks), Some(opened.of(opened.reader.trailer())?))?;
    if let Some(auto) = auto {
        facts["auto"] = auto;
    }
    writeln!(io::stdout(), "{facts:#}").map_err(Failure::Output)
}

fn facts(opened: &Opened<'_>, nchunks: Option<u64>, trailer: Option<&Trailer>) -> Result<Json, Failure> {
    let array = opened.array()?;
    let frame = opened.reader.frame();
    let header = &frame.header;
    let nbytes = array.map_or(header.nbytes, |array| opened.nbytes(array));
    let filters = header
        .filters
        .iter()
        .map(|filter| json!({ "id": filter.id, "name": filter::name(filter.id), "meta": filter.meta }));
    let claimed = if frame.is_chunk() { header.cbytes } else { header.frame_len };
    Ok(json!({
        "kind": store::kind(&opened.reader),
        "reference": header.reference().map(|reference| reference.name()),
        "shape": array.map(|array| array.shape().as_slice()),
        "chunks": array.map(|array| array.chunkshape()),
        "blocks": array.and_then(|array| array.blockshape()),
        "dtype": array.and_then(|array| array.dtype()),
        "typesize": header.typesize,
        "nbytes": nbytes,
        "cbytes": header.cbytes,
        "missing": opened.len.map(|len| claimed.saturating_sub(len)),
        "nchunks": nchunks,
        "codec": header.codec.name().map_or_else(|| Json::from(header.codec.0), Json::from),
        "clevel": (!frame.is_chunk()).then_some(header.clevel),
        "filters": filters.collect::<Vec<_>>(),
        "splitmode": header.splitmode.map(|mode| mode.name()),
        "contiguous": !header.sparse,
        "frame_version": (!frame.is_chunk()).then_some(header.version),
        "metalayers": metalayers(&header.metalayers, &opened.limits),
        "vlmetalayers": trailer.map(|trailer| metalayers(&trailer.vlmetalayers, &opened.limits)),
    }))
}

/// Adds what a frame holds that is neither an array nor items: objects, a packed tensor, or what a reference refers to.
fn add_contents(facts: &mut Json, opened: Opened<'_>) -> Result<(), Failure> {
    let (header, limits) = (&opened.reader.frame().header, &opened.limits);
    let trailer = opened.of(opened.reader.trailer())?;
    let wrong = |error| Failure::Blosc(opened.path.into(), error);
    if let Some(tensor) = Tensor::packed(trailer, header.nbytes, limits).map_err(wrong)? {
        facts["tensor"] = json!({ "shape": tensor.shape, "dtype": tensor.dtype.to_string() });
    }
    if let Some(origin) = origin(header, trailer, limits).map_err(wrong)? {
        facts["origin"] = objects::json(&origin, limits);
    }
    if opened.of(Objects::kind_of(&opened.reader))?.is_some() {
        objects::add_facts(facts, opened)?;
    }
    Ok(())
}

/// The values of metalayers, within the limits of metadata together. One that exceeds them has its error in its place.
pub(crate) fn metalayers(metalayers: &[Metalayer], limits: &Limits) -> Json {
    let mut used = metalayers.iter().map(|metalayer| metalayer.content.len() as u64).sum::<u64>();
    let mut decoded = |metalayer: &Metalayer| {
        let mut with_value = used;
        let value = Value::parse_counted(&metalayer.content, limits, &mut with_value).and_then(|value| {
            let cost = objects::cost(&value);
            limits.allow_metadata(with_value.saturating_add(cost))?;
            used += cost;
            Ok(objects::json(&value, limits))
        });
        match value {
            Ok(value) => value,
            Err(error) if matches!(error.blame(), Blame::Limit(_)) => json!({ "error": limit(&error) }),
            Err(_) => Json::Null,
        }
    };
    metalayers
        .iter()
        .map(|metalayer| (metalayer.name().into_owned(), decoded(metalayer)))
        .collect::<Map<_, _>>()
        .into()
}

fn lines(facts: &Json) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<13} {value}\n"));
    for (name, value) in facts.as_object().into_iter().flatten() {
        match (name.as_str(), value) {
            (_, Json::Null) => {}
            ("missing", value) if value.as_u64() == Some(0) => {}
            ("nbytes" | "cbytes" | "missing", value) => line(name, bytes(value)),
            ("filters", Json::Array(filters)) => {
                line(name, filters.iter().map(filter).collect::<Vec<_>>().join(", "))
            }
            ("metalayers" | "vlmetalayers" | "attributes", Json::Object(layers)) => {
                // The array metalayers were shown above.
                for (layer, value) in
                    layers.iter().filter(|(layer, _)| !matches!(layer.as_str(), "b2nd" | "caterva"))
                {
                    line(name.trim_end_matches('s'), format!("{layer}: {value}"));
                }
            }
            ("columns", Json::Array(columns)) => {
                for column in columns {
                    let null = if column["nullable"] == true { ", nullable" } else { "" };
                    let [title, kind] =
                        ["name", "kind"].map(|name| column[name].as_str().unwrap_or_default());
                    let expression = column["computed"].as_str();
                    let computed = expression.map(|text| format!(", computed: {text}")).unwrap_or_default();
                    let stale = if column["stale"] == true { ", stale" } else { "" };
                    line("column", format!("{title}: {kind}{null}{computed}{stale}"));
                }
            }
            (_, Json::String(value)) => line(name, value.clone()),
            (_, Json::Array(lens)) => {
                line(name, format!("({})", lens.iter().map(Json::to_string).collect::<Vec<_>>().join(", ")))
            }
            (_, value) => line(name, value.to_string()),
        }
        if name == "cbytes"
            && let (Some(nbytes), Some(cbytes @ 1..)) = (facts["nbytes"].as_u64(), value.as_u64())
        {
            line("ratio", format!("{:.2}", nbytes as f64 / cbytes as f64));
        }
    }
    text
}

/// A size, rounded and exact.
fn bytes(value: &Json) -> String {
    let nbytes = value.as_u64().unwrap_or(0);
    let mut size = nbytes as f64;
    let mut unit = "bytes";
    for larger in ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"] {
        if size < 1024.0 {
            break;
        }
        (size, unit) = (size / 1024.0, larger);
    }
    let exact = count(nbytes, "byte");
    if unit == "bytes" { exact } else { format!("{size:.2} {unit} ({exact})") }
}

fn filter(filter: &Json) -> String {
    let name = filter["name"].as_str().map_or_else(|| format!("filter {}", filter["id"]), str::to_owned);
    match filter["meta"].as_u64() {
        Some(meta @ 1..) => format!("{name} (meta {meta})"),
        _ => name,
    }
}
