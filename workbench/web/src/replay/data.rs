//! The course of a recorded game: the state after each move.

use super::Params;
use crate::App;
use crate::failures::short;
use crate::moves::{Moves, differences};
use crate::shown::sides;
use crate::text::query;
use contender_game::{
    board::{Picture, Sign},
    contest::Judge,
    rules::Player,
};
use contender_plot::board;
use contender_referee::log::rules_of;
use contender_replay::ReplayedGame;
use serde::Serialize;
use std::cmp::Ordering;
use std::time::Duration;

/// The data for the page's script.
#[derive(Serialize)]
pub struct ReplayData {
    /// The address of this page, of its boards and of their pictures as files, without the turn.
    pub page: String,
    pub board: String,
    pub picture: String,
    /// The address of an analysis, without the moves; `None` if the seed of the start position is unknown.
    pub analyse: Option<String>,
    /// The address of a new game that continues from this position, without the seat and the moves; `None` if the game
    /// has special rules.
    pub play: Option<String>,
    /// The URL that shows a line of moves that the user tries out. The page's script appends the moves. `None` if the
    /// seed of the start position is unknown.
    pub line: Option<String>,
    /// The URL of the bots' input and output. The page's script appends the turn. `None` without a record.
    pub exchange: Option<String>,
    /// The URL of the evaluation of the whole game; `None` if the seed of the start position is unknown.
    pub evaluation: Option<String>,
    /// The names of the seats.
    pub seats: [&'static str; 2],
    /// The state at the start and after each move.
    pub turns: Vec<ReplayTurn>,
    pub words: Vec<Words>,
    /// For each bot that failed, the number of the failed move or of the last move before it.
    pub failures: Vec<usize>,
    /// The share of seat 0 in the result of the game, from 0 to 1; `None` if the game did not end on the board.
    pub result: Option<f64>,
    /// The better move that the address names.
    pub advice: Option<Advice>,
}

/// A better move than the one that was played.
#[derive(Serialize)]
pub struct Advice {
    /// The number of the move, counted from 1.
    pub turn: usize,
    pub player: usize,
    pub played: String,
    pub better: String,
    /// The differences between both moves in words.
    pub names: [String; 2],
}

/// The state after a move.
#[derive(Serialize, Clone)]
pub struct ReplayTurn {
    pub played: String,
    /// The player who moved; `None` at the start and after a simultaneous turn.
    pub mover: Option<usize>,
    pub standing: [i32; 2],
    /// Milliseconds that each player has used so far; `answers` counts each player's answers.
    pub used: [f64; 2],
    pub answers: [usize; 2],
    /// Whether the judge made the move for a failed bot.
    pub by_judge: bool,
}

/// A value that a bot printed.
#[derive(Serialize)]
pub struct Words {
    player: Option<u8>,
    /// The turn that the value belongs to, as the bot counts turns.
    turn: Option<u32>,
    name: String,
    value: String,
}

impl ReplayData {
    /// Returns the address of a new game that continues from a turn, against the strongest bundled bot.
    pub fn play_on(&self, turn: usize) -> Option<String> {
        let moves: Vec<&str> = self.turns[1..=turn].iter().map(|turn| turn.played.as_str()).collect();
        let seat = self.turns.get(turn + 1).and_then(|next| next.mover).unwrap_or(0).to_string();
        let play = self.play.as_ref()?;
        Some(format!("{play}&{}", query(&[("seat", &seat), ("moves", &moves.join("\n"))])))
    }

    /// Returns the values that a player printed under one of these names: under the first name that has any values.
    /// Each value comes with the number of its move.
    pub fn told(&self, player: Player, names: &[&str]) -> Vec<[f64; 2]> {
        let at = player.index();
        let points = |name: &&&str| -> Vec<[f64; 2]> {
            let of_player = self.words.iter().filter(|word| word.player == Some(at as u8));
            let told = of_player.filter(|word| word.name.eq_ignore_ascii_case(name));
            let point = |word: &Words| {
                let turn = word.turn? as usize;
                let place = self.turns.iter().position(|of| of.answers[at] == turn)?;
                let value: f64 = word.value.parse().ok()?;
                value.is_finite().then_some([place as f64, value])
            };
            told.filter_map(point).collect()
        };
        names.iter().map(|name| points(&name)).find(|points| !points.is_empty()).unwrap_or_default()
    }

    /// Returns the number of the move that a failed bot did not make, counted from 1.
    pub fn failed_move(&self, player: Player) -> usize {
        stand_in(&self.turns, player).unwrap_or(self.turns.len())
    }

