//! Synthetic data that resembles real data, from fixed seeds.

/// A kind of item and a generator for it.
#[derive(Clone, Copy)]
pub struct Data {
    pub name: &'static str,
    pub typesize: usize,
    item: fn(&mut Random, usize, &mut Vec<u8>),
}

impl Data {
    /// `nbytes` bytes, rounded down to whole items.
    pub fn make(&self, nbytes: usize) -> Vec<u8> {
        let mut random = Random::new(20);
        let mut bytes = Vec::with_capacity(nbytes + self.typesize);
        let nitems = nbytes / self.typesize;
        for at in 0..nitems {
            (self.item)(&mut random, at, &mut bytes);
        }
        bytes
    }
}

pub const FIELD: Data = Data {
    name: "field f32",
    typesize: 4,
    item: |random, at, out| {
        let value = 10.0 * wave(at) + 0.01 * random.noise();
        out.extend((value as f32).to_le_bytes());
    },
};

pub const MEASUREMENTS: Data = Data {
    name: "measurements f64",
    typesize: 8,
    item: |random, at, out| {
        let value = 20.0 + 5.0 * wave(at) + random.noise();
        out.extend(((value * 100.0).round() / 100.0).to_le_bytes());
    },
};

pub const IMAGES: Data = Data {
    name: "images u16",
    typesize: 2,
    item: |random, at, out| out.extend(brightness(random, at, 3000.0, 40.0).to_le_bytes()),
};

pub const TIMESTAMPS: Data = Data {
    name: "timestamps i64",
    typesize: 8,
    item: |random, at, out| {
        let jitter = random.below(2_000_000) as i64;
        out.extend((1_700_000_000_000_000_000 + at as i64 * 1_000_000_000 + jitter).to_le_bytes());
    },
};

