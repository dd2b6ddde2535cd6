//! Formats the final readable file.

/// Puts `head` above the text as a comment, turns the headers of modules into comments, and separates items with empty
/// lines.
pub(crate) fn finish(text: &str, head: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1000);
    for line in head.lines() {
        out.push_str(&format!("// {line}\n"));
    }
    out.push('\n');
    let mut previous = "";
    for line in text.lines() {
        let (indent, code) = line.split_at(line.len() - line.trim_start().len());
        let starts_item = [
            "fn ",
            "pub ",
            "pub(",
            "impl",
            "struct ",
            "enum ",
            "trait ",
            "mod ",
            "const fn ",
            "unsafe ",
            "#[",
            "///",
        ]
        .iter()
        .any(|start| code.starts_with(start));
        if starts_item && previous == format!("{indent}}}") {
            out.push('\n');
        }
        match code.strip_prefix("///") {
            // Documentation has been removed, so the remaining doc comments are the headers of modules.
            Some(header) => out.push_str(&format!("{indent}//{header}\n")),
            None => {
                out.push_str(line);
                out.push('\n');
            }
        }
        previous = line;
    }
    out
}
