//! Kinds of errors: of the file, of this build, of the caller, of the limits.

use super::Reference;
#[cfg(feature = "alloc")]
use super::TypeCode;
use super::words::{Bytes, Codec, Filter};
use core::fmt;

/// The kind of an error, with its details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ErrorKind {
    /// The bytes are wrong.
    Format(FormatError),
    /// The bytes may be valid, but this build cannot read them.
    Unsupported(Unsupported),
    /// The call is wrong.
    Argument(ArgumentError),
    /// The operation needs more than the [`Limits`](crate::Limits)(crate::Limits) allow.
    Limit(LimitError),
    /// The file is no longer what was opened.
    Changed(Changed),
}

/// Another program, or another part of this one, has changed the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Changed {
    /// Since a reader opened it. What was read may be of several states.
    Read,
    /// Since an editor opened it. The editor has left it alone.
    Edit,
}

/// A fault of the bytes, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FormatError {
    /// The fault.
    pub what: Malformed,
    /// Byte offset of the error, from the start of the frame; from the start of the chunk if the chunk was read on its
    /// own or lies in its own file.
    pub offset: Option<u64>,
    /// Number of the chunk, in a super-chunk.
    pub chunk: Option<u64>,
    /// Number of the block, within its chunk.
    pub block: Option<u32>,
}

/// The ways in which bytes can be wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Malformed {
    /// The data end too early.
    Truncated {
        /// Bytes needed, from the start of the part.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// The first bytes are those of neither a frame nor a chunk.
    Magic,
    /// A field has an invalid value.
    Field {
        /// The format's name for the field.
        name: &'static str,
        /// The value found.
        value: i64,
    },
    /// Two fields contradict each other.
    Mismatch {
        /// The format's name for the field.
        name: &'static str,
        /// The value found.
        found: u64,
        /// The value expected from the rest of the file.
        expected: u64,
    },
    /// An unexpected MessagePack marker.
    Marker {
        /// The marker byte found.
        found: u8,
    },
    /// A compressed stream is invalid or has the wrong length.
    Stream {
        /// Name of the codec.
        codec: &'static str,
    },
    /// A file of a sparse frame is missing.
    MissingChunk {
        /// The number of the file, from the index.
        file: u32,
    },
    /// Details were not kept: see [`Error`](crate::Error).
    Unspecified,
}

/// Data that this build cannot read although they may be valid.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Unsupported {
    /// A codec, by its id: 5 is zstd, plugins start at 32 (FORMAT §2.1).
    Codec(u8),
    /// A filter, by its id.
    Filter(u8),
    /// A filter or codec that needs the n-dimensional shape of blocks, in a chunk that was read without its array.
    Shapeless(u8),
    /// A version of the chunk format, or an unknown feature flag.
    ChunkVersion(u8),
    /// A version of the frame format.
    FrameVersion(u8),
    /// A frame of a beta release: of beta 1, whose frames differ, or of any beta for `source::flash`.
    BetaFrame,
    /// A sparse frame given as one file: its chunks are in other files.
    SparseFrame,
    /// Chunks of different sizes where all must have the same.
    VariableChunks,
    /// More dimensions than this build has room for.
    Dimensions(u8),
    /// Chunks of C-Blosc2's instrumented mode, which hold measurements instead of data.
    Instrumented,
    /// A selection of items from chunks with variable-length blocks.
    VariableBlocks,
    /// A dtype that this version does not know.
    Dtype,
    /// The values of a reference. [`DParams::as_stored`](crate::DParams::as_stored) reads what the file does hold.
    Reference(Reference),
    /// A file that is no store.
    NoStore,
    /// A zip archive where a frame or chunk is needed.
    Archive,
    /// A member of an archive that is compressed or encrypted.
    CompressedMember,
    /// A member of a store that is stored elsewhere.
    RemoteMember,
    /// A frame without a sequence of objects.
    NoObjects,
    /// Objects stored as Arrow, which only their bytes or record batches show.
    ArrowObjects,
    /// A group of a store that is no table.
    NoTable,
    /// A column of a table of a kind that this version does not know.
    ColumnKind,
    /// A column of a table that is computed from others, and not by an expression that can be evaluated.
    ComputedColumn,
    /// A change of a column of a table that others are computed from.
    InputColumn,
    /// A generated column of a table whose inputs have changed since it was computed.
    /// [`DParams::as_stored`](crate::DParams::as_stored) reads the old values.
    StaleColumn,
    /// A chunk of a proxy or a remote array that was never fetched, or only in part.
    #[cfg(feature = "alloc")]
    NotFetched {
        /// Number of the chunk.
        chunk: u64,
    },
}

