//! Tables that tests write, and what plans tell.
#![allow(dead_code, reason = "each test uses some of it")]

use b2nd::array::Dtype;
use b2nd::sink::{StoreEditor, TableParams, TableWriter};
use b2nd::store::StoreKind;
use b2nd::table::{Cells, ColumnKind, ColumnSpec, Data, Nulls};
use b2nd_datafusion::UrlTables;
use datafusion::arrow::array::{AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;
use datafusion::error::Result;
use datafusion::physical_plan::{ExecutionPlan, collect};
use datafusion::prelude::{SessionConfig, SessionContext};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// A folder of a test, which is empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// A folder of a test, in which a script of this folder has had the reference write.
pub(crate) fn scripted(script: &str, name: &str) -> PathBuf {
    let python = std::env::var_os("B2ND_PYTHON").expect("B2ND_PYTHON names a Python with blosc2");
    let folder = folder(name);
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(script);
    let output = Command::new(python).arg(script).arg(&folder).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    folder
}

pub(crate) fn context() -> SessionContext {
    UrlTables::enable(SessionContext::new_with_config(SessionConfig::new().with_target_partitions(4)))
}

/// Numbers that look random.
pub(crate) fn noise(at: u64) -> u64 {
    let mixed = (at.wrapping_add(1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 20
}

/// A table with `id` (sorted), `x` (floats, of which some are null or no number), `n` (small integers) and `name` (texts, some null).
pub(crate) fn write_table(path: &Path, ids: core::ops::Range<i64>) {
    let number = |name, dtype, nulls| ColumnSpec::new(name, &ColumnKind::Number(dtype), &nulls).unwrap();
    let columns = [
        number("id", Dtype::of::<i64>(), Nulls::None),
        number("x", Dtype::of::<f64>(), Nulls::Mask),
        number("n", Dtype::of::<i32>(), Nulls::None),
        ColumnSpec::new("name", &ColumnKind::Text, &Nulls::Mask).unwrap(),
    ];
    let mut store = StoreEditor::create(path, StoreKind::Tree).unwrap();
    let mut params = TableParams::default();
    params.rows = Some((ids.end - ids.start) as u64);
    let mut table = TableWriter::create(&mut store, "/people", &columns, &params).unwrap();
    for start in ids.clone().step_by(100_000) {
        let ids: Vec<i64> = (start..(start + 100_000).min(ids.end)).collect();
        table.append(&cells(&ids)).unwrap();
    }
    table.finish().unwrap();
    store.commit().unwrap();
}

pub(crate) fn x(id: i64) -> Option<f64> {
    match noise(id as u64) % 10 {
        0 => None,
        1 => Some(f64::NAN),
        _ => Some((noise(id as u64) % 2000) as f64 / 10.0 - 100.0),
    }
}

pub(crate) fn n(id: i64) -> i32 {
    (noise(id as u64 + 7) % 1000) as i32
}

pub(crate) fn name(id: i64) -> Option<String> {
    (!noise(id as u64 + 3).is_multiple_of(5)).then(|| format!("name{}", noise(id as u64) % 100))
}

fn cells(ids: &[i64]) -> Vec<Cells> {
    fn items<T: b2nd::array::Element>(values: &[T], valid: Option<Vec<bool>>) -> Cells {
        let dtype = Dtype::of::<T>();
        Cells { data: Data::Items { items: dtype.encode(values).unwrap(), dtype }, valid }
    }
    let (xs, names): (Vec<_>, Vec<_>) = ids.iter().map(|id| (x(*id), name(*id))).unzip();
    let valid = |valid: Vec<bool>| Some(valid);
    let texts = names.iter().map(|name| name.clone().unwrap_or_default()).collect();
    vec![
        items(ids, None),
        items(
            &xs.iter().map(|x| x.unwrap_or(0.0)).collect::<Vec<_>>(),
            valid(xs.iter().map(Option::is_some).collect()),
        ),
        items(&ids.iter().map(|id| n(*id)).collect::<Vec<_>>(), None),
        Cells { data: Data::Texts(texts), valid: valid(names.iter().map(Option::is_some).collect()) },
    ]
}

/// The ids of a query's first column, sorted.
pub(crate) fn ids(batches: &[RecordBatch]) -> Vec<i64> {
    let values =
        batches.iter().flat_map(|batch| batch.column(0).as_primitive::<Int64Type>().values().to_vec());
    let mut ids: Vec<i64> = values.collect();
    ids.sort_unstable();
    ids
}

/// Runs a query, and returns its plan, too.
pub(crate) async fn run(
    context: &SessionContext,
    query: &str,
) -> Result<(Vec<RecordBatch>, Arc<dyn ExecutionPlan>)> {
    let plan = context.sql(query).await?.create_physical_plan().await?;
    Ok((collect(Arc::clone(&plan), context.task_ctx()).await?, plan))
}

/// The sum of a metric over a plan.
pub(crate) fn metric(plan: &Arc<dyn ExecutionPlan>, name: &str) -> usize {
    let own = plan.metrics().and_then(|metrics| match name {
        "output_rows" => metrics.output_rows(),
        _ => metrics.sum_by_name(name).map(|value| value.as_usize()),
    });
    let own = own.unwrap_or(0);
    own + plan.children().into_iter().map(|child| metric(child, name)).sum::<usize>()
}
