//! The page with all leagues.

use super::cards::all;
use super::new::form;
use crate::App;
use crate::files::newest_game;
use crate::guard::Known;
use crate::page::{self, Problem, blocking};
use axum::extract::State;
use axum::response::Html;
use maud::html;
use std::sync::Arc;

/// Returns the page. A project without leagues shows the form for a new one.
pub async fn page(State(app): State<Arc<App>>, Known(is_known): Known) -> Result<Html<String>, Problem> {
    blocking(app, move |app| {
        let contents = app.project.contents();
        let content = html! {
            (page::crumbs(&[], "Leagues", None))
            @if contents.leagues.is_empty() {
                (page::read_only(is_known))
                p { "This project has no leagues yet. The bots of a league play each other until you stop it. The league ranks them, with an interval for each strength." }
                (form(app, newest_game(app), is_known))
            } @else {
                div.headline {
                    h1 { "Leagues" }
                    @if is_known { a.button.primary href="/leagues/new" { "New league" } }
                }
                (page::read_only(is_known))
                (all(app, &contents))
            }
        };
        Ok(page::frame("/leagues", "Leagues", None, &content))
    })
    .await
}
