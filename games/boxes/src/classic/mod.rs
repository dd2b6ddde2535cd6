//! The bot of the write-up that came fourth in CodeCup 2025. It searches three plies of expectiminimax with an
//! evaluation of all squares. The opponent's colour is guessed outside the search.
//!
//! Source: Maks Verver's description of his player, github.com/maksverver/codecup-box.

mod evaluation;
mod guess;
mod opening;
mod search;

pub(crate) use evaluation::{Weights, SQUARES};
pub(crate) use guess::evaluation_gains;
pub use guess::Guess;
pub use opening::opening_table;

use crate::{time, Colour, OpenColours, Placement, State, COLOURS};
use contender_game::{
    contest::{Analysis, Bot, Clock, MoveAnalysis},
    rules::{Game, Player, Rng},
    settings,
    settings::SWITCH,
};
use contender_search::SearchLimits;
use search::{one_more_ply, ThreePlies};

settings! {
    /// The terms of the evaluation and the depth of the search. The defaults are the values in the write-up's final
    /// program.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ClassicSettings {
        /// Points for a square with four corners in the player's colour.
        four: i32 = 250, 0..=10_000;
        /// Additional points for such a square per fixed corner in the player's colour.
        four_fixed ("four-fixed"): i32 = 2_500, 0..=10_000;
        /// Points for a square with three corners in the player's colour.
        three: i32 = 100, 0..=10_000;
        /// Additional points for such a square per fixed corner in the player's colour.
        three_fixed ("three-fixed"): i32 = 1_000, 0..=10_000;
        /// Points for a square with two corners in the player's colour.
        two: i32 = 10, 0..=10_000;
        /// Additional points for such a square per fixed corner in the player's colour.
        two_fixed ("two-fixed"): i32 = 100, 0..=10_000;
        /// Points for a single cell in the player's colour.
        one: i32 = 1, 0..=10_000;
        /// Points for a fixed cell in the player's colour.
        one_fixed ("one-fixed"): i32 = 10, 0..=10_000;
        /// Number that is added to the side length of a square; the sum is the factor for the square's points
        side: i32 = 4, 0..=16;
        /// Search the tiles and replies after the bot's placement; if off, rate the position after its placement.
        deep: bool = true, SWITCH;
        /// Guess the opponent's colour from its moves; if off, assume the worst possible colour.
        guess: bool = true, SWITCH;
        /// Search one more placement of the bot if fewer placements than this are legal and half of the turn's time
        /// allows it
        extra: u32 = 0, 0..=100;
        /// Share the computations that do not depend on the tile; if off, the search is slower but finds the same
        /// moves.
        prepared: bool = true, SWITCH;
    }
}

impl ClassicSettings {
    /// An earlier version of the write-up's program, without look-ahead.
    pub const EARLY: ClassicSettings =
        ClassicSettings { deep: false, guess: false, ..ClassicSettings::DEFAULT };

    fn weights(&self) -> Weights {
        let squares = [
            [0, 0],
            [0, 0],
            [self.two, self.two_fixed],
            [self.three, self.three_fixed],
            [self.four, self.four_fixed],
        ];
        Weights::new(squares, [self.one, self.one_fixed], self.side)
    }
}

/// The bot. The bot is deterministic if a node budget is given. A node is a pair of placements, with all 30 kinds of
/// tiles.
pub struct ClassicBot {
    /// Two searches: one without cut-offs and one with them. If the opponent's colour is known, cut-offs are used. If
    /// there are several possible colours, they are not used, because the values of all placements must be exact.
    searches: [ThreePlies; 2],
    settings: ClassicSettings,
    weights: Weights,
    guess: Guess,
    /// The random generator that chooses among equally good placements in the table of first moves.
    rng: Rng,
}

/// The analysis of a placement from the bot's view.
struct Judged {
    placement: Placement,
    /// The bounds of the value for the worst of the searched colours.
    value: [f64; 2],
    /// Number of the opponent's possible colours for which the placement was searched.
    colours: u32,
}

impl ClassicBot {
    /// Creates the bot with these settings. The seed determines the choice among equally good placements.
    #[must_use]
    pub fn new(settings: ClassicSettings, seed: u64) -> ClassicBot {
        let weights = settings.weights();
        let search = |prunes| ThreePlies::new(weights.clone(), settings.prepared, prunes, seed);
        ClassicBot {
            searches: [search(false), search(true)],
            settings,
            guess: Guess::default(),
            rng: Rng::new(seed),
            weights,
        }
    }

