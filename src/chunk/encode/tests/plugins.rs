//! Codecs and filters of the host's own.

use super::*;
use crate::DParams;
use crate::codec::{Corrupt, PlainStream, Plugin, Registry, Stream};
use crate::filter::{self, Block, Inapplicable};

/// Leaves out the zeros at the end of a stream, and XORs with its parameter.
struct Trimmed;

impl Plugin for Trimmed {
    fn name(&self) -> &'static str {
        "trimmed"
    }

    fn needs_shape(&self) -> bool {
        true
    }

    fn decode(&self, stream: &Stream<'_>, dst: &mut [u8]) -> Result<(), Corrupt> {
        let (start, end) = dst.split_at_mut_checked(stream.src.len()).ok_or(Corrupt)?;
        start.iter_mut().zip(stream.src).for_each(|(to, from)| *to = from ^ stream.meta);
        end.fill(0);
        Ok(())
    }

    fn encodes(&self) -> bool {
        true
    }

    fn encode(&self, stream: &PlainStream<'_>, dst: &mut [u8]) -> Option<usize> {
        assert_eq!((stream.clevel, stream.typesize, stream.blockshape), (3, 2, &[100][..]));
        let len = stream.src.iter().rposition(|byte| *byte != 0)? + 1;
        dst.get_mut(..len)?.iter_mut().zip(stream.src).for_each(|(to, from)| *to = from ^ stream.meta);
        Some(len)
    }
}

/// Says that it wrote more than there is room for.
struct Liar;

impl Plugin for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn decode(&self, _: &Stream<'_>, _: &mut [u8]) -> Result<(), Corrupt> {
        Err(Corrupt)
    }

    fn encodes(&self) -> bool {
        true
    }

    fn encode(&self, _: &PlainStream<'_>, dst: &mut [u8]) -> Option<usize> {
        Some(dst.len() + 7)
    }
}

struct DecodesOnly;

impl Plugin for DecodesOnly {
    fn name(&self) -> &'static str {
        "decodes only"
    }

    fn decode(&self, _: &Stream<'_>, _: &mut [u8]) -> Result<(), Corrupt> {
        Err(Corrupt)
    }
}

/// Clears the lowest bit and adds the parameter; only for items of two bytes.
struct Even;

impl filter::Plugin for Even {
    fn name(&self) -> &'static str {
        "even"
    }

    fn forward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
        if block.typesize != 2 {
            return Err(Inapplicable);
        }
        dst.iter_mut().zip(block.src).for_each(|(to, from)| *to = (from & !1).wrapping_add(block.meta));
        Ok(())
    }

    fn backward(&self, block: &Block<'_>, dst: &mut [u8]) -> Result<(), Inapplicable> {
        if block.meta == 13 {
            return Err(Inapplicable);
        }
        dst.iter_mut().zip(block.src).for_each(|(to, from)| *to = from.wrapping_sub(block.meta));
        Ok(())
    }
}

fn registry() -> Registry {
    let mut registry = Registry::of(&[(Codec(200), &Trimmed), (Codec(202), &DecodesOnly)]);
    registry.insert_shared(Codec(201), alloc::sync::Arc::new(Liar));
    registry.insert_filter(210, &Even);
    registry.insert_shared_filter(211, alloc::sync::Arc::new(Even));
    registry
}

fn cparams() -> CParams {
    CParams { clevel: 3, typesize: 2, registry: registry(), ..CParams::default() }
}

fn scratch() -> Scratch {
    Scratch::new(&DParams { registry: registry(), ..DParams::default() })
}

/// Items below 256, so that half of the shuffled bytes are zeros.
fn items() -> Vec<u8> {
    (0..2000_u16).flat_map(|i| (i / 16 * 7 % 251).to_le_bytes()).collect()
}

#[test]
fn a_codec_of_the_host_encodes_and_decodes() {
    let plain = items();
    let cparams = CParams {
        codec: Codec(200),
        codec_meta: 0x55,
        blockshape: vec![100],
        splitmode: SplitMode::Never,
        ..cparams()
    };
    let bytes = ChunkEncoder::new(cparams.clone()).encode(&plain).unwrap();
    assert!(bytes.len() < plain.len() * 6 / 10);
    let header = Header::parse(&bytes).unwrap();
    assert_eq!((header.codec, header.codec_meta, bytes[2] >> 5), (Codec(200), 0x55, 6));
    let context = Context { blockshape: &[100], ..Context::default() };
    let chunk = Chunk::with_context(&bytes, context).unwrap();
    assert_eq!(chunk.decode(&mut scratch()).unwrap(), plain);
    assert_eq!(chunk.decode(&mut Scratch::default()).unwrap_err(), Unsupported::Codec(200).into());

    let shapeless = CParams { blockshape: vec![], ..cparams };
    let error = ChunkEncoder::new(shapeless).encode(&plain).unwrap_err();
    assert_eq!(error, Unsupported::Shapeless(200).into());
}

