//! Named settings of bots and judges, as users write them: `key=value,key=value`.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Settings given by name. Each is taken out once; [`finish`](Options::finish) complains of those nobody took.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    pairs: Vec<(String, String)>,
}

impl Options {
    /// Reads `key=value,key=value`; an empty text gives no options.
    ///
    /// # Errors
    /// A piece without `=`, without a key, or a key given twice.
    pub fn parse(text: &str) -> Result<Options, String> {
        let mut options = Options::default();
        for piece in text.split(',').filter(|piece| !piece.trim().is_empty()) {
            let (key, value) =
                piece.split_once('=').ok_or_else(|| format!("option `{piece}` is not key=value"))?;
            options.add(key.trim(), value.trim())?;
        }
        Ok(options)
    }

    /// Adds one option.
    ///
    /// # Errors
    /// An empty key, or one that is there already.
    pub fn add(&mut self, key: &str, value: &str) -> Result<(), String> {
        if key.is_empty() {
            return Err(format!("option `={value}` has no name"));
        }
        if self.pairs.iter().any(|(other, _)| other == key) {
            return Err(format!("option `{key}` is given twice"));
        }
        self.pairs.push((key.to_string(), value.to_string()));
        Ok(())
    }

    /// Takes an option out, if it is there.
    ///
    /// # Errors
    /// A value that is not a `T`.
    pub fn take<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, String>
    where
        T::Err: fmt::Display,
    {
        let Some(at) = self.pairs.iter().position(|(other, _)| other == key) else { return Ok(None) };
        let (key, value) = self.pairs.remove(at);
        value.parse().map(Some).map_err(|error| format!("option `{key}={value}`: {error}"))
    }

    /// Takes out a number within bounds, or gives the default.
    ///
    /// # Errors
    /// A value that is no number or out of bounds.
    pub fn take_number<T: FromStr + PartialOrd + fmt::Display>(
        &mut self,
        key: &str,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, String>
    where
        T::Err: fmt::Display,
    {
        match self.take::<T>(key)? {
            None => Ok(default),
            Some(number) if range.contains(&number) => Ok(number),
            Some(number) => {
                Err(format!("option `{key}={number}`: from {} to {}", range.start(), range.end()))
            }
        }
    }

    /// Takes out one of several words and gives what it stands for, or gives the default.
    ///
    /// # Errors
    /// Any other word.
    pub fn take_word<T: Copy>(&mut self, key: &str, default: T, words: &[(&str, T)]) -> Result<T, String> {
        let Some(text) = self.take::<String>(key)? else { return Ok(default) };
        let found = words.iter().find(|(word, _)| *word == text).map(|&(_, value)| value);
        found.ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
            format!("option `{key}={text}`: one of {}", known.join(", "))
        })
    }

    /// Takes out a switch, `on` or `off`, or gives the default.
    ///
    /// # Errors
    /// Any other word.
    pub fn take_switch(&mut self, key: &str, default: bool) -> Result<bool, String> {
        self.take_word(key, default, &[("on", true), ("off", false)])
    }

    /// Checks that every option was taken.
    ///
    /// # Errors
    /// Names the options that were not.
    pub fn finish(self) -> Result<(), String> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self.pairs.into_iter().map(|(key, _)| format!("`{key}`")).collect();
        Err(format!("unknown option {}", names.join(", ")))
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pieces: Vec<String> = self.pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        f.write_str(&pieces.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_taken_and_accounted_for() {
        let mut options = Options::parse("nodes=200, c=1.5").unwrap();
        assert_eq!(options.to_string(), "nodes=200,c=1.5");
        assert_eq!(options.take::<u64>("nodes"), Ok(Some(200)));
        assert_eq!(options.take::<u64>("nodes"), Ok(None));
        assert_eq!(options.clone().finish(), Err("unknown option `c`".to_string()));
        assert!(options.take::<u64>("c").unwrap_err().contains("`c=1.5`"));
    }

    #[test]
    fn numbers_words_and_switches_have_defaults_and_limits() {
        let mut options = Options::parse("c=1.5,n=12,draw=half,mark=off,free=yes").unwrap();
        assert_eq!(options.take_number("c", 1.0, 0.0..=2.0), Ok(1.5));
        assert_eq!(options.take_number("c", 1.0, 0.0..=2.0), Ok(1.0), "taken already");
        assert_eq!(options.take_number("n", 1, 1..=9), Err("option `n=12`: from 1 to 9".to_string()));
        assert_eq!(options.take_word("draw", 0.0, &[("none", 0.0), ("half", 0.5)]), Ok(0.5));
        assert_eq!(options.take_switch("mark", true), Ok(false));
        assert_eq!(options.take_switch("free", true), Err("option `free=yes`: one of on, off".to_string()));
    }

    #[test]
    fn bad_options_are_named() {
        assert_eq!(Options::parse("nodes").unwrap_err(), "option `nodes` is not key=value");
        assert_eq!(Options::parse("a=1,a=2").unwrap_err(), "option `a` is given twice");
        assert_eq!(Options::parse("=2").unwrap_err(), "option `=2` has no name");
        assert_eq!(Options::parse("").unwrap(), Options::default());
    }
}
