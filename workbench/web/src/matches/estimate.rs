//! The time that a match of the form may take, and a warning about its time limit.

use super::lengths::longest;
use super::start::NewMatch;
use crate::App;
use crate::failures::late::VERY_SHORT;
use crate::machine::{Machine, time_unit};
use crate::page::{Problem, blocking};
use crate::text::{count, round_time, time_at_most};
use axum::Json;
use axum::extract::{Query, State};
use contender_catalogue::find;
use contender_game::contest::Contest;
use contender_referee::TimeSetting;
use std::sync::Arc;
use std::time::Duration;

/// Returns the time that a match of the form may take as a sentence, and a warning about its time limit; both may be
/// empty.
pub async fn estimate(
    State(app): State<Arc<App>>,
    Query(new): Query<NewMatch>,
) -> Result<Json<[String; 2]>, Problem> {
    blocking(app, move |app| {
        let contest = find(&new.game).ok_or_else(|| Problem::not_found("Unknown game."))?;
        let answers = app.matches.lengths.of(contest);
        Ok(Json(estimated(&new, contest, answers, Machine::now().cores())))
    })
    .await
}

fn estimated(
    new: &NewMatch,
    contest: &'static dyn Contest,
    answers: Option<usize>,
    cores: usize,
) -> [String; 2] {
    let value = |field| new.value(field).trim();
    let pairs: u64 = value("pairs").parse().unwrap_or(0);
    if pairs == 0 {
        return Default::default();
    }
    let games = 2 * pairs;
    let words = count(games, "game", "games");
    if !value("nodes").is_empty() {
        return [format!("{words}. The time depends on the speed of the bots."), String::new()];
    }
    let limits = match value("time") {
        "" => contest.info().limits,
        time => match TimeSetting::parse(time) {
            Ok(time) => time.apply(contest.info().limits),
            Err(_) => return [words, String::new()],
        },
    };
    let short = limits.turn.filter(|turn| *turn < VERY_SHORT && time_unit(contest) == "move");
    let warning = short.map_or(String::new(), |turn| {
        format!(
            "{} per move is very short: delays of the machine alone make bots late, and late bots lose.",
            round_time(turn)
        )
    });
    let Some(game) = longest(&limits, answers) else { return [words, warning] };
    let at_once = value("jobs").parse().unwrap_or(cores).clamp(1, cores);
    let time = Duration::try_from_secs_f64(game * games as f64 / at_once as f64).unwrap_or(Duration::MAX);
    let repeats = if value("rematch").is_empty() { "" } else { " Repeats of late games take more time." };
    let time = time_at_most(time);
    [format!("{words}: at most {time}, if the bots use all of their time.{repeats}"), warning]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_match_takes_the_time_of_its_games() {
        let contest = find("uttt").unwrap();
        let of = |text: &str| {
            let value = |field: &str| {
                let values = text.split('&').filter_map(|pair| pair.split_once('='));
                values.filter(|(name, _)| *name == field).map(|(_, value)| value.to_string()).next()
            };
            let [pairs, jobs, time, nodes, rematch] =
                ["pairs", "jobs", "time", "nodes", "rematch"].map(|field| value(field).unwrap_or_default());
            let new = NewMatch { pairs, jobs, time, nodes, rematch, ..NewMatch::default() };
            estimated(&new, contest, Some(62), 2)
        };
        // 1 s for the first answer of each player, and 60 answers with 100 ms.
        let [words, warning] = of("pairs=100&jobs=2");
        assert_eq!(
            (&words[..], &warning[..]),
            ("200 games: at most 14 min, if the bots use all of their time.", "")
        );
        let repeated = of("pairs=100&jobs=2&rematch=3");
        assert_eq!(repeated[0], format!("{words} Repeats of late games take more time."));
        // More games at once than cores are not faster.
        assert_eq!(of("pairs=100&jobs=64")[0], words);
        assert!(of("pairs=100&jobs=1")[0].contains("27 min"), "{:?}", of("pairs=100&jobs=1"));
        let [words, warning] = of("pairs=10&jobs=1&time=1ms");
        assert!(
            words.starts_with("20 games: at most ") && warning.starts_with("1 ms per move is very short"),
            "{words} {warning}"
        );
        assert_eq!(of("pairs=10&time=nonsense"), ["20 games".to_string(), String::new()]);
        assert!(of("pairs=10&nodes=100")[0].ends_with("depends on the speed of the bots."));
        assert_eq!(of("pairs=x"), [String::new(), String::new()]);
    }
}
