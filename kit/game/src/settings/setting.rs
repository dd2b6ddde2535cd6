//! Settings of bots and judges. Each setting is declared once, with its field, written name, default, bounds and
//! description.
//!
//! [`settings!`](macro@crate::settings) turns the declarations into a struct. The trait [`Settings`] fills this struct
//! from [`Options`], and lists the settings for help and for tuning.

use crate::settings::Options;
use std::fmt::{self, Display};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A set of named settings: a struct declared with [`settings!`](macro@crate::settings), or `()` if there are no
/// settings.
///
/// The example of [`settings!`](macro@crate::settings) uses this trait.
pub trait Settings: Sized {
    /// Calls the visitor for every setting in order of declaration, with the setting's name, description and value.
    ///
    /// # Errors
    /// Returns the visitor's first error. The remaining settings are then not visited.
    fn each(&mut self, visit: &mut Visitor<'_>) -> Result<(), String>;

    /// Returns these settings with the given options applied. Used options are removed from `options`.
    ///
    /// # Errors
    /// Returns an error if a value is invalid or out of bounds. The error text is shown to the user.
    fn with(mut self, options: &mut Options) -> Result<Self, String> {
        self.each(&mut |name, _, value| options.take_with(name, |text| value.set(text)))?;
        Ok(self)
    }

    /// Returns a table of the settings, with the current values as defaults.
    fn table(mut self) -> Vec<Setting> {
        let mut table = Vec::new();
        let done = self.each(&mut |name, about, value| {
            let about = about.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
            table.push(Setting { name, about, kind: value.kind(), default: value.text() });
            Ok(())
        });
        debug_assert_eq!(done, Ok(()));
        table
    }
}

/// The callback of [`Settings::each`]. The arguments are the setting's name as the user types it, the lines of its
/// description, and its value.
pub type Visitor<'a> =
    dyn FnMut(&'static str, &[&'static str], &mut dyn SettingValue) -> Result<(), String> + 'a;

impl Settings for () {
    fn each(&mut self, _visit: &mut Visitor<'_>) -> Result<(), String> {
        Ok(())
    }
}

/// Combines two groups of settings of a bot.
impl<A: Settings, B: Settings> Settings for (A, B) {
    fn each(&mut self, visit: &mut Visitor<'_>) -> Result<(), String> {
        self.0.each(visit)?;
        self.1.each(visit)
    }
}

/// The description of a setting, for help and for tuning.
#[derive(Clone, PartialEq, Debug)]
pub struct Setting {
    /// The name, as the user types it.
    pub name: &'static str,
    /// The description of the setting.
    pub about: String,
    /// The type and range of the setting's values.
    pub kind: SettingKind,
    /// The default value, as the user would type it.
    pub default: String,
}

/// Formats the description, the range, and the default in brackets: `weight of the exploration term; 0 to 100 (0.5)`.
impl Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.about.trim_end_matches('.'))?;
        match &self.kind {
            SettingKind::Whole(low, high) | SettingKind::Number(low, high) => write!(f, "; {low} to {high}")?,
            SettingKind::Words(words) => write!(f, "; {}", words.join(", "))?,
            SettingKind::Text => {}
        }
        write!(f, " ({})", self.default)
    }
}

/// The type and range of a setting.
#[derive(Clone, PartialEq, Debug)]
pub enum SettingKind {
    /// A whole number between these bounds (inclusive).
    Whole(f64, f64),
    /// A number between these bounds (inclusive).
    Number(f64, f64),
    /// One of these words; for a switch, the words are `on` and `off`.
    Words(Vec<&'static str>),
    /// A text in the setting's own format.
    Text,
}

/// The value of a setting, independent of its type.
pub trait SettingValue {
    /// Sets the value from the text that the user typed.
    ///
    /// # Errors
    /// Returns an error that describes the expected format, for example `expected a number from 0 to 1`.
    fn set(&mut self, text: &str) -> Result<(), String>;

    /// Returns the value as the user would type it.
    fn text(&self) -> String;

