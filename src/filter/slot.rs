//! A slot of the pipeline.

/// A filter and its parameter.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Filter {
    /// The filter's id; 0 is an empty slot.
    pub id: u8,
    /// The parameter, whose meaning depends on the filter (FORMAT §2.2).
    pub meta: u8,
}
