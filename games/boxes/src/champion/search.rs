//! Which placement is best: each candidate is followed by tiles and the opponent's best replies to them, and then the own best
//! placement for the mean of all tiles.
//!
//! A trial is a colour of the opponent and a kind of tile for it. All candidates see the same trials, and the better half of
//! them goes on to more (sequential halving: Karnin, Koren, Somekh, 2013).

use super::board::Board;
use super::placements::{mean_best, Gains, Placements};
use super::worth::POINT;
use crate::shape::{kinds, Shape};
use crate::{Colour, Placement, State, COLOURS};
use contender_game::{settings, Player, Rng};

settings! {
    /// How the search works.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct ChampionSettings {
        /// How many placements are looked at more closely than by their own gain.
        candidates: usize = 32, 1..=Placement::COUNT;
        /// How much the replying opponent cares about the bot's colour, which it does not know: 1 is as much as about its own.
        denial: f32 = 1.0, 0.0..=2.0;
        /// How many of the opponent's best replies are looked at; the one that leaves least is taken.
        replies: usize = 6, 1..=Placement::COUNT;
        /// Colours of the opponent less likely than this are left out.
        unlikely: f64 = 0.02, 0.0..=0.2;
    }
}

/// What was found out about a placement.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// The placement.
    pub placement: Placement,
    /// Its own gain in points, the opponent's expected one subtracted.
    pub gain: f32,
    /// The sum of what follows, in points, over its trials.
    total: f64,
    /// How many trials it has had.
    pub trials: u32,
}

impl Candidate {
    /// The expected lead at the end of the game over the expected lead now, in points.
    #[must_use]
    pub fn value(&self) -> f64 {
        f64::from(self.gain) + self.total / f64::from(self.trials.max(1))
    }
}

/// The search with its working space.
pub struct Search {
    settings: ChampionSettings,
    rng: Rng,
    placements: Placements,
    gains: [Vec<Gains>; 2],
}

/// A colour of the opponent, and a tile by the positions of the own and of that colour.
type Trial = (usize, usize, usize);

/// A board after a candidate, and what replies to it gain.
struct After {
    shape: Shape,
    own: Board,
    replies: Placements,
    own_gains: Vec<Gains>,
    /// By colour, for those that are likely.
    others: Vec<Option<(Board, Vec<Gains>)>>,
}

impl Search {
    /// A search with this seed.
    #[must_use]
    pub fn new(settings: ChampionSettings, seed: u64) -> Search {
        Search {
            settings,
            rng: Rng::new(seed),
            placements: Placements::default(),
            gains: [Vec::new(), Vec::new()],
        }
    }

    /// The placements of the tile of `state`, the best first. `belief` has the probabilities of the opponent's colours. `may_go_on`
    /// is asked before every trial, with the part of the whole work that should be done by its end.
    pub fn search(
        &mut self,
        state: &State,
        player: Player,
        belief: &[f64; COLOURS],
        mut may_go_on: impl FnMut(f64) -> bool,
    ) -> Vec<Candidate> {
        let tile = state.tile().expect("there is a tile to place");
        let own = state.colours()[player];
        let shape = Shape::of(state);
        let board = |colour: usize| Board::new(state.cells_of(colour as Colour), &shape);
        let likely: Vec<usize> = (0..COLOURS)
            .filter(|&colour| colour != usize::from(own) && belief[colour] >= self.settings.unlikely)
            .collect();
        let boards: Vec<Board> = (0..COLOURS).map(board).collect();
        let mut candidates = self.candidates(&shape, &boards, own, belief, |colour| tile.position(colour));
        let mut afters: Vec<Option<Box<After>>> = Vec::new();
        afters.resize_with(self.settings.candidates.min(candidates.len()), || None);
        let mut trials = Trials::new(&likely, belief);
        // Candidates that are still in, by their places in `candidates`.
        let mut left: Vec<usize> = (0..afters.len()).collect();
        let rounds = usize::BITS - left.len().leading_zeros();
        for round in 1..=rounds {
            let until = f64::from(round) / f64::from(rounds);
            let mut number = 0;
            'round: loop {
                for &at in &left {
                    let candidate = &mut candidates[at];
                    if candidate.trials as usize > number {
                        continue;
                    }
                    if !may_go_on(until) {
                        break 'round;
                    }
                    let after = afters[at].get_or_insert_with(|| {
                        let position = |colour: usize| tile.position(colour as Colour);
                        Box::new(After::new(
                            candidate.placement,
                            &shape,
                            &boards,
                            usize::from(own),
                            &likely,
                            position,
                        ))
                    });
                    let trial = trials.get(number, &mut self.rng);
                    candidate.total +=
                        f64::from(after.value(trial, &self.settings, &mut self.placements, &mut self.gains));
                    candidate.trials += 1;
                }
                number += 1;
            }
            left.sort_by(|&a, &b| candidates[b].value().total_cmp(&candidates[a].value()));
            if left.len() > 1 {
                left.truncate((left.len() + 1) / 2);
            }
        }
        // The better of two has had more trials, or as many.
        candidates.sort_by(|a, b| b.trials.cmp(&a.trials).then(b.value().total_cmp(&a.value())));
        candidates
    }

    /// All placements with their own gains, the best first.
    fn candidates(
        &mut self,
        shape: &Shape,
        boards: &[Board],
        own: Colour,
        belief: &[f64; COLOURS],
        position: impl Fn(Colour) -> usize,
    ) -> Vec<Candidate> {
        self.placements.find(shape);
        let list = &self.placements.list;
        let mut candidates: Vec<Candidate> =
            list.iter().map(|&placement| Candidate { placement, gain: 0.0, total: 0.0, trials: 0 }).collect();
        for (colour, board) in boards.iter().enumerate() {
            let weight = if colour == usize::from(own) { 1.0 } else { -belief[colour] as f32 };
            if weight == 0.0 {
                continue;
            }
            self.placements.gains(board, &mut self.gains[0]);
            for (candidate, gains) in candidates.iter_mut().zip(&self.gains[0]) {
                candidate.gain += weight * gains[position(colour as Colour)] / POINT;
            }
        }
        // Equally good ones in a random order.
        self.rng.shuffle(&mut candidates);
        candidates.sort_by(|a, b| b.gain.total_cmp(&a.gain));
        candidates
    }
}

