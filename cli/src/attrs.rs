//! `b2nd attrs`: attributes, which are variable-length metalayers, as JSON; or the metalayers of the header.

use crate::args::{Args, layers};
use crate::failure::{Failure, failure};
use crate::json::metalayers;
use crate::opened::Opened;
use crate::store;
use crate::target::{edit, written};
use crate::values::ValueError;
use serde_json::{Map, Value as Json};
use std::io::{self, Write};
use std::path::Path;

/// Prints, sets or removes attributes, or metalayers if `fixed`.
pub(crate) fn run(args: &Args, path: &Path, words: [Option<&str>; 3], fixed: bool) -> Result<(), Failure> {
    match words {
        [name, None, None] => print(args, path, name, fixed),
        [Some("set"), Some(name), Some(json)] => {
            let content = layers::content(json).map_err(ValueError::Json)?;
            let mut editor = edit(args, path)?;
            let set = if fixed {
                editor.set_metalayer(name, &content)
            } else {
                editor.set_attr_bytes(name, &content)
            };
            set.and_then(|()| editor.commit()).map_err(|error| written(path, error))
        }
        [Some("rm"), Some(name), None] => {
            let mut editor = edit(args, path)?;
            let removed = if fixed {
                editor.remove_metalayer(name).map_err(|error| written(path, error))?
            } else {
                editor.remove_attr(name)
            };
            if !removed {
                return Err(ValueError::NoAttribute(name.into()).into());
            }
            editor.commit().map_err(|error| written(path, error))
        }
        _ => Err(ValueError::Attrs.into()),
    }
}

fn print(args: &Args, path: &Path, name: Option<&str>, fixed: bool) -> Result<(), Failure> {
    let all = Json::from(layers_at(args, path, fixed)?);
    let shown = match name {
        None => Some(&all),
        Some(name) => all.get(name),
    };
    let shown = shown.ok_or_else(|| ValueError::NoAttribute(name.unwrap_or_default().into()))?;
    io::stdout().write_all(format!("{shown:#}\n").as_bytes()).map_err(Failure::Output)
}

/// The metalayers or attributes of a frame, a store, or a group in one.
fn layers_at(args: &Args, path: &Path, fixed: bool) -> Result<Map<String, Json>, Failure> {
    let (root, key) = match store::split(path) {
        Some((root, key)) => (root, key),
        None if store::is_store(path, args) => (path, String::new()),
        None => return layers_of(&Opened::new(path, args)?, fixed),
    };
    let store = store::open(root, args)?;
    let group = key.trim_end_matches('/');
    let within = format!("{group}/");
    let is_group = store.keys().any(|key| key.starts_with(&within)) && !store.keys().any(|key| key == group);
    if fixed || !is_group {
        return layers_of(&Opened::member(path, &store, &key, args)?, fixed);
    }
    let layers = store.attributes(group).map_err(|error| failure(path, error))?;
    Ok(metalayers(&layers, &args.limits()))
}

fn layers_of(opened: &Opened<'_>, fixed: bool) -> Result<Map<String, Json>, Failure> {
    let layers = if fixed {
        &opened.reader.frame().header.metalayers
    } else {
        &opened.of(opened.reader.trailer())?.attributes
    };
    Ok(metalayers(layers, &opened.limits))
}
