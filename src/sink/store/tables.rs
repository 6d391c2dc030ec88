//! The parts of a store that the writers of tables need.

use super::{Container, StoreEditor, Written};
use crate::base::ArgumentError;
use crate::chunk::DParams;
use crate::sink::File;
use crate::source;
use crate::source::ReadError;
use crate::store::key::must_be_key;
use crate::store::{Store, StoreKind};
use alloc::string::{String, ToString};

impl StoreEditor {
    /// The key of a table without a slash at its end, if a new table can be there: nothing is, and the store can have one. In a frame
    /// only the whole store can be a table.
    pub(in crate::sink) fn place_of_table(&self, key: &str) -> Written<String> {
        let key = key.trim_end_matches('/');
        if key.is_empty() {
            return match self.members.all_keys().next() {
                None if self.members.kind != StoreKind::Dict => Ok(String::new()),
                _ => Err(ArgumentError::KeyInUse.into()),
            };
        }
        must_be_key(key)?;
        if self.members.kind != StoreKind::Tree {
            return Err(ArgumentError::NoTableHere.into());
        }
        let is_in_table =
            key.match_indices('/').any(|(at, _)| self.members.has_member(&[&key[..at], "/_meta"].concat()));
        match self.members.has_member(key)
            || self.members.is_group(key)
            || self.members.is_below_member(key)
            || is_in_table
        {
            true => Err(ArgumentError::KeyInUse.into()),
            false => Ok(key.to_string()),
        }
    }

    /// Whether the members can have indexes, which a frame of frames cannot.
    pub(in crate::sink) const fn can_have_indexes(&self) -> bool {
        !matches!(self.container, Container::Frame(_))
    }

    /// Notes that the group is a table.
    pub(in crate::sink) fn register_table(&mut self, key: &str) {
        if !key.is_empty() {
            self.members.embed.register(key);
        }
    }

    /// Whether there is a part of a table, or one that is being written.
    pub(in crate::sink) fn has_part(&self, key: &str) -> bool {
        self.members.staged.contains_key(key) || self.members.has_member(key)
    }

    /// Whether there is a member.
    pub(in crate::sink) fn has(&self, key: &str) -> bool {
        self.members.has_member(key)
    }

    /// Takes out a part of a table, of which no index tells anything.
    pub(in crate::sink) fn remove_part(&mut self, key: &str) {
        self.members.take_out(key);
    }

    /// Refuses all commits after a failure that left some of a table's members staged.
    pub(in crate::sink) const fn refuse_commits_if(&mut self, failed: bool) {
        self.failed |= failed;
    }

    /// The store on disk.
    pub(in crate::sink) fn on_disk(&self) -> Option<&Store<source::File>> {
        self.old.as_ref().map(|old| &old.store)
    }

    pub(in crate::sink) const fn dparams(&self) -> &DParams {
        &self.dparams
    }

    /// Opens a staged copy of a member, so that a change of several members is visible only with the commit of the store.
    pub(in crate::sink) fn edit_copy(&mut self, key: &str) -> Written<File> {
        let number = match self.members.number(key) {
            Some(number) => number,
            None => {
                let reader = self.stored(key)?;
                self.add_at(key, &reader)?
            }
        };
        File::open_staged(&self.members.staging.path(number)).map_err(ReadError::Source)
    }
}
