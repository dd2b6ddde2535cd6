//! A judge takes whatever a bot might answer: a legal move, or a reason why it is none, and never panics.
#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code)]
mod inputs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| inputs::judge(data));
