//! `b2nd attrs`: attributes, which are variable-length metalayers, as JSON; or the metalayers of the header.

use crate::args::{Args, layers};
use crate::error::{CommandError, read_error};
use crate::json::metalayers;
use crate::opened::Opened;
use crate::store;
use crate::target::{edit, edit_store, written};
use crate::values::ValueError;
use serde_json::{Map, Value as Json};
use std::io::{self, Write};
use std::path::Path;

/// Prints, sets or removes attributes, or metalayers if `fixed`.
pub(crate) fn run(
    args: &Args,
    path: &Path,
    words: [Option<&str>; 3],
    fixed: bool,
) -> Result<(), CommandError> {
    match words {
        [name, None, None] => print(args, path, name, fixed),
        [Some("set"), Some(name), Some(json)] => {
            let content = layers::content(json).map_err(ValueError::Json)?;
            change(args, path, name, Some(&content), fixed)
        }
        [Some("rm"), Some(name), None] => change(args, path, name, None, fixed),
        _ => Err(ValueError::Attrs.into()),
    }
}

/// Sets what has a name to this content, or removes it.
fn change(
    args: &Args,
    path: &Path,
    name: &str,
    content: Option<&[u8]>,
    fixed: bool,
) -> Result<(), CommandError> {
    let failed = |error| written(path, error);
    let missing = || CommandError::from(ValueError::NoAttribute(name.into()));
    if let Some((root, group)) = group_at(args, path)?
        && !fixed
    {
        let mut store = edit_store(args, root)?;
        let is_there = match content {
            Some(content) => store.set_attr_bytes(&group, name, content).map(|()| true),
            None => store.remove_attr(&group, name),
        };
        return if is_there.map_err(failed)? { store.commit().map_err(failed) } else { Err(missing()) };
    }
    let mut editing = edit(args, path)?;
    let editor = &mut editing.editor;
    let is_there = match (content, fixed) {
        (Some(content), true) => editor.set_metalayer(name, content).map(|()| true),
        (Some(content), false) => editor.set_attr_bytes(name, content).map(|()| true),
        (None, true) => editor.remove_metalayer(name),
        (None, false) => Ok(editor.remove_attr(name)),
    };
    if is_there.map_err(failed)? { editing.commit() } else { Err(missing()) }
}

/// The store and the group that a path stands for, if it does: that of the whole store is empty.
fn group_at<'p>(args: &Args, path: &'p Path) -> Result<Option<(&'p Path, String)>, CommandError> {
    let (root, key) = match store::split(path) {
        Some((root, key)) => (root, key),
        None if store::is_store(path, args) => (path, String::new()),
        None => return Ok(None),
    };
    let group = key.trim_end_matches('/');
    let store = store::open(root, args)?;
    let within = format!("{group}/");
    let is_group = store.keys().any(|key| key.starts_with(&within)) && !store.keys().any(|key| key == group);
    Ok((group.is_empty() || is_group).then(|| (root, group.into())))
}

fn print(args: &Args, path: &Path, name: Option<&str>, fixed: bool) -> Result<(), CommandError> {
    let all = Json::from(layers_at(args, path, fixed)?);
    let shown = match name {
        None => Some(&all),
        Some(name) => all.get(name),
    };
    let shown = shown.ok_or_else(|| ValueError::NoAttribute(name.unwrap_or_default().into()))?;
    io::stdout().write_all(format!("{shown:#}\n").as_bytes()).map_err(CommandError::Output)
}

/// The metalayers or attributes of a frame, a store, or a group in one.
fn layers_at(args: &Args, path: &Path, fixed: bool) -> Result<Map<String, Json>, CommandError> {
    if let Some((root, group)) = group_at(args, path)?
        && !fixed
    {
        let layers = store::open(root, args)?.attributes(&group).map_err(|error| read_error(path, error))?;
        return Ok(metalayers(&layers, &args.limits()));
    }
    layers_of(&Opened::new(path, args)?, fixed)
}

fn layers_of(opened: &Opened<'_>, fixed: bool) -> Result<Map<String, Json>, CommandError> {
    let layers = if fixed {
        &opened.reader.frame().header.metalayers
    } else {
        &opened.of(opened.reader.trailer())?.attributes
    };
    Ok(metalayers(layers, &opened.limits))
}
