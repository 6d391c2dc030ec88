//! Objects as sources: memory, directories, and a store that fails.
#![cfg(all(
    feature = "object_store",
    feature = "store",
    feature = "write",
    feature = "filters",
    feature = "lz4",
    feature = "zstd"
))]

use crate::random::Random;
use alloc::sync::Arc;
use b2nd::array::ArrayParams;
use b2nd::reading::Merge;
use b2nd::source::{AsyncArray, AsyncReader, ObjectFolder, ObjectSource};
use b2nd::store::AsyncStore;
use b2nd::{Array, Changed, DParams, ErrorKind, ReadError, Selection};
use core::fmt;
use core::future::Future;
use core::ops::Range;
use core::sync::atomic::{AtomicUsize, Ordering};
use core::time::Duration;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt};
use object_store::local::LocalFileSystem;
use object_store::memory::InMemory;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetRange, GetResult, GetResultPayload, ListResult, MultipartUpload,
    ObjectMeta, ObjectStore, ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult,
};
use std::fs;
use std::sync::Mutex;

type Result<T> = core::result::Result<T, Error>;

/// A fault of the n-th request for bytes.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// The store fails.
    Fails,
    /// The answer ends early, without an error.
    Cut,
    /// The object is replaced before the answer.
    Replaced,
    /// The object is replaced, and the store does not look at ETags.
    Mixed,
}

/// A store that notes ranges, counts how many requests are under way, and has a fault.
#[derive(Debug)]
struct Faulty {
    inner: InMemory,
    asked: Mutex<Vec<Range<u64>>>,
    count: AtomicUsize,
    under_way: AtomicUsize,
    most: AtomicUsize,
    fault: Option<(usize, Fault)>,
    other: Vec<u8>,
}

impl fmt::Display for Faulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Faulty")
    }
}

impl Faulty {
    async fn new(object: &[u8], other: &[u8], fault: Option<(usize, Fault)>) -> Self {
        let inner = InMemory::new();
        inner.put(&"a".into(), object.to_vec().into()).await.unwrap();
        let zero = AtomicUsize::default;
        let (count, under_way, most) = (zero(), zero(), zero());
        Self { inner, asked: Mutex::default(), count, under_way, most, fault, other: other.to_vec() }
    }

    async fn answer(&self, path: &Path, mut options: GetOptions) -> Result<GetResult> {
        let fault = self.fault.filter(|(at, _)| self.count.fetch_add(1, Ordering::Relaxed) == *at);
        let fault = fault.map(|(_, fault)| fault);
        if matches!(fault, Some(Fault::Replaced | Fault::Mixed)) {
            self.inner.put(path, self.other.clone().into()).await?;
        }
        match fault {
            Some(Fault::Fails) => return Err(Error::Generic { store: "Faulty", source: "it fails".into() }),
            Some(Fault::Mixed) => options.if_match = None,
            _ => {}
        }
        let mut result = self.inner.get_opts(path, options).await?;
        if fault == Some(Fault::Cut) {
            let (meta, range, attributes) =
                (result.meta.clone(), result.range.clone(), result.attributes.clone());
            let bytes = result.bytes().await?;
            let cut = Ok(bytes.slice(..bytes.len() / 2));
            let payload = GetResultPayload::Stream(futures_util::stream::iter([cut]).boxed());
            result = GetResult { payload, meta, range, attributes, extensions: Default::default() };
        }
        Ok(result)
    }
}

#[async_trait::async_trait]
impl ObjectStore for Faulty {
    async fn get_opts(&self, path: &Path, options: GetOptions) -> Result<GetResult> {
        if let Some(GetRange::Bounded(range)) = &options.range {
            self.asked.lock().unwrap().push(range.clone());
        }
        self.most.fetch_max(1 + self.under_way.fetch_add(1, Ordering::Relaxed), Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(1)).await;
        let result = self.answer(path, options).await;
        self.under_way.fetch_sub(1, Ordering::Relaxed);
        result
    }

