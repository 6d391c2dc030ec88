//! Encoding with LZ4 and LZ4HC, with tables that are allocated on first use.

use super::hc::{Chains, encode as encode_hc};
use super::{acceleration, encode};
use crate::codec::encode::{is_best, table};
use alloc::vec::Vec;

/// Slots of LZ4's tables, for streams of less than 64 KiB and for longer ones: 16 KiB both.
const NEAR: usize = 1 << 13;
const FAR: usize = 1 << 12;

/// The tables of both encoders.
#[derive(Default)]
pub(in crate::codec) struct Encoder {
    near: Vec<u16>,
    far: Vec<u32>,
    heads: Vec<u32>,
    links: Vec<crate::codec::matcher::chains::Near>,
    nodes: Vec<crate::codec::matcher::optimal::Node>,
    /// A dictionary and the stream that it precedes.
    joined: Vec<u8>,
}

impl Encoder {
    pub(in crate::codec) fn fast(
        &mut self,
        src: &[u8],
        dict: &[u8],
        dst: &mut [u8],
        clevel: u8,
    ) -> Option<usize> {
        let src = join(dict, src, &mut self.joined);
        let acceleration = acceleration(clevel);
        if src.len() < 1 << 16 {
            encode(src, dict.len(), dst, table::<_, NEAR>(&mut self.near)?, acceleration)
        } else {
            encode(src, dict.len(), dst, table::<_, FAR>(&mut self.far)?, acceleration)
        }
    }

    pub(in crate::codec) fn hc(
        &mut self,
        src: &[u8],
        dict: &[u8],
        dst: &mut [u8],
        clevel: u8,
    ) -> Option<usize> {
        let src = join(dict, src, &mut self.joined);
        let chains = Chains { heads: table(&mut self.heads)?, links: table(&mut self.links)?, threes: None };
        let nodes = if is_best(clevel) { Some(table(&mut self.nodes)?) } else { None };
        encode_hc(src, dict.len(), dst, chains, nodes, clevel)
    }
}

/// The stream behind its dictionary, if it has one.
fn join<'a>(dict: &[u8], src: &'a [u8], joined: &'a mut Vec<u8>) -> &'a [u8] {
    if dict.is_empty() {
        return src;
    }
    joined.clear();
    joined.extend_from_slice(dict);
    joined.extend_from_slice(src);
    joined
}
