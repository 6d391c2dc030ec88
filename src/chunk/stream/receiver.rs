//! Items of the packets that arrive.

use super::packet::{Found, Kind, PacketHeader, find};
use super::partial::{Description, Partial};
use crate::chunk::Scratch;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::vec::Vec;
use core::ops::Range;

/// How packets become items.
///
/// ```
/// use b2nd::chunk::stream::ReceiveParams;
/// // The rest of a stream, of which 4000 items are there.
/// let params = ReceiveParams { stream: Some(7), from: Some(4000), ..ReceiveParams::default() };
/// assert_eq!(params.window, 64);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiveParams {
    /// The stream; by default that of the first packet.
    pub stream: Option<u16>,
    /// Number of the first item; 0 by default. With `None` it is that of the first block that arrives.
    pub from: Option<u64>,
    /// Blocks that may arrive before an earlier one, or a missing part of it; 64 by default. If more do, it is lost.
    pub window: usize,
}

impl Default for ReceiveParams {
    fn default() -> Self {
        Self { stream: None, from: Some(0), window: 64 }
    }
}

/// The next items of a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Received {
    /// Items that arrived.
    Items {
        /// Number of the first one.
        first: u64,
        /// Their bytes.
        plain: Vec<u8>,
    },
    /// Items that did not.
    Lost {
        /// Their numbers.
        items: Range<u64>,
    },
}

/// Counts of what arrived and what was lost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// Packets of the stream that arrived whole, with duplicates and late ones.
    pub packets: u64,
    /// Packets with a wrong checksum. Some may be garbage that looks like one.
    pub damaged: u64,
    /// Bytes that belong to no packet.
    pub garbage: u64,
    /// Packets that arrived before.
    pub duplicates: u64,
    /// Packets that arrived when their block was lost already, or once more after their block.
    pub late: u64,
    /// Packets of other streams.
    pub others: u64,
    /// Descriptions that cannot be, or differ from the stream's first one.
    pub descriptions: u64,
    /// Blocks that cannot be decoded.
    pub undecodable: u64,
    /// Blocks that arrived.
    pub blocks: u64,
    /// Items that arrived.
    pub items: u64,
    /// Items that did not.
    pub lost: u64,
}

/// Takes bytes of a serial line or a radio, finds the packets of a [`Sender`](super::Sender), puts their blocks in order, and
/// decodes them. Items come in order, each exactly once: as [`Received::Items`] or as [`Received::Lost`].
///
/// It skips garbage, packets with a wrong checksum, and duplicates. It holds the blocks that arrived before an earlier one, which
/// are at most [`ReceiveParams::window`].
#[derive(Debug)]
pub struct Receiver {
    params: ReceiveParams,
    report: Report,
    /// Bytes that are no complete packet yet.
    bytes: Vec<u8>,
    description: Option<Description>,
    /// A description of which parts are missing.
    described: Option<(u32, Partial)>,
    blocks: BTreeMap<u64, Partial>,
    /// Number of the next item.
    next: Option<u64>,
    /// Items that were sent, as far as is known.
    count: u64,
    ready: VecDeque<Received>,
    scratch: Scratch,
}

impl Receiver {
    /// A receiver that nothing has arrived at.
    ///
    /// ```
    /// use b2nd::chunk::stream::{ReceiveParams, Receiver};
    /// let mut receiver = Receiver::new(ReceiveParams::default());
    /// receiver.push(b"no packet");
    /// receiver.finish();
    /// assert_eq!((receiver.next(), receiver.report().garbage), (None, 9));
    /// ```
    #[must_use]
    pub fn new(params: ReceiveParams) -> Self {
        Self {
            params,
            report: Report::default(),
            bytes: Vec::new(),
            description: None,
            described: None,
            blocks: BTreeMap::new(),
            next: params.from,
            count: 0,
            ready: VecDeque::new(),
            scratch: Scratch::default(),
        }
    }

    /// The counts so far.
    ///
    /// ```
    /// # use b2nd::chunk::stream::{ReceiveParams, Receiver};
    /// let receiver = Receiver::new(ReceiveParams::default());
    /// assert_eq!(receiver.report().packets, 0);
    /// ```
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// The stream, once it is known.
    ///
    /// ```
    /// # use b2nd::chunk::stream::{ReceiveParams, Receiver};
    /// let params = ReceiveParams { stream: Some(7), ..ReceiveParams::default() };
    /// assert_eq!(Receiver::new(params).stream(), Some(7));
    /// ```
    pub const fn stream(&self) -> Option<u16> {
        self.params.stream
    }

    /// Bytes of an item, once a description has arrived.
    ///
    /// ```
    /// # use b2nd::chunk::stream::{ReceiveParams, Receiver};
    /// assert_eq!(Receiver::new(ReceiveParams::default()).typesize(), None);
    /// ```
    pub fn typesize(&self) -> Option<usize> {
        self.description.as_ref().map(Description::typesize)
    }

