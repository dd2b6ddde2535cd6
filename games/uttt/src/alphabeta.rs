//! Alpha-beta with a hand-made evaluation. The author of the write-up considered this method and rejected it, because
//! it needs knowledge of the game.

use crate::tables::{COUNT, LINES, WINNING};
use crate::tree_bot::CENTRE;
use crate::{Move, State};
use contender_game::{
    contest::{Analysis, Bot, Clock},
    rules::{Game, Player},
    settings,
};
use contender_search::{Heuristics, NoChance, Search, SearchConfig, SearchLimits, TimeManager, TurnShare};

settings! {
    /// Settings of [`AlphaBetaBot`].
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct AlphaBetaSettings {
        /// Maximum number of plies to look ahead.
        depth: u32 = 81, 1..=81;
        ..time: TurnShare = TurnShare::DEFAULT;
    }
}

/// Value of a won game. Evaluations are in thousandths of a line of boards.
const WIN: i32 = 100_000;

/// A player's chance of winning an open small board, in thousandths. The index is the difference, from -3 to 3, between
/// the player's and the opponent's numbers of threats to complete a line on the board.
const CHANCES: [i32; 7] = [60, 120, 230, 400, 570, 680, 740];
/// Additional values for marks in the centre cell and in corners.
const CELLS: [(u16, i32); 2] = [(0b000_010_000, 40), (0b101_000_101, 15)];
/// Weight of a player's chance on each small board, in addition to the lines through the board.
const BOARD: [i32; 9] = [60, 50, 60, 50, 90, 50, 60, 50, 60];

/// An evaluation that combines the chances of winning boards along the eight lines of boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct LinesGuide;

/// Returns both players' chances of winning a small board, in thousandths.
fn chances(state: &State, board: usize) -> [i32; 2] {
    if state.open() >> board & 1 == 0 {
        return Player::BOTH.map(|player| 1_000 * i32::from(state.won(player) >> board & 1));
    }
    let empty = state.empty(board);
    let marks = Player::BOTH.map(|player| state.marks(player, board));
    let threats = marks.map(|marks| i32::from(COUNT[usize::from(WINNING[usize::from(marks)] & empty)]));
    let ahead = (threats[0] - threats[1]).clamp(-3, 3);
    let cells = marks.map(|marks| {
        CELLS.iter().map(|&(set, worth)| worth * i32::from(COUNT[usize::from(marks & set)])).sum::<i32>()
    });
    let [for_zero, for_one] = [ahead, -ahead].map(|ahead| CHANCES[(3 + ahead) as usize]);
    [for_zero + cells[0] - cells[1], for_one + cells[1] - cells[0]]
}

impl Heuristics<State> for LinesGuide {
    fn evaluate(&mut self, state: &State) -> i32 {
        let chances: [[i32; 2]; 9] = std::array::from_fn(|board| chances(state, board));
        let worth = |player: usize| -> i32 {
            let lines = LINES.iter().map(|&line| {
                let along = (0..9).filter(|board| line >> board & 1 == 1);
                along.fold(1_000, |product, board| product * chances[board][player] / 1_000)
            });
            let boards = chances.iter().zip(BOARD).map(|(chance, weight)| chance[player] * weight / 1_000);
            lines.chain(boards).sum()
        };
        worth(0) - worth(1)
    }

    fn finished(&mut self, state: &State) -> i32 {
        // An early win is better than a late one, and a late loss is better than an early one.
        state.value() * (WIN - state.plies() as i32)
    }

    fn key(&self, state: &State) -> Option<u64> {
        Some(state.key())
    }

    fn slots(&self) -> usize {
        81
    }

    fn slot(&self, _: &State, mv: Move) -> usize {
        mv.index()
    }
}

/// A bot that plays the move of a principal variation search. The bot is deterministic if a number of nodes is given.
pub struct AlphaBetaBot {
    settings: AlphaBetaSettings,
    search: Search<State, LinesGuide, NoChance>,
}

impl AlphaBetaBot {
    /// Creates the bot with these settings.
    #[must_use]
    pub fn new(settings: AlphaBetaSettings) -> AlphaBetaBot {
        AlphaBetaBot { settings, search: Search::new(LinesGuide, SearchConfig::FULL) }
    }

    fn search(&mut self, state: &State, clock: &Clock) -> Analysis<Move> {
        let manager = TimeManager { soft: 0.7, ..self.settings.time.manager() };
        let depth = self.settings.depth.min(81 - state.plies());
        let limits = SearchLimits { depth, ..manager.limits(clock, 1) };
        self.search.search(state, &limits).measured("thousandths of a line", |value| value)
    }
}

impl Bot<State, Move> for AlphaBetaBot {
    /// # Panics
    /// Panics if the game is over.
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        if *state == State::default() {
            return CENTRE;
        }
        self.search(state, clock).moves[0].mv
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, clock)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::{Rng, Turn};

    #[test]
    fn what_is_good_for_one_is_as_bad_for_the_other_and_keys_tell_all_that_matters() {
        let mut rng = Rng::new(4);
        let mut keys = std::collections::HashMap::new();
        let mut exchanges = 0;
        for _ in 0..2_000 {
            let mut state = State::default();
            for _ in 0..rng.below(60) {
                if state.turn() != Turn::Over {
                    state.play(state.random_move(&mut rng, &mut Vec::new()));
                }
            }
            let told = |state: &State| {
                let marks =
                    Player::BOTH.map(|player| std::array::from_fn::<_, 9, _>(|at| state.marks(player, at)));
                (marks, state.mover(), state.allowed())
            };
            assert_eq!(*keys.entry(state.key()).or_insert_with(|| told(&state)), told(&state));
            // The same boards with the marks exchanged. This is impossible if one player has more marks.
            let (marks, mover, _) = told(&state);
            if let Ok(exchanged) = State::from_marks(&[marks[1], marks[0]], mover, state.target()) {
                assert_eq!(LinesGuide.evaluate(&state), -LinesGuide.evaluate(&exchanged));
                exchanges += 1;
            }
        }
        assert!(keys.len() > 1_500 && exchanges > 500, "{} {exchanges}", keys.len());
    }
}
