//! Post-processes a module with wasm-bindgen's attributes: restores the Rust name of each export, and removes the glue.

use crate::error::{Error, Result};

/// Section ids of the binary format.
const CUSTOM: u8 = 0;
const EXPORT: u8 = 7;
/// The magic number and the version.
const HEADER: usize = 8;
/// Length of the hash in `input_0123456789abcdef`, the attribute's name for `input`.
const HASH: usize = 16;

/// Renames exports, and removes glue exports and custom sections.
pub fn plain(module: &[u8]) -> Result<Vec<u8>> {
    rewrite(module).ok_or_else(|| Error::new("the compiler's WebAssembly module ends too early"))
}

fn rewrite(module: &[u8]) -> Option<Vec<u8>> {
    let (header, mut rest) = module.split_at_checked(HEADER)?;
    let mut out = header.to_vec();
    while let [id, after @ ..] = rest {
        rest = after;
        let content = vector(&mut rest)?;
        match *id {
            CUSTOM => {}
            EXPORT => push(&mut out, EXPORT, &exports(content)?),
            id => push(&mut out, id, content),
        }
    }
    Some(out)
}

/// Rewrites the export section's entries: name, kind, index.
fn exports(mut section: &[u8]) -> Option<Vec<u8>> {
    let (mut count, mut entries) = (0, Vec::new());
    for _ in 0..number(&mut section)? {
        let name = vector(&mut section)?;
        let (&kind, after) = section.split_first()?;
        section = after;
        let index = number(&mut section)?;
        if !name.starts_with(b"__") {
            push_vector(&mut entries, without_hash(name));
            entries.push(kind);
            push_number(&mut entries, index);
            count += 1;
        }
    }
    let mut out = Vec::new();
    push_number(&mut out, count);
    out.extend(entries);
    Some(out)
}

fn without_hash(name: &[u8]) -> &[u8] {
    match name.len().checked_sub(HASH + 1).map(|at| name.split_at(at)) {
        Some((plain, [b'_', hash @ ..])) if hash.iter().all(u8::is_ascii_hexdigit) => plain,
        _ => name,
    }
}

fn push(out: &mut Vec<u8>, id: u8, content: &[u8]) {
    out.push(id);
    push_vector(out, content);
}

fn push_vector(out: &mut Vec<u8>, bytes: &[u8]) {
    push_number(out, bytes.len());
    out.extend(bytes);
}

/// LEB128, the encoding of all numbers in a module.
fn push_number(out: &mut Vec<u8>, mut number: usize) {
    while number > 0x7f {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn number(bytes: &mut &[u8]) -> Option<usize> {
    let len = bytes.iter().take(5).position(|byte| byte & 0x80 == 0)? + 1;
    let (digits, rest) = bytes.split_at(len);
    *bytes = rest;
    Some(digits.iter().rev().fold(0, |number, digit| number << 7 | usize::from(digit & 0x7f)))
}

/// A length-prefixed byte string.
fn vector<'a>(bytes: &mut &'a [u8]) -> Option<&'a [u8]> {
    let len = number(bytes)?;
    let (content, rest) = bytes.split_at_checked(len)?;
    *bytes = rest;
    Some(content)
}

#[cfg(test)]
mod tests {
    use super::{EXPORT, plain, push, push_number, push_vector};

    const HEADER: &[u8] = b"\0asm\x01\0\0\0";
    const CODE: u8 = 10;

    fn module(exports: &[&str], custom: bool) -> Vec<u8> {
        let mut section = Vec::new();
        push_number(&mut section, exports.len());
        for name in exports {
            push_vector(&mut section, name.as_bytes());
            section.extend([0, 0x85, 1]);
        }
        let mut module = HEADER.to_vec();
        push(&mut module, EXPORT, &section);
        if custom {
            push(&mut module, 0, b"\x04name");
        }
        push(&mut module, CODE, &[7; 300]);
        module
    }

    #[test]
    fn exports_get_their_names_back() {
        let compiled =
            ["memory", "output_len_0123456789abcdef", "__wbindgen_describe_load", "a_0123456789abcdeg"];
        let wanted = module(&["memory", "output_len", "a_0123456789abcdeg"], false);
        assert_eq!(plain(&module(&compiled, true)).unwrap(), wanted);
    }

    #[test]
    fn a_module_that_ends_too_early_is_refused() {
        let whole = module(&["memory"], true);
        let cut = (0..whole.len()).filter(|&len| plain(&whole[..len]).is_ok()).count();
        // At section boundaries: after the header, the exports, the custom section.
        assert_eq!(cut, 3);
    }
}
