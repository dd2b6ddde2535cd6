//! Minification: shortens names and removes unnecessary white space.
//!
//! Names are replaced by *spelling*: all identifiers with the same spelling get the same new spelling everywhere,
//! including in macros. Shadowing, shorthand fields and macro parameters therefore keep their meaning.
//!
//! The compiler decides which spellings may change. The first attempt changes all names that the file declares. As long
//! as there are errors, the names in the error messages are excluded, for example a method that also exists in the
//! standard library, a variable inside a macro, or a function of an external trait. This can exclude names that could
//! be shortened, so the excluded names that would save the most are tried again.
//!
//! Two variables can share a spelling if they never occur in the same function. A new spelling never equals any other
//! word in the file, including words in strings. `uses` checks that calls keep their meaning. Names that the program
//! may print are not changed.

mod derives;
mod locals;
mod names;
mod print;
mod reserved;
mod uses;

use crate::PackError;
use crate::compiler::{Build, Compiler, Diagnostic};
use names::{Locals, Words, identifiers, shortened};
use print::{Style, print};
use proc_macro2::TokenStream;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// A shortened program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Minified {
    /// The source file.
    pub text: String,
    /// Number of different shortened names.
    pub renamed: usize,
    /// Number of declared names that could not be shortened.
    pub kept: usize,
}

/// Maximum number of compilations before the file must compile.
const ROUNDS: u32 = 60;
/// Maximum number of excluded names to try again.
const SECOND_CHANCES: usize = 32;
/// The first line of every minified file. The line is necessary because the short names violate all naming conventions.
const HEAD: &str = "#![allow(warnings)]";

/// Minifies a program that consists of a single file. Setting `stop` interrupts the work.
///
/// # Errors
/// Returns an error if the text is not valid Rust or does not compile, or if the compiler cannot be run. Returns
/// [`PackError::Interrupted`] if `stop` is set.
pub fn minify(source: &str, build: &Build, stop: &AtomicBool) -> Result<Minified, PackError> {
    let error = |error: &dyn std::fmt::Display| {
        PackError::general(format!("cannot parse the file to minify: {error}"))
    };
    let compiler = Compiler::new(build, stop)?;
    let source = &derives::without_spare(source, &compiler)?;
    let file = syn::parse_file(source).map_err(|failure| error(&failure))?;
    let tokens = TokenStream::from_str(source).map_err(|failure| error(&failure))?;
    let mut words = Words::default();
    words.read(tokens.clone());
    let mut names = names::declared(&file);
    let printed = names::printed(&file, tokens.clone());
    names.retain(|name| !words.in_conditions.contains(name) && !printed.contains(name));
    let all = names.clone();
    let locals = locals::locals(&file, tokens.clone());
    let mut minifier = Minifier { tokens, words, locals, compiler, tight: true };
    // Leaving out other parts is less safe than removing white space.
    minifier.tight = minifier.check(&minifier.print(&BTreeSet::new(), false).0)?.is_empty();
    if !minifier.tight
        && let Some(error) = minifier.check(&minifier.print(&BTreeSet::new(), false).0)?.first()
    {
        let words = error.rendered.as_deref().unwrap_or(&error.message);
        return Err(PackError::general(format!("the file to minify does not compile:\n{words}")));
    }
    minifier.release_accused(&mut names)?;
    minifier.try_again(&all, &mut names)?;
    minifier.keep_meaning(&file, &mut names)?;
    let (text, short) = minifier.print(&names, false);
    Ok(Minified { text, renamed: short.len(), kept: all.len() - names.len() })
}

struct Minifier<'a> {
    tokens: TokenStream,
    words: Words,
    locals: Locals,
    compiler: Compiler<'a>,
    tight: bool,
}

