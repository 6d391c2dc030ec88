//! Changes of several members, which may fail in the middle.

use super::Written;
use crate::base::ArgumentError;
use crate::sink::StoreEditor;

/// A table that is written or changed.
pub(super) trait Changing: Sized {
    fn store(&mut self) -> &mut StoreEditor;

    /// Whether a change failed, so that columns may have different lengths.
    fn failed(&mut self) -> &mut bool;

    /// Completes all members.
    fn complete(&mut self) -> Written<()>;

    /// Carries out a change, unless one has failed.
    fn change<T>(&mut self, change: impl FnOnce(&mut Self) -> Written<T>) -> Written<T> {
        if core::mem::replace(self.failed(), true) {
            return Err(ArgumentError::Unfinished.into());
        }
        let changed = change(self)?;
        *self.failed() = false;
        Ok(changed)
    }

    /// Completes the table. After a failure the store refuses commits, since only some members may be complete.
    fn end(&mut self) -> Written<()> {
        if *self.failed() {
            return Err(ArgumentError::Unfinished.into());
        }
        let done = self.complete();
        self.store().refuse_commits_if(done.is_err());
        done
    }
}
