//! The games of the reviewed player, and the points that it lost to each opponent.

use super::Params;
use crate::App;
use crate::failures::late::exact;
use crate::files::FileSummary;
use crate::league;
use crate::page::Problem;
use crate::pairs::Standing;
use contender_catalogue::find;
use contender_game::rules::Player;
use contender_league::GameState;
use contender_play::read_log;
use std::cmp::Ordering;
use std::io::BufReader;

/// Maximum number of games to read from a log.
const MAX_GAMES: usize = 20_000;

/// A game of the player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Played {
    /// The number of the game in its file or league.
    pub number: usize,
    pub seat: Player,
    pub opponent: String,
    /// The comparison of the player's rank with the opponent's: `Greater` means that the player lost.
    pub result: Ordering,
    /// A description of the player's failure; empty if it did not fail.
    pub failure: String,
    /// The score on the board at the end of a judged game, the player's first; empty if there is none, or if it does
    /// not explain the result.
    pub score: String,
}

/// The games of a review.
pub struct Games {
    pub player: String,
    /// The names of all players.
    pub players: Vec<String>,
    /// The names of the seats.
    pub seats: [&'static str; 2],
    /// The player's games that count, the latest first.
    pub played: Vec<Played>,
    /// Numbers of the player's games that wait for their partner, and that will never count; see [`Standing`].
    pub open: [u64; 2],
    /// The rule which games count, if some do not and the games are in pairs.
    pub rule: String,
}

/// The results against one opponent, or in one seat.
#[derive(PartialEq, Eq, Debug)]
pub struct Row<'a> {
    pub name: &'a str,
    /// Numbers of games won, drawn and lost.
    pub results: [u64; 3],
}

impl Row<'_> {
    /// Returns the lost points in halves: a lost game is one point, a drawn game half a point.
    pub fn lost_halves(&self) -> u64 {
        2 * self.results[2] + self.results[1]
    }

    /// Returns whether the share of lost points is clearly above that of another row, by more than two standard errors
    /// of the difference between two samples of won and lost games.
    pub fn is_clearly_worse(&self, than: &Row<'_>) -> bool {
        let games = |row: &Row<'_>| row.results.iter().sum::<u64>().max(1) as f64;
        let lost = |row: &Row<'_>| row.lost_halves() as f64 / 2.0;
        let mean = (lost(self) + lost(than)) / (games(self) + games(than));
        let error = (mean * (1.0 - mean) * (1.0 / games(self) + 1.0 / games(than))).sqrt();
        lost(self) / games(self) - lost(than) / games(than) > 2.0 * error
    }
}

impl Games {
    pub fn read(which: &Params, app: &App) -> Result<Games, Problem> {
        let all = match which.file.league() {
            Some(dir) => of_league(app, dir)?,
            None => of_log(app, which)?,
        };
        let All { game, first, players, games, rule } = all;
        let contest = find(&game).ok_or_else(|| {
            Problem::bad(format!("{game} is not a bundled game, so no bundled bot can judge the moves."))
        })?;
        let player = if which.player.is_empty() { first } else { which.player.clone() };
        let own = |standing| {
            let wanted = games.iter().filter(move |game| game.standing == standing);
            wanted.filter_map(|game| game.of(&player)).collect::<Vec<Played>>()
        };
        let open = [Standing::Waits, Standing::LeftOut].map(|standing| own(standing).len() as u64);
        let mut played = own(Standing::Counts);
        played.reverse();
        if played.is_empty() && open == [0, 0] {
            return Err(Problem::not_found(format!("{player} has no games in {}.", which.file.name(app)?)));
        }
        Ok(Games { player, players, seats: contest.info().seats, played, open, rule })
    }

    /// Returns the number of games won, drawn and lost.
    pub fn results(&self) -> [u64; 3] {
        let mut results = [0; 3];
        self.played.iter().for_each(|game| results[(game.result as i8 + 1) as usize] += 1);
        results
    }

