//! A league takes any file of games from elsewhere.
#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code)]
mod inputs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| inputs::import(data));
