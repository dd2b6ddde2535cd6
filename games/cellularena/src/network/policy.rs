//! Converts one output of the network into a joint move of all organisms, by iterative policy masking.
//!
//! The network does not distinguish organisms. The best action is taken, and everything that is then impossible is
//! masked: all other actions of the action's organism, actions that the remaining proteins cannot pay for, actions onto
//! the target cell, and further harvesters at the same source. If `champion` searches with the network that is being
//! trained, this is the self-improvement of Silver and others, "Mastering the game of Go without human knowledge",
//! 2017.
//!
//! The network does not choose which organ grows, which sporer shoots, or which organism acts, if several could. In
//! such a case, the first of them in the order of the view acts.
//!
//! See the [encoder](super::encoder) for the source.

use super::kinds::{kind_number, kind_of, BASIC, KINDS, ROOT};
use super::view::View;
use crate::{spore_line, Action, Cell, Cells, Content, Dir, Kind, State, Stock, MAX_HEIGHT, MAX_WIDTH};
use contender_game::rules::{Combined, Rng};
use contender_nn::policy_value::Workspace;
use std::rc::Rc;

/// Distance between the numbers of choices in adjacent cells of the frame. This distance must be at least the number of
/// kinds.
const STRIDE: usize = 16;

/// One choice: to wait, or to grow an organ of some kind in a cell of the frame. Kind and cell are in the coordinates
/// of the view.
pub type Pick = u16;

/// The choice to do nothing more in this turn.
pub const WAIT: Pick = (STRIDE * MAX_WIDTH * MAX_HEIGHT) as Pick;

/// Returns the cell of the frame and the kind of a choice that is not [`WAIT`].
#[must_use]
pub fn parts(pick: Pick) -> (usize, usize) {
    (usize::from(pick) / STRIDE, usize::from(pick) % STRIDE)
}

/// Converts a choice from one view to another view of the same board.
#[must_use]
pub fn seen(pick: Pick, from: &View, to: &View) -> Pick {
    if pick == WAIT {
        return WAIT;
    }
    let (place, number) = parts(pick);
    let (x, y) = to.coordinates(from.cell_on_board(place % MAX_WIDTH, place / MAX_WIDTH));
    let (kind, dir) = kind_of(number);
    let number =
        if number == ROOT || number == BASIC { number } else { kind_number(kind, to.dir(from.dir(dir))) };
    ((y * MAX_WIDTH + x) * STRIDE + number) as Pick
}

/// The choices that are still possible for a player's organisms in a turn. The beam search copies this value often, so
/// copies share the constant parts.
#[derive(Clone)]
pub struct Choices<'a> {
    state: &'a State,
    view: View,
    stock: Stock,
    organisms: Rc<[Organism]>,
    /// The roots of the organisms that have not acted.
    idle: Cells,
    /// The cells that are already the target of an action in this turn.
    closed: Cells,
    /// The sources that a chosen harvester of this turn faces.
    tended: Cells,
    chosen: Vec<Action>,
}

/// The possibilities of an organism at the start of a turn.
struct Organism {
    root: Cell,
    organs: Cells,
    sporers: Cells,
    grown: Cells,
    shot: Cells,
}