    /// Returns the games to judge: the lost ones, the latest first, and then the drawn ones. A game in which the player
    /// failed is lost for another reason.
    pub fn to_judge(&self, opponent: &str) -> Vec<&Played> {
        let of = |result| {
            let wanted = move |game: &&Played| game.result == result && game.failure.is_empty();
            self.played
                .iter()
                .filter(wanted)
                .filter(move |game| opponent.is_empty() || game.opponent == opponent)
        };
        of(Ordering::Greater).chain(of(Ordering::Equal)).collect()
    }

    /// Returns the results against each opponent, the one with the most lost points first.
    pub fn opponents(&self) -> Vec<Row<'_>> {
        self.rows(|game| &game.opponent)
    }

    /// Returns the results in each seat, the one with the most lost points first.
    pub fn by_seat(&self) -> Vec<Row<'_>> {
        self.rows(|game| self.seats[game.seat.index()])
    }

    fn rows<'a>(&'a self, name: impl Fn(&'a Played) -> &'a str) -> Vec<Row<'a>> {
        let mut rows: Vec<Row<'_>> = Vec::new();
        for game in &self.played {
            let name = name(game);
            let at = rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
                rows.push(Row { name, results: [0; 3] });
                rows.len() - 1
            });
            rows[at].results[(game.result as i8 + 1) as usize] += 1;
        }
        rows.sort_by(|one, other| (other.lost_halves(), one.name).cmp(&(one.lost_halves(), other.name)));
        rows
    }
}

/// A game of any players: its number, and the name, the rank and the failure of each seat.
struct AnyGame {
    number: usize,
    standing: Standing,
    seats: Vec<(String, u32, String)>,
}

impl AnyGame {
    /// Returns the game from a player's view. A game against itself counts for the seat with the worse rank.
    fn of(&self, player: &str) -> Option<Played> {
        let own = (0..self.seats.len()).filter(|&seat| self.seats[seat].0 == player);
        let own = own.max_by_key(|&seat| self.seats[seat].1)?;
        let best =
            (0..self.seats.len()).filter(|&seat| seat != own).min_by_key(|&seat| self.seats[seat].1)?;
        let ((_, rank, failure), (opponent, other, _)) = (&self.seats[own], &self.seats[best]);
        let (seat, result) = (*Player::BOTH.get(own)?, rank.cmp(other));
        Some(Played {
            number: self.number,
            seat,
            opponent: opponent.clone(),
            result,
            failure: failure.clone(),
            score: String::new(),
        })
    }
}

fn nothing() -> Problem {
    Problem::not_found("There are no games to review yet.")
}

/// The games of a file or a league.
struct All {
    game: String,
    /// The first player of the first game.
    first: String,
    players: Vec<String>,
    games: Vec<AnyGame>,
    /// See [`Games::rule`].
    rule: String,
}

fn of_log(app: &App, which: &Params) -> Result<All, Problem> {
    let file = which.file.path().ok_or_else(|| Problem::bad("The URL does not name a file."))?;
    let mut summary = FileSummary::empty(app, file);
    let file = contender_input::open(&app.project.file(file)?).map_err(Problem::bad)?;
    let records = (1..).zip(read_log(BufReader::new(file)));
    let records = records.filter_map(|(number, record)| Some((number, record.ok()?))).take(MAX_GAMES);
    let mut first: Option<(String, String)> = None;
    let mut players: Vec<String> = Vec::new();
    let mut games: Vec<(usize, bool, AnyGame)> = Vec::new();
    for (number, record) in records {
        summary.add(&record);
        if record.interrupted || record.seats.is_empty() {
            continue;
        }
        let is_late = record.is_overloaded();
        first.get_or_insert_with(|| (record.game.clone(), record.seats[0].bot.clone()));
        let seats = record.seats.into_iter().map(|seat| {
            if !players.contains(&seat.bot) {
                players.push(seat.bot.clone());
            }
            let failure = if seat.ending.is_failure() { exact(&seat, summary.limit) } else { String::new() };
            (seat.bot, seat.rank, failure)
        });
        let game = AnyGame { number, standing: Standing::Counts, seats: seats.collect() };
        games.push((summary.games, is_late, game));
    }
    // A game counts with its partner, which may be later in the log.
    let standing = |(at, is_late, game): (usize, bool, AnyGame)| {
        let standing = if is_late { Standing::LeftOut } else { summary.standing(at) };
        AnyGame { standing, ..game }
    };
    let games = games.into_iter().map(standing).collect();
    let rule = if summary.standing_differs() { summary.pairs.rule() } else { String::new() };
    let (game, first) = first.ok_or_else(nothing)?;
    players.sort();
    Ok(All { game, first, players, games, rule })
}

