//! Proposals: the few actions of each organism that the search should consider, and a joint move that is chosen from
//! them by a simple rule.

use super::evaluation::{saturated, Evaluation};
use super::reach::{frontier, neighbours};
use super::weights::Weights;
use crate::rules::AREA;
use crate::{spore_line, spore_line_from, Action, Cell, Cells, Content, Dir, Kind, State, TURN_LIMIT};
use contender_game::rules::Player;

/// An action and its estimated gain, in the evaluation's unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Proposal {
    pub action: Action,
    pub merit: f32,
}

/// Working space for proposals. It is reused, so no memory is allocated.
#[derive(Clone, Debug)]
pub(super) struct Proposer {
    /// The proposals for each organism, starting with the best.
    lists: Vec<Vec<Proposal>>,
    /// Number of organisms, which is the number of lists in use.
    organisms: usize,
    /// For each cell with a root, the index of its organism's list.
    numbers: [u8; AREA],
    ordered: Vec<Proposal>,
}

/// Maximum number of proposals per organism for each type of organ.
const OF_A_KIND: [usize; 5] = [3, 4, 3, 2, 3];
/// Number of steps that stands for unreachable cells.
const FAR: u8 = 9;
/// Minimum length of the line along which a new sporer could shoot.
const LINE: usize = 3;

impl Proposer {
    pub fn new() -> Proposer {
        Proposer { lists: Vec::new(), organisms: 0, numbers: [0; AREA], ordered: Vec::new() }
    }

    /// Fills the lists with at most `limit` actions per organism, and returns all of them, organism by organism.
    pub fn propose(
        &mut self,
        evaluation: &Evaluation,
        state: &State,
        player: Player,
        limit: usize,
    ) -> impl Iterator<Item = &Proposal> {
        self.organisms = 0;
        for root in state.organisms(player) {
            if self.lists.len() == self.organisms {
                self.lists.push(Vec::new());
            }
            self.lists[self.organisms].clear();
            self.numbers[root.index()] = self.organisms as u8;
            self.organisms += 1;
        }
        if Kind::ALL.iter().any(|kind| kind.is_paid_by(state.stock(player))) {
            let view = View::new(evaluation, state, player);
            view.growths(|organism, proposal| self.add(organism, proposal, limit));
            view.spores(|organism, proposal| self.add(organism, proposal, limit));
        }
        self.lists[..self.organisms].iter().flatten()
    }

    /// Appends a joint move: the action with the highest merit, then the best action that fits with it, and so on while
    /// merits are positive.
    pub fn play(&mut self, evaluation: &Evaluation, state: &State, player: Player, chosen: &mut Vec<Action>) {
        let mut ordered = std::mem::take(&mut self.ordered);
        ordered.clear();
        ordered.extend(
            self.propose(evaluation, state, player, 3).filter(|proposal| proposal.merit > 0.0).copied(),
        );
        ordered.sort_unstable_by(by_merit);
        let mut stock = *state.stock(player);
        let mut taken = Cells::EMPTY;
        let mut tended = Cells::EMPTY;
        for Proposal { action, .. } in &ordered {
            let Some(organism) = state.organism(action.from) else { continue };
            let faced = action.to.step(action.dir);
            let doubles = action.kind == Kind::Harvester && tended.has(faced);
            if taken.has(organism) || taken.has(action.to) || doubles || !action.kind.is_paid_by(&stock) {
                continue;
            }
            action.kind.pay(&mut stock);
            // Organs and targets are different cells, so one set can mark both.
            taken.insert(organism);
            taken.insert(action.to);
            if action.kind == Kind::Harvester {
                tended.insert(faced);
            }
            chosen.push(*action);
        }
        self.ordered = ordered;
    }

