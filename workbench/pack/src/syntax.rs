//! Conversion between text and syntax trees.

use crate::PackError;

/// Returns the file as formatted text.
pub(crate) fn print(file: &syn::File) -> String {
    prettyplease::unparse(file)
}

/// Returns the syntax tree of a text that the packer has generated.
pub(crate) fn parse(text: &str) -> Result<syn::File, PackError> {
    syn::parse_str(text)
        .map_err(|error| PackError::general(format!("the bundled text is not valid Rust: {error}")))
}