/// A fault of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ArgumentError {
    /// An index is out of bounds.
    Index {
        /// The axis.
        axis: usize,
        /// The index, as given.
        index: i64,
        /// The length of the axis.
        len: u64,
    },
    /// Too many indices, or too few where each axis needs one.
    Dimensions {
        /// Indices given.
        given: usize,
        /// Dimensions of the array.
        ndim: usize,
    },
    /// Invalid syntax of a selection.
    Selection {
        /// Byte position of the error in the text.
        at: usize,
    },
    /// A mask does not have the length of its axis.
    MaskLen {
        /// The axis.
        axis: usize,
        /// The length of the mask.
        given: u64,
        /// The length of the axis.
        len: u64,
    },
    /// The positions along an axis must ascend here.
    ListOrder {
        /// The axis.
        axis: usize,
    },
    /// A step of zero.
    ZeroStep {
        /// The axis.
        axis: usize,
    },
    /// No such axis, or one that was given twice.
    Axis {
        /// The axis, as given.
        axis: usize,
        /// Axes that there are.
        ndim: usize,
    },
    /// An axis that is to be removed has more or fewer than one item.
    AxisLen {
        /// The axis.
        axis: usize,
        /// Its length.
        len: u64,
    },
    /// Points in several axes, of a view.
    PointsOfView,
    /// Lists of positions, of an array that is computed.
    ListOfLazy,
    /// An integer to the power of a negative one.
    NegativePower,
    /// The least or greatest of no items.
    NoItems,
    /// A buffer has the wrong length.
    BufferLen {
        /// Bytes needed.
        expected: u64,
        /// Bytes given.
        actual: u64,
    },
    /// No such chunk.
    Chunk {
        /// The number, as given.
        index: u64,
        /// Chunks that there are.
        nchunks: u64,
    },
    /// No such block.
    Block {
        /// The number, as given.
        index: u64,
        /// Blocks that there are.
        nblocks: u64,
    },
    /// The frame is not an n-dimensional array.
    NotAnArray,
    /// The chunks of the frame are not files of their own.
    NotSparse,
    /// Bytes were given that were not asked for.
    NotAsked,
    /// The result was taken while bytes were still missing.
    Unfinished,
    /// A block was to be decoded before the first one, on which it depends (FORMAT §5.3).
    FirstBlock,
    /// No frame was opened before the call.
    NotOpened,
    /// A store has no member with this key.
    NoMember,
    /// A key is that of a group of a store, where a member is needed.
    IsGroup,
    /// No member of a store can have this key: one begins with a slash, ends with none, and has neither empty parts nor `.`, `..`,
    /// colons, backslashes and control characters.
    Key,
    /// A store has something else at a key, or above or below it.
    KeyInUse,
    /// A table has no column of this name.
    NoColumn,
    /// The values of a column have no order, such as complex numbers and lists.
    NoOrder,
    /// Rows are to be in the order of columns, but none is given.
    NoSortKey,
    /// A condition is on other cells than those that columns of this table have.
    Condition,
    /// The texts of an ordered dictionary are given in another order than that of the column.
    WordOrder,
    /// A table has another column of this name, or one in the place of this, as `a` and `a.b`.
    ColumnInUse,
    /// New columns have cells for more or fewer rows than the table has.
    RowCount {
        /// Rows of the table.
        expected: u64,
        /// Rows with cells.
        actual: u64,
    },
    /// A store of this kind has no tables there: in a frame only the whole store can be one.
    NoTableHere,
    /// No column of a table can have this name: it is empty, begins with an underscore, or has a part between dots that is empty.
    ColumnName,
    /// A value that no cell of the column can have cannot stand for null.
    NullValue,
    /// A cell is null in a column without nulls.
    Null,
    /// A cell has another type than the column.
    CellType,
    /// A text or bytes are longer than the column's may be.
    TextLen,
    /// The items have another dtype than the values.
    #[cfg(feature = "alloc")]
    ValueType {
        /// The dtype of the items.
        dtype: TypeCode,
        /// The Rust type of the values.
        values: &'static str,
    },
    /// A field of a structure has a name or title that another one has.
    FieldName {
        /// Number of the second of them.
        field: usize,
    },
    /// A shape has more or fewer values than were given.
    ValueCount {
        /// Values that the shape has.
        expected: u64,
        /// Values given.
        actual: u64,
    },
    /// A parameter has an invalid value.
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// The value, as given.
        value: i64,
    },
    /// A filter cannot be applied to items of this size, with this parameter, to a chunk of this length, or before this codec.
    Inapplicable(u8),
    /// A codec of floats, for other items than little-endian floats of 4 or 8 bytes.
    NotFloats(u8),
    /// Blocks whose shape a codec cannot encode, by its id: ZFP takes one to four axes, each of at least 4 items.
    BlockShape(u8),
    /// Details were not kept: see [`Error`](crate::Error).
    Unspecified,
}

