//! For implementers: of sources and sinks, of readers that do their own I/O, and of programs that take frames apart.
//!
//! Programs that only read and write arrays need nothing of this.
//!
//! - A [`ReadAt`](crate::ReadAt) answers [`Request`]s for bytes of a [`Part`]. A [`WriteAt`](crate::sink::WriteAt) tells a
//!   [`Revision`] from others.
//! - A reader without a source drives [`Exchange`]s: [`Opening`], [`IndexReading`], [`TrailerReading`], and
//!   [`PlanReading`](crate::reading::PlanReading). An editor without a sink carries out the [`Step`]s of a
//!   [`FrameEditor`](crate::frame::FrameEditor). One whose sink cannot read drives [`EditOpening`],
//!   [`SpaceSearch`] and [`Preparing`](crate::sink::Preparing). A [`Recovery`] finds the chunks of a frame without an index.
//! - [`WireFrame`], [`WireTrailer`], [`WireEntry`], [`WireChunk`] and [`WireArray`] are headers and metalayers field by field, as
//!   they are stored.

pub use crate::array::wire::{WireArray, WireDtype};
pub use crate::chunk::wire::WireChunk;
#[cfg(feature = "write")]
pub use crate::frame::edit::{EditOpening, FrameEnds, Recovered, Recovery, SpaceSearch, Step, UnusedSpace};
pub use crate::frame::location::WireEntry;
pub use crate::frame::request::Exchange;
pub use crate::frame::request::{Part, Request};
pub use crate::frame::wire::WireFrame;
#[cfg(feature = "alloc")]
pub use crate::{
    frame::index_reading::IndexReading,
    frame::opening::Opening,
    frame::revision::Revision,
    frame::trailer::{TrailerReading, WireContent, WireTrailer},
};
