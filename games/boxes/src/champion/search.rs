//! The search for the best placement. From each candidate, the search looks ahead for all likely colours of the
//! opponent and all kinds of tiles.
//!
//! All candidates get the same trials. If there is no time for all trials, the better half of the candidates gets more
//! of them (sequential halving: Karnin, Koren, Somekh, 2013).

use super::belief::evidence;
use super::board::Board;
use super::lookahead::{lead, After, Trial};
use super::placements::{Gains, Placements};
use super::settings::ChampionSettings;
use super::shown::Shown;
use super::worth::POINT;
use crate::classic::{evaluation_gains, Weights};
use crate::shape::{kinds, Shape};
use crate::{Colour, Placement, State, COLOURS};
use contender_game::rules::{Player, Rng};
use contender_search::{SearchBudget, SearchLimits, Stopped};

/// A placement and the results of its search.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The placement.
    pub placement: Placement,
    /// The expected change of the bot's lead until the end of the game, in points, minus the cost of revealing the
    /// bot's colour. Before the look-ahead it is the placement's immediate gain.
    pub value: f64,
    /// Number of trials that were played for the placement.
    pub trials: u32,
    /// The probability that the opponent assigns to the bot's colour after the placement.
    shown: f64,
    ahead: [Mean; COLOURS],
}

/// A running mean.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
    }
}

/// Returns the mean over the colours, weighted by their probabilities. Returns `None` if there are no trials.
fn expected(means: &[Mean; COLOURS], belief: &[f64; COLOURS]) -> Option<f64> {
    let known = || means.iter().zip(belief).filter(|(mean, _)| mean.count > 0);
    let weight: f64 = known().map(|(_, belief)| belief).sum();
    let sum: f64 = known().map(|(mean, belief)| belief * mean.sum / f64::from(mean.count)).sum();
    (weight > 0.0).then(|| sum / weight)
}

/// The search and its buffers.
pub struct Search {
    settings: ChampionSettings,
    rng: Rng,
    placements: Placements,
    gains: [Vec<Gains>; 2],
}

impl Search {
    /// Creates a search with this seed.
    #[must_use]
    pub fn new(settings: ChampionSettings, seed: u64) -> Search {
        Search {
            settings,
            rng: Rng::new(seed),
            placements: Placements::default(),
            gains: [Vec::new(), Vec::new()],
        }
    }

    /// Returns the placements of the tile in `state` in descending order of value, and the number of evaluated boards.
    /// The node limit counts boards, and the depth limit is ignored. `belief` contains the probabilities of the
    /// opponent's colours. `shown` is the opponent's knowledge of the bot's colour.
    pub fn search(
        &mut self,
        state: &State,
        player: Player,
        belief: &[f64; COLOURS],
        shown: &Shown,
        limits: &SearchLimits,
    ) -> (Vec<Candidate>, u64) {
        let tile = state.tile().expect("there is a tile to place");
        let own = usize::from(state.colours()[player]);
        let shape = Shape::of(state);
        let board = |colour: usize| Board::new(state.cells_of(colour as Colour), &shape);
        let boards: Vec<Board> = (0..COLOURS).map(board).collect();
        let positions = [0, 1, 2, 3, 4, 5].map(|colour| tile.position(colour));
        let likely: Vec<usize> = (0..COLOURS)
            .filter(|&colour| colour != own && belief[colour] >= self.settings.unlikely)
            .collect();

        let mut candidates = self.candidates(state, &boards, own, belief, shown);
        let settings = self.settings;
        let mut afters: Vec<Option<Box<After>>> = Vec::new();
        afters.resize_with(settings.candidates.min(candidates.len()), || None);
        let mut trials = Trials::new(&likely, belief, &mut self.rng);
        let left: Vec<usize> = (0..afters.len()).collect();
        let boards_looked_at = halving(left, limits, &mut candidates, |candidate, at, number, meter| {
            let Some(trial) = trials.get(number) else { return Ok(false) };
            let after = afters[at].get_or_insert_with(|| {
                Box::new(After::new(candidate.placement, &shape, &boards, own, &likely, positions))
            });
            let value = after.value(trial, &settings, &mut self.placements, &mut self.gains, meter)?;
            candidate.ahead[trial.colour].add(value);
            candidate.trials += 1;
            let ahead = expected(&candidate.ahead, belief).expect("there was a trial");
            candidate.value = ahead - settings.hiding * candidate.shown;
            Ok(true)
        });
        // Of two candidates, the better one has had at least as many trials.
        candidates.sort_by(|a, b| b.trials.cmp(&a.trials).then(b.value.total_cmp(&a.value)));
        (candidates, boards_looked_at)
    }

