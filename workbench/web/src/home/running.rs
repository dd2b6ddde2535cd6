//! The running commands of the project: leagues, matches, training runs and tuning runs.

use crate::App;
use crate::chart::bar;
use crate::failures;
use crate::jobs::Running;
use crate::matches::report::Pace;
use crate::matches::{self, verdict};
use crate::project::{Contents, Entry};
use crate::text::{count, grouped, query, time_left};
use contender_learn::training::status;
use maud::{Markup, html};
use std::time::Duration;

/// Maximum time since the last change of its files for a training or tuning run to count as running.
const FRESH: Duration = Duration::from_secs(120);

/// A running command as a card shows it.
struct Card {
    kind: &'static str,
    title: String,
    page: String,
    /// The completed share of the work, from 0 to 1, if known.
    share: Option<f64>,
    /// Descriptions of the progress and the speed.
    words: Vec<String>,
    /// The result so far; empty if it is not known.
    result: String,
    /// Numbers of games of a match that count and that a bot lost by a failure, and of games that do not count.
    failures: [u64; 2],
    /// The form that stops the job: its action, and the name and value of its field.
    stop: Option<(&'static str, &'static str, String)>,
}

pub fn cards(app: &App, contents: &Contents, is_known: bool) -> Markup {
    let jobs = app.jobs.running();
    let ours = jobs.iter().filter_map(|job| of_job(app, job));
    let leagues = contents.leagues.iter().filter(|entry| {
        // The leagues of this server's own runners are among the jobs.
        !jobs.iter().any(|job| job.key == crate::league::job(&entry.path))
    });
    let others = leagues.filter_map(|entry| {
        let (_, store) = crate::league::open(app, &entry.path).ok()?;
        (store.runners().ok()? > 0).then(|| league(app, &entry.path, None))
    });
    let trainings = contents.trainings.iter().filter(is_fresh).filter_map(|entry| training(app, &entry.path));
    let cards: Vec<Card> = ours.chain(others).chain(trainings).collect();
    html! {
        section #running aria-label="Running now" {
            @if !cards.is_empty() {
                h2 { "Running now" }
                div.cards { @for card in &cards { (draw(card, is_known)) } }
            }
        }
    }
}

fn is_fresh(entry: &&Entry) -> bool {
    entry.modified.and_then(|time| time.elapsed().ok()).is_some_and(|age| age < FRESH)
}

fn of_job(app: &App, job: &Running) -> Option<Card> {
    if let Some(dir) = job.key.strip_prefix("league ") {
        return Some(league(app, dir, Some(job)));
    }
    let file = job.key.strip_prefix("match ")?;
    let log = matches::playing(app, file);
    let games = log.as_ref().map_or(0, |log| log.count);
    let players = app.matches.names(file).map_or(String::new(), |names| names.join(" – "));
    let planned =
        job.page.split(['?', '&']).find_map(|pair| pair.strip_prefix("games=")?.parse::<u64>().ok());
    let pace = Pace::of([app.matches.before(file), games], job.since.elapsed(), planned);
    let mut words = vec![match planned {
        Some(planned) => format!("{} of {} games", grouped(games), grouped(planned)),
        None => count(games, "game", "games"),
    }];
    words.extend(pace.into_iter().flat_map(Pace::words));
    Some(Card {
        kind: "match",
        title: if players.is_empty() { file.to_string() } else { players },
        page: job.page.clone(),
        share: planned.map(|planned| games as f64 / planned.max(1) as f64),
        words,
        result: log.as_ref().map_or(String::new(), |log| verdict::sentence(log, true)),
        failures: log
            .filter(|log| !log.is_broken())
            .map_or([0; 2], |log| [log.pairs.failed, log.pairs.uncounted()]),
        stop: Some(("/match/stop", "file", file.to_string())),
    })
}

fn league(app: &App, dir: &str, job: Option<&Running>) -> Card {
    // The league's own card, below, has the number of games.
    let playing = crate::league::playing(app, dir).map(|names| format!("now {names}"));
    let mut words: Vec<String> = playing.into_iter().collect();
    words.extend(job.map(|job| format!("for {}", time_left(job.since.elapsed()))));
    Card {
        kind: "league",
        title: crate::league::title(dir),
        page: format!("/league?{}", query(&[("dir", dir)])),
        share: None,
        words,
        result: String::new(),
        // The league's own card has them.
        failures: [0; 2],
        stop: job.map(|_| ("/league/stop", "dir", dir.to_string())),
    }
}

fn training(app: &App, dir: &str) -> Option<Card> {
    let status = status(&app.project.training(dir).ok()?, 0).ok()?;
    let share = status.length.share(status.games, status.running.as_secs_f64());
    (share < 1.0).then(|| Card {
        kind: "training",
        title: if dir.is_empty() { status.subject.clone() } else { dir.to_string() },
        page: format!("/training?{}", query(&[("dir", dir)])),
        share: Some(share),
        words: vec![count(status.games, "game", "games"), format!("{:.0}%", 100.0 * share)],
        result: String::new(),
        failures: [0; 2],
        stop: None,
    })
}

fn draw(card: &Card, is_known: bool) -> Markup {
    html! {
        div.card data-key=(card.page) {
            h3 { a href=(card.page) { (card.title) } span.chip.good { (card.kind) } }
            @if let Some(share) = card.share { (bar(share)) }
            @if !card.result.is_empty() { p { (card.result) } }
            p.legend { (card.words.join(" · ")) " " (failures::short_chips(card.failures)) }
            @if let Some((action, name, value)) = card.stop.as_ref().filter(|_| is_known) {
                form action=(action) method="post" {
                    input type="hidden" name=(name) value=(value);
                    button.small.danger type="submit" aria-label=(format!("Stop {}", card.title)) { "Stop" }
                }
            }
        }
    }
}
