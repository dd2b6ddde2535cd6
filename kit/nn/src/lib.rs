//! Weights, books and tables as a submission carries them: in the source, as text.
//!
//! | step | module |
//! |---|---|
//! | numbers to few bits, with the error told | [`quantise`] |
//! | bytes to fewer bytes | [`rans`] |
//! | bytes to text that no paste and no source filter changes | [`text`] |
//!
//! Encoders are for the author's machine and decoders for the judge's: `contender pack` drops what a bot does not call.

#![forbid(unsafe_code)]

pub mod quantise;
pub mod rans;
pub mod text;