    /// Returns the type and range of the value.
    fn kind(&self) -> SettingKind;
}

/// The range of a setting of type `T`. The bounds are a range (for numbers), an array of words with their values,
/// [`SWITCH`], [`OrNone`] or [`Text`].
///
/// ```
/// use contender_game::settings::{OrNone, SettingBounds, SWITCH};
///
/// assert_eq!((1..=9).read("12"), Err("expected a whole number from 1 to 9".to_string()));
/// assert_eq!(SWITCH.read("off"), Ok(false));
/// assert_eq!(OrNone(0.0..=1.0).read("none"), Ok(None));
/// ```
pub trait SettingBounds<T> {
    /// Parses a value.
    ///
    /// # Errors
    /// Returns an error that describes the expected format.
    fn read(&self, text: &str) -> Result<T, String>;

    /// Formats the value as the user would type it.
    fn write(&self, value: &T) -> String;

    /// Returns the type and range of the value.
    fn kind(&self) -> SettingKind;
}

/// Combines a field of the settings with its bounds.
impl<T, B: SettingBounds<T>> SettingValue for (&mut T, B) {
    fn set(&mut self, text: &str) -> Result<(), String> {
        *self.0 = self.1.read(text)?;
        Ok(())
    }

    fn text(&self) -> String {
        self.1.write(self.0)
    }

