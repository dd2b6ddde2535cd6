//! Data such as weights, opening books and tables as text in a submission's source, and neural networks over maps.
//!
//! | step | module |
//! |---|---|
//! | reduce numbers to a few bits each, and measure the error | [`quantise`] |
//! | compress bytes | [`rans`] |
//! | convert bytes to text that survives copying and source filters | [`text`] |
//!
//! | vectors, with an instruction set chosen at run time | [`lanes`] |
//! | matrix products, 3 x 3 convolutions, sparse inputs | [`product`], [`winograd`], [`planes`] |
//! | a residual network with a policy and a value | [`policy_value`] |
//!
//! Encoders run on the author's machine and decoders on the judge's machine. `contender pack` removes the functions
//! that a bot does not call.
//!
//! [`include_data`] performs all these steps: a bot names a file, and the packed bot contains the file as compact text
//! in an alphabet that the judge accepts.
//!
//! This example encodes weights as text for the source of a submission:
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

/// Includes a file's bytes as a `Vec<u8>`. The path is relative to the source file that calls the macro.
///
/// `contender pack` replaces the bytes by a call of [`unpack_wide`] or [`unpack_ascii`] with a string literal, which is
/// entropy-coded if that is shorter.
#[macro_export]
macro_rules! include_data {
    ($file:literal) => {
        include_bytes!($file).to_vec()
    };
}

/// Decodes the bytes in a text for judges that count characters: the text is `encode_wide(&compress(bytes))`.
///
/// # Panics
/// Panics if the text is invalid, for example because the string literal was changed on its way to the judge.
#[must_use]
pub fn unpack_wide(text: &str) -> Vec<u8> {
    text::decode_wide(text)
        .and_then(|coded| rans::decompress(&coded))
        .expect("packed bytes as they were written")
}

/// Decodes the bytes in a text for judges that count bytes: the text is `encode_ascii(&compress(bytes))`.
///
/// # Panics
/// Panics if the text is invalid, for example because the string literal was changed on its way to the judge.
#[must_use]
pub fn unpack_ascii(text: &str) -> Vec<u8> {
    text::decode_ascii(text)
        .and_then(|coded| rans::decompress(&coded))
        .expect("packed bytes as they were written")
}
