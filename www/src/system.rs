//! A module's substitutes for an operating system: an allocator, and a way to end.

#[global_allocator]
static MEMORY: rlsf::GlobalTlsf<Allocator> = rlsf::GlobalTlsf::new();

/// Without reallocation in place: buffers are replaced when they grow.
struct Allocator;

impl rlsf::GlobalTlsfOptions for Allocator {
    const ENABLE_REALLOCATION: bool = false;
}

/// A panic would be a bug. JavaScript gets a `RuntimeError`, without a message, whose formatting would need much code.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
