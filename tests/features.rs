//! A program for the smallest build, with all types spelled out: whatever features are added, it compiles and does the same.

use b2nd::filter::SHUFFLE;
use b2nd::frame::{Header, Location, Metalayers};
use b2nd::plan::{MAX_DIM, Plan, Shape};
use b2nd::source::flash::{Area, AreaWork, FlashFrame, area_len};
use b2nd::{ArgumentError, Error, ErrorKind, FormatError, Index, Layout, LimitError, Malformed, Unsupported};

/// 64 lines of 96 pixels of 16 bits, in blocks of 8 lines.
const IMAGE: &[u8] = include_bytes!("embedded/data/image-blosclz.b2nd");
const LINES: u64 = 64;
const PIXELS: u64 = 96;
const LEN: usize = area_len(8 * 96 * 2, &[SHUFFLE], 2);

/// The program that made the images says so.
fn pixel(y: u64, x: u64) -> u16 {
    let (dy, dx) = (y.abs_diff(32), x.abs_diff(48));
    let blue = if dx * dx + dy * dy < 600 { 31 } else { y / 3 };
    ((x / 3) << 11 | ((x + y) * 63 / 158) << 5 | blue) as u16
}

/// One column, item by item and then at once.
fn check(bytes: &[u8], work: &mut AreaWork<'_>) -> Result<(), Error> {
    let frame: FlashFrame<'_> = FlashFrame::open(bytes)?;
    let array: &Layout = frame.layout().expect("an array");
    let shape: Shape<'_> = array.shape();
    let mut lens: [u64; MAX_DIM] = [0; 16];
    lens.iter_mut().zip(shape.iter()).for_each(|(len, items)| *len = items);
    assert_eq!((shape.len(), shape.get(0), &lens[..3]), (2, Some(LINES), &[LINES, PIXELS, 0][..]));
    assert_eq!(shape, [LINES, PIXELS]);
    assert_eq!(format!("{shape:?}"), "[64, 96]");

    for y in 0..LINES {
        let (position, mut item): ([u64; 2], [u8; 2]) = ([y, 41], [0; 2]);
        frame.item(&position, work, &mut item)?;
        assert_eq!(u16::from_le_bytes(item), pixel(y, 41));
    }
    let plan: Plan = frame.plan(&[Index::ALL, Index::At(-1)])?;
    assert_eq!((plan.shape() == [LINES], plan.nbytes()), (true, 128));
    let mut column = [0; 128];
    frame.read(&plan, work, &mut column)?;
    let (items, _) = column.as_chunks();
    assert!((0..).zip(items).all(|(y, &item)| u16::from_le_bytes(item) == pixel(y, PIXELS - 1)));

    let (header, mut metalayers): (Header, Metalayers<'_>) = (frame.header()?, frame.metalayers()?);
    assert_eq!((header.nbytes, header.chunksize), (LINES * PIXELS * 2, 32 * 96 * 2));
    assert!(metalayers.next().is_some_and(|entry| entry.is_ok_and(|(name, _)| name == b"b2nd")));
    let location: Location = frame.locate(1, work)?;
    assert!(matches!(location, Location::Stored { offset: 100.., .. }));
    Ok(())
}

#[test]
fn decodes_whatever_features_there_are() {
    let mut area: Area<LEN> = Area::new(());
    check(IMAGE, &mut area.work()).unwrap();
}

#[cfg(feature = "zlib")]
#[test]
fn zlib_has_its_tables() {
    use b2nd::source::flash::Zlib;
    const ZLIB: &[u8] = include_bytes!("embedded/data/image-zlib.b2nd");
    let mut area: Area<LEN, Zlib> = Area::new(Zlib::new());
    check(ZLIB, &mut area.work()).unwrap();
    let mut area: Area<LEN, (Zlib, ())> = Area::new((Zlib::new(), ()));
    check(ZLIB, &mut area.work()).unwrap();
}

#[cfg(feature = "zstd")]
#[test]
fn zstd_has_its_tables() {
    use b2nd::source::flash::{Zstd, ZstdDict};
    const ZSTD: &[u8] = include_bytes!("embedded/data/image-zstd.b2nd");
    let mut area: Area<LEN, Zstd> = Area::new(Zstd::new());
    check(ZSTD, &mut area.work()).unwrap();
    let mut area: Area<LEN, ((), ZstdDict)> = Area::new(((), ZstdDict::new()));
    check(ZSTD, &mut area.work()).unwrap();
}

#[cfg(feature = "encode")]
#[test]
fn encodes_whatever_features_there_are() {
    use b2nd::chunk::{CParams, Chunk, encode_area_len};
    use b2nd::codec::{BloscLzTable, Codec};
    const BLOCK: usize = 512;
    let mut encoding: Area<{ encode_area_len(BLOCK, &[SHUFFLE]) }, BloscLzTable<256>> =
        Area::new(BloscLzTable::new());
    let cparams =
        CParams { codec: Codec::BLOSCLZ, typesize: 2, blocksize: BLOCK as u32, ..CParams::default() };
    let (mut plain, mut chunk) = ([0; 2000], [0; 2032]);
    plain.as_chunks_mut().0.iter_mut().zip(0_u16..).for_each(|(item, n)| *item = (n / 50).to_le_bytes());
    let len: usize = cparams.encode_into(&plain, &mut chunk, &mut encoding.encode_work()).unwrap();
    assert!(len < 1000, "{len}");
    assert_eq!(Chunk::new(&chunk[..len]).unwrap().header().nbytes, 2000);
    #[cfg(feature = "lz4")]
    {
        use b2nd::codec::Lz4Table;
        let mut tables = (BloscLzTable::<256>::new(), Lz4Table::<256>::new());
        let mut bytes = [0; BLOCK];
        let mut work = b2nd::chunk::EncodeWork::new(&mut bytes, &mut tables);
        let cparams = CParams { codec: Codec::LZ4, ..cparams };
        let len = cparams.encode_into(&plain, &mut chunk, &mut work).unwrap();
        assert_eq!(Chunk::new(&chunk[..len]).unwrap().header().codec, Codec::LZ4);
    }
}

/// A memory that anyone can have.
#[cfg(feature = "encode")]
struct Ram([u8; 32_768]);

#[cfg(feature = "encode")]
impl b2nd::source::flash::ReadFlash for Ram {
    type Error = core::convert::Infallible;

    fn read(&mut self, offset: u32, dst: &mut [u8]) -> Result<(), Self::Error> {
        dst.copy_from_slice(&self.0[offset as usize..][..dst.len()]);
        Ok(())
    }
}

#[cfg(feature = "encode")]
impl b2nd::sink::flash::Flash for Ram {
    fn geometry(&self) -> b2nd::sink::flash::Geometry {
        b2nd::sink::flash::Geometry { len: 32_768, page: 512, unit: 4 }
    }

    fn program(&mut self, offset: u32, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0[offset as usize..][..bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn erase(&mut self, offset: u32) -> Result<(), Self::Error> {
        self.0[offset as usize..][..512].fill(0xFF);
        Ok(())
    }
}

#[cfg(feature = "encode")]
#[test]
fn logs_whatever_features_there_are() {
    use b2nd::codec::BloscLzTable;
    use b2nd::sink::flash::{LogError, Logger, log_area_len};
    use b2nd::source::ReadError;
    use b2nd::source::flash::{FetchedFrame, fetch_len};
    const TEMPLATE: &[u8] = include_bytes!("embedded/data/log-blosclz.b2nd");
    const BLOCK: usize = 8 * 96 * 2;
    let (mut ram, row) = (Ram([0; 32_768]), |y: u64| (0..96).flat_map(move |x| pixel(y, x).to_le_bytes()));
    let mut encoding: Area<{ log_area_len(BLOCK, BLOCK, &[SHUFFLE], 4) }, BloscLzTable<256>> =
        Area::new(BloscLzTable::new());
    let absent: LogError<_> = Logger::open(&mut ram, encoding.encode_work()).map(drop).unwrap_err();
    assert_eq!(absent, LogError::NoLog);
    let mut logger: Logger<'_, _> = Logger::create(&mut ram, TEMPLATE, encoding.encode_work()).unwrap();
    (0..11).for_each(|y| logger.append(&row(y).collect::<Vec<u8>>()).unwrap());
    logger.finish().unwrap();
    assert_eq!((logger.rows(), logger.frame()), (11, 0));
    let frame = FlashFrame::open(&ram.0).unwrap();
    let mut area: Area<LEN> = Area::new(());
    let mut line = [0; 192];
    let plan = frame.plan(&[Index::At(10), Index::ALL]).unwrap();
    frame.read(&plan, &mut area.work(), &mut line).unwrap();
    assert!(row(10).eq(line));
    let mut buffer = [0; fetch_len(BLOCK, &[SHUFFLE], 2, 1, 2)];
    let mut fetched: FetchedFrame<'_, &mut Ram> =
        FetchedFrame::open(&mut ram, 0..32_768, &mut buffer).unwrap();
    line.fill(0);
    let read: Result<(), ReadError<core::convert::Infallible>> =
        fetched.read(&plan, &mut area.work(), &mut line);
    assert!(read.is_ok() && row(10).eq(line));
}

/// An error of each kind, but for one of a codec.
fn errors() -> [Error; 3] {
    let mut area: Area<LEN> = Area::new(());
    let mut damaged = IMAGE.to_vec();
    damaged[26] = 9;
    let frame = FlashFrame::open(IMAGE).unwrap();
    let outside = frame.item(&[LINES, 0], &mut area.work(), &mut [0; 2]);
    let cramped = frame.item(&[0, 0], &mut AreaWork::new(&mut [], &mut (), Default::default()), &mut [0; 2]);
    [FlashFrame::open(&damaged).unwrap_err(), outside.unwrap_err(), cramped.unwrap_err()]
}

#[test]
fn errors_tell_who_is_to_blame() {
    let [format, argument, limit] = errors();
    let ErrorKind::Format(FormatError { what, offset, chunk, block, .. }) = format.kind() else {
        panic!("{format}")
    };
    let _: (Malformed, Option<u64>, Option<u64>, Option<u32>) = (what, offset, chunk, block);
    let ErrorKind::Argument(argument) = argument.kind() else { panic!("{argument}") };
    let _: ArgumentError = argument;
    let ErrorKind::Limit(LimitError { wanted, allowed, .. }) = limit.kind() else { panic!("{limit}") };
    assert!(wanted >= allowed);
    let codec: Error = Unsupported::Codec(33).into();
    assert_eq!(codec.kind(), ErrorKind::Unsupported(Unsupported::Codec(33)));
    assert_eq!(codec.to_string(), "codec zfp_acc (33) is not built in");
}

#[test]
#[cfg(all(feature = "small", not(feature = "alloc")))]
fn the_smallest_build_keeps_no_details() {
    let told = errors().map(|error| error.to_string());
    assert_eq!(told, ["malformed data", "invalid argument", "beyond the limits"]);
}
