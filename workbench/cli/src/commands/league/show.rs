//! The output of league commands: standings, charts and games.

use super::{GameSelection, usage};
use crate::error::UsageError;
use crate::setup::seat;
use crate::terminal::is_coloured;
use anyhow::Context;
use contender_game::{
    contest::{Contest, Limits},
    rules::Player,
};
use contender_input::this_program;
use contender_league::{League, LeagueGame, Model, Standings, Store, pictures};
use contender_referee::Record;
use contender_replay::questions;
use std::io::Write;
use std::path::Path;

/// Prints the standings.
pub fn show(league: &League, store: &Store, shown: &GameSelection) -> anyhow::Result<()> {
    let standings = league.standings(store, shown.model(league), shown.filter.as_ref());
    // If there is a filter, the error may come from an attribute that no game has.
    let standings = standings.map_err(|error| if shown.filter.is_some() { usage(error) } else { error })?;
    let text =
        if shown.json { serde_json::to_string_pretty(&standings)? + "\n" } else { text(league, &standings) };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

/// Prints how likely each rank is for each bot.
pub fn forecast(league: &League, store: &Store, shown: &GameSelection) -> anyhow::Result<()> {
    let forecast = league.forecast(store, shown.model(league), shown.filter.as_ref()).map_err(usage)?;
    let text = if shown.json { serde_json::to_string_pretty(&forecast)? + "\n" } else { forecast.text() };
    Ok(std::io::stdout().write_all(text.as_bytes())?)
}

impl GameSelection {
    fn model(&self, league: &League) -> Model {
        self.rating.unwrap_or_else(|| league.model())
    }
}

/// Formats the standings as text.
pub fn text(league: &League, standings: &Standings) -> String {
    let seats = league.contest().map_or(["first", "second"], |contest| contest.info().seats);
    standings.text(seats, is_coloured())
}

/// Draws the league's charts into a folder.
pub fn plot(league: &League, store: &Store, folder: &Path, rating: Option<Model>) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let games = store.games(true)?;
    let referee =
        league.contest().map(|contest| league.settings.referee(contest, &league.folder)).transpose()?;
    let limits = referee.map_or(Limits::NONE, |referee| referee.conditions.limits);
    let model = rating.unwrap_or_else(|| league.model());
    let seats = league.contest().map(|contest| contest.info()).filter(|info| info.seats_differ);
    let seats = seats.map(|info| info.seats);
    for (name, picture) in pictures(&league.settings.game, &store.bots()?, &games, model, seats, limits) {
        let path = folder.join(name);
        std::fs::write(&path, picture).with_context(|| format!("cannot write {}", path.display()))?;
        say!("{}", path.display());
    }
    Ok(())
}

/// Prints one game, as a summary or as JSON.
pub fn print_game(league: &League, store: &Store, number: i64, as_json: bool) -> anyhow::Result<()> {
    let game = store.game(number)?.ok_or_else(|| UsageError(format!("no game {number} in this league")))?;
    let text = match &game.record {
        Some(record) if as_json => {
            serde_json::to_string_pretty(&serde_json::from_str::<serde_json::Value>(record)?)?
        }
        None if as_json => "{}".to_string(),
        _ => game.text(&store.bots()?),
    };
    writeln!(std::io::stdout(), "{text}")?;
    if as_json || replayable(league, &game).is_none() {
        return Ok(());
    }
    for (at, seat) in game.seats.iter().enumerate() {
        if seat.has_failed() && seat.ending != "interrupted" {
            say!(
                "to print the bot's input in this game, for `./bot < input`, run `{} league games {number} \
                 --input {at}`",
                this_program()
            );
        }
    }
    Ok(())
}

/// Returns the contest and the record from which a bot's input can be reconstructed, or `None` if the game was not
/// played by the league's contest.
fn replayable(league: &League, game: &LeagueGame) -> Option<(&'static dyn Contest, Record)> {
    let contest = league.contest()?;
    let record = Record::from_json(game.record.as_deref()?).ok()?;
    (record.game == contest.name()).then_some((contest, record))
}

/// Prints the input that a bot received in a game. `wanted` is the bot's name or its seat.
pub fn write_input(league: &League, store: &Store, number: i64, wanted: &str) -> anyhow::Result<()> {
    let game = store.game(number)?.ok_or_else(|| UsageError(format!("no game {number} in this league")))?;
    let (contest, record) = replayable(league, &game)
        .ok_or_else(|| UsageError(format!("game {number} does not contain the bots' input")))?;
    let bots = store.bots()?;
    let of_bot = Player::BOTH.into_iter().zip(game.names(&bots)).find(|(_, name)| *name == wanted);
    let player = of_bot.map_or_else(|| seat(contest, wanted), |(player, _)| Ok(player))?;
    let questions = questions(&record, player).map_err(anyhow::Error::msg)?;
    let mut out = std::io::stdout().lock();
    Ok(questions.iter().try_for_each(|asked| out.write_all(asked.text.as_bytes()))?)
}

/// Prints one line for each of the last games.
pub fn list(store: &Store, bot: Option<&str>, failed: bool, last: usize) -> anyhow::Result<()> {
    let bots = store.bots()?;
    let name = |id: i64| bots.iter().find(|bot| bot.id == id).map_or("?", |bot| bot.name.as_str());
    if let Some(bot) = bot.filter(|bot| bots.iter().all(|known| known.name != **bot)) {
        return Err(UsageError(format!("unknown bot `{bot}`")).into());
    }
    let is_wanted = |game: &LeagueGame| {
        let is_of_bot = bot.is_none_or(|bot| game.seats.iter().any(|seat| name(seat.bot) == bot));
        is_of_bot && (!failed || game.has_failed())
    };
    let games: Vec<LeagueGame> = store.games(false)?.into_iter().filter(is_wanted).collect();
    let mut out = std::io::stdout().lock();
    for game in &games[games.len().saturating_sub(last)..] {
        let names = game.names(&bots);
        let ends: Vec<String> = names
            .iter()
            .zip(&game.seats)
            .filter(|(_, seat)| seat.has_failed())
            .map(|(name, seat)| format!("  {name}: {}", seat.ending))
            .collect();
        let who = names.join(" - ");
        match &game.reason {
            Some(reason) => writeln!(out, "{:>7}  {who}  void: {reason}", game.id)?,
            None => writeln!(out, "{:>7}  {who}  {}{}", game.id, game.result(), ends.concat())?,
        }
    }
    Ok(())
}