    fn add(&mut self, organism: Cell, proposal: Proposal, limit: usize) {
        let list = &mut self.lists[usize::from(self.numbers[organism.index()])];
        let kind = proposal.action.kind;
        let alike = list.iter().filter(|other| other.action.kind == kind).count();
        if alike >= OF_A_KIND[kind as usize] {
            let last =
                list.iter().rposition(|other| other.action.kind == kind).expect("there are some of the kind");
            if list[last].merit >= proposal.merit {
                return;
            }
            list.remove(last);
        } else if list.len() == limit {
            if list[limit - 1].merit >= proposal.merit {
                return;
            }
            list.pop();
        }
        let at = list.partition_point(|other| other.merit >= proposal.merit);
        list.insert(at, proposal);
    }
}

/// Orders proposals by decreasing merit. Equal merits have a fixed order, so that play does not depend on the sorting
/// algorithm.
pub(super) fn by_merit(a: &Proposal, b: &Proposal) -> std::cmp::Ordering {
    b.merit.total_cmp(&a.merit).then_with(|| a.action.cmp(&b.action))
}

/// The data that merits depend on.
struct View<'a> {
    evaluation: &'a Evaluation,
    weights: &'a Weights,
    state: &'a State,
    player: Player,
    /// The cells that the player can grow onto.
    edge: Cells,
    /// The cells that the enemy can grow onto.
    enemy_edge: Cells,
    harvested: Cells,
    income: [i32; 4],
    /// The value of one more protein of each kind.
    prices: [f32; 4],
    horizon: f32,
    left: u32,
    /// The number of steps from each cell of the edge to the nearest unharvested source.
    to_source: [u8; AREA],
    /// The number of steps from each cell of the edge to the enemy's edge.
    to_enemy: [u8; AREA],
    /// For each organ of the enemy, the number of organs that die with it; `None` if no new tentacle of the player can
    /// reach an organ of the enemy.
    enemy_parts: Option<Box<[u16; AREA]>>,
    /// For each of the player's organs, the number of organs that die with it; `None` if no new tentacle of the enemy
    /// can reach any of these organs, or if the player cannot build a tentacle.
    own_parts: Option<Box<[u16; AREA]>>,
    can_be_hit: bool,
}