impl<'a> Choices<'a> {
    /// Returns all choices that the view's [chooser](View::chooser) has at the start of the turn.
    #[must_use]
    pub fn new(state: &'a State, view: View) -> Choices<'a> {
        let player = view.chooser();
        let open = state.open(player);
        let organism = |root: Cell| {
            let organs = state.organism_cells(player, root);
            let around = Dir::ALL.iter().fold(Cells::EMPTY, |all, &dir| all | organs.shifted(dir));
            let sporers = organs & state.sporers(player);
            let mut shot = Cells::EMPTY;
            for sporer in sporers {
                shot |= spore_line(state, sporer).filter(|&cell| open.has(cell)).collect();
            }
            Organism { root, organs, sporers, grown: around & open, shot }
        };
        Choices {
            state,
            view,
            stock: *state.stock(player),
            organisms: state.organisms(player).map(organism).collect(),
            idle: state.roots(player),
            closed: Cells::EMPTY,
            tended: Cells::EMPTY,
            chosen: Vec::new(),
        }
    }

    /// Appends every possible choice except waiting.
    pub fn list(&self, picks: &mut Vec<Pick>) {
        let union = |cells: fn(&Organism) -> Cells| {
            self.idle().fold(Cells::EMPTY, |all, organism| all | cells(organism)) & !self.closed
        };
        let mut kinds = [0; KINDS];
        let mut count = 0;
        for kind in [Kind::Basic, Kind::Harvester, Kind::Tentacle, Kind::Sporer] {
            if kind.is_paid_by(&self.stock) {
                let dirs = if kind == Kind::Basic { 1 } else { 4 };
                for &dir in &Dir::ALL[..dirs] {
                    kinds[count] = kind_number(kind, dir);
                    count += 1;
                }
            }
        }
        for cell in union(|organism| organism.grown) {
            let near_tended = Dir::ALL.iter().any(|&dir| self.tended.has(cell.step(dir)));
            for &kind in &kinds[..count] {
                if !(near_tended && self.is_second_harvester(cell, kind)) {
                    picks.push(self.pick(cell, kind));
                }
            }
        }
        if Kind::Root.is_paid_by(&self.stock) {
            picks.extend(union(|organism| organism.shot).iter().map(|cell| self.pick(cell, ROOT)));
        }
    }

    fn idle(&self) -> impl Iterator<Item = &Organism> {
        self.organisms.iter().filter(|organism| self.idle.has(organism.root))
    }

    fn pick(&self, cell: Cell, kind: usize) -> Pick {
        let (x, y) = self.view.coordinates(cell);
        ((y * MAX_WIDTH + x) * STRIDE + kind) as Pick
    }

    /// Returns whether a choice of the view would add a second harvester to a source that already gets a harvester in
    /// this turn.
    fn is_second_harvester(&self, cell: Cell, kind: usize) -> bool {
        let (kind, dir) = kind_of(kind);
        kind == Kind::Harvester && self.tended.has(cell.step(self.view.dir(dir)))
    }

    /// Returns the cell of the board that belongs to a choice.
    #[must_use]
    pub fn cell(&self, pick: Pick) -> Cell {
        let (place, _) = parts(pick);
        self.view.cell_on_board(place % MAX_WIDTH, place / MAX_WIDTH)
    }

    /// Makes a [listed](Choices::list) choice, and masks everything that is then impossible.
    ///
    /// # Panics
    /// Panics if the choice is not possible.
    pub fn take(&mut self, pick: Pick) -> Action {
        let to = self.cell(pick);
        let (kind, dir) = kind_of(parts(pick).1);
        let dir = if kind == Kind::Root { dir } else { self.view.dir(dir) };
        let dir = if kind == Kind::Basic { Dir::N } else { dir };
        let can = |organism: &&Organism| {
            if kind == Kind::Root {
                organism.shot.has(to)
            } else {
                organism.grown.has(to)
            }
        };
        assert!(!self.closed.has(to), "the choice is possible");
        let organism = self.idle().find(can).expect("the choice is possible");
        let root = organism.root;
        let from = if kind == Kind::Root {
            let mut sporers = organism.sporers.iter();
            sporers.find(|&from| spore_line(self.state, from).any(|cell| cell == to))
        } else {
            let mut sides = Dir::ALL.iter().map(|&side| to.step(self.view.dir(side)));
            sides.find(|&from| organism.organs.has(from))
        };
        let action = Action { from: from.expect("the choice is possible"), to, kind, dir };
        kind.pay(&mut self.stock);
        self.idle.remove(root);
        self.closed.insert(to);
        let target = to.step(dir);
        if kind == Kind::Harvester && matches!(self.state.content(target), Content::Source(_)) {
            self.tended.insert(target);
        }
        self.chosen.push(action);
        action
    }

    /// Returns the choice that corresponds to this action.
    #[must_use]
    pub fn pick_of(&self, action: &Action) -> Pick {
        let dir = if action.kind == Kind::Root { action.dir } else { self.view.dir(action.dir) };
        self.pick(action.to, kind_number(action.kind, dir))
    }

    /// Returns the move that consists of all choices made so far.
    #[must_use]
    pub fn into_move(self) -> Vec<Action> {
        self.state.combine(self.view.chooser(), &self.chosen)
    }
}

/// Returns the logit for a choice of the view's chooser.
#[inline]
#[must_use]
pub fn logit(work: &Workspace, view: &View, pick: Pick) -> f32 {
    if pick == WAIT {
        work.wait[view.side()]
    } else {
        let (cell, kind) = parts(pick);
        work.logit(cell, view.side(), kind)
    }
}

/// A joint move of the beam search.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The actions of the organisms.
    pub actions: Vec<Action>,
    /// The rank of the move: the sum of the ranks of its choices, which is at most 0 (see [`candidates`]).
    pub rank: f32,
}

