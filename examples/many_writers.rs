//! Four threads write the chunks of one array, each as a file of its own, as processes or machines could.
//!
//! `cargo run --example many_writers`

use b2nd::array::ArrayParams;
use b2nd::sink::{ChunkWriter, finish_chunks};

fn main() -> Result<(), Box<dyn core::error::Error + Send + Sync>> {
    let path = std::env::temp_dir().join(format!("b2nd-many-writers-{}.b2nd", std::process::id()));
    let mut params = ArrayParams::of_type::<u16>(&[1000, 800]).with_chunks(&[100, 200]);
    params.sparse = true;
    b2nd::create(&path, &params)?.commit()?;

    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|number| {
                scope.spawn({
                    let path = &path;
                    move || write(path, number)
                })
            })
            .collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no panic"))
    })?;
    let finished = finish_chunks(&path)?;
    println!("{} chunks written, {} missing", finished.written, finished.missing);

    let array = b2nd::Array::open(&path)?;
    println!("item (999, 799): {}", array.at::<u16>(&[999, 799])?);
    std::fs::remove_dir_all(path)?;
    Ok(())
}

/// Writes each fourth chunk.
fn write(path: &std::path::Path, number: usize) -> Result<(), Box<dyn core::error::Error + Send + Sync>> {
    let mut writer = ChunkWriter::open(path)?;
    let chunks: Vec<_> = writer.layout().chunks().skip(number).step_by(4).collect();
    for chunk in chunks {
        let [rows, columns] = [chunk.items[0].clone(), chunk.items[1].clone()];
        let items = rows.flat_map(|row| columns.clone().map(move |column| (row + column) as u16));
        writer.write(chunk.number, &items.collect::<Vec<_>>())?;
    }
    Ok(())
}
