//! The sites of the judges: what they take and how they compile, as data.

/// The unit of a judge's size limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub enum Unit {
    /// Bytes of the file.
    #[serde(rename = "bytes")]
    Bytes,
    /// UTF-16 code units: one for a character of the basic plane, two for others.
    #[serde(rename = "characters")]
    Utf16,
}

impl Unit {
    /// Returns the unit's name for many.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Unit::Bytes => "bytes",
            Unit::Utf16 => "characters",
        }
    }
}

/// A value of a judge, and whether the judge's own pages or machines have shown it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Known<T> {
    /// The value.
    pub value: T,
    /// Whether it is confirmed, rather than reported by participants.
    pub confirmed: bool,
}

const fn confirmed<T: Copy>(value: T) -> Known<T> {
    Known { value, confirmed: true }
}

const fn reported<T: Copy>(value: T) -> Known<T> {
    Known { value, confirmed: false }
}

/// A site whose judge takes submissions.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct Site {
    /// The word users write.
    pub name: &'static str,
    /// Its name.
    pub title: &'static str,
    /// The largest source it takes, in `unit`.
    pub limit: Known<usize>,
    /// The unit of the limit.
    pub unit: Unit,
    /// The version of its compiler.
    pub compiler: Known<&'static str>,
    /// The flags that compile a submission.
    pub flags: Known<&'static [&'static str]>,
    /// Features of its processors that a submission may switch on itself, having found them at run time.
    pub target_features: Known<&'static [&'static str]>,
    /// Memory in megabytes, if it is known at all.
    pub memory: Known<Option<u32>>,
    /// Time limit of compiling in seconds, if there is one and it is known. The time limits of bots belong to the
    /// contest.
    pub compile_seconds: Known<Option<u32>>,
    /// Whether its contest rules forbid sources that are made unreadable.
    pub forbids_renaming: Known<bool>,
}

/// All sites that are known.
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
        forbids_renaming: reported(false),
    },
    Site {
        name: "codecup",
        title: "CodeCup",
        limit: confirmed(1_474_560),
        unit: Unit::Bytes,
        compiler: reported("1.66.1"),
        // In 2024 also with `-C target-cpu=native`.
        flags: reported(&["--edition", "2021", "-O"]),
        target_features: reported(&["popcnt", "sse4.2", "avx"]),
        memory: reported(None),
        compile_seconds: reported(Some(300)),
        forbids_renaming: reported(false),
    },
];

impl Site {
    /// Returns the judge that users call by this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Site> {
        static ALL: [Site; 2] = SITES;
        ALL.iter().find(|judge| judge.name == name)
    }

    /// Returns the warning about short names, if contest rules forbid unreadable sources.
    #[must_use]
    pub fn renaming_warning(&self) -> Option<String> {
        let Known { value, confirmed } = self.forbids_renaming;
        let source = if confirmed { "" } else { ", participants say" };
        value.then(|| {
            format!(
                "{}'s contest rules forbid unreadable sources{source}: submit the file made without --minify",
                self.title
            )
        })
    }

    /// Returns the size of a text for the judge.
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
