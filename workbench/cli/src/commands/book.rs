//! The reference page of all commands, `docs/reference/commands.md`, which is generated from the commands' definitions.

use super::Args;
use clap::{Arg, Command, CommandFactory};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

const HEAD: &str = "# Commands\n\nAll commands with their options, as `--help` prints them. Options shared \
    by several commands are listed [at the end](#shared-options).\nThis page is generated, and a test \
    checks that it is up to date.\n";

/// Minimum number of commands that must share an option or explanation for the page to list it only once.
const SHARED: usize = 3;

/// Escapes special characters, such as brackets, outside code, so that Markdown prints them unchanged.
fn escaped(text: &str) -> String {
    let mut is_code = false;
    text.chars().fold(String::new(), |mut text, letter| {
        is_code ^= letter == '`';
        if !is_code && matches!(letter, '<' | '>' | '[' | ']' | '*' | '_' | '|' | '~') {
            text.push('\\');
        }
        text.push(letter);
        text
    })
}

/// Returns an argument as users type it, for example `-n, --pairs <N>`.
fn spelling(arg: &Arg) -> String {
    let short = arg.get_short().map(|letter| format!("-{letter}"));
    let long = arg.get_long().map(|word| format!("--{word}"));
    let names: Vec<String> = [short, long].into_iter().flatten().collect();
    if names.is_empty() {
        return arg.to_string();
    }
    let takes = arg.get_action().takes_values();
    let values = arg.get_value_names().unwrap_or_default();
    let values: Vec<String> = values.iter().map(|name| format!("<{name}>")).collect();
    names.join(", ") + &if takes { format!(" {}", values.join(" ")) } else { String::new() }
}

/// Returns the line that describes an argument on the page.
fn line(arg: &Arg) -> String {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let mut text = format!("- `{}`: {}", spelling(arg), escaped(&help));
    let possible: Vec<_> = arg.get_possible_values();
    let words: Vec<&str> =
        possible.iter().filter(|word| !word.is_hide_set()).map(|word| word.get_name()).collect();
    if !words.is_empty() && arg.get_action().takes_values() && !arg.is_hide_possible_values_set() {
        let _ = write!(text, "; one of `{}`", words.join("`, `"));
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() && !arg.is_hide_default_value_set() {
        let _ = write!(text, "; default `{}`", defaults.join(" "));
    }
    text + "\n"
}

/// Returns the arguments that the page lists for a command: all arguments except hidden ones, `--help` and `--version`.
fn arguments(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_listed = |arg: &&Arg| !arg.is_hide_set() && !matches!(arg.get_id().as_str(), "help" | "version");
    command.get_arguments().filter(is_listed)
}

/// Returns the text that a command's help shows below the options.
fn explanation(command: &Command) -> Option<String> {
    command.get_after_help().map(|more| format!("\n{}\n", escaped(&more.to_string())))
}

/// Counts for each line how many commands contain it.
fn count(counts: &mut BTreeMap<String, usize>, command: &Command) {
    let options = arguments(command).filter(|arg| !arg.is_positional()).map(line);
    for text in options.chain(explanation(command)) {
        *counts.entry(text).or_default() += 1;
    }
    command.get_subcommands().for_each(|below| count(counts, below));
}

/// Returns the lines that the page lists only once, because several commands share them. If commands describe the same
/// option differently, only the most frequent description is shared.
fn shared(command: &Command) -> BTreeSet<String> {
    let mut counts = BTreeMap::new();
    command.get_subcommands().for_each(|below| count(&mut counts, below));
    let mut best: BTreeMap<String, (usize, String)> = BTreeMap::new();
    for (line, count) in counts.into_iter().filter(|(_, count)| *count >= SHARED) {
        let spelling = line.split("`: ").next().unwrap_or_default().to_string();
        let found = best.entry(spelling).or_default();
        if found.0 < count {
            *found = (count, line);
        }
    }
    best.into_values().map(|(_, line)| line).collect()
}

/// Appends the section about a command and its subcommands. `name` is the full command, as users type it.
fn section(text: &mut String, command: &Command, name: &str, shared: &BTreeSet<String>) {
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let _ = write!(text, "\n## `{name}`\n\n");
    if !about.is_empty() && !command.is_hide_set() {
        let _ = write!(text, "{}.\n\n", escaped(&about));
    }
    for below in command.get_subcommands() {
        let about = below.get_about().map(ToString::to_string).unwrap_or_default();
        let _ = writeln!(text, "- `{}`: {}", below.get_name(), escaped(&about));
    }
    let mut others = Vec::new();
    for arg in arguments(command) {
        match line(arg) {
            line if shared.contains(&line) => others.push(format!("`{}`", spelling(arg))),
            line => *text += &line,
        }
    }
    if !others.is_empty() {
        let _ = writeln!(text, "- [shared](#shared-options): {}", others.join(", "));
    }
    *text += &explanation(command).filter(|more| !shared.contains(more)).unwrap_or_default();
    for below in command.get_subcommands() {
        section(text, below, &format!("{name} {}", below.get_name()), shared);
    }
}

/// Generates the whole page.
fn page() -> String {
    let mut command = Args::command();
    command.build();
    let shared = shared(&command);
    let mut text = HEAD.to_string();
    for below in command.get_subcommands() {
        section(&mut text, below, &format!("contender {}", below.get_name()), &shared);
    }
    text += "\n## Shared options\n\n";
    let (options, explanations): (Vec<_>, Vec<_>) = shared.iter().partition(|line| line.starts_with("- "));
    text.extend(options.into_iter().chain(explanations).map(String::as_str));
    text
}

/// To write the page again, run `CONTENDER_WRITE_BOOK=1 cargo test -p contender-cli --lib`.
#[test]
fn the_page_of_commands_is_as_they_are() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/commands.md");
    let page = page();
    if std::env::var_os("CONTENDER_WRITE_BOOK").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = page.lines().zip(written.lines()).find(|(made, written)| made != written);
    assert!(
        page == written,
        "docs/reference/commands.md differs from the commands: {differs:?}; CONTENDER_WRITE_BOOK=1 writes it again"
    );
}