    /// Takes bytes as they arrive, in pieces of any length.
    ///
    /// ```
    /// # use b2nd::chunk::stream::{ReceiveParams, Receiver};
    /// let mut receiver = Receiver::new(ReceiveParams::default());
    /// receiver.push(b"noise");
    /// assert_eq!(receiver.report().garbage, 5);
    /// ```
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        self.scan(false);
    }

    /// Says that no more bytes arrive: what is missing now is lost.
    ///
    /// ```
    /// # use b2nd::chunk::stream::{ReceiveParams, Receiver};
    /// let mut receiver = Receiver::new(ReceiveParams::default());
    /// // It may be the start of a packet.
    /// receiver.push(b"\xB2");
    /// assert_eq!(receiver.report().garbage, 0);
    /// receiver.finish();
    /// assert_eq!(receiver.report().garbage, 1);
    /// ```
    pub fn finish(&mut self) {
        self.scan(true);
        self.release(0);
        if let Some(next) = self.next {
            self.lose(next..self.count.max(next));
        }
    }

    /// The next items, or `None` until more arrives.
    ///
    /// ```
    /// # use b2nd::chunk::stream::{ReceiveParams, Receiver};
    /// assert_eq!(Receiver::new(ReceiveParams::default()).next(), None);
    /// ```
    #[expect(clippy::should_implement_trait, reason = "more may follow a `None`")]
    pub fn next(&mut self) -> Option<Received> {
        self.ready.pop_front()
    }

    /// Takes the packets out of the bytes.
    fn scan(&mut self, ended: bool) {
        let bytes = core::mem::take(&mut self.bytes);
        let mut at = 0;
        while at < bytes.len() {
            match find(&bytes[at..]) {
                Found::Packet(header, payload) => {
                    at += super::PACKET_HEADER + payload.len();
                    self.take(&header, payload);
                    continue;
                }
                Found::Incomplete if !ended => break,
                // A complete packet may follow the start of one.
                Found::Incomplete | Found::Other => {}
                Found::Damaged => self.report.damaged += 1,
            }
            at += 1;
            self.report.garbage += 1;
        }
        self.bytes = bytes;
        self.bytes.drain(..at);
    }

    fn take(&mut self, header: &PacketHeader, payload: &[u8]) {
        if *self.params.stream.get_or_insert(header.stream) != header.stream {
            self.report.others += 1;
            return;
        }
        self.report.packets += 1;
        match header.kind {
            Kind::Description => self.describe(header, payload),
            Kind::Count => {
                self.count = self.count.max(self.number(header.item));
                self.next.get_or_insert(self.count);
            }
            _ => self.take_block(header, payload),
        }
        self.release(self.params.window);
    }

    fn describe(&mut self, header: &PacketHeader, payload: &[u8]) {
        let described = self.described.take().filter(|(item, _)| *item == header.item);
        let (_, mut partial) = described.unwrap_or_else(|| (header.item, Partial::new(header)));
        self.report.duplicates += u64::from(!partial.take(header, payload));
        match partial.bytes().map(|bytes| Description::parse(&bytes)) {
            None => self.described = Some((header.item, partial)),
            Some(Ok(description)) if self.description.as_ref().is_none_or(|known| *known == description) => {
                self.description = Some(description);
            }
            Some(_) => self.report.descriptions += 1,
        }
    }

    fn take_block(&mut self, header: &PacketHeader, payload: &[u8]) {
        let number = self.number(header.item);
        if number < *self.next.get_or_insert(number) {
            self.report.late += 1;
            return;
        }
        let block = self.blocks.entry(number).or_insert_with(|| Partial::new(header));
        self.report.duplicates += u64::from(!block.take(header, payload));
    }

    /// The number of an item that is sent modulo 2³²: the nearest to the next one.
    fn number(&self, item: u32) -> u64 {
        let next = self.next.unwrap_or(0);
        let ahead = i64::from(item.wrapping_sub(next as u32) as i32);
        // Before the start there is nothing: it is far ahead.
        next.checked_add_signed(ahead)
            .unwrap_or_else(|| next.saturating_add(item.wrapping_sub(next as u32).into()))
    }

    /// Hands out the blocks that are next, and gives up missing ones while more than `window` blocks wait.
    fn release(&mut self, window: usize) {
        if self.description.is_none() {
            // Nobody knows how long its items are: what is lost is told later.
            while self.blocks.len() > window {
                self.blocks.pop_first();
            }
            return;
        }
        while let Some((&first, block)) = self.blocks.first_key_value() {
            let Some(next) = self.next else { return };
            if first < next {
                // It overlaps the one before it.
                self.blocks.pop_first();
                self.report.undecodable += 1;
            } else if first == next && block.is_complete() {
                self.decode_first();
            } else if self.blocks.len() > window {
                self.give_up(next, first);
            } else {
                return;
            }
        }
    }

    /// Decodes the first block, which is the next one.
    fn decode_first(&mut self) {
        let (Some((first, block)), Some(description)) = (self.blocks.pop_first(), &self.description) else {
            return;
        };
        match description.decode(&block, &mut self.scratch) {
            Ok(plain) => {
                let items = (plain.len() / description.typesize()) as u64;
                self.next = Some(first + items);
                self.report.blocks += 1;
                self.report.items += items;
                self.ready.push_back(Received::Items { first, plain });
            }
            Err(_) => {
                self.report.undecodable += 1;
                self.count(first, &block);
            }
        }
    }

    /// Counts the items of a block that is given up. They are lost once a later block is there.
    fn count(&mut self, first: u64, block: &Partial) {
        let len = self.description.as_ref().and_then(|description| description.items(block));
        self.count = self.count.max(first + len.unwrap_or(1));
    }

    /// Gives up what is missing before the first block, or this block, of which parts are missing.
    fn give_up(&mut self, next: u64, first: u64) {
        if next < first {
            self.lose(next..first);
        } else if let Some((first, block)) = self.blocks.pop_first() {
            self.count(first, &block);
        }
    }

    fn lose(&mut self, items: Range<u64>) {
        if items.is_empty() {
            return;
        }
        self.report.lost += items.end - items.start;
        self.next = Some(items.end);
        match self.ready.back_mut() {
            Some(Received::Lost { items: before }) if before.end == items.start => before.end = items.end,
            _ => self.ready.push_back(Received::Lost { items }),
        }
    }
}
