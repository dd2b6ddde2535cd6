//! All actions of an organism, and random actions.

use super::{spore_line, Action, Cell, Cells, Dir, Kind, State, Stock};
use contender_game::rules::{Player, Rng};

/// Returns the organs that can grow with a stock, as types with directions. The direction is N if the direction makes
/// no difference.
fn growths(stock: &Stock) -> impl Iterator<Item = (Kind, Dir)> {
    let kinds = [Kind::Basic, Kind::Tentacle, Kind::Harvester, Kind::Sporer];
    let stock = *stock;
    kinds.into_iter().filter(move |kind| kind.is_paid_by(&stock)).flat_map(|kind| {
        let dirs = if kind == Kind::Basic { 1 } else { 4 };
        Dir::ALL[..dirs].iter().map(move |&dir| (kind, dir))
    })
}

impl State {
    /// Returns the cells onto which the player may grow or shoot.
    #[inline]
    #[must_use]
    pub fn open(&self, player: Player) -> Cells {
        self.free().without(self.guarded(player.other()))
    }

    /// Returns the organisms of a player, each as the cell of its root, in ascending order.
    pub fn organisms(&self, player: Player) -> impl Iterator<Item = Cell> {
        self.roots(player).iter()
    }

    /// Appends every action of one organism that `stock` pays for: growths in ascending order of targets, then spores.
    pub fn organism_actions(&self, player: Player, root: Cell, stock: &Stock, actions: &mut Vec<Action>) {
        let organs = self.organism_cells(player, root);
        let open = self.open(player);
        let growths: Vec<(Kind, Dir)> = growths(stock).collect();
        let neighbours = Dir::ALL.iter().fold(Cells::EMPTY, |all, &dir| all | organs.shifted(dir));
        for to in neighbours & open {
            for side in Dir::ALL {
                let from = to.step(side);
                if organs.has(from) {
                    actions.extend(growths.iter().map(|&(kind, dir)| Action { from, to, kind, dir }));
                }
            }
        }
        if Kind::Root.is_paid_by(stock) {
            for from in organs & self.sporers(player) {
                let targets = spore_line(self, from).filter(|&to| open.has(to));
                actions.extend(targets.map(|to| Action { from, to, kind: Kind::Root, dir: Dir::N }));
            }
        }
    }

    /// Appends a random choice for each organism in turn. The choice is uniform among waiting and all actions of the
    /// organism that can still be paid for and have a free target cell. The function allocates memory only for
    /// `actions`.
    pub fn random_actions(&self, player: Player, rng: &mut Rng, actions: &mut Vec<Action>) {
        let mut stock = *self.stock(player);
        let mut open = self.open(player);
        for root in self.organisms(player) {
            if let Some(action) = self.random_action(player, root, &stock, open, rng) {
                action.kind.pay(&mut stock);
                open.remove(action.to);
                actions.push(action);
            }
        }
    }

    fn random_action(
        &self,
        player: Player,
        root: Cell,
        stock: &Stock,
        open: Cells,
        rng: &mut Rng,
    ) -> Option<Action> {
        let ways = growths(stock).count() as u32;
        let can_shoot = Kind::Root.is_paid_by(stock);
        if ways == 0 {
            return None;
        }
        let organs = self.organism_cells(player, root);
        let targets = Dir::ALL.map(|dir| organs.shifted(dir) & open);
        let steps: u32 = targets.iter().map(Cells::len).sum();
        let sporers = if can_shoot { organs & self.sporers(player) } else { Cells::EMPTY };
        let shots: u32 = sporers.iter().map(|from| self.shots(from, open)).sum();
        let mut pick = rng.below(1 + steps * ways + shots).checked_sub(1)?;
        if pick < steps * ways {
            let (kind, dir) = growths(stock).nth((pick % ways) as usize)?;
            pick /= ways;
            for (side, cells) in Dir::ALL.into_iter().zip(&targets) {
                let count = cells.len();
                if pick < count {
                    let to = cells.nth(pick);
                    return Some(Action { from: to.step(side.opposite()), to, kind, dir });
                }
                pick -= count;
            }
        }
        pick -= steps * ways;
        for from in sporers {
            let count = self.shots(from, open);
            if pick < count {
                let to = spore_line(self, from).filter(|&to| open.has(to)).nth(pick as usize)?;
                return Some(Action { from, to, kind: Kind::Root, dir: Dir::N });
            }
            pick -= count;
        }
        unreachable!("the pick is below the number of actions")
    }

    fn shots(&self, sporer: Cell, open: Cells) -> u32 {
        spore_line(self, sporer).filter(|&to| open.has(to)).count() as u32
    }
}
