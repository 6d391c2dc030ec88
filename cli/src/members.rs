//! `b2nd add`, `rm` and `mv`: the members of stores; and copies of whole stores.

use crate::args::Args;
use crate::error::CommandError;
use crate::opened::Opened;
use crate::store;
use crate::target::{edit_store, written};
use b2nd::sink::StoreEditor;
use b2nd::source::ReadError;
use std::io;
use std::path::Path;

/// Adds a frame to a store as it is. The store is created if there is none.
pub(crate) fn add(args: &Args, path: &Path, key: &str, frame: &Path) -> Result<(), CommandError> {
    let opened = Opened::new(frame, args)?;
    let mut store = edit_store(args, path)?;
    let added = store.add(&rooted(key), &opened.reader).and_then(|()| store.commit());
    added.map_err(|error| written(path, error))
}

/// Removes members and groups.
pub(crate) fn remove(args: &Args, path: &Path, keys: &[String]) -> Result<(), CommandError> {
    change(args, path, |store| keys.iter().try_for_each(|key| store.remove(&rooted(key))))
}

/// Gives a member or a group another key.
pub(crate) fn rename(args: &Args, path: &Path, from: &str, to: &str) -> Result<(), CommandError> {
    change(args, path, |store| store.rename(&rooted(from), &rooted(to)))
}

fn change(
    args: &Args,
    path: &Path,
    change: impl FnOnce(&mut StoreEditor) -> Result<(), ReadError<io::Error>>,
) -> Result<(), CommandError> {
    // A store that is not there is not created.
    drop(store::open(path, args)?);
    let mut store = edit_store(args, path)?;
    change(&mut store).and_then(|()| store.commit()).map_err(|error| written(path, error))
}

/// Copies a store to one of another kind of file.
pub(crate) fn copy(args: &Args, from: &Path, to: &Path) -> Result<(), CommandError> {
    let old = store::open(from, args)?;
    let mut new = StoreEditor::create(to, old.kind()).map_err(|error| written(to, error))?;
    let copied = new.add_store(&old).map_err(|error| written(from, error));
    copied.and_then(|()| new.commit().map_err(|error| written(to, error)))
}

/// Whether a path is that of a store, also of one in a single frame, which is a frame like others elsewhere.
pub(crate) fn names_store(path: &Path, args: &Args) -> bool {
    store::may_be_frame(path, args) || store::is_store(path, args)
}

/// Keys begin with a slash, which may be left out.
fn rooted(key: &str) -> String {
    if key.starts_with('/') { key.into() } else { format!("/{key}") }
}
