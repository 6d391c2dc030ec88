#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| b2nd_fuzz::packets(bytes));
