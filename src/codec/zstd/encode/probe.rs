//! A look at a sample of a stream, which tells what is worth trying. Half of the streams of shuffled numbers have skewed bytes or
//! noise, and no matches.
//!
//! Every [`STRIDE`] bytes a position is entered into a table. In each of [`PART`] bytes, as many consecutive positions are
//! looked up: so all distances are possible.
//!
//! Level 1 asks only for the entropy, unless that is the one of noise: its finder steps on as fast where there are no matches.
//!
//! The bytes for the entropy come from all of the stream: without its end, text behind zeros took 2.5 times C's space at level 3. Where
//! few bytes tell that most are the same, more are counted: segments of an image took up to 1.3 times the space at level 1.
//!
//! Its gain, measured on the 23 kinds of data of the bench, shuffled: without it, level 1 makes them 4.6 % longer and takes
//! 4 % more time in the mean, level 5 41 % more time, level 9 29 %. The sizes come from [`Probe::entropy`], the price of a
//! literal; the time comes from streams without matches (17 % at level 5) and from noise (5 %). Some kinds lose: without it,
//! the ids of level 5 are 14 % shorter and take 3.7 times as long.
//!
//! `codec::matcher::probe` has another one, for codecs that only give up a stream or search it.

use super::fse::BIT;
use crate::codec::matcher::probe::log2;
use crate::codec::matcher::read;
use crate::simd::{Instructions, Work, widest};

/// Bytes between positions that are entered; as many are looked up in a row.
const STRIDE: usize = 32;
/// Bytes of which so many in a row are looked up.
const PART: usize = 1024;
/// Shorter streams are not looked at.
const LEAST: usize = 16 * PART;
/// Bytes that tell the entropy, and those that are enough if it is neither near that of noise nor low.
const SAMPLE: usize = 4096;
const FIRST: usize = 1024;
/// Far, by the estimate from few bytes, which is up to 0.2 bits too low.
const FAR: u32 = 7 * BIT;
/// Fewer bits than this few bytes do not tell: most of them are the same.
const LOW: u32 = BIT / 4;
/// Bytes that are counted in a row.
const SLICE: usize = 32;
/// Matches are worth looking for if one of so many positions begins one.
const RARE: usize = 32;
/// Positions where matches by the distances of small items are looked for: parts, and positions in each.
const NEAR: (usize, usize) = (16, 8);
/// The farthest of these distances.
const ITEM: usize = 16;
/// Bytes of at least this entropy are stored as they are: Huffman codes would save less than they have to.
const NOISE: u32 = 8 * BIT - BIT / 10;

/// Bits of a short match.
const SHORT_MATCH: u32 = 26;

/// The shortest matches that a finder can find.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shortest {
    /// Of five bytes.
    Five,
    /// Of four bytes, but only nearby ones are worth a search.
    Near,
    /// Of four bytes.
    Four,
}

/// The properties of a stream.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    /// The entropy of its bytes, in bits times [`BIT`].
    pub(super) entropy: u32,
    /// Whether there seem to be matches.
    pub(super) matches: bool,
}

impl Probe {
    /// Looks at `src[start..]`, which follows on a dictionary, for matches that a finder can find. `table` need not be empty.
    #[cfg_attr(target_family = "wasm", inline(never))]
    pub(super) fn new(src: &[u8], start: usize, table: &mut [u32], shortest: Shortest) -> Self {
        widest(Look { src, start, table, shortest })
    }

    /// Whether nothing will make the stream shorter.
    pub(super) const fn is_noise(&self) -> bool {
        !self.matches && self.entropy >= NOISE
    }

    /// Whether no matches were seen, but those of four bytes take less than the bytes, so that [`Shortest::Four`] may tell of some.
    pub(super) const fn leaves_short_matches(&self) -> bool {
        !self.matches && 5 * self.entropy > SHORT_MATCH * BIT
    }
}

struct Look<'a> {
    src: &'a [u8],
    start: usize,
    table: &'a mut [u32],
    shortest: Shortest,
}

impl Work for Look<'_> {
    type Output = Probe;

    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn run(self, _: impl Instructions) -> Probe {
        let Self { src, start, table, shortest } = self;
        if src.len() - start < LEAST {
            return Probe { entropy: 8 * BIT, matches: true };
        }
        let mut entropy = entropy(&src[start..], FIRST);
        if !(LOW..FAR).contains(&entropy) {
            entropy = self::entropy(&src[start..], SAMPLE);
        }
        // What takes fewer bits than a match is no match.
        let bytes = |bits: u32| (bits * BIT / entropy.max(1)).min(8);
        let least = if shortest == Shortest::Four { bytes(SHORT_MATCH).max(4) } else { bytes(30).max(5) };
        let near = if shortest == Shortest::Five { 5 } else { 3 };
        let matches = (shortest == Shortest::Five && entropy < NOISE)
            || has_matches(src, start, table, least)
            || has_near(src, start, bytes(18).max(near));
        Probe { entropy, matches }
    }
}

