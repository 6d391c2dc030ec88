//! Streams of packets through channels that lose, repeat, reorder, cut and change them: what is read is right, and what is lost
//! is told. And chunks of all writers, decoded as their bytes arrive.
#![cfg(all(feature = "write", feature = "lz4", feature = "filters"))]

use crate::common::{golden, sha256};
use crate::random::Random;
use b2nd::array::ArrayParams;
use b2nd::chunk::stream::{
    BlockReader, PACKET_HEADER, ReceiveParams, Received, Receiver, Report, Sender, send_area_len,
};
use b2nd::chunk::{Area, AreaWork, Body, CParams, Chunk, EncodeWork, Header, SplitMode};
use b2nd::codec::{BloscLzTable, Codec, Lz4Table, Registry};
use b2nd::filter::{
    BITSHUFFLE, BYTEDELTA, DELTA, Filter, INT_TRUNC, NDCELL, NDMEAN, Pipeline, SHUFFLE, TRUNC_PREC,
};
use b2nd::sink::{Collector, Editor, Memory};
use b2nd::source::flash::{Zlib, Zstd, ZstdDict};
use b2nd::{ArgumentError, Array, ErrorKind, Limits, Unsupported};
use core::ops::Range;
use std::fs;

/// A stream: how it is sent, and what it has.
struct Stream {
    cparams: CParams,
    packet_len: usize,
    plain: Vec<u8>,
    /// Places where the sender was flushed, in bytes.
    flushes: Vec<usize>,
}

impl Stream {
    fn random(random: &mut Random) -> Self {
        let filters: &[(u8, i8)] = random.pick(&[
            &[][..],
            &[(SHUFFLE, 0)],
            &[(BITSHUFFLE, 0)],
            &[(SHUFFLE, 0), (BYTEDELTA, 0)],
            &[(DELTA, 0), (SHUFFLE, 0)],
            &[(DELTA, 0), (BITSHUFFLE, 0)],
        ]);
        let mut pipeline = Pipeline::default();
        let slots = pipeline.slots.iter_mut();
        slots.zip(filters).for_each(|(slot, &(id, meta))| *slot = Filter { id, meta: meta as u8 });
        let typesize = random.pick(&[1, 2, 3, 4, 6, 8]);
        let items = 40 + random.below(300) as u32;
        let cparams = CParams {
            codec: random.pick(&[Codec::LZ4, Codec::BLOSCLZ]),
            clevel: random.pick(&[1, 5, 9, 0]),
            typesize,
            filters: pipeline,
            blocksize: typesize * items,
            splitmode: random.pick(&[SplitMode::Auto, SplitMode::Always, SplitMode::Never]),
            ..CParams::default()
        };
        let len = random.index(60 * items as usize);
        let plain = samples(random, typesize as usize, len);
        let packet_len = PACKET_HEADER + random.pick(&[1, 4, 35, 35, 100, 228, 1000, 2032]);
        let flushes = (0..random.index(4)).map(|_| random.index(plain.len() + 1)).collect();
        Self { cparams, packet_len, plain, flushes }
    }

    fn typesize(&self) -> usize {
        self.cparams.typesize as usize
    }

    /// The packets, made of samples in pieces of any length.
    fn packets(&self, stream: u16, random: &mut Random) -> Vec<Vec<u8>> {
        let ids = self.cparams.filters.slots.map(|filter| filter.id);
        let mut bytes = vec![0xEE; send_area_len(self.cparams.blocksize as usize, &ids)];
        let mut tables = (BloscLzTable::<512>::new(), Lz4Table::<512>::new());
        let work = EncodeWork::new(&mut bytes, &mut tables);
        let mut sender = Sender::new(stream, self.packet_len, self.cparams.clone(), work).expect("a sender");
        let mut packets = Vec::new();
        let mut at = 0;
        while at < self.plain.len() {
            let flush = self.flushes.iter().filter(|&&flush| flush > at).min();
            let end = flush.copied().unwrap_or(self.plain.len()).min(at + 1 + random.index(700));
            at += sender.push(&self.plain[at..end]).expect("samples");
            if self.flushes.contains(&at) {
                sender.flush();
            }
            // Now and then the line is busy.
            if random.below(3) > 0 {
                drain(&mut sender, &mut packets);
            }
        }
        sender.flush();
        drain(&mut sender, &mut packets);
        assert_eq!(sender.unsent(), 0);
        assert!(packets.iter().all(|packet| packet.len() <= self.packet_len));
        packets
    }
}

