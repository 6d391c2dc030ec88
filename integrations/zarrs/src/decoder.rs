//! Decoding of parts of a chunk: the header first, then the places of the blocks, then the blocks that are needed.

use crate::reading::{Head, Wanted};
use std::sync::{Arc, Mutex, PoisonError};
use zarrs_codec::{ArrayBytesRaw, BytesPartialDecoderTraits, BytesRepresentation, CodecError, CodecOptions};
use zarrs_storage::StorageError;
use zarrs_storage::byte_range::{ByteRange, ByteRangeIterator};

/// Reads parts of one chunk of `input`.
pub(crate) struct PartialDecoder<I: ?Sized> {
    input: Arc<I>,
    expected: BytesRepresentation,
    /// What is known of the chunk.
    head: Mutex<Arc<Head>>,
}

impl<I: ?Sized> PartialDecoder<I> {
    pub(crate) fn new(input: Arc<I>, expected: BytesRepresentation) -> Self {
        Self { input, expected, head: Mutex::default() }
    }

    fn head(&self) -> Head {
        let known = self.head.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Arc::unwrap_or_clone(known)
    }

    fn keep(&self, head: &Head) {
        *self.head.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(head.clone());
    }

    fn kept(&self) -> usize {
        self.head.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// The one course of reading, for both kinds of input: `$ask` has what brings ranges of bytes, `None` where there is no chunk.
macro_rules! partial_decode {
    ($self:ident, $regions:ident, $options:ident, $($wait:tt)*) => {{
        let mut head = $self.head();
        let header = loop {
            match head.header()? {
                Ok(header) => break header,
                Err(range) => {
                    let Some(more) = $self.input.partial_decode(range, $options)$($wait)*? else { return Ok(None) };
                    head.push(&more);
                }
            }
        };
        let wanted = Wanted::new(header, $regions, $self.expected)?;
        if wanted.is_whole() {
            let bytes = $self.input.partial_decode(wanted.everything(), $options)$($wait)*?;
            return bytes.map(|bytes| wanted.of_everything(&bytes, $self.expected)).transpose();
        }
        if let Some(range) = wanted.missing(&head) {
            let Some(more) = $self.input.partial_decode(range, $options)$($wait)*? else { return Ok(None) };
            head.push(&more);
            $self.keep(&head);
        }
        let places = wanted.places(&head)?;
        let ranges = places.iter().cloned().map(ByteRange::from).collect::<Vec<_>>();
        let brought = $self.input.partial_decode_many(Box::new(ranges.into_iter()), $options)$($wait)*?;
        brought.map(|brought| wanted.decode(&head, &places, &brought)).transpose()
    }};
}

impl BytesPartialDecoderTraits for PartialDecoder<dyn BytesPartialDecoderTraits> {
    fn exists(&self) -> Result<bool, StorageError> {
        self.input.exists()
    }

    fn size_held(&self) -> usize {
        self.input.size_held() + self.kept()
    }

    fn partial_decode_many(
        &self,
        regions: ByteRangeIterator<'_>,
        options: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'_>>>, CodecError> {
        partial_decode!(self, regions, options,)
    }

    fn supports_partial_decode(&self) -> bool {
        self.input.supports_partial_decode()
    }
}

#[cfg(feature = "async")]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
impl zarrs_codec::AsyncBytesPartialDecoderTraits
    for PartialDecoder<dyn zarrs_codec::AsyncBytesPartialDecoderTraits>
{
    async fn exists(&self) -> Result<bool, StorageError> {
        self.input.exists().await
    }

    fn size_held(&self) -> usize {
        self.input.size_held() + self.kept()
    }

    async fn partial_decode_many<'a>(
        &'a self,
        regions: ByteRangeIterator<'a>,
        options: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'a>>>, CodecError> {
        partial_decode!(self, regions, options, .await)
    }

    fn supports_partial_decode(&self) -> bool {
        self.input.supports_partial_decode()
    }
}
