//! Logs the temperature of an RP2040 each second to the second MiB of its flash, and reads it back after a reset.

#![no_std]
#![no_main]

use b2nd::chunk::Area;
use b2nd::codec::Lz4Table;
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{LogError, Logger, log_area_len};
use b2nd::source::flash::{FetchedFrame, area_len, fetch_len};
use b2nd::source::{Nor, ReadError};
use core::ops::Range;
use defmt::{info, unwrap};
use defmt_rtt as _;
use embassy_executor::Spawner;
use embassy_rp::adc::{Adc, Channel, Config};
use embassy_rp::flash::{Blocking, Error, Flash};
use embassy_rp::peripherals::FLASH;
use embassy_time::Timer;
use panic_probe as _;
use static_cell::ConstStaticCell;

type Chip = Flash<'static, FLASH, Blocking, { 2 << 20 }>;

/// The part of the flash that the program does not use: see memory.x.
const LOG: Range<u32> = 1 << 20..2 << 20;
/// An array without items, made by template.py: hundredths of a degree as int16, 1024 in each chunk and block.
static TEMPLATE: &[u8] = include_bytes!("../log.b2nd");
const CHUNK: usize = 1024 * 2;
/// Chunks for which there is room.
const CHUNKS: usize = (1 << 20) / CHUNK;

type Work = Area<{ log_area_len(CHUNK, CHUNK, &[SHUFFLE], 1) }, Lz4Table<1024>>;
static WORK: ConstStaticCell<Work> = ConstStaticCell::new(Area::new(Lz4Table::new()));
static READING: ConstStaticCell<Area<{ area_len(CHUNK, &[SHUFFLE], CHUNKS) }>> =
    ConstStaticCell::new(Area::new(()));
const FETCHED: usize = fetch_len(CHUNK, &[SHUFFLE], 2, 1, CHUNKS);
static BUFFER: ConstStaticCell<[u8; FETCHED]> = ConstStaticCell::new([0; FETCHED]);

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let board = embassy_rp::init(Default::default());
    let mut chip = Flash::new_blocking(board.FLASH);
    let mut adc = Adc::new_blocking(board.ADC, Config::default());
    let mut sensor = Channel::new_temp_sensor(board.ADC_TEMP_SENSOR);
    let work = WORK.take();
    let (items, at) = unwrap!(committed(&mut chip, work));
    info!("{} temperatures in the log, in the frame at {}", items, at);
    if items > 0 {
        info!("the last one: {} / 100 °C", unwrap!(read(&mut chip, at, items - 1)));
    }
    let mut logger = unwrap!(Logger::open(unwrap!(Nor::with_range(&mut chip, LOG)), work.encode_work()));
    loop {
        let raw = unwrap!(adc.blocking_read(&mut sensor));
        unwrap!(logger.append(&hundredths(raw).to_le_bytes()));
        // A minute is lost at most when the power fails.
        if logger.rows().is_multiple_of(60) {
            unwrap!(logger.flush());
        }
        Timer::after_secs(1).await;
    }
}

/// Opens the log, or makes one, and makes all of it a frame. Returns how many items it has, and where it begins.
fn committed(chip: &mut Chip, work: &mut Work) -> Result<(u64, u32), LogError<Error>> {
    let mut logger = match Logger::open(Nor::with_range(&mut *chip, LOG)?, work.encode_work()) {
        Err(LogError::NoLog) => Logger::create(Nor::with_range(chip, LOG)?, TEMPLATE, work.encode_work())?,
        opened => opened?,
    };
    logger.commit()?;
    Ok((logger.rows(), logger.frame()))
}

/// An item of the frame that begins at an offset of the log.
fn read(chip: &mut Chip, at: u32, index: u64) -> Result<i16, ReadError<Error>> {
    let memory = Nor::with_range(chip, LOG)?;
    let place = at..memory.capacity();
    let mut frame = FetchedFrame::open(memory, place, BUFFER.take())?;
    let mut item = [0; 2];
    frame.item(&[index], &mut READING.take().work(), &mut item)?;
    Ok(i16::from_le_bytes(item))
}

/// The temperature by the formula of the data sheet (4.9.5): 27 °C at 0.706 V, and 1.721 mV less for each degree more.
fn hundredths(raw: u16) -> i16 {
    let microvolts = i32::from(raw) * 3_300_000 / 4096;
    (2700 - (microvolts - 706_000) * 100 / 1721) as i16
}
