//! Summaries of the files with recorded games in the project, and the newest game. The summaries are kept in memory,
//! because reading every file takes long.

use crate::App;
use crate::failures::{Tally, short_chips};
use crate::pairs::{Pairs, Short, Standing};
use crate::project::Entry;
use crate::shown::scores;
use crate::text::{count, grouped, query, results};
use contender_arena::Results;
use contender_catalogue::{contests, find};
use contender_game::contest::Contest;
use contender_league::League;
use contender_play::{Record, read_log};
use contender_plot::board;
use contender_referee::PERSON;
use contender_replay::Source;
use maud::{Markup, html};
use std::collections::HashMap;
use std::io::BufReader;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Maximum number of games that are counted in a file.
const MAX_GAMES: usize = 1_000;
/// Maximum number of files, and of leagues, in which the newest game is searched.
const MAX_LOOKED: usize = 6;
/// Maximum number of kept summaries.
const MAX_KEPT: usize = 2_000;

/// The data that a list shows about a file.
#[derive(Default)]
pub struct FileSummary {
    /// The game's name; empty if the file has no games.
    pub game: String,
    /// The names of the players in the order of the match, if this server started it, or else by seat in the first
    /// game.
    pub players: Vec<String>,
    /// Number of games, at most [`MAX_GAMES`].
    pub games: usize,
    pub has_more: bool,
    /// Games won, drawn and lost by the first player, against any opponents.
    pub results: [usize; 3],
    /// The points of the only game.
    pub points: String,
    /// The failures.
    pub failures: Tally,
    /// The result of the last counted game.
    pub last: String,
    /// Whether a bot failed in the last counted game.
    pub has_failed_last: bool,
    /// Whether the games are battles of the site.
    pub is_of_site: bool,
    /// Whether a game has other players than the first game.
    is_mixed: bool,
    /// The pairs of games between the first two players.
    pub pairs: Pairs,
    /// The exact time limit per move, if it is known.
    pub limit: Option<Duration>,
    /// The verdict on a match whose games have all been counted.
    pub verdict: Option<Short>,
    /// The final board of the last counted game, and the number of this game.
    pub board: Option<(usize, String)>,
}

/// The kept summaries by path, each with the modification time and the size of the file.
#[derive(Default)]
pub struct Summaries(Mutex<HashMap<String, Kept>>);

type Kept = (Option<SystemTime>, u64, Arc<FileSummary>);

impl Summaries {
    /// Returns the summary of a file.
    pub fn of(&self, app: &App, entry: &Entry) -> Arc<FileSummary> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((modified, size, summary)) = lock().get(&entry.path)
            && (*modified, *size) == (entry.modified, entry.size)
        {
            return Arc::clone(summary);
        }
        let summary = Arc::new(FileSummary::read(app, &entry.path).unwrap_or_default());
        let mut kept = lock();
        if kept.len() >= MAX_KEPT {
            kept.clear();
        }
        kept.insert(entry.path.clone(), (entry.modified, entry.size, Arc::clone(&summary)));
        summary
    }
}

impl FileSummary {
    /// Creates the summary of a file whose games have not been added yet.
    pub fn empty(app: &App, path: &str) -> FileSummary {
        FileSummary {
            players: app.matches.names(path).map_or(Vec::new(), Vec::from),
            limit: app.matches.limit(path),
            ..FileSummary::default()
        }
    }

    fn read(app: &App, path: &str) -> Option<FileSummary> {
        let file = app.project.file(path).ok()?;
        let mut summary = FileSummary::empty(app, path);
        for record in read_log(BufReader::new(contender_input::open(&file).ok()?)).flatten() {
            if summary.games == MAX_GAMES {
                summary.has_more = true;
                break;
            }
            summary.add(&record);
        }
        summary.conclude();
        if summary.games > 0 && summary.is_of_site {
            return Some(summary);
        }
        // Files in other forms are recognised by the reader of replays, which also knows the last position.
        let skipped = summary.games.saturating_sub(1);
        let mut games = contender_replay::games(Source::open(&file).ok()?, None, skipped).ok()?;
        if let Some(Ok(mut game)) = games.next() {
            game.go_to(usize::MAX).ok();
            let caption = format!("The end of a game of {}", game.contest.name());
            // The board of a game that failed at once is empty.
            if !game.moves.is_empty() {
                summary.board = Some((skipped + 1, board::svg_small(&game.judge().picture(None), &caption)));
            }
            if summary.games == 0 {
                summary.game = game.contest.name().to_string();
                summary.players = vec![game.title.clone()];
                summary.games = 1 + games.by_ref().take(MAX_GAMES).count();
                summary.has_more = summary.games > MAX_GAMES;
            }
        }
        Some(summary)
    }

