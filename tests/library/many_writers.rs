//! Many writers of one sparse frame: processes that are killed, stores that fail, two that finish at a time.
#![cfg(all(feature = "write", feature = "lz4"))]

use b2nd::array::ArrayParams;
use b2nd::codec::Codec;
use b2nd::sink::{ChunkWriter, Finished, finish_chunks};
use b2nd::{Array, ReadError};
use core::ops::Range;
use core::time::Duration;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::{env, fs, thread};

/// Chunks of 5 × 7 items, cut at both edges.
const SHAPE: [u64; 2] = [199, 348];
const NCHUNKS: u64 = 40 * 50;

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("b2nd-many-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn params() -> ArrayParams {
    let mut params = ArrayParams::new(&SHAPE, "<u4").with_chunks(&[5, 7]).with_blocks(&[2, 7]);
    params.cparams.codec = Codec::LZ4;
    params.sparse = true;
    params
}

fn item(at: [u64; 2]) -> u32 {
    // Some chunks are zeros.
    if (at[0] / 5 + at[1] / 7).is_multiple_of(11) { 0 } else { (at[0] * 1000 + at[1]) as u32 }
}

fn items(of: &[Range<u64>]) -> Vec<u8> {
    of[0].clone().flat_map(|y| of[1].clone().flat_map(move |x| item([y, x]).to_le_bytes())).collect()
}

/// The items of a chunk.
fn chunk(nchunk: u64) -> Vec<u8> {
    let start = [nchunk / 50 * 5, nchunk % 50 * 7];
    items(&[start[0]..SHAPE[0].min(start[0] + 5), start[1]..SHAPE[1].min(start[1] + 7)])
}

fn whole() -> Vec<u8> {
    items(&[0..SHAPE[0], 0..SHAPE[1]])
}

/// Run as a process: writes each eighth chunk that is not there.
#[test]
#[ignore = "is run by the test below"]
fn writes_a_part() {
    let Ok(path) = env::var("B2ND_FRAME") else { return };
    let first: u64 = env::var("B2ND_FIRST").unwrap().parse().unwrap();
    let mut writer = ChunkWriter::open(path).unwrap();
    for nchunk in (first..NCHUNKS).step_by(8) {
        writer.set(nchunk, &chunk(nchunk)).unwrap();
    }
}

fn start(path: &Path, first: u64) -> Child {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["many_writers::writes_a_part", "--exact", "--ignored", "--quiet"]);
    command.env("B2ND_FRAME", path).env("B2ND_FIRST", first.to_string());
    command.stdout(std::process::Stdio::null()).spawn().unwrap()
}

#[test]
fn processes_that_are_killed_begin_again() {
    let folder = Folder::new("killed");
    let path = folder.0.join("a.b2nd");
    b2nd::create(&path, &params()).unwrap().commit().unwrap();
    let before = fs::read(path.join("chunks.b2frame")).unwrap();
    let mut writers: Vec<Child> = (0..8).map(|first| start(&path, first)).collect();
    for (number, writer) in writers.iter_mut().enumerate().skip(4) {
        thread::sleep(Duration::from_millis(10 * number as u64));
        let _ = writer.kill();
    }
    for (number, mut writer) in writers.into_iter().enumerate() {
        let done = writer.wait().unwrap();
        assert!(number >= 4 || done.success());
    }
    // Readers see the old array.
    assert_eq!(fs::read(path.join("chunks.b2frame")).unwrap(), before);
    assert!(b2nd::open(&path).unwrap().get("...").unwrap().iter().all(|byte| *byte == 0));
    for mut writer in (4..8).map(|first| start(&path, first)).collect::<Vec<_>>() {
        assert!(writer.wait().unwrap().success());
    }
    assert_eq!(finish_chunks(&path).unwrap(), Finished { written: NCHUNKS, missing: 0 });
    assert!(b2nd::open(&path).unwrap().get("...").unwrap() == whole());
    // Temporary files of the killed are gone, and files of zeros.
    let names: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    let zeros = (0..NCHUNKS).filter(|nchunk| chunk(*nchunk).iter().all(|byte| *byte == 0)).count();
    assert!(zeros > 100 && names.len() <= NCHUNKS as usize - zeros + 5, "{} files", names.len());
    assert_eq!(finish_chunks(&path).unwrap(), Finished { written: 0, missing: NCHUNKS });
}

#[test]
fn chunks_are_replaced_by_a_later_round() {
    let folder = Folder::new("rounds");
    let path = folder.0.join("a.b2nd");
    let mut params = ArrayParams::new(&[6], "|u1").with_chunks(&[2]);
    params.sparse = true;
    b2nd::create(&path, &params).unwrap().commit().unwrap();
    for round in 1..5_u8 {
        let mut writer = ChunkWriter::open(&path).unwrap();
        let nchunk = u64::from(round) % 3;
        writer.set(nchunk, &[round, 9]).unwrap();
        assert!(writer.is_written(nchunk).unwrap() && !writer.is_written((nchunk + 1) % 3).unwrap());
        writer.set(nchunk, &[round, 9]).unwrap();
        let Err(ReadError::Source(error)) = writer.set(nchunk, &[round, 8]) else { panic!("other items") };
        assert_eq!(error.kind(), ErrorKind::AlreadyExists);
        assert!(writer.set(3, &[0, 0]).is_err() && writer.set(0, &[0]).is_err());
        assert_eq!(finish_chunks(&path).unwrap(), Finished { written: 1, missing: 2 });
    }
    assert_eq!(b2nd::open(&path).unwrap().get("...").unwrap(), [3, 9, 4, 9, 2, 9]);
    // An editor goes on from there.
    let mut editor = b2nd::edit(&path).unwrap();
    editor.set(0..2, &[5, 6]).unwrap();
    editor.commit().unwrap();
    drop(editor);
    assert_eq!(Array::open(&path).unwrap().get("...").unwrap(), [5, 6, 4, 9, 2, 9]);
}

