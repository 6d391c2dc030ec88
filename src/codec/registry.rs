//! Codecs added by the host.

use super::{Codec, Stream};
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

/// A corrupt stream: it does not decode to its length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Corrupt;

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("corrupt stream")
    }
}

impl core::error::Error for Corrupt {}

/// A codec that is not built in.
///
/// ```
/// use b2nd::codec::{Codec, Corrupt, Plugin, Registry, Stream};
///
/// struct Inverted;
///
/// impl Plugin for Inverted {
///     fn name(&self) -> &'static str {
///         "inverted"
///     }
///
///     fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
///         if stream.src.len() != dst.len() {
///             return Err(Corrupt);
///         }
///         dst.iter_mut().zip(stream.src).for_each(|(to, from)| *to = !from);
///         Ok(())
///     }
/// }
///
/// let mut registry = Registry::new();
/// registry.insert(Codec(200), &Inverted);
///
/// // One that is made while the program runs.
/// # #[cfg(feature = "alloc")]
/// registry.insert_shared(Codec(201), std::sync::Arc::new(Inverted));
/// ```
pub trait Plugin: Send + Sync {
    /// The codec's name in errors.
    fn name(&self) -> &'static str;

    /// Whether the codec needs [`Stream::blockshape`]. If so, streams of chunks that are read without their array are
    /// refused before they get here.
    fn needs_shape(&self) -> bool {
        false
    }

    /// Decodes one stream. Must write all of `dst` if it returns `Ok`; the initial content of `dst` is unspecified.
    ///
    /// # Errors
    /// The stream is not one of this codec, or not of this length.
    fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt>;
}

/// A static plugin, or a shared one.
#[cfg(feature = "alloc")]
#[derive(Clone)]
enum PluginRef {
    Static(&'static dyn Plugin),
    #[cfg(target_has_atomic = "ptr")]
    Shared(Arc<dyn Plugin>),
}

#[cfg(feature = "alloc")]
impl PluginRef {
    fn plugin(&self) -> &dyn Plugin {
        match self {
            Self::Static(plugin) => *plugin,
            #[cfg(target_has_atomic = "ptr")]
            Self::Shared(plugin) => &**plugin,
        }
    }
}

/// Codecs added by the host, by id. They take precedence over the built-in ones, so a host can also replace zlib or
/// zstd.
#[derive(Clone, Default)]
pub struct Registry {
    #[cfg(feature = "alloc")]
    plugins: Vec<(Codec, PluginRef)>,
    #[cfg(not(feature = "alloc"))]
    plugins: &'static [(Codec, &'static dyn Plugin)],
}

impl Registry {
    /// An empty registry.
    #[must_use]
    pub const fn new() -> Self {
        #[cfg(feature = "alloc")]
        return Self { plugins: Vec::new() };
        #[cfg(not(feature = "alloc"))]
        Self { plugins: &[] }
    }

    /// A registry of these codecs.
    #[must_use]
    pub fn of(plugins: &'static [(Codec, &'static dyn Plugin)]) -> Self {
        #[cfg(feature = "alloc")]
        return Self {
            plugins: plugins.iter().map(|&(codec, plugin)| (codec, PluginRef::Static(plugin))).collect(),
        };
        #[cfg(not(feature = "alloc"))]
        Self { plugins }
    }

    /// Has `plugin` decode the streams of `codec`, replacing any earlier plugin.
    #[cfg(feature = "alloc")]
    pub fn insert(&mut self, codec: Codec, plugin: &'static dyn Plugin) {
        self.put(codec, PluginRef::Static(plugin));
    }

    /// Like [`insert`](Self::insert), for a plugin created at run time. It lives as long as the registry and its
    /// clones.
    #[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
    pub fn insert_shared(&mut self, codec: Codec, plugin: Arc<dyn Plugin>) {
        self.put(codec, PluginRef::Shared(plugin));
    }

    #[cfg(feature = "alloc")]
    fn put(&mut self, codec: Codec, plugin: PluginRef) {
        self.plugins.retain(|(id, _)| *id != codec);
        self.plugins.push((codec, plugin));
    }

    /// The plugin that decodes `codec`.
    #[must_use]
    pub fn get(&self, codec: Codec) -> Option<&dyn Plugin> {
        self.plugins().find(|(id, _)| *id == codec).map(|(_, plugin)| plugin)
    }

    #[cfg(feature = "alloc")]
    fn plugins(&self) -> impl Iterator<Item = (Codec, &dyn Plugin)> {
        self.plugins.iter().map(|(codec, plugin)| (*codec, plugin.plugin()))
    }

    #[cfg(not(feature = "alloc"))]
    fn plugins(&self) -> impl Iterator<Item = (Codec, &dyn Plugin)> {
        self.plugins.iter().copied()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.plugins().map(|(id, plugin)| (id, plugin.name()))).finish()
    }
}
