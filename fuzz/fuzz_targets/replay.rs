//! Files of recorded games may hold anything, in every form that is read.
#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code)]
mod inputs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| inputs::replay(data));