/// Whether matches of `least` bytes are not rare.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn has_matches(src: &[u8], start: usize, table: &mut [u32], least: u32) -> bool {
    let bits = (2 * src.len() / STRIDE).min(table.len()).ilog2();
    let table = &mut table[..1 << bits];
    table.fill(0);
    let mask = table.len() - 1;
    let others = 64 - 8 * least.min(5);
    let slot =
        |bytes: u64| ((bytes << others).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - bits)) as usize & mask;
    let enough = (src.len() - start) / (PART * RARE) + 1;
    let mut hits = 0;
    for part in (0..src.len() - PART - 8).step_by(PART) {
        if part >= start {
            let first = part + (part / PART * 7 * STRIDE) % PART;
            for at in first..first + STRIDE {
                let bytes = eight(src, at);
                let candidate = table[slot(bytes)] as usize;
                hits += usize::from(candidate < at && same(bytes, eight(src, candidate)) >= least);
            }
            if hits >= enough {
                return true;
            }
        }
        for at in (part..part + PART).step_by(STRIDE) {
            table[slot(eight(src, at))] = at as u32;
        }
    }
    false
}

/// Whether matches of `least` bytes with the distance of a small item are not rare.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn has_near(src: &[u8], start: usize, least: u32) -> bool {
    let (parts, positions) = NEAR;
    let step = (src.len() - start - PART) / parts;
    let mut hits = [0; ITEM];
    for part in 0..parts {
        let first = start + part * step + ITEM;
        for at in first..first + positions {
            let bytes = eight(src, at);
            for (hits, dist) in hits.iter_mut().zip(1..) {
                *hits += usize::from(same(bytes, eight(src, at - dist)) >= least);
            }
        }
    }
    hits.iter().any(|hits| *hits > parts * positions / RARE)
}

#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn eight(src: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(read(src, at))
}

/// How many bytes are the same, up to the first that is not.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
const fn same(a: u64, b: u64) -> u32 {
    (a ^ b).trailing_zeros() / 8
}

/// The entropy of a sample of so many bytes from all of the stream, in bits times [`BIT`]. `wanted` is a power of two.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn entropy(bytes: &[u8], wanted: usize) -> u32 {
    let mut counts = [[0u16; 256]; 4];
    let slices = wanted / SLICE;
    let step = bytes.len() / slices;
    let mut random = 1_u32;
    for part in bytes.chunks_exact(step).take(slices) {
        // Any place in each part: rows of an image may be as long.
        random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let slice = &part[(random >> 8) as usize % (step - SLICE)..][..SLICE];
        // Several tables: a run of one byte would wait for each addition.
        for four in slice.as_chunks::<4>().0 {
            for (counts, byte) in counts.iter_mut().zip(four) {
                counts[usize::from(*byte)] += 1;
            }
        }
    }
    let sums = (0..256).map(|byte| counts.iter().map(|counts| u32::from(counts[byte])).sum());
    let counts = sums.filter(|count: &u32| *count > 0);
    let sum: u64 = counts.map(|count| u64::from(count) * u64::from(log2(count))).sum();
    log2(wanted as u32) - (sum / wanted as u64) as u32
}

#[cfg(all(test, not(miri)))]
mod tests {
    use super::*;
    use crate::codec::tests::Random;
    use alloc::vec;
    use alloc::vec::Vec;

    const LEN: usize = 40_000;

    fn probe(src: &[u8]) -> Probe {
        Probe::new(src, 0, &mut vec![9; 1 << 15], Shortest::Near)
    }

    #[test]
    fn tells_noise_from_skewed_bytes() {
        let mut random = Random(51);
        let noise: Vec<u8> = (0..LEN).map(|_| random.next() as u8).collect();
        assert!((LEAST..LEN).step_by(1999).all(|len| probe(&noise[..len]).is_noise()));
        let skewed: Vec<u8> =
            noise.iter().map(|byte| (byte & 31) + (byte >> 5) * u8::from(*byte < 128)).collect();
        let Probe { entropy, matches } = probe(&skewed);
        assert!(!matches && (4 * BIT..6 * BIT).contains(&entropy), "{entropy}");
        let four: Vec<u8> = noise.iter().map(|byte| byte & 15).collect();
        assert!(probe(&four).entropy.abs_diff(4 * BIT) < BIT / 20);
    }

    #[test]
    fn all_of_the_stream_counts() {
        let mut random = Random(53);
        let mut skewed = |len: usize| (0..len).map(|_| random.next() as u8 & 15).collect::<Vec<u8>>();
        for len in [24_576, 49_152, 98_304, 300_000] {
            for (zeros, expected) in [(0, 4 * BIT), (len / 3 * 2, 560), (len / 32 * 31, 66)] {
                let late = [vec![0; zeros], skewed(len - zeros)].concat();
                let entropy = probe(&late).entropy;
                assert!(entropy.abs_diff(expected) < expected / 4, "{len}, {zeros}: {entropy}");
            }
            for row in [128, 512, 1000, 1024, 2048] {
                let mut image = vec![0; len];
                image.chunks_exact_mut(row).for_each(|row| {
                    let columns = row.len() / 8;
                    row[2 * columns..3 * columns].copy_from_slice(&skewed(columns));
                });
                let entropy = probe(&image).entropy;
                assert!((50..600).contains(&entropy), "{len} bytes, rows of {row}: {entropy}");
            }
        }
    }

    #[test]
    fn finds_matches_at_any_distance() {
        let mut random = Random(52);
        for dist in [1001, 4096, 9999, 20_001, 30_000] {
            let mut data: Vec<u8> = (0..dist).map(|_| random.next() as u8).collect();
            (dist..LEN).for_each(|at| data.push(data[at - dist]));
            assert!(probe(&data).matches, "{dist}");
        }
        // Of each eight bytes the last three are those of the item before.
        let items: Vec<u8> =
            (0..LEN).map(|at| if at % 8 < 5 { random.next() as u8 } else { (at >> 14) as u8 }).collect();
        assert!(probe(&items).matches);
    }
}
