//! Bytes as the literal that a judge finds smallest.

use crate::{Judge, Unit};
use contender_nn::rans::compress;
use contender_nn::text::{encode_ascii, encode_wide};

/// A string literal of the bytes, entropy-coded where that is shorter, and the expression that gives them back as an
/// `Option<Vec<u8>>` where `TEXT` is the literal.
#[must_use]
pub fn literal(bytes: &[u8], judge: &Judge) -> (String, &'static str) {
    let coded = compress(bytes);
    let (text, decode) = match judge.unit {
        Unit::Utf16 => (
            encode_wide(&coded),
            "contender_nn::text::decode_wide(TEXT).and_then(|coded| contender_nn::rans::decompress(&coded))",
        ),
        Unit::Bytes => (
            encode_ascii(&coded),
            "contender_nn::text::decode_ascii(TEXT).and_then(|coded| contender_nn::rans::decompress(&coded))",
        ),
    };
    (format!("\"{text}\""), decode)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_nn::{rans::decompress, text};

    #[test]
    fn the_compiler_reads_the_bytes_back() {
        let bytes: Vec<u8> = (0..3000u32).map(|at| (at * at % 23) as u8).collect();
        for judge in &crate::JUDGES {
            let (literal, decode) = literal(&bytes, judge);
            let read: syn::LitStr = syn::parse_str(&literal).unwrap();
            let coded = match judge.unit {
                Unit::Utf16 => text::decode_wide(&read.value()),
                Unit::Bytes => text::decode_ascii(&read.value()),
            };
            assert_eq!(coded.and_then(|coded| decompress(&coded)), Some(bytes.clone()));
            assert!(syn::parse_str::<syn::Expr>(decode).is_ok());
            assert!(judge.size(&literal) < bytes.len());
        }
    }
}
