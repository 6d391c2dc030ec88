//! Makes an array, changes it in place, and reads it back.

use b2nd::Array;
use b2nd::array::ArrayParams;
use b2nd::codec::Codec;

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let path = std::env::temp_dir().join(format!("b2nd-example-{}.b2nd", std::process::id()));

    // 365 days on a grid of 90 × 180. Chunks and blocks could be left to the library.
    let params = ArrayParams::of_type::<f32>(&[365, 90, 180])
        .with_chunks(&[30, 90, 180])
        .with_blocks(&[5, 30, 60])
        .with_codec(Codec::ZSTD, 3);

    let mut editor = b2nd::create(&path, &params)?;
    // Whole chunks at a time: a chunk that is written in part is read and encoded again.
    for first in (0..180).step_by(30) {
        let cells = (first..first + 30).flat_map(|day| (0..90 * 180).map(move |cell| day * cell % 1000));
        let values: Vec<f32> = cells.map(|value| value as f32 / 10.0).collect();
        editor.write(first..first + 30, &values)?;
    }
    // What was never written is zeros, and takes no space.
    editor.set_attr("unit", "K")?;
    // Until here there is no file; a program that ends before leaves none.
    editor.commit()?;
    drop(editor);

    // Another day, and the first one again.
    let mut editor = b2nd::edit(&path)?;
    editor.append_values(0, &vec![280.0_f32; 90 * 180])?;
    editor.fill_value(0, 273.15_f32)?;
    // Both changes or none of them.
    editor.commit()?;
    drop(editor);

    let array = Array::open(&path)?;
    let first = array.read::<f32>("::365, 45, 90")?;
    println!("{:?} of shape {:?}, unit {:?}", first.as_slice(), array.shape(), array.attrs()?["unit"]);
    std::fs::remove_file(&path)?;
    Ok(())
}
