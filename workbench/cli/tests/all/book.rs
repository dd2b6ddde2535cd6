//! The book (`book.toml`): the table of contents has every page of `docs`, and every link in the documents has a
//! target. If mdbook is installed, it builds the book without a warning and gives headings the names that these tests
//! expect.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The parts of a page that matter for links.
#[derive(Default)]
struct Page {
    /// The anchors of the page's headings, in the form of mdbook and code hosts.
    anchors: BTreeSet<String>,
    /// The targets of the page's links and pictures.
    targets: Vec<String>,
    /// The texts of the first-level headings; a page must have exactly one.
    titles: Vec<String>,
}

/// Returns the anchor of a heading: lower-case letters, digits, `-` and `_`, with `-` for every space.
fn anchor(heading: &str) -> String {
    let kept = |letter: char| match letter {
        _ if letter.is_alphanumeric() || letter == '_' || letter == '-' => Some(letter),
        _ if letter.is_whitespace() => Some('-'),
        _ => None,
    };
    heading.trim().to_lowercase().chars().filter_map(kept).collect()
}

fn read(text: &str) -> Page {
    // The options that mdbook uses.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_HEADING_ATTRIBUTES;
    let mut page = Page::default();
    let mut heading: Option<(HeadingLevel, String)> = None;
    for event in Parser::new_ext(text, options) {
        match event {
            Event::Start(Tag::Heading { level, .. }) => heading = Some((level, String::new())),
            Event::End(TagEnd::Heading(_)) => {
                let (level, text) = heading.take().unwrap();
                let name = anchor(&text);
                let repeated = (1..).map(|count| format!("{name}-{count}"));
                let name =
                    std::iter::once(name.clone()).chain(repeated).find(|name| !page.anchors.contains(name));
                page.anchors.extend(name);
                if level == HeadingLevel::H1 {
                    page.titles.push(text);
                }
            }
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, heading)) = &mut heading {
                    *heading += &text;
                }
            }
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.targets.push(dest_url.to_string());
            }
            _ => {}
        }
    }
    page
}

/// Returns a path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    path.components().fold(PathBuf::new(), |mut path, part| {
        match part {
            Component::ParentDir => drop(path.pop()),
            Component::CurDir => {}
            _ => path.push(part),
        }
        path
    })
}

/// Returns all files below a folder.
fn below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { below(&path) } else { vec![path] }).collect()
}

/// Returns the documents by their paths from the root: the book's pages and all others.
fn pages() -> BTreeMap<PathBuf, Page> {
    let folders = ["", "games", "fuzz", "examples", "lab/notes"];
    let beside = folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    beside
        .map(|entry| entry.unwrap().path())
        .chain(below(&root().join("docs")))
        .filter(|file| file.extension().is_some_and(|kind| kind == "md"))
        .map(|file| {
            let page = read(&fs::read_to_string(&file).unwrap());
            (file.strip_prefix(root()).unwrap().to_path_buf(), page)
        })
        .collect()
}

