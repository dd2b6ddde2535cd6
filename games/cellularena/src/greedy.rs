//! A bot with a single rule: it takes the action that is most useful now, and does not look ahead.

use crate::{spore_line_from, Action, Cell, Cells, Content, Dir, Kind, State};
use contender_game::{
    contest::{Bot, Clock},
    rules::{Combined, Player},
};

/// A bot that takes the action with the highest score, then the best action that fits with it, and so on until no
/// organism is left or no action is possible.
///
/// Every new organ adds to the score. Extra points go, in decreasing order, to a tentacle that kills (more points if
/// more organs die); to a harvester at a source that the player does not harvest yet (with a bonus if the player has no
/// income of this protein); to a root that is shot far away, and the sporer that shoots it; and to an absorbed source.
/// In addition, every action gets points for a short distance from its cell to the nearest unharvested source, and for
/// the free cells around its cell. Harvested sources are covered only if there is no other place. The bot is
/// deterministic.
#[derive(Clone, Debug, Default)]
pub struct Greedy;

impl Bot<State, Vec<Action>> for Greedy {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> Vec<Action> {
        let mut actions = Vec::new();
        state.actions(player, &mut actions);
        let mut view = View::new(state, player);
        let mut chosen = Vec::new();
        loop {
            actions.retain(|&action| state.goes_with(player, &chosen, action));
            let Some(&best) = actions.iter().rev().max_by_key(|action| view.score(action)) else { break };
            if best.kind == Kind::Harvester {
                view.tended.insert(best.to.step(best.dir));
            }
            chosen.push(best);
        }
        state.combine(player, &chosen)
    }
}

/// The data that scores depend on.
struct View<'a> {
    state: &'a State,
    player: Player,
    /// The cells that harvesters face, including those of the actions chosen in this turn.
    tended: Cells,
    income: [i32; 4],
    /// For each cell, the number of steps over free cells to the nearest source without a harvester, at most [`FAR`].
    steps: Vec<i32>,
}

const FAR: i32 = 20;

impl<'a> View<'a> {
    fn new(state: &'a State, player: Player) -> View<'a> {
        let tended = state.harvested(player);
        let mut steps = vec![FAR; crate::MAX_WIDTH * crate::MAX_HEIGHT];
        let mut reached = state.sources().without(tended);
        let mut rim = reached;
        for distance in 0..FAR {
            for cell in rim {
                steps[index(cell)] = distance;
            }
            let next = Dir::ALL.iter().fold(Cells::EMPTY, |all, &dir| all | rim.shifted(dir));
            rim = (next & state.free()).without(reached);
            reached |= rim;
        }
        View { state, player, tended, income: state.income(player), steps }
    }

    fn score(&self, action: &Action) -> i32 {
        let state = self.state;
        let stock = state.stock(self.player);
        let target = action.to.step(action.dir);
        let place = self.place(action.to);
        let use_of_organ = match action.kind {
            Kind::Basic => 3,
            Kind::Tentacle => match state.content(target) {
                Content::Organ { owner, .. } if owner != self.player => {
                    200 + 20 * state.doomed(owner, [target].into_iter().collect()).len() as i32
                }
                _ => 0,
            },
            Kind::Harvester => match state.content(target) {
                Content::Source(protein) if !self.tended.has(target) => {
                    80 + if self.income[protein as usize] == 0 { 40 } else { 0 }
                }
                _ => -20,
            },
            Kind::Sporer => {
                let pays_for_root =
                    (0..4).all(|at| stock[at] >= Kind::Sporer.cost()[at] + Kind::Root.cost()[at]);
                let line = spore_line_from(state, action.to, action.dir).count() as i32;
                if pays_for_root && line >= 4 && state.sporers(self.player).is_empty() {
                    40 + line
                } else {
                    -20
                }
            }
            Kind::Root => 40 + 2 * action.from.distance(action.to) as i32,
        };
        place + use_of_organ
    }

    /// Returns the value of a cell as the place of an organ of any type.
    fn place(&self, cell: Cell) -> i32 {
        let state = self.state;
        let stock = state.stock(self.player);
        let around = Dir::ALL.iter().filter(|&&dir| state.free().has(cell.step(dir))).count() as i32;
        let intake = match state.content(cell) {
            Content::Source(_) if self.tended.has(cell) => -60,
            Content::Source(protein) if stock[protein as usize] < 2 => 25,
            Content::Source(_) => 8,
            _ => 0,
        };
        intake + around + (FAR - self.steps[index(cell)])
    }
}

fn index(cell: Cell) -> usize {
    cell.y() * crate::MAX_WIDTH + cell.x()
}
