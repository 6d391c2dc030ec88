//! The command line.

mod choice;
pub(crate) mod collect;
pub(crate) mod layers;
mod operands;
mod range;
pub(crate) mod storage;
mod style;
pub(crate) mod table;

use crate::preview::map_name;
use crate::remote::RequestArgs;
use crate::values::Format;
use b2nd::table::ColumnSpec;
use b2nd::{DParams, Limits, array::Dtype};
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use collect::CollectOptions;
pub(crate) use operands::Operands;
pub(crate) use range::RangeMode;
use std::path::PathBuf;
pub(crate) use storage::{Lens, Source, Storage};
pub(crate) use style::Styles;
use table::{RowChoice, RowFormat, TableOptions};

/// Read and write Blosc2 files: n-dimensional arrays (b2nd, caterva), super-chunks and single chunks.
///
/// Inputs may be URLs: of http and https, and natively of s3, gs and az.
///
/// Exit status: 0 success; 1 the file is at fault (malformed, unreadable, or larger than the limits); 2 the call is at
/// fault (arguments, a format that cannot hold the values, an output that cannot be written); 3 the file may be valid
/// but needs something that this build does not support.
#[derive(Debug, Parser)]
#[command(version)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,

    /// The frame or chunk starts at this byte of the file
    #[arg(long, global = true, value_name = "N", default_value_t = 0)]
    pub(crate) offset: u64,

    /// Read chunks that C-Blosc2 wrote before February 2020 (beta 2 to beta 4, Caterva 0.1 and 0.2)
    #[arg(long, global = true)]
    pub(crate) early_bitshuffle: bool,

    /// Read lazy arrays, proxies and remote arrays as stored: zeros for computed values, and the cached chunks; and old values of
    /// stale columns
    #[arg(long, global = true)]
    pub(crate) as_stored: bool,

    /// Bytes that one call may allocate for a file, such as 500M or 4G [default: 1G]
    #[arg(long, global = true, value_name = "SIZE", value_parser = size)]
    pub(crate) max_memory: Option<u64>,

    #[command(flatten)]
    pub(crate) urls: RequestArgs,
}

impl Args {
    /// How the options say that frames are read.
    pub(crate) fn dparams(&self) -> DParams {
        DParams {
            limits: self.limits(),
            early_bitshuffle: self.early_bitshuffle,
            as_stored: self.as_stored,
            ..DParams::default()
        }
    }

    /// Limits with this much memory, also for what is compressed much, and the usual share of it for metadata.
    pub(crate) fn limits(&self) -> Limits {
        let usual = Limits::default();
        let Some(memory) = self.max_memory else { return usual };
        let metadata = usual.metadata.max(memory / (usual.memory / usual.metadata));
        Limits { memory, metadata, expansion: memory, ..usual }
    }
}

/// Which items are taken besides those of the selection, and how the result lies.
#[derive(Debug, clap::Args)]
pub(crate) struct View {
    /// Take the items at which this mask is true: a .npy file of booleans, with the shape of the first axes; the selection is for
    /// the other axes
    #[arg(long, value_name = "FILE", conflicts_with = "points")]
    pub(crate) mask: Option<PathBuf>,
    /// Take the items at these points: a .npy or .csv file of integers with a row for each point and a column for each of the
    /// first axes; the selection is for the other axes
    #[arg(long, value_name = "FILE")]
    pub(crate) points: Option<PathBuf>,
    /// Write the axes of the result in reverse order, or in this order: --transpose=2,0,1
    #[arg(long, value_name = "AXES", num_args = 0..=1, require_equals = true, default_missing_value = "", value_parser = order)]
    pub(crate) transpose: Option<Lens<usize>>,
    /// Leave out axes of length 1, after --transpose
    #[arg(long)]
    pub(crate) squeeze: bool,
}

