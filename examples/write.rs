//! Makes an array, changes it in place, and reads it back.

use b2nd::Selection;
use b2nd::array::ArrayParams;
use b2nd::codec::Codec;

fn main() -> Result<(), Box<dyn core::error::Error>> {
    let path = std::env::temp_dir().join(format!("b2nd-example-{}.b2nd", std::process::id()));

    // 365 days on a grid of 90 × 180. Chunks and blocks could be left to the library.
    let mut params = ArrayParams::of_type::<f32>(&[365, 90, 180]);
    params.chunkshape = Some(vec![30, 90, 180]);
    params.blockshape = Some(vec![5, 30, 60]);
    (params.cparams.codec, params.cparams.clevel) = (Codec::ZSTD, 3);

    let mut editor = b2nd::create(&path, &params)?;
    // Whole chunks at a time: a chunk that is written in part is read and encoded again.
    for first in (0..180).step_by(30) {
        let cells = (first..first + 30).flat_map(|day| (0..90 * 180).map(move |cell| day * cell % 1000));
        let values: Vec<f32> = cells.map(|value| value as f32 / 10.0).collect();
        editor.write(&format!("{first}:{}", first + 30).parse::<Selection>()?, &values)?;
    }
    // What was never written is zeros, and takes no space.
    editor.set_vlmetalayer("unit", b"\xa1K")?;
    // Until here there is no file; a program that ends before leaves none.
    editor.commit()?;
    drop(editor);

    // Another day, and the first one again.
    let mut editor = b2nd::edit(&path)?;
    editor.resize(&[366, 90, 180])?;
    editor.write(&"0".parse::<Selection>()?, &vec![273.15_f32; 90 * 180])?;
    // Both changes or none of them.
    editor.commit()?;
    drop(editor);

    let reader = b2nd::open(&path)?;
    let first = reader.read::<f32>(&"::365, 45, 90".parse()?)?;
    println!("{:?} of shape {:?}", first.as_slice(), reader.layout()?.map(|array| array.shape().to_vec()));
    std::fs::remove_file(&path)?;
    Ok(())
}