/// A signal with some noise, and some that stays as it is.
fn samples(random: &mut Random, typesize: usize, items: usize) -> Vec<u8> {
    let mut value = 1000_u64;
    let mut plain = Vec::new();
    let mut still = 0;
    for _ in 0..items {
        match still {
            0 => value = value.wrapping_add(random.below(9)).wrapping_sub(4),
            _ => still -= 1,
        }
        if random.below(200) == 0 {
            still = random.below(500);
        }
        if random.below(300) == 0 {
            value = 0;
        }
        plain.extend_from_slice(&value.to_le_bytes()[..typesize]);
    }
    plain
}

fn drain(sender: &mut Sender<'_>, packets: &mut Vec<Vec<u8>>) {
    while let Some(packet) = sender.packet().expect("a packet") {
        packets.push(packet.to_vec());
    }
}

/// The outcome of receiving: the bytes of all items, and which items are lost.
struct Outcome {
    plain: Vec<u8>,
    lost: Vec<Range<u64>>,
    report: Report,
}

fn receive<'b>(params: ReceiveParams, pieces: impl Iterator<Item = &'b [u8]>, typesize: usize) -> Outcome {
    let mut receiver = Receiver::new(params);
    let (mut plain, mut lost) = (Vec::new(), Vec::new());
    let mut take = |receiver: &mut Receiver| {
        while let Some(received) = receiver.next() {
            let at = (plain.len() / typesize) as u64;
            match received {
                Received::Items { first, plain: items } => {
                    assert_eq!(first, at);
                    plain.extend_from_slice(&items);
                }
                Received::Lost { items } => {
                    assert_eq!(items.start, at);
                    plain.resize(items.end as usize * typesize, 0xAA);
                    lost.push(items);
                }
            }
        }
    };
    for piece in pieces {
        receiver.push(piece);
        take(&mut receiver);
    }
    receiver.finish();
    take(&mut receiver);
    Outcome { plain, lost, report: *receiver.report() }
}

#[test]
fn what_is_sent_arrives() {
    let mut random = Random(0xB10C);
    let mut packets_seen = 0;
    for _ in 0..300 {
        let stream = Stream::random(&mut random);
        let packets = stream.packets(3, &mut random);
        let bytes = packets.concat();
        let outcome =
            receive(ReceiveParams::default(), bytes.chunks(1 + random.index(900)), stream.typesize());
        assert!(outcome.plain == stream.plain && outcome.lost.is_empty(), "{:?}", stream.cparams);
        let items = (stream.plain.len() / stream.typesize()) as u64;
        let mut expected = Report::default();
        (expected.packets, expected.items) = (packets.len() as u64, items);
        expected.blocks = outcome.report.blocks;
        assert_eq!(outcome.report, expected);
        packets_seen += packets.len();
    }
    assert!(packets_seen > 10_000, "{packets_seen}");
}

