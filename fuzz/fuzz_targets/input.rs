#![no_main]
#![allow(dead_code, unused_imports, reason = "the tool uses the rest of its modules")]

#[path = "../src/values.rs"]
mod property;

#[path = "../../cli/src"]
mod tool {
    pub(crate) mod error;
    pub(crate) mod files;
    pub(crate) mod input;
    pub(crate) mod origin;
    pub(crate) mod permissions;
    pub(crate) mod pipe;
    #[path = "remote/none.rs"]
    pub(crate) mod remote;
    pub(crate) mod source;
    pub(crate) mod values;
    pub(crate) mod words;
}

use tool::{error, files, input, origin, permissions, pipe, remote, source, values, words};

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| property::input(bytes));
