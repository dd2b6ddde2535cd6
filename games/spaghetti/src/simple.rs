//! The write-up's bots that do not use random games. These bots are useful as sparring partners.

use crate::generate::Generator;
use crate::tree;
use crate::{Move, State, Tile, COLUMNS};
use contender_game::{
    contest::{Bot, Clock},
    rules::{Game, Player, Rng, Turn},
    settings,
};

/// A bot that places straight tiles on random cells that extend paths from its own wall. The bot is deterministic if
/// its seed is given.
#[derive(Clone, Debug)]
pub struct StraightBot {
    rng: Rng,
}

impl StraightBot {
    /// Creates the bot with this seed.
    #[must_use]
    pub fn new(seed: u64) -> StraightBot {
        StraightBot { rng: Rng::new(seed) }
    }
}

impl Bot<State, Move> for StraightBot {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Move {
        let wall = [0, COLUMNS - 1][player];
        let towards_wall = |index: usize| if player == Player::Zero { index - 1 } else { index + 1 };
        let continues = |cell: &crate::Cell| {
            state.is_empty(*cell)
                && (cell.column() == wall
                    || !state.is_empty(crate::Cell::from_index(towards_wall(cell.index()))))
        };
        // There is always such a cell: in any row with an empty cell, the empty cell nearest to the wall.
        let cells: Vec<crate::Cell> = crate::Cell::all().filter(continues).collect();
        Move::new(*self.rng.choose(&cells), Tile::Straight)
    }
}

settings! {
    /// Settings of [`MaximaxBot`].
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct MaximaxSettings {
        /// Number of moves to look ahead; 1 is the simple maximum of the write-up
        depth: u32 = 2, 1..=5;
        /// Moves to consider.
        moves: Generator = Generator::All, Generator::WORDS;
    }
}

/// A bot that looks a few moves ahead and assumes that each player maximises its own points.
#[derive(Clone, Debug)]
pub struct MaximaxBot {
    depth: u32,
    moves: Generator,
    rng: Rng,
}

impl MaximaxBot {
    /// Creates the bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: MaximaxSettings, seed: u64) -> MaximaxBot {
        MaximaxBot { depth: settings.depth, moves: settings.moves, rng: Rng::new(seed) }
    }

    /// Returns both players' points after `depth` moves. If several moves are equally good, the first one counts.
    fn points(&self, state: &mut State, depth: u32) -> [i32; 2] {
        let Turn::Player(player) = state.turn() else { return state.scores() };
        if depth == 0 {
            return state.scores();
        }
        let moves = self.moves.moves(state);
        let all = (0..tree::count(&moves)).map(|number| self.after(state, tree::nth(&moves, number), depth));
        all.reduce(|best, other| if other[player] > best[player] { other } else { best }).expect("a move")
    }

    fn after(&self, state: &mut State, mv: Move, depth: u32) -> [i32; 2] {
        let memo = state.make(mv);
        let points = self.points(state, depth - 1);
        state.unmake(mv, memo);
        points
    }
}

impl Bot<State, Move> for MaximaxBot {
    /// Chooses a random one of the best moves.
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Move {
        let mut state = state.clone();
        let moves = self.moves.moves(&mut state);
        let list: Vec<Move> = (0..tree::count(&moves)).map(|number| tree::nth(&moves, number)).collect();
        let points: Vec<i32> =
            list.iter().map(|&mv| self.after(&mut state, mv, self.depth)[player]).collect();
        let best = points.iter().max().expect("a player to act has a move");
        let equals: Vec<usize> = (0..list.len()).filter(|&at| points[at] == *best).collect();
        list[*self.rng.choose(&equals)]
    }
}