    /// Adds the next game.
    pub fn add(&mut self, record: &Record) {
        let names = record.bots();
        if self.games == 0 {
            self.game.clone_from(&record.game);
            // If games are played at the same time, a game in which B moves first may end first.
            if self.players.len() != names.len()
                || !names.iter().all(|name| self.players.iter().any(|of| of == name))
            {
                self.players = record.bots_in_match().into_iter().map(str::to_string).collect();
            }
            self.is_of_site = record.battle.is_some();
            self.pairs = Pairs::like(record);
        }
        self.is_mixed |= !names.iter().all(|name| self.players.iter().any(|known| known == name));
        self.games += 1;
        self.points = if self.games == 1 { scores(record) } else { String::new() };
        self.last = ending(record);
        self.has_failed_last = record.seats.iter().any(|seat| seat.ending.is_failure());
        self.failures.add(record, self.games, self.limit);
        let own = self.players.first().and_then(|name| record.seats.iter().find(|seat| seat.bot == *name));
        match (&names[..], own) {
            ([a, b], Some(own)) if a != b && record.game == self.game && !self.is_mixed => {
                self.pairs.add(record, self.games, usize::from(*b == own.bot));
            }
            _ => self.pairs.leave_out(self.games),
        }
        if let Some(own) = own.filter(|_| !record.is_overloaded()) {
            let others = || record.seats.iter().filter(|seat| seat.bot != own.bot);
            let best = others().map(|seat| seat.rank).min();
            if let Some(best) = best {
                self.results[(own.rank.cmp(&best) as i8 + 1) as usize] += 1;
            }
        }
    }

    /// Sets the verdict on a match whose games have all been added.
    fn conclude(&mut self) {
        if self.first().is_some() && !self.has_more && !self.is_broken() {
            self.verdict = Short::of(&self.pairs.score);
        }
    }

    /// Returns whether only complete pairs of games count, as on the page of a match. Games of a person, and games that
    /// all have different seeds, count one by one.
    pub fn is_paired(&self) -> bool {
        let has_pairs = self.pairs.score.pairs() > 0 || self.pairs.uncounted() > 0;
        has_pairs && self.first().is_some() && !self.players.iter().any(|name| name == PERSON)
    }

    /// Returns the results of the games that count.
    pub fn listed(&self) -> [usize; 3] {
        let Results { wins, draws, losses } = self.pairs.score.results;
        if self.is_paired() { [wins, draws, losses].map(|number| number as usize) } else { self.results }
    }

    /// Returns whether a game counts.
    pub fn standing(&self, number: usize) -> Standing {
        if self.is_paired() { self.pairs.standing(number) } else { Standing::Counts }
    }

    /// Returns whether some games do not count.
    pub fn standing_differs(&self) -> bool {
        self.is_paired() && self.pairs.waiting() + self.pairs.uncounted() > 0
    }

    /// Returns the numbers of games that count and that a bot lost by a failure, and of games that will never count.
    pub fn failed_and_uncounted(&self) -> [u64; 2] {
        match self.is_paired() {
            true => [self.pairs.failed, self.pairs.uncounted()],
            false => [self.failures.failed, 0],
        }
    }

    /// Returns whether a player may have lost a game; the results are only known for the first player.
    pub fn may_have_lost(&self, player: usize) -> bool {
        let [won, _, lost] = self.results;
        self.has_more || self.players.len() != 2 || [lost, won][player.min(1)] > 0
    }

    /// Returns whether the file is listed as a match: its first game is one of two bots in a known game.
    pub fn is_match(&self) -> bool {
        self.players.len() == 2 && !self.is_of_site && find(&self.game).is_some()
    }

    /// Returns whether the list of matches has the file, and a person has not played in it.
    pub fn is_in_matches(&self) -> bool {
        self.is_match() && !self.players.iter().any(|name| name == PERSON)
    }

    /// Returns the first player, if all games are between the same two players.
    pub fn first(&self) -> Option<&str> {
        let is_pair = self.players.len() == 2 && self.players[0] != self.players[1] && !self.is_mixed;
        self.players.first().filter(|_| is_pair).map(String::as_str)
    }

    /// Returns the names of the players, the one with more wins in bold.
    pub fn names(&self) -> Markup {
        let [won, _, lost] = self.listed();
        let leader =
            self.first().filter(|_| won != lost && !self.is_broken()).map(|_| usize::from(lost > won));
        html! {
            @for (at, name) in self.players.iter().enumerate() {
                @if at > 0 { " – " }
                @if leader == Some(at) { strong { (name) } } @else { (name) }
            }
        }
    }

    /// Returns whether enough games failed that the results say nothing about strength.
    pub fn is_broken(&self) -> bool {
        match self.is_paired() {
            true => self.pairs.are_broken(&self.failures),
            false => self.failures.is_broken(),
        }
    }

    /// Returns whether a review of the lost games can show more than failures.
    pub fn is_reviewable(&self) -> bool {
        !self.is_broken() || self.is_paired() && self.pairs.are_reviewable()
    }

