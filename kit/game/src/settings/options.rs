//! Settings of bots and judges, as the user types them: `key=value,key=value`.

use std::fmt;
use std::str::FromStr;

/// Named values that the user has given. Each option can be taken out once. [`finish`](Options::finish) reports the
/// options that were not taken out.
///
/// ```
/// use contender_game::settings::Options;
///
/// let mut options = Options::parse("depth=4,time=0.5")?;
/// assert_eq!(options.take::<u32>("depth")?, Some(4));
/// assert_eq!(options.take::<u32>("width")?, None);
/// assert_eq!(options.untaken().collect::<Vec<_>>(), ["time"]);
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The word for a setting in error messages: `option` or `rule`.
    noun: &'static str,
    pairs: Vec<(String, String)>,
    /// The keys that the program has requested, whether or not the user gave them. When all settings have been read,
    /// this list contains all existing keys.
    known: Vec<String>,
}

impl Default for Options {
    /// Creates an empty list of options, for example for a bot.
    fn default() -> Options {
        Options { noun: "option", pairs: Vec::new(), known: Vec::new() }
    }
}

impl Options {
    /// Returns an empty list of rules for a judge. Error messages then call each setting a rule.
    pub fn rules() -> Options {
        Options { noun: "rule", ..Options::default() }
    }

    /// Parses `key=value,key=value`. An empty text gives an empty list.
    ///
    /// # Errors
    /// Returns an error if an option has no `=` or no key, or if a key is given twice.
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
    /// Returns an error if the key is empty or already present.
    pub fn add(&mut self, key: &str, value: &str) -> Result<(), String> {
        if key.is_empty() {
            return Err(format!("{} `={value}` has no name", self.noun));
        }
        if self.pairs.iter().any(|(other, _)| other == key) {
            return Err(format!("{} `{key}` is given twice", self.noun));
        }
        self.pairs.push((key.to_string(), value.to_string()));
        Ok(())
    }

    /// Takes out an option, if it is present, and passes its value to `set`.
    ///
    /// # Errors
    /// Returns the error from `set`, which describes the expected format, with the option's name and value added.
    pub fn take_with(
        &mut self,
        key: &str,
        set: impl FnOnce(&str) -> Result<(), String>,
    ) -> Result<(), String> {
        if self.known.iter().all(|known| known != key) {
            self.known.push(key.to_string());
        }
        let Some(at) = self.pairs.iter().position(|(other, _)| other == key) else { return Ok(()) };
        let (key, value) = self.pairs.remove(at);
        set(&value).map_err(|wanted| format!("{} `{key}={value}`: {wanted}", self.noun))
    }

    /// Takes out an option, if it is present.
    ///
    /// # Errors
    /// Returns an error if the value cannot be parsed as a `T`.
    pub fn take<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, String>
    where
        T::Err: fmt::Display,
    {
        let mut taken = None;
        self.take_with(key, |text| {
            taken = Some(text.parse().map_err(|error: T::Err| error.to_string())?);
            Ok(())
        })?;
        Ok(taken)
    }

    /// Returns the names of the options that were not taken out.
    pub fn untaken(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(key, _)| key.as_str())
    }

    /// Returns the names of all requested options.
    pub fn known(&self) -> impl Iterator<Item = &str> {
        self.known.iter().map(String::as_str)
    }

    /// Checks that every option was taken out.
    ///
    /// # Errors
    /// Returns an error that lists the unknown options and the available options.
    pub fn finish(self) -> Result<(), String> {
        if self.pairs.is_empty() {
            return Ok(());
        }
        let names: Vec<String> = self.untaken().map(|key| format!("`{key}`")).collect();
        let known = match &self.known[..] {
            [] => "none".to_string(),
            some => some.join(", "),
        };
        Err(format!("unknown {} {}; available: {known}", self.noun, names.join(", ")))
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
        assert_eq!(options.clone().finish(), Err("unknown option `c`; available: nodes".to_string()));
        assert!(options.take::<u64>("c").unwrap_err().contains("`c=1.5`"));
        assert_eq!(options.finish(), Ok(()));
        let options = Options::parse("a=1,b=2").unwrap();
        assert_eq!(options.finish(), Err("unknown option `a`, `b`; available: none".to_string()));
    }

    #[test]
    fn rules_are_called_rules() {
        let mut rules = Options::rules();
        rules.add("bag", "x").unwrap();
        rules.add("size", "9").unwrap();
        assert_eq!(rules.add("bag", "y").unwrap_err(), "rule `bag` is given twice");
        assert!(rules.take::<u32>("bag").unwrap_err().starts_with("rule `bag=x`: "));
        let set = |_: &str| Err("from 1 to 5".to_string());
        assert_eq!(rules.take_with("size", set).unwrap_err(), "rule `size=9`: from 1 to 5");
        rules.add("colour", "blue").unwrap();
        assert_eq!(rules.finish().unwrap_err(), "unknown rule `colour`; available: bag, size");
    }

    #[test]
    fn bad_options_are_named() {
        assert_eq!(Options::parse("nodes").unwrap_err(), "option `nodes` is not key=value");
        assert_eq!(Options::parse("a=1,a=2").unwrap_err(), "option `a` is given twice");
        assert_eq!(Options::parse("=2").unwrap_err(), "option `=2` has no name");
        assert_eq!(Options::parse("").unwrap(), Options::default());
    }
}
