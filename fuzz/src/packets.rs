//! Packets of a stream, and chunks, whose bytes arrive in pieces.

use super::bounds::{LIMITS, call, is_wrong};
use b2nd::chunk::stream::{BlockReader, PACKET_HEADER, ReceiveParams, Received, Receiver, Report, Sender};
use b2nd::chunk::{AreaWork, Body, CParams, Chunk, EncodeWork};
use b2nd::codec::{BloscLzTable, Codec, Lz4Table, Zlib, Zstd, ZstdDict};
use b2nd::{DParams, Scratch};

/// Any bytes are packets or are skipped. In pieces of any length they give the same items in ascending order, each once.
pub fn packets(bytes: &[u8]) {
    let mut sealed = bytes.to_vec();
    seal(&mut sealed);
    for bytes in [bytes, &sealed] {
        let (whole, report) = received(bytes, bytes.len().max(1));
        let (pieces, other) = received(bytes, 1 + bytes.len() / 7);
        assert!(whole == pieces && report == other, "{report:?} {other:?}");
        let known = report.items + report.lost;
        assert_eq!(whole.iter().map(|(_, count)| count).sum::<u64>(), known, "{report:?}");
    }
}

/// The first item and the number of each event, joined where nothing comes between, and the counts.
fn received(bytes: &[u8], len: usize) -> (Vec<(Vec<u8>, u64)>, Report) {
    let mut receiver = Receiver::new(ReceiveParams { window: 3, ..ReceiveParams::default() });
    let (mut events, mut next) = (Vec::new(), 0);
    let mut take = |receiver: &mut Receiver| {
        while let Some(event) = receiver.next() {
            let (first, end, plain) = match event {
                Received::Items { first, plain } => {
                    let count = plain.len() / receiver.typesize().expect("a description");
                    (first, first + count as u64, plain)
                }
                Received::Lost { items } => (items.start, items.end, Vec::new()),
            };
            assert!(first == next && end > first, "{first}..{end} after {next}");
            next = end;
            match events.last_mut() {
                Some((before, count)) if plain.is_empty() && Vec::is_empty(before) => *count += end - first,
                _ => events.push((plain, end - first)),
            }
        }
    };
    for piece in bytes.chunks(len) {
        receiver.push(piece);
        take(&mut receiver);
    }
    receiver.finish();
    take(&mut receiver);
    (events, *receiver.report())
}

/// Gives what looks like packets the checksums that belong to them.
fn seal(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(head) = bytes.get(at..at + PACKET_HEADER) {
        let len = PACKET_HEADER + usize::from(u16::from_le_bytes([head[10], head[11]]));
        let looks = head[0] == 0xB2 && head[1] >> 5 == 2;
        let Some(packet) = bytes.get_mut(at..at + len).filter(|_| looks) else {
            at += 1;
            continue;
        };
        let crc = packet[..12].iter().chain(&packet[PACKET_HEADER..]).fold(!0_u32, |crc, &byte| {
            (0..8).fold(crc ^ u32::from(byte), |crc, _| crc >> 1 ^ (0xEDB8_8320 & (crc & 1).wrapping_neg()))
        });
        packet[12..PACKET_HEADER].copy_from_slice(&(!crc).to_le_bytes());
        at += len;
    }
}

/// Any bytes are a chunk that is decoded as it arrives to what it is in memory, or give an error.
pub fn arrival(bytes: &[u8]) {
    let Some(chunk) = call("open a chunk", || Chunk::new(bytes)) else { return };
    let header = *chunk.header();
    if u64::from(header.nbytes) > LIMITS.memory || header.body == Body::VlBlocks {
        return;
    }
    let dparams = DParams { limits: LIMITS, ..DParams::default() };
    let expected = call("decode", || chunk.decode(&mut Scratch::new(&dparams)));
    let (mut buffer, mut area) = (vec![0xEE; 1 << 20], vec![0x55; 1 << 20]);
    let mut tables = (Zlib::new(), (Zstd::new(), ZstdDict::new()));
    let work = AreaWork::new(&mut area, &mut tables, Default::default());
    let (mut reader, mut plain) = (BlockReader::new(&mut buffer, work), vec![0xAA; header.nbytes as usize]);
    for mut piece in bytes.chunks(1 + bytes.len() / 5) {
        loop {
            match reader.read(&mut piece) {
                Ok(Some(block)) => plain[block.start..][..block.plain.len()].copy_from_slice(block.plain),
                Ok(None) => break,
                // Blocks in another order, or more than the buffer has.
                error => return assert!(!is_wrong(&error) || expected.is_none(), "{error:?}"),
            }
        }
    }
    assert!(reader.is_done(), "all of it was there");
    assert!(expected.is_none_or(|expected| expected == plain), "other bytes than in memory");
}

/// Packets of a stream, to be changed.
pub fn sent(typesize: u32, codec: Codec) -> Vec<u8> {
    let (mut bytes, mut tables) = (vec![0; 4096], (BloscLzTable::<512>::new(), Lz4Table::<512>::new()));
    let cparams = CParams { codec, typesize, blocksize: 20 * typesize, ..CParams::default() };
    let work = EncodeWork::new(&mut bytes, &mut tables);
    let mut sender = Sender::new(7, 60, cparams, work).expect("a sender");
    let mut sent = Vec::new();
    for n in 0..200_u64 {
        sender.push(&(n / 30 * n).to_le_bytes()[..typesize as usize]).expect("samples");
        if n % 77 == 0 {
            sender.flush();
        }
        while let Some(packet) = sender.packet().expect("a packet") {
            sent.extend_from_slice(packet);
        }
    }
    sent
}
