//! Asynchronous reading: all that is read is what synchronous readers read, with the same requests.
#![cfg(all(feature = "std", feature = "store", feature = "filters", feature = "lz4", feature = "zstd"))]

use crate::common::goldens::{golden as folder, listed};
use crate::common::parts::Parts;
use crate::common::{golden, sha256};
use b2nd::reading::Merge;
use b2nd::source::{AsyncArray, AsyncReadAt, AsyncReader, ReadError};
use b2nd::store::{self, AsyncStore};
use b2nd::table::{AsyncTable, Table};
use b2nd::wire::{Part, Request};
use b2nd::{Changed, DParams, Error, ErrorKind, Limits, ReadAt, Reader, Selection};
use core::convert::Infallible;
use core::future::Future;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::fs;
use std::sync::Mutex;

/// A source that answers when it is polled again, remembers what it was asked for, and changes at some time.
#[derive(Debug)]
struct Far {
    parts: Parts,
    asked: Mutex<Vec<Request>>,
    /// Calls before it changes.
    left: AtomicUsize,
}

impl Far {
    fn new(parts: Parts) -> Self {
        Self { parts, asked: Mutex::default(), left: AtomicUsize::new(usize::MAX) }
    }

    fn of(bytes: Vec<u8>) -> Self {
        Self::new(Parts(vec![(Part::Frame, bytes)]))
    }
}

impl AsyncReadAt for Far {
    type Error = Infallible;

    fn nbytes(&self) -> u64 {
        self.parts.0[0].1.len() as u64
    }

    async fn read_at(&self, requests: &[Request]) -> Result<Vec<Vec<u8>>, ReadError<Infallible>> {
        tokio::task::yield_now().await;
        if self.left.fetch_sub(1, Ordering::Relaxed) == 0 {
            return Err(Changed::Read.into());
        }
        assert!(requests.windows(2).all(|pair| pair[0] < pair[1]), "{requests:?}");
        self.asked.lock().unwrap().extend_from_slice(requests);
        let mut buffer = Vec::new();
        Ok(requests
            .iter()
            .map(|request| self.parts.read_at(request, &mut buffer).unwrap().to_vec())
            .collect())
    }
}

/// The source as a synchronous one.
impl ReadAt for &Far {
    type Error = Infallible;

    fn read_at<'b>(&'b self, request: &Request, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Infallible> {
        self.asked.lock().unwrap().push(request.clone());
        self.parts.read_at(request, buffer)
    }

    fn merge(&self) -> Merge {
        Merge::NETWORK
    }
}

/// Runs a future that other threads could run.
fn wait<T>(future: impl Future<Output = T> + Send) -> T {
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(future)
}

fn blosc<T>(result: Result<T, ReadError<Infallible>>) -> Result<T, Error> {
    Ok(result?)
}

#[test]
fn the_corpus_reads_the_same_with_the_same_requests() {
    let mut read = 0;
    for case in golden().iter().filter(|case| case.error().is_none()) {
        let (far, near) = (Far::new(Parts::of(case)), Far::new(Parts::of(case)));
        let sync = Reader::open(&near, case.dparams()).expect("a good frame");
        wait(async {
            let reader = AsyncReader::open(far, case.dparams()).await.expect("a good frame");
            // What operations share is asked for once.
            reader.contents().await.and(reader.index().await).expect("a good frame");
            sync.contents().and(sync.index()).expect("a good frame");
            for asked in [&reader.source().asked, &near.asked] {
                asked.lock().unwrap().clear();
            }
            for (text, digest) in case.slices() {
                let items = reader.get(&text).await.expect("good data");
                assert_eq!(sha256(&items), digest, "{} [{text}]", case.name);
                sync.get(&text).expect("good data");
                let asked = [&reader.source().asked, &near.asked]
                    .map(|asked| core::mem::take(&mut *asked.lock().unwrap()));
                assert_eq!(asked[0], asked[1], "{} [{text}]", case.name);
                read += 1;
            }
            let trailer = reader.trailer().await.expect("a trailer");
            assert_eq!(trailer, sync.trailer().expect("a trailer"), "{}", case.name);
        });
    }
    assert!(read > 2000, "{read} slices were read");
}

