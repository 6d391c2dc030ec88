//! `cargo xtask bench embedded`: flash, RAM and instructions of each codec on a Cortex-M4F and a Cortex-M0+.

use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use super::{Build, DATA, LARGE, PER_TICK, elf, emulate, worst};
use crate::error::{About, Error, Result};
use crate::project::Project;
use crate::setup::qemu;
use crate::setup::targets::{CORTEX_M, CORTEX_M0};

/// Features, and the image to read with each of them.
const ROWS: &[(&str, &str)] = &[
    ("lz4,small", "lz4"),
    ("small", "blosclz"),
    ("zlib,small", "zlib"),
    ("zstd,small", "zstd"),
    ("filters,lz4,ndlz,snappy,zlib,zstd,small", "zstd"),
    ("lz4", "lz4"),
    ("zlib", "zlib"),
    ("zstd", "zstd"),
    ("filters,lz4,ndlz,snappy,zlib,zstd", "zstd"),
];
/// Features to log the image with, and the codec.
const LOGGING: &[(&str, &str)] = &[
    ("encode,lz4,small", "lz4"),
    ("encode,small", "blosclz"),
    ("encode,filters,lz4,small", "lz4"),
    ("encode,lz4", "lz4"),
];
/// A program whose flash is measured as a whole.
struct Whole {
    name: &'static str,
    does: &'static str,
    features: &'static str,
    /// The files in its flash.
    files: &'static [&'static str],
}

const DRIVER: &str = "embedded-storage,encode,lz4,small";
const WHOLE: &[Whole] = &[
    Whole { name: "table", does: "items, from mapped flash", features: "lz4,small", files: &["table.b2nd"] },
    Whole {
        name: "image",
        does: "selections, from mapped flash",
        features: "lz4,small",
        files: &["image-lz4.b2nd"],
    },
    Whole {
        name: "unmapped",
        does: "both, by a driver",
        features: DRIVER,
        files: &["table.b2nd", "image-lz4.b2nd"],
    },
    Whole { name: "logger", does: "logs by a driver, reads back", features: DRIVER, files: &["log.b2nd"] },
    Whole { name: "sender", does: "sends packets", features: "encode,lz4,small", files: &[] },
];
/// Bytes of the memory that `logging` simulates, with two counters.
const MEMORY: u32 = (32 << 10) + 8;
/// Uncompressed bytes of the image.
const PLAIN: f64 = 64.0 * 96.0 * 2.0;
/// Bytes of a block, and of the result buffer.
const BLOCK: u32 = 8 * 96 * 2;

pub fn bench(project: &Project) -> Result<ExitCode> {
    qemu::arm(project)?;
    println!("Reading an image of 64 × 96 × 2 bytes in blocks of {BLOCK} without an allocator (heap: 0).");
    println!(
        "Flash: code and constants without the image and the bare program. RAM: statics without the result and"
    );
    println!(
        "the two blocks of the area, so the codec's tables; stack. Instructions: QEMU's, -icount shift=0.\n"
    );
    println!("| processor | features | codec | level | flash | tables | stack | instructions a byte |");
    println!("|---|---|---|---|---:|---:|---:|---:|");
    each(
        |name, bare, bare_flash| {
            for &(features, image) in suited(ROWS, bare.target) {
                row(project, name, &Build { program: "measure", features, image, ..bare }, bare_flash)?;
            }
            Ok(())
        },
        project,
    )?;
    println!("\nLogging the same image in chunks of a block, with a table of 2 KiB.");
    println!(
        "Flash: without the template of 200 bytes. RAM: the area, which has the block, and the table; stack.\n"
    );
    println!("| processor | features | codec | level | flash | RAM | stack | instructions a byte |");
    println!("|---|---|---|---|---:|---:|---:|---:|");
    each(
        |name, bare, bare_flash| {
            for &(features, image) in suited(LOGGING, bare.target) {
                logging(project, name, &Build { program: "logging", features, image, ..bare }, bare_flash)?;
            }
            Ok(())
        },
        project,
    )?;
    whole(project)?;
    worst::bench(project)?;
    Ok(ExitCode::SUCCESS)
}