/// The network's weights for the possible choices, proportional to their probabilities.
struct Probabilities {
    weights: Vec<f32>,
    wait: f32,
}

impl Probabilities {
    fn new(work: &Workspace, view: &View, picks: &[Pick]) -> Probabilities {
        let wait = logit(work, view, WAIT);
        let most = picks.iter().fold(wait, |most, &pick| most.max(logit(work, view, pick)));
        let mut weights = vec![0.0; usize::from(WAIT)];
        for &pick in picks {
            weights[usize::from(pick)] = (logit(work, view, pick) - most).exp().max(f32::MIN_POSITIVE);
        }
        Probabilities { weights, wait: (wait - most).exp().max(f32::MIN_POSITIVE) }
    }

    fn weight(&self, pick: Pick) -> f32 {
        self.weights.get(usize::from(pick)).copied().unwrap_or(self.wait)
    }
}

/// Returns, for each cell, row by row, the probability that the network's first choice is in that cell, summed over all
/// kinds of organs. The entry is `None` if nothing can grow in the cell. The entries and the probability of waiting add
/// up to 1.
#[must_use]
pub fn map(work: &Workspace, state: &State, view: View) -> Vec<Option<f64>> {
    let choices = Choices::new(state, view);
    let mut picks = Vec::new();
    choices.list(&mut picks);
    let probabilities = Probabilities::new(work, &view, &picks);
    let all = picks.iter().fold(probabilities.wait, |sum, &pick| sum + probabilities.weight(pick));
    let mut map = vec![None; state.width() * state.height()];
    for pick in picks {
        let cell = choices.cell(pick);
        let share = f64::from(probabilities.weight(pick) / all);
        *map[cell.y() * state.width() + cell.x()].get_or_insert(0.0) += share;
    }
    map
}

/// A randomly drawn joint move.
#[derive(Clone, PartialEq, Debug)]
pub struct Sampled {
    /// The choices, including waiting if it ended the turn early.
    pub picks: Vec<Pick>,
    /// The actions of the organisms.
    pub actions: Vec<Action>,
    /// The logarithm of the probability of the choices in this order.
    pub log_probability: f32,
}

/// Draws a random joint move with the probabilities that the network gives.
#[must_use]
pub fn sample(work: &Workspace, state: &State, view: View, rng: &mut Rng) -> Sampled {
    let mut choices = Choices::new(state, view);
    let mut picks = Vec::new();
    choices.list(&mut picks);
    let probabilities = Probabilities::new(work, &view, &picks);
    let (mut taken, mut log_probability) = (Vec::new(), 0.0);
    while !picks.is_empty() {
        let all = picks.iter().fold(probabilities.wait, |sum, &pick| sum + probabilities.weight(pick));
        let mut left = rng.unit() as f32 * all;
        let mut next = WAIT;
        for &pick in &picks {
            left -= probabilities.weight(pick);
            if left < 0.0 {
                next = pick;
                break;
            }
        }
        taken.push(next);
        log_probability += (probabilities.weight(next) / all).ln();
        if next == WAIT {
            break;
        }
        choices.take(next);
        picks.clear();
        choices.list(&mut picks);
    }
    Sampled { picks: taken, actions: choices.into_move(), log_probability }
}