#[test]
fn codecs_that_cannot_encode_are_refused() {
    let refused = |codec, format| {
        let error = ChunkEncoder::new(CParams { codec, format, ..cparams() }).encode(&items()).unwrap_err();
        assert_eq!(error, Unsupported::Codec(codec.0).into());
    };
    refused(Codec(202), ChunkFormat::Blosc2);
    refused(Codec(203), ChunkFormat::Blosc2);
    // Headers of Blosc1 cannot name it.
    refused(Codec(201), ChunkFormat::Blosc1);
    // A stream that did not fit is stored.
    let bytes = ChunkEncoder::new(CParams { codec: Codec(201), ..cparams() }).encode(&items()).unwrap();
    assert_eq!(Chunk::new(&bytes).unwrap().decode(&mut scratch()).unwrap(), items());
}

#[test]
fn a_filter_of_the_host_works_among_others() {
    let plain = items();
    let even: Vec<u8> = plain.iter().map(|byte| byte & !1).collect();
    let mut pipelines = vec![pipeline(&[(210, 8)]), pipeline(&[(210, 8), (SHUFFLE, 0), (211, 3)])];
    if cfg!(feature = "filters") {
        // Blocks refer to the first one as it is decoded.
        pipelines
            .extend([pipeline(&[(210, 8), (DELTA, 0)]), pipeline(&[(DELTA, 0), (SHUFFLE, 0), (210, 2)])]);
    }
    for filters in pipelines {
        let delta_first = filters.slots[0].id == DELTA;
        let cparams = CParams { filters, blocksize: 512, ..cparams() };
        let bytes = ChunkEncoder::new(cparams).encode(&plain).unwrap();
        assert_eq!(Header::parse(&bytes).unwrap().body, Body::Blocks);
        let chunk = Chunk::new(&bytes).unwrap();
        let decoded = chunk.decode(&mut scratch()).unwrap();
        // What is lost after DELTA is another bit.
        assert!(if delta_first { decoded.len() == even.len() } else { decoded == even }, "{filters:?}");
        let mut some = [0; 40];
        chunk.items_into(300..320, &mut some, &mut scratch()).unwrap();
        assert_eq!(some[..], decoded[600..640]);
        let id = filters.iter().last().map_or(0, |last| last.id);
        if id != DELTA {
            let unknown = chunk.decode(&mut Scratch::default()).unwrap_err();
            assert_eq!(unknown, Unsupported::Filter(id).into());
        }
    }
}

#[test]
fn filters_that_do_not_apply_are_errors() {
    let of = |filters: &[(u8, i8)], typesize| CParams { filters: pipeline(filters), typesize, ..cparams() };
    let refused = |cparams| ChunkEncoder::new(cparams).encode(&items()).unwrap_err();
    assert_eq!(refused(of(&[(210, 0)], 4)), ArgumentError::Inapplicable(210).into());
    assert_eq!(refused(of(&[(212, 0)], 2)), Unsupported::Filter(212).into());
    // Built-in ones stay what they are.
    let mut cparams = of(&[(SHUFFLE, 0)], 2);
    cparams.registry.insert_filter(SHUFFLE, &Even);
    let bytes = ChunkEncoder::new(cparams).encode(&items()).unwrap();
    assert_eq!(Chunk::new(&bytes).unwrap().decode(&mut scratch()).unwrap(), items());
    let bytes = ChunkEncoder::new(of(&[(210, 13)], 2)).encode(&items()).unwrap();
    let error = Chunk::new(&bytes).unwrap().decode(&mut scratch()).unwrap_err();
    assert!(matches!(error.kind(), crate::ErrorKind::Format(_)), "{error}");
}

#[test]
fn registries_are_equal_if_their_plugins_are_the_same() {
    let one = registry();
    assert_eq!(one, one.clone());
    assert_ne!(one, registry(), "shared plugins of their own");
    assert_ne!(one, Registry::new());
    let mut other = one.clone();
    other.insert_filter(211, &Even);
    assert_ne!(one, other);
    assert_eq!(alloc::format!("{one:?}").matches("even").count(), 2);
    assert!(one.get_filter(211).is_some() && one.get_filter(212).is_none());
}
