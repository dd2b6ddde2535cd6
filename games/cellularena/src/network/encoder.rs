//! The network's input: 93 channels over the cells of the board, as in the write-up of the contest's winner.
//!
//! | channels | contents |
//! |---|---|
//! | 0 to 5 | the cell is empty, a wall, a source of A, B, C, D |
//! | 6 to 19, 20 to 33 | the kind of the player's organ, of the enemy's organ in the cell |
//! | 34 to 37 | player: the direction of the organ's parent |
//! | 38 to 51 | player: the kinds that can be grown in the cell next turn |
//! | 52 | player: number of organs that die if this one is hit |
//! | 53 to 62 | player: 4 stocks, 4 incomes, number of organs, number of proteins |
//! | 63 to 91 | enemy: the channels 34 to 62 |
//! | 92 | number of turns played |
//!
//! The 14 kinds are those of [`kinds`](super::kinds): root, basic, and harvester, tentacle and sporer with each
//! direction. Stocks, incomes, scores and the turn are constant over the board. Everything is from the view of the
//! player (see [`View`]).
//!
//! Source: reCurse, "Winter Challenge 2024 post-mortem" (gist fea106bea9c55389706e959b97f956c0). The scales are our
//! own, because the source does not contain any.

use super::kinds::{kind_number, BASIC, KINDS, ROOT};
use super::view::View;
use crate::rules::AREA;
use crate::{spore_line, Cells, Content, Dir, Kind, State};
use contender_game::rules::Player;
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;

/// Number of channels of the input.
pub const PLANES: usize = 93;

/// The first channel for the player's organs, and the first channel for the enemy's organs.
const ORGANS: [u16; 2] = [6, 20];
/// The first channel for other data about the player, and the first channel for other data about the enemy.
const PLAYERS: [u16; 2] = [34, 63];
/// Offsets from a channel in [`PLAYERS`]: the directions of parents, the kinds that can grow, the numbers of organs
/// that die with an organ, and then the constant channels.
const GROWABLE: u16 = 4;
const CRITICAL: u16 = 18;
const SPREAD: u16 = 19;
const TURN: u16 = 92;

/// Scales a number so that common values are about 1.
#[inline]
fn scaled(number: i64) -> f32 {
    0.4 * (1.0 + number.max(0) as f32).ln()
}

/// Writes the network's input for a position into `input`.
pub fn encode(state: &State, view: &View, input: &mut Planes) {
    let (width, height) = view.size();
    input.clear(Size { width, height });
    let players = [view.player(), view.player().other()];
    for (side, &player) in players.iter().enumerate() {
        let first = PLAYERS[side] + SPREAD;
        let income = state.income(player);
        for ((channel, &stock), income) in (first..).zip(state.stock(player)).zip(income) {
            input.spread(channel, scaled(i64::from(stock)));
            input.spread(channel + 4, 0.5 * income as f32);
        }
        input.spread(first + 8, 0.04 * state.organ_count(player) as f32);
        input.spread(first + 9, scaled(state.protein_count(player)));
    }
    input.spread(TURN, 0.01 * state.turns() as f32);

    let known = players.map(|player| Known::new(state, player));
    for y in 0..height {
        for x in 0..width {
            let cell = view.cell_on_board(x, y);
            match state.content(cell) {
                Content::Wall => input.set(1, 1.0),
                Content::Organ { owner, kind, dir } => {
                    let side = usize::from(owner != view.player());
                    input.set(ORGANS[side] + kind_number(kind, view.dir(dir)) as u16, 1.0);
                    if let Some(parent) = state.parent(cell) {
                        let towards = Dir::ALL.into_iter().find(|&dir| cell.step(dir) == parent);
                        if let Some(dir) = towards {
                            input.set(PLAYERS[side] + view.dir(dir) as u16, 1.0);
                        }
                    }
                    let dependents = known[side].dependents[cell.index()];
                    input.set(PLAYERS[side] + CRITICAL, scaled(i64::from(dependents)));
                }
                content => {
                    input.set(
                        if let Content::Source(protein) = content { 2 + protein as u16 } else { 0 },
                        1.0,
                    );
                    for (side, known) in known.iter().enumerate() {
                        let first = PLAYERS[side] + GROWABLE;
                        if known.grown.has(cell) {
                            known.kinds.iter().for_each(|&kind| input.set(first + kind, 1.0));
                        }
                        if known.shot.has(cell) {
                            input.set(first + ROOT as u16, 1.0);
                        }
                    }
                }
            }
            input.end_cell();
        }
    }
}

/// Facts about a player that are collected before the pass over the cells.
struct Known {
    /// The cells that an organ can grow onto.
    grown: Cells,
    /// The kinds of organs that the stock can pay for.
    kinds: Vec<u16>,
    /// The cells that a root can be shot to.
    shot: Cells,
    /// For each organ, the number of organs that die with it, including itself.
    dependents: [u16; AREA],
}

impl Known {
    fn new(state: &State, player: Player) -> Known {
        let organs = state.organ_cells(player);
        let open = state.open(player);
        let around = Dir::ALL.iter().fold(Cells::EMPTY, |all, &dir| all | organs.shifted(dir));
        let stock = state.stock(player);
        let mut kinds = Vec::with_capacity(KINDS);
        for kind in [Kind::Basic, Kind::Harvester, Kind::Tentacle, Kind::Sporer] {
            if kind.is_paid_by(stock) {
                let first = kind_number(kind, Dir::N) as u16;
                kinds.extend(first..first + if usize::from(first) == BASIC { 1 } else { 4 });
            }
        }
        let mut shot = Cells::EMPTY;
        if Kind::Root.is_paid_by(stock) {
            for sporer in state.sporers(player) {
                shot |= spore_line(state, sporer).filter(|&cell| open.has(cell)).collect();
            }
        }
        Known { grown: around & open, kinds, shot, dependents: state.subtree_sizes(player) }
    }
}
