//! The lists of trainings and tunings on the first page, each with its game and its result. The results are kept in
//! memory, because reading a long log takes time.

use crate::App;
use crate::project::Entry;
use crate::text::{ago, query};
use maud::{Markup, html};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

/// Maximum number of listed folders, and of folders whose results are read.
const SHOWN: usize = 200;
const MAX_READ: usize = 20;
/// Maximum number of kept results.
const MAX_KEPT: usize = 200;

/// The kept games and results by the address of their pages, each with the version of the folder.
#[derive(Default)]
pub struct Results(Mutex<HashMap<String, (Version, [String; 2])>>);

type Version = (u64, Option<SystemTime>);

impl Results {
    /// Returns the game and the result of a folder. They are read again only if the folder has changed.
    fn of(&self, address: &str, entry: &Entry, read: impl FnOnce() -> Option<[String; 2]>) -> [String; 2] {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = (entry.size, entry.modified);
        if let Some((_, known)) = lock().get(address).filter(|(version, _)| *version == now) {
            return known.clone();
        }
        let result = read().unwrap_or_default();
        let mut kept = lock();
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(address.to_string(), (now, result.clone()));
        result
    }
}

/// Returns a list of folders with links to their pages. `read` returns the game and the result of a folder.
pub fn list(app: &App, page: &str, entries: &[Entry], read: &dyn Fn(&str) -> Option<[String; 2]>) -> Markup {
    html! {
        div.wide { table.list.files.runs-list {
            thead { tr { th { "Folder" } th { "Game" } th { "Result" } th { "Updated" } } }
            tbody { @for (at, entry) in entries.iter().take(SHOWN).enumerate() { tr data-key=(entry.path) {
                @let address = format!("{page}?{}", query(&[("dir", &entry.path)]));
                @let [game, result] = if at < MAX_READ { app.results.of(&address, entry, || read(&entry.path)) } else { Default::default() };
                td { a href=(address) { (if entry.path.is_empty() { "this folder" } else { &entry.path }) } }
                td.result { (game) }
                td.players { @if result.is_empty() && at < MAX_READ { span.legend { "no results yet" } } @else { (result) } }
                td.updated { (entry.modified.map_or(String::new(), ago)) }
            } } }
        } }
    }
}