    async fn put_opts(&self, path: &Path, payload: PutPayload, options: PutOptions) -> Result<PutResult> {
        self.inner.put_opts(path, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        path: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.inner.put_multipart_opts(path, options).await
    }

    fn delete_stream(&self, paths: BoxStream<'static, Result<Path>>) -> BoxStream<'static, Result<Path>> {
        self.inner.delete_stream(paths)
    }

    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        self.inner.list(prefix)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.inner.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.inner.copy_opts(from, to, options).await
    }
}

fn wait<T>(future: impl Future<Output = T> + Send) -> T {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

/// An array of random shapes and items, as a frame.
fn array(random: &mut Random, most: u64) -> Vec<u8> {
    let axes = 1 + random.index(3);
    let shape: Vec<u64> = (0..axes).map(|_| 1 + random.below(most)).collect();
    let mut params = ArrayParams::new(&shape, "<u4");
    params.chunkshape = Some(shape.iter().map(|len| 1 + random.below(*len) as u32).collect());
    params.blockshape =
        params.chunkshape.as_ref().map(|chunks| chunks.iter().map(|len| len.div_ceil(2)).collect());
    let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &params).unwrap();
    let count = shape.iter().product::<u64>() as u32;
    let noise = 1 + random.below(1000) as u32;
    let items: Vec<u8> =
        (0..count).flat_map(|at| (at.wrapping_mul(2_654_435_761) % noise + at / 64).to_le_bytes()).collect();
    editor.set(Selection::all(), &items).unwrap();
    editor.commit().unwrap();
    editor.into_sink().into_bytes()
}

/// A random selection of an array.
fn selection(random: &mut Random, shape: &[u64]) -> String {
    let axis = |len: &u64| {
        let (start, end) = (random.below(*len), random.below(len + 1));
        format!("{}:{}:{}", start.min(end), start.max(end), 1 + random.below(3))
    };
    shape.iter().map(axis).collect::<Vec<_>>().join(", ")
}

async fn open(store: impl ObjectStore, path: &str) -> AsyncArray<ObjectSource> {
    let source = ObjectSource::open(Arc::new(store), path).await.unwrap();
    AsyncArray::from_source(source).await.unwrap()
}

#[test]
fn random_arrays_read_the_same_from_memory_and_directories() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("object_store");
    fs::create_dir_all(&folder).unwrap();
    let mut random = Random(42);
    for _ in 0..30 {
        let frame = array(&mut random, 60);
        fs::write(folder.join("a.b2nd"), &frame).unwrap();
        let near = Array::from_source(&frame[..]).unwrap();
        wait(async {
            let memory = open(Faulty::new(&frame, &[], None).await, "a").await;
            let local = open(LocalFileSystem::new_with_prefix(&folder).unwrap(), "a.b2nd").await;
            for _ in 0..5 {
                let text = selection(&mut random, near.shape());
                let items = near.get(&*text).unwrap();
                assert_eq!(memory.get(&*text).await.unwrap(), items, "[{text}]");
                assert_eq!(local.get(&*text).await.unwrap(), items, "[{text}]");
            }
        });
    }
}

