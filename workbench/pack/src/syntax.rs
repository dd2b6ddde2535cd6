//! Conversion between text and syntax trees.

use crate::PackError;

/// Formats a syntax tree as text.
pub(crate) fn print(file: &syn::File) -> String {
    prettyplease::unparse(file)
}

/// Parses a text that the packer has generated.
pub(crate) fn parse(text: &str) -> Result<syn::File, PackError> {
    syn::parse_str(text)
        .map_err(|error| PackError::general(format!("the generated code is not valid Rust: {error}")))
}
