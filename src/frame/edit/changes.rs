//! Changes that can be taken back.

use super::super::metalayers::Metalayer;
use super::super::wire::WireFrame;
use super::space::{Files, Space};
use super::{Entry, FrameEditor};
use alloc::vec::Vec;
use core::mem;
use core::ops::Range;

/// State that a change needs to be taken back. Its size depends on the change, not on the frame.
#[derive(Debug, Clone)]
pub(super) struct Changes {
    /// Chunks that were written before the change of this number are kept until the end.
    number: u32,
    header: WireFrame,
    metalayers: Vec<Metalayer>,
    /// Saved before the first of them changes.
    attributes: Option<Vec<Metalayer>>,
    space: Space,
    files: Files,
    /// The lengths of `FrameEditor::released` and of its other lists.
    released: usize,
    removed: usize,
    steps: usize,
    /// Positions of chunks, and the chunks that were there.
    replaced: Vec<(Range<usize>, Vec<Entry>)>,
    /// Chunks that are no longer needed unless the change is taken back.
    dropped: Vec<Entry>,
}

impl FrameEditor {
    /// Begins a change, perhaps within another. Until it ends nothing is written over chunks that were there before.
    pub(crate) fn begin(&mut self) {
        self.change += 1;
        self.changes.push(Changes {
            number: self.change,
            header: self.header,
            metalayers: self.metalayers.clone(),
            attributes: None,
            space: self.space.clone(),
            files: self.files.clone(),
            released: self.released.len(),
            removed: self.removed.len(),
            steps: self.steps.len(),
            replaced: Vec::new(),
            dropped: Vec::new(),
        });
    }

    /// How many changes have begun and not ended.
    pub(crate) const fn depth(&self) -> usize {
        self.changes.len()
    }

    /// Before the last step of a change, after which nothing is taken back: space that it does not need is free at once.
    pub(crate) fn end_soon(&mut self) {
        if let [.., outer, last] = &mut self.changes[..] {
            last.number = outer.number;
        } else if let [only] = &mut self.changes[..] {
            only.number = 0;
        }
    }

    /// Ends a change and keeps it.
    pub(crate) fn keep(&mut self) {
        let Some(Changes { attributes, replaced, dropped, .. }) = self.changes.pop() else { return };
        if let Some(outer) = self.changes.last_mut() {
            outer.attributes = outer.attributes.take().or(attributes);
            outer.replaced.extend(replaced);
        }
        dropped.iter().for_each(|entry| self.release(entry));
    }

    /// Ends a change and takes it back.
    pub(crate) fn take_back(&mut self) {
        let Some(changes) = self.changes.pop() else { return };
        for (range, old) in changes.replaced.into_iter().rev() {
            self.chunks.splice(range, old);
        }
        self.attributes = changes.attributes.unwrap_or(mem::take(&mut self.attributes));
        (self.header, self.metalayers) = (changes.header, changes.metalayers);
        (self.space, self.files) = (changes.space, changes.files);
        self.released.truncate(changes.released);
        self.removed.truncate(changes.removed);
        self.steps.truncate(changes.steps);
    }

    /// Replaces chunks by others.
    pub(super) fn splice(&mut self, range: Range<usize>, new: impl IntoIterator<Item = Entry>) -> Vec<Entry> {
        let len = self.chunks.len() - range.len();
        let old: Vec<Entry> = self.chunks.splice(range.clone(), new).collect();
        if let Some(changes) = self.changes.last_mut() {
            let place = range.start..range.start + (self.chunks.len() - len);
            changes.replaced.push((place, old.clone()));
        }
        old
    }

    /// Saves the attributes before the first of them changes.
    pub(super) fn save_attributes(&mut self) {
        if let Some(changes) = self.changes.last_mut() {
            changes.attributes.get_or_insert_with(|| self.attributes.clone());
        }
    }

    /// Whether the space of a chunk can be used for others at once. If not, this waits for the end of the change.
    pub(super) fn is_free_at_once(&mut self, entry: &Entry) -> bool {
        match self.changes.last_mut() {
            Some(changes) if entry.written < changes.number => {
                changes.dropped.push(*entry);
                false
            }
            _ => true,
        }
    }
}
