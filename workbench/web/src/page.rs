//! The frame around all pages, and the error page.

use crate::App;
use crate::assets::{self, MARK, address};
use crate::text::coded;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use contender_catalogue::contests;
use contender_game::board::Picture;
use contender_input::this_program;
use contender_plot::board;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::fmt::Display;
use std::sync::Arc;

/// Number of rows from which a table has a filter.
pub const MANY: usize = 15;

/// The pages that every page's head links to: address and name.
const SECTIONS: [(&str, &str); 5] = [
    ("/", "Home"),
    ("/matches", "Matches"),
    ("/leagues", "Leagues"),
    ("/analyse", "Analyse"),
    ("/play", "Play"),
];

/// The title of the page `/engine`.
pub const ENGINE: &str = "Games of CodinGame's referee";

/// The pages that an error page links to: address, name and content.
const WAYS: [(&str, &str, &str); 5] = [
    ("/", "Home", "games, leagues and trainings of this project"),
    ("/matches", "Matches", "compare two bots"),
    ("/leagues", "Leagues", "rank many bots"),
    ("/analyse", "Analyse", "let a bot judge a position"),
    ("/play", "Play", "play against a bot"),
];

/// Returns a whole page. `section` is the address in the head that is marked as the current one. If it ends with `/*`,
/// the page is one of the pages below this address. `script` is the JavaScript module that the page runs.
pub fn frame(section: &str, title: &str, script: Option<&str>, content: &Markup) -> Html<String> {
    let scripts = html! {
        // This script chooses the theme before the first paint, so it is not deferred.
        script src=(address("/theme.js")) {}
        script type="module" src=(address("/app.js")) {}
        @if let Some(script) = script {
            script type="module" src=(address(script)) {}
        }
    };
    whole(section, title, &scripts, content)
}

/// Returns a whole page that runs no scripts.
pub fn without_scripts(title: &str, content: &Markup) -> Html<String> {
    whole("", title, &html! {}, content)
}

fn whole(section: &str, title: &str, scripts: &Markup, content: &Markup) -> Html<String> {
    let mark = |address: &str| match section.strip_suffix("/*") {
        Some(above) => (above == address.trim_end_matches('/')).then_some("true"),
        None => (section == address).then_some("page"),
    };
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Contender" }
                link rel="icon" href=(address("/mark.svg")) type="image/svg+xml";
                link rel="preload" href=(address("/inter.woff2")) as="font" type="font/woff2" crossorigin;
                link rel="stylesheet" href=(address("/style.css"));
                link rel="stylesheet" href=(address("/board.css"));
                (scripts)
            }
            body {
                a.skip href="#content" { "Skip to the content" }
                header.top {
                    a.home href="/" { (PreEscaped(MARK)) "Contender" }
                    nav aria-label="Pages" {
                        @for (address, name) in SECTIONS {
                            a href=(address) aria-current=[mark(address)] { (name) }
                        }
                    }
                }
                main #content tabindex="-1" { (content) }
                footer.bottom {
                    nav aria-label="More pages" {
                        a href="/rules" { "Rules of the games" }
                        a href="/engine" { (ENGINE) }
                    }
                    @if !scripts.0.is_empty() { span.legend { kbd { "?" } " shows the keys of a page" } }
                }
            }
        }
    };
    Html(page.into_string())
}

/// Returns the links to the pages above this one. The first page is always the first link. `above` contains addresses
/// and names, and `game` is the game whose rules are linked at the right.
pub fn crumbs(above: &[(String, String)], here: &str, game: Option<&str>) -> Markup {
    html! {
        nav.path.trail aria-label="Breadcrumbs" {
            span {
                a href="/" { "Home" } " / "
                @for (address, name) in above { a href=(address) { (name) } " / " }
                span aria-current="page" { (here) }
            }
            @if let Some(game) = game { a href=(rules(game)) { "Rules of " (game) } }
        }
    }
}

/// Returns the notice for readers without the token. They see no buttons that change something.
pub fn read_only(is_known: bool) -> Markup {
    html! {
        @if !is_known {
            p.notice #read-only {
                strong { "Read only. " }
                "To change something, open the address with the token that " code { (this_program()) " web" } " printed."
            }
        }
    }
}

