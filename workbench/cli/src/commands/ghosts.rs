//! `contender match --ghosts`: plays a new bot against recorded opponents, or lets two bots continue recorded battles.

use super::site::records;
use crate::error::UsageError;
use crate::setup::{Opened, SeriesOptions, external_bots, open_log};
use anyhow::Context;
use contender_foreign::ExternalReferee;
use contender_play::{Entrant, GameError, Record, share_out};
use contender_site::{BattleResult, FromTurn, GhostGame, against_ghosts, league, seat_of};
use serde::Serialize;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;

/// A match that uses the battles of a log.
pub struct Ghosts<'a> {
    /// The bots, as the user typed them.
    pub words: &'a [String],
    /// The log that contains the battles.
    pub battles: &'a Path,
    /// The author's name in the battles.
    pub me: Option<&'a str>,
    /// The log to which the new games are written.
    pub log: Option<&'a Path>,
    pub series: &'a SeriesOptions,
}

/// The results of a bot's games against ghosts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct GhostReport {
    /// The new bot.
    bot: String,
    /// The bot's games.
    games: Vec<GhostGame>,
    /// Number of battles that could not be played because the referee failed.
    void: u64,
}

fn open(args: &Ghosts<'_>, first: &Record) -> anyhow::Result<ExternalReferee> {
    let external = &args.series.external;
    let referee = external.open(args.series.conditions.time)?;
    let mut referee = referee.ok_or_else(|| {
        UsageError(
            "--ghosts needs a referee\n\
                                   hint: give one with `--referee REFEREE`"
                .to_string(),
        )
    })?;
    referee.league = external.league.or(league(first));
    Ok(referee)
}

/// Returns the battles of a log in which the author plays, each with the author's seat.
fn battles(args: &Ghosts<'_>) -> anyhow::Result<Vec<(usize, Record)>> {
    let all = records(args.battles)?.into_iter();
    let battles: Vec<(usize, Record)> =
        all.filter_map(|record| Some((seat_of(&record, args.me)?, record))).collect();
    if battles.is_empty() {
        let words = format!(
            "{}: you did not play in any of these battles\nhint: use `--me NAME`, with your name on the site",
            args.battles.display()
        );
        return Err(UsageError(words).into());
    }
    Ok(battles)
}

/// Returns the bots, and a host whose games start from turn `turn` of the battles.
pub fn from_turn(args: &Ghosts<'_>, turn: usize) -> anyhow::Result<Opened> {
    let battles: Vec<Record> = battles(args)?.into_iter().map(|(_, record)| record).collect();
    let mut referee = open(args, &battles[0])?;
    referee.rematches = args.series.rematch;
    let bots = external_bots(args.words)?;
    let host =
        FromTurn::new(Box::new(referee), battles, turn).map_err(|error| UsageError(error.to_string()))?;
    Ok(Opened { contest: None, host: Box::new(host), bots, jobs: args.series.jobs.count() })
}

/// Replays each battle with the new bot in the author's seat.
pub fn play(args: &Ghosts<'_>, stop: &AtomicBool) -> anyhow::Result<ExitCode> {
    let bots = external_bots(args.words)?;
    let [bot] = bots.as_slice() else {
        let words = format!("--ghosts takes one bot, not {}", bots.len());
        return Err(UsageError(format!(
            "{words}\nhint: to let two bots take over at turn N, use `--from N`"
        ))
        .into());
    };
    let battles = battles(args)?;
    let referee = open(args, &battles[0].1)?;
    let mut log = args.log.map(open_log).transpose()?;
    let mut report = GhostReport { bot: bot.name.clone(), games: Vec::new(), void: 0 };
    let mut out = std::io::stdout();
    let mut written = Ok(());
    let one = |index: u64| {
        let (me, record) = &battles[index as usize];
        match against_ghosts(record, *me, bot, &referee, stop) {
            Err(GameError::Stopped) => None,
            played => Some(played),
        }
    };
    share_out(args.series.jobs.count(), battles.len() as u64, stop, one, &mut |index,
                                                                               played: Result<
        (GhostGame, Record),
        GameError,
    >| {
        match played {
            Ok((game, record)) => {
                if !args.series.json {
                    written = writeln!(out, "{}. {game}", index + 1);
                }
                if let (Some(log), Ok(())) = (log.as_mut(), &written) {
                    written = record.write_to(log);
                }
                report.games.push(game);
            }
            Err(error) => {
                say!("error: battle {} cannot be played: {error}", index + 1);
                report.void += 1;
            }
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    written.context("cannot write the games")?;
    let text =
        if args.series.json { serde_json::to_string_pretty(&report)? + "\n" } else { summary(bot, &report) };
    out.write_all(text.as_bytes())?;
    Ok(if report.void == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn summary(bot: &Entrant, report: &GhostReport) -> String {
    let whole: Vec<&GhostGame> = report.games.iter().filter(|game| game.now.is_some()).collect();
    let count = |result: &dyn Fn(&GhostGame) -> Option<BattleResult>| {
        let number = |wanted| whole.iter().filter(|game| result(game) == Some(wanted)).count();
        let [won, drawn, lost] = [BattleResult::Won, BattleResult::Drawn, BattleResult::Lost].map(number);
        format!("{won} won, {drawn} drawn, {lost} lost")
    };
    format!(
        "\n{}: {} of {} games have a result. On the site: {}; now: {}\nA ghost does not react to new moves, \
         so a game that soon differs from its record tells little about the real opponent.\n",
        bot.name,
        whole.len(),
        report.games.len(),
        count(&|game| Some(game.recorded)),
        count(&|game| game.now),
    )
}
