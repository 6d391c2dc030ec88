//! Every golden file decodes to what its manifest says: whole, in slices, with its metadata.

mod common;

use b2nd::source::ReadError;
use b2nd::{ErrorKind, Selection};
use common::{Case, golden, sha256};
use serde_json::Value;

#[test]
fn decode_to_what_was_written() {
    let mut wrong = Vec::new();
    let cases = golden();
    for case in &cases {
        if let Err(complaint) = check(case) {
            wrong.push(format!("{}: {complaint}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{} of {} files are wrong:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    assert!(cases.len() > 500, "the corpus is there");
}

fn check(case: &Case) -> Result<(), String> {
    let read = || -> Result<(), Result<String, ReadError<std::io::Error>>> {
        let reader = case.open().map_err(Err)?;
        for (text, digest) in case.slices() {
            let selection: Selection = text.parse().map_err(|error| Err(ReadError::Blosc(error)))?;
            let items = reader.get(&selection).map_err(Err)?;
            if case.error().is_none() && sha256(&items) != digest {
                return Err(Ok(format!("[{text}] differs, {} bytes", items.len())));
            }
        }
        reader.trailer().map_err(Err)?;
        Ok(())
    };
    match (case.error(), read()) {
        (None, Ok(())) => metadata(case),
        (None, Err(Ok(complaint))) => Err(complaint),
        (None, Err(Err(error))) => Err(error.to_string()),
        (Some(expected), Err(Err(ReadError::Blosc(error)))) => match (expected, error.kind()) {
            ("format", ErrorKind::Format(_)) | ("unsupported", ErrorKind::Unsupported(_)) => Ok(()),
            _ => Err(format!("{expected} expected, {error:?} found")),
        },
        (Some(expected), found) => Err(format!("{expected} expected, {found:?} found")),
    }
}

fn metadata(case: &Case) -> Result<(), String> {
    let reader = case.open().map_err(|error| error.to_string())?;
    let header = &reader.frame().header;
    let array = reader.layout().map_err(|error| error.to_string())?;
    let equal = |name: &str, found: Value| match &case.facts[name] {
        Value::Null => Ok(()),
        expected if *expected == found => Ok(()),
        expected => Err(format!("{name} is {found}, should be {expected}")),
    };
    equal("shape", array.map_or(Value::Null, |array| array.shape().as_slice().into()))?;
    equal("dtype", array.map_or(Value::Null, |array| array.dtype().into()))?;
    if case.kind() != "chunk" {
        equal("typesize", header.typesize.into())?;
        equal("frame_version", header.version.into())?;
    }
    let hex = |bytes: &[u8]| -> String { bytes.iter().map(|byte| format!("{byte:02x}")).collect() };
    let trailer = reader.trailer().map_err(|error| error.to_string())?;
    for (field, metalayers) in [("metalayers", &header.metalayers), ("vlmetalayers", &trailer.attributes)] {
        for (name, expected) in case.facts[field].as_object().into_iter().flatten() {
            let found = metalayers.iter().find(|metalayer| metalayer.name == name.as_bytes());
            if found.map(|metalayer| Value::from(hex(&metalayer.content))).as_ref() != Some(expected) {
                return Err(format!("{name} in {field} differs"));
            }
        }
    }
    Ok(())
}
