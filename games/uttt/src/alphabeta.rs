//! Alpha-beta with a hand-made evaluation: the method that the write-up weighed and did not choose, since it asks for
//! knowledge of the game.

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
        /// Plies to look ahead at most.
        depth: u32 = 81, 1..=81;
        ..time: TurnShare = TurnShare::DEFAULT;
    }
}

/// Value of winning the game; evaluations are in thousandths of a line of boards.
const WIN: i32 = 100_000;

/// The chance, in thousandths, that a player wins an open small board: without and with each threat to complete a line
/// there more or less than the opponent has, from three fewer to three more.
const CHANCES: [i32; 7] = [60, 120, 230, 400, 570, 680, 740];
/// Additional values of the centre cell and of a corner.
const CELLS: [(u16, i32); 2] = [(0b000_010_000, 40), (0b101_000_101, 15)];
/// Value of each small board by its chance, in addition to the lines through it.
const BOARD: [i32; 9] = [60, 50, 60, 50, 90, 50, 60, 50, 60];

/// Chances of winning boards, combined along the eight lines of boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct LinesGuide;

/// Returns the chances of both players to win a small board, in thousandths.
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
        // A win that is nearer is better, a loss that is farther.
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

/// Plays what principal variation search finds. Deterministic given a number of nodes.
pub struct AlphaBetaBot {
    settings: AlphaBetaSettings,
    search: Search<State, LinesGuide, NoChance>,
}

impl AlphaBetaBot {
    /// Returns the bot with these settings.
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
            // The same boards with marks exchanged; with one mark more on a side that cannot be.
            let (marks, mover, _) = told(&state);
            if let Ok(exchanged) = State::from_marks(&[marks[1], marks[0]], mover, state.target()) {
                assert_eq!(LinesGuide.evaluate(&state), -LinesGuide.evaluate(&exchanged));
                exchanges += 1;
            }
        }
        assert!(keys.len() > 1_500 && exchanges > 500, "{} {exchanges}", keys.len());
    }
}
