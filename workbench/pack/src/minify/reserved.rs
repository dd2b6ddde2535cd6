//! Words that cannot be names.

/// Words that must not be used as new names: keywords, and names that are in scope without an import.
const RESERVED: &str = "Self as async await bool box break char const continue crate do dyn else enum extern f32 f64 false fn for gen \
if impl in i8 i16 i32 i64 i128 isize let loop macro main match mod move mut priv pub ref return self static str struct super trait true try \
type typeof u8 u16 u32 u64 u128 unsafe unsized use usize virtual where while yield union raw auto abstract become final override \
Box Copy Clone Debug Default Drop Eq Err Fn FnMut FnOnce From Hash Into Iterator None Ok Option Ord PartialEq PartialOrd Result Send Sized \
Some String Sync ToOwned ToString Vec dbg std core alloc test cfg doc";

pub(super) fn is_reserved(name: &str) -> bool {
    name == "_" || name.starts_with("r#") || RESERVED.split_whitespace().any(|word| word == name)
}