impl<'a> View<'a> {
    fn new(evaluation: &'a Evaluation, state: &'a State, player: Player) -> View<'a> {
        let enemy = player.other();
        let weights = evaluation.weights(state);
        let stock = state.stock(player);
        let edge = frontier(state, player);
        let enemy_edge = frontier(state, enemy);
        let harvested = state.harvested(player);
        let left = TURN_LIMIT.saturating_sub(state.turns());
        let can_be_hit = Kind::Tentacle.is_paid_by(state.stock(enemy));
        let can_hit = Kind::Tentacle.is_paid_by(stock);
        let touched = neighbours(enemy_edge) & state.organ_cells(player);
        let touching = neighbours(edge) & state.organ_cells(enemy);
        View {
            evaluation,
            weights,
            state,
            player,
            edge,
            enemy_edge,
            harvested,
            income: std::array::from_fn(|at| (harvested & evaluation.sources(at)).len() as i32),
            prices: std::array::from_fn(|at| {
                let has = stock[at];
                weights.stock[at] * (evaluation.logarithm(has) - evaluation.logarithm(has - 1))
            }),
            horizon: (left as f32 / 20.0).min(1.0),
            left,
            to_source: steps(state, state.sources().without(harvested), edge),
            to_enemy: steps(state, enemy_edge, edge),
            enemy_parts: (can_hit && !touching.is_empty()).then(|| Box::new(state.subtree_sizes(enemy))),
            own_parts: (can_be_hit && can_hit && !touched.is_empty())
                .then(|| Box::new(state.subtree_sizes(player))),
            can_be_hit,
        }
    }

    fn cost(&self, kind: Kind) -> f32 {
        let cost = kind.cost();
        (0..4).map(|at| cost[at] as f32 * self.prices[at]).sum()
    }

    /// Visits all growths onto the edge. For each target and kind, visits the useful directions, or one arbitrary
    /// direction if none is useful.
    fn growths(&self, mut add: impl FnMut(Cell, Proposal)) {
        let state = self.state;
        let stock = state.stock(self.player);
        let own = state.organ_cells(self.player);
        let pays = |kind: Kind| kind.is_paid_by(stock);
        for to in self.edge {
            let place = self.place(to);
            // For each organism, the oldest organ that touches the cell: it is nearest to the root and safest.
            let mut sources: [Option<(Cell, Cell)>; 4] = [None; 4];
            for from in Dir::ALL.map(|dir| to.step(dir)).into_iter().filter(|&from| own.has(from)) {
                let Some(organism) = state.organism(from) else { continue };
                let slot = sources.iter_mut().find(|slot| slot.map_or(true, |(other, _)| other == organism));
                let Some(slot) = slot else { continue };
                if slot.map_or(true, |(_, other)| state.id(from) < state.id(other)) {
                    *slot = Some((organism, from));
                }
            }
            let mut add_all = |kind: Kind, dir: Dir, merit: f32| {
                for &(organism, from) in sources.iter().flatten() {
                    add(organism, Proposal { action: Action { from, to, kind, dir }, merit });
                }
            };
            if pays(Kind::Basic) {
                add_all(Kind::Basic, Dir::N, place - self.cost(Kind::Basic));
            }
            for kind in [Kind::Tentacle, Kind::Harvester, Kind::Sporer] {
                if !pays(kind) {
                    continue;
                }
                let base = place - self.cost(kind);
                let mut idle = Dir::N;
                let mut has_use = false;
                for dir in Dir::ALL {
                    let faced = to.step(dir);
                    let of_use = match kind {
                        Kind::Tentacle => self.strike(faced),
                        Kind::Harvester => self.harvest(faced),
                        _ => self.line(to, dir),
                    };
                    if of_use > 0.0 {
                        has_use = true;
                        add_all(kind, dir, base + of_use);
                    } else if state.free().has(faced) {
                        idle = dir;
                    }
                }
                if !has_use {
                    add_all(kind, idle, base - 0.2);
                }
            }
        }
    }

    fn spores(&self, mut add: impl FnMut(Cell, Proposal)) {
        let state = self.state;
        if !Kind::Root.is_paid_by(state.stock(self.player)) {
            return;
        }
        let open = state.open(self.player);
        for from in state.sporers(self.player) {
            let Some(organism) = state.organism(from) else { continue };
            for to in spore_line(state, from).filter(|&to| open.has(to)) {
                let merit = self.landing(to) - self.cost(Kind::Root);
                add(organism, Proposal { action: Action { from, to, kind: Kind::Root, dir: Dir::N }, merit });
            }
        }
    }

    /// Returns the value of this cell as the place of any organ.
    fn place(&self, to: Cell) -> f32 {
        let mut worth = self.weights.organ + self.weights.room * 0.2 + self.intake(to);
        let fresh = neighbours_of(to) & self.state.free();
        worth += 0.15 * fresh.without(self.edge).len() as f32;
        let source = self.to_source[to.index()];
        if source < FAR {
            worth += self.horizon * self.weights.promise * 0.25 * 0.7f32.powi(i32::from(source.max(1)));
        }
        let enemy = self.to_enemy[to.index()];
        if enemy < FAR {
            worth += 0.8 * 0.8f32.powi(i32::from(enemy));
        }
        if enemy == 0 {
            // The player takes the cell before the enemy does, or both grow onto it.
            worth += 0.3;
        }
        if self.can_be_hit && !(neighbours_of(to) & self.enemy_edge).is_empty() {
            worth -= 0.4;
        }
        worth
    }

    /// Returns the value of absorbing the source in a cell.
    fn intake(&self, to: Cell) -> f32 {
        let Content::Source(protein) = self.state.content(to) else { return 0.0 };
        let at = protein as usize;
        let has = self.state.stock(self.player)[at];
        let ln = |amount: i32| self.evaluation.logarithm(amount);
        let gain = self.weights.stock[at] * (ln(has + 3) - ln(has)) + 0.1;
        let income = self.income[at];
        let lost = if self.harvested.has(to) {
            self.weights.income[at] * (saturated(income) - saturated(income - 1))
        } else {
            self.weights.promise * 0.2 / (1 + income) as f32
        };
        gain - self.horizon * lost
    }

    /// Returns the value of a tentacle that faces this cell.
    fn strike(&self, faced: Cell) -> f32 {
        if let Some(parts) = &self.enemy_parts {
            let killed = parts[faced.index()];
            if killed > 0 {
                return 1.5 + (self.weights.organ + 0.7) * f32::from(killed);
            }
        }
        if !self.enemy_edge.has(faced) {
            return 0.0;
        }
        let mut worth = self.weights.guard;
        if let Some(parts) = &self.own_parts {
            let kept = Dir::ALL.iter().map(|&dir| parts[faced.step(dir).index()]).max().unwrap_or(0);
            worth += self.weights.risk * f32::from(kept);
        }
        worth
    }

    /// Returns the value of a harvester that faces this cell.
    fn harvest(&self, faced: Cell) -> f32 {
        let Content::Source(protein) = self.state.content(faced) else { return 0.0 };
        if self.harvested.has(faced) {
            return 0.0;
        }
        let at = protein as usize;
        let income = self.income[at];
        self.horizon * self.weights.income[at] * (saturated(income + 1) - saturated(income))
            - self.horizon * self.weights.promise * 0.15 / (1 + income) as f32
            + 0.02 * self.left as f32
    }

    /// Returns the value of a sporer in this cell with this direction: a share of the value of the best landing on its
    /// line, if the player can then pay for a root.
    fn line(&self, to: Cell, dir: Dir) -> f32 {
        let mut stock = *self.state.stock(self.player);
        Kind::Sporer.pay(&mut stock);
        if !Kind::Root.is_paid_by(&stock) {
            return 0.0;
        }
        let landings = spore_line_from(self.state, to, dir).skip(LINE - 1);
        let best = landings.map(|cell| self.landing(cell)).fold(0.0, f32::max);
        0.7 * (best - self.cost(Kind::Root)).max(0.0)
    }

    /// Returns the value of a new root in this cell.
    fn landing(&self, to: Cell) -> f32 {
        let roots = self.state.roots(self.player).len() as f32;
        let near = neighbours_of(to);
        let wanted = self.state.sources().without(self.harvested);
        let around = (near & wanted).len() as f32
            + 0.6 * ((neighbours(near & self.state.free()) & wanted).without(near)).len() as f32;
        self.weights.organ
            + self.horizon * self.weights.roots * ((roots + 1.0).sqrt() - roots.sqrt())
            + self.horizon * self.weights.promise * 0.2 * around.min(4.0)
            + self.intake(to)
    }
}

fn neighbours_of(cell: Cell) -> Cells {
    Dir::ALL.iter().map(|&dir| cell.step(dir)).collect()
}

/// Returns the number of steps over free cells from `goals` to each cell of `edge`. The result is [`FAR`] for cells
/// that are farther away and for all other cells.
fn steps(state: &State, goals: Cells, edge: Cells) -> [u8; AREA] {
    let mut steps = [FAR; AREA];
    let (mut rim, mut rest, mut unknown) = (goals, state.free().without(goals), edge);
    for distance in 0..FAR {
        let known = rim & unknown;
        for cell in known {
            steps[cell.index()] = distance;
        }
        unknown = unknown.without(known);
        if unknown.is_empty() {
            break;
        }
        rim = neighbours(rim) & rest;
        rest = rest.without(rim);
    }
    steps
}