#[test]
fn bytes_arrive_in_pieces_of_any_length() {
    let mut random = Random(0x511CE);
    let mut stream = Stream::random(&mut random);
    stream.packet_len = 51;
    stream.plain = samples(&mut random, stream.typesize(), 1000);
    let bytes = [b"\xB2\x40 no packet", &stream.packets(3, &mut random).concat()[..], b"\xB2"].concat();
    let whole = receive(ReceiveParams::default(), core::iter::once(&bytes[..]), stream.typesize());
    assert!(whole.plain == stream.plain && whole.lost.is_empty());
    assert_eq!(whole.report.garbage, 13);
    for at in 0..bytes.len() {
        let (start, end) = bytes.split_at(at);
        let split = receive(ReceiveParams::default(), [start, end].into_iter(), stream.typesize());
        assert!(split.plain == stream.plain && split.report == whole.report, "{at}");
    }
    let single = receive(ReceiveParams::default(), bytes.chunks(1), stream.typesize());
    assert!(single.plain == stream.plain && single.report == whole.report);
}

/// A channel that drops, repeats, holds back, cuts and changes packets, each of these 5 %.
fn channel(packets: &[Vec<u8>], random: &mut Random) -> Vec<Vec<u8>> {
    let mut arrived: Vec<Vec<u8>> = Vec::new();
    for packet in packets {
        let mut packet = packet.clone();
        match random.below(20) {
            0 => continue,
            1 => arrived.push(packet.clone()),
            2 => packet.truncate(random.index(packet.len())),
            3 => {
                let at = random.index(packet.len());
                packet[at] ^= 1 << random.below(8);
            }
            4 if !arrived.is_empty() => {
                let at = arrived.len() - 1 - random.index(arrived.len().min(12));
                arrived.insert(at, packet);
                continue;
            }
            _ => {}
        }
        arrived.push(packet);
    }
    arrived
}

#[test]
fn nothing_is_wrong_and_what_is_lost_is_told() {
    let mut random = Random(0x1055);
    let mut sum = Report::default();
    for _ in 0..300 {
        let stream = Stream::random(&mut random);
        let typesize = stream.typesize();
        let arrived = channel(&stream.packets(9, &mut random), &mut random);
        let bytes = arrived.concat();
        let outcome = receive(ReceiveParams::default(), bytes.chunks(1 + random.index(300)), typesize);
        let sent = (stream.plain.len() / typesize) as u64;
        let there = (outcome.plain.len() / typesize) as u64;
        assert!(there <= sent, "{there} items of {sent}");
        let mut at = 0;
        for lost in outcome.lost.iter().cloned().chain(Some(there..there)) {
            let part = at as usize * typesize..lost.start as usize * typesize;
            assert!(outcome.plain[part.clone()] == stream.plain[part], "{:?}", stream.cparams);
            at = lost.end;
        }
        let lost: u64 = outcome.lost.iter().map(|items| items.end - items.start).sum();
        assert_eq!((outcome.report.lost, outcome.report.items + lost), (lost, there));
        sum.damaged += outcome.report.damaged;
        sum.duplicates += outcome.report.duplicates + outcome.report.late;
        sum.garbage += outcome.report.garbage;
        sum.items += outcome.report.items;
        sum.lost += lost;
        assert_eq!(outcome.report.undecodable, 0);
    }
    // Some of each kind, and most arrives.
    assert!(sum.damaged > 100 && sum.duplicates > 100 && sum.garbage > 1000, "{sum:?}");
    assert!(sum.lost > 10_000 && sum.items > sum.lost, "{sum:?}");
}

#[test]
fn any_bytes_are_no_reason_to_fail() {
    let mut random = Random(0x6A5);
    for _ in 0..200 {
        let stream = Stream::random(&mut random);
        let mut bytes = stream.packets(random.below(3) as u16, &mut random).concat();
        // Packets with right checksums and any content: they are changed before they are sealed.
        let mut at = 0;
        while at + PACKET_HEADER <= bytes.len() {
            let len = PACKET_HEADER + usize::from(u16::from_le_bytes([bytes[at + 10], bytes[at + 11]]));
            let packet = &mut bytes[at..at + len];
            if random.below(4) == 0 {
                let place = random.pick(&[1, 2, 4, 5, 7, 8, len - 1]);
                if !(10..16).contains(&place) {
                    packet[place] ^= 1 << random.below(5);
                }
                seal(packet);
            }
            at += len;
        }
        let mut receiver =
            Receiver::new(ReceiveParams { window: random.index(5), ..ReceiveParams::default() });
        receiver.push(&bytes);
        receiver.finish();
        while receiver.next().is_some() {}
    }
}

