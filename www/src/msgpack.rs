//! MessagePack as values.

use crate::call_error::CallError;
use crate::engine::Engine;
use crate::value::Writer;
use b2nd::msgpack::{Extended, Token, Tokens};
use b2nd::{Limits, Result};

/// Bytes that an object takes in the memory of JavaScript, about.
const OBJECT: usize = 256;

/// The value that the input is in MessagePack, with what python-blosc2 means by its extensions and tuples unless it is `plain`. In
/// JavaScript it takes about `used` bytes less than metadata may.
pub(crate) fn value(engine: &mut Engine, used: u64, plain: bool) -> Result<(), CallError> {
    engine.output.clear();
    let (bytes, limits) = (engine.input.bytes(), engine.dparams.limits);
    let out = Writer(&mut engine.output);
    let mut values = Values { out, bytes, limits, used, plain, kept: None };
    let mut tokens = Tokens::new(bytes, &limits);
    values.next(&mut tokens, 0, limits.depth)?;
    limits.allow_metadata(values.used)?;
    Ok(tokens.finish()?)
}

/// Writes values token by token, so that only their bytes take memory.
struct Values<'a> {
    out: Writer<'a>,
    /// All of them.
    bytes: &'a [u8],
    limits: Limits,
    /// Bytes that they take in the memory of JavaScript, about, with the room for the entries of lists and maps.
    used: u64,
    plain: bool,
    /// Within values whose stored form JavaScript keeps, the offset of those bytes that it has not got yet.
    kept: Option<usize>,
}

impl<'a> Values<'a> {
    /// Writes the next value, or an end: then it is false. Tokens begin at offset `base` of all bytes. `depth` is what is left of it.
    #[inline(never)]
    fn next(&mut self, tokens: &mut Tokens<'a>, base: usize, depth: u32) -> Result<bool> {
        self.limits.allow_metadata(self.used)?;
        let start = base + tokens.at();
        let token = tokens.next().transpose()?.unwrap_or(Token::End);
        let end = base + tokens.at();
        match token {
            Token::Bool(value) => self.out.bool(value),
            Token::Int(int) => self.out.int(int),
            Token::Float(number) => self.out.number(number),
            Token::Str(text) => {
                self.charge(2 * text.len());
                self.out.utf8(text);
            }
            Token::Bin(bytes) => {
                self.own(bytes, end);
                self.out.bytes(bytes);
            }
            Token::Ext(code, bytes) => self.extension(code, bytes, start, end, depth)?,
            Token::Array(len) => {
                self.charge(16 * len);
                let outer = self.kept;
                let is_tuple = !self.plain && tokens.skip_tuple();
                if is_tuple {
                    self.keep(start);
                }
                self.out.list_of(len - usize::from(is_tuple));
                self.rest(tokens, base, depth)?;
                if is_tuple {
                    self.keep_until(base + tokens.at(), outer);
                }
            }
            Token::Map(len) => {
                self.charge(OBJECT + 80 * len);
                self.out.map();
                self.rest(tokens, base, depth)?;
            }
            Token::End => {
                self.out.end();
                return Ok(false);
            }
            _ => self.out.nil(),
        }
        Ok(true)
    }

    /// Writes the entries and the end of what has begun.
    #[inline(never)]
    fn rest(&mut self, tokens: &mut Tokens<'a>, base: usize, depth: u32) -> Result<()> {
        while self.next(tokens, base, depth.saturating_sub(1))? {}
        Ok(())
    }

    /// Writes what an extension from `start` to `end` means. `objects::Extension`, which also checks that the items of tensors fit
    /// their dtypes, would take 3 kB more.
    fn extension(&mut self, code: i8, bytes: &'a [u8], start: usize, end: usize, depth: u32) -> Result<()> {
        let limits = Limits { depth: depth.saturating_sub(1), ..self.limits };
        let meaning = if self.plain { None } else { Extended::parse(code, bytes, &limits)? };
        let Some(meaning) = meaning else {
            self.own(bytes, end);
            self.out.extension(code, bytes);
            return Ok(());
        };
        let outer = self.kept;
        self.keep(start);
        let values = match meaning {
            Extended::Frame(bytes) => {
                self.own(bytes, end);
                self.out.map();
                self.out.text("frame");
                self.out.bytes(bytes);
                None
            }
            Extended::Complex(real, imaginary) => {
                self.out.list();
                self.out.number(real);
                self.out.number(imaginary);
                None
            }
            Extended::Set(len, tokens) => {
                self.out.set();
                Some((len, tokens))
            }
            Extended::Reference(len, tokens) | Extended::Tensor(len, tokens) => {
                self.out.map();
                Some((len, tokens))
            }
            _ => None,
        };
        match values {
            Some((len, mut tokens)) => {
                self.charge(OBJECT + 80 * len);
                self.rest(&mut tokens, end - bytes.len(), depth)?;
                tokens.finish()?;
            }
            None => self.out.end(),
        }
        self.keep_until(end, outer);
        Ok(())
    }

    /// Begins a value whose stored form JavaScript keeps, at an offset.
    #[inline(never)]
    fn keep(&mut self, start: usize) {
        self.charge(OBJECT);
        self.store(start);
        self.out.keep();
        self.kept = Some(start);
    }

    /// Ends it. `outer` is what was kept before it began.
    #[inline(never)]
    fn keep_until(&mut self, end: usize, outer: Option<usize>) {
        self.store(end);
        self.out.end();
        self.kept = outer.map(|_| end);
    }

    /// Charges bytes that end at an offset. In the stored form they are those of the value.
    #[inline(never)]
    fn own(&mut self, bytes: &[u8], end: usize) {
        self.charge(OBJECT + bytes.len());
        self.store(end - bytes.len());
        self.kept = self.kept.map(|_| end);
    }

    /// Hands out the stored form up to an offset, if it is kept.
    #[inline(never)]
    fn store(&mut self, end: usize) {
        if let Some(start) = self.kept {
            self.kept = Some(end);
            self.charge(OBJECT + end - start);
            self.out.stored(&self.bytes[start..end]);
        }
    }

    fn charge(&mut self, bytes: usize) {
        self.used += bytes as u64;
    }
}
