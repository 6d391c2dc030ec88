//! Temperatures logged to a flash memory, here a simulated one: `cargo run --example logger`
//!
//! On a microcontroller only the feature `encode` is needed, and the template comes from a file (`include_bytes!`).

use b2nd::array::ArrayParams;
use b2nd::chunk::Area;
use b2nd::codec::{Codec, Lz4Table};
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{Geometry, Image, LogError, Logger, log_area_len, recover};
use b2nd::sink::{Editor, Memory};
use b2nd::{DParams, Reader, Selection};

/// 256 rows of 4 sensors are a chunk, and a block.
const ROWS: u32 = 256;
const CHUNK: usize = ROWS as usize * 4 * size_of::<i16>();
/// The flash: 256 KiB in pages of 4 KiB, programmed 8 bytes at a time.
const GEOMETRY: Geometry = Geometry { len: 256 << 10, page: 4096, unit: 8 };

type Work = Area<{ log_area_len(CHUNK, CHUNK, &[SHUFFLE], 8) }, Lz4Table<1024>>;

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let template = template()?;
    let mut flash = Image::new(GEOMETRY);
    // Twice the power fails.
    for _ in 0..3 {
        log(&mut flash, &template)?;
    }
    // What is left in the flash is a frame once it is recovered.
    println!("{} KiB of flash", flash.bytes().len() >> 10);
    let frame = recover(flash)?;
    let reader = Reader::open(&frame[..], DParams::default())?;
    println!(
        "a frame of {} bytes, with an array of {:?}",
        frame.len(),
        reader.layout()?.map(|array| array.shape().to_vec())
    );
    let last: Selection = "-1".parse()?;
    println!("the last row: {:?}", reader.read::<i16>(&last)?.into_vec());
    Ok(())
}

/// An array without rows.
fn template() -> Result<Vec<u8>, Box<dyn core::error::Error>> {
    let mut params = ArrayParams::of_type::<i16>(&[0, 4]);
    (params.chunkshape, params.blockshape) = (Some(vec![ROWS, 4]), Some(vec![ROWS, 4]));
    params.cparams.codec = Codec::LZ4;
    let mut editor = Editor::create_array(Memory::default(), &params)?;
    editor.commit()?;
    Ok(editor.into_sink().into_bytes())
}

/// Logs some rows, until the power fails.
fn log(flash: &mut Image, template: &[u8]) -> Result<(), Box<dyn core::error::Error>> {
    let mut work = Work::new(Lz4Table::new());
    let mut logger = match Logger::open(&mut *flash, work.encode_work()) {
        Err(LogError::NoLog) => Logger::create(flash, template, work.encode_work())?,
        opened => opened?,
    };
    println!("{} rows are in the log", logger.rows());
    for n in 0..1000 {
        let row: [i16; 4] = core::array::from_fn(|sensor| 2000 + (n / 9) as i16 + 100 * sensor as i16);
        logger.append(row.map(i16::to_le_bytes).as_flattened())?;
        // Of the rows after this no more than 100 can be lost.
        if n % 100 == 99 {
            logger.flush()?;
        }
    }
    Ok(())
}