/// Several MiB, which the threads of rayon share.
#[test]
fn a_large_array_is_read_in_shares_and_merged_requests() {
    let mut params = ArrayParams::new(&[64, 128, 256], "<u4");
    (params.chunkshape, params.blockshape) = (Some(vec![8, 64, 256]), Some(vec![4, 32, 256]));
    let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &params).unwrap();
    let items: Vec<u8> =
        (0..64 * 128 * 256_u32).flat_map(|at| (at.wrapping_mul(2_654_435_761) >> 16).to_le_bytes()).collect();
    editor.set(Selection::all(), &items).unwrap();
    editor.commit().unwrap();
    let frame = editor.into_sink().into_bytes();
    let near = Array::from_source(&frame[..]).unwrap();
    wait(async {
        let store = Arc::new(Faulty::new(&frame, &[], None).await);
        let source = ObjectSource::open(Arc::clone(&store) as _, "a").await.unwrap();
        let source = source.with_concurrency(3).with_merge(Merge { longest: 256 << 10, ..Merge::NETWORK });
        let far = AsyncArray::from_source(source).await.unwrap();
        assert!(far.get(()).await.unwrap() == items);
        let values = far.read::<u32>("::3, 40:50").await.unwrap();
        assert_eq!(values, near.read::<u32>("::3, 40:50").unwrap());
        let most = store.most.load(Ordering::Relaxed);
        assert!((2..=3).contains(&most), "{most} requests under way");
        assert_eq!(store.asked.lock().unwrap()[0], 0..8192);
        let streamed: Vec<_> = far.stream::<u32>(2).try_collect().await.unwrap();
        assert_eq!(streamed.len(), 16);
        for (place, values) in streamed {
            assert_eq!(values, near.read::<u32>(place.selection()).unwrap());
        }
    });
}

/// Shares of 16 MiB would end within chunks, and those of threads do: a chunk would be read in several pieces.
#[test]
fn chunks_of_a_large_array_are_read_once_and_whole() {
    read_whole([650, 1000], 16);
    // Three rows of chunks in a share, which two threads decode.
    read_whole([145, 8000], 9);
}

fn read_whole(chunkshape: [u32; 2], chunks: u64) {
    let mut params = ArrayParams::new(&[1300, 8000], "<u4");
    (params.chunkshape, params.blockshape) = (Some(chunkshape.to_vec()), Some(vec![29, 500]));
    let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &params).unwrap();
    let noise = |at: u32| {
        let at = (at ^ at >> 16).wrapping_mul(0x45d9_f3b1);
        (at ^ at >> 15).wrapping_mul(2_654_435_761)
    };
    let items: Vec<u8> = (0..1300 * 8000).flat_map(|at| noise(at).to_le_bytes()).collect();
    editor.set(Selection::all(), &items).unwrap();
    editor.commit().unwrap();
    let frame = editor.into_sink().into_bytes();
    wait(async {
        for as_values in [false, true] {
            let store = Arc::new(Faulty::new(&frame, &[], None).await);
            let source = ObjectSource::open(Arc::clone(&store) as _, "a").await.unwrap();
            let traffic = source.clone();
            let far = AsyncArray::from_source(source).await.unwrap();
            let read = match as_values {
                true => far
                    .read::<u32>(..)
                    .await
                    .unwrap()
                    .into_iter()
                    .flat_map(|item| item.to_le_bytes())
                    .collect(),
                false => far.get(..).await.unwrap(),
            };
            assert!(read == items);
            // The first bytes, the index, and the chunks.
            let (requests, bytes) = traffic.traffic().take();
            assert!(requests <= chunks + 2, "{requests} requests");
            assert!(bytes < frame.len() as u64 * 101 / 100, "{bytes} bytes of {}", frame.len());
        }
    });
}

/// A store in a directory is one source, whose objects are opened when they are read.
#[test]
fn stores_in_directories_are_read_from_objects() {
    const FOLDER: &str = "tests/golden/stores/dict.b2d";
    let near = b2nd::store::open(FOLDER).unwrap();
    wait(async {
        let objects: Arc<dyn ObjectStore> =
            Arc::new(LocalFileSystem::new_with_prefix("tests/golden").unwrap());
        let folder = ObjectFolder::open(Arc::clone(&objects), "stores/dict.b2d").await.unwrap();
        let files: Vec<_> = folder.files().map(|(name, range)| (name.to_string(), range)).collect();
        let store = AsyncStore::open_directory(folder, files, DParams::default()).await.unwrap();
        assert!(store.keys().eq(near.keys()) && store.kind() == near.kind());
        let (requests, _) = store.source().traffic().take();
        assert_eq!(requests, 1, "embed.b2e alone");
        for key in near.keys() {
            assert_eq!(store.storage(key), near.storage(key), "{key}");
            let (far, near) = (store.get(key).await.unwrap(), near.get(key).unwrap());
            assert_eq!(far.get(..).await.unwrap(), near.get(..).unwrap(), "{key}");
        }
        let error = ObjectFolder::open(objects, "stores/none.b2d").await.unwrap_err();
        assert!(matches!(error, Error::NotFound { .. }), "{error}");
    });
}