/// Returns the best joint moves, starting with the best, found with a beam search over the choices. There are at most
/// `count` moves, and `count` must not be 0.
///
/// A network may be sure that it should act but unsure about the place, so that waiting is the most probable single
/// choice. So a choice is treated as two decisions. The first decision, whether to act, is ranked by the logarithm of
/// its probability. The second decision, which action to take, is ranked by the action's odds against the most probable
/// action. The best move starts with waiting only if waiting is more probable than all actions together.
#[must_use]
pub fn candidates(work: &Workspace, state: &State, view: View, count: usize) -> Vec<Candidate> {
    struct Partial<'a> {
        choices: Choices<'a>,
        is_done: bool,
        rank: f32,
        /// The choices of the partial move, in a fixed order that does not depend on when they were made.
        set: Vec<Pick>,
    }
    /// A partial move of the beam, extended by one choice. The choice is [`WAIT`] if the move ends or has already
    /// ended. Most steps are not good enough to become part of the next beam.
    struct Step {
        from: usize,
        pick: Pick,
        rank: f32,
    }
    let mut picks = Vec::new();
    let choices = Choices::new(state, view);
    choices.list(&mut picks);
    let probabilities = Probabilities::new(work, &view, &picks);
    // The choices of a partial move with the highest weights, in decreasing order.
    let mut best: Vec<(f32, Pick)> = Vec::with_capacity(count);
    let (mut steps, mut set) = (Vec::new(), Vec::new());
    let mut beam = vec![Partial { choices, is_done: false, rank: 0.0, set: Vec::new() }];
    while beam.iter().any(|partial| !partial.is_done) {
        steps.clear();
        for (from, partial) in beam.iter().enumerate() {
            if partial.is_done {
                steps.push(Step { from, pick: WAIT, rank: partial.rank });
                continue;
            }
            picks.clear();
            partial.choices.list(&mut picks);
            let mut acting = 0.0;
            best.clear();
            for &pick in &picks {
                let weight = probabilities.weight(pick);
                acting += weight;
                if best.len() < count || weight > best[best.len() - 1].0 {
                    best.truncate(count - 1);
                    best.insert(best.partition_point(|&(other, _)| other >= weight), (weight, pick));
                }
            }
            let most = best.first().map_or(f32::MIN_POSITIVE, |&(most, _)| most);
            let all = acting + probabilities.wait;
            steps.push(Step { from, pick: WAIT, rank: partial.rank + (probabilities.wait / all).ln() });
            steps.extend(best.iter().map(|&(weight, pick)| {
                let rank = partial.rank + (acting / all).ln() + (weight / most).ln();
                Step { from, pick, rank }
            }));
        }
        steps.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        let mut kept: Vec<Partial<'_>> = Vec::with_capacity(count);
        for &Step { from, pick, rank } in &steps {
            if kept.len() == count {
                break;
            }
            let is_done = pick == WAIT;
            set.clone_from(&beam[from].set);
            if !is_done {
                set.insert(set.partition_point(|&other| other < pick), pick);
            }
            // Choices in a different order are the same move.
            if kept.iter().all(|other| other.set != set || other.is_done != is_done) {
                let mut choices = beam[from].choices.clone();
                if !is_done {
                    choices.take(pick);
                }
                kept.push(Partial { choices, is_done, rank, set: set.clone() });
            }
        }
        beam = kept;
    }
    // The same move can end by waiting or because no choice is left; the better of the two comes first.
    let mut found: Vec<(Vec<Pick>, Candidate)> = Vec::new();
    for partial in beam {
        if found.iter().all(|(set, _)| *set != partial.set) {
            let candidate = Candidate { actions: partial.choices.into_move(), rank: partial.rank };
            found.push((partial.set, candidate));
        }
    }
    found.into_iter().map(|(_, candidate)| candidate).collect()
}
