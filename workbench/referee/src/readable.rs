//! Formats a bot's output as text for people and logs.

/// Returns a bot's output as printable text: control characters and invalid UTF-8 are escaped, and long text is cut.
pub(crate) fn readable(bytes: &[u8]) -> String {
    const MAX_LENGTH: usize = 200;
    let cut = &bytes[..bytes.len().min(MAX_LENGTH)];
    let mut text = String::new();
    for chunk in cut.utf8_chunks() {
        for character in chunk.valid().chars() {
            if character.is_control() || character == '\\' {
                text.extend(character.escape_default());
            } else {
                text.push(character);
            }
        }
        for byte in chunk.invalid() {
            text.push_str(&format!("\\x{byte:02x}"));
        }
    }
    if cut.len() < bytes.len() {
        text.push_str(&format!("... ({} bytes)", bytes.len()));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_bots_write_is_made_readable() {
        assert_eq!(readable(b"Ikv"), "Ikv");
        assert_eq!(readable("é\t\x1b[1m\\".as_bytes()), "é\\t\\u{1b}[1m\\\\");
        assert_eq!(readable(b"a\xffb"), "a\\xffb");
        assert_eq!(readable(&[b'x'; 500]), format!("{}... (500 bytes)", "x".repeat(200)));
    }
}
