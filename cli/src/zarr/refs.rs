//! References to the chunks of frames, as kerchunk writes them.

#[cfg(feature = "parquet")]
use super::parquet::write as parquet;
use super::{icechunk, refused};
use crate::args::{Args, Join};
use crate::error::CommandError;
use crate::opened::Opened;
use crate::output::Output;
use crate::store;
use crate::values::ValueError;
use b2nd_refs::{Place, References};
use serde_json::Value as Json;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Writes the references of arrays, which become one.
pub(crate) fn refs(
    args: &Args,
    paths: &[PathBuf],
    join: &Join,
    name: Option<&str>,
    url: Option<&str>,
    output: Option<&Path>,
) -> Result<(), CommandError> {
    if let Some(wrong) = name.filter(|name| name.is_empty() || name.contains('/')) {
        return Err(ValueError::Refs(format!("{wrong:?} is no name of an array")).into());
    }
    if let Some(url) = url.filter(|url| paths.len() > 1 && !url.ends_with('/')) {
        return Err(
            ValueError::Refs(format!("{url} does not end with /, for the names of several files")).into()
        );
    }
    if paths.len() > 1 && join.concat.is_none() && join.stack.is_none() {
        return Err(ValueError::Refs("references of several arrays need --concat or --stack".into()).into());
    }
    let form = Form::of(output);
    if matches!(form, Form::Parquet(_)) && name.is_none() {
        return Err(
            ValueError::Refs("references in Parquet need --name: they are those of a group".into()).into()
        );
    }
    let mut references = References::new(join.into(), name);
    let mut times = icechunk::Times::default();
    for path in paths {
        let path = &in_directory(path).unwrap_or_else(|| path.clone());
        let file = place(path, url);
        if url.is_none() && matches!(form, Form::Icechunk(_)) {
            // Before it is read: what changes from now on is later.
            times.add(&file).map_err(|error| CommandError::Input(path.clone(), error))?;
        }
        let opened = Opened::new(path, args)?;
        let place = Place::at(file).with_start(opened.start);
        references.add(&opened.reader, &place).map_err(|error| refused(path, error))?;
    }
    form.write(references.finish(), times)
}

/// How references are written.
enum Form<'a> {
    Json(Option<&'a Path>),
    /// A directory, by a program of its own.
    Icechunk(&'a Path),
    /// A directory.
    Parquet(&'a Path),
}

impl<'a> Form<'a> {
    fn of(output: Option<&'a Path>) -> Self {
        let Some(path) = output else { return Self::Json(None) };
        let extension = path.extension().and_then(|extension| extension.to_str());
        match path.to_str().and_then(|path| path.strip_prefix("icechunk:")) {
            Some(folder) => Self::Icechunk(Path::new(folder)),
            None if matches!(extension, Some("parquet" | "parq")) => Self::Parquet(path),
            None => Self::Json(Some(path)),
        }
    }

    fn write(&self, references: Json, times: icechunk::Times) -> Result<(), CommandError> {
        match self {
            Self::Json(path) => {
                let mut out = Output::create(*path).map_err(CommandError::Output)?;
                writeln!(out, "{references:#}").and_then(|()| out.commit()).map_err(CommandError::Output)
            }
            Self::Icechunk(folder) => {
                icechunk::write(references, times, folder).map_err(CommandError::Output)
            }
            Self::Parquet(folder) => parquet(&references, folder),
        }
    }
}

#[cfg(not(feature = "parquet"))]
fn parquet(_: &Json, _: &Path) -> Result<(), CommandError> {
    Err(ValueError::NotBuilt(crate::values::BatchFormat::Parquet).into())
}

/// The file of a member of a store that is a directory.
fn in_directory(path: &Path) -> Option<PathBuf> {
    let (store, _) = store::split(path)?;
    let file = PathBuf::from(format!("{}.b2nd", path.display()));
    (store.is_dir() && file.is_file()).then_some(file)
}

/// Where readers find the file that has the frame.
fn place(path: &Path, url: Option<&str>) -> String {
    let file = store::split(path).map_or(path, |(store, _)| store);
    match url {
        Some(folder) if folder.ends_with('/') => {
            folder.to_owned() + &file.file_name().unwrap_or_default().to_string_lossy()
        }
        Some(url) => url.into(),
        None => fs::canonicalize(file).unwrap_or_else(|_| file.into()).to_string_lossy().into_owned(),
    }
}

impl From<&Join> for b2nd_refs::Join {
    fn from(join: &Join) -> Self {
        match (&join.concat, &join.stack) {
            (Some(axis), _) => Self::Concat(axis.clone()),
            (None, Some(name)) => Self::Stack(name.clone()),
            (None, None) => Self::Alone,
        }
    }
}
