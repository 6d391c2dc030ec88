//! Code lengths of Huffman codes with a longest length, for the encoders of zlib and zstd.

/// Upper bound of the symbols of an alphabet: those of zlib's literals and lengths.
const MAX_SYMBOLS: usize = 288;
/// Upper bound of the length of codes without a limit, for counts whose sum fits in 32 bits.
const MAX_DEPTH: usize = 48;

/// Writes to `lengths` the code length of each symbol, at most `most <= 15` bits; 0 for symbols that do not occur. The codes use up
/// all bit patterns, unless fewer than two symbols occur; one alone has a length of 1. The sum of `counts` fits in 32 bits.
pub(super) fn huffman_lengths(counts: &[u32], most: u32, lengths: &mut [u8]) {
    let mut sorted = [0u64; MAX_SYMBOLS];
    let mut n = 0;
    for (symbol, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        sorted[n] = u64::from(count) << 32 | symbol as u64;
        n += 1;
    }
    debug_assert!(n <= 1 << most, "too many symbols for codes of {most} bits");
    let sorted = &mut sorted[..n];
    sorted.sort_unstable();
    lengths.fill(0);
    let leaves = limited(sorted, counts.iter().sum(), most);
    // The rarest symbols have the longest codes.
    let mut rest = sorted.iter();
    for (length, &count) in leaves.iter().enumerate().rev() {
        rest.by_ref().take(count.into()).for_each(|entry| lengths[*entry as u32 as usize] = length as u8);
    }
}

/// How many codes there are of each length. As long as the longest is too long, rare symbols count as less rare.
fn limited(sorted: &[u64], total: u32, most: u32) -> [u16; MAX_DEPTH] {
    let mut least = 1;
    loop {
        let leaves = leaves_by_depth(sorted, least);
        if leaves[most as usize + 1..].iter().all(|count| *count == 0) {
            return leaves;
        }
        least = (least + least / 4 + 1).max(total >> (most + 1));
    }
}

/// How many leaves a Huffman tree has at each depth. Counts are ascending, and are at least `least`.
fn leaves_by_depth(sorted: &[u64], least: u32) -> [u16; MAX_DEPTH] {
    let mut leaves = [0; MAX_DEPTH];
    let Some(inner) = sorted.len().checked_sub(1).filter(|inner| *inner > 0) else {
        leaves[1] = sorted.len() as u16;
        return leaves;
    };
    let (mut weights, mut parents) = ([0u64; MAX_SYMBOLS], [0u16; MAX_SYMBOLS]);
    // The next leaf and the next inner node without a parent. Inner nodes are made in ascending order too.
    let (mut leaf, mut root) = (0, 0);
    for node in 0..inner {
        let mut weight = 0;
        for _ in 0..2 {
            let own = sorted.get(leaf).map_or(u64::MAX, |entry| (entry >> 32).max(least.into()));
            if root < node && weights[root] < own {
                weight += weights[root];
                parents[root] = node as u16;
                root += 1;
            } else {
                weight += own;
                leaf += 1;
            }
        }
        weights[node] = weight;
    }
    // Depths of inner nodes, from the root; two children each, and those that are not inner nodes are leaves.
    let mut depths = [0u8; MAX_SYMBOLS];
    leaves[1] = 2;
    for node in (0..inner - 1).rev() {
        let depth = depths[usize::from(parents[node])] + 1;
        depths[node] = depth;
        leaves[usize::from(depth)] -= 1;
        leaves[usize::from(depth) + 1] += 2;
    }
    leaves
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn lengths(counts: &[u32], most: u32) -> Vec<u8> {
        let mut lengths = vec![9; counts.len()];
        huffman_lengths(counts, most, &mut lengths);
        lengths
    }

    fn bits(counts: &[u32], lengths: &[u8]) -> u64 {
        counts.iter().zip(lengths).map(|(&count, &length)| u64::from(count) * u64::from(length)).sum()
    }

    /// The fewest bits that codes of at most `most` bits take, by package-merge.
    fn optimum(counts: &[u32], most: u32) -> u64 {
        let mut coins: Vec<u64> =
            counts.iter().filter(|count| **count > 0).map(|&count| count.into()).collect();
        coins.sort_unstable();
        let mut row = coins.clone();
        for _ in 1..most {
            row = row.chunks_exact(2).map(|pair| pair[0] + pair[1]).chain(coins.iter().copied()).collect();
            row.sort_unstable();
        }
        row[..2 * coins.len() - 2].iter().sum()
    }

    #[test]
    fn few_symbols() {
        assert_eq!(lengths(&[0, 0, 0], 11), [0, 0, 0]);
        assert_eq!(lengths(&[0, 5, 0], 11), [0, 1, 0]);
        assert_eq!(lengths(&[1, 0, 1_000_000], 11), [1, 0, 1]);
        assert_eq!(lengths(&[8, 1, 2, 4], 11), [1, 3, 3, 2]);
        assert_eq!(lengths(&[8, 1, 2, 4], 2), [2; 4]);
    }

    /// Complete, within the limit, and as short as can be where the limit does not matter.
    #[test]
    fn close_to_the_optimum() {
        let fibonacci = |n: usize| {
            let mut counts = vec![1, 1];
            (2..n).for_each(|at| counts.push(counts[at - 1] + counts[at - 2]));
            counts
        };
        let mut state = 1u64;
        let mut random = |n: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % n
        };
        let mut all: Vec<Vec<u32>> = vec![fibonacci(20), fibonacci(40), vec![1; 256], vec![77; 288]];
        for round in 0..200 {
            let steep = round % 20 + 1;
            all.push((0..2 + random(255)).map(|_| (random(1 << 20) >> random(steep)) as u32).collect());
        }
        for counts in all {
            let used = counts.iter().filter(|count| **count > 0).count();
            for most in [8, 9, 11, 15].into_iter().filter(|most| used <= 1 << most) {
                let lengths = lengths(&counts, most);
                let occupied: u32 = lengths.iter().filter(|l| **l > 0).map(|l| 1 << (16 - l)).sum();
                assert_eq!(occupied, if used > 1 { 1 << 16 } else { 1 << 15 }, "{counts:?}");
                assert!(lengths.iter().all(|length| u32::from(*length) <= most));
                let (own, best) = (bits(&counts, &lengths), optimum(&counts, most));
                let limited = best > optimum(&counts, 40);
                let slack = if limited { best / 100 + 1 } else { 0 };
                assert!(
                    own >= best && own <= best + slack,
                    "{own} bits, {best} would do: {counts:?}, {most}"
                );
            }
        }
    }
}
