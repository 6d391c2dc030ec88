//! One suite, instantiated for every instruction set of this build, against three-line oracles.

use alloc::vec;
use alloc::vec::Vec;

use super::delta::{Undelta, bytedelta_encode, prefix_xor, xor_with};
use super::kernels::{Bitshuffle, Bitunshuffle, Join, Kernel, Shuffle, Unshuffle};
use super::shape::unroll;
use super::vector::Vector;

/// Pseudo-random bytes, the same in every run.
fn noise(len: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64 ^ len as u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 56) as u8
    };
    (0..len).map(|_| next()).collect()
}

fn naive_shuffle(typesize: usize, src: &[u8]) -> Vec<u8> {
    let n = src.len() / typesize;
    let planes = (0..typesize).flat_map(|j| (0..n).map(move |i| src[i * typesize + j]));
    planes.chain(src[n * typesize..].iter().copied()).collect()
}

fn naive_bitshuffle(typesize: usize, src: &[u8]) -> Vec<u8> {
    let n = src.len() / typesize / 8 * 8;
    let bit = |row: usize, i: usize| src[i * typesize + row / 8] >> (row % 8) & 1;
    let byte = |row, at| (0..8).fold(0, |byte, k| byte | bit(row, 8 * at + k) << k);
    let rows = (0..8 * typesize).flat_map(|row| (0..n / 8).map(move |at| byte(row, at)));
    rows.chain(src[n * typesize..].iter().copied()).collect()
}

fn naive_undelta(src: &[u8]) -> Vec<u8> {
    let sums = src.iter().scan(0_u8, |sum, byte| {
        *sum = sum.wrapping_add(*byte);
        Some(*sum)
    });
    sums.collect()
}

/// Typesizes, each with element counts to try: few, and those around each step. Miri, which is slow, gets a sample.
fn sizes() -> impl Iterator<Item = (usize, usize)> {
    let (typesizes, counts): (Vec<usize>, Vec<usize>) = if cfg!(miri) {
        (vec![1, 2, 3, 12, 17], vec![35, 136])
    } else {
        let steps = [127, 128, 136, 255, 256, 257, 264, 511, 512, 520, 785, 1031];
        ((1..=33).chain([48, 255, 300]).collect(), (0..=3 * 32 + 17).chain(steps).collect())
    };
    typesizes.into_iter().flat_map(move |t| counts.clone().into_iter().map(move |n| (t, n)))
}

/// Checks `forth` against `naive`, and that `back` undoes it; with trailing bytes, too.
fn check_transposition(
    naive: impl Fn(usize, &[u8]) -> Vec<u8>,
    forth: impl Fn(usize, &[u8], &mut [u8]),
    back: impl Fn(usize, &[u8], &mut [u8]),
) {
    for (typesize, count) in sizes() {
        let src = noise(typesize * count + count % typesize);
        let mut there = vec![0xaa; src.len()];
        forth(typesize, &src, &mut there);
        assert_eq!(there, naive(typesize, &src), "{count} elements of {typesize}");
        let mut again = vec![0x55; src.len()];
        back(typesize, &there, &mut again);
        assert_eq!(again, src, "{count} elements of {typesize}, backwards");
    }
}

fn check_join(join: impl Fn(&[&[u8]], &mut [u8])) {
    for typesize in [2, 4, 8] {
        for count in [0, 1, 15, 16, 63, 64, 65, 200, 1000] {
            let elements = noise(typesize * count);
            let shuffled = naive_shuffle(typesize, &elements);
            // Not where the plane before ends, and anywhere in a cache line.
            let apart: Vec<Vec<u8>> = (0..typesize)
                .map(|j| [&vec![0; 5 * j + 3], &shuffled[j * count..][..count]].concat())
                .collect();
            let planes: Vec<&[u8]> = apart.iter().enumerate().map(|(j, plane)| &plane[5 * j + 3..]).collect();
            let mut joined = vec![0xaa; elements.len()];
            join(&planes, &mut joined);
            assert_eq!(joined, elements, "{count} elements of {typesize}");
        }
    }
}

fn check_undelta(undelta: impl Fn(&[u8], &mut [u8])) {
    let lens: Vec<usize> =
        if cfg!(miri) { vec![0, 1, 33, 100, 1000] } else { (0..400).chain([4099]).collect() };
    for len in lens {
        let src = noise(len);
        let mut there = vec![0; len];
        undelta(&src, &mut there);
        assert_eq!(there, naive_undelta(&src), "{len} bytes");
        let mut again = vec![0; len];
        bytedelta_encode(&there, &mut again);
        assert_eq!(again, src, "{len} bytes, backwards");
    }
}

