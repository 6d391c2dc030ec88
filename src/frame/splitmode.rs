//! When blocks are cut into streams, by the writer's choice (FORMAT §7.1).

/// When a block is cut into one stream for each byte of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitMode {
    /// Always.
    Always,
    /// Never.
    Never,
    /// Where it helps, by the writer's judgement.
    Auto,
    /// Like [`Auto`](Self::Auto), with an eye to old readers.
    ForwardCompat,
}

impl SplitMode {
    pub(super) const fn of_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::Always,
            1 => Self::Never,
            2 => Self::Auto,
            _ => Self::ForwardCompat,
        }
    }

    /// The reference's name for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::Auto => "auto",
            Self::ForwardCompat => "forward_compat",
        }
    }
}
