//! Queries of arrays, beside the library's own reading.

mod common;

use common::{context, folder, ids, metric, run, scripted};
use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::{Float32Type, Int64Type};
use datafusion::arrow::util::pretty::pretty_format_batches;

const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/blosc2-4.14.1/sample.b2nd");

#[tokio::test]
async fn rows_are_items_with_their_positions() {
    let array = b2nd::Array::open(SAMPLE).unwrap();
    let all = array.read::<f32>(..).unwrap();
    let (rows, _) = run(&context(), &format!("SELECT * FROM '{SAMPLE}'")).await.unwrap();
    let mut seen = 0;
    for batch in &rows {
        let axes = [0, 1, 2].map(|axis| batch.column(axis).as_primitive::<Int64Type>());
        let values = batch.column(3).as_primitive::<Float32Type>();
        for row in 0..batch.num_rows() {
            let position = axes.map(|axis| axis.value(row) as u64);
            assert_eq!(all.get(&position).unwrap().to_bits(), values.value(row).to_bits());
        }
        seen += batch.num_rows();
    }
    assert_eq!(seen, 12 * 30 * 40);
}

#[tokio::test]
async fn filters_on_axes_are_selections() {
    let path = folder("axes").join("a.b2nd");
    let params = b2nd::array::ArrayParams::of_type::<i64>(&[1000, 800]).with_chunks(&[100, 100]);
    let mut editor = b2nd::create(&path, &params).unwrap();
    editor
        .write(.., &(0..800_000_i64).map(|at| at.wrapping_mul(0x9E37_79B9_7F4A)).collect::<Vec<_>>())
        .unwrap();
    editor.commit().unwrap();
    let table = format!("'{}'", path.display());
    let size = std::fs::metadata(&path).unwrap().len() as usize;
    let context = context();
    for (filter, rows, most) in [
        ("dim0 = 7 AND dim1 = 9", 1, size / 20),
        ("dim0 >= 100 AND dim0 < 200", 80_000, size / 6),
        ("dim1 > 795", 4 * 1000, size / 6),
        ("500 < dim0 AND dim0 <= 501 AND dim1 BETWEEN 5 AND 8", 4, size / 20),
        ("dim0 < 0", 0, 0),
        ("dim0 > 5000", 0, 0),
        ("dim0 = 3 OR dim0 = 4", 1600, size * 2),
    ] {
        let (found, plan) =
            run(&context, &format!("SELECT value, dim0 FROM {table} WHERE {filter}")).await.unwrap();
        assert_eq!(ids(&found).len(), rows, "{filter}");
        let bytes = metric(&plan, "bytes_scanned");
        assert!(bytes <= most, "{filter}: {bytes} of {size} bytes");
    }
    let (sum, _) =
        run(&context, &format!("SELECT sum(dim0 * 800 + dim1) FROM {table} WHERE dim0 = 3")).await.unwrap();
    assert_eq!(ids(&sum), [(2400..3200).sum::<i64>()]);
    let (count, plan) = run(&context, &format!("SELECT count(*) FROM {table} WHERE dim0 = 3")).await.unwrap();
    assert_eq!((ids(&count), metric(&plan, "bytes_scanned")), (vec![800], 0));
    let (some, _) = run(&context, &format!("SELECT value FROM {table} LIMIT 7")).await.unwrap();
    assert_eq!(ids(&some).len(), 7);
}

/// Of arrays with coordinates in the attributes, and in arrays beside them, in an archive and in a directory.
#[tokio::test]
#[ignore = "takes a Python with blosc2: B2ND_PYTHON=… cargo test -- --ignored"]
async fn coordinates_are_columns_and_select() {
    let folder = scripted("arrays.py", "coordinates");
    let context = context();
    for place in ["plain.b2nd", "archive.b2z/run/temperature", "directory.b2d/run/temperature"] {
        let table = format!("'{}'", folder.join(place).display());
        let (rows, _) =
            run(&context, &format!("SELECT * FROM {table} WHERE dim0 = 1 AND dim1 = 0 AND lon = 2"))
                .await
                .unwrap();
        let shown = pretty_format_batches(&rows).unwrap().to_string();
        let expected = [
            "| dim0 | time                | dim1 | lat  | lon | value  |",
            "| 1    | 2000-01-01T06:00:00 | 0    | 80.0 | 2   | 2002.0 |",
        ];
        assert!(expected.iter().all(|line| shown.contains(line)), "{place}: {shown}");
        let all = 3 * 40 * 50;
        for (filter, count, is_read) in [
            ("lat > 78", 3 * 50, true),
            ("lat BETWEEN -1 AND 1", 3 * 50, true),
            ("time = '2000-01-01T12:00:00'", 40 * 50, true),
            ("time > '2000-01-01' AND lat <= -76 AND lon < 5", 2 * 5, true),
            // Both ends of the axis: all between is read, and filtered.
            ("lat = 80 OR lat = -76", 2 * 3 * 50, true),
            ("lat * lat < 9", 3 * 50, true),
            ("lat > 200", 0, false),
            ("lat IS NOT NULL", all, true),
            ("lon = 2 OR lat = 80", 3 * (40 + 49), true),
        ] {
            let (found, plan) =
                run(&context, &format!("SELECT lon, value FROM {table} WHERE {filter}")).await.unwrap();
            assert_eq!(ids(&found).len(), count, "{place}: {filter}");
            let requests = metric(&plan, "requests");
            assert_eq!(requests > 0, is_read, "{place}: {filter}: {requests} requests");
        }
        let all = format!("SELECT sum(value) FROM {table}");
        let (_, narrow) = run(&context, &format!("{all} WHERE lat > 78")).await.unwrap();
        let (_, wide) = run(&context, &all).await.unwrap();
        let [narrow, wide] = [narrow, wide].map(|plan| metric(&plan, "bytes_scanned"));
        println!("{place}: {narrow} and {wide} bytes");
        assert!(narrow < wide, "{place}: {narrow} and {wide} bytes");
    }
}

#[tokio::test]
#[ignore = "takes a Python with blosc2: B2ND_PYTHON=… cargo test -- --ignored"]
async fn tables_in_directories_are_read() {
    let folder = scripted("arrays.py", "directories");
    let query = format!("SELECT id FROM '{}/table.b2d' WHERE name = 'name3' AND id < 1000", folder.display());
    let (found, _) = run(&context(), &query).await.unwrap();
    assert_eq!(ids(&found), (0..1000).filter(|id| id % 7 == 3).collect::<Vec<_>>());
    let query = format!("SELECT count(*) FROM '{}/tab*.b2d'", folder.display());
    assert_eq!(ids(&run(&context(), &query).await.unwrap().0), [5000]);
}
