//! The layout of elements and planes, and unrolled loops over registers.

/// Repeats the body for `$j` = 0, 1, … below the bound, at most 16 times, unrolled: registers need constant indices,
/// and not every compiler backend unrolls such long loops.
macro_rules! unroll {
    ($j:ident < $bound:expr => $body:expr) => {
        unroll!(@ $j, $bound, $body, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15)
    };
    (@ $j:ident, $bound:expr, $body:expr, $($k:literal)*) => {
        $(if $k < $bound { let $j: usize = $k; $body; })*
    };
}
pub(super) use unroll;

/// The layout of elements and planes: `count` elements lie `stride` bytes apart, and the first `width` bytes of each
/// belong to as many planes, which lie `pitch` bytes apart. The width is the stride, or 16 if the stride is larger.
#[derive(Clone, Copy)]
pub(super) struct PlaneLayout {
    pub(super) count: usize,
    pub(super) stride: usize,
    pub(super) width: usize,
    pub(super) pitch: usize,
}
