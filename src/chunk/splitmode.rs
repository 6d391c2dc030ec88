//! The writer's choice of when to split blocks (FORMAT §4.2, §7.1).

/// When a block is split into one stream for each byte of an item.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
pub enum SplitMode {
    /// Always.
    Always,
    /// Never.
    Never,
    /// When the writer expects it to help.
    Auto,
    /// Like [`Auto`](Self::Auto), but compatible with old readers.
    #[default]
    ForwardCompat,
}

impl SplitMode {
    pub(crate) const fn of_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::Always,
            1 => Self::Never,
            2 => Self::Auto,
            _ => Self::ForwardCompat,
        }
    }

    /// The bits of a frame's header.
    pub(crate) const fn bits(self) -> u8 {
        match self {
            Self::Always => 0,
            Self::Never => 1,
            Self::Auto => 2,
            Self::ForwardCompat => 3,
        }
    }

    /// The reference's name for it.
    ///
    /// ```
    /// use b2nd::frame::SplitMode;
    /// assert_eq!(SplitMode::ForwardCompat.name(), "forward_compat");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::Auto => "auto",
            Self::ForwardCompat => "forward_compat",
        }
    }
}
