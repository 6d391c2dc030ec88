//! The threads of compression and decompression, which are started when they are first needed.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::{Arc, Mutex};

/// Less is done by the calling thread alone.
const WORTH_BYTES: usize = 256 << 10;

struct Pool {
    /// The process that started the threads: a child that it forks has none of them.
    process: u32,
    nthreads: usize,
    threads: Arc<ThreadPool>,
}

static POOL: Mutex<Option<Pool>> = Mutex::new(None);

/// Runs `work` on `nthreads` threads, or on the calling one if there is little to do or threads cannot be had.
pub fn run<T: Send>(nthreads: usize, nbytes: usize, work: impl FnOnce(bool) -> T + Send) -> T {
    let threads = if nthreads > 1 && nbytes >= WORTH_BYTES { threads(nthreads) } else { None };
    match threads {
        Some(threads) => threads.install(|| work(true)),
        None => work(false),
    }
}

/// Ends the threads once they are idle.
pub fn end() {
    if let Ok(mut pool) = POOL.try_lock() {
        pool.take().into_iter().for_each(Pool::end);
    }
}

fn threads(nthreads: usize) -> Option<Arc<ThreadPool>> {
    // A process may be forked while another thread has the lock, which then stays locked in the child.
    let mut pool = POOL.try_lock().ok()?;
    if let Some(pool) = pool.as_ref().filter(|pool| pool.serves(nthreads)) {
        return Some(Arc::clone(&pool.threads));
    }
    pool.take().into_iter().for_each(Pool::end);
    let threads = Arc::new(ThreadPoolBuilder::new().num_threads(nthreads).build().ok()?);
    *pool = Some(Pool { process: process::id(), nthreads, threads: Arc::clone(&threads) });
    Some(threads)
}

impl Pool {
    fn serves(&self, nthreads: usize) -> bool {
        self.process == process::id() && self.nthreads == nthreads
    }

    fn end(self) {
        if self.process != process::id() {
            // There is nothing to end, and what the threads shared may be locked.
            core::mem::forget(self.threads);
        }
    }
}
