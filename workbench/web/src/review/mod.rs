//! The page "Why does my bot lose?": the failures and the lost games of a player in a log or a league. A bundled bot
//! finds the turning point of each lost game.

mod games;
mod job;
mod phases;
mod report;

pub use job::Reviews;

use crate::App;
use crate::guard::Known;
use crate::live::{self, Update};
use crate::log::File;
use crate::page::{self, Problem, blocking, command};
use crate::text::{quoted, why_lost};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use games::Games;
use maud::html;
use serde::Deserialize;
use std::sync::Arc;

/// Maximum number of times that a user can raise the limits of a review.
const MAX_MORE: usize = 9;

/// Query parameters: the source of the games, and the player to review.
#[derive(Deserialize, Clone)]
pub struct Params {
    #[serde(flatten)]
    file: File,
    /// The player; empty for the first player of the first game.
    #[serde(default)]
    player: String,
    /// The opponent in the games to judge; empty for all opponents.
    #[serde(default)]
    against: String,
    /// Number of times that the limits of a review are raised by their usual values.
    #[serde(default)]
    more: usize,
}

impl Params {
    fn address(&self, page: &str, player: &str, against: &str) -> String {
        let more = self.more.to_string();
        let pairs = [("player", player), ("against", against), ("more", &more)];
        self.file.address(page, if self.more > 0 { &pairs } else { &pairs[..2] })
    }

    /// Returns how many times the usual limits apply.
    fn times(&self) -> usize {
        1 + self.more.min(MAX_MORE)
    }

    /// Returns the key of the kept review. A review of more games replaces one of fewer games.
    fn key(&self, player: &str) -> String {
        Params { more: 0, ..self.clone() }.address("", player, &self.against)
    }

    /// Returns the address of the review of more games than those of this many times the usual limits.
    fn with_more(&self, player: &str, times: usize) -> String {
        Params { more: times, ..self.clone() }.address("/review", player, &self.against)
    }
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let games = Games::read(&which, app)?;
        let found = app.reviews.find(&which.key(&games.player));
        let live = which.address("/review/live", &games.player, &which.against);
        let title = match games.results()[2] {
            0 => "Moves that cost most".to_string(),
            _ => why_lost(&games.player),
        };
        let above = which.file.above(app)?;
        let content = html! {
            (page::crumbs(&above, "Review", None))
            h1 { (title) }
            div.headline {
                (report::verdict(&which, &games))
                form.controls action="/review" method="get" {
                    @for (name, value) in which.file.pairs() { input type="hidden" name=(name) value=(value); }
                    label { "Player " select.small name="player" {
                        @for name in &games.players { option selected[*name == games.player] { (name) } }
                    } }
                    label { "against " select.small name="against" {
                        option value="" { "any bot" }
                        @for row in games.opponents() { option selected[row.name == which.against] { (row.name) } }
                    } }
                    button.small type="submit" { "Show" }
                }
            }
            (page::read_only(is_known))
            @let [reasons, turning_points, phases] = report::parts(&which, &games, found.as_deref(), is_known);
            (reasons)
            (report::failures(&which, &games))
            div.review data-live=[is_known.then_some(live)] {
                (turning_points)
                aside { (phases) (report::opponents(&which, &games)) }
            }
            @if let Some(file) = which.file.path() {
                (command(&format!("review {} --player {}", quoted(file), quoted(&games.player))))
            }
        };
        Ok(page::frame(which.file.section(), &title, Some("/live.js"), &content))
    })
    .await
}

/// Starts the review unless it is running or complete, and streams its progress and its results.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(which): Query<Params>,
    known: Known,
) -> Result<Response, Problem> {
    known.require()?;
    let shared = Arc::clone(&app);
    let (which, games, job) = blocking(Arc::clone(&app), move |app| {
        let games = Arc::new(Games::read(&which, app)?);
        let key = which.key(&games.player);
        let job = app.reviews.start(&shared, &which, &key, &games);
        Ok((which, games, job))
    })
    .await?;
    let key = which.address("/review/live", &games.player, &which.against);
    let mut seen = None;
    Ok(live::watch(app, key, move |_| {
        let now = (job.progress(), job.is_waiting());
        if seen == Some(now) {
            return Update::Same;
        }
        seen = Some(now);
        let parts = report::parts(&which, &games, Some(&job), true);
        Update::New(html! { @for part in parts { (part) } })
    }))
}
