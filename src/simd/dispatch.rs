//! Selects the instruction set: what the target guarantees and, on x86, what the processor supports.

#[cfg(all(
    not(feature = "nightly"),
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
pub(super) use super::neon::{backend, run};
#[cfg(feature = "nightly")]
pub(super) use super::portable::{backend, run};
#[cfg(all(not(feature = "nightly"), target_arch = "wasm32", target_feature = "simd128"))]
pub(super) use super::wasm::{backend, run};
#[cfg(all(
    not(feature = "nightly"),
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
pub(super) use super::x86::{backend, run};
#[cfg(not(any(
    feature = "nightly",
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128"),
)))]
pub(super) use vectorless::{backend, run};

#[cfg(not(any(
    feature = "nightly",
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little"),
    all(target_arch = "wasm32", target_feature = "simd128"),
)))]
mod vectorless {
    pub(crate) fn backend() -> &'static str {
        "scalar"
    }

    use crate::simd::kernels::Kernel;

    pub(crate) fn run<K: Kernel>(typesize: usize, src: K::Source<'_>, dst: &mut [K::Target]) {
        K::scalar(typesize, src, dst);
    }
}
