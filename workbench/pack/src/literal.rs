//! Encodes bytes as text, in the form that is smallest for the judge.

use crate::Unit;
use contender_nn::rans::compress;
use contender_nn::text::{encode_ascii, encode_wide};

/// Returns the bytes as text (entropy-coded if this is shorter), and the name of the function in `contender_nn` that
/// decodes the text.
#[must_use]
pub fn data(bytes: &[u8], unit: Unit) -> (String, &'static str) {
    let coded = compress(bytes);
    match unit {
        Unit::Utf16 => (encode_wide(&coded), "unpack_wide"),
        Unit::Bytes => (encode_ascii(&coded), "unpack_ascii"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_reads_the_bytes_back() {
        let bytes: Vec<u8> = (0..3000u32).map(|at| (at * at % 23) as u8).collect();
        for judge in &crate::SITES {
            let (text, function) = data(&bytes, judge.unit);
            let literal = format!("\"{text}\"");
            let read: syn::LitStr = syn::parse_str(&literal).unwrap();
            let unpack = match function {
                "unpack_wide" => contender_nn::unpack_wide,
                "unpack_ascii" => contender_nn::unpack_ascii,
                other => panic!("{other}"),
            };
            assert_eq!(unpack(&read.value()), bytes);
            assert!(judge.size(&literal) < bytes.len());
        }
    }
}
