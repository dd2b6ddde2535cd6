//! A recorded game may hold anything: setup lines up to a blank one, then moves.
#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code)]
mod inputs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| inputs::recorded(data));