/// Gives a packet the checksum that belongs to it.
fn seal(packet: &mut [u8]) {
    let mut crc = !0_u32;
    for &byte in packet[..12].iter().chain(&packet[16..]) {
        crc ^= u32::from(byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 { crc >> 1 ^ 0xEDB8_8320 } else { crc >> 1 };
        }
    }
    packet[12..16].copy_from_slice(&(!crc).to_le_bytes());
}

#[test]
fn streams_are_told_apart_and_joined_later() {
    let mut random = Random(0x707);
    let mut stream = Stream::random(&mut random);
    stream.plain = samples(&mut random, stream.typesize(), 5000);
    stream.flushes.clear();
    let (first, second) = (stream.packets(1, &mut random), stream.packets(2, &mut random));
    let mixed: Vec<u8> = first.iter().zip(&second).flat_map(|(a, b)| [&a[..], b].concat()).collect();
    let params = ReceiveParams { stream: Some(2), ..ReceiveParams::default() };
    let outcome = receive(params, core::iter::once(&mixed[..]), stream.typesize());
    assert!(outcome.plain == stream.plain);
    assert_eq!(outcome.report.others, first.len() as u64);
    // From the middle on: the first block that is whole is the first of all.
    let mut receiver = Receiver::new(ReceiveParams { from: None, ..ReceiveParams::default() });
    receiver.push(&first[first.len() / 2..].concat());
    receiver.finish();
    let mut at = None;
    while let Some(received) = receiver.next() {
        if let Received::Items { first, plain } = received {
            let start = first as usize * stream.typesize();
            assert!(plain == stream.plain[start..][..plain.len()]);
            at.get_or_insert(first);
        }
    }
    assert!(at.is_some_and(|at| at > 1000), "{at:?}");
}

/// More than 2³² items: their numbers are sent modulo that.
#[test]
fn numbers_of_items_begin_again() {
    let mut random = Random(0x32);
    let mut stream = Stream::random(&mut random);
    stream.plain = samples(&mut random, stream.typesize(), 5000);
    let start = (1 << 32) - 2000_u64;
    let mut packets = stream.packets(1, &mut random);
    for packet in &mut packets {
        let item = u32::from_le_bytes([packet[4], packet[5], packet[6], packet[7]]);
        packet[4..8].copy_from_slice(&item.wrapping_add(start as u32).to_le_bytes());
        seal(packet);
    }
    let mut receiver = Receiver::new(ReceiveParams { from: Some(start), ..ReceiveParams::default() });
    receiver.push(&packets.concat());
    receiver.finish();
    let (mut plain, mut next) = (Vec::new(), start);
    while let Some(received) = receiver.next() {
        let Received::Items { first, plain: items } = received else { panic!("{received:?}") };
        assert_eq!(first, next);
        next += (items.len() / stream.typesize()) as u64;
        plain.extend(items);
    }
    assert!(plain == stream.plain && next == start + 5000);
}

