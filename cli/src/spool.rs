//! Outputs that are complete before they go to their destination: standard output, a pipe, a device, or a URL.

use crate::files;
use crate::output::Output;
use crate::pipe::{is_standard_output, is_written_through};
use crate::remote::{self, is_url};
use crate::signals::on_signals;
use b2nd::sink;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A file in a private directory, which is removed with it.
pub(crate) struct Spool {
    folder: Private,
    path: PathBuf,
    destination: PathBuf,
}

impl Spool {
    /// Whether an output cannot be written in place.
    pub(crate) fn suits(output: &Path) -> bool {
        is_standard_output(output) || is_written_through(output) || is_url(output)
    }

    /// A file of the same name, so that it is written in the same form.
    pub(crate) fn new(output: &Path) -> io::Result<Self> {
        if is_url(output) {
            remote::check_upload(output)?;
        }
        let folder = files::private_folder()?;
        let name = output.file_name().filter(|_| is_url(output)).unwrap_or("out.b2nd".as_ref());
        let path = folder.join(name);
        let folder = Private(Arc::new(Mutex::new(Some(folder))));
        let private = folder.clone();
        // Without a handler the directory stays if a signal ends the process.
        let _ = on_signals(move || {
            sink::remove_temporaries();
            private.remove();
        });
        Ok(Self { folder, path, destination: output.into() })
    }

    /// Where to write.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn destination(&self) -> &Path {
        &self.destination
    }

    /// Copies what was written to its destination.
    pub(crate) fn deliver(&self) -> io::Result<()> {
        if is_url(&self.destination) {
            return remote::upload(&self.path, &self.destination);
        }
        let mut out = Output::create(Some(&self.destination))?;
        io::copy(&mut File::open(&self.path)?, &mut out)?;
        out.commit()
    }
}

impl Drop for Spool {
    fn drop(&mut self) {
        self.folder.remove();
    }
}

/// A private directory, which is removed once: another program may make one of the same name then.
#[derive(Clone)]
struct Private(Arc<Mutex<Option<PathBuf>>>);

impl Private {
    /// Removes the directory. There is nobody to tell if this fails.
    fn remove(&self) {
        let mut folder = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = folder.take() {
            let _ = fs::remove_dir_all(folder);
        }
    }
}
