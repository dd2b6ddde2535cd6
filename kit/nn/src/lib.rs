//! Weights, books and tables as a submission carries them, in the source, as text; and networks over maps.
//!
//! | step | module |
//! |---|---|
//! | numbers to few bits, with the error told | [`quantise`] |
//! | bytes to fewer bytes | [`rans`] |
//! | bytes to text that no paste and no source filter changes | [`text`] |
//!
//! | vectors, chosen at run time | [`lanes`] |
//! | products of matrices, 3 x 3 convolutions, sparse inputs | [`product`], [`winograd`], [`planes`] |
//! | a residual network with a policy and a value | [`policy_value`] |
//!
//! Encoders are for the author's machine and decoders for the judge's: `contender pack` drops what a bot does not call.
//!
//! [`include_data`] does all of it: a bot names a file, and the packed bot carries it in the fewest characters of its
//! judge.

pub mod lanes;
pub mod planes;
pub mod policy_value;
pub mod product;
pub mod quantise;
pub mod rans;
pub mod text;
pub mod winograd;

/// A file's bytes as a `Vec<u8>`; the file is named from the source file that this is written in.
///
/// `contender pack` writes the bytes as [`unpack_wide`] or [`unpack_ascii`] of a literal, entropy-coded if that is
/// shorter.
#[macro_export]
macro_rules! include_data {
    ($file:literal) => {
        include_bytes!($file).to_vec()
    };
}

/// Returns the bytes of a text that counts characters: `encode_wide(&compress(bytes))`.
///
/// # Panics
/// If the text is invalid, for example because the literal of `contender pack` was changed on its way to the judge.
#[must_use]
pub fn unpack_wide(text: &str) -> Vec<u8> {
    text::decode_wide(text)
        .and_then(|coded| rans::decompress(&coded))
        .expect("packed bytes as they were written")
}

/// Returns the bytes of a text that counts bytes: `encode_ascii(&compress(bytes))`.
///
/// # Panics
/// If the text is invalid, for example because the literal of `contender pack` was changed on its way to the judge.
#[must_use]
pub fn unpack_ascii(text: &str) -> Vec<u8> {
    text::decode_ascii(text)
        .and_then(|coded| rans::decompress(&coded))
        .expect("packed bytes as they were written")
}