/// The flash of whole programs.
fn whole(project: &Project) -> Result {
    println!("\nFlash of programs with `small` and LZ4, without their files and the bare program.\n");
    println!("| program | does | M4F | M0+ |");
    println!("|---|---|---:|---:|");
    for Whole { name, does, features, files } in WHOLE {
        let flash = |target| -> Result<u32> {
            let bare =
                Build { target, program: "empty", features: "", image: "lz4", level: "s", large: true };
            let flash = sizes(project, &Build { program: name, features, ..bare })?.0.flash;
            let data = files.iter().map(|file| data_len(project, file)).sum::<Result<u32>>()?;
            Ok(flash - data - sizes(project, &bare)?.0.flash)
        };
        println!("| `{name}` | {does} | {} | {} |", flash(CORTEX_M)?, flash(CORTEX_M0)?);
    }
    Ok(())
}

/// The length of a file that programs include.
fn data_len(project: &Project, name: &str) -> Result<u32> {
    let path = project.root.join(DATA).join(name);
    Ok(fs::metadata(&path).about(path.display())?.len() as u32)
}

/// Calls `rows` for each processor and level, with its name, a bare program and the flash that this takes.
fn each(rows: impl Fn(&str, Build<'_>, u32) -> Result, project: &Project) -> Result {
    for (target, name) in [(CORTEX_M, "M4F"), (CORTEX_M0, "M0+")] {
        for level in ["s", "z"] {
            let bare = Build { target, program: "empty", features: "", image: "lz4", level, large: true };
            rows(name, bare, sizes(project, &bare)?.0.flash)?;
        }
    }
    Ok(())
}

/// The rows for a processor: builds without `small` are too large for the smaller one.
fn suited(
    rows: &'static [(&'static str, &'static str)],
    target: &str,
) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    let all = target == CORTEX_M;
    rows.iter().filter(move |row| all || row.0.ends_with("small"))
}

fn row(project: &Project, name: &str, build: &Build<'_>, bare: u32) -> Result {
    let Build { features, image, level, .. } = build;
    let (sizes, path) = sizes(project, build)?;
    let data = data_len(project, &format!("image-{image}.b2nd"))?;
    let (stack, ticks) = measured(project, &path)?;
    let (flash, tables) = (sizes.flash - data - bare, sizes.ram - 3 * BLOCK);
    let instructions = ticks * PER_TICK / PLAIN;
    println!(
        "| {name} | {features} | {image} | {level} | {flash} | {tables} | {stack} | {instructions:.0} |"
    );
    Ok(())
}

fn logging(project: &Project, name: &str, build: &Build<'_>, bare: u32) -> Result {
    let Build { features, image, level, .. } = build;
    let (sizes, path) = sizes(project, build)?;
    let data = data_len(project, &format!("log-{image}.b2nd"))?;
    let (stack, ticks) = measured(project, &path)?;
    let (flash, ram) = (sizes.flash - data - bare, sizes.ram - MEMORY - PLAIN as u32);
    let instructions = ticks * PER_TICK / PLAIN;
    println!("| {name} | {features} | {image} | {level} | {flash} | {ram} | {stack} | {instructions:.0} |");
    Ok(())
}

/// The stack and the ticks that a program prints.
fn measured(project: &Project, path: &PathBuf) -> Result<(u32, f64)> {
    let printed = emulate(project, LARGE, path, &["-icount", "shift=0"])?;
    let words: Vec<&str> = printed.split_whitespace().collect();
    if let ["stack", stack, "ticks", ticks] = words[..]
        && let (Ok(stack), Ok(ticks)) = (stack.parse(), ticks.parse())
    {
        return Ok((stack, ticks));
    }
    Err(Error { sentence: "the program did not print its measurements".into(), output: printed })
}

fn sizes(project: &Project, build: &Build<'_>) -> Result<(elf::Sizes, PathBuf)> {
    let path = build.make(project)?;
    let bytes = fs::read(&path).about(path.display())?;
    let sizes = elf::sizes(&bytes).ok_or_else(|| Error::new("this is not a program for a Cortex-M"))?;
    Ok((sizes, path))
}
