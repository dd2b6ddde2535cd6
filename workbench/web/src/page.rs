//! The frame of all pages, and the error page.

use crate::App;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use contender_catalogue::contests;
use maud::{DOCTYPE, Markup, html};
use std::fmt::Display;
use std::sync::Arc;

/// Returns a whole page. `script` is the JavaScript module that the page runs.
pub fn frame(title: &str, script: Option<&str>, content: &Markup) -> Html<String> {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Contender" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/style.css";
                link rel="stylesheet" href="/board.css";
                @if let Some(script) = script {
                    script type="module" src=(script) {}
                }
            }
            body {
                header.top {
                    a.home href="/" { "Contender" }
                    a href="/" { "Home" }
                    a href="/matches" { "Match" }
                    a href="/analyse" { "Analyse" }
                    a href="/play" { "Play" }
                }
                main { (content) }
            }
        }
    };
    Html(page.into_string())
}

/// Returns the address of the page with a game's rules.
pub fn rules(game: &str) -> String {
    format!("/rules?game={game}")
}

/// Returns the navigation between the games, with links to one kind of page.
pub fn games(page: &str, chosen: &str) -> Markup {
    html! {
        nav.games aria-label="Games" {
            @for contest in contests() {
                a href=(format!("{page}?game={}", contest.name())) aria-current=[(contest.name() == chosen).then_some("page")] {
                    (contest.name())
                }
            }
            @if page != "/rules" { a.rules href=(rules(chosen)) { "Rules" } }
        }
    }
}

/// The reason why a request is not answered, as a message for the user.
pub struct Problem {
    status: StatusCode,
    words: String,
}

impl Problem {
    pub fn new(status: StatusCode, words: impl Display) -> Problem {
        Problem { status, words: words.to_string() }
    }

    /// Returns the message for the user.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// Returns the error for a missing page.
    pub fn not_found(words: impl Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, words)
    }

    /// Returns the error for an invalid request.
    pub fn bad(words: impl Display) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, words)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let page = html! {
            h1 { "That did not work" }
            p { (self.words) }
            p #ways { a href="/" { "Home" } " " }
        };
        (self.status, frame("Problem", Some("/back.js"), &page)).into_response()
    }
}

/// Runs work on another thread, so that it does not block the thread that answers requests.
pub async fn blocking<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let done = tokio::task::spawn_blocking(move || work(&app)).await;
    done.unwrap_or_else(|error| Err(Problem::new(StatusCode::INTERNAL_SERVER_ERROR, error)))
}

/// Runs a thinking bot when a permit is free. No thread waits for the permit.
pub async fn thinking<T: Send + 'static>(
    app: Arc<App>,
    work: impl FnOnce(&App) -> Result<T, Problem> + Send + 'static,
) -> Result<T, Problem> {
    let turn = Arc::clone(&app.thinkers).acquire_owned().await;
    blocking(app, move |app| {
        let _turn = turn;
        work(app)
    })
    .await
}