/// Members with all kinds of contents: windows of archives, and small frames in other frames.
#[test]
fn stores_and_their_members_read_the_same() {
    let (mut members, mut attributes) = (0, 0);
    for (path, _) in listed(&folder("stores/stores.jsonl")).iter().filter(|(path, _)| path.is_file()) {
        let near = store::open(path).expect("a store");
        wait(async {
            let far = AsyncStore::open(Far::of(fs::read(path).unwrap()), DParams::default())
                .await
                .expect("a store");
            assert!(far.keys().eq(near.keys()) && far.kind() == near.kind(), "{}", path.display());
            for key in near.keys() {
                let (far, near) = (far.get(key).await.expect("a member"), near.get(key).expect("a member"));
                let all = Selection::all();
                assert_eq!(far.get(&all).await.unwrap(), near.get(&all).unwrap(), "{}{key}", path.display());
                assert_eq!(far.trailer().await.unwrap(), near.trailer().unwrap());
                members += 1;
            }
            for group in ["", "/group"] {
                let far = far.attributes(group).await.expect("attributes");
                assert_eq!(far, near.attributes(group).expect("attributes"));
                attributes += far.len();
            }
            assert_eq!(
                far.get("/nowhere").await.unwrap_err().to_string(),
                near.get("/nowhere").unwrap_err().to_string()
            );
        });
    }
    assert!(members >= 8 && attributes > 0, "{members} members, {attributes} attributes");
}

#[test]
fn tables_read_the_same() {
    let mut columns = 0;
    for (path, _) in listed(&folder("tables/tables.jsonl")).iter().filter(|(path, _)| path.is_file()) {
        let store = store::open(path).expect("a store");
        let near = Table::open(&store, "").expect("a table");
        wait(async {
            let store = AsyncStore::open(Far::of(fs::read(path).unwrap()), DParams::default())
                .await
                .expect("a store");
            let far = AsyncTable::open(&store, "").await.expect("a table");
            assert_eq!(format!("{:?}", far.schema()), format!("{:?}", near.schema()), "{}", path.display());
            assert_eq!(far.indexes().await.unwrap(), near.indexes().unwrap());
            let len = near.len();
            for spec in near.columns() {
                let place = format!("{}: {}", path.display(), spec.name);
                let (far, near) = match (far.column(&spec.name).await, near.column(&spec.name)) {
                    (Ok(far), Ok(near)) => (far, near),
                    (far, near) => {
                        assert_eq!(far.unwrap_err().to_string(), near.unwrap_err().to_string(), "{place}");
                        continue;
                    }
                };
                for rows in [0..len, 1..2] {
                    let (far, near) = (blosc(far.cells(rows.clone()).await), near.cells(rows));
                    match (far, near) {
                        (Ok(far), Ok(near)) => assert_eq!(format!("{far:?}"), format!("{near:?}"), "{place}"),
                        (far, near) => {
                            assert_eq!(far.unwrap_err().to_string(), near.unwrap_err().to_string(), "{place}")
                        }
                    }
                }
                columns += 1;
            }
        });
    }
    assert!(columns > 30, "{columns} columns were read");
}

#[test]
fn a_source_that_changes_is_never_read_as_a_mixture() {
    let sample = fs::read(folder("blosc2-4.14.1/sample.b2nd")).unwrap();
    let mut changed = 0;
    for calls in 0.. {
        let far = Far::of(sample.clone());
        far.left.store(calls, Ordering::Relaxed);
        let read = wait(async {
            let array = AsyncArray::from_source(far).await?;
            array.attrs().await?;
            array.read::<f32>("::5, 3").await
        });
        match blosc(read) {
            Ok(values) => {
                assert_eq!(values.shape(), [3, 40]);
                break;
            }
            Err(error) => assert_eq!(error.kind(), ErrorKind::Changed(Changed::Read)),
        }
        changed += 1;
    }
    assert!(changed >= 3, "{changed} calls");
}