impl View {
    /// Whether there is nothing but the selection.
    pub(crate) fn is_plain(&self) -> bool {
        self.mask.is_none() && self.points.is_none() && self.transpose.is_none() && !self.squeeze
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Shape, chunks, blocks, dtype, codec, filters, ratio and metalayers
    Info {
        /// A frame, the directory of a sparse frame, or a chunk; - for standard input
        path: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// The members of a store (.b2z, .b2d, .b2e) with their shapes and sizes
    ///
    /// Other commands take the path of a store with the key of a member: store.b2z/group/array.
    Ls {
        /// The store
        path: PathBuf,
        /// Print a JSON array of objects
        #[arg(long)]
        json: bool,
    },
    /// The values of an array or of a part of it, the rows of a table, or objects
    ///
    /// Lists of positions are independent of each other: "[1,5,9], [0,2]" takes 3 × 2 items, as numpy.ix_ does. To take items at
    /// points, use --points.
    Get {
        /// A frame, the directory of a sparse frame, a table in a store, or a chunk; - for standard input
        path: PathBuf,
        /// The part, in NumPy's syntax: "0:10, 5, ::2, [1,5,9], ..., -1"
        #[arg(allow_hyphen_values = true, value_parser = selection)]
        selection: Option<String>,
        #[command(flatten)]
        view: View,
        /// Write to this file, which is replaced only after everything was written; - for standard output
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        /// Output format [default: that of the extension of OUT, or else text]
        #[arg(short, long, value_enum)]
        format: Option<Format>,
        /// The dtype of the items in NumPy's syntax ("<f4"), if the file has none or a wrong one
        #[arg(long, value_parser = dtype)]
        dtype: Option<Dtype>,
        /// The columns of a table, by their names, as in a line of CSV: time,"a,b" [default: all]
        #[arg(long, value_name = "NAMES", value_parser = columns)]
        columns: Option<Lens<String>>,
        #[command(flatten)]
        choice: RowChoice,
        #[command(flatten)]
        styles: Styles,
        /// Threads that decode [default: one for each processor]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        threads: Option<u16>,
    },
    /// The values of an expression of arrays, such as "a + 2*b", with the functions and types of NumPy
    ///
    /// Operators: + - * / // % **, & | ^ ~ << >>, comparisons, and, or, not. Functions of items: where, abs, sqrt, exp, log, sin, minimum,
    /// isnan and so on. Reductions: sum, prod, mean, var, std, min, max, any and all, with axis= and keepdims=. Parts of arrays: a[0:10].
    /// In place of the expression, the file of a lazy array of python-blosc2. An expression that begins with a sign needs parentheses: (-a).
    Eval {
        /// The expression, or the file of a lazy array, whose operands are then opened
        expression: String,
        #[command(flatten)]
        operands: Operands,
        /// The part of the result, in NumPy's syntax: "0:10, 5, ::2, ..., -1"
        #[arg(long, value_name = "PART", allow_hyphen_values = true, value_parser = selection)]
        selection: Option<String>,
        /// Write to this file: an array if its extension is none of another format, or if options say how it is stored; - for standard
        /// output
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
        /// Output format of values [default: that of the extension of OUT, or else text]
        #[arg(short, long, value_enum)]
        format: Option<Format>,
        #[command(flatten)]
        styles: Styles,
        #[command(flatten)]
        storage: Storage,
    },
    /// Number, least, greatest, mean and standard deviation of the items
    ///
    /// They are of the finite items; those that are NaN or infinite are counted. Each block is decoded once. Lazy arrays: see eval.
    Stats {
        /// A frame, or the directory of a sparse frame
        path: PathBuf,
        /// Items, as of get: indices and slices
        #[arg(allow_hyphen_values = true)]
        selection: Option<String>,
        /// Statistics along these axes at each position of the others, a line each: 0, or -1,-2 for the last two
        #[arg(long, value_name = "AXES", allow_hyphen_values = true, value_delimiter = ',')]
        axis: Option<Vec<i64>>,
        /// Print a JSON object
        #[arg(long)]
        json: bool,
    },
    /// A picture of an array as PNG, as the viewer shows it at first
    ///
    /// It is of the last two axes, at the middle of the others; colours where the last axis has three or four bytes or pairs of bytes;
    /// lines where there is one axis, or few of them. Only what it shows is read.
    Preview {
        /// A frame, or the directory of a sparse frame; - for standard input
        path: PathBuf,
        /// Items, as of get: indices and slices
        #[arg(allow_hyphen_values = true, value_parser = selection)]
        selection: Option<String>,
        /// Write to this file, which is replaced only after everything was written; - for standard output
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
        /// The most pixels of a side: small arrays are enlarged by whole numbers
        #[arg(long, value_name = "N", default_value_t = 640, value_parser = clap::value_parser!(u16).range(32..=4096))]
        size: u16,
        /// The colour map, such as viridis, grey or labels [default: that of the viewer]
        #[arg(long, value_name = "NAME", value_parser = map_name)]
        map: Option<String>,
        /// The values that the colours span: full, percentiles (the 1st to the 99th), LOW,HIGH, or auto: full, unless a few values would
        /// make all others look the same
        #[arg(long, default_value = "auto", allow_hyphen_values = true, value_parser = RangeMode::parse)]
        range: RangeMode,
        /// The dtype of the items in NumPy's syntax ("<f4"), if the file has none or a wrong one
        #[arg(long, value_parser = dtype)]
        dtype: Option<Dtype>,
    },
    /// Offset, size, ratio and special value of each chunk
    Chunks {
        /// A frame, the directory of a sparse frame, or a chunk; - for standard input
        path: PathBuf,
        /// Print a JSON array of objects
        #[arg(long)]
        json: bool,
    },
    /// Create an array from a .npy file, a table, or raw items
    ///
    /// A table (CSV) has a value per cell, or an item per line if the dtype has fields. Its values are <f8 unless --dtype is
    /// given. Items from a pipe are compressed as they arrive. A row of chunks is held in memory or, if it has more than 64 MiB,
    /// in a temporary file in the directory of the output. Items in Fortran order or of unknown number are first copied to such a
    /// file.
    Create {
        /// The values; - for standard input
        input: PathBuf,
        /// The new file, directory with --sparse, or member of a store (run.b2z/group/image), which is replaced only after everything
        /// was written; - for standard output
        output: PathBuf,
        #[command(flatten)]
        source: Source,
        #[command(flatten)]
        storage: Storage,
    },
    /// Rewrite a frame with other parameters, chunk by chunk; or a store as another kind of file
    ///
    /// Parameters without an option keep their values. The members of a store are copied as they are: run.b2d run.b2z makes an archive
    /// of a directory.
    Repack {
        /// A frame, the directory of a sparse frame, a chunk, or a store; - for standard input
        input: PathBuf,
        /// The new file, directory with --sparse, member of a store, or store; - for standard output
        output: PathBuf,
        #[command(flatten)]
        storage: Storage,
    },
    /// Make a frame of a Zarr array in the codec b2nd, without decoding its chunks
    Pack {
        /// The directory of the array, which has its zarr.json
        input: PathBuf,
        /// The new file
        output: PathBuf,
        /// Print what info --json prints of the result
        #[arg(long)]
        json: bool,
    },
    /// Make a Zarr array in the codec b2nd of an array, without decoding its chunks
    Unpack {
        /// A frame or the directory of a sparse frame
        input: PathBuf,
        /// The directory of the array, which must not exist
        output: PathBuf,
    },
    /// References by which engines for Zarr read an array: kerchunk's JSON or Parquet, or Icechunk
    Refs {
        /// Frames, directories of sparse frames, or members of stores
        #[arg(required = true)]
        paths: Vec<PathBuf>,
        #[command(flatten)]
        join: Join,
        /// Put the array in a group, under this name, as xarray expects it
        #[arg(long)]
        name: Option<String>,
        /// Where readers find the file, if not at its path here; after a last / comes the name of each file
        #[arg(long)]
        url: Option<String>,
        /// Write JSON to this file, which is replaced only after everything was written; Parquet to a new directory *.parquet; an Icechunk
        /// repository to icechunk:DIR, by the program b2nd-icechunk
        #[arg(short, long, value_name = "OUT")]
        output: Option<PathBuf>,
    },
    /// Write values to a part of an array
    Set {
        /// The array
        path: PathBuf,
        /// The part, in NumPy's syntax: "0:10, 5, ::2, ..., -1"
        #[arg(allow_hyphen_values = true, value_parser = selection)]
        selection: String,
        /// The values, of the dtype of the array and the shape of the part; - for standard input
        #[arg(required_unless_present = "value", conflicts_with = "value")]
        input: Option<PathBuf>,
        /// One value for all items of the part
        #[arg(long, value_name = "V", allow_hyphen_values = true)]
        value: Option<String>,
        #[command(flatten)]
        source: Source,
        /// Print what info --json prints of the result
        #[arg(long)]
        json: bool,
    },
    /// Change the shape of an array: items beyond the new shape are removed, new items are zero
    Resize {
        /// The array
        path: PathBuf,
        /// Items along each axis, such as 20,30
        #[arg(value_parser = storage::shape)]
        shape: Lens<u64>,
        /// The value of new items
        #[arg(long, value_name = "V", allow_hyphen_values = true)]
        fill: Option<String>,
        /// Print what info --json prints of the result
        #[arg(long)]
        json: bool,
    },
    /// Append values to an array along an axis
    Append {
        /// The array
        path: PathBuf,
        /// The values, of the dtype of the array and its shape along the other axes; - for standard input
        input: PathBuf,
        /// The axis, counted from 0
        #[arg(long, default_value_t = 0)]
        axis: usize,
        #[command(flatten)]
        source: Source,
        /// Print what info --json prints of the result
        #[arg(long)]
        json: bool,
    },
    /// Append to an array the packets that a device sends, as rows along the first axis
    ///
    /// Reads what chunk::stream::Sender of the library writes: from a serial device (set up with stty), a file or a pipe. Garbage and
    /// damaged packets are skipped. Rows that were lost have the value of --fill; the attribute "collected" lists them. The array
    /// is committed every second, and when the command is stopped (Ctrl-C). If it is started again with the same array, it goes on.
    #[command(mut_arg("json", |json| json.help("Print the counts of packets and rows as JSON")))]
    Collect {
        /// The packets; - for standard input
        input: PathBuf,
        /// The array; a new one if nothing is there: then its rows are those of --template, or are given by --dtype and --row
        #[arg(short, long, value_name = "OUT")]
        output: PathBuf,
        #[command(flatten)]
        options: CollectOptions,
        #[command(flatten)]
        storage: Storage,
    },
    /// Print, set or remove attributes, as JSON
    ///
    /// attrs FILE prints all, attrs FILE NAME one, attrs FILE set NAME JSON adds or changes one, attrs FILE rm NAME removes it.
    Attrs {
        /// A frame or the directory of a sparse frame; to print, also a store or a group in one
        path: PathBuf,
        /// A name, or set, or rm
        #[arg(value_name = "NAME|set|rm")]
        action: Option<String>,
        /// The name, after set or rm
        name: Option<String>,
        /// The value, after set and the name
        #[arg(allow_hyphen_values = true)]
        json: Option<String>,
        /// Metalayers of the header instead, whose length is fixed
        #[arg(long)]
        metalayers: bool,
    },
    /// Add a frame to a store as it is; create the store if there is none
    ///
    /// A store is an archive (.b2z), a frame (.b2e) or a directory (.b2d). "b2nd create VALUES STORE/KEY" makes a member of values.
    Add {
        /// The store
        store: PathBuf,
        /// The key, such as group/image; a member that has it is replaced
        key: String,
        /// A frame, the directory of a sparse frame, or a member of a store
        frame: PathBuf,
    },
    /// Create a sequence of objects (BatchArray or ObjectArray) from JSON lines, or append to one
    CreateObjects {
        /// JSON values, one a line; - for standard input
        input: PathBuf,
        /// The new file, or a member of a store, which is replaced only after everything was written; - for standard output
        output: PathBuf,
        /// Put each object in a chunk of its own (ObjectArray), instead of many in a batch
        #[arg(long)]
        single: bool,
        /// Make a ListArray, whose lists have items of this kind, such as int64 or text; with ? after it, null lists are possible
        #[arg(long, value_name = "KIND", value_parser = crate::create_table::lists)]
        lists: Option<ColumnSpec>,
        /// Objects in a batch
        #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..))]
        batch: u32,
        /// Objects in a block of a batch: to read one, a block is decoded
        #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
        block: u32,
        #[command(flatten)]
        storage: Storage,
    },
    /// Create a table in a store from CSV or JSON lines
    ///
    /// Without --schema, the first 20480 lines determine the kind of each column: bool, int64, float64, timestamp, text, or object for
    /// nested values. Numbers with zeros in front or with more digits than int64 has are texts. Empty cells are null.
    CreateTable {
        /// CSV whose first line has the names, a JSON object a line, Parquet, or a file or stream of Arrow (Feather); - for standard input
        input: PathBuf,
        /// The table: a new store (people.b2z), or a key in a store (run.b2z/people), where a table is replaced only after everything was
        /// written
        output: PathBuf,
        #[command(flatten)]
        options: TableOptions,
        #[command(flatten)]
        storage: Storage,
    },
    /// Append rows of CSV, JSON lines, Parquet or Arrow to a table
    AppendRows {
        /// The table: a store, or a key in a store
        path: PathBuf,
        /// CSV whose first line has the names of the columns, in any order, a JSON object a line, Parquet, or a file or stream of Arrow; -
        /// for standard input
        input: PathBuf,
        /// Format of the input [default: that of its name]
        #[arg(long, value_enum, value_name = "FORMAT")]
        from: Option<RowFormat>,
    },
    /// Add columns to a table: those of CSV, JSON lines, Parquet or Arrow, or computed ones
    AddColumns {
        /// The table: a store, or a key in a store
        path: PathBuf,
        /// A file as create-table takes it, with a row for each row of the table; - for standard input
        #[arg(required_unless_present_any = ["computed", "generated"])]
        input: Option<PathBuf>,
        /// A column that is computed from others when it is read, such as "sum = x + 2*y"; may be repeated
        #[arg(long, value_name = "NAME = EXPRESSION")]
        computed: Vec<String>,
        /// A column that is computed from others now, and stored
        #[arg(long, value_name = "NAME = EXPRESSION")]
        generated: Vec<String>,
        #[command(flatten)]
        options: TableOptions,
    },
    /// Drop columns of a table
    DropColumns {
        /// The table: a store, or a key in a store
        path: PathBuf,
        /// The names of the columns
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Give a column of a table another name
    RenameColumn {
        /// The table: a store, or a key in a store
        path: PathBuf,
        /// The name
        from: String,
        /// The new name; dots separate the names of nested columns
        to: String,
    },
    /// Compute generated columns of a table again, which are stale after their inputs were changed
    RefreshColumns {
        /// The table: a store, or a key in a store
        path: PathBuf,
        /// The names of the columns; all generated ones by default
        names: Vec<String>,
    },
    /// Remove members of a store, or groups with all members
    Rm {
        /// The store
        store: PathBuf,
        /// The keys
        #[arg(required = true)]
        keys: Vec<String>,
    },
    /// Give a member of a store, or a group, another key
    Mv {
        /// The store
        store: PathBuf,
        /// The key
        from: String,
        /// The new key, which must not be in use
        to: String,
    },
    /// Free the space of a frame or a store that changes left unused
    Compact {
        /// A frame, the directory of a sparse frame, or a store
        path: PathBuf,
        /// Print what info --json prints of the result
        #[arg(long)]
        json: bool,
    },
    /// Put a frame together that lost its index, such as a file that ends early
    ///
    /// Chunks are numbered in the order in which they are stored: right for frames that were written once, in order, unless there are
    /// special chunks, such as of zeros only, before them. Chunks that are not found become uninitialised, and attributes are lost.
    Recover {
        /// The damaged file; - for standard input
        input: PathBuf,
        /// The new file
        output: PathBuf,
        /// Print what info --json prints of the result
        #[arg(long)]
        json: bool,
    },
    /// Decode everything and report errors with their location
    ///
    /// Blosc2 files have no checksums. Damage is found only where something cannot be decoded; changed bytes may also
    /// decode to other values, which no reader can detect. Of the codecs only zlib has a checksum.
    Verify {
        /// Frames, directories of sparse frames, or chunks; - for standard input
        #[arg(required = true, value_name = "PATH")]
        paths: Vec<PathBuf>,
        /// Threads that decode [default: one for each processor]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
        threads: Option<u16>,
    },
    /// Open the viewer in the browser, on this machine only
    ///
    /// The program prints the address, and serves it until it is stopped.
    #[cfg(target_os = "wasi")]
    View {
        /// A file, the directory of a sparse frame, or a URL
        path: Option<PathBuf>,
        /// The port [default: any]
        #[arg(long, value_name = "N")]
        port: Option<u16>,
        /// Only print the address
        #[arg(long)]
        no_open: bool,
    },
    /// A completion script for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
}

/// Parses the names of columns.
fn columns(text: &str) -> Result<Lens<String>, String> {
    let mut lines = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
    let names = lines.records().next().transpose().map_err(|error| error.to_string())?;
    Ok(Lens(names.iter().flatten().map(str::to_owned).collect()))
}

/// Parses a dtype.
pub(crate) fn dtype(text: &str) -> Result<Dtype, &'static str> {
    Dtype::parse(text, &Limits::default())
        .map_err(|_| "not a supported dtype; use NumPy's syntax, such as <f4")
}

/// Parses a size: bytes, or units of 1024, 1024², 1024³ or 1024⁴ bytes with K, M, G or T.
fn size(text: &str) -> Result<u64, String> {
    let units = ["", "K", "M", "G", "T"];
    let digits = text.trim_end_matches(|char: char| !char.is_ascii_digit());
    let (unit, number) = (text[digits.len()..].to_ascii_uppercase(), digits.parse::<u64>());
    let unit = unit.strip_suffix("IB").or(unit.strip_suffix('B')).unwrap_or(&unit);
    let power = units.iter().position(|known| *known == unit);
    let size = power.zip(number.ok()).and_then(|(power, number)| number.checked_mul(1 << (10 * power)));
    size.ok_or_else(|| "not a number of bytes, such as 4096, 500M or 4G".into())
}

/// The order of axes: an empty list is the reverse order.
fn order(text: &str) -> Result<Lens<usize>, String> {
    let axes = text.split(',').filter(|_| !text.is_empty()).map(|axis| axis.trim().parse());
    axes.collect::<Result<_, _>>().map(Lens).map_err(|_| "not a list of axes such as 2,0,1".into())
}

/// Arguments with a leading hyphen are selections only if a number follows. Others are misspelled options.
fn selection(text: &str) -> Result<String, String> {
    let is_option =
        text.strip_prefix('-').is_some_and(|rest| !rest.starts_with(|char: char| char.is_ascii_digit()));
    if is_option {
        return Err("neither a selection nor an option (write -o OUT, not -oOUT)".into());
    }
    Ok(text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    fn get(line: &[&str]) -> (Option<String>, Option<PathBuf>, Option<Format>, u64) {
        let args = Args::try_parse_from([&["b2nd", "get"], line].concat()).unwrap();
        let Command::Get { selection, output, format, .. } = args.command else { panic!("{args:?}") };
        (selection, output, format, args.offset)
    }

    #[test]
    fn declarations_are_sound() {
        Args::command().debug_assert();
    }

    #[test]
    fn selections_may_start_with_a_hyphen() {
        for text in ["-1", "-3:, ::2", "-1:-5:-1", "0:10", "...", "-3:"] {
            assert_eq!(get(&["f", text]), (Some(text.into()), None, None, 0));
            let options = ["f", text, "-o", "x", "--format", "npy", "--offset", "7"];
            assert_eq!(get(&options), (Some(text.into()), Some("x".into()), Some(Format::Npy), 7));
            let options = ["f", "-o", "x", text, "-f", "csv"];
            assert_eq!(get(&options), (Some(text.into()), Some("x".into()), Some(Format::Csv), 0));
        }
    }

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("4096", 4096), ("0", 0), ("500M", 500 << 20), ("4GiB", 4 << 30), ("2kb", 2 << 10)]
        {
            assert_eq!(size(text), Ok(bytes));
        }
        for wrong in ["", "G", "-1", "1.5G", "4X", "99999999T", "3 G"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn options_are_no_selections() {
        assert_eq!(get(&["f", "-o", "x"]), (None, Some("x".into()), None, 0));
        assert_eq!(get(&["-ox", "f", "-f", "raw"]), (None, Some("x".into()), Some(Format::Raw), 0));
        assert_eq!(get(&["f", "--format=json"]), (None, None, Some(Format::Json), 0));
        assert_eq!(get(&["f", "--offset", "9"]), (None, None, None, 9));
        for wrong in ["-ox", "--fromat=json", "-x", "-"] {
            assert!(Args::try_parse_from(["b2nd", "get", "f", wrong]).is_err(), "{wrong}");
        }
    }
}

/// How several arrays become one.
#[derive(Debug, clap::Args)]
pub(crate) struct Join {
    /// Join the arrays along this axis, a number or a name
    #[arg(long, value_name = "AXIS", conflicts_with = "stack")]
    pub(crate) concat: Option<String>,
    /// Join the arrays along a new first axis of this name
    #[arg(long, value_name = "NAME")]
    pub(crate) stack: Option<String>,
}