    /// Returns the searched placements in descending order of value, and the number of evaluated pairs of placements.
    /// If the opponent may have several colours, the colour that is worst for the bot counts.
    fn think(&mut self, state: &State, player: Player, clock: &Clock) -> (Vec<Judged>, u64) {
        let own = state.colours()[player];
        let guessed = self.guess.colour(own).filter(|_| self.settings.guess);
        let colours: Vec<Colour> = match guessed {
            Some(colour) => vec![colour],
            None => (0..COLOURS as Colour).filter(|&colour| colour != own).collect(),
        };
        let search = &mut self.searches[usize::from(colours.len() == 1)];
        let whole = time::limits(state, clock);
        let mut judged: Vec<Judged> = Vec::new();
        let mut pairs = 0;
        for (at, &colour) in colours.iter().enumerate() {
            // Every colour gets an equal share of the limits, plus what the earlier colours have left.
            let (searched, all) = (at as u64 + 1, colours.len() as u64);
            let limits = SearchLimits {
                nodes: whole.nodes.map(|nodes| nodes * searched / all - pairs),
                hard: whole.hard_after(clock.turn_start(), searched as f64 / all as f64),
                ..whole
            };
            let mut known = OpenColours(state.clone());
            known.0.set_colour(player.other(), colour);
            let (found, taken) = look(&self.settings, search, &known, &limits, guessed.is_some(), clock);
            pairs += taken;
            for of in found {
                let known = judged.iter().position(|judged| judged.placement == of.mv);
                let at = known.unwrap_or_else(|| {
                    judged.push(Judged { placement: of.mv, value: [f64::INFINITY; 2], colours: 0 });
                    judged.len() - 1
                });
                // Results found before a search was stopped are kept. For the other placements nothing is known.
                if of.value[1] < f64::INFINITY {
                    let Judged { value: [low, high], colours, .. } = &mut judged[at];
                    (*low, *high) = (low.min(of.value[0]), high.min(of.value[1]));
                    *colours += 1;
                }
            }
        }
        judged.sort_by(|a, b| {
            let by_value = |at: usize| b.value[at].total_cmp(&a.value[at]);
            b.colours.cmp(&a.colours).then_with(|| by_value(0)).then_with(|| by_value(1))
        });
        (judged, pairs)
    }
}

/// Returns the placements with their values at the depth of the settings, and the number of evaluated pairs of
/// placements. The extra ply is used only for a guessed colour, as in the write-up's program. With the extra ply, only
/// the best value is exact.
fn look(
    settings: &ClassicSettings,
    search: &mut ThreePlies,
    state: &OpenColours,
    limits: &SearchLimits,
    is_guessed: bool,
    clock: &Clock,
) -> (Vec<MoveAnalysis<Placement>>, u64) {
    let of = |(mv, worth)| MoveAnalysis { mv, value: [worth; 2], is_proven: false, effort: 1 };
    if !settings.deep {
        let judged = search.one_ply(state);
        return (judged.into_iter().map(|(mv, worth)| of((mv, f64::from(worth)))).collect(), 0);
    }
    let mut left = *limits;
    let mut pairs = 0;
    let mut moves = Vec::new();
    state.moves(&mut moves);
    if is_guessed && moves.len() < settings.extra as usize {
        let nodes = limits.nodes.map(|nodes| nodes / 2);
        let half = SearchLimits { nodes, hard: limits.hard_after(clock.turn_start(), 0.5), ..*limits };
        let (judged, taken) = one_more_ply(search, state, &half);
        if let Some(judged) = judged {
            return (judged.into_iter().map(of).collect(), taken);
        }
        left.nodes = limits.nodes.map(|nodes| nodes.saturating_sub(taken));
        pairs = taken;
    }
    let found = search.search(state, &left);
    (found.moves, pairs + search.pairs())
}

impl Bot<State, Placement> for ClassicBot {
    /// # Panics
    /// Panics if there is no tile to place.
    fn choose(&mut self, state: &State, player: Player, clock: &Clock) -> Placement {
        // The table was computed with the default evaluation and depth.
        let ClassicSettings { guess, extra, prepared, .. } = self.settings;
        let is_in_table =
            self.settings == ClassicSettings { guess, extra, prepared, ..ClassicSettings::DEFAULT };
        match opening::best(state, player).filter(|_| is_in_table) {
            Some(best) => *self.rng.choose(&best),
            None => self.think(state, player, clock).0[0].placement,
        }
    }

    fn observe(&mut self, state: &State, _player: Player, placement: &Placement) {
        self.guess = self.guess.after(evaluation_gains(&self.weights, state)(*placement));
    }

    /// Reports the assumed colour of the opponent in the statistics: `1` to `6`, or 0 for the worst of all colours.
    fn analyse(&mut self, state: &State, player: Player, clock: &Clock) -> Analysis<Placement> {
        let (judged, pairs) = self.think(state, player, clock);
        let guessed = self.guess.colour(state.colours()[player]).filter(|_| self.settings.guess);
        let colour = guessed.map_or(0, |colour| u64::from(colour) + 1);
        let of = |judged: &Judged| MoveAnalysis {
            mv: judged.placement,
            value: if judged.colours == 0 { [f64::NEG_INFINITY, f64::INFINITY] } else { judged.value },
            is_proven: false,
            effort: u64::from(judged.colours),
        };
        Analysis {
            depth: if self.settings.deep { 2 } else { 1 },
            counts: vec![("pairs of placements", pairs), ("guessed colour", colour)],
            unit: "evaluation",
            elapsed: clock.turn_elapsed(),
            ..Analysis::of(judged.iter().map(of).collect())
        }
    }
}
