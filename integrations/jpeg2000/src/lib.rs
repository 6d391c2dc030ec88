#![forbid(unsafe_code)]
#![doc = include_str!("../README.md")]

mod container;
mod decoder;
mod header;
mod layout;
mod plugin;
mod quantized;
mod reader;

use b2nd::codec::{Codec, Registry};
use plugin::Jpeg2000;

/// OpenHTJ2K: planes of High-Throughput JPEG 2000, of the Python package `blosc2_openhtj2k`.
#[cfg(feature = "htj2k")]
pub const OPENHTJ2K: Codec = Codec(36);
/// Grok: JPEG 2000, of the Python package `blosc2_grok`.
pub const GROK: Codec = Codec(37);
/// JPEG 2000, of the Python package `blosc2_j2k`.
pub const J2K: Codec = Codec(39);
/// High-Throughput JPEG 2000, of the Python package `blosc2_htj2k`.
#[cfg(feature = "htj2k")]
pub const HTJ2K: Codec = Codec(40);

/// Has the codecs of this crate decoded by it, in place of earlier plugins with their ids.
///
/// ```
/// use b2nd::codec::Registry;
///
/// let mut registry = Registry::new();
/// b2nd_jpeg2000::register(&mut registry);
/// assert_eq!(registry.get(b2nd_jpeg2000::GROK).map(|plugin| plugin.name()), Some("grok"));
/// ```
pub fn register(registry: &mut Registry) {
    #[cfg(feature = "htj2k")]
    registry.insert(OPENHTJ2K, &Jpeg2000::OPENHTJ2K);
    registry.insert(GROK, &Jpeg2000::GROK);
    registry.insert(J2K, &Jpeg2000::J2K);
    #[cfg(feature = "htj2k")]
    registry.insert(HTJ2K, &Jpeg2000::HTJ2K);
}

/// A registry of the codecs of this crate.
///
/// ```
/// assert!(b2nd_jpeg2000::registry().get(b2nd_jpeg2000::J2K).is_some());
/// ```
#[must_use]
pub fn registry() -> Registry {
    let mut registry = Registry::new();
    register(&mut registry);
    registry
}