/// Laws that every instruction set keeps.
fn check_laws<V: Vector>(proof: V::Proof) {
    let bytes = noise(256);
    let load = |at| V::load(proof, &bytes, at, V::TILE);
    let stored = |x: V| {
        let mut out = vec![0; V::BYTES];
        x.store(&mut out, 0);
        out
    };
    let (a, b) = (load(0), load(64));
    let tiles = |at: usize| bytes[at..at + V::BYTES].chunks(V::TILE);

    assert_eq!(stored(a), bytes[..V::BYTES], "what is loaded is stored");
    let mut tile = vec![0; V::TILE];
    unroll!(t < V::TILES => {
        V::load(proof, &bytes, 3, 40).store_tile(t, &mut tile, 0);
        assert_eq!(tile, bytes[3 + 40 * t..][..V::TILE], "tiles are loaded by their stride and stored by their number");
    });

    let (low, high) = a.zip(b);
    let zipped = |half: usize| -> Vec<u8> {
        let places = V::TILE / 2 * half..V::TILE / 2 * (half + 1);
        tiles(0).zip(tiles(64)).flat_map(|(a, b)| places.clone().flat_map(|i| [a[i], b[i]])).collect()
    };
    assert_eq!((stored(low), stored(high)), (zipped(0), zipped(1)), "zip takes turns");
    let (even, odd) = low.unzip(high);
    assert_eq!((stored(even), stored(odd)), (stored(a), stored(b)), "unzip undoes zip");

    let mut pair = vec![0; 2 * V::BYTES];
    let (x, y) = V::load_pair(proof, &bytes, 1, 45);
    x.store_pair(y, &mut pair, 0, 2 * V::TILE);
    assert!(
        pair.chunks(2 * V::TILE).enumerate().all(|(t, tile)| *tile == bytes[1 + 45 * t..][..2 * V::TILE]),
        "pairs stay together"
    );
    assert_eq!(stored(x), stored(V::load(proof, &bytes, 1, 45)), "the first of a pair is as if alone");

    let rows = noise(17 * V::BYTES);
    let mut again = vec![0; rows.len()];
    unroll!(t < V::TILES => unroll!(j < 16 =>
        V::load_rows(proof, &rows, j, 17).store_rows(t, &mut again, j, 17)));
    let used = |bytes: &[u8]| bytes.chunks(17).flat_map(|row| row[..16].to_vec()).collect::<Vec<_>>();
    assert_eq!(used(&again), used(&rows), "rows go where they came from");

    let (x, y) = a.swap_bits::<2>(b, 0x3333_3333_3333_3333);
    for ((x, y), (a, b)) in stored(x).iter().zip(stored(y)).zip(tiles(0).flatten().zip(tiles(64).flatten())) {
        assert_eq!((*x, y), (a & 0x33 | (b & 0x33) << 2, b & 0xcc | a >> 2 & 0x33), "bits change places");
    }

    let sums: Vec<u8> = tiles(0).flat_map(naive_undelta).collect();
    assert_eq!(stored(a.running_sum()), sums, "sums run within tiles");
    let both: Vec<u8> =
        tiles(0).flatten().zip(tiles(64).flatten()).map(|(a, b)| a.wrapping_add(*b)).collect();
    assert_eq!(stored(a.add(b)), both, "sums wrap");
    let last: Vec<u8> = tiles(0).flat_map(|tile| vec![tile[V::TILE - 1]; V::TILE]).collect();
    assert_eq!(stored(a.spread_last()), last, "the last byte is everywhere");
}

/// The suite, for one way to run a kernel.
macro_rules! suite {
    ($name:ident, $K:ident => $run:expr $(, laws: $laws:expr)?) => {
        mod $name {
            use super::*;

            fn run<$K: Kernel>(typesize: usize, src: $K::Source<'_>, dst: &mut [$K::Target]) {
                ($run)(typesize, src, dst);
            }

            fn transpose<K: for<'a> Kernel<Source<'a> = &'a [u8], Target = u8>>(group: usize) -> impl Fn(usize, &[u8], &mut [u8]) {
                move |typesize, src, dst| crate::simd::transpose(run::<K>, typesize, group, src, dst)
            }

            #[test]
            fn shuffles() {
                check_transposition(naive_shuffle, transpose::<Shuffle>(1), transpose::<Unshuffle>(1));
            }

            #[test]
            fn bitshuffles() {
                check_transposition(naive_bitshuffle, transpose::<Bitshuffle>(8), transpose::<Bitunshuffle>(8));
            }

            #[test]
            fn joins() {
                check_join(|planes, dst| run::<Join<u8>>(planes.len(), planes, dst));
            }

            #[test]
            fn undeltas() {
                check_undelta(|src, dst| run::<Undelta>(1, src, dst));
            }

            $(#[test]
            fn keeps_the_laws() {
                $laws;
            })?
        }
    };
}

suite!(scalar, K => K::scalar);
// One of the others again, which Miri can skip.
#[cfg(not(miri))]
suite!(dispatched, K => crate::simd::dispatch::run::<K>);

#[cfg(feature = "nightly")]
mod vectors {
    use super::super::portable::{Narrow, Wide};
    use super::*;
    suite!(narrow, K => |t, src, dst| K::vector::<Narrow>((), t, src, dst), laws: check_laws::<Narrow>(()));
    suite!(wide, K => |t, src, dst| K::vector::<Wide>((), t, src, dst), laws: check_laws::<Wide>(()));
}

