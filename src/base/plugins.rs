//! What a host adds to the library, by id.

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ptr;

/// Plugins by id. Clones share them where they can, which most copies of parameters do with none.
pub(crate) struct Plugins<K: 'static, P: ?Sized + 'static> {
    #[cfg(feature = "alloc")]
    list: Option<Shared<List<K, P>>>,
    #[cfg(not(feature = "alloc"))]
    list: &'static [(K, &'static P)],
}

#[cfg(feature = "alloc")]
type List<K, P> = Vec<(K, PluginRef<P>)>;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
type Shared<T> = Arc<T>;
#[cfg(all(feature = "alloc", not(target_has_atomic = "ptr")))]
type Shared<T> = alloc::boxed::Box<T>;

/// A static plugin, or a shared one.
#[cfg(feature = "alloc")]
enum PluginRef<P: ?Sized + 'static> {
    Static(&'static P),
    #[cfg(target_has_atomic = "ptr")]
    Shared(Arc<P>),
}

#[cfg(feature = "alloc")]
impl<P: ?Sized> Clone for PluginRef<P> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(plugin) => Self::Static(plugin),
            #[cfg(target_has_atomic = "ptr")]
            Self::Shared(plugin) => Self::Shared(plugin.clone()),
        }
    }
}

#[cfg(feature = "alloc")]
impl<P: ?Sized> PluginRef<P> {
    fn plugin(&self) -> &P {
        match self {
            Self::Static(plugin) => plugin,
            #[cfg(target_has_atomic = "ptr")]
            Self::Shared(plugin) => plugin,
        }
    }
}

impl<K: Copy, P: ?Sized> Clone for Plugins<K, P> {
    fn clone(&self) -> Self {
        #[cfg(feature = "alloc")]
        return Self { list: self.list.clone() };
        #[cfg(not(feature = "alloc"))]
        Self { list: self.list }
    }
}

impl<K: Copy + PartialEq, P: ?Sized> Plugins<K, P> {
    /// No plugins.
    pub(crate) const fn new() -> Self {
        #[cfg(feature = "alloc")]
        return Self { list: None };
        #[cfg(not(feature = "alloc"))]
        Self { list: &[] }
    }

    /// These plugins.
    pub(crate) fn of(list: &'static [(K, &'static P)]) -> Self {
        #[cfg(feature = "alloc")]
        return Self {
            list: Some(Shared::new(
                list.iter().map(|&(id, plugin)| (id, PluginRef::Static(plugin))).collect(),
            )),
        };
        #[cfg(not(feature = "alloc"))]
        Self { list }
    }

    /// Adds a plugin, in the place of an earlier one with this id.
    #[cfg(feature = "alloc")]
    pub(crate) fn insert(&mut self, id: K, plugin: &'static P) {
        self.put(id, PluginRef::Static(plugin));
    }

    /// The same for a shared one.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    pub(crate) fn insert_shared(&mut self, id: K, plugin: Arc<P>) {
        self.put(id, PluginRef::Shared(plugin));
    }

    #[cfg(feature = "alloc")]
    fn put(&mut self, id: K, plugin: PluginRef<P>) {
        let list = self.list.get_or_insert_with(|| Shared::new(Vec::new()));
        #[cfg(target_has_atomic = "ptr")]
        let list = Shared::make_mut(list);
        list.retain(|(other, _)| *other != id);
        list.push((id, plugin));
    }

    /// The plugin with this id.
    pub(crate) fn get(&self, id: K) -> Option<&P> {
        self.iter().find(|(other, _)| *other == id).map(|(_, plugin)| plugin)
    }

    #[cfg(feature = "alloc")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &P)> {
        self.list.iter().flat_map(|list| list.iter()).map(|(id, plugin)| (*id, plugin.plugin()))
    }

    #[cfg(not(feature = "alloc"))]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &P)> {
        self.list.iter().copied()
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