    /// Returns the results in short. Between two players these are the numbers of games that each one won.
    pub fn result(&self) -> Markup {
        let [won, drawn, lost] = self.listed();
        html! {
            @if self.games == 0 { span.legend { "no games" } }
            @else if self.is_of_site { "battles from CodinGame's site" }
            @else if self.is_broken() { span.legend { "no verdict: " (self.failures.short_words()) } }
            @else if !self.points.is_empty() { (self.points) }
            @else if self.first().is_some() {
                span title=(results(self.listed())) { (grouped(won as u64)) " – " (grouped(lost as u64)) }
                @if drawn > 0 { span.legend { ", " (count(drawn as u64, "draw", "draws")) } }
                @if self.has_more { span.legend { " in the first " (grouped(self.games as u64)) } }
            }
            @else if won + drawn + lost > 0 { (results(self.listed())) }
            @if !self.is_broken() && self.is_paired() && self.pairs.waiting() > 0 { span.legend title="A game counts as soon as its partner, with the same seed and swapped seats, is over" { ", " (grouped(self.pairs.waiting())) " without partner" } }
            @if !self.is_broken() { " " (short_chips(self.failed_and_uncounted())) }
        }
    }

    /// Returns the address of the file's page. A single game has no verdict, so it has no page of a match.
    pub fn address(&self, path: &str) -> String {
        let page = match () {
            () if self.is_of_site => "battles",
            () if self.games > 1 && self.is_match() && self.first().is_some() => "match",
            () => "log",
        };
        format!("/{page}?{}", query(&[("file", path)]))
    }
}

/// Returns the result of a game in a few words: a failure, or the winner.
fn ending(record: &Record) -> String {
    if record.interrupted {
        return "not finished".to_string();
    }
    if let Some(failed) = record.seats.iter().find(|seat| seat.ending.is_failure()) {
        return format!("{} failed", failed.bot);
    }
    let best: Vec<_> = record.seats.iter().filter(|seat| seat.rank == 0).collect();
    match best[..] {
        [winner] => format!("{} won", winner.bot),
        _ => "draw".to_string(),
    }
}

/// Returns the game of the newest file or league of the project, or the first game if there is none.
pub fn newest_game(app: &App) -> &'static dyn Contest {
    let contents = app.project.contents();
    let logs = contents.logs.iter().take(MAX_LOOKED);
    let logs = logs.filter_map(|entry| Some((entry.modified, find(&app.summaries.of(app, entry).game)?)));
    let leagues = contents.leagues.iter().take(MAX_LOOKED);
    let leagues = leagues.filter_map(|entry| {
        let league = League::open(&app.project.league(&entry.path).ok()?).ok()?;
        Some((entry.modified, league.contest()?))
    });
    let newest = logs.chain(leagues).max_by_key(|(modified, _)| *modified);
    newest.map_or(contests()[0], |(_, contest)| contest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_of_some_games_is_marked() {
        let players = ["a", "b"].map(str::to_string).to_vec();
        let mut summary =
            FileSummary { players, games: 1000, results: [600, 0, 400], ..FileSummary::default() };
        let text = |summary: &FileSummary| summary.result().into_string();
        assert!(text(&summary).contains(">600 – 400<") && !text(&summary).contains("first"));
        summary.has_more = true;
        assert!(text(&summary).contains("in the first 1,000"), "{}", text(&summary));
    }

    /// The game in which B moves first may be the first in the log.
    #[test]
    fn players_have_the_order_of_the_match() {
        let line = r#"{"game":"uttt","seed":"1","players":["b","a"],"result":"0-1","scores":[0,1],"times_ms":[[],[]],"end":["normal","normal"],"setup":[],"moves":[],"match":{"plan":"00000000000000ff","game":2}}"#;
        let mut summary = FileSummary::default();
        summary.add(&Record::from_json(line).unwrap());
        assert_eq!((summary.players, summary.results), (vec!["a".to_string(), "b".to_string()], [1, 0, 0]));
    }

    /// A list shows the same numbers of games as the page of the match.
    #[test]
    fn games_without_a_partner_do_not_count_in_a_verdict() {
        let mut summary = FileSummary::default();
        for at in 0..5 {
            let (seed, players) = (at / 2, if at % 2 == 0 { ["a", "b"] } else { ["b", "a"] });
            let line = format!(
                r#"{{"game":"uttt","seed":"{seed}","players":{players:?},"result":"1-0","scores":[1,0],"times_ms":[[],[]],"end":["normal","normal"],"setup":[],"moves":[]}}"#
            );
            summary.add(&Record::from_json(&line).unwrap());
        }
        assert_eq!(summary.results, [3, 0, 2]);
        summary.conclude();
        assert_eq!(
            (summary.listed(), summary.results, summary.verdict.is_some()),
            ([2, 0, 2], [3, 0, 2], true)
        );
        assert_eq!([4, 5].map(|number| summary.standing(number)), [Standing::Counts, Standing::Waits]);
    }
}