/// The first descriptions are lost: later ones tell how long the items were.
#[test]
fn blocks_wait_for_a_description() {
    let mut random = Random(0xDE5C);
    let cparams = CParams { codec: Codec::LZ4, typesize: 6, blocksize: 96, ..CParams::default() };
    let plain = samples(&mut random, 6, 3000);
    let stream = Stream { cparams, packet_len: 120, plain, flushes: Vec::new() };
    let is_description = |packet: &&Vec<u8>| packet[1] & 7 == 0;
    let packets = stream.packets(1, &mut random);
    let first = packets.iter().position(|packet| packet[4..6] == 1600_u16.to_le_bytes()).expect("a block");
    let (early, late) = packets.split_at(first);
    let early: Vec<_> = early.iter().filter(|packet| !is_description(packet)).cloned().collect();
    let outcome = receive(ReceiveParams::default(), [&early.concat()[..], &late.concat()].into_iter(), 6);
    // The next one comes before block 112, when 64 wait.
    assert!(outcome.lost.iter().eq(&Some(0..(112 - 64) * 16)), "{:?}", outcome.lost);
    assert!(outcome.plain[768 * 6..] == stream.plain[768 * 6..]);
    // Without any: nothing is made of it.
    let params = ArrayParams::of_type::<i16>(&[0, 3]);
    let editor = Editor::create_array(Memory::default(), &params).expect("an array");
    let mut collector = Collector::new(editor, ReceiveParams::default(), &[0, 0]).expect("a collector");
    collector.push(&early.concat()).expect("packets");
    let collected = collector.finish().expect("the end");
    assert_eq!(collected.editor.layout().expect("an array").shape()[0], 0);
}

#[test]
fn lossy_filters_lose_what_they_should() {
    let mut random = Random(0x70DE);
    let floats: Vec<u8> = (0..3000).flat_map(|n| (n as f32).sin().to_le_bytes()).collect();
    let ints: Vec<u8> = (0..3000_i32).flat_map(|n| (n * n % 99_991).to_le_bytes()).collect();
    for (id, meta, plain) in [(TRUNC_PREC, 10, &floats), (INT_TRUNC, -4_i8 as u8, &ints)] {
        let mut cparams = CParams { codec: Codec::LZ4, typesize: 4, blocksize: 1024, ..CParams::default() };
        cparams.filters.slots = [0; 6].map(Filter::from);
        cparams.filters.slots[4] = Filter { id, meta };
        cparams.filters.slots[5] = SHUFFLE.into();
        let stream = Stream { cparams, packet_len: 120, plain: plain.clone(), flushes: Vec::new() };
        let bytes = stream.packets(1, &mut random).concat();
        let outcome = receive(ReceiveParams::default(), core::iter::once(&bytes[..]), 4);
        assert!(outcome.plain != *plain && outcome.plain.len() == plain.len());
        let close = |(a, b): (&[u8], &[u8])| {
            let [a, b] = [a, b].map(|item| <[u8; 4]>::try_from(item).expect("an item"));
            match id {
                TRUNC_PREC => {
                    (f32::from_le_bytes(a) - f32::from_le_bytes(b)).abs()
                        <= f32::from_le_bytes(b).abs() / 1024.0
                }
                _ => (0..16).contains(&(i32::from_le_bytes(b) - i32::from_le_bytes(a))),
            }
        };
        assert!(outcome.plain.chunks(4).zip(plain.chunks(4)).all(close));
    }
}

#[test]
fn images_are_sent_in_cells() {
    let mut random = Random(0xCE11);
    for (id, size) in [(NDCELL, 2), (NDMEAN, 4)] {
        let mut cparams =
            CParams { codec: Codec::LZ4, typesize: size, blocksize: 8 * 16 * size, ..CParams::default() };
        cparams.filters.slots[0] = Filter { id, meta: 4 };
        let cparams = cparams.with_blockshape(&[8, 16]);
        // Two blocks and a part of one, which is copied: each row of 16 items is a multiple of its cell.
        let plain: Vec<u8> = match id {
            NDCELL => samples(&mut random, 2, 300),
            _ => (0..300).flat_map(|n| (n as f32 / 16.0).floor().to_le_bytes()).collect(),
        };
        let stream = Stream { cparams, packet_len: 60, plain: plain.clone(), flushes: Vec::new() };
        let bytes = stream.packets(1, &mut random).concat();
        let outcome = receive(ReceiveParams::default(), core::iter::once(&bytes[..]), size as usize);
        assert_eq!((outcome.report.undecodable, outcome.plain.len()), (0, plain.len()));
        if id == NDCELL {
            assert!(outcome.plain == plain);
            continue;
        }
        let floats: Vec<f32> =
            outcome.plain.as_chunks().0.iter().map(|item| f32::from_le_bytes(*item)).collect();
        // The means of rows 0 to 3 and 4 to 7; and the rows themselves.
        assert_eq!((floats[0], floats[63], floats[64], floats[255]), (1.5, 1.5, 5.5, 13.5));
        assert_eq!((floats[256], floats[299]), (16.0, 18.0));
    }
}