/// The limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Limit {
    /// [`Limits::memory`](crate::Limits::memory)
    Memory,
    /// [`Limits::metadata`](crate::Limits::metadata)
    Metadata,
    /// [`Limits::depth`](crate::Limits::depth)
    Depth,
    /// [`Limits::expansion`](crate::Limits::expansion)
    Expansion,
    /// Details were not kept: see [`Error`](crate::Error).
    Unspecified,
}

/// An operation needs more than the [`Limits`](crate::Limits) allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LimitError {
    /// The limit that was exceeded.
    pub limit: Limit,
    /// The amount that the file or the call needs: bytes, or levels for [`Limit::Depth`].
    pub wanted: u64,
    /// The amount that the limit allows.
    pub allowed: u64,
}

impl fmt::Display for Changed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Read => "the file has changed since it was opened: open it again",
            Self::Edit => "the file was changed by another writer, so nothing was committed: open it again and repeat the changes",
        })
    }
}

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { limit, wanted, allowed } = self;
        match limit {
            Limit::Memory => {
                // Without an allocator memory comes from the caller.
                let name = if cfg!(feature = "alloc") { "`limits.memory`" } else { "the memory given" };
                write!(f, "{} needed at once, {name} allows {allowed}", Bytes(*wanted))
            }
            Limit::Metadata => {
                write!(f, "{} of metadata, `limits.metadata` allows {allowed}", Bytes(*wanted))
            }
            Limit::Expansion => {
                let wanted = Bytes(*wanted);
                write!(
                    f,
                    "{wanted} of which the file has less than a 1024th, `limits.expansion` allows {allowed}"
                )
            }
            Limit::Unspecified => f.write_str("beyond the limits"),
            Limit::Depth => write!(f, "nested {wanted} levels deep, `limits.depth` allows {allowed}"),
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.what.fmt(f)?;
        let mut separator = " (";
        let mut place = |name: &str, number: Option<u64>| -> fmt::Result {
            if let Some(number) = number {
                write!(f, "{separator}{name} {number}")?;
                separator = ", ";
            }
            Ok(())
        };
        place("chunk", self.chunk)?;
        place("block", self.block.map(u64::from))?;
        place("offset", self.offset)?;
        if separator == ", " { f.write_str(")") } else { Ok(()) }
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated { needed, available } => {
                write!(f, "truncated: {} needed, {available} there", Bytes(*needed))
            }
            Self::Magic => f.write_str("neither a Blosc2 frame nor a Blosc chunk"),
            Self::Field { name, value } => write!(f, "{name} cannot be {value}"),
            Self::Mismatch { name, found, expected } => write!(f, "{name} is {found}, should be {expected}"),
            Self::Marker { found } => write!(f, "unexpected MessagePack marker 0x{found:02x}"),
            Self::Stream { codec } => write!(f, "corrupt {codec} stream"),
            Self::MissingChunk { file } => write!(f, "no chunk file {file:08X}.chunk"),
            Self::Unspecified => f.write_str("malformed data"),
        }
    }
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Codec(id) => write!(f, "{} is not built in", Codec(*id)),
            Self::Filter(id) => write!(f, "{} is not built in", Filter(*id)),
            Self::Shapeless(id) => write!(f, "plugin {id} needs the shape of the array"),
            Self::ChunkVersion(version) => write!(f, "chunk format version {version} is unknown"),
            Self::FrameVersion(version) => write!(f, "frame format version {version} is unknown"),
            Self::BetaFrame => f.write_str("frames of this beta cannot be read here"),
            Self::SparseFrame => f.write_str("the chunks of a sparse frame are files of their own"),
            Self::VariableChunks => f.write_str("chunks that differ in size cannot be read here"),
            Self::Dimensions(ndim) => write!(f, "arrays of {ndim} dimensions cannot be read by this build"),
            Self::Instrumented => f.write_str("instrumented chunks hold no data"),
            Self::VariableBlocks => f.write_str("blocks of variable length have no items to select"),
            Self::Dtype => f.write_str("dtype not known"),
            Self::Reference(reference) => reference.fmt(f),
            Self::NoStore => f.write_str("not a store"),
            Self::Archive => f.write_str("a zip archive: use `openStore`"),
            Self::NoObjects => f.write_str("not a sequence of objects"),
            Self::ArrowObjects => f.write_str("the objects are stored as Arrow record batches"),
            Self::NoTable => f.write_str("not a table"),
            Self::ColumnKind => f.write_str("a column of an unknown kind"),
            Self::ComputedColumn => {
                f.write_str("a column that is computed by other means than known expressions of numbers")
            }
            Self::InputColumn => f.write_str("a change of columns that others are computed from"),
            Self::StaleColumn => {
                f.write_str("a stale column: those that it is computed from have changed since then")
            }
            Self::CompressedMember => f.write_str("compressed or encrypted by the archive: unzip it"),
            Self::RemoteMember => f.write_str("stored elsewhere: the store holds only a reference to it"),
            #[cfg(feature = "alloc")]
            Self::NotFetched { chunk } => {
                write!(f, "chunk {chunk} was not fetched: its values are not stored in this file")
            }
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index { axis, index, len } => {
                write!(f, "index {index} is outside axis {axis} of length {len}")
            }
            Self::Dimensions { given, ndim } => write!(f, "{given} indices for {ndim} dimensions"),
            Self::Selection { at } => write!(f, "selection not understood from character {at} on"),
            Self::MaskLen { axis, given, len } => {
                write!(f, "a mask of {given} for axis {axis} of length {len}")
            }
            Self::ListOrder { axis } => write!(f, "the positions along axis {axis} must ascend"),
            Self::ZeroStep { axis } => write!(f, "the step of axis {axis} is zero"),
            Self::Axis { axis, ndim } => write!(f, "no axis {axis}, or twice: there are {ndim}"),
            Self::AxisLen { axis, len } => write!(f, "axis {axis} has length {len}, not 1"),
            Self::ListOfLazy => {
                f.write_str("lists of positions cannot be taken of an array that is computed")
            }
            Self::NegativePower => f.write_str("integers have no negative powers"),
            Self::NoItems => f.write_str("no items, which have no minimum and no maximum"),
            Self::PointsOfView => f.write_str("points in several axes cannot be taken of a view"),
            Self::BufferLen { expected, actual } => {
                write!(f, "a buffer of {} for {expected}", Bytes(*actual))
            }
            Self::Chunk { index, nchunks } => write!(f, "no chunk {index}: there are {nchunks}"),
            Self::Block { index, nblocks } => write!(f, "no block {index}: there are {nblocks}"),
            Self::NotAnArray => f.write_str("not an n-dimensional array"),
            Self::NotSparse => f.write_str("not a sparse frame"),
            Self::NotAsked => f.write_str("bytes given that were not asked for"),
            Self::Unfinished => f.write_str("more bytes are asked for"),
            Self::FirstBlock => f.write_str("the first block must be given before others"),
            Self::NotOpened => f.write_str("no frame was opened"),
            Self::NoColumn => f.write_str("the table has no column of this name"),
            Self::NoOrder => f.write_str("values of this kind have no order"),
            Self::NoSortKey => f.write_str("no column to order the rows by"),
            Self::Condition => f.write_str("a condition on other cells than those of the table"),
            Self::WordOrder => {
                f.write_str("texts of an ordered dictionary in another order than that of the column")
            }
            Self::ColumnInUse => f.write_str("the table has another column of this name, or in its place"),
            Self::RowCount { expected, actual } => {
                write!(f, "cells for {actual} rows, of which the table has {expected}")
            }
            Self::NoTableHere => f.write_str("a store of this kind has no tables there"),
            Self::ColumnName => {
                f.write_str("not the name of a column: it begins with _, or a part of it is empty")
            }
            Self::NullValue => f.write_str("the column cannot have the value that stands for null"),
            Self::Null => f.write_str("a null in a column without nulls"),
            Self::CellType => f.write_str("a cell of another type than the column"),
            Self::TextLen => f.write_str("a text or bytes that are longer than the column allows"),
            Self::NoMember => f.write_str("the store has no member with this key"),
            Self::IsGroup => f.write_str("this is a group of the store: name one of its members"),
            Self::Key => f.write_str(
                "not a key: /name or /group/name, without colons, backslashes and control characters",
            ),
            Self::KeyInUse => f.write_str("the store has something else at this key, above or below it"),
            #[cfg(feature = "alloc")]
            Self::ValueType { dtype, values } => write!(f, "the dtype is {dtype}, not {values}"),
            Self::FieldName { field } => write!(f, "field {field} has a name that another field has"),
            Self::ValueCount { expected, actual } => write!(f, "{actual} values for a shape of {expected}"),
            Self::Parameter { name, value } => write!(f, "{name} cannot be {value}"),
            Self::NotFloats(id) => {
                write!(f, "{} is for arrays of little-endian floats of 4 or 8 bytes", Codec(*id))
            }
            Self::BlockShape(id) => {
                write!(f, "{} needs blocks of one to four axes, each of at least 4 items", Codec(*id))
            }
            Self::Inapplicable(id) => write!(f, "{} cannot be applied here", Filter(*id)),
            Self::Unspecified => f.write_str("invalid argument"),
        }
    }
}
