//! Files that go into the packed one, within bounds: what is no file, has no end, or is nested without end is refused.

use proc_macro2::{Span, TokenStream, TokenTree};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The most bytes of one file, far above what any judge takes.
const MOST: u64 = 1 << 26;

/// The most brackets around anything. Nobody writes so many, and the compiler, too, ends at some number.
pub(crate) const DEEPEST: usize = 500;

/// The stack of a thread that packs: what nests without brackets, such as a long sum, is walked by recursion. Only what is used of it is
/// taken.
const STACK: usize = 1 << 30;

/// The bytes of a file.
///
/// # Errors
/// What the system says; a folder, a device or a pipe; a file that is too long.
pub(crate) fn read(path: &Path) -> io::Result<Vec<u8>> {
    // A pipe would be waited for.
    if !path.metadata()?.is_file() {
        return Err(io::Error::other("this is no file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::other(format!("the file has more than {MOST} bytes")));
    }
    Ok(bytes)
}

/// A file as text.
///
/// # Errors
/// As [`read`]; bytes that are no text.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    String::from_utf8(read(path)?).map_err(|_| io::Error::other("the file is not UTF-8"))
}

/// The first place that is in more than [`DEEPEST`] brackets.
pub(crate) fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut open = vec![tokens.clone().into_iter()];
    while let Some(innermost) = open.last_mut() {
        match innermost.next() {
            Some(TokenTree::Group(group)) if open.len() > DEEPEST => return Some(group.span_open()),
            Some(TokenTree::Group(group)) => open.push(group.stream().into_iter()),
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
/// As `work` does, or if no thread can be made.
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
    fn what_has_no_end_is_refused() {
        assert_eq!(read(Path::new("/dev/zero")).unwrap_err().to_string(), "this is no file");
        assert_eq!(read(Path::new("/")).unwrap_err().to_string(), "this is no file");
        assert!(read(Path::new(file!()).file_name().unwrap().as_ref()).is_err());
    }

    #[test]
    fn brackets_are_counted_at_any_depth() {
        let nested = |depth: usize| -> TokenStream {
            format!("a {} b {} (c)", "(".repeat(depth), ")".repeat(depth)).parse().unwrap()
        };
        assert!(too_deep(&nested(DEEPEST)).is_none());
        assert!(too_deep(&nested(DEEPEST + 1)).is_some());
        with_deep_stack(|| assert!(too_deep(&nested(100_000)).is_some()));
    }
}
