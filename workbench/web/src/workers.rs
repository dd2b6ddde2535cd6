//! The page of a cluster: the load and the speed of its workers, the users for whom they play, and the last messages of
//! workers that have disappeared.

use crate::App;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking};
use axum::Router;
use axum::extract::State;
use axum::response::{Html, Response};
use axum::routing::get;
use contender_cluster::{ClusterStatus, RunStatus, Secrets, Seen, status};
use contender_input::this_program;
use maud::{Markup, html};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Interval between queries of the NATS server.
const PERIOD: Duration = Duration::from_secs(2);

pub fn routes() -> Router<Arc<App>> {
    Router::new().route("/workers", get(page)).route("/workers/live", get(live))
}

async fn page(State(app): State<Arc<App>>) -> Result<Html<String>, Problem> {
    blocking(app, |app| {
        let content = html! {
            p.path { a href="/" { "Home" } " / Workers" }
            div data-live="/workers/live" { (parts(&look(app))) }
        };
        Ok(page::frame("", "Workers", Some("/live.js"), &content))
    })
    .await
}

/// Streams the parts of the page as the state of the cluster changes.
async fn live(State(app): State<Arc<App>>) -> Response {
    let mut next = Instant::now();
    live::watch(app, "/workers/live".to_string(), move |app| {
        if Instant::now() < next {
            return Update::Same;
        }
        next = Instant::now() + PERIOD;
        Update::New(parts(&look(app)))
    })
}

/// Returns the state of the cluster's server, or the reason why the state is unknown.
fn look(app: &App) -> Result<ClusterStatus, String> {
    let url = app
        .cluster
        .as_deref()
        .ok_or_else(|| format!("to see workers, start `{} web --on nats://HOST:4222`", this_program()))?;
    let status = Secrets::from_environment().and_then(|secrets| status(url, &secrets));
    status.map_err(|error| format!("{error:#}"))
}

fn parts(status: &Result<ClusterStatus, String>) -> Markup {
    html! {
        section #workers aria-labelledby="workers-title" {
            h1 #workers-title { "Workers" }
            @match status {
                Err(words) => p { (words) },
                Ok(status) => {
                    p {
                        (status.jobs) " jobs, " (status.in_hand) " of them being played, " (status.results)
                        " results waiting; NATS " (status.server)
                    }
                    (workers(&status.workers))
                    @for course in &status.runs { (run(course)) }
                }
            }
        }
    }
}

/// Returns the table of workers. The cells contain no element that can receive the focus, so the table itself can
/// receive it, and a user without a mouse can scroll the table.
fn workers(workers: &[Seen]) -> Markup {
    let percent = |share: Option<f64>| share.map_or(String::new(), |share| format!("{:.0} %", 100.0 * share));
    html! {
        @if workers.is_empty() { p { "No workers yet: " code { (this_program()) " worker --on URL" } " starts one." } }
        @else {
            table.list tabindex="0" {
                thead { tr {
                    th { "Worker" } th { "State" } th.number { "Playing" } th.number { "Games" } th.number { "A second" }
                    th.number { "Speed" } th.number { "Late" } th.number { "Other load" } th { "Last message" }
                } }
                tbody { @for seen in workers {
                    @let Seen { presence, seconds_ago, .. } = seen;
                    tr {
                        td { (presence.worker) }
                        td { (seen.state()) ", " (seconds_ago) " s ago" }
                        td.number { (presence.playing) " of " (presence.slots) }
                        td.number { (presence.games) }
                        td.number { (format!("{:.2}", presence.rate())) }
                        td.number { (presence.speed.map_or(String::new(), |speed| format!("{speed:.0}"))) }
                        td.number { (percent(presence.late_wakeups)) }
                        td.number { (percent(presence.other_load)) }
                        td { (presence.words.as_deref().unwrap_or_default()) }
                    }
                } }
            }
        }
    }
}

fn run(course: &RunStatus) -> Markup {
    html! {
        h2 { "Run " (course.run) " of " (course.host) }
        p { (course.text()) }
    }
}
