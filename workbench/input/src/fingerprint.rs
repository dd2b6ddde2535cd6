//! Texts as a number that files may keep.

use sha2::{Digest, Sha256};

/// Returns the first eight bytes, the lowest first, of the SHA-256 of the texts, each after its length in eight bytes.
/// Unlike the standard library's hashers it is the same in every version.
#[must_use]
pub fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a str>) -> u64 {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    u64::from_le_bytes(hash.finalize()[..8].try_into().expect("a hash has 32 bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The number of no text is SHA-256's of nothing, e3b0c44298fc1c14...; texts are told apart, not only what they
    /// come to together.
    #[test]
    fn fingerprints_stay() {
        assert_eq!(fingerprint([]), 0x141c_fc98_42c4_b0e3);
        assert_ne!(fingerprint(["ab", "c"]), fingerprint(["a", "bc"]));
    }
}
