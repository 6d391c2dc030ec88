//! Columns of a table, dropped and renamed.

use super::catalogue::text;
use super::changing::Changing;
use super::entries::{is_named, needs};
use super::{TableEditor, Written};
use crate::base::{ArgumentError, Unsupported};
use crate::sink::indexes::put;
use crate::table::ColumnSpec;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

impl TableEditor<'_> {
    /// Drops a column, with its index. A computed column is only an entry of the schema.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-drop-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// table.drop_column("f2")?;
    /// table.finish()?;
    /// store.commit()?;
    /// let store = b2nd::store::open(&path)?;
    /// let table = b2nd::table::Table::open(&store, "")?;
    /// assert!(table.columns().iter().map(|column| &column.name[..]).eq(["f0", "é", "f3"]));
    /// # drop(store);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such column, or no other one; `Unsupported` if another column is computed from it.
    pub fn drop_column(&mut self, name: &str) -> Written<()> {
        if self.computed.iter().any(|entry| is_named(entry, name)) {
            return self.drop_computed(name);
        }
        let number = self.number_of(name)?;
        if self.specs.len() == 1 {
            return Err(ArgumentError::NoColumn.into());
        }
        self.change(|editor| {
            let spec = editor.specs.remove(number);
            if let Some(columns) = &mut editor.columns {
                columns.remove(number);
            }
            for key in spec.keys() {
                editor.store.remove_part(&[&editor.key, &key[..]].concat());
            }
            editor.forget_index(name);
            editor.generated.retain(|entry| !is_named(entry, name));
            editor.changes.columns = Some(editor.specs.clone());
            Ok(())
        })
    }

    /// Gives a column another name. Its index is dropped, since it has the name of the column, too.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("b2nd-table-rename-{}.b2z", std::process::id()));
    /// # std::fs::copy("tests/golden/tables/001.b2z", &path)?;
    /// # let mut store = b2nd::sink::StoreEditor::open(&path, b2nd::DParams::default())?;
    /// let mut table = b2nd::sink::TableEditor::open(&mut store, "")?;
    /// table.rename_column("f0", "time.start")?;
    /// table.finish()?;
    /// store.commit()?;
    /// let store = b2nd::store::open(&path)?;
    /// let table = b2nd::table::Table::open(&store, "")?;
    /// assert_eq!(table.column("time.start")?.cells(0..2)?.len(), 2);
    /// # drop(store);
    /// # std::fs::remove_file(&path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such column, if another one has the new name or its place, and for names that columns cannot have;
    /// `Unsupported` if another column is computed from it.
    pub fn rename_column(&mut self, from: &str, to: &str) -> Written<()> {
        let number = self.number_of(from)?;
        let mut entry = self.specs[number].entry.clone();
        put(&mut entry, "name", text(to));
        let spec = ColumnSpec::of(&entry)?;
        spec.must_have_valid_name()?;
        let others = self.specs.iter().enumerate().filter(|(other, _)| *other != number);
        self.must_be_free(&spec, others.map(|(_, other)| other))?;
        self.change(|editor| {
            // By way of keys that no column has, since the new ones may be below the old.
            for (key, new) in editor.specs[number].keys().iter().zip(spec.keys()) {
                let [key, new] = [&key[..], &new].map(|key| [&editor.key, key].concat());
                let between = [&editor.key, "/_renamed"].concat();
                if key != new && editor.store.has_part(&key) {
                    editor.store.rename(&key, &between)?;
                    editor.store.rename(&between, &new)?;
                }
            }
            if let Some(columns) = &mut editor.columns {
                columns[number].rename(spec.clone());
            }
            let generated = editor.generated.iter_mut().find(|entry| is_named(entry, from));
            if let Some(entry) = generated {
                put(entry, "name", text(to));
            }
            editor.specs[number] = spec;
            editor.forget_index(from);
            editor.changes.columns = Some(editor.specs.clone());
            Ok(())
        })
    }

    /// Fails if a column would be in the place of one of these, or have the name of a computed one.
    pub(super) fn must_be_free<'c>(
        &self,
        spec: &ColumnSpec,
        others: impl Iterator<Item = &'c ColumnSpec>,
    ) -> Written<()> {
        let taken: Vec<String> = others.flat_map(ColumnSpec::keys).collect();
        let is_below =
            |key: &str, other: &str| key.strip_prefix(other).is_some_and(|rest| rest.starts_with('/'));
        let collide = |key: &str, other: &str| key == other || is_below(key, other) || is_below(other, key);
        let is_taken = spec.keys().iter().any(|key| taken.iter().any(|other| collide(key, other)));
        if is_taken || self.computed.iter().any(|entry| is_named(entry, &spec.name)) {
            return Err(ArgumentError::ColumnInUse.into());
        }
        Ok(())
    }

    /// The number of a column that no other depends on.
    fn number_of(&self, name: &str) -> Written<usize> {
        if self.computed.iter().chain(&self.generated).any(|entry| needs(entry, name)) {
            return Err(Unsupported::InputColumn.into());
        }
        let number = self.specs.iter().position(|spec| spec.name == name);
        Ok(number.ok_or(ArgumentError::NoColumn)?)
    }

    fn forget_index(&mut self, name: &str) {
        self.store.remove_part(&[&self.key, "/_indexes/", name].concat());
        self.changes.without_index.push(name.to_string());
        self.summaries.retain(|(other, _)| other != name);
    }
}
