//! The look-ahead after a placement: the opponent's reply with one tile, then the bot's best placement averaged over
//! all tiles.

use super::board::Board;
use super::placements::{mean_best, Gains, Placements};
use super::settings::ChampionSettings;
use super::worth::POINT;
use crate::shape::Shape;
use crate::{Placement, COLOURS};
use contender_search::{SearchBudget, Stopped};

/// A possible colour of the opponent and a kind of tile. The kind is given by the positions of the two players' colours
/// in the tile.
#[derive(Clone, Copy, Debug)]
pub struct Trial {
    pub colour: usize,
    pub own: usize,
    pub other: usize,
}

/// A board after a placement, and the gains of the opponent's replies.
pub struct After {
    shape: Shape,
    own: Board,
    replies: Placements,
    own_gains: Vec<Gains>,
    /// The colours that the opponent is likely to have; `None` for all other colours.
    others: Vec<Option<Other>>,
}

/// A colour that the opponent may have.
struct Other {
    board: Board,
    gains: Vec<Gains>,
    /// The bot's lead over this colour in points before the placement.
    base: f32,
}

/// Returns the lead of `own`, in points.
pub fn lead(own: &Board, other: &Board) -> f32 {
    (own.value() - other.value()) / POINT
}

impl After {
    /// Creates the board after placing a tile that has the colours in these positions. `boards` are the boards of all
    /// colours before the placement.
    pub fn new(
        placement: Placement,
        before: &Shape,
        boards: &[Board],
        own: usize,
        likely: &[usize],
        positions: [usize; COLOURS],
    ) -> After {
        let shape = before.with(placement);
        let mut replies = Placements::default();
        replies.find(&shape);
        let of = |colour: usize| {
            let mut board = boards[colour].clone();
            board.play(placement, positions[colour], before, &shape);
            let mut gains = Vec::new();
            replies.gains(&board, &mut gains);
            (board, gains)
        };
        let (own_board, own_gains) = of(own);
        let mut others = Vec::new();
        others.resize_with(COLOURS, || None);
        for &colour in likely {
            let (board, gains) = of(colour);
            others[colour] = Some(Other { board, gains, base: lead(&boards[own], &boards[colour]) });
        }
        After { shape, own: own_board, replies, own_gains, others }
    }

    fn other(&self, colour: usize) -> &Other {
        self.others[colour].as_ref().expect("trials are of likely colours")
    }

    /// Returns by how many points the bot's lead changes through the placement, the reply and the bot's best next
    /// placement.
    ///
    /// # Errors
    /// Returns an error if the meter stops the search.
    pub fn value(
        &self,
        trial: Trial,
        settings: &ChampionSettings,
        placements: &mut Placements,
        gains: &mut [Vec<Gains>; 2],
        meter: &mut SearchBudget,
    ) -> Result<f32, Stopped> {
        let other = self.other(trial.colour);
        let worth =
            |at: usize| other.gains[at][trial.other] - settings.denial * self.own_gains[at][trial.own];
        let mut replies: Vec<usize> = (0..self.replies.list.len()).collect();
        let count = settings.replies.min(replies.len());
        if count == 0 {
            meter.count()?;
            return Ok(lead(&self.own, &other.board) - other.base);
        }
        if count < replies.len() {
            replies.select_nth_unstable_by(count - 1, |&a, &b| worth(b).total_cmp(&worth(a)).then(a.cmp(&b)));
        }
        let mut least = f32::INFINITY;
        for &at in &replies[..count] {
            meter.count()?;
            let reply = self.replies.list[at];
            let shape = self.shape.with(reply);
            placements.find(&shape);
            let mut boards = [self.own.clone(), other.board.clone()];
            for ((board, position), gains) in boards.iter_mut().zip([trial.own, trial.other]).zip(&mut *gains)
            {
                board.play(reply, position, &self.shape, &shape);
                placements.gains(board, gains);
            }
            least = least.min(lead(&boards[0], &boards[1]) + mean_best(&gains[0], &gains[1]));
        }
        Ok(least - other.base)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Colour, State, Tile};
    use contender_game::rules::{Chance, Game, Rng, Turn};
    use contender_search::SearchLimits;

    /// Returns the lead and the gains of every placement for both colours, from newly created boards.
    fn fresh(state: &State, colours: [usize; 2]) -> (f32, [Vec<Gains>; 2]) {
        let shape = Shape::of(state);
        let mut placements = Placements::default();
        placements.find(&shape);
        let [own, other] = colours.map(|colour| Board::new(state.cells_of(colour as Colour), &shape));
        let mut gains = [Vec::new(), Vec::new()];
        placements.gains(&own, &mut gains[0]);
        placements.gains(&other, &mut gains[1]);
        (lead(&own, &other), gains)
    }

    #[test]
    fn the_value_is_that_of_the_worst_reply() {
        let mut rng = Rng::new(1);
        let settings = ChampionSettings { replies: Placement::COUNT, ..ChampionSettings::DEFAULT };
        for _ in 0..12 {
            let mut state = State::random(&mut rng);
            while state.turn() != Turn::Over {
                let tile = state.random_outcome(&mut rng, &mut Vec::new());
                state.resolve(tile);
                let placement = state.random_move(&mut rng, &mut Vec::new());
                let colours = state.colours().map(usize::from);
                let before = Shape::of(&state);
                let boards: Vec<Board> = (0..COLOURS)
                    .map(|colour| Board::new(state.cells_of(colour as Colour), &before))
                    .collect();
                let positions = [0, 1, 2, 3, 4, 5].map(|colour| tile.position(colour));
                let after = After::new(placement, &before, &boards, colours[0], &[colours[1]], positions);
                let base = fresh(&state, colours).0;
                state.play(placement);

                let next = Tile::from_index(rng.index(Tile::COUNT));
                let [own, other] = state.colours().map(|colour| next.position(colour));
                let mut meter = SearchBudget::new(&SearchLimits::NONE);
                let trial = Trial { colour: colours[1], own, other };
                let (mut placements, mut gains) = (Placements::default(), [Vec::new(), Vec::new()]);
                let value = after.value(trial, &settings, &mut placements, &mut gains, &mut meter).unwrap();

                let mut least = f32::INFINITY;
                if state.turn() == Turn::Over {
                    least = fresh(&state, colours).0;
                } else {
                    let mut open = state.clone();
                    open.resolve(next);
                    let mut moves = Vec::new();
                    open.moves(&mut moves);
                    for reply in moves {
                        let mut child = open.clone();
                        child.play(reply);
                        let (lead, [own, other]) = fresh(&child, colours);
                        least = least.min(lead + mean_best(&own, &other));
                    }
                }
                assert_eq!(value, least - base);
            }
        }
    }
}