#[test]
fn parameters_that_cannot_be_are_refused() {
    let mut bytes = vec![0; 4096];
    let mut refused = |change: &dyn Fn(&mut CParams), packet_len| {
        let mut cparams = CParams { typesize: 4, blocksize: 512, ..CParams::default() };
        change(&mut cparams);
        let mut tables = BloscLzTable::<512>::new();
        let sender = Sender::new(0, packet_len, cparams, EncodeWork::new(&mut bytes, &mut tables));
        sender.expect_err("refused").kind()
    };
    let parameter = |name, value| ErrorKind::Argument(ArgumentError::Parameter { name, value });
    assert_eq!(refused(&|_| {}, 16), parameter("packet length", 16));
    assert_eq!(refused(&|_| {}, 2049), parameter("packet length", 2049));
    assert_eq!(refused(&|cparams| cparams.blocksize = 0, 64), parameter("blocksize", 0));
    assert_eq!(refused(&|cparams| cparams.blocksize = 510, 64), parameter("blocksize", 510));
    assert_eq!(refused(&|cparams| cparams.blocksize = 65_536, 64), parameter("blocksize", 65_536));
    assert_eq!(
        refused(&|cparams| (cparams.typesize, cparams.blocksize) = (256, 512), 64),
        parameter("typesize", 256)
    );
    assert_eq!(
        refused(&|cparams| cparams.codec = Codec::ZSTD, 64),
        ErrorKind::Unsupported(Unsupported::Codec(5))
    );
    assert!(matches!(refused(&|cparams| cparams.blocksize = 4096, 64), ErrorKind::Limit(_)));
}

/// Decodes a chunk whose bytes arrive in pieces, and what follows in the last piece.
fn read_in_pieces(chunk: &[u8], len: usize, dst: &mut [u8]) -> Result<(bool, usize), b2nd::Error> {
    let header = Header::parse(chunk)?;
    let block = header.blocksize.min(1 << 20) as usize;
    let mut buffer = vec![0xEE; header.table_end() as usize + 2 * block + (40 << 10)];
    let mut area = vec![0xEE; 4 * block.max(256)];
    let mut tables = (Zlib::new(), (Zstd::new(), ZstdDict::new()));
    let mut reader = BlockReader::new(&mut buffer, AreaWork::new(&mut area, &mut tables, Registry::new()));
    let mut left = 0;
    for mut piece in chunk.chunks(len) {
        while let Some(block) = reader.read(&mut piece)? {
            dst[block.start..][..block.plain.len()].copy_from_slice(block.plain);
        }
        left += piece.len();
    }
    Ok((reader.is_done(), left))
}

#[test]
fn chunks_of_all_writers_are_decoded_as_they_arrive() {
    let (mut whole, mut with_delta, mut variable) = (0, 0, 0);
    for case in golden().iter().filter(|case| case.kind() == "chunk" && case.error().is_none()) {
        let bytes = fs::read(&case.path).expect("the file");
        let bytes = &bytes[case.offset() as usize..];
        let header = *Chunk::new(bytes).expect("a chunk").header();
        let bytes = &bytes[..header.cbytes as usize];
        let mut plain = vec![0xEE; header.nbytes as usize];
        for len in [1, 7, 1000, bytes.len()] {
            plain.fill(0xEE);
            let read = read_in_pieces(bytes, len, &mut plain);
            if header.body == Body::VlBlocks {
                assert_eq!(read, Err(Unsupported::VariableBlocks.into()), "{}", case.name);
                continue;
            }
            assert_eq!(read, Ok((true, 0)), "{} {len}", case.name);
            assert_eq!(sha256(&plain), case.slices()[0].1, "{} {len}", case.name);
        }
        variable += usize::from(header.body == Body::VlBlocks);
        with_delta += usize::from(header.filters.contains(DELTA) && header.nblocks > 1);
        whole += 1;
    }
    assert_eq!((whole, with_delta, variable), (379, 9, 2));
}

