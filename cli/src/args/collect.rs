//! The options of `b2nd collect`.

use super::storage::{Lens, shape};
use b2nd::array::Dtype;
use std::path::PathBuf;

/// The array, and the stream that it gets.
#[derive(Debug, clap::Args)]
pub(crate) struct CollectOptions {
    /// An array whose dtype, rows, chunks, codec, filters and metalayers a new one gets
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dtype", "row"])]
    pub(crate) template: Option<PathBuf>,
    /// The dtype of a new array, in NumPy's syntax, such as "<i2"
    #[arg(long, value_parser = super::dtype)]
    pub(crate) dtype: Option<Dtype>,
    /// Items of a row of a new array along each axis, such as 3 for three channels [default: one item]
    #[arg(long, value_name = "LENS", value_parser = shape)]
    pub(crate) row: Option<Lens<u64>>,
    /// The number of the stream [default: that of the first packet, or the one that was collected before]
    #[arg(long, value_name = "N")]
    pub(crate) stream: Option<u16>,
    /// Begin with the first block that arrives: what was sent before does not count as lost
    #[arg(long)]
    pub(crate) join: bool,
    /// Blocks that may arrive before an earlier one
    #[arg(long, value_name = "N", default_value_t = 64)]
    pub(crate) window: u16,
    /// The value of items that were lost [default: NaN for floats, or else 0]
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub(crate) fill: Option<String>,
}

impl CollectOptions {
    /// Whether nothing describes a new array.
    pub(crate) const fn is_for_old(&self) -> bool {
        self.template.is_none() && self.dtype.is_none() && self.row.is_none()
    }
}