/// The member of a store in a directory is replaced after it was opened.
#[test]
fn objects_of_a_directory_are_of_one_state() {
    let (one, other) = (array(&mut Random(1), 60), array(&mut Random(2), 60));
    let embed = fs::read("tests/golden/stores/dict.b2d/embed.b2e").unwrap();
    wait(async {
        let objects = Arc::new(InMemory::new());
        objects.put(&"s.b2d/embed.b2e".into(), embed.into()).await.unwrap();
        objects.put(&"s.b2d/a.b2nd".into(), one.clone().into()).await.unwrap();
        let folder = ObjectFolder::open(Arc::clone(&objects) as _, "s.b2d").await.unwrap();
        let files: Vec<_> = folder.files().map(|(name, range)| (name.to_string(), range)).collect();
        let store = AsyncStore::open_directory(folder, files, DParams::default()).await.unwrap();
        objects.put(&"s.b2d/a.b2nd".into(), other.into()).await.unwrap();
        let error = store.get("/a").await.unwrap_err();
        let ReadError::Blosc(error) = error else { panic!("{error}") };
        assert_eq!(error.kind(), ErrorKind::Changed(Changed::Read));
    });
}

/// The time of a request is that in which the bytes of others come.
#[test]
fn while_a_batch_is_decoded_others_are_under_way() {
    let mut params = ArrayParams::new(&[1 << 10, 1 << 10], "<u4");
    (params.chunkshape, params.blockshape) = (Some(vec![64, 1 << 10]), Some(vec![16, 1 << 10]));
    let mut editor = b2nd::Editor::create_array(b2nd::sink::Memory::default(), &params).unwrap();
    let mut random = Random(9);
    let items: Vec<u8> = (0..4 << 20).map(|_| random.below(256) as u8).collect();
    editor.set(Selection::all(), &items).unwrap();
    editor.commit().unwrap();
    let frame = editor.into_sink().into_bytes();
    wait(async {
        for (batch, expected) in [(8 << 20, 1..=1), (1 << 20, 3..=4)] {
            let store = Arc::new(Faulty::new(&frame, &[], None).await);
            let source = ObjectSource::open(Arc::clone(&store) as _, "a").await.unwrap();
            let source = source.with_concurrency(1).with_merge(Merge { batch, ..Merge::NETWORK });
            let far = AsyncArray::from_source(source).await.unwrap();
            assert!(far.get(()).await.unwrap() == items);
            let most = store.most.load(Ordering::Relaxed);
            assert!(expected.contains(&most), "{most} requests under way");
        }
    });
}

