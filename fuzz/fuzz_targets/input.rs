#![no_main]
#![allow(dead_code, unused_imports, reason = "the tool uses the rest of its modules")]

#[path = "../src/values.rs"]
mod property;

#[path = "../../cli/src"]
mod tool {
    pub(crate) mod failure;
    pub(crate) mod files;
    pub(crate) mod input;
    pub(crate) mod permissions;
    pub(crate) mod pipe;
    pub(crate) mod source;
    pub(crate) mod values;
    pub(crate) mod words;
}

use tool::{failure, files, input, permissions, pipe, source, values, words};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| property::input(bytes));
