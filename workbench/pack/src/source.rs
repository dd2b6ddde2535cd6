//! Files that go into the packed one, within bounds: devices, endless files and endless nesting are refused.

use proc_macro2::{Span, TokenStream, TokenTree};
use std::io;
use std::path::Path;

/// The most bytes of one file, far above what any judge takes.
const MAX_BYTES: u64 = 1 << 26;

/// Maximum depth of brackets. No author writes that many, and the compiler has a limit, too.
pub(crate) const MAX_DEPTH: usize = 500;

/// The stack of a thread that packs: what nests without brackets, such as a long sum, is walked by recursion. Only what
/// is used of it is taken.
const STACK: usize = 1 << 30;

/// Returns the bytes of a file.
///
/// # Errors
/// Errors of the system; a folder, a device or a pipe; a file that is too long.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    contender_input::read(path, MAX_BYTES)
}

/// Returns a file as text.
///
/// # Errors
/// See [`read`]; bytes that are not UTF-8.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::other("the file is not UTF-8"))
}

/// The most signs between two separators: `Vec<Vec<...`, `&&&...` and `a || b || ...` nest without brackets.
pub(crate) const MAX_LENGTH: usize = 10_000;

/// Words that begin an item.
const ITEMS: [&str; 10] =
    ["fn", "struct", "enum", "union", "impl", "trait", "mod", "const", "static", "macro_rules"];

/// Returns the first place that is in more than [`MAX_DEPTH`] brackets, or behind more than [`MAX_LENGTH`] signs.
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
            // Words that begin what stands by itself: items have no separators between them.
            Some(TokenTree::Ident(word)) if ITEMS.iter().any(|item| word == item) => *signs = 0,
            Some(_) => {}
            None => {
                open.pop();
            }
        }
    }
    None
}

/// Runs on a thread with a deep stack.
///
/// # Panics
/// If `work` panics, or no thread can be made.
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
        // Long tables and long files are no nests.
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
