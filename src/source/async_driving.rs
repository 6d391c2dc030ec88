//! The asynchronous driver: of exchanges, and of all that synchronous readers do.

use super::async_fetched::{Fetched, Missing, Piece};
use super::async_read::AsyncReadAt;
use super::async_shares::each;
use super::{ReadAt, ReadError, Reader};
use crate::base::ArgumentError;
use crate::frame::{Exchange, Request};
use crate::reading::{Merge, merge};
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;

/// An asynchronous source, and what was fetched of it.
#[derive(Debug)]
pub(crate) struct Fetching<S> {
    source: Arc<S>,
    fetched: Fetched,
}

impl<S> Clone for Fetching<S> {
    fn clone(&self) -> Self {
        Self { source: Arc::clone(&self.source), fetched: self.fetched.clone() }
    }
}

impl<S: AsyncReadAt> Fetching<S> {
    pub(crate) fn new(source: S) -> Self {
        let fetched = Fetched::new(source.merge());
        Self { source: Arc::new(source), fetched }
    }

    /// The bytes that were fetched are those of the other source, too.
    pub(crate) fn with_source<T>(&self, source: T) -> Fetching<T> {
        Fetching { source: Arc::new(source), fetched: self.fetched.clone() }
    }

    pub(crate) fn source(&self) -> &S {
        &self.source
    }

    /// A source of the bytes fetched so far, for synchronous readers.
    pub(crate) fn fetched(&self) -> Fetched {
        self.fetched.clone()
    }

    /// Runs a synchronous operation. If it fails since bytes are missing, these are fetched, and it runs again: so often as its
    /// requests depend on each other. Until it ends the bytes stay in memory.
    pub(crate) async fn run<T>(
        &self,
        mut operation: impl FnMut() -> Result<T, ReadError<Missing>>,
    ) -> Result<T, ReadError<S::Error>> {
        let (mut held, mut last) = (Vec::new(), Vec::new());
        loop {
            match operation() {
                Ok(done) => return Ok(done),
                Err(ReadError::Blosc(error)) => return Err(error.into()),
                // They are of another source.
                Err(ReadError::Source(Missing(requests))) if requests == last => {
                    return Err(ArgumentError::NotAsked.into());
                }
                Err(ReadError::Source(Missing(requests))) => {
                    last.clone_from(&requests);
                    self.fetch(requests, &mut held).await?;
                }
            }
        }
    }

    async fn fetch(
        &self,
        mut requests: Vec<Request>,
        held: &mut Vec<Arc<Piece>>,
    ) -> Result<(), ReadError<S::Error>> {
        // They were merged already, but each reading by itself.
        merge(&mut requests, &Merge { gap: 0, waste: 0.0, ..self.fetched.merge() });
        let answers = self.source.read_at(&requests).await?;
        if answers.len() != requests.len() {
            return Err(ArgumentError::NotAsked.into());
        }
        let pieces = requests.into_iter().zip(answers).map(|(request, bytes)| Piece { request, bytes });
        held.extend(self.fetched.share(pieces));
        Ok(())
    }

    /// Completes exchanges that read from what was fetched, batch by batch: the bytes of one are not kept for the next.
    pub(super) async fn complete<M: ReadAt<Error = Missing> + Sync, E: Exchange + Send>(
        &self,
        reader: &Reader<M>,
        exchanges: &mut [Steps<E>],
    ) -> Result<(), ReadError<S::Error>> {
        while self.run(|| reader.settled(step(&reader.source, exchanges))).await? {}
        Ok(())
    }
}

/// An exchange, a step of which can be tried until its bytes are there.
pub(super) struct Steps<E> {
    exchange: E,
    /// The requests of the step, if they are made.
    asked: Option<Vec<Request>>,
}

impl<E: Exchange> Steps<E> {
    pub(super) const fn new(exchange: E) -> Self {
        Self { exchange, asked: None }
    }

    fn ask(&mut self) -> Result<&[Request], crate::Error> {
        if self.asked.is_none() {
            self.asked = Some(self.exchange.ask()?.to_vec());
        }
        Ok(self.asked.as_deref().unwrap_or_default())
    }

    fn give<M: ReadAt<Error = Missing>>(&mut self, source: &M) -> Result<(), ReadError<Missing>> {
        let requests = self.asked.as_deref().unwrap_or_default();
        if requests.is_empty() {
            return Ok(());
        }
        // Not kept: shares of a chunk have a copy each.
        let mut buffers = vec![Vec::new(); requests.len()];
        let read = |(request, buffer)| source.read_at(request, buffer).map_err(ReadError::Source);
        let answers = requests.iter().zip(&mut buffers).map(read).collect::<Result<Vec<_>, _>>()?;
        self.exchange.give(&answers)?;
        self.asked = None;
        Ok(())
    }
}

/// Makes one step of each exchange; false if all are complete.
fn step<M: ReadAt<Error = Missing> + Sync, E: Exchange + Send>(
    source: &M,
    exchanges: &mut [Steps<E>],
) -> Result<bool, ReadError<Missing>> {
    let mut requests = Vec::new();
    for exchange in &mut *exchanges {
        requests.extend_from_slice(exchange.ask()?);
    }
    source.prefetch(&requests).map_err(ReadError::Source)?;
    each(exchanges, |exchange| exchange.give(source))?;
    Ok(!requests.is_empty())
}