#[test]
fn damaged_files_and_other_writers_are_errors() {
    let folder = Folder::new("damaged");
    let path = folder.0.join("a.b2nd");
    b2nd::create(&path, &params()).unwrap().commit().unwrap();
    ChunkWriter::open(&path).unwrap().set(1, &chunk(1)).unwrap();
    let good = fs::read(path.join("00000001.chunk")).unwrap();
    let before = fs::read(path.join("chunks.b2frame")).unwrap();
    for bytes in [&good[..20], &good[..good.len() - 1], &[&good[..], &[0]].concat(), &[0; 64]] {
        fs::write(path.join("00000001.chunk"), bytes).unwrap();
        assert!(finish_chunks(&path).is_err(), "{} bytes", bytes.len());
        assert_eq!(fs::read(path.join("chunks.b2frame")).unwrap(), before);
    }
    fs::write(path.join("00000001.chunk"), &good).unwrap();
    let editor = b2nd::edit(&path).unwrap();
    let Err(ReadError::Source(error)) = finish_chunks(&path) else { panic!("it is locked") };
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
    drop(editor);
    assert_eq!(finish_chunks(&path).unwrap().written, 1);

    let contiguous = folder.0.join("b.b2nd");
    b2nd::create(&contiguous, &ArrayParams::new(&[4], "|u1")).unwrap().commit().unwrap();
    assert!(ChunkWriter::open(&contiguous).is_err() && finish_chunks(&contiguous).is_err());
}

#[cfg(feature = "object_store")]
mod objects {
    use super::*;
    use alloc::sync::Arc;
    use b2nd::sink::{ObjectChunkWriter, finish_chunk_objects};
    use b2nd::source::{AsyncArray, ObjectSource};
    use object_store::memory::InMemory;
    use object_store::throttle::{ThrottleConfig, ThrottledStore};
    use object_store::{Error, ObjectStore, ObjectStoreExt};

    const PATH: &str = "run/a.b2nd";

    async fn read(store: &Arc<dyn ObjectStore>) -> Vec<u8> {
        let source = ObjectSource::open(Arc::clone(store), PATH).await.unwrap();
        AsyncArray::from_source(source).await.unwrap().get("...").await.unwrap()
    }

    /// Half of the tasks are dropped in the middle.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn tasks_that_are_cancelled_begin_again() {
        let store: Arc<dyn ObjectStore> = Arc::new(InMemory::new());
        ObjectChunkWriter::create(&store, PATH, &params()).await.unwrap();
        let work = |first: u64, end: u64| {
            let store = Arc::clone(&store);
            async move {
                let mut writer = ObjectChunkWriter::open(store, PATH).await.unwrap();
                for nchunk in (first..end).step_by(8) {
                    writer.set(nchunk, &chunk(nchunk)).await.unwrap();
                }
            }
        };
        let tasks: Vec<_> =
            (0..8).map(|first| tokio::spawn(work(first, if first < 4 { NCHUNKS } else { 700 }))).collect();
        for task in tasks {
            task.await.unwrap();
        }
        assert!(read(&store).await.iter().all(|byte| *byte == 0));
        for first in 4..8 {
            work(first, NCHUNKS).await;
        }
        assert_eq!(
            finish_chunk_objects(&store, PATH).await.unwrap(),
            Finished { written: NCHUNKS, missing: 0 }
        );
        assert!(read(&store).await == whole());
    }

    #[tokio::test]
    async fn of_two_that_finish_one_is_refused() {
        // Both have read the index when the first one writes it.
        let slow =
            ThrottleConfig { wait_get_per_call: Duration::from_millis(20), ..ThrottleConfig::default() };
        let store: Arc<dyn ObjectStore> = Arc::new(ThrottledStore::new(InMemory::new(), slow));
        ObjectChunkWriter::create(&store, PATH, &params()).await.unwrap();
        let mut writer = ObjectChunkWriter::open(Arc::clone(&store), PATH).await.unwrap();
        writer.set(1, &chunk(1)).await.unwrap();
        let (one, other) =
            tokio::join!(finish_chunk_objects(&store, PATH), finish_chunk_objects(&store, PATH));
        let refused = [one, other].into_iter().filter_map(Result::err).collect::<Vec<_>>();
        assert!(matches!(refused[..], [ReadError::Source(Error::Precondition { .. })]), "{refused:?}");
        assert_eq!(writer.set(1, &chunk(1)).await.ok(), Some(()));
        let Err(ReadError::Source(Error::AlreadyExists { .. })) = writer.set(1, &chunk(2)).await else {
            panic!("other items")
        };
        let taken = store.head(&"run/a.b2nd/00000001.chunk".into()).await.unwrap();
        store.put(&taken.location, vec![0; 10].into()).await.unwrap();
        // The index names it by now: what was replaced is damage, and is told.
        let source = ObjectSource::open(Arc::clone(&store), PATH).await.unwrap();
        assert!(AsyncArray::from_source(source).await.unwrap().get("...").await.is_err());
    }
}
