//! Encoding of an array's chunks, apart from its frame.

use super::{ArrayParams, Dtype, Element, Layout};
use crate::base::{ArgumentError, Limits, Result, buffer_len};
use crate::chunk::ChunkEncoder;
use crate::plan::Selection;
use alloc::vec::Vec;

/// Encodes the chunks of an array one by one, for example in another thread than the one that writes the frame. It reuses its
/// buffers and the tables of the codecs.
///
/// ```
/// use b2nd::array::{ArrayEncoder, ArrayParams};
/// use b2nd::sink::{Editor, Memory};
/// let mut params = ArrayParams::new(&[5, 6], "|u1");
/// params.chunkshape = Some(vec![4, 6]);
/// // Chunk 1 is the last row.
/// let chunk = ArrayEncoder::new(&params)?.encode(1, &[1, 2, 3, 4, 5, 6])?;
/// let mut editor = Editor::create_array(Memory::default(), &params)?;
/// editor.put_chunk(1, &chunk)?;
/// assert_eq!(editor.get("4")?, [1, 2, 3, 4, 5, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ArrayEncoder {
    array: Layout,
    encoder: ChunkEncoder,
    /// The uncompressed chunk, block by block.
    plain: Vec<u8>,
}

impl ArrayEncoder {
    /// An encoder for an array with these parameters.
    ///
    /// ```
    /// use b2nd::array::{ArrayEncoder, ArrayParams};
    /// let mut params = ArrayParams::new(&[5], "|u1");
    /// params.chunkshape = Some(vec![2]);
    /// let encoder = ArrayEncoder::new(&params)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`Editor::create_array`](crate::sink::Editor::create_array).
    pub fn new(params: &ArrayParams) -> Result<Self> {
        Self::reusing(None, params)
    }

    /// An encoder for an array with these parameters, in the memory of another one, if there is one.
    ///
    /// ```
    /// use b2nd::array::{ArrayEncoder, ArrayParams};
    /// let first = ArrayEncoder::new(&ArrayParams::new(&[5], "|u1").with_chunks(&[2]))?;
    /// let second = ArrayEncoder::reusing(Some(first), &ArrayParams::new(&[7, 3], "<f4").with_chunks(&[7, 3]))?;
    /// assert_eq!(second.layout().shape(), [7, 3]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Errors of [`new`](Self::new).
    pub fn reusing(other: Option<Self>, params: &ArrayParams) -> Result<Self> {
        let (array, frame) = params.frame()?;
        let (mut encoder, plain) =
            other.map_or_else(Default::default, |Self { encoder, plain, .. }| (encoder, plain));
        encoder.set_cparams(frame.cparams);
        Ok(Self { array, encoder, plain })
    }

    /// The array.
    ///
    /// ```
    /// use b2nd::array::{ArrayEncoder, ArrayParams};
    /// let mut params = ArrayParams::new(&[5], "|u1");
    /// params.chunkshape = Some(vec![2]);
    /// assert_eq!(ArrayEncoder::new(&params)?.layout().chunkshape(), [2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn layout(&self) -> &Layout {
        &self.array
    }

    /// Encodes chunk `nchunk`. `items` are those of the chunk that lie within the array, in C order.
    ///
    /// ```
    /// use b2nd::array::{ArrayEncoder, ArrayParams};
    /// let mut params = ArrayParams::new(&[5], "|u1");
    /// params.chunkshape = Some(vec![2]);
    /// let mut encoder = ArrayEncoder::new(&params)?;
    /// let (first, last) = (encoder.encode(0, &[1, 2])?, encoder.encode(2, &[5])?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if there is no such chunk, or if `items` does not have its length; errors of encoding.
    pub fn encode(&mut self, nchunk: u64, items: &[u8]) -> Result<Vec<u8>> {
        let whole = self.array.plan(Selection::all())?;
        let nchunks = self.array.grid().nchunks();
        let task = whole.chunk(nchunk).ok_or(ArgumentError::Chunk { index: nchunk, nchunks })?;
        let (part, _) = whole.part(&task)?;
        buffer_len(part.nbytes(), items)?;
        self.plain.clear();
        self.plain.resize(task.nbytes() as usize, 0);
        part.gather(&task, items, &mut self.plain);
        self.encoder.encode(&self.plain)
    }

    /// Encodes chunk `nchunk` of values, which lie within the array, in C order.
    ///
    /// ```
    /// use b2nd::array::{ArrayEncoder, ArrayParams};
    /// let params = ArrayParams::new(&[5], ">f4").with_chunks(&[2]);
    /// let mut encoder = ArrayEncoder::new(&params)?;
    /// assert_eq!(encoder.encode_values(2, &[0.5_f32])?, encoder.encode(2, &0.5_f32.to_be_bytes())?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// `Argument` if `T` does not fit the array's dtype; errors of [`encode`](Self::encode).
    pub fn encode_values<T: Element>(&mut self, nchunk: u64, values: &[T]) -> Result<Vec<u8>> {
        let dtype = Dtype::parse(self.array.dtype().unwrap_or_default(), &Limits::default())?;
        self.encode(nchunk, &dtype.encode(values)?)
    }
}
