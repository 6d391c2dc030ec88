//! Rows logged to a flash memory, by its driver, whose power fails again and again: none that was confirmed is lost. At the end they are read
//! back, and the memory is printed, which python-blosc2 reads (tests/interop/logs.py).

#![no_std]
#![no_main]

use b2nd::chunk::EncodeWork;
use b2nd::codec::{Lz4Table, Registry};
use b2nd::filter::SHUFFLE;
use b2nd::sink::flash::{LogError, Logger, log_area_len};
use b2nd::source::Nor;
use b2nd::source::flash::{AreaWork, FetchedFrame, area_len, fetch_len};
use b2nd_firmware::flash::{Chip, PowerFailure, UNIT};
use b2nd_firmware::{Host, done, expect, fail};
use cortex_m_rt::entry;

/// An array of int16 without rows; 64 rows of 3 are a chunk.
static TEMPLATE: &[u8] = include_bytes!("../../data/log.b2nd");
const ROW: usize = 3 * 2;
const CHUNK: usize = 64 * ROW;
const AREA: usize = log_area_len(CHUNK, CHUNK, &[SHUFFLE], UNIT);
const FLASH: usize = 8 << 10;
const FAILURES: usize = 40;

/// Bytes that decoding takes, and bytes that are fetched for it.
const DECODING: usize = area_len(CHUNK, &[SHUFFLE], 32);
const FETCHED: usize = fetch_len(CHUNK, &[SHUFFLE], 2, 1, 32);

const BYTES: usize = if AREA > DECODING + FETCHED { AREA } else { DECODING + FETCHED };

/// Memory to encode with and, when all is logged, to decode with.
struct Work {
    bytes: [u8; BYTES],
    table: Lz4Table<512>,
}

impl Work {
    fn encode_work(&mut self) -> EncodeWork<'_> {
        EncodeWork::new(&mut self.bytes, &mut self.table)
    }
}

/// Numbers that look random.
struct Random(u32);

impl Random {
    fn below(&mut self, end: u32) -> u32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) % end
    }
}

fn row(n: u64) -> [u8; ROW] {
    let n = n as u16;
    let [a, b] = n.to_le_bytes();
    let [c, d] = (n / 7).to_le_bytes();
    let [e, f] = (n.wrapping_mul(40_503) >> 12).to_le_bytes();
    [a, b, c, d, e, f]
}

#[entry]
fn main() -> ! {
    static mut MEMORY: Chip<FLASH> = Chip::new();
    static mut WORK: Work = Work { bytes: [0; BYTES], table: Lz4Table::new() };
    let mut host = Host::new();
    let (mut random, mut confirmed, mut logs, mut failures) = (Random(1), 0, 0, 0);
    while failures < FAILURES {
        (MEMORY.budget, MEMORY.spent) = (1 + random.below(500), 0);
        match session(MEMORY, WORK, &mut random, &mut confirmed, &mut logs) {
            LogError::Flash(PowerFailure) => failures += 1,
            LogError::Full => {
                // The next session begins another log.
                MEMORY.budget = 0;
                let mut logger = expect(Logger::open(Nor::new(&mut *MEMORY), WORK.encode_work()));
                expect(logger.finish());
                host.text("log of ").number(logger.rows() as i32).text(" rows").end();
                expect(Logger::create(Nor::new(&mut *MEMORY), TEMPLATE, WORK.encode_work()));
                (confirmed, logs) = (0, logs + 1);
            }
            _ => fail(),
        }
    }
    MEMORY.budget = 0;
    let mut logger = expect(Logger::open(Nor::new(&mut *MEMORY), WORK.encode_work()));
    expect(logger.commit());
    let (rows, frame) = (logger.rows(), logger.frame());
    host.number(failures as i32).text(" failures, ").number(rows as i32).text(" rows at ");
    host.number(frame as i32).end();
    check(Nor::new(&mut *MEMORY), frame, rows, WORK);
    print(&mut host, &MEMORY.bytes);
    done()
}

/// Logs until the power fails. What an earlier session confirmed must be there.
fn session(
    memory: &mut Chip<FLASH>,
    work: &mut Work,
    random: &mut Random,
    confirmed: &mut u64,
    logs: &mut u32,
) -> LogError<PowerFailure> {
    let mut logger = match Logger::open(Nor::new(&mut *memory), work.encode_work()) {
        Ok(logger) => logger,
        Err(LogError::NoLog) if *logs == 0 => {
            match Logger::create(Nor::new(memory), TEMPLATE, work.encode_work()) {
                Ok(logger) => logger,
                Err(error) => return error,
            }
        }
        Err(error) => return error,
    };
    *logs = (*logs).max(1);
    if logger.rows() < *confirmed {
        return LogError::NoLog;
    }
    loop {
        let result = match random.below(12) {
            0 => logger.flush(),
            1 => logger.commit(),
            _ => {
                let appended = (0..random.below(20)).try_for_each(|_| logger.append(&row(logger.rows())));
                if appended.is_ok() {
                    continue;
                }
                appended
            }
        };
        match result {
            Ok(()) => *confirmed = logger.rows(),
            Err(error) => return error,
        }
    }
}

/// Reads all rows of the newest frame.
#[inline(never)]
fn check(memory: Nor<&mut Chip<FLASH>>, at: u32, rows: u64, work: &mut Work) {
    let (area, buffer) = work.bytes.split_at_mut(DECODING);
    let tables = &mut ();
    let mut work = AreaWork::new(area, tables, Registry::new());
    let mut frame = expect(FetchedFrame::open(memory, at..FLASH as u32, buffer));
    if frame.layout().is_none_or(|array| array.shape() != [rows, 3]) {
        fail();
    }
    for number in 0..rows {
        let expected = row(number);
        for (column, expected) in expected.chunks_exact(2).enumerate() {
            let mut item = [0; 2];
            expect(frame.item(&[number, column as u64], &mut work, &mut item));
            if item != expected {
                fail();
            }
        }
    }
}

/// All lines of 16 bytes that are not erased, each with its offset.
fn print(host: &mut Host, bytes: &[u8]) {
    for (line, bytes) in bytes.chunks_exact(16).enumerate() {
        if bytes.iter().any(|byte| *byte != 0xFF) {
            host.hex(16 * line as u32).text(" ");
            for word in bytes.as_chunks().0 {
                host.hex(u32::from_be_bytes(*word));
            }
            host.end();
        }
    }
}
