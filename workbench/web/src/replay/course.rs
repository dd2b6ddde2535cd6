//! A recorded game as it went: how things stand after every move.

use super::Which;
use crate::home::query;
use contender_game::{Judge, Player};
use contender_plot::board;
use contender_replay::Game;
use serde::Serialize;
use std::time::Duration;

/// What the page's script needs to know.
#[derive(Serialize)]
pub struct Course {
    /// The addresses of this page and of its boards, without the turn.
    pub page: String,
    pub board: String,
    /// The address of an analysis, without the moves; nothing where the start is not known by its seed.
    pub analyse: Option<String>,
    /// The start, and the state of things after every move.
    pub turns: Vec<Turn>,
    pub words: Vec<Words>,
}

/// How things stand after a move.
#[derive(Serialize, Clone)]
pub struct Turn {
    pub played: String,
    /// Who made the move; nobody at the start, and nobody alone where both act at once.
    pub mover: Option<usize>,
    pub standing: [i32; 2],
    /// Milliseconds that each player has used, and how many answers it has given.
    pub used: [f64; 2],
    pub answers: [usize; 2],
}

/// What a bot told.
#[derive(Serialize)]
pub struct Words {
    player: Option<u8>,
    /// The turn it is said of, as the bot counts.
    turn: Option<u32>,
    name: String,
    value: String,
}

impl Course {
    /// The address of the analysis of a turn.
    pub fn position(&self, turn: usize) -> Option<String> {
        let moves: Vec<&str> = self.turns[1..=turn].iter().map(|turn| turn.played.as_str()).collect();
        let played = self.turns.get(turn + 1).map_or("", |next| next.played.as_str());
        let analyse = self.analyse.as_ref()?;
        Some(format!("{analyse}&{}", query(&[("moves", &moves.join("\n")), ("played", played)])))
    }
}

/// Plays the game through: its course, the board of the turn that is wanted or of the last one, and why it goes no
/// further, if it does not.
pub fn course(which: &Which, game: &mut Game) -> (Course, String, Option<String>) {
    let times = game.record.as_ref().map(|record| record.seats.each_ref().map(|seat| seat.times.clone()));
    let turn = |played: String, judge: &dyn Judge, before: Option<&Turn>| {
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
        Turn { played, mover: mover.map(Player::index), standing, used, answers }
    };
    let mut turns = vec![turn(String::new(), game.judge(), None)];
    let mut shown = (which.turn == 0).then(|| picture(game));
    let mut problem = None;
    while let Some(played) = game.step() {
        if let Err(reason) = played {
            problem = Some(reason);
            break;
        }
        turns.push(turn(game.moves[game.turn() - 1].clone(), game.judge(), turns.last()));
        if game.turn() == which.turn {
            shown = Some(picture(game));
        }
    }
    let attributes = game.record.iter().flat_map(|record| &record.attributes);
    let words = attributes.map(|attribute| Words {
        player: attribute.player,
        turn: attribute.turn,
        name: attribute.name.clone(),
        value: attribute.value.clone(),
    });
    let words = words.collect();
    let (page, board) = (which.address("/replay"), which.address("/board"));
    let start = match &game.record {
        Some(record) => Some((record.seed.to_string(), record.rules.as_str())),
        None => game.judge().setup().is_empty().then(|| ("1".to_string(), "")),
    };
    let analyse = start.map(|(seed, rules)| {
        let pairs = [("game", game.contest.name()), ("seed", &seed), ("rules", rules)];
        format!("/analyse?{}", query(&pairs))
    });
    let shown = shown.unwrap_or_else(|| picture(game));
    (Course { page, board, analyse, turns, words }, shown, problem)
}

pub fn picture(game: &Game) -> String {
    let caption = match game.turn().checked_sub(1) {
        None => format!("{}, the start", game.contest.name()),
        Some(last) => format!("{}, after move {}: {}", game.contest.name(), game.turn(), game.moves[last]),
    };
    board::svg(&game.judge().picture(None), &caption)
}