#[test]
fn damaged_chunks_are_refused_or_end_early() {
    let mut random = Random(0xDA);
    let plain = samples(&mut random, 4, 3000);
    let cparams = CParams { codec: Codec::LZ4, typesize: 4, blocksize: 1000, ..CParams::default() };
    let chunk = b2nd::chunk::ChunkEncoder::new(cparams).encode(&plain).expect("a chunk");
    let mut dst = vec![0; plain.len()];
    for len in 0..chunk.len() {
        let (mut buffer, mut area) = ([0; 4096], Area::<2000>::new(()));
        let mut reader = BlockReader::new(&mut buffer, area.work());
        let mut piece = &chunk[..len];
        while reader.read(&mut piece).expect("good so far").is_some() {}
        assert!(!reader.is_done() && piece.is_empty());
    }
    // A byte of another value: an error, or other values, as in any reader.
    for at in 0..chunk.len() {
        let mut damaged = chunk.clone();
        damaged[at] ^= 1 << random.below(8);
        let nbytes = Header::parse(&damaged).map_or(0, |header| header.nbytes as usize);
        if nbytes <= 1 << 20 {
            dst.resize(nbytes, 0);
            let _ = read_in_pieces(&damaged, 100, &mut dst);
        }
    }
}

/// The rows of three items of a stream, with one packet of each kind missing.
#[test]
fn rows_are_collected_and_lost_ones_are_listed() {
    let mut random = Random(0xC0);
    let plain = samples(&mut random, 2, 3 * 4000);
    let cparams = CParams { codec: Codec::LZ4, typesize: 2, blocksize: 96, ..CParams::default() };
    let stream = Stream { cparams, packet_len: 2048, plain, flushes: Vec::new() };
    let mut packets = stream.packets(5, &mut random);
    // The first is a description. Of 16 rows each; the block before the last, and two in the middle.
    packets.remove(41);
    packets.remove(41);
    packets.remove(packets.len() - 3);
    let params = ArrayParams::of_type::<i16>(&[0, 3]).with_chunks(&[1000, 3]).with_blocks(&[100, 3]);
    let editor = Editor::create_array(Memory::default(), &params).expect("an array");
    let mut collector = Collector::new(editor, ReceiveParams::default(), &[0xFF, 0x7F]).expect("a collector");
    let (start, end) = packets.split_at(packets.len() / 2);
    collector.push(&start.concat()).expect("rows");
    collector.commit().expect("a commit");
    let rows = collector.rows();
    assert_eq!(collector.lost().len(), 1, "more than the window has came after them");
    // A new collector goes on: what the first one held is lost.
    let frame = collector.finish().expect("the end").editor.into_sink();
    let editor = Editor::open(frame, b2nd::DParams::default()).expect("an editor");
    let mut collector = Collector::new(editor, ReceiveParams::default(), &[0xFF, 0x7F]).expect("a collector");
    assert!(collector.rows() >= rows);
    collector.push(&start.concat()).expect("old ones");
    collector.push(&end.concat()).expect("rows");
    let collected = collector.finish().expect("the end");
    assert!(collected.report.late > 50);
    let array = Array::from_source(collected.editor.into_sink()).expect("an array");
    assert_eq!(array.shape(), [4000, 3]);
    let said = array.attrs().expect("attributes")["collected"].clone();
    assert_eq!(said.get("stream").and_then(b2nd::msgpack::Value::as_u64), Some(5));
    let lost: Vec<Range<usize>> = said
        .get("lost")
        .and_then(b2nd::msgpack::Value::as_array)
        .expect("a list")
        .iter()
        .map(|pair| {
            pair.as_array()
                .expect("a pair")
                .iter()
                .map(|at| at.as_u64().expect("a row") as usize)
                .collect::<Vec<_>>()
        })
        .map(|pair| pair[0]..pair[1])
        .collect();
    assert_eq!(lost.iter().map(|rows| rows.len() as u64).sum::<u64>(), 48, "{lost:?}");
    let values = array.get(..).expect("values");
    for (row, (found, sent)) in values.chunks(6).zip(stream.plain.chunks(6)).enumerate() {
        let expected = if lost.iter().any(|rows| rows.contains(&row)) {
            &[0xFF, 0x7F, 0xFF, 0x7F, 0xFF, 0x7F]
        } else {
            sent
        };
        assert_eq!(found, expected, "{row}");
    }
}

