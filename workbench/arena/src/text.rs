//! Formatting of lines of text.

/// Maximum length of a line, in characters.
const WIDTH: usize = 100;

/// Maximum length of a bot's name. The middle of a longer name is cut out.
const MAX_NAME: usize = 26;

/// Appends a line without trailing spaces.
pub(crate) fn line(text: &mut String, content: &str) {
    text.push_str(content.trim_end());
    text.push('\n');
}

/// Appends a text, with line breaks between words so that no line is longer than `WIDTH`.
pub(crate) fn wrapped(text: &mut String, content: &str) {
    let mut current = String::new();
    for word in content.split_whitespace() {
        if !current.is_empty() && current.chars().count() + 1 + word.chars().count() > WIDTH {
            line(text, &current);
            current = "  ".to_string();
        } else if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
    }
    line(text, &current);
}

pub(crate) fn shorten(name: &str) -> String {
    let characters: Vec<char> = name.chars().collect();
    if characters.len() <= MAX_NAME {
        return name.to_string();
    }
    let head = (MAX_NAME - 1) / 3;
    let tail = characters.len() - (MAX_NAME - 1 - head);
    characters[..head].iter().chain(&['…']).chain(&characters[tail..]).collect()
}

/// Formats a number with its noun, such as `1 pair` or `2 pairs`.
pub(crate) fn count(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