/// Returns the invalid links of a page. A link must lead to an existing file and heading, and a link in the book must
/// stay in the book.
fn faults(file: &Path, pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let fault = |target: &String| {
        if target.contains("://") || target.starts_with("mailto:") {
            return None;
        }
        let (path, heading) = target.split_once('#').unwrap_or((target, ""));
        let place = if path.is_empty() { file.to_path_buf() } else { plain(&file.parent()?.join(path)) };
        let wrong = if !root().join(&place).is_file() {
            "is no file"
        } else if file.starts_with("docs") && !place.starts_with("docs") {
            "is not in the book: name the file without a link"
        } else if !heading.is_empty() && !pages.get(&place).is_some_and(|page| page.anchors.contains(heading))
        {
            "has no such heading"
        } else {
            return None;
        };
        Some(format!("{}: `{target}` {wrong}", file.display()))
    };
    pages[file].targets.iter().filter_map(fault).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    let wrong: Vec<String> = pages.keys().flat_map(|file| faults(file, &pages)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let count: usize = pages.values().map(|page| page.targets.len()).sum();
    assert!(count > 200, "only {count} links were found");
}

#[test]
fn the_table_of_contents_has_every_page_once() {
    let pages = pages();
    let summary = Path::new("docs/SUMMARY.md");
    let mut listed: Vec<PathBuf> =
        pages[summary].targets.iter().map(|target| plain(&Path::new("docs").join(target))).collect();
    listed.sort();
    let written: Vec<PathBuf> =
        pages.keys().filter(|file| file.starts_with("docs") && *file != summary).cloned().collect();
    assert_eq!(listed, written, "docs/SUMMARY.md and the files of docs");
    for file in written {
        assert_eq!(pages[&file].titles.len(), 1, "{}: one title a page", file.display());
    }
}

/// The index of the lab notes links every note.
#[test]
fn the_index_of_lab_notes_has_every_note() {
    let pages = pages();
    let index = Path::new("lab/notes/README.md");
    let listed: BTreeSet<PathBuf> =
        pages[index].targets.iter().map(|target| plain(&Path::new("lab/notes").join(target))).collect();
    let missing: Vec<&PathBuf> = pages
        .keys()
        .filter(|file| file.starts_with("lab/notes") && *file != index && !listed.contains(*file))
        .collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// Returns all Rust code below a folder.
fn code(folder: &Path) -> String {
    let rust = below(folder).into_iter().filter(|file| file.extension().is_some_and(|kind| kind == "rs"));
    rust.map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// Returns the names in backticks in a checklist that do not exist: files, and functions whose names have at least
/// three words.
fn missing_code(text: &str, folders: &[PathBuf], code: &str) -> Vec<String> {
    let is_name = |name: &str| {
        name.split('_').count() > 2
            && name.chars().all(|c| c == '_' || c.is_ascii_digit() || c.is_ascii_lowercase())
    };
    let is_path = |name: &str| {
        name.contains('/') && name.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c))
    };
    text.split('`')
        .skip(1)
        .step_by(2)
        .filter(|name| {
            is_path(name) && !folders.iter().any(|folder| folder.join(name).exists())
                || is_name(name) && !code.contains(*name)
        })
        .map(String::from)
        .collect()
}

#[test]
fn checklists_name_code_that_exists() {
    let code: String =
        ["kit", "games", "workbench", "lab"].iter().map(|folder| code(&root().join(folder))).collect();
    for (note, game) in [
        ("box", "boxes"),
        ("cellularena", "cellularena"),
        ("entropy", "entropy"),
        ("spaghetti", "spaghetti"),
        ("uttt", "uttt"),
    ] {
        let text = fs::read_to_string(root().join(format!("lab/notes/{note}-checklist.md"))).unwrap();
        let folders = ["", "kit", "workbench"].map(|folder| root().join(folder));
        let own = ["", "src"].map(|folder| root().join("games").join(game).join(folder));
        let missing = missing_code(&text, &[folders.as_slice(), &own].concat(), &code);
        assert!(missing.is_empty(), "{note}: {missing:?}");
    }
    let text = "`no/such.rs`, `kit/search`, `no_such_test_anywhere`, `missing_code`, `a b`";
    let split = code.replace("no_such_test_anywhere", "");
    assert_eq!(missing_code(text, &[root()], &split), ["no/such.rs", "no_such_test_anywhere"]);
}

#[test]
fn faults_are_found() {
    let page = read(
        "# A *page*\n\n## What `x` is, now\n\n## Again\n## Again\n\n[a](b.md#c) [d](#again-1) ![](p.svg)\n",
    );
    assert_eq!(
        page.anchors,
        BTreeSet::from(["a-page", "again", "again-1", "what-x-is-now"].map(String::from))
    );
    assert_eq!(page.targets, ["b.md#c", "#again-1", "p.svg"]);
    let name = PathBuf::from("docs/reference/endings.md");
    let text = "# T\n[1](#t) [2](formats.md) [3](https://x.org/y) [4](no.md) [5](../../README.md) [6](#u) [7](formats.md#u)";
    let mut pages = pages();
    pages.insert(name.clone(), read(text));
    let wrong = faults(&name, &pages);
    let places: Vec<&str> = wrong.iter().filter_map(|line| line.split('`').nth(1)).collect();
    assert_eq!(places, ["no.md", "../../README.md", "#u", "formats.md#u"]);
}

/// If mdbook is installed, it behaves as this file expects.
#[test]
fn mdbook_builds_it_without_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new("mdbook");
    command.arg("build").arg(root()).arg("--dest-dir").arg(folder.path()).env("RUST_LOG", "warn");
    let Ok(output) = command.output() else {
        eprintln!("skipped: there is no mdbook; `cargo install mdbook` gets it");
        return;
    };
    let said = String::from_utf8_lossy(&output.stderr);
    let is_quiet = !said.to_lowercase().contains("warn") && !said.to_lowercase().contains("error");
    assert!(output.status.success() && is_quiet, "{said}");
    for (file, page) in pages().iter().filter(|(file, _)| file.starts_with("docs/")) {
        let made = file.strip_prefix("docs").unwrap();
        let made = match made.file_stem().and_then(|name| name.to_str()) {
            Some("SUMMARY") => continue,
            Some("README") => made.with_file_name("index.html"),
            _ => made.with_extension("html"),
        };
        let html = fs::read_to_string(folder.path().join(&made)).unwrap();
        for anchor in &page.anchors {
            assert!(html.contains(&format!("id=\"{anchor}\"")), "{}: no `{anchor}`", made.display());
        }
    }
}

