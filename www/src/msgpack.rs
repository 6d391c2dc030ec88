//! MessagePack as values.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::value::Writer;
use b2nd::msgpack::{Token, Tokens};

/// The value that the input is in MessagePack. In JavaScript it takes about `used` bytes less than metadata may.
pub(crate) fn value(engine: &mut Engine, mut used: u64) -> Result<(), CallError> {
    engine.output.clear();
    let mut out = Writer(&mut engine.output);
    let limits = &engine.dparams.limits;
    let mut tokens = Tokens::new(engine.input.bytes(), limits);
    while let Some(token) = tokens.next().transpose()? {
        used = used.saturating_add(cost(&token));
        limits.allow_metadata(used)?;
        match token {
            Token::Bool(value) => out.bool(value),
            Token::Int(int) => out.int(int),
            Token::Float(number) => out.number(number),
            Token::Str(text) => out.utf8(text),
            Token::Bin(bytes) => out.bytes(bytes),
            Token::Ext(code, bytes) => out.extension(code, bytes),
            Token::Array(len) => out.list_of(len),
            Token::Map(_) => out.map(),
            Token::End => out.end(),
            _ => out.nil(),
        }
    }
    Ok(tokens.finish()?)
}

/// Bytes that a value takes in the memory of JavaScript, about, with the room for the entries of a list or a map.
fn cost(token: &Token<'_>) -> u64 {
    const OBJECT: usize = 256;
    let bytes = match token {
        Token::Str(text) => 2 * text.len(),
        Token::Bin(bytes) | Token::Ext(_, bytes) => OBJECT + bytes.len(),
        Token::Array(len) => 16 * len,
        Token::Map(len) => OBJECT + 80 * len,
        _ => 0,
    };
    bytes as u64
}
