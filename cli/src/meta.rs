//! `b2nd meta`: metalayers as JSON.

use crate::args::{Args, layers};
use crate::failure::Failure;
use crate::json::metalayers;
use crate::opened::Opened;
use crate::target::{edit, written};
use crate::values::Refused;
use serde_json::Value as Json;
use std::io::{self, Write};
use std::path::Path;

/// Prints, sets or removes metalayers.
pub(crate) fn run(args: &Args, path: &Path, words: [Option<&str>; 3], fixed: bool) -> Result<(), Failure> {
    match words {
        [name, None, None] => print(args, path, name, fixed),
        [Some("set"), Some(name), Some(json)] => {
            let content = layers::content(json).map_err(Refused::Json)?;
            let mut editor = edit(args, path)?;
            let set = if fixed {
                editor.set_metalayer(name, &content)
            } else {
                editor.set_vlmetalayer(name, &content)
            };
            set.and_then(|()| editor.commit()).map_err(|error| written(path, error))
        }
        [Some("rm"), Some(name), None] => {
            let mut editor = edit(args, path)?;
            let removed = if fixed {
                editor.remove_metalayer(name).map_err(|error| written(path, error))?
            } else {
                editor.remove_vlmetalayer(name)
            };
            if !removed {
                return Err(Refused::NoMetalayer(name.into()).into());
            }
            editor.commit().map_err(|error| written(path, error))
        }
        _ => Err(Refused::Meta.into()),
    }
}

fn print(args: &Args, path: &Path, name: Option<&str>, fixed: bool) -> Result<(), Failure> {
    let opened = Opened::new(path, args)?;
    let layers = if fixed {
        &opened.reader.frame().header.metalayers
    } else {
        &opened.of(opened.reader.trailer())?.vlmetalayers
    };
    let all = Json::from(metalayers(layers, &opened.limits));
    let shown = match name {
        None => Some(&all),
        Some(name) => all.get(name),
    };
    let shown = shown.ok_or_else(|| Refused::NoMetalayer(name.unwrap_or_default().into()))?;
    io::stdout().write_all(format!("{shown:#}\n").as_bytes()).map_err(Failure::Output)
}