#[test]
fn rows_of_parts_of_items_and_long_gaps_are_refused() {
    let mut random = Random(0x6A9);
    let cparams = CParams { codec: Codec::LZ4, typesize: 4, blocksize: 64, ..CParams::default() };
    let plain = samples(&mut random, 4, 4000);
    let stream = Stream { cparams, packet_len: 100, plain, flushes: Vec::new() };
    let packets = stream.packets(5, &mut random);
    let collector = |dtype, fill: &[u8], limits| {
        let params = ArrayParams::new(&[0, 3], dtype);
        let editor = Editor::create_array(Memory::default(), &params).expect("an array");
        Collector::new(editor, ReceiveParams::default(), fill).map(|collector| collector.with_limits(limits))
    };
    assert!(collector("<i2", &[0], Limits::default()).is_err(), "no item");
    let mut shorts = collector("<i2", &[0, 0], Limits::default()).expect("a collector");
    assert!(shorts.push(&packets.concat()).is_err(), "6 bytes for items of 4");
    let limits = Limits { memory: 1000, ..Limits::default() };
    let mut ints = collector("<i4", &[0; 4], limits).expect("a collector");
    let holed = [packets[..3].concat(), packets[30..].concat()].concat();
    let error = ints.push(&holed).expect_err("more than 1000 bytes are lost");
    assert!(error.to_string().contains("limits.memory"), "{error}");
    assert!(ints.push(&holed).is_err(), "nothing may follow");
    // Blocks of 16 items: 32 of them are 10 rows and two items.
    let collected = ints.finish().expect("what came before");
    let rows = collected.editor.get(..10).expect("rows");
    assert!(rows == stream.plain[..120] && collected.lost.iter().eq(&Some(10..11)));
}

/// Each packet claims a gap that the limit allows; all of them claim more.
#[test]
fn many_gaps_are_refused_as_one_is() {
    let mut random = Random(0x6AA);
    let cparams = CParams { codec: Codec::LZ4, typesize: 4, blocksize: 64, ..CParams::default() };
    let plain = samples(&mut random, 4, 9000);
    let stream = Stream { cparams, packet_len: 100, plain, flushes: Vec::new() };
    let packets = stream.packets(5, &mut random);
    let collect = |kept: usize, every: usize| {
        let editor =
            Editor::create_array(Memory::default(), &ArrayParams::new(&[0, 3], "<i4")).expect("an array");
        let limits = Limits { memory: 5000, ..Limits::default() };
        let collector = Collector::new(editor, ReceiveParams::default(), &[0; 4]).expect("a collector");
        let mut collector = collector.with_limits(limits);
        let left = packets.iter().enumerate().filter(|(n, _)| n / 20 % every < kept);
        collector.push(&left.map(|(_, packet)| &packet[..]).collect::<Vec<_>>().concat())
    };
    assert!(collect(2, 3).is_ok(), "fewer are lost than arrive");
    let error = collect(1, 4).expect_err("three times as many are lost as arrive");
    assert!(error.to_string().contains("limits.memory"), "{error}");
}
