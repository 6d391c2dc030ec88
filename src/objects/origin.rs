//! Origins of references.

use crate::base::{Limits, Result};
use crate::frame::{Header, Trailer};
use crate::msgpack::Value;

/// The origin of a reference, as python-blosc2 wrote it: the expression and the operands of a lazy array, the path or URL of the
/// array behind a proxy, a remote array or an array of a server. `None` if the frame is no reference, or does not tell.
///
/// # Errors
/// Errors of [`Value::parse`].
pub fn origin(header: &Header, trailer: &Trailer, limits: &Limits) -> Result<Option<Value>> {
    if header.reference().is_none() {
        return Ok(None);
    }
    let variable = |name: &str| trailer.attributes.iter().find(|layer| layer.name == name.as_bytes());
    if let Some(layer) = variable("b2o").or_else(|| variable("_LazyArray")) {
        return layer.value(limits).map(Some);
    }
    header.metalayer("proxy-source").map(|content| Value::parse(content, limits)).transpose()
}
