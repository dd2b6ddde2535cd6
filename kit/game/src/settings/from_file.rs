//! Weights and networks that are compiled into a bot and can be replaced by a file.

use crate::settings::{SettingKind, SettingValue, Settings, Visitor};
use std::fs::File;
use std::io::Read;

/// Data compiled into a bot, such as weights or a network, which a file can replace.
///
/// ```
/// use contender_game::settings::{FromFile, Options, Settings, Shipped};
///
/// struct Book(Vec<u8>);
///
/// impl Shipped for Book {
///     const NAME: &'static str = "book";
///
///     fn shipped() -> Book {
///         Book(vec![1, 2, 3])
///     }
///
///     fn read(bytes: &[u8]) -> Result<Book, String> {
///         Ok(Book(bytes.to_vec()))
///     }
/// }
///
/// // The option `book=FILE` would read another book.
/// let setting = FromFile::<Book>::default().with(&mut Options::parse("")?)?;
/// assert_eq!(setting.get().0, [1, 2, 3]);
/// # Ok::<(), String>(())
/// ```
pub trait Shipped: Sized {
    /// The setting that names the file, for example `weights`.
    const NAME: &'static str;

    /// Returns the compiled-in data.
    fn shipped() -> Self;

    /// Parses the contents of a file.
    ///
    /// # Errors
    /// Returns an error if the bytes are invalid.
    fn read(bytes: &[u8]) -> Result<Self, String>;
}

/// A setting for the data `T` of a bot: either `shipped`, for the compiled-in data, or the name of a file to read
/// instead.
///
/// The example of [`Shipped`] uses this type.
pub struct FromFile<T>(Option<(String, T)>);

impl<T: Shipped> FromFile<T> {
    /// Returns the data from the file, or the compiled-in data if there is no file.
    #[must_use]
    pub fn get(self) -> T {
        self.0.map_or_else(T::shipped, |(_, value)| value)
    }
}

impl<T> Default for FromFile<T> {
    /// Returns the setting for the compiled-in data.
    fn default() -> FromFile<T> {
        FromFile(None)
    }
}

impl<T: Shipped> Settings for FromFile<T> {
    fn each(&mut self, visit: &mut Visitor<'_>) -> Result<(), String> {
        visit(T::NAME, &["File to play with, as `contender train` writes it."], self)
    }
}

/// The word for the compiled-in data.
const SHIPPED: &str = "shipped";

/// Maximum file size in bytes. The limit is necessary because a device such as `/dev/zero` never ends.
const MAX_BYTES: u64 = 256 << 20;

impl<T: Shipped> SettingValue for FromFile<T> {
    fn set(&mut self, text: &str) -> Result<(), String> {
        self.0 = match text {
            SHIPPED => None,
            path => Some((path.to_string(), read(path).and_then(|bytes| T::read(&bytes))?)),
        };
        Ok(())
    }

    fn text(&self) -> String {
        self.0.as_ref().map_or(SHIPPED, |(path, _)| path).to_string()
    }

    fn kind(&self) -> SettingKind {
        SettingKind::Text
    }
}

fn read(path: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot read the file: {error}"))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(format!("the file has more than {} MiB", MAX_BYTES >> 20));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Options;

    #[derive(Debug, PartialEq)]
    struct Letters(String);

    impl Shipped for Letters {
        const NAME: &'static str = "letters";

        fn shipped() -> Letters {
            Letters("abc".to_string())
        }

        fn read(bytes: &[u8]) -> Result<Letters, String> {
            String::from_utf8(bytes.to_vec()).map(Letters).map_err(|_| "no letters".to_string())
        }
    }

    fn with(text: &str) -> Result<Letters, String> {
        FromFile::<Letters>::default().with(&mut Options::parse(text)?).map(FromFile::get)
    }

    #[test]
    fn what_a_file_has_takes_the_place_of_what_is_shipped() {
        let path = std::env::temp_dir().join(format!("contender-from-file-{}", std::process::id()));
        std::fs::write(&path, "xyz").unwrap();
        let name = format!("letters={}", path.display());
        assert_eq!(with(&name), Ok(Letters("xyz".to_string())));
        std::fs::write(&path, [0xff]).unwrap();
        assert_eq!(with(&name), Err(format!("option `{name}`: no letters")));
        std::fs::remove_file(&path).unwrap();
        assert!(with(&name).unwrap_err().starts_with(&format!("option `{name}`: cannot read the file: ")));
        assert_eq!(with(""), Ok(Letters::shipped()));
        assert_eq!(with("letters=shipped"), Ok(Letters::shipped()));
    }

    #[test]
    #[cfg(unix)]
    fn a_file_without_end_is_refused() {
        assert!(with("letters=/dev/zero").unwrap_err().ends_with("the file has more than 256 MiB"));
    }

    #[test]
    fn the_table_names_the_setting() {
        let table = FromFile::<Letters>::default().table();
        assert_eq!(table[0].to_string(), "File to play with, as `contender train` writes it (shipped)");
    }
}
