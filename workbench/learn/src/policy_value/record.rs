//! The text format of games and their decisions, for the files of a training run and for messages from other machines.
//! Each line is a game.

use super::decision::{Decision, Goal, Lines};
use super::games::Played;
use contender_game::rules::{Player, Simultaneous};
use contender_puct::LearnedGame;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A game as a list of moves, so that states do not have to be stored.
#[derive(Serialize, Deserialize)]
struct GameLine {
    seed: u64,
    turns: Vec<[Vec<u8>; 2]>,
    decisions: Vec<DecisionLine>,
}

#[derive(Serialize, Deserialize)]
struct DecisionLine {
    turn: u32,
    player: usize,
    lines: Lines,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    beside: Option<Lines>,
    /// The log probability and the advantage, for the player's own choices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    own: Option<[f32; 2]>,
    target: f32,
}

/// Formats games as text.
pub(super) fn write<S: LearnedGame>(games: &[Played<S>]) -> String {
    let mut text = String::new();
    for game in games {
        let decision = |(turn, player, decision): &(u32, Player, Decision<S>)| DecisionLine {
            turn: *turn,
            player: player.index(),
            lines: decision.lines.clone(),
            beside: decision.beside.clone(),
            own: match decision.goal {
                Goal::Imitate => None,
                Goal::Improve { log_probability, advantage } => Some([log_probability, advantage]),
            },
            target: decision.target,
        };
        let mut state = S::start(game.seed);
        let turns = game.turns.iter().map(|moves| {
            let packed = Player::BOTH.map(|player| S::pack(&state, player, &moves[player]));
            state.play([&moves[0], &moves[1]]);
            packed
        });
        let line = GameLine {
            seed: game.seed,
            turns: turns.collect(),
            decisions: game.decisions.iter().map(decision).collect(),
        };
        text += &serde_json::to_string(&line).expect("numbers and lists are JSON");
        text.push('\n');
    }
    text
}

/// Parses games from a text.
///
/// # Errors
/// Returns an error with the number of the first invalid line.
pub(super) fn read<S: LearnedGame>(text: &str) -> Result<Vec<Played<S>>, String> {
    let game = |(line, number): (&str, usize)| {
        let game = serde_json::from_str(line).map_err(|error| format!("line {number}: {error}"))?;
        replay(game).ok_or_else(|| format!("line {number}: the game does not follow the rules"))
    };
    text.lines().zip(1..).map(game).collect()
}

fn replay<S: LearnedGame>(game: GameLine) -> Option<Played<S>> {
    let mut state = S::start(game.seed);
    let views = S::views(&state);
    let mut played = Played { seed: game.seed, turns: Vec::new(), decisions: Vec::new() };
    let mut left = game.decisions.into_iter().peekable();
    for (turn, moves) in game.turns.iter().enumerate() {
        let shared = Arc::new(state.clone());
        while let Some(DecisionLine { turn, player, lines, beside, own, target }) =
            left.next_if(|decision| decision.turn as usize == turn)
        {
            let (state, view) = (Arc::clone(&shared), *views.get(player)?);
            let goal = own.map_or(Goal::Imitate, |[log_probability, advantage]| Goal::Improve {
                log_probability,
                advantage,
            });
            let decision = Decision { state, view, lines, beside, goal, target };
            played.decisions.push((turn, Player::BOTH[player], decision));
        }
        let [zero, one] = Player::BOTH.map(|player| S::unpack(&state, player, &moves[player]));
        let moves = [zero?, one?];
        state.play([&moves[0], &moves[1]]);
        played.turns.push(moves);
    }
    left.peek().is_none().then_some(played)
}
