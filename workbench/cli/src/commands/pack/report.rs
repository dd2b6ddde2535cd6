//! The report on a packed file.

use contender_pack::prune::Removed;
use contender_pack::sizes::{Parts, parts};
use contender_pack::verify::Comparison;
use contender_pack::{Packed, Readable, Site};
use serde::Serialize;

/// The sizes and test results of one packed file.
pub struct PackedFileReport {
    pub name: String,
    judge: Site,
    pub packed: Packed,
    size: usize,
    parts: Parts,
    /// The size of each module in the readable file, if the user asked for the sizes.
    pub modules: Option<Vec<(String, usize)>>,
    pub compile_seconds: Option<f64>,
    /// The versions of the compilers that accept the file.
    pub compilers: Vec<String>,
    pub warnings: String,
    pub comparison: Option<Comparison>,
    /// The number of inputs with which the packed and the unpacked program were compared, and the first difference.
    pub inputs: Option<(usize, Option<String>)>,
}

/// The sizes and test results of a packed file as JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PackReport<'a> {
    /// The name of the bot or its package.
    name: &'a str,
    /// The judge whose limits apply.
    judge: &'a Site,
    /// The size of the packed file, in the judge's unit.
    size: usize,
    /// Whether the size is within the limit.
    fits: bool,
    /// The size of each kind of content, in the judge's unit.
    parts: Parts,
    /// The size of all sources, in bytes.
    sources_bytes: usize,
    /// The result of shortening names (`--minify`).
    minified: Option<Minified>,
    /// The removed code.
    removed: &'a Removed,
    /// The path and size of each module, if requested with `--sizes`.
    modules: Option<&'a [(String, usize)]>,
    /// The time that the judge's compiler needed for the file, in seconds.
    compile_seconds: Option<f64>,
    /// The versions of the compilers that accepted the file.
    compilers: &'a [String],
    /// The compiler flags.
    rustflags: &'a [String],
    /// The compiler's warnings, or an empty text.
    warnings: &'a str,
    /// The result of comparing games (`--verify`).
    comparison: Option<&'a Comparison>,
    /// The result of comparing outputs (`--input`).
    inputs: Option<Inputs>,
}

/// The result of shortening names.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Minified {
    /// The size before shortening, in the judge's unit.
    readable_size: usize,
    /// Number of shortened names.
    names: usize,
}

/// The result of comparing the outputs of the packed and the unpacked program.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Inputs {
    /// Number of compared inputs.
    compared: usize,
    /// A description of the first difference.
    difference: Option<String>,
}

/// Percentage of the limit above which a warning is printed.
const NEAR: f64 = 95.0;

/// Returns the reduction from `before` to `size` in percent.
fn saved(size: usize, before: usize) -> f64 {
    100.0 - 100.0 * size as f64 / before as f64
}

/// Returns a table of the sizes of all packed bots.
pub fn table(reports: &[PackedFileReport], is_minified: bool) -> String {
    let (head, rule) = if is_minified { ("readable | minified", "---:|---:") } else { ("readable", "---:") };
    let mut text =
        format!("| bot | judge (unit) | sources | {head} | code | tables | weights | % of limit |\n");
    text += &format!("|---|---|---:|{rule}|---:|---:|---:|---:|\n");
    for report in reports {
        let Parts { code, tables, weights } = report.parts;
        let sizes = match report.packed.minified {
            Some(Readable { size, .. }) => {
                format!("{size} | {} (-{:.0} %)", report.size, saved(report.size, size))
            }
            None => report.size.to_string(),
        };
        text += &format!(
            "| {} | {} ({}) | {} | {sizes} | {code} | {tables} | {weights} | {:.1} % |\n",
            report.name,
            report.judge.title,
            report.judge.unit.name(),
            report.packed.before,
            report.share()
        );
    }
    text
}

impl PackedFileReport {
    pub fn new(name: String, judge: &Site, packed: Packed) -> anyhow::Result<PackedFileReport> {
        let size = judge.size(&packed.text);
        let parts = parts(&packed.text, judge)?;
        Ok(PackedFileReport {
            name,
            judge: *judge,
            packed,
            size,
            parts,
            modules: None,
            compile_seconds: None,
            compilers: Vec::new(),
            warnings: String::new(),
            comparison: None,
            inputs: None,
        })
    }

    fn fits(&self) -> bool {
        self.size <= self.judge.limit.value
    }

