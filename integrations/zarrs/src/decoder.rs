//! Decoding of parts of a chunk: the header first, then the places of the blocks, then the blocks that are needed.

use crate::reading::{Head, Wanted, Wanting};
use b2nd::chunk::Header;
use std::sync::{Arc, Mutex, PoisonError};
use zarrs_codec::{ArrayBytesRaw, BytesPartialDecoderTraits, BytesRepresentation, CodecError, CodecOptions};
use zarrs_storage::StorageError;
use zarrs_storage::byte_range::{ByteRange, ByteRangeIterator};

/// One chunk of `input`, of which parts are read.
pub(crate) struct Source<I: ?Sized> {
    pub(crate) input: Arc<I>,
    /// The properties of the chunk.
    head: Mutex<Arc<Head>>,
}

/// The one course of reading, for both kinds of input: `$wait` waits where that is needed; `None` where there is no chunk.
macro_rules! source {
    ($input:ty, $header:ident, $bring:ident, [$($asynchronous:tt)*], $($wait:tt)*) => {
        impl Source<$input> {
            /// The header of the chunk, with what was brought of it.
            pub(crate) $($asynchronous)* fn $header(&self, options: &CodecOptions) -> Result<Option<(Header, Head)>, CodecError> {
                let mut head = self.head();
                loop {
                    match head.header()? {
                        Ok(header) => return Ok(Some((header, head))),
                        Err(range) => {
                            let more = self.input.partial_decode(range, options)$($wait)*?;
                            let Some(more) = more else { return Ok(None) };
                            head.push(&more);
                        }
                    }
                }
            }

            /// The wanted part of the chunk.
            pub(crate) $($asynchronous)* fn $bring<W: Wanting>(
                &self,
                wanted: &W,
                mut head: Head,
                options: &CodecOptions,
            ) -> Result<Option<W::Found>, CodecError> {
                let parts = wanted.parts();
                if let Some(range) = parts.missing(&head) {
                    let Some(more) = self.input.partial_decode(range, options)$($wait)*? else { return Ok(None) };
                    head.push(&more);
                    if !parts.whole {
                        self.keep(&head);
                    }
                }
                let places = parts.places(&head)?;
                let mut brought = Vec::new();
                if !places.is_empty() {
                    let ranges = places.iter().cloned().map(ByteRange::from).collect::<Vec<_>>();
                    let found = self.input.partial_decode_many(Box::new(ranges.into_iter()), options)$($wait)*?;
                    let Some(found) = found else { return Ok(None) };
                    brought = found;
                }
                wanted.found(parts.decode(&head, &places, &brought)?).map(Some)
            }
        }
    };
}

source!(dyn BytesPartialDecoderTraits, header, bring, [],);
#[cfg(feature = "async")]
source!(dyn zarrs_codec::AsyncBytesPartialDecoderTraits, header_async, bring_async, [async], .await);

impl<I: ?Sized> Source<I> {
    pub(crate) fn new(input: Arc<I>) -> Self {
        Self { input, head: Mutex::default() }
    }

    fn head(&self) -> Head {
        let known = self.head.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Arc::unwrap_or_clone(known)
    }

    fn keep(&self, head: &Head) {
        *self.head.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(head.clone());
    }

    pub(crate) fn kept(&self) -> usize {
        self.head.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// Reads ranges of the plain bytes of one chunk.
pub(crate) struct PartialDecoder<I: ?Sized> {
    source: Source<I>,
    expected: BytesRepresentation,
}

impl<I: ?Sized> PartialDecoder<I> {
    pub(crate) fn new(input: Arc<I>, expected: BytesRepresentation) -> Self {
        Self { source: Source::new(input), expected }
    }
}

impl BytesPartialDecoderTraits for PartialDecoder<dyn BytesPartialDecoderTraits> {
    fn exists(&self) -> Result<bool, StorageError> {
        self.source.input.exists()
    }

    fn size_held(&self) -> usize {
        self.source.input.size_held() + self.source.kept()
    }

    fn partial_decode_many(
        &self,
        regions: ByteRangeIterator<'_>,
        options: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'_>>>, CodecError> {
        let Some((header, head)) = self.source.header(options)? else { return Ok(None) };
        self.source.bring(&Wanted::new(header, regions, self.expected)?, head, options)
    }

    fn supports_partial_decode(&self) -> bool {
        self.source.input.supports_partial_decode()
    }
}

#[cfg(feature = "async")]
#[cfg_attr(target_arch = "wasm32", async_trait::async_trait(?Send))]
#[cfg_attr(not(target_arch = "wasm32"), async_trait::async_trait)]
impl zarrs_codec::AsyncBytesPartialDecoderTraits
    for PartialDecoder<dyn zarrs_codec::AsyncBytesPartialDecoderTraits>
{
    async fn exists(&self) -> Result<bool, StorageError> {
        self.source.input.exists().await
    }

    fn size_held(&self) -> usize {
        self.source.input.size_held() + self.source.kept()
    }

    async fn partial_decode_many<'a>(
        &'a self,
        regions: ByteRangeIterator<'a>,
        options: &CodecOptions,
    ) -> Result<Option<Vec<ArrayBytesRaw<'a>>>, CodecError> {
        let Some((header, head)) = self.source.header_async(options).await? else { return Ok(None) };
        let wanted = Wanted::new(header, regions, self.expected)?;
        self.source.bring_async(&wanted, head, options).await
    }

    fn supports_partial_decode(&self) -> bool {
        self.source.input.supports_partial_decode()
    }
}
