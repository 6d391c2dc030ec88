//! The encoder, zrip's. It has levels up to 4, and only takes dictionaries that were trained: it is given none.

/// The highest level there is.
const MAX_LEVEL: i32 = 4;

/// State that streams reuse; none without `std`.
#[derive(Default)]
pub(crate) struct Encoder {
    #[cfg(feature = "std")]
    context: Option<alloc::boxed::Box<zrip_encode::context::CompressContext>>,
}

impl Encoder {
    /// Encodes `src` into `dst` and returns the length; `None` if it does not fit.
    #[cfg(feature = "std")]
    pub(crate) fn encode(&mut self, src: &[u8], _dict: &[u8], dst: &mut [u8], level: i32) -> Option<usize> {
        let level = level.min(MAX_LEVEL);
        let context = match &mut self.context {
            Some(context) => context,
            none => {
                let mut context = zrip_encode::context::CompressContext::new(level).ok()?;
                context.set_content_checksum(false);
                none.insert(context.into())
            }
        };
        context.set_level(level).ok()?;
        context.compress_into(src, dst).ok()
    }

    /// Encodes `src` into `dst` and returns the length; `None` if it does not fit.
    #[cfg(not(feature = "std"))]
    pub(crate) fn encode(&mut self, src: &[u8], _dict: &[u8], dst: &mut [u8], level: i32) -> Option<usize> {
        zrip_encode::compress_into(src, dst, level.min(MAX_LEVEL)).ok()
    }
}
