//! A library without a runtime: a reader and a logger over memories that the caller has, as functions for C.

#![no_std]

use b2nd::chunk::Area;
use b2nd::codec::Lz4Table;
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{Flash, Geometry, LogError, Logger, log_area_len};
use b2nd::source::flash::{FetchedFrame, FlashFrame, ReadFlash, area_len, fetch_len};
use core::panic::PanicInfo;

#[panic_handler]
fn panic(_: &PanicInfo) -> ! {
    loop {}
}

const ROW: usize = 6;
const CHUNK: usize = 64 * ROW;

/// A memory behind functions of the caller, which return 0 unless they fail.
#[repr(C)]
pub struct Memory {
    len: u32,
    page: u32,
    unit: u32,
    read: extern "C" fn(u32, *mut u8, usize) -> i32,
    program: extern "C" fn(u32, *const u8, usize) -> i32,
    erase: extern "C" fn(u32) -> i32,
}

fn told(code: i32) -> Result<(), i32> {
    if code == 0 { Ok(()) } else { Err(code) }
}

impl ReadFlash for Memory {
    type Error = i32;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), i32> {
        told((self.read)(offset, dst.as_mut_ptr(), dst.len()))
    }
}

impl Flash for Memory {
    fn geometry(&self) -> Geometry {
        Geometry { len: self.len, page: self.page, unit: self.unit }
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), i32> {
        told((self.program)(offset, bytes.as_ptr(), bytes.len()))
    }

    fn erase(&mut self, offset: u32) -> Result<(), i32> {
        told((self.erase)(offset))
    }
}

/// An item of an array in mapped flash; -1 if that fails.
#[unsafe(no_mangle)]
pub extern "C" fn b2nd_item(frame: &'static [u8; 4096], at: u32) -> i32 {
    let mut area: Area<{ area_len(CHUNK, &[SHUFFLE], 32) }> = Area::new(());
    let mut item = [0; 2];
    let read =
        FlashFrame::open(frame).and_then(|frame| frame.item(&[at.into(), 0], &mut area.work(), &mut item));
    read.map_or(-1, |()| u16::from_le_bytes(item).into())
}

/// A row of an array in a memory; -1 if that fails.
#[unsafe(no_mangle)]
pub extern "C" fn b2nd_row(memory: &mut Memory, frame: u32, at: u32, row: &mut [u8; ROW]) -> i32 {
    let mut area: Area<{ area_len(CHUNK, &[SHUFFLE], 32) }> = Area::new(());
    let mut buffer = [0; fetch_len(CHUNK, &[SHUFFLE], 2, 1, 32)];
    let place = frame..memory.len;
    let read = FetchedFrame::open(memory, place, &mut buffer).and_then(|mut frame| {
        let plan = frame.plan(&[b2nd::Index::At(at.into())])?;
        frame.read(&plan, &mut area.work(), row)
    });
    if read.is_ok() { 0 } else { -1 }
}

/// Appends rows to the log in a memory, which begins as `template` if there is none; -1 if that fails.
#[unsafe(no_mangle)]
pub extern "C" fn b2nd_log(memory: &mut Memory, template: &[u8; 512], rows: &[[u8; ROW]; 64]) -> i32 {
    let mut area: Area<{ log_area_len(CHUNK, CHUNK, &[SHUFFLE], 64) }, Lz4Table<512>> =
        Area::new(Lz4Table::new());
    let logged = match Logger::open(&mut *memory, area.encode_work()) {
        Err(LogError::NoLog) => Logger::create(memory, template, area.encode_work()),
        opened => opened,
    };
    let logged = logged.and_then(|mut logger| {
        logger.append(rows.as_flattened())?;
        logger.finish()
    });
    if logged.is_ok() { 0 } else { -1 }
}
