//! Logs the temperature of an nRF52840 each second to the second half of its flash, with the time, and goes on after a reset.

#![no_std]
#![no_main]

use b2nd::chunk::Area;
use b2nd::codec::Lz4Table;
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{LogError, Logger, log_area_len};
use b2nd::source::Nor;
use core::ops::Range;
use defmt::{info, unwrap, warn};
use defmt_rtt as _;
use embassy_executor::Spawner;
use embassy_nrf::nvmc::{Error, Nvmc};
use embassy_nrf::temp::{self, Temp};
use embassy_time::{Duration, Instant, Ticker};
use panic_probe as _;
use static_cell::ConstStaticCell;

embassy_nrf::bind_interrupts!(struct Interrupts {
    TEMP => temp::InterruptHandler;
});

/// The part of the flash that the program does not use: see memory.x.
const LOG: Range<u32> = 512 << 10..1024 << 10;
/// An array without rows, made by template.py: seconds and quarters of a degree as int32, 512 rows in each chunk and block.
static TEMPLATE: &[u8] = include_bytes!("../log.b2nd");
const ROW: usize = 2 * 4;
const CHUNK: usize = 512 * ROW;
/// The flash is programmed in words.
const UNIT: usize = 4;

type Work = Area<{ log_area_len(CHUNK, CHUNK, &[SHUFFLE], UNIT) }, Lz4Table<1024>>;
static WORK: ConstStaticCell<Work> = ConstStaticCell::new(Area::new(Lz4Table::new()));

#[embassy_executor::main]
async fn main(_spawner: Spawner) {
    let board = embassy_nrf::init(Default::default());
    let mut sensor = Temp::new(board.TEMP, Interrupts);
    let mut flash = Nvmc::new(board.NVMC);
    let mut logger = unwrap!(open(&mut flash, WORK.take()));
    info!("{} rows in the log, in the frame at {}", logger.rows(), logger.frame());
    let mut seconds = Ticker::every(Duration::from_secs(1));
    let full = loop {
        let quarters = sensor.read().await.to_bits();
        if let Err(error) = log(&mut logger, quarters) {
            break error;
        }
        seconds.next().await;
    };
    // What is logged stays, and becomes a file of all of it.
    warn!("{}", full);
    unwrap!(logger.finish());
    info!("{} rows in the frame at the start of the log", logger.rows());
}

type Log<'a> = Logger<'a, Nor<&'a mut Nvmc<'static>>>;

/// Opens the log, or makes one, and makes all of it a frame.
fn open<'a>(flash: &'a mut Nvmc<'static>, work: &'a mut Work) -> Result<Log<'a>, LogError<Error>> {
    if let Err(LogError::NoLog) = Logger::open(Nor::with_range(&mut *flash, LOG)?, work.encode_work()) {
        Logger::create(Nor::with_range(&mut *flash, LOG)?, TEMPLATE, work.encode_work())?;
    }
    let mut logger = Logger::open(Nor::with_range(flash, LOG)?, work.encode_work())?;
    logger.commit()?;
    Ok(logger)
}

/// Appends a row. A minute is lost at most when the power fails.
fn log(logger: &mut Log<'_>, quarters: i32) -> Result<(), LogError<Error>> {
    let seconds = Instant::now().as_secs() as u32;
    let mut row = [0; ROW];
    row[..4].copy_from_slice(&seconds.to_le_bytes());
    row[4..].copy_from_slice(&quarters.to_le_bytes());
    logger.append(&row)?;
    if logger.rows().is_multiple_of(60) { logger.flush() } else { Ok(()) }
}