/// Returns the front page of a library as a README: without links into the library and hidden lines of examples.
fn readme(name: &str, library: &str) -> String {
    let mut text = format!("# {name}\n\n");
    let mut is_code = false;
    for line in library.lines().map_while(|line| line.strip_prefix("//!")) {
        let line = line.strip_prefix(' ').unwrap_or(line);
        if line.starts_with("```") {
            is_code = !is_code;
            text += if is_code { "```rust\n" } else { "```\n" };
        } else if let Some(game) = line.strip_prefix("# use toys::") {
            let game = game.trim_end_matches(';');
            text += &format!("// `{game}` is the game on the front page of `contender-game`.\n");
        } else if !is_code {
            text += &format!("{}\n", without_links(line));
        } else if !line.starts_with("# ") {
            text += &format!("{line}\n");
        }
    }
    let licence = "Part of Contender, a workbench for authors of game bots. Licensed under either the Apache License 2.0 \
                   or the MIT licence, at your option.";
    text + "\n" + licence + "\n"
}

/// Returns a line with each link `[text](target)` replaced by its text; `[text]` alone, a link to an item, too.
fn without_links(line: &str) -> String {
    let mut rest = line;
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once('[') {
        let Some((shown, after)) = after.split_once(']') else { break };
        text += before;
        text += shown;
        rest =
            after.strip_prefix('(').and_then(|target| target.split_once(')')).map_or(after, |(_, rest)| rest);
    }
    text + rest
}

/// `CONTENDER_WRITE_BOOK=1 cargo test -p contender-cli --test all readmes` writes the files again.
#[test]
fn readmes_of_the_kit_are_its_front_pages() {
    for name in ["game", "nn", "puct", "search", "value"] {
        let folder = root().join("kit").join(name);
        let library = fs::read_to_string(folder.join("src/lib.rs")).unwrap();
        let wanted = readme(&format!("contender-{name}"), &library);
        if std::env::var_os("CONTENDER_WRITE_BOOK").is_some() {
            fs::write(folder.join("README.md"), &wanted).unwrap();
        }
        let found = fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        assert!(found == wanted, "kit/{name}/README.md is not the front page of kit/{name}/src/lib.rs");
    }
}