    /// Returns the bot's expected lead on this board, in points: the mean over the opponent's colours, weighted by
    /// their probabilities in `belief`.
    #[must_use]
    pub fn lead(state: &State, player: Player, belief: &[f64; COLOURS]) -> f64 {
        let shape = Shape::of(state);
        let board = |colour: usize| Board::new(state.cells_of(colour as Colour), &shape);
        let own = board(usize::from(state.colours()[player]));
        (0..COLOURS).map(|colour| belief[colour] * f64::from(lead(&own, &board(colour)))).sum()
    }

    /// Returns all placements with their immediate gains, in descending order of gain.
    fn candidates(
        &mut self,
        state: &State,
        boards: &[Board],
        own: usize,
        belief: &[f64; COLOURS],
        shown: &Shown,
    ) -> Vec<Candidate> {
        let tile = state.tile().expect("there is a tile to place");
        self.placements.find(&Shape::of(state));
        let new = |&placement: &Placement| Candidate {
            placement,
            value: 0.0,
            trials: 0,
            shown: 1.0,
            ahead: Default::default(),
        };
        let mut candidates: Vec<Candidate> = self.placements.list.iter().map(new).collect();
        let mut evidences = Vec::new();
        for (colour, board) in boards.iter().enumerate() {
            let weight = if colour == own { 1.0 } else { -belief[colour] };
            self.placements.gains(board, &mut self.gains[0]);
            let points: Vec<f64> = self.gains[0]
                .iter()
                .map(|gains| f64::from(gains[tile.position(colour as Colour)] / POINT))
                .collect();
            for (candidate, points) in candidates.iter_mut().zip(&points) {
                candidate.value += weight * points;
            }
            evidences.push(evidence(&points));
        }
        let gains = evaluation_gains(Weights::WRITE_UP, state);
        let by_evaluation = shown.by_evaluation(self.settings.guesses, self.settings.learning);
        for (at, candidate) in candidates.iter_mut().enumerate() {
            let evidence = [0, 1, 2, 3, 4, 5].map(|colour: usize| evidences[colour][at]);
            let gains = gains(candidate.placement);
            candidate.shown = shown.after(own, evidence, gains, belief, by_evaluation);
            candidate.value -= self.settings.hiding * candidate.shown;
        }
        // Equally good placements get a random order.
        self.rng.shuffle(&mut candidates);
        candidates.sort_by(|a, b| b.value.total_cmp(&a.value));
        candidates
    }
}

/// Gives trials to the candidates in `left`, which are indices into `candidates`, until no trials are left or the
/// limits are reached. Each round keeps the better half of the candidates, and gets an equal share of the limits. The
/// last round has one candidate. `trial` gets the number of the trial, counted from 0 for each candidate, and returns
/// whether a trial with this number exists. Returns the number of counted nodes.
fn halving(
    mut left: Vec<usize>,
    limits: &SearchLimits,
    candidates: &mut [Candidate],
    mut trial: impl FnMut(&mut Candidate, usize, usize, &mut SearchBudget) -> Result<bool, Stopped>,
) -> u64 {
    let mut meter = SearchBudget::new(limits);
    let rounds = usize::BITS - left.len().leading_zeros();
    for round in 1..=rounds {
        let end = f64::from(round) / f64::from(rounds);
        // All remaining candidates have had the same number of trials, unless the limits are reached.
        'round: for number in left.first().map_or(0, |&at| candidates[at].trials as usize).. {
            for &at in &left {
                match trial(&mut candidates[at], at, number, &mut meter) {
                    Ok(true) => {}
                    Ok(false) | Err(Stopped) => break 'round,
                }
            }
            if meter.spent() >= end {
                break;
            }
        }
        left.sort_by(|&a, &b| {
            let key = |at: usize| (candidates[at].trials > 0, candidates[at].value);
            key(b).0.cmp(&key(a).0).then(key(b).1.total_cmp(&key(a).1))
        });
        if left.len() > 1 {
            left.truncate((left.len() + 1) / 2);
        }
    }
    meter.nodes()
}

