//! Stores, and the paths of their members: the path of a store, followed by a key.

use crate::args::Args;
use crate::error::{CommandError, read_error};
use crate::facts::StoreFacts;
use crate::json::metalayers;
use crate::origin::{self, Origin, named};
use crate::permissions::restrict_as;
use crate::remote::{self, Remote, is_url};
use crate::values::ValueError;
use b2nd::source::is_sparse_frame;
use b2nd::store::{self, Store};
use b2nd::table::Table;
use b2nd::{DParams, ReadError};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Whether the path stands for a store. With an offset it stands for a frame in the file.
pub(crate) fn is_store(path: &Path, args: &Args) -> bool {
    args.offset == 0 && holds_store(path)
}

/// Whether the path is that of an archive or a directory that is a store. The single frame of a store is a frame like others.
fn holds_store(path: &Path) -> bool {
    if is_url(path) {
        let is_member = origin::split(path).is_some();
        return !is_member
            && (is_directory(path) || Remote::open(path, 0).is_ok_and(|remote| remote.is_archive()));
    }
    if path.is_dir() {
        return has_embed(path) || is_directory(path);
    }
    let mut start = Vec::new();
    if !path.is_file() {
        return false;
    }
    let opened = fs::File::open(path).and_then(|file| file.take(2).read_to_end(&mut start));
    opened.is_ok() && start == b"PK"
}

/// Whether a path has the name of a store in a directory.
fn is_directory(path: &Path) -> bool {
    named(path).extension().is_some_and(|name| name == "b2d")
}

/// Whether the path is that of a frame which may be a store, by its name.
pub(crate) fn may_be_frame(path: &Path, args: &Args) -> bool {
    let is_named = named(path).extension().is_some_and(|name| name == "b2e");
    is_named && args.offset == 0 && (path.is_file() || is_url(path))
}

/// Whether a directory is a store, whatever its name.
fn has_embed(path: &Path) -> bool {
    path.join("embed.b2e").exists()
}

/// The path of a store and the key of a member, if the path consists of them. Groups of a store may be directories.
pub(crate) fn split(path: &Path) -> Option<(&Path, String)> {
    if is_url(path) {
        return origin::split(path);
    }
    let is_group = || path.is_dir() && !is_sparse_frame(path) && !has_embed(path);
    if path.exists() && !is_group() {
        return None;
    }
    let store = path.ancestors().skip(1).find(|path| path.is_file() || has_embed(path))?;
    let key = path.strip_prefix(store).ok()?.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    Some((store, format!("/{key}")))
}

/// The store and the key of a table that is there; an empty key is the whole store.
pub(crate) fn table_at(path: &Path) -> Result<(&Path, String), ValueError> {
    match split(path) {
        Some((root, key)) => Ok((root, key)),
        None if path.exists() => Ok((path, String::new())),
        None => Err(ValueError::TableOutput),
    }
}

/// The store and the key of a new member, if the path consists of them. The store need not exist if its name is that of one. Within a
/// directory, the name of a frame's file is that of a file.
pub(crate) fn destination(output: &Path) -> Option<(PathBuf, String)> {
    let is_file = output.to_str().is_some_and(|name| store::key_of(name).is_some());
    let is_root = |path: &&Path| match path.is_dir() {
        true => !is_file && (has_embed(path) || has_name(path)),
        false => has_name(path) || holds_store(path),
    };
    let root = output.ancestors().skip(1).find(is_root)?;
    let key = output.strip_prefix(root).ok()?.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    Some((root.into(), format!("/{key}")))
}

/// Refuses an output that is a store, which a frame or a text would replace, or that would be one by its name.
pub(crate) fn refuse_store(output: &Path) -> Result<(), ValueError> {
    if has_name(output) || holds_store(output) { Err(ValueError::Store) } else { Ok(()) }
}

/// Refuses an output behind a URL that is a store by its name, or in one.
pub(crate) fn refuse_remote_store(output: &Path) -> Result<(), ValueError> {
    match is_url(output) && (has_name(output) || origin::split(output).is_some()) {
        true => Err(ValueError::RemoteChange),
        false => Ok(()),
    }
}

/// Refuses an output that is a store or in one.
pub(crate) fn refuse_member(output: &Path) -> Result<(), ValueError> {
    refuse_store(output)?;
    // In a directory it is a file like others.
    match destination(output).is_some_and(|(store, _)| !store.is_dir()) {
        true => Err(ValueError::Member),
        false => Ok(()),
    }
}

/// Whether a path has the name of a store.
pub(crate) fn has_name(path: &Path) -> bool {
    named(path).extension().is_some_and(|name| name == "b2z" || name == "b2e" || name == "b2d")
}

pub(crate) fn open(path: &Path, args: &Args) -> Result<Store<Origin>, CommandError> {
    open_with(path, args.dparams())
}

pub(crate) fn open_with(path: &Path, dparams: DParams) -> Result<Store<Origin>, CommandError> {
    restrict_as(path);
    let opened = match is_url(path) {
        true => behind_url(path, dparams),
        false => store::open_by(path, Origin::File, dparams),
    };
    opened.map_err(|error| read_error(path, error))
}

/// Opens the store behind a URL: an archive, a frame, or all objects in a folder.
fn behind_url(url: &Path, dparams: DParams) -> Result<Store<Origin>, ReadError<io::Error>> {
    if !is_directory(url) {
        let origin = Origin::open(url, 0).map_err(ReadError::Source)?;
        let len = origin.len(url, 0).unwrap_or_default();
        return Store::open(origin, len, dparams);
    }
    // Members that are sparse frames are folders.
    let name = |name: String| name.strip_suffix("/chunks.b2frame").map(str::to_owned).unwrap_or(name);
    let names = remote::names(url).map_err(ReadError::Source)?.into_iter().map(name);
    let root = url.to_owned();
    Store::open_directory(names, move |name: &str| Origin::open(&root.join(name), 0), dparams)
}

/// The keys of all members and tables, without the table that the whole store may be.
pub(crate) fn keys(store: &Store<Origin>) -> impl Iterator<Item = &str> {
    Table::groups(store).filter(|group| !group.is_empty()).chain(store.keys())
}

/// `b2nd info` of a store.
pub(crate) fn facts(path: &Path, store: &Store<Origin>, args: &Args) -> Result<StoreFacts, CommandError> {
    let attributes = store.attributes("").map_err(|error| read_error(path, error))?;
    let attributes = metalayers(&attributes, &args.limits());
    Ok(StoreFacts { kind: "store", store: store.kind().name(), members: store.keys().count(), attributes })
}