/// Returns the help texts of a command and its subcommands, each with the name of its command or option.
fn helps(command: &Command, name: &str) -> Vec<(String, String)> {
    let about = command.get_about().map(|about| (name.to_string(), about.to_string()));
    let of_args = arguments(command)
        .filter_map(|arg| arg.get_help().map(|help| (format!("{name} {}", spelling(arg)), help.to_string())));
    let below =
        command.get_subcommands().flat_map(|below| helps(below, &format!("{name} {}", below.get_name())));
    about.into_iter().chain(of_args).chain(below).collect()
}

/// A default in brackets at the end is not part of the measured length.
#[test]
fn help_is_one_short_phrase() {
    const MAX_LENGTH: usize = 100;
    const CLAUSES: [&str; 6] = ["What ", "Who ", "Where ", "Whether ", "How ", "Which "];
    let mut command = Args::command();
    command.build();
    let all = helps(&command, "contender");
    let is_wrong = |help: &str| {
        let phrase = help.split(" [default:").next().unwrap_or_default();
        phrase.chars().count() > MAX_LENGTH
            || CLAUSES.iter().any(|word| phrase.starts_with(word))
            || !phrase.starts_with(|letter: char| letter.is_uppercase() || letter == '`')
    };
    let wrong: Vec<String> = all
        .iter()
        .filter(|(_, help)| is_wrong(help))
        .map(|(place, help)| format!("{place}: {help}"))
        .collect();
    assert!(wrong.is_empty(), "not a phrase of at most {MAX_LENGTH} characters:\n{}", wrong.join("\n"));
    assert!(all.len() > 200, "only {} help texts were found", all.len());
}

#[test]
fn old_names_of_options_are_accepted() {
    for (now, before) in [
        ("match uttt a b --setup opening=2", "match uttt a b --rule opening=2"),
        ("tune uttt uct --parameters c --setup opening=2", "tune uttt uct --parameters c --rule opening=2"),
        (
            "challenge uttt a b --stage1-pairs 2 --stage2-pairs 3 --max-pairs 40",
            "challenge uttt a b --few 2 --more 3 --most 40",
        ),
        ("check-rules uttt --max-turns 5", "check-rules uttt --longest 5"),
        ("league add a cat --no-check", "league add a cat --untried"),
        ("league run --duration 8h --exit-when-done", "league run --for 8h --once"),
        (
            "referee compare uttt --referee r --time 1s --setup s={SEED}",
            "referee compare uttt --referee r --time 1s --rule s={SEED}",
        ),
    ] {
        for words in [now, before] {
            let words = std::iter::once("contender").chain(words.split(' '));
            if let Err(error) = <Args as clap::Parser>::try_parse_from(words) {
                panic!("{error}");
            }
        }
    }
}

#[test]
fn text_is_escaped_outside_of_code() {
    assert_eq!(escaped("a <B> `c <d>` [e]"), "a \\<B\\> `c <d>` \\[e\\]");
}
