//! Codecs and filters added by the host.

use super::{Codec, PlainStream, Stream};
use crate::base::Plugins;
use crate::filter;
use crate::filter::HostFilters;
#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
use alloc::sync::Arc;
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
/// use b2nd::codec::{Codec, Corrupt, PlainStream, Plugin, Registry, Stream};
///
/// /// Leaves out the zeros at the end of a stream.
/// struct Trimmed;
///
/// impl Plugin for Trimmed {
///     fn name(&self) -> &'static str {
///         "trimmed"
///     }
///
///     fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
///         let (start, end) = dst.split_at_mut_checked(stream.src.len()).ok_or(Corrupt)?;
///         start.copy_from_slice(stream.src);
///         end.fill(0);
///         Ok(())
///     }
///
///     fn encodes(&self) -> bool {
///         true
///     }
///
///     fn encode(&self, stream: &PlainStream<'_>, dst: &mut [u8]) -> Option<usize> {
///         let len = stream.src.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
///         dst.get_mut(..len)?.copy_from_slice(&stream.src[..len]);
///         Some(len)
///     }
/// }
///
/// let mut registry = Registry::new();
/// registry.insert(Codec(200), &Trimmed);
///
/// // One that is made while the program runs.
/// # #[cfg(feature = "alloc")]
/// registry.insert_shared(Codec(201), std::sync::Arc::new(Trimmed));
///
/// # #[cfg(feature = "encoders")]
/// # {
/// use b2nd::chunk::{CParams, Chunk, ChunkEncoder};
/// use b2nd::{DParams, Scratch};
/// let cparams = CParams { codec: Codec(200), registry: registry.clone(), ..CParams::default() };
/// let plain: Vec<u8> = (0..1000_u64).flat_map(u64::to_le_bytes).collect();
/// let bytes = ChunkEncoder::new(cparams).encode(&plain)?;
/// assert!(bytes.len() < plain.len() / 3);
/// let mut scratch = Scratch::new(&DParams { registry, ..DParams::default() });
/// assert_eq!(Chunk::new(&bytes)?.decode(&mut scratch)?, plain);
/// # }
/// # Ok::<(), b2nd::Error>(())
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

    /// Whether [`encode`](Self::encode) is there. Chunks are not written with codecs that only decode.
    fn encodes(&self) -> bool {
        false
    }

    /// Encodes one stream to the start of `dst` and returns its length, or `None` if it does not fit; then the content of `dst`
    /// is unspecified. `dst` is shorter than the stream: one that does not shrink is stored as it is. What is written depends
    /// on the stream alone, so that chunks are the same by any number of threads.
    fn encode(&self, stream: &PlainStream<'_>, dst: &mut [u8]) -> Option<usize> {
        _ = (stream, dst);
        None
    }
}

/// Codecs and filters added by the host, by id. Codecs take precedence over the built-in ones, so a host can also replace
/// zlib or zstd; filters do not.
#[derive(Clone)]
pub struct Registry {
    codecs: Plugins<Codec, dyn Plugin>,
    filters: Plugins<u8, dyn filter::Plugin>,
}

impl Default for Registry {
    fn default() -> Self {
        Self::new()
    }
}

impl Registry {
    /// An empty registry.
    ///
    /// ```
    /// use b2nd::codec::{Codec, Registry};
    /// assert!(Registry::new().get(Codec(200)).is_none());
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self { codecs: Plugins::new(), filters: Plugins::new() }
    }

    /// A registry of these codecs.
    ///
    /// ```
    /// # use b2nd::codec::{Codec, Corrupt, Plugin, Registry, Stream};
    /// # struct Copy;
    /// # impl Plugin for Copy {
    /// #     fn name(&self) -> &'static str { "copy" }
    /// #     fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
    /// #         dst.copy_from_slice(stream.src.get(..dst.len()).ok_or(Corrupt)?);
    /// #         Ok(())
    /// #     }
    /// # }
    /// // `Copy` implements `Plugin`.
    /// let registry = Registry::of(&[(Codec(200), &Copy)]);
    /// assert!(registry.get(Codec(200)).is_some());
    /// ```
    #[must_use]
    pub fn of(codecs: &'static [(Codec, &'static dyn Plugin)]) -> Self {
        Self { codecs: Plugins::of(codecs), filters: Plugins::new() }
    }

    /// The plugin for `codec`.
    ///
    /// ```
    /// # use b2nd::codec::{Codec, Corrupt, Plugin, Registry, Stream};
    /// # struct Copy;
    /// # impl Plugin for Copy {
    /// #     fn name(&self) -> &'static str { "copy" }
    /// #     fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
    /// #         dst.copy_from_slice(stream.src.get(..dst.len()).ok_or(Corrupt)?);
    /// #         Ok(())
    /// #     }
    /// # }
    /// let registry = Registry::of(&[(Codec(200), &Copy)]);
    /// assert_eq!(registry.get(Codec(200)).map(|plugin| plugin.name()), Some("copy"));
    /// ```
    #[must_use]
    pub fn get(&self, codec: Codec) -> Option<&dyn Plugin> {
        self.codecs.get(codec)
    }

    /// The plugin for filter `id`.
    ///
    /// ```
    /// use b2nd::codec::Registry;
    /// assert!(Registry::new().get_filter(200).is_none());
    /// ```
    #[must_use]
    pub fn get_filter(&self, id: u8) -> Option<&dyn filter::Plugin> {
        self.filters.get(id)
    }

    /// The filters, for a pipeline.
    pub(crate) const fn filters(&self) -> HostFilters<'_> {
        HostFilters::of(&self.filters)
    }
}

