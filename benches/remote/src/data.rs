//! The array: 1 GB of `u32` whose low 28 bits are noise. Once as `.b2nd`, once as Zarr 3, whose shards are as the chunks of b2nd,
//! and whose chunks are as its blocks.

use crate::Result;
use b2nd::array::ArrayParams;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use zarrs::array::{Array, ArraySubset};
use zarrs::filesystem::FilesystemStore;

pub(crate) const SHAPE: [u64; 2] = [15_625, 16_000];

pub(crate) fn write(folder: &Path) -> Result<()> {
    let file = folder.join("array.b2nd");
    let mut editor = b2nd::create(&file, &ArrayParams::of_type::<u32>(&SHAPE))?;
    let layout = editor.layout().ok_or("an array")?.clone();
    let chunk = layout.chunkshape();
    for first in (0..SHAPE[0]).step_by(chunk[0] as usize) {
        let rows = first..SHAPE[0].min(first + u64::from(chunk[0]));
        editor.write(rows.clone(), &items(rows, 0..SHAPE[1]))?;
    }
    editor.commit()?;
    write_zarr(&folder.join("array.zarr"), chunk, layout.blockshape().ok_or("blocks")?)
}

fn write_zarr(folder: &Path, shard: &[u32], chunk: &[u32]) -> Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("zarr.json"), metadata(shard, chunk))?;
    let array = Array::open(Arc::new(FilesystemStore::new(folder)?), "/")?;
    let [rows, columns] = [0, 1].map(|axis| SHAPE[axis].div_ceil(u64::from(shard[axis])));
    for place in (0..rows * columns).map(|number| [number / columns, number % columns]) {
        let within: Vec<_> = (0..2)
            .map(|axis| {
                let first = place[axis] * u64::from(shard[axis]);
                first..SHAPE[axis].min(first + u64::from(shard[axis]))
            })
            .collect();
        let values = items(within[0].clone(), within[1].clone());
        array.store_array_subset(&ArraySubset::new_with_ranges(&within), &values)?;
    }
    Ok(())
}

fn metadata(shard: &[u32], chunk: &[u32]) -> String {
    format!(
        r#"{{"zarr_format": 3, "node_type": "array", "shape": {SHAPE:?}, "data_type": "uint32", "fill_value": 0,
        "chunk_grid": {{"name": "regular", "configuration": {{"chunk_shape": {shard:?}}}}},
        "chunk_key_encoding": {{"name": "default"}},
        "codecs": [{{"name": "sharding_indexed", "configuration": {{
            "chunk_shape": {chunk:?},
            "codecs": [
                {{"name": "bytes", "configuration": {{"endian": "little"}}}},
                {{"name": "blosc", "configuration": {{
                    "cname": "zstd", "clevel": 5, "shuffle": "shuffle", "typesize": 4, "blocksize": 0}}}}
            ],
            "index_codecs": [{{"name": "bytes", "configuration": {{"endian": "little"}}}}, {{"name": "crc32c"}}]
        }}}}]}}"#
    )
}

/// The items of a window.
fn items(rows: Range<u64>, columns: Range<u64>) -> Vec<u32> {
    rows.flat_map(|row| columns.clone().map(move |column| item(row * SHAPE[1] + column))).collect()
}

/// SplitMix.
fn item(at: u64) -> u32 {
    let mut z = (at + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z >> 36) as u32
}
