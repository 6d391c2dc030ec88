//! Selects the instruction set: what the target guarantees and, on x86, what the processor supports.

core::cfg_select! {
    feature = "nightly" => {
        pub(super) use super::portable::{backend, run};
    }
    all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2") => {
        pub(super) use super::x86::{backend, run};
    }
    all(target_arch = "aarch64", target_feature = "neon", target_endian = "little") => {
        pub(super) use super::neon::{backend, run};
    }
    all(target_arch = "wasm32", target_feature = "simd128") => {
        pub(super) use super::wasm::{backend, run};
    }
    _ => {
        /// No vectors.
        pub(super) fn backend() -> &'static str {
            "scalar"
        }

        /// Runs without vectors.
        pub(super) fn run<K: super::kernels::Kernel>(typesize: usize, src: &[u8], dst: &mut [u8]) {
            K::scalar(typesize, src, dst);
        }
    }
}