#[cfg(feature = "alloc")]
impl Registry {
    /// Has `plugin` decode and encode the streams of `codec`, replacing any earlier plugin.
    ///
    /// ```
    /// # use b2nd::codec::{Codec, Corrupt, Plugin, Registry, Stream};
    /// # struct Copy;
    /// # impl Plugin for Copy {
    /// #     fn name(&self) -> &'static str { "copy" }
    /// #     fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
    /// #         dst.copy_from_slice(stream.src.get(..dst.len()).ok_or(Corrupt)?);
    /// #         Ok(())
    /// #     }
    /// # }
    /// let mut registry = Registry::new();
    /// registry.insert(Codec(200), &Copy);
    /// assert!(registry.get(Codec(200)).is_some());
    /// ```
    pub fn insert(&mut self, codec: Codec, plugin: &'static dyn Plugin) {
        self.codecs.insert(codec, plugin);
    }

    /// Has `plugin` apply and undo the filter `id`, which is not a built-in one, replacing any earlier plugin. Blosc leaves
    /// the ids from 160 on to its users.
    ///
    /// ```
    /// # use b2nd::{codec::Registry, filter::{Block, Inapplicable, Plugin}};
    /// # struct Copy;
    /// # impl Plugin for Copy {
    /// #     fn name(&self) -> &'static str { "copy" }
    /// #     fn forward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
    /// #         Ok(dst.copy_from_slice(block.src))
    /// #     }
    /// #     fn backward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
    /// #         Ok(dst.copy_from_slice(block.src))
    /// #     }
    /// # }
    /// let mut registry = Registry::new();
    /// registry.insert_filter(200, &Copy);
    /// assert!(registry.get_filter(200).is_some());
    /// ```
    pub fn insert_filter(&mut self, id: u8, plugin: &'static dyn filter::Plugin) {
        self.filters.insert(id, plugin);
    }
}

#[cfg(all(feature = "alloc", target_has_atomic = "ptr"))]
impl Registry {
    /// [`insert`](Self::insert) for a plugin created at run time. It lives as long as the registry and its clones.
    ///
    /// ```
    /// # use b2nd::codec::{Codec, Corrupt, Plugin, Registry, Stream};
    /// # struct Copy;
    /// # impl Plugin for Copy {
    /// #     fn name(&self) -> &'static str { "copy" }
    /// #     fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
    /// #         dst.copy_from_slice(stream.src.get(..dst.len()).ok_or(Corrupt)?);
    /// #         Ok(())
    /// #     }
    /// # }
    /// let mut registry = Registry::new();
    /// registry.insert_shared(Codec(200), std::sync::Arc::new(Copy));
    /// assert!(registry.get(Codec(200)).is_some());
    /// ```
    pub fn insert_shared(&mut self, codec: Codec, plugin: Arc<dyn Plugin>) {
        self.codecs.insert_shared(codec, plugin);
    }

    /// [`insert_filter`](Self::insert_filter) for a plugin created at run time.
    ///
    /// ```
    /// # use b2nd::{codec::Registry, filter::{Block, Inapplicable, Plugin}};
    /// # struct Copy;
    /// # impl Plugin for Copy {
    /// #     fn name(&self) -> &'static str { "copy" }
    /// #     fn forward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
    /// #         Ok(dst.copy_from_slice(block.src))
    /// #     }
    /// #     fn backward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
    /// #         Ok(dst.copy_from_slice(block.src))
    /// #     }
    /// # }
    /// let mut registry = Registry::new();
    /// registry.insert_shared_filter(200, std::sync::Arc::new(Copy));
    /// assert!(registry.get_filter(200).is_some());
    /// ```
    pub fn insert_shared_filter(&mut self, id: u8, plugin: Arc<dyn filter::Plugin>) {
        self.filters.insert_shared(id, plugin);
    }
}

/// Whether two registries have the same plugins, not just equal ones, by the same ids, inserted in the same order.
impl PartialEq for Registry {
    fn eq(&self, other: &Self) -> bool {
        self.filters == other.filters && self.codecs == other.codecs
    }
}

impl Eq for Registry {}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut map = f.debug_map();
        map.entries(self.codecs.iter().map(|(id, plugin)| (id, plugin.name())));
        map.entries(self.filters.iter().map(|(id, plugin)| (id, plugin.name())));
        map.finish()
    }
}
