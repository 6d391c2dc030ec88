//! Logs in a simulated NOR flash whose power fails.

use super::*;
use crate::array::ArrayParams;
use crate::chunk::{Area, CParams, DParams};
use crate::codec::{BloscLzTable, Codec};
use crate::filter::SHUFFLE;
use crate::sink::{Editor, Memory};
use crate::source::Reader;
use crate::source::flash::ReadFlash;
use alloc::vec;
use alloc::vec::Vec;

/// Marsaglia's xorshift.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 16
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn pick<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len() as u64) as usize]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct PowerFailure;

/// A NOR flash: bits are cleared by programming and set by erasing, and each unit is programmed once.
#[derive(Clone)]
struct Nor {
    bytes: Vec<u8>,
    geometry: Geometry,
    /// Units that were programmed, maybe only in part.
    programmed: Vec<bool>,
    /// Units to program, and pages to erase, until the power fails.
    left: u64,
    seed: u64,
    erases: Vec<u32>,
}

impl Nor {
    fn new(geometry: Geometry, seed: u64) -> Self {
        let Geometry { len, page, unit } = geometry;
        let mut random = Random(seed);
        // What another program left.
        let bytes = (0..len).map(|_| random.next() as u8).collect();
        let programmed = vec![true; (len / unit) as usize];
        Self { bytes, geometry, programmed, left: u64::MAX, seed, erases: vec![0; (len / page) as usize] }
    }

    /// Whether the power fails in this step; then random bits change in it.
    fn fails(&mut self) -> Option<Random> {
        self.left = self.left.saturating_sub(1);
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.left == 0).then_some(Random(self.seed | 1))
    }
}

impl ReadFlash for Nor {
    type Error = PowerFailure;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), PowerFailure> {
        dst.copy_from_slice(&self.bytes[offset as usize..][..dst.len()]);
        if self.left == 0 { Err(PowerFailure) } else { Ok(()) }
    }
}

impl Flash for Nor {
    fn geometry(&self) -> Geometry {
        self.geometry
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), PowerFailure> {
        let Geometry { page, unit, .. } = self.geometry;
        assert!(offset.is_multiple_of(unit) && bytes.len().is_multiple_of(unit as usize), "whole units");
        assert!((offset % page) as usize + bytes.len() <= page as usize, "one page");
        for (number, unit_bytes) in (offset / unit..).zip(bytes.chunks(unit as usize)) {
            let place = &mut self.bytes[(number * unit) as usize..][..unit as usize];
            if self.left == 0 {
                return Err(PowerFailure);
            }
            assert!(!self.programmed[number as usize], "a unit is programmed once");
            assert!(place.iter().all(|byte| *byte == 0xFF), "it is erased");
            self.programmed[number as usize] = true;
            place.copy_from_slice(unit_bytes);
            if let Some(mut random) = self.fails() {
                let place = &mut self.bytes[(number * unit) as usize..][..unit as usize];
                place.iter_mut().for_each(|byte| *byte |= random.next() as u8 | random.next() as u8);
                return Err(PowerFailure);
            }
        }
        Ok(())
    }

    fn erase(&mut self, offset: u32) -> Result<(), PowerFailure> {
        let Geometry { page, unit, .. } = self.geometry;
        assert!(offset.is_multiple_of(page), "a page");
        if self.left == 0 {
            return Err(PowerFailure);
        }
        self.erases[(offset / page) as usize] += 1;
        let failure = self.fails();
        let place = &mut self.bytes[offset as usize..][..page as usize];
        if let Some(mut random) = failure {
            place.iter_mut().for_each(|byte| *byte |= random.next() as u8);
            self.programmed[(offset / unit) as usize..][..(page / unit) as usize].fill(true);
            return Err(PowerFailure);
        }
        place.fill(0xFF);
        self.programmed[(offset / unit) as usize..][..(page / unit) as usize].fill(false);
        Ok(())
    }
}

/// Rows of a chunk and of a block.
const CHUNK: u32 = 32;
const BLOCK: u32 = 16;
/// Bytes of a row.
const ROW: usize = 6;
const AREA: usize = log_area_len(CHUNK as usize * ROW, BLOCK as usize * ROW, &[SHUFFLE], 512);

fn template() -> Vec<u8> {
    let params = ArrayParams {
        chunkshape: Some(vec![CHUNK, 3]),
        blockshape: Some(vec![BLOCK, 3]),
        cparams: CParams { codec: Codec::BLOSCLZ, ..CParams::default() },
        metalayers: vec![crate::frame::Metalayer { name: b"unit".to_vec(), content: vec![0xa2, b'm', b'V'] }],
        ..ArrayParams::new(&[0, 3], "<i2")
    };
    let mut editor = Editor::create_array(Memory::default(), &params).unwrap();
    editor.commit().unwrap();
    editor.into_sink().into_bytes()
}

fn area() -> Area<AREA, BloscLzTable<256>> {
    Area::new(BloscLzTable::new())
}

