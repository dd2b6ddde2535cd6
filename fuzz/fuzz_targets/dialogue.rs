//! A bot reads whatever a judge might send: it answers, waits, leaves or says why it cannot go on, and never panics.
#![no_main]

#[path = "../inputs.rs"]
#[allow(dead_code)]
mod inputs;

libfuzzer_sys::fuzz_target!(|data: &[u8]| inputs::dialogue(data));