    pub fn difference(&self) -> Option<&str> {
        let of_inputs = self.inputs.as_ref().and_then(|(_, difference)| difference.as_deref());
        of_inputs.or_else(|| self.comparison.as_ref()?.difference.as_deref())
    }

    pub fn is_fine(&self) -> bool {
        self.fits() && self.warnings.is_empty() && self.difference().is_none()
    }

    /// Returns the size as a percentage of the judge's limit.
    fn share(&self) -> f64 {
        100.0 * self.size as f64 / self.judge.limit.value as f64
    }

    pub fn json(&self) -> PackReport<'_> {
        let minified = self.packed.minified.map(|of| Minified { readable_size: of.size, names: of.renamed });
        let inputs = |(compared, difference): &(usize, Option<String>)| Inputs {
            compared: *compared,
            difference: difference.clone(),
        };
        PackReport {
            name: &self.name,
            judge: &self.judge,
            size: self.size,
            fits: self.fits(),
            parts: self.parts,
            sources_bytes: self.packed.before,
            minified,
            removed: &self.packed.removed,
            modules: self.modules.as_deref(),
            compile_seconds: self.compile_seconds,
            compilers: &self.compilers,
            rustflags: &self.packed.build.flags,
            warnings: &self.warnings,
            comparison: self.comparison.as_ref(),
            inputs: self.inputs.as_ref().map(inputs),
        }
    }

    pub fn text(&self) -> String {
        let unit = self.judge.unit.name();
        let Parts { code, tables, weights } = self.parts;
        let mut text = format!(
            "{}: {} of {} {unit} ({:.1} %) for {}{}\n  code {code}, tables {tables}, weights {weights}\n",
            self.name,
            self.size,
            self.judge.limit.value,
            self.share(),
            self.judge.title,
            if self.fits() { "" } else { ": TOO LARGE" },
        );
        if self.fits() && self.share() >= NEAR {
            let left = self.judge.limit.value - self.size;
            text += &format!(
                "warning: only {left} {unit} are left below the limit\nhint: `--sizes` shows the size of \
                 each module, and `--minify` usually saves more than half\n"
            );
        }
        if let Some(modules) = &self.modules {
            text += &format!("  {unit:>10}  module\n");
            for (name, size) in modules {
                let name = if name.is_empty() { "(the program itself)" } else { name };
                text += &format!("  {size:>10}  {name}\n");
            }
        }
        let removed = &self.packed.removed;
        let kinds: Vec<String> =
            removed.kinds.iter().map(|(kind, count)| format!("{kind} {count}")).collect();
        text += &format!("  removed after {} compilations: {}\n", removed.compilations, kinds.join(", "));
        if let Some(Readable { size, renamed }) = self.packed.minified {
            let saved = saved(self.size, size);
            text += &format!(
                "  {renamed} names shortened: {saved:.0}% smaller than the readable file ({size} {unit})\n"
            );
        }
        text + &self.checks()
    }

    /// Returns the results of the compilation and the comparisons.
    fn checks(&self) -> String {
        let mut text = String::new();
        if let Some(seconds) = self.compile_seconds {
            let flags = self.judge.flags.value.iter().copied();
            let flags: Vec<&str> = flags.chain(self.packed.build.flags.iter().map(String::as_str)).collect();
            text += &format!(
                "  compiled on its own with rustc {} {} in {seconds:.1} s\n",
                self.compilers.join(" and "),
                flags.join(" ")
            );
            text += &self.warnings;
        }
        if let Some(comparison) = &self.comparison {
            text += &match &comparison.difference {
                None => format!(
                    "  {} games, {} moves: identical to the unpacked bot\n",
                    comparison.games, comparison.moves
                ),
                Some(difference) if comparison.repeats => {
                    format!("  DIFFERENT from the unpacked bot: {difference}\n")
                }
                Some(difference) => format!(
                    "the unpacked bot plays differently each time, so the comparison proves nothing: \
                     {difference}\n  the kit's `run_program` accepts --nodes {{nodes}} and --seed \
                     {{seed}}, which make a bot reproducible; for other programs, use --arguments\n"
                ),
            };
        }
        if let Some((inputs, difference)) = &self.inputs {
            text += &match difference {
                None => {
                    let s = if *inputs == 1 { "" } else { "s" };
                    format!("  {inputs} input{s}: output identical to the unpacked program's\n")
                }
                Some(difference) => format!("  DIFFERENT from the unpacked program: {difference}\n"),
            };
        }
        text
    }
}
