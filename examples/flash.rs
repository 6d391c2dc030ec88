//! An array within the program, decoded in fixed memory, as on a microcontroller: `cargo run --example flash`
//!
//! This works without the features `std` and `alloc`, in a program that is `no_std`.

use b2nd::Index;
use b2nd::filter::SHUFFLE;
use b2nd::source::flash::{Area, FlashFrame, Zlib, Zstd, area_len};

static FRAME: &[u8] = include_bytes!("sample.b2nd");

/// Bytes of a block of that frame, and its chunks.
const BLOCK: usize = 15360;
const CHUNKS: usize = 2;

fn main() -> b2nd::Result<()> {
    let frame = FlashFrame::open(FRAME)?;
    let mut area: Area<{ area_len(BLOCK, &[SHUFFLE], CHUNKS) }, (Zlib, Zstd)> =
        Area::new((Zlib::new(), Zstd::new()));
    let mut work = area.work();

    let mut item = [0; 4];
    frame.item(&[11, 20, 5], &mut work, &mut item)?;
    println!("[11, 20, 5] is {}", f32::from_le_bytes(item));

    let plan = frame.plan(&[Index::At(11), Index::At(20), Index::ALL])?;
    let mut row = [0; 40 * 4];
    frame.read(&plan, &mut work, &mut row)?;
    println!("the last of its row is {}", f32::from_le_bytes(row[39 * 4..].try_into().expect("4 bytes")));
    Ok(())
}