fn row(n: u64) -> [u8; ROW] {
    let mut row = [0; ROW];
    // Some chunks are noise, some are of one value, others compress.
    let noise = n.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 8;
    let value = match n / 100 % 4 {
        0 => noise,
        1 => 7,
        _ => n << 16 | noise & 3,
    };
    row.copy_from_slice(&value.to_le_bytes()[..ROW]);
    row
}

/// The rows of the frame that begins at an offset; `None` if they are not those that were appended.
fn rows_of(bytes: &[u8], offset: u32) -> u64 {
    let reader = Reader::open(&bytes[offset as usize..], DParams::default()).unwrap();
    let shape = reader.layout().unwrap().unwrap().shape().to_vec();
    assert_eq!(shape[1..], [3]);
    assert_eq!(reader.frame().header.metalayer("unit"), Some(&[0xa2, b'm', b'V'][..]));
    let items = reader.get("").unwrap();
    let expected: Vec<u8> = (0..shape[0]).flat_map(row).collect();
    assert!(items == expected, "{} rows", shape[0]);
    shape[0]
}

/// Rows that were confirmed to the user.
#[derive(Default, Debug, Clone, Copy)]
struct Confirmed {
    created: bool,
    appended: u64,
    rows: u64,
    committed: u64,
}

type Log<'a> = Logger<'a, &'a mut Nor>;

/// Random operations until one fails.
fn operate(logger: &mut Log<'_>, random: &mut Random, confirmed: &mut Confirmed) -> LogError<PowerFailure> {
    loop {
        let result = match random.below(12) {
            0 | 1 => logger.flush(),
            2 => logger.commit(),
            3 if random.below(4) == 0 => logger.finish(),
            _ => {
                let count = random.pick(&[1, 1, 3, 20, 50]);
                let rows: Vec<u8> = (logger.rows()..).take(count as usize).flat_map(row).collect();
                confirmed.appended = confirmed.appended.max(logger.rows() + count);
                let appended = logger.append(&rows);
                if appended.is_ok() {
                    confirmed.rows = confirmed.rows.max(logger.rows() / u64::from(CHUNK) * u64::from(CHUNK));
                    continue;
                }
                appended
            }
        };
        if let Err(error) = result {
            return error;
        }
        confirmed.rows = logger.rows();
        if logger.commit.rows == logger.rows() {
            confirmed.committed = logger.rows();
        }
    }
}

/// Opens or creates the log, checks it against what was confirmed, and goes on until the power fails.
fn session(
    nor: &mut Nor,
    random: &mut Random,
    confirmed: &mut Confirmed,
    template: &[u8],
) -> LogError<PowerFailure> {
    let mut area = area();
    let before = nor.clone();
    let opened = Logger::open(&mut *nor, area.encode_work());
    let mut logger = match opened {
        Ok(logger) => logger,
        Err(LogError::NoLog) if !confirmed.created => {
            match Logger::create(&mut *nor, template, area.encode_work()) {
                Ok(logger) => logger,
                Err(error) => return error,
            }
        }
        Err(error) => panic!("{error:?} after {confirmed:?}"),
    };
    confirmed.created = true;
    let rows = logger.rows();
    assert!(rows >= confirmed.rows && rows <= confirmed.appended, "{rows}: {confirmed:?}");
    if logger.commit.rows > 0 {
        let committed = rows_of(&before.bytes, logger.frame());
        assert!(committed >= confirmed.committed && committed <= rows, "{committed}: {confirmed:?}");
    }
    // What was appended but not confirmed, and got lost, is appended again.
    *confirmed = Confirmed { appended: rows, rows, ..*confirmed };
    let image = Image::of_bytes(before.bytes, before.geometry.page, before.geometry.unit);
    if rows > 0 {
        assert_eq!(rows_of(&recover(image).unwrap(), 0), rows);
    }
    operate(&mut logger, random, confirmed)
}

#[test]
fn nothing_confirmed_is_lost_when_the_power_fails() {
    let template = template();
    let mut random = Random(91);
    let (mut failures, mut full, mut rows) = (0, 0, 0);
    while failures < 1000 {
        let page = random.pick(&[128, 256, 1024, 4096]);
        let unit = random.pick(&[1, 4, 8, 16, 64]);
        let len = (page * 4).max(1024) + page * 40;
        let mut nor = Nor::new(Geometry { len, page, unit }, random.next() | 1);
        let mut confirmed = Confirmed::default();
        for _ in 0..12 {
            let steps = random.pick(&[3, 30, 200, 1000, 5000]);
            nor.left = 1 + random.below(steps);
            match session(&mut nor, &mut random, &mut confirmed, &template) {
                LogError::Flash(PowerFailure) => failures += 1,
                LogError::Full => {
                    full += 1;
                    rows += confirmed.rows;
                    // Another log in its place, of whose records some are where those of the old one were.
                    nor.left = u64::MAX;
                    drop(Logger::create(&mut nor, &template, area().encode_work()).unwrap());
                    confirmed = Confirmed { created: true, ..Confirmed::default() };
                }
                error => panic!("{error:?}"),
            }
        }
        rows += confirmed.rows;
    }
    assert!(full > 10 && rows > 20_000, "{full} {rows}");
}