impl Minifier<'_> {
    /// Prints the file with short spellings for these names, with or without line breaks.
    fn print(&self, names: &BTreeSet<String>, lines: bool) -> (String, BTreeMap<String, String>) {
        let short = shortened(names, &self.words, &self.locals);
        let style = Style { names: &short, tight: self.tight, marks: &BTreeSet::new(), lines };
        (format!("{HEAD}{}", print(self.tokens.clone(), style).text), short)
    }

    fn check(&self, text: &str) -> Result<Vec<Diagnostic>, PackError> {
        let mut diagnostics = self.compiler.check(text)?;
        diagnostics.retain(Diagnostic::is_error);
        Ok(diagnostics)
    }

    /// Compiles the file with these names shortened. Returns `None` if there are no errors, and otherwise, for each
    /// error, the names from `suspects` that it mentions.
    fn accused(
        &self,
        names: &BTreeSet<String>,
        suspects: &BTreeSet<String>,
    ) -> Result<Option<Vec<Vec<String>>>, PackError> {
        let (text, short) = self.print(names, true);
        let errors = self.check(&text)?;
        if errors.is_empty() {
            return Ok(None);
        }
        let mut long: HashMap<&str, Vec<&str>> = HashMap::new();
        for (name, short) in &short {
            long.entry(short).or_default().push(name);
        }
        // Errors about missing names are the most specific; other errors are often their consequences.
        let (about_names, others): (Vec<&Diagnostic>, _) =
            errors.iter().partition(|error| ABOUT_NAMES.contains(&error.code()));
        let accused = [about_names, others].into_iter().map(|errors| -> Vec<Vec<String>> {
            let accused = errors.iter().map(|error| accused(error, &text, &long, suspects));
            accused.filter(|names| !names.is_empty()).collect()
        });
        Ok(Some(accused.into_iter().find(|errors| !errors.is_empty()).unwrap_or_default()))
    }

    /// Repeatedly removes from `names` the names that the compiler's errors mention, until there are no errors.
    fn release_accused(&self, names: &mut BTreeSet<String>) -> Result<(), PackError> {
        for _ in 0..ROUNDS {
            let Some(accused) = self.accused(names, names)? else { return Ok(()) };
            // If no error mentions a shortened name, give up the names and keep the other savings.
            if accused.is_empty() {
                break;
            }
            for name in accused.iter().flatten() {
                names.remove(name);
            }
        }
        names.clear();
        Ok(())
    }

    /// Tries the excluded names that would save the most again, and also shortens them if the file still compiles.
    fn try_again(&self, all: &BTreeSet<String>, names: &mut BTreeSet<String>) -> Result<(), PackError> {
        let saving = |name: &String| {
            let often = self.words.identifiers.get(name).copied().unwrap_or(0);
            often * name.len().saturating_sub(2)
        };
        let mut kept: Vec<String> = all.difference(names).filter(|name| saving(name) >= 4).cloned().collect();
        kept.sort_by_key(|name| std::cmp::Reverse(saving(name)));
        kept.truncate(SECOND_CHANCES);
        // Try all of them at once, and then fewer and fewer. A name is excluded if an error is about this name alone.
        // Names that share an error are tried one by one.
        let mut tried: BTreeSet<String> = kept.iter().cloned().collect();
        let mut excluded = BTreeSet::new();
        while !tried.is_empty()
            && let Some(accused) = self.accused(&(&*names | &tried), &tried)?
        {
            let before = tried.len();
            for name in accused.iter().flatten() {
                tried.remove(name);
            }
            excluded.extend(accused.into_iter().filter(|names| names.len() == 1).flatten());
            if tried.len() == before {
                tried.clear();
            }
        }
        names.append(&mut tried);
        kept.retain(|name| !names.contains(name) && !excluded.contains(name));
        for name in kept {
            names.insert(name.clone());
            if self.accused(names, names)?.is_some() {
                names.remove(&name);
            }
        }
        Ok(())
    }

    /// Removes the names whose shortening would change the meaning of a call.
    fn keep_meaning(&self, file: &syn::File, names: &mut BTreeSet<String>) -> Result<(), PackError> {
        let marks = uses::declarations(file);
        let meant = |names: &BTreeSet<String>| {
            let short = shortened(names, &self.words, &self.locals);
            uses::uses(self.tokens.clone(), &short, &marks, self.tight, &self.compiler)
        };
        let before = meant(&BTreeSet::new())?;
        let spelled = names::spelled(self.tokens.clone(), self.tight);
        for _ in 0..ROUNDS {
            let after = meant(names)?;
            let changed: Vec<usize> = before.symmetric_difference(&after).copied().collect();
            if changed.is_empty() {
                return Ok(());
            }
            let had = names.len();
            for at in changed {
                // The place is the start of a path, and its last name determines the meaning.
                let path = spelled.iter().skip(at).take(4);
                path.for_each(|name| {
                    names.remove(name);
                });
            }
            if names.len() == had {
                break;
            }
            self.release_accused(names)?;
        }
        names.clear();
        Ok(())
    }
}

/// Codes of errors that report a missing or duplicate name.
const ABOUT_NAMES: [&str; 17] = [
    "E0026", "E0027", "E0034", "E0405", "E0407", "E0408", "E0412", "E0425", "E0432", "E0433", "E0437",
    "E0438", "E0531", "E0560", "E0599", "E0609", "E0615",
];

/// Returns the names in the file that an error is about.
fn accused(
    error: &Diagnostic,
    text: &str,
    long: &HashMap<&str, Vec<&str>>,
    names: &BTreeSet<String>,
) -> Vec<String> {
    let name = |word: &str| -> Vec<String> {
        long.get(word).unwrap_or(&vec![word]).iter().map(|name| name.to_string()).collect()
    };
    // The first words in the message's backticks that are names of the file, or else all names at the place to which
    // the message points.
    let quoted = error.message.split('`').skip(1).step_by(2).map(identifiers);
    let pointed = error.ranges().filter_map(|range| text.get(range)).map(identifiers);
    quoted
        .chain(pointed)
        .map(|words| words.flat_map(name).filter(|name| names.contains(name)).collect::<Vec<String>>())
        .find(|words| !words.is_empty())
        .unwrap_or_default()
}