#[cfg(all(
    not(feature = "nightly"),
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2"
))]
mod vectors {
    use super::super::probe::HasAvx2;
    use super::super::x86::{Avx2, Sse2};
    #[cfg(target_arch = "x86_64")]
    use super::super::{probe::HasAvx512, zmm::Avx512};
    use super::*;
    suite!(sse2, K => |t, src, dst| K::vector::<Sse2>((), t, src, dst), laws: check_laws::<Sse2>(()));
    // Falls back to scalar code on a machine without AVX2, and under Miri unless compiled with `+avx2`.
    suite!(
        avx2, K => |t, src, dst| match HasAvx2::probe() {
            Some(avx2) => avx2.enter::<K, Avx2>(avx2, t, src, dst),
            None => K::scalar(t, src, dst),
        },
        laws: HasAvx2::probe().into_iter().for_each(check_laws::<Avx2>)
    );
    // Likewise on a machine without AVX-512, and always under Miri, which supports too little of it.
    #[cfg(target_arch = "x86_64")]
    suite!(
        avx512, K => |t, src, dst| match HasAvx512::probe() {
            Some(avx512) => avx512.enter::<K, Avx512>(avx512, t, src, dst),
            None => K::scalar(t, src, dst),
        },
        laws: HasAvx512::probe().into_iter().for_each(check_laws::<Avx512>)
    );
}

#[cfg(all(
    not(feature = "nightly"),
    target_arch = "aarch64",
    target_feature = "neon",
    target_endian = "little"
))]
mod vectors {
    use super::super::neon::Neon;
    use super::*;
    suite!(neon, K => |t, src, dst| K::vector::<Neon>((), t, src, dst), laws: check_laws::<Neon>(()));
}

#[cfg(all(not(feature = "nightly"), target_arch = "wasm32", target_feature = "simd128"))]
mod vectors {
    use super::super::wasm::Simd128;
    use super::*;
    suite!(simd128, K => |t, src, dst| K::vector::<Simd128>((), t, src, dst), laws: check_laws::<Simd128>(()));
}

#[test]
fn joins_at_the_end_of_a_vector() {
    check_join(|planes, dst| {
        let mut joined = Vec::with_capacity(3 + dst.len());
        joined.extend([1, 2, 3]);
        super::append_joined(planes, &mut joined);
        assert_eq!(joined[..3], [1, 2, 3]);
        dst.copy_from_slice(&joined[3..]);
    });
}

#[test]
#[should_panic(expected = "range end index")]
fn a_plane_must_not_be_shorter_than_the_first() {
    super::append_joined(&[&[1; 40], &[2; 39]], &mut Vec::with_capacity(100));
}

#[test]
fn running_xors() {
    for (unit, len) in [1, 2, 4, 8].into_iter().flat_map(|unit| (0..70).map(move |len| (unit, len))) {
        let src = noise(len);
        let mut naive = src.clone();
        (unit..len - len % unit).for_each(|i| naive[i] ^= naive[i - unit]);
        let mut there = src.clone();
        prefix_xor(unit, &mut there);
        assert_eq!(there, naive, "{len} bytes by {unit}");
    }
}

#[test]
fn xor_is_its_own_inverse() {
    let (a, b) = (noise(77), noise(76));
    let mut there = a.clone();
    xor_with(&mut there, &b);
    assert!(there[..76].iter().zip(&a).zip(&b).all(|((x, a), b)| *x == a ^ b));
    xor_with(&mut there, &b);
    assert_eq!(there, a);
}

#[test]
fn a_typesize_may_be_anything() {
    let src = noise(50);
    for typesize in [0, 51, usize::MAX] {
        for run in [super::shuffle, super::unshuffle, super::bitshuffle, super::bitunshuffle] {
            let mut there = vec![0; 50];
            run(typesize, &src, &mut there);
            assert_eq!(there, src);
        }
    }
}

/// Runs itself, because a process asks once.
#[test]
#[cfg(all(
    feature = "std",
    target_arch = "x86_64",
    not(any(miri, feature = "nightly", target_feature = "avx2"))
))]
fn a_variable_limits_the_instruction_set() {
    use std::process::Command;
    use std::{env, println};
    const SHOW: &str = "B2ND_SHOW_KERNELS";
    if env::var_os(SHOW).is_some() {
        return println!("kernels: {}", super::backend());
    }
    for kernels in ["scalar", "sse2"] {
        let mut test = Command::new(env::current_exe().unwrap());
        test.args(["--exact", "simd::tests::a_variable_limits_the_instruction_set", "--nocapture"]);
        let output = test.env(SHOW, "1").env("B2ND_KERNELS", kernels).output().unwrap();
        let text = alloc::string::String::from_utf8(output.stdout).unwrap();
        assert!(text.contains(&alloc::format!("kernels: {kernels}\n")), "{kernels}: {text}");
    }
}