    fn kind(&self) -> SettingKind {
        self.1.kind()
    }
}

macro_rules! numbers {
    ($kind:ident, $words:literal: $($type:ty)*) => {
        $(impl SettingBounds<$type> for RangeInclusive<$type> {
            fn read(&self, text: &str) -> Result<$type, String> {
                let number = text.parse().ok().filter(|number| self.contains(number));
                number.ok_or_else(|| format!(concat!($words, " from {} to {}"), self.start(), self.end()))
            }

            fn write(&self, value: &$type) -> String {
                value.to_string()
            }

            fn kind(&self) -> SettingKind {
                // Converts through decimal text, so that the `f32` 0.1 becomes the `f64` 0.1.
                let number = |bound: &$type| bound.to_string().parse().unwrap_or(f64::NAN);
                SettingKind::$kind(number(self.start()), number(self.end()))
            }
        })*
    };
}

numbers!(Whole, "expected a whole number": u8 u16 u32 u64 usize i8 i16 i32 i64);
numbers!(Number, "expected a number": f32 f64);

/// The two words of a switch.
pub const SWITCH: [(&str, bool); 2] = [("on", true), ("off", false)];

/// An array of words, each with its value.
impl<T: Clone + PartialEq, const N: usize> SettingBounds<T> for [(&'static str, T); N] {
    fn read(&self, text: &str) -> Result<T, String> {
        let found = self.iter().find(|(word, _)| *word == text).map(|(_, value)| value.clone());
        found.ok_or_else(|| {
            let words: Vec<&str> = self.iter().map(|&(word, _)| word).collect();
            format!("expected one of {}", words.join(", "))
        })
    }

    fn write(&self, value: &T) -> String {
        let word = self.iter().find(|(_, known)| known == value).map(|&(word, _)| word);
        // Only a program can set a value that has no word.
        word.unwrap_or("another").to_string()
    }

    fn kind(&self) -> SettingKind {
        SettingKind::Words(self.iter().map(|&(word, _)| word).collect())
    }
}

/// The bounds of an optional value: the word `none`, or a value within the inner bounds.
///
/// The example of [`SettingBounds`] uses this type.
#[derive(Clone, Debug)]
pub struct OrNone<B>(pub B);

impl<T, B: SettingBounds<T>> SettingBounds<Option<T>> for OrNone<B> {
    fn read(&self, text: &str) -> Result<Option<T>, String> {
        match text {
            "none" => Ok(None),
            _ => self.0.read(text).map(Some).map_err(|wanted| wanted + ", or none"),
        }
    }

    fn write(&self, value: &Option<T>) -> String {
        value.as_ref().map_or("none".to_string(), |value| self.0.write(value))
    }

    fn kind(&self) -> SettingKind {
        self.0.kind()
    }
}

/// The bounds of a value whose type does its own parsing and formatting. The field is the word for a missing value,
/// such as `random`.
#[derive(Clone, Copy, Debug)]
pub struct Text(pub &'static str);

impl<T: FromStr + Display> SettingBounds<Option<T>> for Text
where
    T::Err: Display,
{
    fn read(&self, text: &str) -> Result<Option<T>, String> {
        text.parse().map(Some).map_err(|error: T::Err| error.to_string())
    }

    fn write(&self, value: &Option<T>) -> String {
        value.as_ref().map_or(self.0.to_string(), T::to_string)
    }

    fn kind(&self) -> SettingKind {
        SettingKind::Text
    }
}

/// Declares a struct of settings. Each setting is declared once, with its description, field, written name (if it
/// differs from the field's name), type, default and [`SettingBounds`].
///
/// ```
/// use contender_game::{settings, settings::{Options, SWITCH, Settings}};
///
/// settings! {
///     /// How the bot searches.
///     #[derive(Clone, Copy, PartialEq, Debug)]
///     pub struct Search {
///         /// Weight of the exploration term.
///         exploration ("c"): f32 = 0.5, 0.0..=100.0;
///         /// Keep the tree between turns.
///         reuse: bool = true, SWITCH;
///     }
/// }
///
/// impl Search {
///     /// Another bot's settings.
///     pub const WIDE: Search = Search { exploration: 2.0, ..Search::DEFAULT };
/// }
///
/// let mut options = Options::parse("reuse=off").unwrap();
/// let wide = Search::WIDE.with(&mut options).unwrap();
/// assert_eq!(wide, Search { exploration: 2.0, reuse: false });
/// let wrong = Search::DEFAULT.with(&mut Options::parse("c=x").unwrap());
/// assert_eq!(wrong, Err("option `c=x`: expected a number from 0 to 100".to_string()));
/// assert_eq!(Search::WIDE.table()[0].default, "2");
/// ```
///
/// The struct has a constant `DEFAULT` with all defaults, so that presets can be constants, too. If several structs
/// share settings, declare the shared settings as a separate struct and include it at the end with `..`.
///
/// ```
/// use contender_game::{settings, settings::Settings};
///
/// settings! {
///     /// How long a bot thinks.
///     #[derive(Clone, Copy, PartialEq, Debug)]
///     pub struct Time {
///         /// Share of a turn's time that is used.
///         time: f64 = 0.9, 0.01..=1.0;
///     }
/// }
///
/// settings! {
///     /// How a bot that hurries searches.
///     #[derive(Clone, Copy, PartialEq, Debug)]
///     pub struct Hasty {
///         /// Maximum number of decisions to look ahead.
///         depth: u32 = 3, 1..=9;
///         ..time: Time = Time { time: 0.1 };
///     }
/// }
///
/// let table: Vec<String> = Hasty::DEFAULT.table().iter().map(|of| format!("{}={}", of.name, of.default)).collect();
/// assert_eq!(table, ["depth=3", "time=0.1"]);
/// ```
#[macro_export]
macro_rules! settings {
    (
        $(#[$attribute:meta])*
        $visible:vis struct $name:ident {
            $(
                $(#[doc = $about:literal])+
                $field:ident $(($written:literal))? : $type:ty = $default:expr, $bounds:expr;
            )*
            $(..$part:ident : $part_type:ty = $part_default:expr;)*
        }
    ) => {
        $(#[$attribute])*
        $visible struct $name {
            $(
                $(#[doc = $about])+
                pub $field: $type,
            )*
            $(
                /// The settings shared with other structs.
                pub $part: $part_type,
            )*
        }

        impl $name {
            /// The default settings.
            pub const DEFAULT: $name = $name { $($field: $default,)* $($part: $part_default,)* };
        }

        impl Default for $name {
            fn default() -> $name {
                $name::DEFAULT
            }
        }

        impl $crate::settings::Settings for $name {
            fn each(&mut self, visit: &mut $crate::settings::Visitor<'_>) -> Result<(), String> {
                $(
                    visit(
                        [$($written,)? stringify!($field)][0],
                        &[$($about),+],
                        &mut (&mut self.$field, $bounds),
                    )?;
                )*
                $($crate::settings::Settings::each(&mut self.$part, visit)?;)*
                Ok(())
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, PartialEq, Debug)]
    pub enum Style {
        Plain,
        Fancy,
    }

    settings! {
        /// All kinds.
        #[derive(Clone, PartialEq, Debug)]
        struct All {
            /// How far,
            /// in steps.
            depth: u32 = 3, 1..=9;
            /// How much.
            exploration ("c"): f64 = 1.5, 0.0..=f64::INFINITY;
            /// How it looks.
            style: Style = Style::Plain, [("plain", Style::Plain), ("fancy", Style::Fancy)];
            /// Whether.
            reuse: bool = true, SWITCH;
            /// At first.
            first: Option<f32> = None, OrNone(0.0..=1.0);
            /// A letter.
            letter: Option<char> = None, Text("random");
        }
    }

    fn with(text: &str) -> Result<All, String> {
        let mut options = Options::parse(text).unwrap();
        let all = All::DEFAULT.with(&mut options)?;
        options.finish().map(|()| all)
    }

    #[test]
    fn what_is_written_replaces_the_defaults() {
        assert_eq!(with(""), Ok(All::default()));
        let all = with("depth=9,c=inf,style=fancy,reuse=off,first=0.5,letter=x").unwrap();
        let expected = All {
            depth: 9,
            exploration: f64::INFINITY,
            style: Style::Fancy,
            reuse: false,
            first: Some(0.5),
            letter: Some('x'),
        };
        assert_eq!(all, expected);
        assert_eq!(with("first=none"), Ok(All::DEFAULT));
        assert!(with("exploration=1")
            .unwrap_err()
            .ends_with("available: depth, c, style, reuse, first, letter"));
    }

    #[test]
    fn what_is_wrong_is_said_with_what_is_wanted() {
        for (text, wanted) in [
            ("depth=0", "expected a whole number from 1 to 9"),
            ("depth=10", "expected a whole number from 1 to 9"),
            ("depth=1.5", "expected a whole number from 1 to 9"),
            ("depth=-99999999999999999999", "expected a whole number from 1 to 9"),
            ("c=x", "expected a number from 0 to inf"),
            ("c=nan", "expected a number from 0 to inf"),
            ("style=ugly", "expected one of plain, fancy"),
            ("reuse=yes", "expected one of on, off"),
            ("first=2", "expected a number from 0 to 1, or none"),
        ] {
            assert_eq!(with(text), Err(format!("option `{text}`: {wanted}")));
        }
        assert!(with("letter=xy").unwrap_err().starts_with("option `letter=xy`: "));
    }

    /// If all defaults in a table are set as options, the result is the settings of the table, whatever the settings
    /// were before.
    #[test]
    fn the_defaults_of_a_table_are_the_real_ones() {
        let other = with("depth=9,c=7,style=fancy,reuse=off,first=0.25").unwrap();
        let stated = |settings: &All| {
            let pairs = settings.clone().table().into_iter().filter(|setting| setting.default != "random");
            pairs.map(|setting| format!("{}={}", setting.name, setting.default)).collect::<Vec<_>>().join(",")
        };
        let of = |settings: &All, text: &str| settings.clone().with(&mut Options::parse(text).unwrap());
        assert_eq!(of(&other, &stated(&All::DEFAULT)), Ok(All::DEFAULT));
        assert_eq!(of(&All::DEFAULT, &stated(&other)), Ok(other));
    }

    #[test]
    fn a_table_has_names_kinds_and_reasons() {
        let table = All::DEFAULT.table();
        let about: Vec<&str> = table.iter().map(|setting| &setting.about[..]).collect();
        assert_eq!(about[..2], ["How far, in steps.", "How much."]);
        let shown: Vec<String> = table.iter().map(Setting::to_string).collect();
        assert_eq!(
            shown[1..4],
            ["How much; 0 to inf (1.5)", "How it looks; plain, fancy (plain)", "Whether; on, off (on)"]
        );
        assert_eq!(shown[5], "A letter (random)");
        let kinds: Vec<SettingKind> = table.into_iter().map(|setting| setting.kind).collect();
        let expected = [
            SettingKind::Whole(1.0, 9.0),
            SettingKind::Number(0.0, f64::INFINITY),
            SettingKind::Words(vec!["plain", "fancy"]),
            SettingKind::Words(vec!["on", "off"]),
            SettingKind::Number(0.0, 1.0),
            SettingKind::Text,
        ];
        assert_eq!(kinds, expected);
    }
}
