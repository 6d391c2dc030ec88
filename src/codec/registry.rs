//! Codecs that the host brings.

use super::{Codec, Stream};
#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;

/// The bytes of a stream are wrong: they do not decode to their length.
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
/// ```
pub trait Plugin: Sync {
    /// What errors call the codec.
    fn name(&self) -> &'static str;

    /// Whether the codec can work only where [`Stream::blockshape`] is there. Streams of chunks that are
    /// read without their array are then refused before they get here.
    fn needs_shape(&self) -> bool {
        false
    }

    /// Decodes one stream. `Ok` says that all of `dst` has been written; its bytes before are anything.
    ///
    /// # Errors
    /// The stream is not one of this codec, or not of this length.
    fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt>;
}

type Entry = (Codec, &'static dyn Plugin);

/// The codecs that the host brings, by id. They come before the built-in ones, so that a host can also
/// bring its own zlib or zstd.
#[derive(Clone, Default)]
pub struct Registry {
    #[cfg(feature = "alloc")]
    plugins: Vec<Entry>,
    #[cfg(not(feature = "alloc"))]
    plugins: &'static [Entry],
}

impl Registry {
    /// A registry without codecs.
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
        return Self { plugins: plugins.to_vec() };
        #[cfg(not(feature = "alloc"))]
        Self { plugins }
    }

    /// Lets `plugin` decode the streams of `codec`. The plugin that did so before is handed back.
    #[cfg(feature = "alloc")]
    pub fn insert(&mut self, codec: Codec, plugin: &'static dyn Plugin) -> Option<&'static dyn Plugin> {
        match self.plugins.iter_mut().find(|(id, _)| *id == codec) {
            Some((_, entry)) => Some(core::mem::replace(entry, plugin)),
            None => {
                self.plugins.push((codec, plugin));
                None
            }
        }
    }

    /// The plugin that decodes `codec`.
    #[must_use]
    pub fn get(&self, codec: Codec) -> Option<&'static dyn Plugin> {
        self.plugins.iter().find(|(id, _)| *id == codec).map(|&(_, plugin)| plugin)
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.plugins.iter().map(|(id, plugin)| (id, plugin.name()))).finish()
    }
}
