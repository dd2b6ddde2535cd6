//! Weights, opening books and tables as text in the source of a submission, and neural networks over maps.
//!
//! | step | module |
//! |---|---|
//! | numbers to a few bits each, with a measure of the error | [`quantise`] |
//! | bytes to fewer bytes | [`rans`] |
//! | bytes to text that copying and source filters do not change | [`text`] |
//!
//! | vectors, with an instruction set chosen at run time | [`lanes`] |
//! | matrix products, 3 x 3 convolutions, sparse inputs | [`product`], [`winograd`], [`planes`] |
//! | a residual network with a policy and a value | [`policy_value`] |
//!
//! Encoders run on the author's machine and decoders on the judge's: `contender pack` removes the functions that a bot
//! does not call.
//!
//! [`include_data`] does all steps: a bot names a file, and the packed bot contains it in as few characters as the
//! judge allows.
//!
//! Encodings of weights as text in the source of a submission:
//!
//! ```
//! use contender_nn::{quantise, rans, text};
//!
//! let weights = [0.25_f32, -0.5, 0.125, 0.0];
//! let quantised = quantise::quantise(&weights, 4).unwrap();
//! let source = text::encode_wide(&rans::compress(&quantise::to_bytes(&quantised.values)));
//!
//! let bytes = rans::decompress(&text::decode_wide(&source).unwrap()).unwrap();
//! let read = quantise::restore(&quantise::from_bytes(&bytes).unwrap(), quantised.scale);
//! assert!(weights.iter().zip(&read).all(|(weight, read)| (weight - read).abs() <= quantised.scale));
//! ```

pub mod lanes;
pub mod planes;
pub mod policy_value;
pub mod product;
pub mod quantise;
pub mod rans;
pub mod text;
pub mod winograd;

/// Includes a file's bytes as a `Vec<u8>`. The path is relative to the source file with the macro call.
///
/// `contender pack` replaces the bytes with a call of [`unpack_wide`] or [`unpack_ascii`] on a literal, entropy-coded
/// if that is shorter.
#[macro_export]
macro_rules! include_data {
    ($file:literal) => {
        include_bytes!($file).to_vec()
    };
}

/// Returns the bytes in a text made for judges that count characters: `encode_wide(&compress(bytes))`.
///
/// # Panics
/// Panics if the text is invalid, for example because the literal from `contender pack` was changed on its way to the
/// judge.
#[must_use]
pub fn unpack_wide(text: &str) -> Vec<u8> {
    text::decode_wide(text)
        .and_then(|coded| rans::decompress(&coded))
        .expect("packed bytes as they were written")
}

/// Returns the bytes in a text made for judges that count bytes: `encode_ascii(&compress(bytes))`.
///
/// # Panics
/// Panics if the text is invalid, for example because the literal from `contender pack` was changed on its way to the
/// judge.
#[must_use]
pub fn unpack_ascii(text: &str) -> Vec<u8> {
    text::decode_ascii(text)
        .and_then(|coded| rans::decompress(&coded))
        .expect("packed bytes as they were written")
}
