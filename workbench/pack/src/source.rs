//! Reading of source files within limits. Devices, huge files and extremely nested code cause errors.

use proc_macro2::{Span, TokenStream, TokenTree};
use std::io;
use std::path::Path;

/// Maximum size of a file in bytes, far above the limit of any judge.
const MAX_BYTES: u64 = 1 << 26;

/// Maximum nesting depth of brackets, far more than in real code. The compiler also has a limit.
pub(crate) const MAX_DEPTH: usize = 500;

/// Stack size of the thread that packs. Code that is nested without brackets, such as a long sum, is processed
/// recursively. The system allocates only the part of the stack that is used.
const STACK: usize = 1 << 30;

/// Reads a file.
///
/// # Errors
/// Returns an error if the file cannot be read or is too large, or if the path is a folder, a device or a pipe.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    contender_input::read(path, MAX_BYTES)
}

/// Reads a file as text.
///
/// # Errors
/// Returns an error in the same cases as [`read`], and if the file is not UTF-8.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::other("the file is not UTF-8"))
}

/// Maximum number of tokens between two separators. This limits nesting without brackets, as in `Vec<Vec<...`, `&&&...`
/// and `a || b || ...`.
pub(crate) const MAX_LENGTH: usize = 10_000;

/// Words that can start an item.
const ITEMS: [&str; 10] =
    ["fn", "struct", "enum", "union", "impl", "trait", "mod", "const", "static", "macro_rules"];

/// Returns the first position that is inside more than [`MAX_DEPTH`] brackets, or after more than [`MAX_LENGTH`] tokens
/// without a separator.
pub(crate) fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut open = vec![(tokens.clone().into_iter(), 0)];
    while let Some((innermost, signs)) = open.last_mut() {
        match innermost.next() {
            Some(TokenTree::Group(group)) => {
                if open.len() > MAX_DEPTH {
                    return Some(group.span_open());
                }
                open.push((group.stream().into_iter(), 0));
            }
            Some(TokenTree::Punct(sign)) if matches!(sign.as_char(), ',' | ';') => *signs = 0,
            Some(TokenTree::Punct(sign)) => {
                *signs += 1;
                if *signs > MAX_LENGTH {
                    return Some(sign.span());
                }
            }
            // These words begin a new item, and items have no separators between them.
            Some(TokenTree::Ident(word)) if ITEMS.iter().any(|item| word == item) => *signs = 0,
            Some(_) => {}
            None => {
                open.pop();
            }
        }
    }
    None
}

/// Runs `work` on a thread with a large stack.
///
/// # Panics
/// Panics if `work` panics, or if no thread can be created.
pub(crate) fn with_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        match thread.expect("a thread can be made").join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nests_without_brackets_is_bounded() {
        let text = |text: String| -> TokenStream { text.parse().unwrap() };
        with_deep_stack(|| {
            for deep in [
                format!("type T = {}u8{};", "Vec<".repeat(50_000), ">".repeat(50_000)),
                format!("fn f(x: {}u8) {{}}", "&".repeat(50_000)),
                format!("fn f() -> bool {{ true {} }}", "|| true".repeat(100_000)),
                format!("fn f() -> bool {{ {}true }}", "!".repeat(50_000)),
            ] {
                assert!(too_deep(&text(deep)).is_some());
            }
        });
        // Long tables and long files are not nested.
        let table = format!("const T: [i8; 100000] = [{}];", "-1, ".repeat(100_000));
        assert!(too_deep(&text(table)).is_none());
        let file = "#[inline] pub fn f<T: Copy>(x: &T) -> &T { x }\n".repeat(10_000);
        assert!(too_deep(&text(file)).is_none());
    }

    #[test]
    fn brackets_are_counted_at_any_depth() {
        let nested = |depth: usize| -> TokenStream {
            format!("a {} b {} (c)", "(".repeat(depth), ")".repeat(depth)).parse().unwrap()
        };
        assert!(too_deep(&nested(MAX_DEPTH)).is_none());
        assert!(too_deep(&nested(MAX_DEPTH + 1)).is_some());
        with_deep_stack(|| assert!(too_deep(&nested(100_000)).is_some()));
    }
}
