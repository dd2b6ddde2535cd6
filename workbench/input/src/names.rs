//! Suggestions for misspelt names.

use contender_game::settings::Options;
use std::error::Error;
use std::fmt;

/// Minimum similarity for a suggestion. The measure and the threshold are the same as in clap, so that all suggestions
/// on the command line are consistent.
const NEAR: f64 = 0.7;

/// Returns text to append to an error about an unknown name: `` ; did you mean `champion`?`` if a known name is
/// similar, otherwise an empty text.
#[must_use]
pub fn did_you_mean<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let likeness = known.into_iter().map(|known| (strsim::jaro(name, known), known));
    let nearest = likeness.filter(|&(like, _)| like > NEAR).max_by(|a, b| a.0.total_cmp(&b.0));
    nearest.map_or(String::new(), |(_, known)| format!("; did you mean `{known}`?"))
}

/// The error for options that nothing has taken out. It lists these options and the available ones, and suggests a
/// similar one if there is one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOptions(String);

impl fmt::Display for UnknownOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for UnknownOptions {}

/// Checks that every option was taken out, like [`Options::finish`].
///
/// # Errors
/// Returns an error if an option was not taken out.
pub fn all_taken(options: Options) -> Result<(), UnknownOptions> {
    let hint =
        options.untaken().map(|name| did_you_mean(name, options.known())).find(|hint| !hint.is_empty());
    options.finish().map_err(|error| UnknownOptions(error + &hint.unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_meant_if_it_is_near() {
        let known = ["random", "greedy", "expectimax", "classic", "champion"];
        for (name, meant) in [
            ("champ", Some("champion")),
            ("chmapion", Some("champion")),
            ("gredy", Some("greedy")),
            ("Random", Some("random")),
            ("clasic", Some("classic")),
            ("alphazero", None),
            ("bot", None),
            ("", None),
        ] {
            let words = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            assert_eq!(did_you_mean(name, known), words, "{name}");
        }
        assert_eq!(did_you_mean("champ", []), "");
    }

    #[test]
    fn options_that_nobody_took_are_likened_to_those_that_there_are() {
        let left = |text: &str| {
            let mut options = Options::parse(text).unwrap();
            for known in ["depth", "time"] {
                options.take::<f64>(known).unwrap();
            }
            all_taken(options).map_err(|error| error.to_string())
        };
        assert_eq!(left("depth=3"), Ok(()));
        assert_eq!(left("a=1"), Err("unknown option `a`; available: depth, time".to_string()));
        let error = "unknown option `x`, `tim`; available: depth, time; did you mean `time`?";
        assert_eq!(left("x=1,tim=2,depth=3"), Err(error.to_string()));
    }
}
