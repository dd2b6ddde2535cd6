//! The error that a bot has written, and its place in the program.

/// Returns the error at the end of a bot's standard error, and its place in the program. Both are empty if the bot
/// wrote nothing. The place is empty if the text is neither a traceback of Python nor a panic of Rust.
pub fn reported(stderr: &str) -> [String; 2] {
    // Python marks the position in a line with carets, and Rust explains how to get a backtrace.
    let is_content =
        |line: &&str| !line.trim_matches(['~', '^', ' ']).is_empty() && !line.starts_with("note: ");
    let lines: Vec<&str> = stderr.lines().map(str::trim).filter(is_content).collect();
    let Some((error, before)) = lines.split_last() else { return Default::default() };
    let frame = before.iter().rposition(|line| line.starts_with("File \"") || line.contains("panicked at "));
    let place = frame.map_or_else(String::new, |at| {
        // The line of the program follows the frame.
        let code = before.get(at + 1).map_or_else(String::new, |code| format!(": {code}"));
        format!("{}{code}", before[at].trim_end_matches(':'))
    });
    [error.to_string(), place]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_of_a_traceback_comes_with_its_place() {
        let python = "Traceback (most recent call last):\n  File \"b.py\", line 3, in <module>\n    main()\n    ~~~~^^\n  \
                      File \"b.py\", line 2, in main\n    {}[1]\n    ~~^^^\nKeyError: 1\n";
        assert_eq!(reported(python), ["KeyError: 1", "File \"b.py\", line 2, in main: {}[1]"]);
        let rust = "thread 'main' panicked at src/main.rs:4:5:\nno move\nnote: run with `RUST_BACKTRACE=1`\n";
        assert_eq!(reported(rust), ["no move", "thread 'main' panicked at src/main.rs:4:5"]);
        assert_eq!(reported("loud\nlouder\n"), ["louder", ""]);
        assert_eq!(reported(" \n"), ["", ""]);
    }
}
