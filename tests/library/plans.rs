//! However a plan is cut, its parts read what was written.

use crate::common::numpy::number;
use crate::common::{golden, sha256};
use b2nd::plan::{ChunkTask, Plan};
use b2nd::source::{File, Reader};
use core::ops::Range;

/// Parts of a plan, with their boxes in the result.
type Boxed = Vec<(Plan, Vec<Range<u64>>)>;

#[test]
fn parts_of_plans_are_what_was_written() {
    let (mut slices, mut cut) = (0, [0; 4]);
    for case in golden().iter().filter(|case| case.error().is_none()) {
        let reader = case.open().expect("a good file");
        for (text, digest) in case.slices() {
            let plan = reader.plan(&text).expect("it fits");
            let tile = plan.tile_nbytes();
            let ways = [
                apart(&plan, |task| vec![plan.part(task).expect("a part")]),
                apart(&plan, |task| {
                    let pieces = plan.pieces(task, tile as u32, 2 * tile as u64);
                    pieces.iter().map(|piece| plan.part_within(piece).expect("a piece")).collect()
                }),
            ];
            for (parts, cut) in ways.iter().zip(&mut cut) {
                assert_eq!(sha256(&gather(&reader, &plan, parts)), digest, "{} [{text}]", case.name);
                *cut += usize::from(parts.len() > 1);
            }
            let ways = [plan.shares(3), plan.parts(1000).collect()];
            for (parts, cut) in ways.iter().zip(&mut cut[2..]) {
                let joined: Vec<u8> = parts.iter().flat_map(|part| read(&reader, part)).collect();
                assert_eq!(sha256(&joined), digest, "{} [{text}]", case.name);
                *cut += usize::from(parts.len() > 1);
            }
            slices += 1;
        }
    }
    assert_eq!(slices, if cfg!(feature = "zfp") { 3847 } else { 3838 }, "of the manifest");
    assert!(cut.iter().all(|&cut| cut > 1000), "by chunks, in pieces, in shares, in parts: {cut:?} were cut");
}

/// The parts of all chunks.
fn apart(plan: &Plan, parts: impl Fn(&ChunkTask) -> Boxed) -> Boxed {
    plan.chunks().flat_map(|task| parts(&task)).collect()
}

fn read(reader: &Reader<File>, plan: &Plan) -> Vec<u8> {
    let mut out = vec![0xaa; plan.nbytes()];
    reader.get_into(plan, &mut out).expect("good data");
    out
}

/// The result, of parts whose boxes fill it.
fn gather(reader: &Reader<File>, plan: &Plan, parts: &Boxed) -> Vec<u8> {
    let mut out = vec![0x55; plan.nbytes()];
    let itemsize = plan.nbytes() / (plan.shape().iter().product::<u64>() as usize).max(1);
    for (part, place) in parts {
        let lens: Vec<u64> = place.iter().map(|range| range.end - range.start).collect();
        assert_eq!(part.shape(), lens[..]);
        let items = read(reader, part);
        // Along the last axis they are neighbours in the result, too.
        let row = lens.last().map_or(1, |len| *len as usize) * itemsize;
        for (nrow, items) in items.chunks(row.max(1)).enumerate() {
            let mut at: Vec<u64> = place.iter().map(|range| range.start).collect();
            let mut rest = nrow as u64;
            for axis in (0..at.len().saturating_sub(1)).rev() {
                at[axis] += rest % lens[axis];
                rest /= lens[axis];
            }
            let start = number(&at, &plan.shape()) as usize * itemsize;
            out[start..start + items.len()].copy_from_slice(items);
        }
    }
    out
}

/// A step may be much longer than the array, of which it then takes one item.
#[test]
fn steps_beyond_all_items() {
    let case =
        golden().into_iter().find(|case| case.name == "blosc2-4.14.1/sample.b2nd").expect("the sample");
    let reader = case.open().expect("a frame");
    let get = |text: &str| reader.get(text).expect("items");
    let [one, long] = [1_i64 << 62, i64::MAX];
    assert_eq!(get(&format!("3::{one}, 5::{long}, 7::{one}")), get("3:4, 5:6, 7:8"));
    assert_eq!(get(&format!("3::-{one}, :, 7::-{long}")), get("3:4, :, 7:8"));
}