/// The sequence of trials, which all candidates share. The number of trials with a colour is proportional to the
/// colour's probability, and each colour is combined with all 30 kinds of tiles in a random order.
struct Trials<'a> {
    likely: &'a [usize],
    belief: &'a [f64; COLOURS],
    drawn: Vec<Trial>,
    /// The remaining kinds of tiles, for each colour.
    kinds: [Vec<(usize, usize)>; COLOURS],
    /// For each colour, the number of trials that are due minus the number of trials already drawn.
    due: [f64; COLOURS],
}

impl<'a> Trials<'a> {
    fn new(likely: &'a [usize], belief: &'a [f64; COLOURS], rng: &mut Rng) -> Trials<'a> {
        let kinds = [(); COLOURS].map(|()| {
            let mut kinds: Vec<(usize, usize)> = kinds().collect();
            rng.shuffle(&mut kinds);
            kinds
        });
        Trials { likely, belief, drawn: Vec::new(), kinds, due: [0.0; COLOURS] }
    }

    /// Returns the trial with this number, or `None` if there are fewer trials.
    fn get(&mut self, number: usize) -> Option<Trial> {
        while self.drawn.len() <= number {
            let is_left = |&&colour: &&usize| !self.kinds[colour].is_empty();
            for &colour in self.likely {
                self.due[colour] += self.belief[colour];
            }
            let most = |&&a: &&usize, &&b: &&usize| self.due[a].total_cmp(&self.due[b]);
            let colour = *self.likely.iter().filter(is_left).max_by(most)?;
            self.due[colour] -= 1.0;
            let (own, other) = self.kinds[colour].pop().expect("kinds are left");
            self.drawn.push(Trial { colour, own, other });
        }
        Some(self.drawn[number])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::champion::Belief;
    use contender_game::rules::{Chance, Game, Turn};

    #[test]
    fn candidates_show_what_their_moves_tell() {
        let mut rng = Rng::new(1);
        let search = |hiding| Search::new(ChampionSettings { hiding, ..ChampionSettings::DEFAULT }, 1);
        let (mut open, mut hidden) = (search(0.0), search(20.0));
        for _ in 0..3 {
            let mut state = State::random(&mut rng);
            let mut shown = [Shown::default(), Shown::default()];
            while state.turn() != Turn::Over {
                state.resolve(state.random_outcome(&mut rng, &mut Vec::new()));
                let player = state.mover();
                let own = usize::from(state.colours()[player]);
                let belief = Belief::default().probabilities(own as Colour);
                let find = |search: &mut Search| {
                    search.search(&state, player, &belief, &shown[player], &SearchLimits::nodes(0)).0
                };
                let (candidates, others) = (find(&mut open), find(&mut hidden));
                assert!(others[0].shown <= candidates[0].shown);
                let candidate = *rng.choose(&candidates);
                shown[player].observe(&state, candidate.placement);
                let guesses = ChampionSettings::DEFAULT.guesses;
                let told = shown[player].after(own, [0.0; COLOURS], [0; COLOURS], &belief, guesses);
                assert!((candidate.shown - told).abs() < 1e-9, "{} for {told}", candidate.shown);
                state.play(candidate.placement);
            }
        }
    }
}