/// Whatever goes wrong and whenever: either the values are right, or there is the error.
#[test]
fn faults_are_errors() {
    let mut random = Random(7);
    let frame = array(&mut random, 60);
    let near = Array::from_source(&frame[..]).unwrap();
    // The same array with other items: the frame has the same length, or nearly.
    let other: Vec<u8> =
        frame.iter().enumerate().map(|(at, byte)| if at > 200 { byte ^ 1 } else { *byte }).collect();
    let items = near.get(()).unwrap();
    for fault in [Fault::Fails, Fault::Cut, Fault::Replaced, Fault::Mixed] {
        let mut failed = 0;
        for at in 0.. {
            let read = wait(async {
                let store = Arc::new(Faulty::new(&frame, &other, Some((at, fault))).await);
                let source = ObjectSource::open(store, "a").await.map_err(ReadError::Source)?;
                let array = AsyncArray::from_source(source).await?;
                array.attrs().await?;
                array.get(()).await
            });
            match (read, fault) {
                (Ok(read), _) if failed > 0 => {
                    assert!(read == items);
                    break;
                }
                // The first request reads either the one or the other.
                (Err(ReadError::Blosc(error)), Fault::Replaced | Fault::Mixed) if at > 0 => {
                    assert_eq!(error.kind(), ErrorKind::Changed(Changed::Read), "{fault:?} {at}");
                }
                (_, Fault::Replaced | Fault::Mixed) if at == 0 => {}
                (Err(ReadError::Source(error)), Fault::Fails) => {
                    assert!(error.to_string().contains("it fails"))
                }
                (Err(ReadError::Source(error)), Fault::Cut) => {
                    assert!(error.to_string().contains("bytes came for those from"), "{error}");
                }
                (read, _) => panic!("{fault:?} {at}: {:?}", read.map(|bytes| bytes.len())),
            }
            failed += 1;
        }
        assert!(failed > 1, "{fault:?}: {failed}");
    }
}

#[test]
fn sparse_frames_are_several_objects() {
    let folder = std::path::Path::new("tests/golden/blosc2-4.14.1");
    for name in ["sparse-lz4.b2frame", "sparse-2d.b2nd"] {
        assert!(folder.join(name).is_dir());
        let near = b2nd::open(folder.join(name)).unwrap().get(Selection::all()).unwrap();
        wait(async {
            let store = Arc::new(LocalFileSystem::new_with_prefix(folder).unwrap());
            let source = ObjectSource::open(store, name).await.unwrap();
            let reader = AsyncReader::open(source, DParams::default()).await.unwrap();
            assert_eq!(reader.get(Selection::all()).await.unwrap(), near, "{name}");
        });
    }
}

/// The index names the chunks, which are objects of their own.
#[test]
fn a_sparse_frame_with_another_index_has_changed() {
    wait(async {
        let store = Arc::new(InMemory::new());
        for entry in fs::read_dir("tests/golden/blosc2-4.14.1/sparse-2d.b2nd").unwrap() {
            let path = entry.unwrap().path();
            let name = Path::from(format!("a/{}", path.file_name().unwrap().display()));
            store.put(&name, fs::read(path).unwrap().into()).await.unwrap();
        }
        let source = ObjectSource::open(Arc::clone(&store) as _, "a").await.unwrap();
        let reader = AsyncReader::open(source, DParams::default()).await.unwrap();
        let items = reader.get(Selection::all()).await.unwrap();
        assert_eq!(items, b2nd::open("tests/golden/blosc2-4.14.1/sparse-2d.b2nd").unwrap().get(()).unwrap());
        let index = Path::from("a/chunks.b2frame");
        let bytes = store.get(&index).await.unwrap().bytes().await.unwrap();
        store.put(&index, bytes.into()).await.unwrap();
        let error = reader.get(Selection::all()).await.unwrap_err();
        assert!(
            matches!(&error, ReadError::Blosc(error) if error.kind() == ErrorKind::Changed(Changed::Read)),
            "{error}"
        );
    });
}

#[test]
fn what_is_no_frame_is_refused() {
    wait(async {
        let store = Arc::new(InMemory::new());
        store.put(&"empty".into(), PutPayload::new()).await.unwrap();
        store.put(&"text".into(), "text".into()).await.unwrap();
        let open = |name: &'static str| ObjectSource::open(Arc::clone(&store) as _, name);
        assert!(matches!(open("nowhere").await, Err(Error::NotFound { .. })));
        for name in ["empty", "text"] {
            let source = open(name).await.unwrap();
            let error = AsyncArray::from_source(source.clone()).await.unwrap_err();
            assert!(matches!(error, ReadError::Blosc(_)), "{name}: {error}");
            let error = AsyncStore::open(source, DParams::default()).await.unwrap_err();
            assert!(matches!(error, ReadError::Blosc(_)), "{name}: {error}");
        }
    });
}
