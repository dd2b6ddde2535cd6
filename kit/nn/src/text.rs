//! Encodings of bytes as text in a source file.
//!
//! There are two alphabets, because judges count either characters or bytes:
//!
//! - [`encode_wide`]: 15 bits per character, using characters from Unicode's basic plane (one UTF-16 unit each). The
//!   characters are the ideographs U+4E00-9FA5 and U+3400-4DB5, and 5,284 Hangul syllables from U+AC00. All were
//!   assigned in Unicode 3.0. None of the characters is a surrogate, a control character or a bidirectional mark, and
//!   none is special in a string literal. NFC and NFKC do not change them; NFD and NFKD decompose the Hangul syllables.
//! - [`encode_ascii`]: 13 bits per pair of characters, from the 93 printable ASCII characters other than `"` and `\`.
//!   This gives 6.5 bits per byte; the theoretical maximum without escapes is 6.54.
//!
//! A header precedes the bytes: the number of bytes and a checksum, as four little-endian bytes each.

/// The first character of each block of wide characters, and the number of characters used from the block.
const BLOCKS: [(u32, u32); 3] = [(0x4e00, 20_902), (0x3400, 6_582), (0xac00, 5_284)];

/// Encodes bytes as text with 15 bits per character, for judges that count characters. The maximum is 4 GiB.
///
/// ```
/// use contender_nn::text::{decode_wide, encode_wide};
///
/// let text = encode_wide(&[200; 100]);
/// assert_eq!(text.chars().count(), 58);
/// assert_eq!(decode_wide(&text), Some(vec![200; 100]));
/// ```
#[must_use]
pub fn encode_wide(bytes: &[u8]) -> String {
    let mut text = String::new();
    to_digits(bytes, 15, |digit| {
        let mut value = digit;
        for (first, count) in BLOCKS {
            if value < count {
                text.extend(char::from_u32(first + value));
                break;
            }
            value -= count;
        }
    });
    text
}

/// Decodes a text from [`encode_wide`]. Returns `None` for any other text, for example if the text was changed.
///
/// The example of [`encode_wide`] calls this function.
#[must_use]
pub fn decode_wide(text: &str) -> Option<Vec<u8>> {
    from_digits(15, text.chars().map(wide_digit))
}

fn wide_digit(letter: char) -> Option<u32> {
    let mut before = 0;
    for (first, count) in BLOCKS {
        let at = u32::from(letter).wrapping_sub(first);
        if at < count {
            return Some(before + at);
        }
        before += count;
    }
    None
}

/// Encodes bytes as text with 6.5 bits per byte, for judges that count bytes. The maximum is 4 GiB.
///
/// ```
/// use contender_nn::text::{decode_ascii, encode_ascii};
///
/// let text = encode_ascii(&[200; 100]);
/// assert!(text.is_ascii() && text.len() == 134);
/// assert_eq!(decode_ascii(&text), Some(vec![200; 100]));
/// ```
#[must_use]
pub fn encode_ascii(bytes: &[u8]) -> String {
    let mut text = String::new();
    to_digits(bytes, 13, |digit| {
        for value in [digit / 93, digit % 93] {
            // Space is 0; `"` and `\` are skipped.
            let letter = 32 + value + u32::from(value >= 2) + u32::from(value >= 59);
            text.extend(char::from_u32(letter));
        }
    });
    text
}

/// Decodes a text from [`encode_ascii`]. Returns `None` for any other text, for example if the text was changed.
///
/// The example of [`encode_ascii`] calls this function.
#[must_use]
pub fn decode_ascii(text: &str) -> Option<Vec<u8>> {
    let value = |letter: u8| match u32::from(letter) {
        34 | 92 => None,
        letter @ 32..=126 => Some(letter - 32 - u32::from(letter > 34) - u32::from(letter > 92)),
        _ => None,
    };
    from_digits(
        13,
        text.as_bytes().chunks(2).map(|pair| match *pair {
            [high, low] => Some(93 * value(high)? + value(low)?),
            _ => None,
        }),
    )
}

/// Converts the header and the bytes to digits of `bits` bits each, with the low bits first.
fn to_digits(bytes: &[u8], bits: u32, mut put: impl FnMut(u32)) {
    let length = bytes.len() as u32;
    let (mut held, mut count) = (0u32, 0);
    let header = [length.to_le_bytes(), checksum(bytes).to_le_bytes()];
    for &byte in header.iter().flatten().chain(bytes) {
        held |= u32::from(byte) << count;
        count += 8;
        if count >= bits {
            put(held & ((1 << bits) - 1));
            held >>= bits;
            count -= bits;
        }
    }
    if count > 0 {
        put(held);
    }
}

fn from_digits(bits: u32, digits: impl Iterator<Item = Option<u32>>) -> Option<Vec<u8>> {
    let (mut held, mut count) = (0u32, 0);
    let mut bytes = Vec::new();
    for digit in digits {
        let digit = digit?;
        if digit >> bits != 0 {
            return None;
        }
        held |= digit << count;
        count += bits;
        while count >= 8 {
            bytes.push(held as u8);
            held >>= 8;
            count -= 8;
        }
    }
    let number = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
    let (length, sum) = (number(0)? as usize, number(4)?);
    // The last digit can contain a whole additional byte.
    if bytes.len() - 8 != length && bytes.len() - 8 != length + 1 {
        return None;
    }
    bytes.truncate(8 + length);
    bytes.drain(..8);
    Some(bytes).filter(|bytes| checksum(bytes) == sum)
}

/// Returns the FNV-1a hash of the bytes.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
