//! Tests of the codecs: decoding restores the input, texts are not longer than promised, and other texts are refused.

use contender_nn::quantise::{from_bytes, pack_numbers, quantise, restore, to_bytes, unpack_numbers};
use contender_nn::rans::{compress, decompress};
use contender_nn::text::{decode_ascii, decode_wide, encode_ascii, encode_wide};
use proptest::prelude::*;

/// Returns the number of digits of a text, computed directly from the number of bits.
fn digits(bytes: &[u8], bits: usize) -> usize {
    (8 * (bytes.len() + 8) + bits - 1) / bits
}

/// Generates bytes of which most are small, like the bytes of weights.
fn skewed() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(prop_oneof![8 => 0..4u8, 1 => any::<u8>()], 0..5000)
}

proptest! {
    #[test]
    fn text_round_trips(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let wide = encode_wide(&bytes);
        prop_assert_eq!(wide.encode_utf16().count(), digits(&bytes, 15));
        prop_assert_eq!(decode_wide(&wide), Some(bytes.clone()));
        let ascii = encode_ascii(&bytes);
        prop_assert_eq!(ascii.len(), 2 * digits(&bytes, 13));
        prop_assert_eq!(decode_ascii(&ascii), Some(bytes));
    }

    #[test]
    fn rans_round_trips(bytes in skewed()) {
        let coded = compress(&bytes);
        prop_assert!(coded.len() <= bytes.len() + 1);
        prop_assert_eq!(decompress(&coded), Some(bytes));
    }

    #[test]
    fn any_bytes_and_texts_are_taken_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..900), text in ".{0,40}") {
        let mut bytes = bytes;
        let _ = decompress(&bytes);
        let _ = from_bytes(&bytes);
        if let Some(kind) = bytes.first_mut() {
            *kind = 1;
        }
        let _ = decompress(&bytes);
        prop_assert!(decode_ascii(&text).is_none() || text.len() >= 10);
        prop_assert!(decode_wide(&text).is_none());
    }

    #[test]
    fn packed_numbers_round_trip_and_are_counted(numbers in prop::collection::vec(-40_000..40_000i32, 0..300)) {
        let packed = pack_numbers(numbers.iter().copied());
        let clamped: Vec<i16> = numbers.iter().map(|&number| number.clamp(-32_768, 32_767) as i16).collect();
        prop_assert_eq!(unpack_numbers(&packed, numbers.len()), Ok(clamped));
        let wrong = unpack_numbers(&packed, numbers.len() + 1).unwrap_err();
        prop_assert!(wrong.contains(&format!("{} numbers", numbers.len())), "{}", wrong);
    }

    #[test]
    fn quantised_numbers_are_within_the_told_error(
        numbers in prop::collection::vec(-50f32..50.0, 0..300),
        bits in 2..=16u32,
    ) {
        let made = quantise(&numbers, bits).unwrap();
        let bytes = to_bytes(&made.values);
        prop_assert_eq!(from_bytes(&bytes), Some(made.values.clone()));
        // Half a step, plus the rounding of the division and of the product.
        let farthest = numbers.iter().fold(0f32, |farthest, number| farthest.max(number.abs()));
        prop_assert!(made.largest_error <= made.scale * 0.5 + 2.0 * f32::EPSILON * farthest);
        for (number, restored) in numbers.iter().zip(restore(&made.values, made.scale)) {
            prop_assert!((number - restored).abs() <= made.largest_error);
        }
    }
}

/// Every value of both alphabets is one character, from the blocks that are stable under NFC and NFKC, and has no
/// special meaning in a literal.
#[test]
fn all_characters_are_plain() {
    let bytes: Vec<u8> = (0..=u16::MAX).flat_map(u16::to_le_bytes).collect();
    let wide = encode_wide(&bytes);
    assert!(wide.chars().all(
        |letter| matches!(letter, '\u{3400}'..='\u{4db5}' | '\u{4e00}'..='\u{9fa5}' | '\u{ac00}'..='\u{d7a3}')
    ));
    let ascii = encode_ascii(&bytes);
    assert!(ascii.bytes().all(|letter| matches!(letter, b' '..=b'~') && letter != b'"' && letter != b'\\'));
    assert_eq!(decode_wide(&wide), Some(bytes.clone()));
    assert_eq!(decode_ascii(&ascii), Some(bytes));
}

#[test]
fn small_weights_take_their_entropy() {
    // One in eight bytes is 1 and the others are 0, which is 0.544 bits per byte.
    let bytes: Vec<u8> =
        (0..80_000u32).map(|at| u8::from(at.wrapping_mul(2_654_435_761) >> 29 == 0)).collect();
    let size = compress(&bytes).len();
    assert!(size < 80_000 * 56 / 800 + 300, "{size}");
    assert_eq!(decompress(&compress(&bytes)), Some(bytes));
}

/// In weights of 16 bits, the high bytes have separate frequencies, so they take only their own entropy.
#[test]
fn low_and_high_bytes_are_coded_apart() {
    let mut bytes: Vec<u8> = (0..20_000u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    bytes.extend((0..20_000u32).map(|at| at.wrapping_mul(2_654_435_761) as u8 & 0x80));
    let size = compress(&bytes).len();
    // The bytes take 8 bits and 1 bit; a common distribution would take 7.4 bits for each.
    assert!(size < 20_000 + 20_000 / 8 + 900, "{size}");
    assert_eq!(decompress(&compress(&bytes)), Some(bytes));
}

#[test]
fn included_data_are_the_bytes_of_the_file() {
    let bytes = contender_nn::include_data!("../../Cargo.toml");
    assert!(bytes.starts_with(b"[package]"));
    assert_eq!(contender_nn::unpack_wide(&encode_wide(&compress(&bytes))), bytes);
    assert_eq!(contender_nn::unpack_ascii(&encode_ascii(&compress(&bytes))), bytes);
}

#[test]
fn numbers_that_are_none_are_refused() {
    assert_eq!(quantise(&[1.0, f32::NAN], 8).unwrap_err(), "number 1 is NaN");
    assert!(quantise(&[1.0], 17).is_err());
}

/// If a single letter is changed or two adjacent letters are exchanged, the decoder never returns other bytes.
#[test]
fn a_changed_text_is_refused() {
    let bytes = b"weights of a network".to_vec();
    type Decode = fn(&str) -> Option<Vec<u8>>;
    for (text, decode) in
        [(encode_ascii(&bytes), decode_ascii as Decode), (encode_wide(&bytes), decode_wide as Decode)]
    {
        let letters: Vec<char> = text.chars().collect();
        let mut refused = 0;
        let mut check = |changed: Vec<char>| {
            let found = decode(&changed.into_iter().collect::<String>());
            // The unused bits of the last letter belong to no byte.
            assert!(found.is_none() || found.as_ref() == Some(&bytes), "{found:?}");
            refused += usize::from(found.is_none());
        };
        for at in 0..letters.len() {
            for &other in &letters {
                check([&letters[..at], &[other], &letters[at + 1..]].concat());
            }
            let mut swapped = letters.clone();
            swapped.swap(at, (at + 1) % letters.len());
            check(swapped);
        }
        assert!(refused > letters.len() * letters.len() / 2, "{refused}");
    }
    let mut letters: Vec<char> = encode_ascii(&bytes).chars().collect();
    letters.swap(20, 22);
    assert_eq!(decode_ascii(&letters.into_iter().collect::<String>()), None);
}