#[test]
fn values_are_those_of_synchronous_arrays() {
    let path = folder("blosc2-4.14.1/sample.b2nd");
    let near = b2nd::Array::open(&path).unwrap();
    wait(async {
        let far = AsyncArray::from_source(fs::read(&path).unwrap()).await.unwrap();

        assert_eq!((far.shape(), far.dtype()), (near.shape(), near.dtype()));
        assert_eq!(far.attrs().await.unwrap(), near.attrs().unwrap());
        for text in ["", "3", "::-1, 5", "..., 7", "2:9, ::3, 11:30", "5:5"] {
            let (far, near) = (far.read::<f32>(text).await.unwrap(), near.read::<f32>(text).unwrap());
            assert_eq!(far.shape(), near.shape());
            assert!(far.into_iter().map(f32::to_bits).eq(near.into_iter().map(f32::to_bits)), "[{text}]");
        }
        for (text, same) in [("99", "99"), ("0, 0, 0, 0", "0, 0, 0, 0")] {
            let (far, near) = (far.get(text).await.unwrap_err(), near.get(same).unwrap_err());
            assert_eq!(far.to_string(), near.to_string());
        }
        assert_eq!(
            far.read::<i16>("0").await.unwrap_err().to_string(),
            near.read::<i16>("0").unwrap_err().to_string()
        );
        assert_eq!(far.at::<f32>((-1, 7, 7)).await.unwrap(), near.at::<f32>((-1, 7, 7)).unwrap());
    });
}

/// Tasks share a reader, and what one of them has fetched and given up does no harm to the others.
#[test]
fn tasks_share_a_reader() {
    let path = folder("blosc2-4.14.1/sample.b2nd");
    let near = b2nd::Array::open(&path).unwrap();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).build().unwrap();
    runtime.block_on(async {
        let far =
            alloc::sync::Arc::new(AsyncArray::from_source(Far::of(fs::read(&path).unwrap())).await.unwrap());
        let tasks: Vec<_> = (0..40_i64)
            .map(|at| {
                let far = alloc::sync::Arc::clone(&far);
                tokio::spawn(async move {
                    let mut given_up = core::pin::pin!(far.get((at / 2 % 12, ..)));
                    // It is ready only if another task has fetched what it needs.
                    core::future::poll_fn(|context| {
                        let _ = given_up.as_mut().poll(context);
                        core::task::Poll::Ready(())
                    })
                    .await;
                    far.get((at % 12, at % 30)).await
                })
            })
            .collect();
        for (at, task) in (0..).zip(tasks) {
            assert_eq!(task.await.unwrap().unwrap(), near.get((at % 12, at % 30)).unwrap());
        }
    });
}

/// Frames that are damaged or claim too much fail with the errors of synchronous readers.
#[test]
fn damaged_frames_fail_the_same() {
    let limits = Limits { memory: 16 << 20, ..Limits::default() };
    let (mut state, mut same, mut refused) = (7_u64, 0, 0);
    for case in golden().iter().filter(|case| case.error().is_none()) {
        let whole = Parts::of(case);
        for _ in 0..4 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let mut parts = whole.clone();
            *parts.byte((state >> 33) as usize % whole.len()) ^= 1 << (state >> 30 & 7);
            let (far, near) = (Far::new(parts.clone()), Far::new(parts));
            let dparams = DParams { limits, ..case.dparams() };
            let near = Reader::open(&near, dparams.clone()).and_then(|reader| reader.get(Selection::all()));
            let far = wait(async { AsyncReader::open(far, dparams).await?.get(Selection::all()).await });
            match (blosc(near), blosc(far)) {
                (Ok(near), Ok(far)) => {
                    assert!(near == far, "{}", case.name);
                    same += 1;
                }
                (Err(near), Err(far)) => {
                    assert_eq!(near, far, "{}", case.name);
                    refused += 1;
                }
                (near, far) => panic!("{}: {:?} and {:?}", case.name, near.err(), far.err()),
            }
        }
    }
    assert!(same > 500 && refused > 50, "{same} read, {refused} refused");
}

/// An operation that reads from another source does not run for ever.
#[test]
fn an_operation_of_another_reader_is_refused() {
    let sample = fs::read(folder("blosc2-4.14.1/sample.b2nd")).unwrap();
    wait(async {
        let one = AsyncReader::open(Far::of(sample.clone()), DParams::default()).await.unwrap();
        let other = AsyncReader::open(Far::of(sample), DParams::default()).await.unwrap();
        let smuggled = other.run(Ok).await.unwrap();
        let error = one.run(|_| smuggled.index().map(|index| index.nchunks())).await.unwrap_err();
        assert!(matches!(blosc::<()>(Err(error)).unwrap_err().kind(), ErrorKind::Argument(_)));
    });
}
