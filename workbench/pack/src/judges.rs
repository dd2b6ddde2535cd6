//! Data about the judges' sites: their limits and compilers.

/// The unit of a judge's size limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Unit {
    /// Bytes in the file.
    #[serde(rename = "bytes")]
    Bytes,
    /// UTF-16 code units: one for each character in the basic plane, two for any other character.
    #[serde(rename = "characters")]
    Utf16,
}

impl Unit {
    /// Returns the plural name of the unit.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Utf16 => "characters",
        }
    }
}

/// A fact about a judge, and whether it is confirmed by the judge's pages or machines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Known<T> {
    /// The value.
    pub value: T,
    /// Whether the value is confirmed. Otherwise, participants have reported it.
    pub confirmed: bool,
}

impl<T> Known<T> {
    /// Creates a value that the user has given.
    pub const fn given(value: T) -> Known<T> {
        Known { value, confirmed: true }
    }
}

const fn confirmed<T: Copy>(value: T) -> Known<T> {
    Known { value, confirmed: true }
}

const fn reported<T: Copy>(value: T) -> Known<T> {
    Known { value, confirmed: false }
}

/// A site whose judge accepts submissions.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Site {
    /// The name of the site on the command line.
    pub name: &'static str,
    /// The name of the site in messages.
    pub title: &'static str,
    /// Maximum size of a source file in `unit`.
    pub limit: Known<usize>,
    /// The unit of the limit.
    pub unit: Unit,
    /// The version of the judge's compiler.
    pub compiler: Known<&'static str>,
    /// The compiler flags for a submission.
    pub flags: Known<&'static [&'static str]>,
    /// CPU features that a submission may use if it detects them at run time.
    pub target_features: Known<&'static [&'static str]>,
    /// Memory in megabytes, if known.
    pub memory: Known<Option<u32>>,
    /// Time limit for compiling in seconds, if a limit is known. The time limits for bots belong to the contest.
    pub compile_seconds: Known<Option<u32>>,
    /// Crates that the judge provides, with their versions. They do not have to be packed. An empty version means any
    /// version, and the name `all` means any crate.
    pub crates: Known<&'static [(&'static str, &'static str)]>,
    /// Whether the rules of the site's contests forbid deliberately unreadable sources.
    pub forbids_renaming: Known<bool>,
}

/// All known sites.
pub const SITES: [Site; 2] = [
    Site {
        name: "codingame",
        title: "CodinGame",
        limit: confirmed(100_000),
        unit: Unit::Utf16,
        compiler: reported("1.70"),
        flags: reported(&["--edition", "2021", "-C", "opt-level=3"]),
        target_features: reported(&["popcnt", "sse4.2", "avx", "avx2", "fma", "bmi1", "bmi2"]),
        memory: reported(Some(768)),
        compile_seconds: reported(None),
        crates: reported(&[
            ("chrono", "0.4.26"),
            ("itertools", "0.11.0"),
            ("libc", "0.2.147"),
            ("rand", "0.8.5"),
            ("regex", "1.8.4"),
            ("time", "0.3.22"),
        ]),
        forbids_renaming: reported(false),
    },
    Site {
        name: "codecup",
        title: "CodeCup",
        limit: confirmed(1_474_560),
        unit: Unit::Bytes,
        // The winner of CodeCup 2026 compiled with `rustc +1.75 -O --edition 2021` (tczajka/wazir-drop, its file
        // tools/build_submission.sh since 2025-09-18). The winner of CodeCup 2024 compiled with `rustc +1.66.1 -O
        // --edition=2021` (tczajka/NineDigits, the same file, 2023-09-21).
        compiler: reported("1.75"),
        // In 2024, participants also reported `-C target-cpu=native`.
        flags: reported(&["--edition", "2021", "-O"]),
        target_features: reported(&["popcnt", "sse4.2", "avx"]),
        memory: reported(None),
        compile_seconds: reported(Some(300)),
        crates: reported(&[]),
        forbids_renaming: reported(false),
    },
];

impl Site {
    /// Returns the site with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Site> {
        static ALL: [Site; 2] = SITES;
        ALL.iter().find(|judge| judge.name == name)
    }

    /// Returns whether the judge provides a crate in a version that is compatible with `version`. Versions with the
    /// same first number are compatible, unless that number is 0.
    #[must_use]
    pub fn has_crate(&self, name: &str, version: &str) -> bool {
        let leading = |version: &str| {
            let numbers: Vec<u64> = version.split('.').map_while(|number| number.parse().ok()).collect();
            let until = numbers.iter().position(|&number| number > 0).map_or(numbers.len(), |at| at + 1);
            numbers[..until].to_vec()
        };
        self.crates.value.iter().any(|&(known, has)| {
            known == "all" || (known == name && (has.is_empty() || leading(has) == leading(version)))
        })
    }

    /// Returns a warning about shortened names if the contest rules forbid unreadable sources.
    #[must_use]
    pub fn renaming_warning(&self) -> Option<String> {
        let Known { value, confirmed } = self.forbids_renaming;
        let source = if confirmed { "" } else { ", participants say" };
        value.then(|| {
            format!(
                "{}'s contest rules forbid unreadable sources{source}: submit a file that was packed \
                 without --minify",
                self.title
            )
        })
    }

    /// Returns the size of a text in the judge's unit.
    #[must_use]
    pub fn size(&self, text: &str) -> usize {
        match self.unit {
            Unit::Bytes => text.len(),
            Unit::Utf16 => text.encode_utf16().count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_forbids_renaming_is_named() {
        assert_eq!(SITES[0].renaming_warning(), None);
        let strict = Site { forbids_renaming: confirmed(true), ..SITES[0] };
        assert!(strict.renaming_warning().unwrap().starts_with("CodinGame's contest rules forbid"));
        let rumoured = Site { forbids_renaming: reported(true), ..SITES[1] };
        assert!(rumoured.renaming_warning().unwrap().contains("participants say"));
    }
}