/// Returns a command that can be copied, as a user would type it in the project folder.
pub fn command(words: &str) -> Markup {
    let line = format!("{} {words}", this_program());
    html! {
        p.command { code tabindex="0" { (line) } button.small type="button" data-copy=(line) { "Copy" } }
    }
}

/// Returns the address of the page with a game's rules.
pub fn rules(game: &str) -> String {
    format!("/rules?game={game}")
}

/// Returns links from one kind of page to the same page of the other games.
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

/// Returns the switch above a wide board. On a telephone, such a board is either as wide as the screen, or its squares
/// are as large as a finger.
pub fn whole_board() -> Markup {
    html! { label.whole { input type="checkbox" checked; " Whole board" } }
}

/// The least ratio of a board whose notes are below it, if the page has further parts below the board.
pub const WIDE: f64 = 1.5;

/// Returns the classes of a page with a board. Style sheets give the board a size by its ratio, so that it depends only
/// on the window. The notes of a board are next to it if its width divided by its height is less than `widest`. A
/// single note is always below the board, because it would leave the strip next to the board empty.
pub fn with_board(classes: &str, picture: &Picture, widest: f64) -> String {
    let ratio = board::ratio(picture);
    let notes = match picture.notes.iter().filter(|note| !note.is_empty()).count() {
        0 | 1 => " one-note",
        _ if ratio < widest => " side-notes",
        _ => "",
    };
    format!("{classes}{notes} {}", assets::shape(ratio))
}

/// An error: the reason why a request is not answered, as a message for the user.
#[derive(Debug)]
pub struct Problem {
    status: StatusCode,
    words: String,
    /// The name of the field in the form that caused the error, if there is one.
    field: Option<&'static str>,
    /// The errors of other fields of the same form.
    others: Vec<Problem>,
}

impl Problem {
    pub fn new(status: StatusCode, words: impl Display) -> Problem {
        Problem { status, words: words.to_string(), field: None, others: Vec::new() }
    }

    /// Returns this error as one that a field of a form caused. The page shows the message next to the field.
    pub fn at(self, field: &'static str) -> Problem {
        Problem { field: Some(field), ..self }
    }

    /// Returns the errors of a form as one, or nothing if there are none.
    pub fn all(problems: impl IntoIterator<Item = Problem>) -> Result<(), Problem> {
        let mut problems = problems.into_iter();
        let Some(first) = problems.next() else { return Ok(()) };
        Err(Problem { others: problems.collect(), ..first })
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
        let title = if self.status == StatusCode::NOT_FOUND { "Page not found" } else { "That did not work" };
        let page = html! {
            h1 { (title) }
            p #problem data-field=[self.field] { (coded(&self.words)) }
            @for other in &self.others { p data-field=[other.field] { (coded(&other.words)) } }
            p.controls #ways { a.button.primary href="/" { "Home" } " " }
            @if self.status == StatusCode::NOT_FOUND {
                h2 { "Other pages" }
                ul.ways {
                    @for (address, name, words) in WAYS { li { a href=(address) { (name) } " " span.legend { (words) } } }
                }
                p.legend.wide-only { "Press " kbd { "Ctrl K" } " to search pages, files, leagues and bots." }
            }
        };
        (self.status, frame("", title, Some("/back.js"), &page)).into_response()
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

/// Lets a bot think as soon as a permit is free. No thread is blocked while waiting for the permit.
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

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::board::{Sign, Square};

    /// The notes are next to a board only if there are several and the board is narrow.
    #[test]
    fn a_single_note_is_below_the_board() {
        let classes = |columns: usize, notes: usize| {
            let mut picture = Picture::new(0..8, 0..columns, |_, _| Square::new(String::new(), Sign::dot()));
            picture.notes = vec![vec![Sign::plain("50")]; notes];
            with_board("replay", &picture, WIDE)
        };
        assert!(classes(8, 1).starts_with("replay one-note "));
        assert!(classes(8, 2).starts_with("replay side-notes "));
        assert!(!classes(16, 2).contains("note"));
    }
}
