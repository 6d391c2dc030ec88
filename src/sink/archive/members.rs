//! The members of a store that is changed: which keys they have and may get.

use super::embed::{Embed, renamed};
use crate::base::{ArgumentError, Result};
use crate::store::key::{ATTRIBUTES, attributes_of, is_below, must_be_key, names_of};
use crate::store::{StoreKind, key_of};
use crate::table::{COLUMNS, META};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::{String, ToString};

/// Frames that wait for the commit of a store, each with a number.
pub(in crate::sink) trait Staged {
    /// Whether a frame is complete. Others are no members yet.
    fn is_there(&self, number: u32) -> bool;
}

/// The members of a store, with the changes since the last commit.
#[derive(Debug)]
pub(in crate::sink) struct Members<S> {
    pub(in crate::sink) kind: StoreKind,
    /// The files of the store: the names that they get, and those that they have.
    pub(in crate::sink) files: BTreeMap<String, String>,
    pub(in crate::sink) embed: Embed,
    /// Frames that are staged, by the keys of members.
    pub(in crate::sink) staged: BTreeMap<String, u32>,
    pub(in crate::sink) staging: S,
}

impl<S: Staged> Members<S> {
    pub(in crate::sink) const fn new(kind: StoreKind, staging: S) -> Self {
        let embed = Embed::new();
        Self { kind, files: BTreeMap::new(), embed, staged: BTreeMap::new(), staging }
    }

    /// The keys of all members, without frames that hold attributes.
    pub(in crate::sink) fn keys(&self) -> BTreeSet<String> {
        self.all_keys().filter(|key| !key.ends_with(ATTRIBUTES)).collect()
    }

    pub(in crate::sink) fn all_keys(&self) -> impl Iterator<Item = String> {
        let files = self.files.keys().filter_map(|name| key_of(name));
        files.chain(self.embed.members.keys().cloned()).chain(self.staged_keys().map(ToString::to_string))
    }

    fn staged_keys(&self) -> impl Iterator<Item = &str> {
        self.staged.iter().filter(|(_, number)| self.staging.is_there(**number)).map(|(key, _)| &key[..])
    }

    /// The number of a staged member.
    pub(in crate::sink) fn number(&self, key: &str) -> Option<u32> {
        self.staged.get(key).copied().filter(|number| self.staging.is_there(*number))
    }

    /// The present and the stored name of a member's file.
    pub(in crate::sink) fn file(&self, key: &str) -> Option<(&String, &String)> {
        names_of(key).find_map(|name| self.files.get_key_value(&name))
    }

    pub(in crate::sink) fn has_member(&self, key: &str) -> bool {
        key.len() > 1
            && (self.file(key).is_some()
                || self.embed.members.contains_key(key)
                || self.number(key).is_some())
    }

    /// Whether there is anything below a key.
    pub(in crate::sink) fn is_group(&self, key: &str) -> bool {
        fn begins<T>(map: &BTreeMap<String, T>, start: &str) -> bool {
            map.range(start.to_string()..).next().is_some_and(|(found, _)| found.starts_with(start))
        }
        let start = [key, "/"].concat();
        let mut staged =
            self.staged.range(start.clone()..).take_while(|(found, _)| found.starts_with(&start));
        begins(&self.files, &start[1..])
            || begins(&self.embed.members, &start)
            || staged.any(|(_, number)| self.staging.is_there(*number))
    }

    /// Whether a key is below one of a member.
    pub(in crate::sink) fn is_below_member(&self, key: &str) -> bool {
        key.match_indices('/').any(|(at, _)| self.has_member(&key[..at]))
    }

    /// Fails unless a member may have this key: nothing is below it, and no member above.
    pub(in crate::sink) fn must_be_free(&self, key: &str) -> Result<()> {
        must_be_key(key)?;
        match self.is_group(key) || self.is_below_member(key) {
            true => Err(ArgumentError::KeyInUse.into()),
            false => Ok(()),
        }
    }

    /// The error of a key that no member has.
    pub(in crate::sink) fn missing(&self, key: &str) -> ArgumentError {
        if self.is_group(key) { ArgumentError::IsGroup } else { ArgumentError::NoMember }
    }

    /// Fails unless there is a member or a group with this key.
    pub(in crate::sink) fn must_exist(&self, key: &str) -> Result<()> {
        match self.has_member(key) || self.is_group(key) {
            true => Ok(()),
            false => Err(ArgumentError::NoMember.into()),
        }
    }

    /// The key of the frame with the attributes of a group, which may have some.
    pub(in crate::sink) fn attributes_key(&self, group: &str) -> Result<String> {
        let group = group.trim_end_matches('/');
        if !group.is_empty() {
            must_be_key(group)?;
            if self.has_member(group) || self.is_below_member(group) {
                return Err(ArgumentError::KeyInUse.into());
            }
        }
        Ok(attributes_of(group))
    }

    /// The key of the frame that describes a table, if this is one of the table's columns.
    pub(in crate::sink) fn table_of(&self, key: &str) -> Option<String> {
        let (table, _) = key.split_once(COLUMNS)?;
        let meta = [table, META].concat();
        (self.has_member(key) && self.has_member(&meta)).then_some(meta)
    }

    /// Takes out a member, or a group with all that is in it.
    pub(in crate::sink) fn take_out(&mut self, key: &str) {
        let is_it = |member: &str| member == key || is_below(member, key);
        self.files.retain(|name, _| !key_of(name).is_some_and(|member| is_it(&member)));
        self.staged.retain(|member, _| !is_it(member));
        self.embed.remove(key);
    }

    /// Gives a member another key, or a group with all that is in it.
    pub(in crate::sink) fn rename(&mut self, from: &str, to: &str) -> Result<()> {
        must_be_key(to)?;
        // What is still being written is no member yet.
        if !self.staged.contains_key(from) {
            self.must_exist(from)?;
        }
        if is_below(to, from) || self.has_member(to) || self.is_group(to) || self.is_below_member(to) {
            return Err(ArgumentError::KeyInUse.into());
        }
        let name = |(name, old): (String, String)| {
            let new = key_of(&name).and_then(|key| {
                let extension = &name[key.len() - 1..];
                Some([&renamed(&key, from, to)?[1..], extension].concat())
            });
            (new.unwrap_or(name), old)
        };
        self.files = core::mem::take(&mut self.files).into_iter().map(name).collect();
        let staged = core::mem::take(&mut self.staged).into_iter();
        self.staged = staged.map(|(key, number)| (renamed(&key, from, to).unwrap_or(key), number)).collect();
        self.embed.rename(from, to);
        Ok(())
    }

    /// The complete staged frames, by the keys that they get. They take the places of what has these keys.
    pub(in crate::sink) fn take_staged(&mut self) -> BTreeMap<String, u32> {
        let mut staged = core::mem::take(&mut self.staged);
        staged.retain(|_, number| self.staging.is_there(*number));
        for key in staged.keys() {
            for name in names_of(key) {
                self.files.remove(&name);
            }
            self.embed.members.remove(key);
        }
        staged
    }
}
