//! Conversion between text and syntax trees.

use crate::PackError;
use std::ops::Range;

/// Formats a syntax tree as text.
pub(crate) fn print(file: &syn::File) -> String {
    prettyplease::unparse(file)
}

/// Parses a text that the packer has generated.
pub(crate) fn parse(text: &str) -> Result<syn::File, PackError> {
    syn::parse_str(text).map_err(|error| {
        let line = text.lines().nth(error.span().start().line.saturating_sub(1)).unwrap_or_default();
        let line: String = line.trim().chars().take(200).collect();
        PackError::general(format!("the generated code is not valid Rust: {error}: `{line}`"))
    })
}

/// Returns the range of a module, without its attributes. `span` would read all its tokens, which takes long.
pub(crate) fn module_range(module: &syn::ItemMod) -> Range<usize> {
    let end = module.content.as_ref().map(|(brace, _)| brace.span.close().byte_range().end);
    let start = module.mod_token.span.byte_range().start;
    start..end.unwrap_or(start)
}

/// Returns the range of a block, with its braces.
pub(crate) fn block_range(block: &syn::Block) -> Range<usize> {
    block.brace_token.span.open().byte_range().start..block.brace_token.span.close().byte_range().end
}