    /// Returns the address of the analysis of the position at a turn.
    pub fn position(&self, turn: usize) -> Option<String> {
        let moves: Vec<&str> = self.turns[1..=turn].iter().map(|turn| turn.played.as_str()).collect();
        let played = self.turns.get(turn + 1).map_or("", |next| next.played.as_str());
        let analyse = self.analyse.as_ref()?;
        Some(format!("{analyse}&{}", query(&[("moves", &moves.join("\n")), ("played", played)])))
    }
}

/// Replays the game. Returns the course of the game, the board at the requested turn or at the last one, and the reason
/// if the replay stopped early.
pub fn course(app: &App, which: &Params, game: &mut ReplayedGame) -> (ReplayData, String, Option<String>) {
    let (turns, shown, problem) = replay(app, which, game);
    let failures = failures(game, &turns);
    let attributes = game.record.iter().flat_map(|record| &record.attributes);
    let words = attributes.map(|attribute| Words {
        player: attribute.player,
        turn: attribute.turn,
        name: attribute.name.clone(),
        value: attribute.value.clone(),
    });
    let words = words.collect();
    let [page, board, picture_file] =
        ["/replay", "/board", "/replay/picture"].map(|page| which.address(page));
    let start = match &game.record {
        Some(record) => Some((record.seed.cast_signed().to_string(), record.rules.as_str())),
        None => game.judge().setup().is_empty().then(|| ("1".to_string(), "")),
    };
    let strongest = game.contest.info().bots.last().map_or("", |bot| bot.name);
    let play = start.as_ref().filter(|(_, rules)| rules.is_empty()).map(|(seed, _)| {
        let pairs = [("game", game.contest.name()), ("bot", strongest), ("time", "1000"), ("seed", seed)];
        format!("/play?{}", query(&pairs))
    });
    let position =
        start.map(|(seed, rules)| query(&[("game", game.contest.name()), ("seed", &seed), ("rules", rules)]));
    let [analyse, line] = ["/analyse", "/line"].map(|page| Some(format!("{page}?{}", position.as_ref()?)));
    let shown = shown.unwrap_or_else(|| picture(app, game, which));
    let exchange = game.record.is_some().then(|| which.address("/replay/turn"));
    let evaluation = analyse.is_some().then(|| which.address("/replay/evaluation"));
    let advice = advice(which, game, &turns);
    (
        ReplayData {
            page,
            board,
            picture: picture_file,
            analyse,
            play,
            line,
            exchange,
            evaluation,
            seats: game.contest.info().seats,
            turns,
            words,
            result: problem.is_none().then(|| result(game)).flatten(),
            failures,
            advice,
        },
        shown,
        problem,
    )
}

/// Replays the moves. Returns all turns, the board at the requested turn if the game has it, and the reason if the
/// replay stopped early.
fn replay(
    app: &App,
    which: &Params,
    game: &mut ReplayedGame,
) -> (Vec<ReplayTurn>, Option<String>, Option<String>) {
    let times = game.record.as_ref().map(|record| [0, 1].map(|seat| record.seats[seat].times.clone()));
    let turn = |played: String, judge: &dyn Judge, before: Option<&ReplayTurn>| {
        let mover = judge.mover();
        let (mut used, mut answers) = before.map_or(([0.0; 2], [0; 2]), |turn| (turn.used, turn.answers));
        for player in Player::BOTH
            .into_iter()
            .filter(|&player| before.is_some() && mover.is_none_or(|mover| mover == player))
        {
            let time = times.as_ref().and_then(|times| times[player.index()].get(answers[player.index()]));
            used[player.index()] += time.copied().unwrap_or(Duration::ZERO).as_secs_f64() * 1e3;
            answers[player.index()] += 1;
        }
        let standing = judge.picture(None).standing.unwrap_or_else(|| judge.points());
        let by_judge = false;
        ReplayTurn { played, mover: mover.map(Player::index), standing, used, answers, by_judge }
    };
    let mut turns = vec![turn(String::new(), game.judge(), None)];
    let mut shown = (which.turn == 0).then(|| picture(app, game, which));
    let mut problem = None;
    while let Some(played) = game.step() {
        if let Err(reason) = played {
            problem = Some(reason.to_string());
            break;
        }
        turns.push(turn(game.moves[game.turn() - 1].clone(), game.judge(), turns.last()));
        if game.turn() == which.turn {
            shown = Some(picture(app, game, which));
        }
    }
    // If the game's own judge rejects the record, the replay above reports the error.
    let stand_ins = game.stand_ins().unwrap_or_default();
    for (turn, is_stand_in) in turns.iter_mut().skip(1).zip(stand_ins) {
        turn.by_judge = is_stand_in;
    }
    (turns, shown, problem)
}

/// Returns the better move that the address of the page names.
fn advice(which: &Params, game: &ReplayedGame, turns: &[ReplayTurn]) -> Option<Advice> {
    let better = which.better.clone().filter(|better| !better.is_empty())?;
    let next = turns.get(which.turn + 1)?;
    let player = next.mover.unwrap_or(which.seat.min(1));
    let played = part_of(&next.played, player).to_string();
    let names = differences(game.contest, [&played, &better]);
    Some(Advice { turn: which.turn + 1, player, played, better, names })
}

/// Returns the moves at which bots failed: the judge's first move for the bot, or else the last move of the game.
fn failures(game: &ReplayedGame, turns: &[ReplayTurn]) -> Vec<usize> {
    let Some(record) = &game.record else { return Vec::new() };
    let failed = Player::BOTH.into_iter().filter(|&player| record.seats[player.index()].ending.is_failure());
    let first = |player: Player| stand_in(turns, player).unwrap_or(turns.len() - 1);
    let mut places: Vec<usize> = failed.map(first).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Returns the share of seat 0 in the result: 1 for a victory. A game that a bot forfeits has no result on the board.
fn result(game: &ReplayedGame) -> Option<f64> {
    let record = game.record.as_ref()?;
    let has_ended = !record.interrupted && !record.seats.iter().any(|seat| seat.ending.is_failure());
    let [one, other] = [0, 1].map(|seat| record.seats[seat].rank);
    has_ended.then_some(match one.cmp(&other) {
        Ordering::Less => 1.0,
        Ordering::Equal => 0.5,
        Ordering::Greater => 0.0,
    })
}

/// Returns the first move that the judge made for a failed bot.
fn stand_in(turns: &[ReplayTurn], player: Player) -> Option<usize> {
    turns.iter().position(|turn| turn.by_judge && turn.mover == Some(player.index()))
}

/// Returns a player's part of a move.
fn part_of(played: &str, player: usize) -> &str {
    sides(played).map_or(played, |sides| sides[player.min(1)])
}

/// Returns the board with its notes. If the address names a better move, the board shows the next move of the game and
/// the better move; an empty name stands for no better move.
pub fn picture(app: &App, game: &ReplayedGame, which: &Params) -> String {
    let next = game.moves.get(game.turn());
    let chosen = which.better.as_deref().zip(next).filter(|_| game.turn() == which.turn);
    let drawn = chosen.and_then(|(better, next)| {
        let seat = mover_of_next(app, which).unwrap_or(which.seat.min(1));
        let moves =
            Moves { turn: which.turn, player: Player::BOTH[seat], played: part_of(next, seat), better };
        moves.draw(&|| which.open(app), &caption(game), !which.engine).ok()
    });
    let with_draw = drawn_next(game);
    let (shown, board) = match drawn {
        Some((shown, board)) => {
            let notes = with_draw.map_or_else(|| shown.notes.clone(), |next| next.notes);
            (Picture { notes, ..shown }, board)
        }
        None => {
            let shown = with_failure(game, with_draw.unwrap_or_else(|| game.judge().picture(None)));
            let board = board::svg(&shown, &caption(game));
            (shown, board)
        }
    };
    board::with_notes(&shown, &board)
}

/// Returns the picture of the position with the outcome of chance before the next move, such as the drawn chip, or
/// `None` if the game ends here or had other outcomes than those of its seed.
fn drawn_next(game: &ReplayedGame) -> Option<Picture> {
    let (next, record) = (game.moves.get(game.turn())?, game.record.as_ref()?);
    let mut judge = game.contest.judge(record.seed, &mut rules_of(&record.rules).ok()?).ok()?;
    if judge.setup() != game.judge().setup() {
        return None;
    }
    game.moves[..game.turn()].iter().try_for_each(|mv| judge.replay(mv)).ok()?;
    judge.ask();
    let shown = judge.picture(None);
    judge.replay(next).ok().map(|()| shown)
}

/// Returns the picture of a game with the failure that ended it below the board. The only note of such a
/// board would name a next move, although the game has none.
fn with_failure(game: &ReplayedGame, mut picture: Picture) -> Picture {
    let seats = game.record.iter().flat_map(|record| &record.seats);
    let mut failed = seats.filter(|seat| seat.ending.is_failure());
    if let Some(seat) = failed.next().filter(|_| game.turn() == game.moves.len()) {
        picture.notes.drain(..usize::from(picture.notes.len() == 1));
        let words = format!("{} {}", seat.bot, short(&seat.ending.to_string()));
        picture.notes.insert(0, vec![Sign::plain(words)]);
    }
    picture
}

/// Returns the player who makes the next move; `None` if both players move at once.
fn mover_of_next(app: &App, which: &Params) -> Option<usize> {
    let mut game = which.open(app).ok()?;
    game.go_to(which.turn + 1).ok()?;
    game.judge().mover().map(Player::index)
}

/// Describes the board of the current turn.
pub fn caption(game: &ReplayedGame) -> String {
    match game.turn().checked_sub(1) {
        None => format!("{}, the start", game.contest.name()),
        Some(last) => format!("{}, after move {}: {}", game.contest.name(), game.turn(), game.moves[last]),
    }
}
