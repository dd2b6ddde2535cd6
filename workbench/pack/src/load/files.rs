//! Reading source files, and finding the files of modules.

use crate::{PackError, source};
use proc_macro2::TokenStream;
use std::path::{Path, PathBuf};

/// Returns the folder that contains the child modules of a file.
pub(super) fn child_folder(file: &Path) -> PathBuf {
    let folder = file.parent().unwrap_or(Path::new(""));
    let stem = file.file_stem().unwrap_or_default();
    if matches!(stem.to_str(), Some("mod" | "lib" | "main")) || is_bin(file) {
        folder.to_path_buf()
    } else {
        folder.join(stem)
    }
}

/// Returns whether a file is a program in `src/bin`, which is the root of a separate crate.
pub(super) fn is_bin(file: &Path) -> bool {
    file.parent().and_then(Path::file_name).is_some_and(|folder| folder == "bin" || folder == "examples")
}

/// Returns the tokens of a source file.
pub(super) fn tokens_of(text: &str, path: &Path) -> Result<TokenStream, PackError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    // A first line `#!/...` is no attribute.
    let text = match text.strip_prefix("#!") {
        Some(rest) if !rest.trim_start().starts_with('[') => &rest[rest.find('\n').unwrap_or(rest.len())..],
        _ => text,
    };
    let tokens: TokenStream = text
        .parse()
        .map_err(|error: proc_macro2::LexError| PackError::at(path, error.span(), "invalid Rust"))?;
    match source::too_deep(&tokens) {
        None => Ok(tokens),
        Some(span) => {
            let reason = format!(
                "more than {} nested brackets, or more than {} tokens without a `,` or `;` between them",
                source::MAX_DEPTH,
                source::MAX_LENGTH
            );
            Err(PackError::at(path, span, reason))
        }
    }
}

/// Returns the file of a module, or a message if the folder has no such file or two of them.
pub(super) fn module_file(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let flat = folder.join(format!("{name}.rs"));
    let nested = folder.join(name).join("mod.rs");
    let [one, other] = [&flat, &nested].map(|path| path.display());
    match (flat.is_file(), nested.is_file()) {
        (true, false) => Ok(flat),
        (false, true) => Ok(nested),
        (true, true) => Err(format!("module `{name}` has two files: {one} and {other}")),
        (false, false) => Err(format!("module `{name}` has no file: neither {one} nor {other}")),
    }
}