impl After {
    fn new(
        placement: Placement,
        before: &Shape,
        boards: &[Board],
        own: usize,
        likely: &[usize],
        position: impl Fn(usize) -> usize,
    ) -> After {
        let shape = before.with(placement);
        let mut replies = Placements::default();
        replies.find(&shape);
        let of = |colour: usize| {
            let mut board = boards[colour].clone();
            board.play(placement, position(colour), before, &shape);
            let mut gains = Vec::new();
            replies.gains(&board, &mut gains);
            (board, gains)
        };
        let (board, own_gains) = of(own);
        let mut others: Vec<Option<(Board, Vec<Gains>)>> = Vec::new();
        others.resize_with(COLOURS, || None);
        for &colour in likely {
            others[colour] = Some(of(colour));
        }
        After { shape, own: board, replies, own_gains, others }
    }

    /// What follows in a trial, in points: the opponent's reply, then the own best placement on the mean of all tiles.
    fn value(
        &self,
        (colour, own_position, position): Trial,
        settings: &ChampionSettings,
        placements: &mut Placements,
        gains: &mut [Vec<Gains>; 2],
    ) -> f32 {
        let (other, other_gains) = self.others[colour].as_ref().expect("trials are of likely colours");
        let worth =
            |at: usize| other_gains[at][position] - settings.denial * self.own_gains[at][own_position];
        let mut replies: Vec<usize> = (0..self.replies.list.len()).collect();
        let count = settings.replies.min(replies.len());
        if count == 0 {
            return 0.0;
        }
        if count < replies.len() {
            replies.select_nth_unstable_by(count - 1, |&a, &b| worth(b).total_cmp(&worth(a)).then(a.cmp(&b)));
        }
        let mut least = f32::INFINITY;
        for &at in &replies[..count] {
            let reply = self.replies.list[at];
            let shape = self.shape.with(reply);
            placements.find(&shape);
            for (gains, (board, position)) in
                gains.iter_mut().zip([(&self.own, own_position), (other, position)])
            {
                let mut board = board.clone();
                board.play(reply, position, &self.shape, &shape);
                placements.gains(&board, gains);
            }
            let gain = (self.own_gains[at][own_position] - other_gains[at][position]) / POINT;
            least = least.min(gain + mean_best(&gains[0], &gains[1]));
        }
        least
    }
}

/// The sequence of trials, the same for all candidates: colours as often as they are likely, and all 30 kinds of tiles once
/// before any comes again.
struct Trials<'a> {
    likely: &'a [usize],
    belief: &'a [f64; COLOURS],
    drawn: Vec<Trial>,
    kinds: Vec<(usize, usize)>,
    /// By colour: how many trials it should have had, less how many it has had.
    due: [f64; COLOURS],
}

impl<'a> Trials<'a> {
    fn new(likely: &'a [usize], belief: &'a [f64; COLOURS]) -> Trials<'a> {
        Trials { likely, belief, drawn: Vec::new(), kinds: Vec::new(), due: [0.0; COLOURS] }
    }

    fn get(&mut self, number: usize, rng: &mut Rng) -> Trial {
        while self.drawn.len() <= number {
            if self.kinds.is_empty() {
                self.kinds.extend(kinds());
                rng.shuffle(&mut self.kinds);
            }
            let (own, other) = self.kinds.pop().expect("there are kinds of tiles");
            for &colour in self.likely {
                self.due[colour] += self.belief[colour];
            }
            let most = |&&a: &&usize, &&b: &&usize| self.due[a].total_cmp(&self.due[b]);
            let colour = *self.likely.iter().max_by(most).expect("some colour is likely");
            self.due[colour] -= 1.0;
            self.drawn.push((colour, own, other));
        }
        self.drawn[number]
    }
}
