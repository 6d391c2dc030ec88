//! `cargo xtask bench embedded`: flash, RAM and instructions of each codec on a Cortex-M4F and a Cortex-M0+.

use std::fs;
use std::process::ExitCode;

use super::{Build, DATA, LARGE, elf, emulate, set_up};
use crate::failure::{About, Failure, Result};
use crate::project::Project;
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
/// Uncompressed bytes of the image.
const PLAIN: f64 = 64.0 * 96.0 * 2.0;
/// Bytes of a block, and of the result buffer.
const BLOCK: u32 = 8 * 96 * 2;
/// With `-icount shift=0` an instruction takes a nanosecond; a tick of the board's 25 MHz clock has 40.
const PER_TICK: f64 = 40.0;

pub fn bench(project: &Project) -> Result<ExitCode> {
    set_up(project)?;
    println!("Reading an image of 64 × 96 × 2 bytes in blocks of {BLOCK} without an allocator (heap: 0).");
    println!(
        "Flash: code and constants without the image and the bare program. RAM: statics without the result and"
    );
    println!(
        "the two blocks of the area, so the codec's tables; stack. Instructions: QEMU's, -icount shift=0.\n"
    );
    println!("| processor | features | codec | level | flash | tables | stack | instructions a byte |");
    println!("|---|---|---|---|---:|---:|---:|---:|");
    for (target, name) in [(CORTEX_M, "M4F"), (CORTEX_M0, "M0+")] {
        for level in ["s", "z"] {
            let bare = Build { target, program: "empty", features: "", image: "lz4", level, large: true };
            let bare_flash = sizes(project, &bare)?.0.flash;
            // Builds without `small` are too large for the smaller processor.
            for &(features, image) in ROWS.iter().filter(|row| target == CORTEX_M || row.0.ends_with("small"))
            {
                row(project, name, &Build { program: "measure", features, image, ..bare }, bare_flash)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn row(project: &Project, name: &str, build: &Build<'_>, bare: u32) -> Result {
    let Build { features, image, level, .. } = build;
    let (sizes, path) = sizes(project, build)?;
    let data = project.root.join(DATA).join(format!("image-{image}.b2nd"));
    let data = fs::metadata(&data).about(data.display())?.len() as u32;
    let printed = emulate(project, LARGE, &path, &["-icount", "shift=0"])?;
    let words: Vec<&str> = printed.split_whitespace().collect();
    let ["stack", stack, "ticks", ticks] = words[..] else {
        return Err(Failure {
            sentence: "the program did not print its measurements".into(),
            output: printed,
        });
    };
    let ticks: f64 = ticks.parse().map_err(|_| Failure::new("no ticks"))?;
    let (flash, tables) = (sizes.flash - data - bare, sizes.ram - 3 * BLOCK);
    let instructions = ticks * PER_TICK / PLAIN;
    println!(
        "| {name} | {features} | {image} | {level} | {flash} | {tables} | {stack} | {instructions:.0} |"
    );
    Ok(())
}

fn sizes(project: &Project, build: &Build<'_>) -> Result<(elf::Sizes, std::path::PathBuf)> {
    let path = build.make(project)?;
    let bytes = fs::read(&path).about(path.display())?;
    let sizes = elf::sizes(&bytes).ok_or_else(|| Failure::new("this is not a program for a Cortex-M"))?;
    Ok((sizes, path))
}