pub const LABELS: Data = Data {
    name: "labels i32",
    typesize: 4,
    item: |_, at, out| {
        let (x, y) = place(at);
        let patch = (x / 37 + 31 * (y / 23)) as u64;
        out.extend(((patch.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as i32 % 500).to_le_bytes());
    },
};

pub const MASK: Data = Data {
    name: "sparse mask u8",
    typesize: 1,
    item: |random, _, out| out.push(u8::from(random.below(200) == 0)),
};

/// Kelvins.
pub const TEMPERATURES: Data = Data {
    name: "temperatures f32",
    typesize: 4,
    item: |random, at, out| {
        let value = 280.0 + 15.0 * wave(at) + 0.002 * random.noise();
        out.extend((value as f32).to_le_bytes());
    },
};

/// Counts of photons.
pub const COUNTS: Data = Data {
    name: "counts u16",
    typesize: 2,
    item: |random, at, out| {
        let mean = 200.0 * (1.1 + wave(at));
        let normal = random.noise() + random.noise() + random.noise();
        out.extend(((mean + mean.sqrt() * 1.41 * normal) as u16).to_le_bytes());
    },
};

pub const MICROSECONDS: Data = Data {
    name: "microseconds i64",
    typesize: 8,
    item: |random, at, out| {
        let jitter = random.below(2000) as i64 * 1000;
        out.extend((1_700_000_000_000_000_000 + at as i64 * 1_000_000_000 + jitter).to_le_bytes());
    },
};

/// A walk in steps of a few hundredths.
pub const ROUNDED_WALK: Data = Data {
    name: "rounded walk f64",
    typesize: 8,
    item: |random, _, out| {
        let before = out.last_chunk().map_or(20.0, |last| f64::from_le_bytes(*last));
        let value = before + random.noise() * 0.05;
        out.extend(((value * 100.0).round() / 100.0).to_le_bytes());
    },
};

pub const WALK: Data = Data {
    name: "walk i32",
    typesize: 4,
    item: |random, _, out| {
        let before = out.last_chunk().map_or(1_000_000, |last| i32::from_le_bytes(*last));
        out.extend((before + random.below(21) as i32 - 10).to_le_bytes());
    },
};

/// Cells around 400 points, with frayed edges.
pub const CELLS: Data = Data {
    name: "cells i32",
    typesize: 4,
    item: |random, at, out| {
        let (x, y) = place(at);
        let [x, y] = [x, y % 1024].map(|axis| axis as i64 + random.below(3) as i64);
        let near = |&n: &i64| (x - n * 7919 % 1024).pow(2) + (y - n * 104_729 % 1021).pow(2);
        let cell = (0..400).min_by_key(near).unwrap_or(0);
        out.extend((cell as i32 * 31).to_le_bytes());
    },
};

pub const DISCS: Data = Data {
    name: "discs u8",
    typesize: 1,
    item: |_, at, out| {
        let (x, y) = place(at);
        let near =
            |n: usize| x.abs_diff(n * 7919 % 1024).pow(2) + (y % 4096).abs_diff(n * 104_729 % 4091).pow(2);
        out.push(u8::from((0..60).any(|n| near(n) < (10 + n).pow(2))));
    },
};

/// Segments of an image, numbered: 60 discs on a background.
pub const SEGMENTS_U16: Data = Data {
    name: "segments u16",
    typesize: 2,
    item: |_, at, out| out.extend((segment(at) as u16 * 7).to_le_bytes()),
};

pub const SEGMENTS_I32: Data = Data {
    name: "segments i32",
    typesize: 4,
    item: |_, at, out| out.extend((segment(at) as i32 * 1021).to_le_bytes()),
};

/// The number of the disc at a place, or 0.
fn segment(at: usize) -> usize {
    let (x, y) = place(at);
    let near = |n: usize| x.abs_diff(n * 7919 % 1024).pow(2) + (y % 2048).abs_diff(n * 104_729 % 2039).pow(2);
    (1..60).find(|&n| near(n) < (10 + n).pow(2)).unwrap_or(0)
}

/// Codes of 12 categories, the first of which are frequent.
pub const CATEGORIES: Data = Data {
    name: "categories u8",
    typesize: 1,
    item: |random, _, out| out.push(random.next().leading_zeros().min(11) as u8),
};

/// Rows of a log, filled with zeros.
pub const TEXT: Data = Data {
    name: "text S64",
    typesize: 64,
    item: |random, at, out| {
        const VERBS: [&str; 6] = ["GET", "GET", "GET", "POST", "HEAD", "DELETE"];
        const NAMES: [&str; 8] =
            ["index", "users", "orders/open", "images", "login", "search", "api/v2", "about"];
        let verb = VERBS[random.below(6) as usize];
        let name = NAMES[random.below(8) as usize];
        let id = random.below(100_000);
        let row =
            format!("10:{:02}:{:02} {verb} /{name}/{id} 200 {} ms", at / 60 % 60, at % 60, random.below(90));
        out.extend(row.bytes().chain(core::iter::repeat(0)).take(64));
    },
};

/// A mask of period 97 in rows of 2048.
pub const PERIODIC: Data = Data {
    name: "periodic mask u8",
    typesize: 1,
    item: |_, at, out| out.push(u8::from(at % 2048 % 97 < 30)),
};

/// A hundredth of the items are not zero.
pub const SPARSE: Data = Data {
    name: "sparse f64",
    typesize: 8,
    item: |random, _, out| {
        let value = if random.below(100) == 0 { random.noise() } else { 0.0 };
        out.extend(value.to_le_bytes());
    },
};

/// Levels that last for some hundred items.
pub const STEPS: Data = Data {
    name: "steps f32",
    typesize: 4,
    item: |random, _, out| {
        let before = out.last_chunk().map_or(20.0, |last| f32::from_le_bytes(*last));
        let value = if random.below(300) == 0 { (10.0 * random.noise()) as f32 } else { before };
        out.extend(value.to_le_bytes());
    },
};

/// Ascending, with gaps.
pub const IDS: Data = Data {
    name: "ids i64",
    typesize: 8,
    item: |random, _, out| {
        let before = out.last_chunk().map_or(1 << 40, |last| i64::from_le_bytes(*last));
        out.extend((before + 1 + random.below(9) as i64).to_le_bytes());
    },
};

/// Spots above a dark background.
pub const STACK: Data = Data {
    name: "stack u16",
    typesize: 2,
    item: |random, at, out| {
        let (x, y) = place(at);
        let spot = (wave(37 * x + 1024 * (y % 512)) - 0.9).max(0.0) * 20_000.0;
        out.extend(((spot + 100.0 + 8.0 * random.noise()) as u16).to_le_bytes());
    },
};

pub const BOOLS: Data = Data {
    name: "bool",
    typesize: 1,
    item: |random, at, out| out.push(u8::from(wave(at) + 0.05 * random.noise() > 0.2)),
};

pub const RANDOM: Data =
    Data { name: "random u64", typesize: 8, item: |random, _, out| out.extend(random.next().to_le_bytes()) };

pub const RGB8: Data = Data {
    name: "rgb u8",
    typesize: 3,
    item: |random, at, out| {
        for channel in 0..3 {
            out.push((brightness(random, at + 300 * channel, 110.0, 1.5)) as u8);
        }
    },
};

pub const RGB16: Data = Data {
    name: "rgb u16",
    typesize: 6,
    item: |random, at, out| {
        for channel in 0..3 {
            out.extend(brightness(random, at + 300 * channel, 3000.0, 40.0).to_le_bytes());
        }
    },
};

pub const POINTS: Data = Data {
    name: "points 3×f32",
    typesize: 12,
    item: |random, at, out| {
        for axis in 0..3 {
            let value = 10.0 * wave(at + 5000 * axis) + 0.01 * random.noise();
            out.extend((value as f32).to_le_bytes());
        }
    },
};

pub const COMPLEX: Data =
    Data { name: "complex 2×f64", typesize: 16, item: |r, at, out| rounded(r, at, out, 2) };

pub const VECTORS: Data =
    Data { name: "vectors 3×f64", typesize: 24, item: |r, at, out| rounded(r, at, out, 3) };

fn rounded(random: &mut Random, at: usize, out: &mut Vec<u8>, count: usize) {
    for axis in 0..count {
        let value = wave(at + 5000 * axis) + 0.001 * random.noise();
        out.extend(((value * 1000.0).round() / 1000.0).to_le_bytes());
    }
}

/// A pixel: a smooth image with sensor noise.
fn brightness(random: &mut Random, at: usize, scale: f64, noise: f64) -> u16 {
    (scale * (1.05 + wave(at)) + noise * (2.0 + random.noise())).max(0.0) as u16
}

/// The position of item `at` in rows of 1024.
const fn place(at: usize) -> (usize, usize) {
    (at % 1024, at / 1024)
}

/// A smooth surface between -1 and 1.
fn wave(at: usize) -> f64 {
    let (x, y) = place(at);
    (x as f64 * 0.011).sin() * (y as f64 * 0.007 + x as f64 * 0.002).cos()
}

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    /// Between -1 and 1, mostly near 0.
    fn noise(&mut self) -> f64 {
        let word = self.next();
        let [a, b] = [word >> 32, word & 0xffff_ffff].map(|half| half as f64 / (1u64 << 32) as f64);
        a - b
    }
}
