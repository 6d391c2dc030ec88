//! Plugins in a list that grows. Clones share it where they can, which most copies of parameters do with none.

#[cfg(target_has_atomic = "ptr")]
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Plugins by id.
pub(crate) struct Plugins<K: 'static, P: ?Sized + 'static> {
    list: Option<Shared<List<K, P>>>,
}

type List<K, P> = Vec<(K, PluginRef<P>)>;
#[cfg(target_has_atomic = "ptr")]
type Shared<T> = Arc<T>;
#[cfg(not(target_has_atomic = "ptr"))]
type Shared<T> = alloc::boxed::Box<T>;

/// A static plugin, or a shared one.
enum PluginRef<P: ?Sized + 'static> {
    Static(&'static P),
    #[cfg(target_has_atomic = "ptr")]
    Shared(Arc<P>),
}

impl<P: ?Sized> Clone for PluginRef<P> {
    fn clone(&self) -> Self {
        match self {
            Self::Static(plugin) => Self::Static(plugin),
            #[cfg(target_has_atomic = "ptr")]
            Self::Shared(plugin) => Self::Shared(plugin.clone()),
        }
    }
}

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
        Self { list: self.list.clone() }
    }
}

impl<K: Copy + PartialEq, P: ?Sized> Plugins<K, P> {
    /// No plugins.
    pub(crate) const fn new() -> Self {
        Self { list: None }
    }

    /// These plugins.
    pub(crate) fn of(list: &'static [(K, &'static P)]) -> Self {
        let list = list.iter().map(|&(id, plugin)| (id, PluginRef::Static(plugin))).collect();
        Self { list: Some(Shared::new(list)) }
    }

    /// Adds a plugin, in the place of an earlier one with this id.
    pub(crate) fn insert(&mut self, id: K, plugin: &'static P) {
        self.put(id, PluginRef::Static(plugin));
    }

    /// Adds a shared plugin, in the place of an earlier one with this id.
    #[cfg(target_has_atomic = "ptr")]
    pub(crate) fn insert_shared(&mut self, id: K, plugin: Arc<P>) {
        self.put(id, PluginRef::Shared(plugin));
    }

    fn put(&mut self, id: K, plugin: PluginRef<P>) {
        let list = self.list.get_or_insert_with(|| Shared::new(Vec::new()));
        #[cfg(target_has_atomic = "ptr")]
        let list = Shared::make_mut(list);
        list.retain(|(other, _)| *other != id);
        list.push((id, plugin));
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &P)> {
        self.list.iter().flat_map(|list| list.iter()).map(|(id, plugin)| (*id, plugin.plugin()))
    }
}
