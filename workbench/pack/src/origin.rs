//! The origin of the code in a bundle: its crates, and the source file and line from which it comes.

use crate::compiler::Build;
use crate::error::Obstacle;
use crate::source;
use crate::syntax::{module_range, parse};
use crate::workspace::Edition;
use std::collections::BTreeMap;
use std::path::PathBuf;
use syn::{Expr, ExprLit, Item, Lit, Meta};

/// The packages in a bundle, each with its folder. The program's root file belongs to an empty name.
pub(crate) type Folders = [(String, PathBuf)];

/// Information about a bundle and its sources.
pub(crate) struct Origin<'a> {
    /// The flags and libraries with which the bundle is compiled.
    pub build: &'a Build,
    /// Code that cannot be packed, which is a problem if the program reaches it.
    pub suspects: &'a [Obstacle],
    /// The edition of each crate's module.
    pub editions: &'a BTreeMap<String, Edition>,
    /// The packages, each with its folder.
    pub folders: &'a Folders,
}

/// Returns the file and, if it is found, the line of the code at a position in a bundle.
pub(crate) fn origin(text: &str, at: usize, folders: &Folders) -> String {
    origins(text, &[at], folders).remove(0)
}

/// Returns the file and, if it is found, the line of the code at each position in a bundle.
pub(crate) fn origins(text: &str, positions: &[usize], folders: &Folders) -> Vec<String> {
    let file = parse(text);
    let items = file.as_ref().map_or(&[][..], |file| &file.items[..]);
    let place = |&at: &usize| {
        let header = header(items, at).unwrap_or_default();
        let (package, file) = header.split_once(", ").unwrap_or_default();
        let Some((_, folder)) = folders.iter().find(|(known, _)| known == package) else {
            return "the program".to_string();
        };
        let path = if file.is_empty() { folder.clone() } else { folder.join(file) };
        let source = source::read_text(&path).unwrap_or_default();
        let line = text.get(..at).map_or(0, |before| before.matches('\n').count());
        match line_of(&source, text.lines().nth(line).unwrap_or_default()) {
            Some(line) => format!("{}:{line}", path.display()),
            None => path.display().to_string(),
        }
    };
    positions.iter().map(place).collect()
}

/// Returns the header of the innermost module around a position: its package and file.
fn header(items: &[Item], at: usize) -> Option<String> {
    let module = items.iter().find_map(|item| match item {
        Item::Mod(module) if module_range(module).contains(&at) => Some(module),
        _ => None,
    })?;
    let inner = module.content.as_ref().and_then(|(_, items)| header(items, at));
    inner.or_else(|| {
        module.attrs.iter().find_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value().trim().to_string()),
                _ => None,
            },
            _ => None,
        })
    })
}

/// Returns the number of the first line of `source` at which `code` starts, without regard to white space.
fn line_of(source: &str, code: &str) -> Option<usize> {
    let letters = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
    let code = letters(code);
    let at = letters(source).find(&code).filter(|_| code.len() > 3)?;
    let mut passed = 0;
    source
        .lines()
        .position(|line| {
            passed += letters(line).len();
            passed > at
        })
        .map(|line| line + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_is_found_in_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let source = "fn first() {}\n\nfn second(\n    a: u8,\n) { third ( a ) ; }\n";
        std::fs::write(folder.path().join("b.rs"), source).unwrap();
        let text = "mod a {\n    /// a 1.0, b.rs\n    mod b {\n        fn second(a: u8) {\n            third(a);\n        }\n    }\n    fn other() {}\n}\nfn main() {}\n";
        let folders = [("a 1.0".to_string(), folder.path().to_path_buf())];
        let place = |code: &str| origin(text, text.find(code).unwrap(), &folders);
        assert_eq!(place("third"), format!("{}:5", folder.path().join("b.rs").display()));
        assert_eq!(place("a: u8"), folder.path().join("b.rs").display().to_string());
        assert_eq!(place("fn other"), "the program");
    }
}