fn of_league(app: &App, dir: &str) -> Result<All, Problem> {
    let (league, store) = league::open(app, dir)?;
    let bad = |error: anyhow::Error| Problem::bad(format!("{error:#}"));
    let (bots, games) = (store.bots().map_err(bad)?, store.games(false).map_err(bad)?);
    let done = games.iter().filter(|game| game.state == GameState::Done);
    let games: Vec<AnyGame> = done
        .filter_map(|game| {
            let seats = game.names(&bots).into_iter().zip(&game.seats).map(|(name, seat)| {
                let failure = if seat.has_failed() { seat.ending.clone() } else { String::new() };
                (name.to_string(), seat.rank, failure)
            });
            let standing = if game.is_rated() { Standing::Counts } else { Standing::LeftOut };
            Some(AnyGame { number: usize::try_from(game.id).ok()?, standing, seats: seats.collect() })
        })
        .collect();
    let first = games.first().and_then(|game| game.seats.first());
    let first = first.ok_or_else(nothing)?.0.clone();
    let mut players: Vec<String> = bots.into_iter().map(|bot| bot.name).collect();
    players.sort();
    Ok(All { game: league.settings.game, first, players, games, rule: String::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(number: usize, seats: [(&str, u32, &str); 2]) -> AnyGame {
        AnyGame {
            number,
            standing: Standing::Counts,
            seats: seats.map(|(name, rank, failure)| (name.into(), rank, failure.into())).to_vec(),
        }
    }

    /// Only the player's own games count. Lost games come first, without those that the player lost by a failure, and
    /// the opponents are ordered by lost points.
    #[test]
    fn lost_games_come_first_and_games_of_others_are_left_out() {
        let all = [
            game(1, [("me", 0, ""), ("a", 1, "")]),
            game(2, [("a", 0, ""), ("b", 1, "")]),
            game(3, [("b", 0, ""), ("me", 1, "")]),
            game(4, [("me", 0, ""), ("a", 0, "")]),
            game(5, [("b", 0, ""), ("me", 1, "times out")]),
            game(6, [("me", 1, ""), ("c", 0, "")]),
            game(7, [("me", 1, ""), ("me", 0, "")]),
        ];
        let mut played: Vec<Played> = all.iter().filter_map(|game| game.of("me")).collect();
        played.reverse();
        let games = Games {
            player: "me".into(),
            players: Vec::new(),
            seats: ["Blue", "Red"],
            played,
            open: [0; 2],
            rule: String::new(),
        };
        assert_eq!(games.results(), [1, 1, 4]);
        let numbers = |opponent| games.to_judge(opponent).iter().map(|game| game.number).collect::<Vec<_>>();
        assert_eq!(numbers(""), [7, 6, 3, 4]);
        assert_eq!((numbers("b"), numbers("a")), (vec![3], vec![4]));
        let rows: Vec<_> = games.opponents().iter().map(|row| (row.name, row.results)).collect();
        assert_eq!(rows, [("b", [0, 0, 2]), ("c", [0, 0, 1]), ("me", [0, 0, 1]), ("a", [1, 1, 0])]);
        let seats: Vec<_> = games.by_seat().iter().map(|row| (row.name, row.results)).collect();
        assert_eq!(seats, [("Blue", [1, 1, 2]), ("Red", [0, 0, 2])]);
        assert!(!games.by_seat()[1].is_clearly_worse(&games.by_seat()[0]));
        // 3 of 4 lost games against 2 of 4 are no clear difference, and 30 of 40 against 20 of 40 are one.
        let row = |won, lost| Row { name: "", results: [won, 0, lost] };
        assert!(!row(1, 3).is_clearly_worse(&row(2, 2)) && row(10, 30).is_clearly_worse(&row(20, 20)));
        assert!(!row(5, 0).is_clearly_worse(&row(5, 0)));
    }
}
