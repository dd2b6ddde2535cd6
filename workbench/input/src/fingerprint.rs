//! Hashes of texts that are stable enough to be stored in files.

use sha2::{Digest, Sha256};

/// Returns the first eight bytes, in little-endian order, of a SHA-256 hash of the texts. The hash covers each text's
/// length (as eight bytes) and then the text itself. Unlike the standard library's hashes, it does not change between
/// versions.
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

    /// The fingerprint of no texts is the SHA-256 hash of nothing, e3b0c44298fc1c14... Different divisions of the same
    /// text have different fingerprints.
    #[test]
    fn fingerprints_stay() {
        assert_eq!(fingerprint([]), 0x141c_fc98_42c4_b0e3);
        assert_ne!(fingerprint(["ab", "c"]), fingerprint(["a", "bc"]));
    }
}
