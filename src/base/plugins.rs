//! Extensions that a host adds to the library, by id.

#[cfg_attr(not(feature = "alloc"), path = "plugins/fixed.rs")]
mod list;

use core::ptr;

pub(crate) use list::Plugins;

impl<K: Copy + PartialEq, P: ?Sized> Plugins<K, P> {
    /// The plugin with this id.
    pub(crate) fn get(&self, id: K) -> Option<&P> {
        self.iter().find(|(other, _)| *other == id).map(|(_, plugin)| plugin)
    }
}

/// Whether these are the same plugins, each in the same place of the memory, by the same ids.
impl<K: Copy + PartialEq, P: ?Sized> PartialEq for Plugins<K, P> {
    fn eq(&self, other: &Self) -> bool {
        let (mut mine, mut others) = (self.iter(), other.iter());
        loop {
            match (mine.next(), others.next()) {
                (None, None) => return true,
                (Some((id, plugin)), Some((other, its))) if id == other && ptr::addr_eq(plugin, its) => {}
                _ => return false,
            }
        }
    }
}
