//! Conversion between text and syntax trees.

use crate::PackError;

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
