//! Rows that threads decode ahead of DuckDB, in the order of the table.

use crate::file::{Failure, Location};
use arrow::compute::cast;
use arrow::datatypes::Schema;
use arrow::record_batch::{RecordBatch, RecordBatchOptions};
use b2nd::source::File;
use b2nd::store::Store;
use b2nd::table::Column;
use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// Bytes of the columns that are decoded at once, about.
const AT_ONCE: u64 = 4 << 20;
/// Rows that are decoded at once.
const MIN_ROWS: u64 = 1 << 11;
const MAX_ROWS: u64 = 1 << 16;
/// The guess for a text or an object.
const TEXT: u64 = 64;
/// Threads at most.
const THREADS: usize = 8;

/// The part of a table that is read: some columns, all rows.
pub(crate) struct Scan {
    pub(crate) location: Location,
    pub(crate) store: Arc<Store<File>>,
    pub(crate) schema: Arc<Schema>,
    pub(crate) rows: u64,
}

/// The batches of a scan. Threads decode them in turn, each a few ahead; when this is dropped they end.
pub(crate) struct Morsels {
    threads: Vec<Receiver<Result<RecordBatch, String>>>,
    turn: usize,
    /// Rows that are to come.
    left: u64,
    /// The rest of a batch.
    rest: Option<RecordBatch>,
}

impl Morsels {
    pub(crate) fn start(scan: Scan) -> Self {
        let (left, scan) = (scan.rows, Arc::new(scan));
        let count = thread::available_parallelism().map_or(1, usize::from).min(THREADS);
        let threads = (0..count).map(|number| {
            let (sender, receiver) = sync_channel(1);
            let scan = Arc::clone(&scan);
            thread::spawn(move || {
                if let Err(error) = scan.read(number, count, &sender) {
                    // DuckDB may have ended the query.
                    _ = sender.send(Err(error.to_string()));
                }
            });
            receiver
        });
        Self { threads: threads.collect(), turn: 0, left, rest: None }
    }

    /// The next rows, so many at most; `None` after the last.
    pub(crate) fn next(&mut self, most: usize) -> Result<Option<RecordBatch>, Failure> {
        let Some(batch) = self.rest.take().map(Ok).or_else(|| self.receive()).transpose()? else {
            return Ok(None);
        };
        let len = most.min(batch.num_rows());
        self.rest = (len < batch.num_rows()).then(|| batch.slice(len, batch.num_rows() - len));
        Ok(Some(batch.slice(0, len)))
    }

    fn receive(&mut self) -> Option<Result<RecordBatch, Failure>> {
        if self.left == 0 {
            return None;
        }
        let received = self.threads[self.turn].recv();
        self.turn = (self.turn + 1) % self.threads.len();
        let batch = received.unwrap_or_else(|_| Err("a thread that reads ended too early".into()));
        self.left -= batch.as_ref().map_or(0, |batch| batch.num_rows() as u64);
        Some(batch.map_err(Failure::from))
    }
}

impl Scan {
    /// Reads every `count`th part of the rows, and sends them until no one wants more.
    fn read(
        &self,
        number: usize,
        count: usize,
        sender: &SyncSender<Result<RecordBatch, String>>,
    ) -> Result<(), Failure> {
        let table = self.location.table(&self.store)?;
        let names = self.schema.fields().iter().map(|field| table.column(field.name()));
        let columns: Vec<_> = self.location.named(names.collect())?;
        let step = rows_at_once(&columns);
        let starts = (0..self.rows).step_by(step as usize).skip(number).step_by(count);
        for start in starts {
            let batch = self.batch(&columns, start..(start + step).min(self.rows))?;
            if sender.send(Ok(batch)).is_err() {
                break;
            }
        }
        Ok(())
    }

    fn batch(&self, columns: &[Column<'_, File>], rows: Range<u64>) -> Result<RecordBatch, Failure> {
        let mut arrays = Vec::with_capacity(columns.len());
        for (column, field) in columns.iter().zip(self.schema.fields()) {
            let array = self.location.named(column.array(rows.clone()))?;
            arrays.push(cast(&array, field.data_type())?);
        }
        let options = RecordBatchOptions::new().with_row_count(Some((rows.end - rows.start) as usize));
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), arrays, &options)?)
    }
}

/// How many rows are decoded at once, so that memory is bounded.
fn rows_at_once(columns: &[Column<'_, File>]) -> u64 {
    let size = |column: &Column<'_, File>| column.dtype().map_or(TEXT, |dtype| dtype.itemsize() as u64);
    let row: u64 = columns.iter().map(size).sum();
    (AT_ONCE / row.max(1)).clamp(MIN_ROWS, MAX_ROWS)
}
