//! Experimental inputs: slow functions of a state that every dataset contains in addition to the evaluation's own
//! inputs.
//!
//! An idea is one line in [`EXPERIMENTAL`] and a function below, written in the simplest way.
//! `contender-lab dataset fit` shows how much the input adds to R-squared. A useful input is then rewritten for speed
//! as an input of the evaluation, with the version here as its reference implementation.

use contender_entropy::evaluation::plain::{self, Board};
use contender_entropy::{Colour, Move, NextTurn, SIZE, Scoring, State};
use contender_game::rules::Game;

/// An experimental input.
pub type Input = fn(&State) -> f64;

/// Names and functions of the experimental inputs.
pub const EXPERIMENTAL: &[(&str, Input)] = &[
    ("coming_points", coming_points),
    ("open_stretches", open_stretches),
    ("two_moves", two_moves),
    ("line_pairs", line_pairs),
];

/// Returns the board's rows and columns.
fn lines(board: &Board) -> Vec<[Colour; SIZE]> {
    let rows = board.iter().copied();
    let column = |column: usize| {
        let mut line = [0; SIZE];
        (0..SIZE).for_each(|row| line[row] = board[row][column]);
        line
    };
    rows.chain((0..SIZE).map(column)).collect()
}

/// Returns the same board with another player to move.
fn with_turn(state: &State, turn: NextTurn) -> Option<State> {
    State::from_cells(&plain::board(state), turn, Scoring::Rules).ok()
}

/// Returns the points that the next chip would score, summed over all empty cells and averaged over the possible chips.
fn coming_points(state: &State) -> f64 {
    let left: u32 = (1..=7).map(|colour| state.left(colour)).sum();
    let of_colour = |colour: Colour| {
        let Some(chaos) = with_turn(state, NextTurn::Chaos(colour)) else { return 0.0 };
        let mut moves = Vec::new();
        chaos.moves(&mut moves);
        let gains = moves.iter().map(|&mv| chaos.score_after(mv) - state.score()).sum::<i32>();
        f64::from(gains) * f64::from(state.left(colour)) / f64::from(left)
    };
    (1..=7).filter(|&colour| state.left(colour) > 0).map(of_colour).sum()
}

/// Returns a measure of stretches of three to seven cells that can still become palindromes: at least one pair of chips
/// mirrors each other, and no pair differs. Each stretch counts its length.
fn open_stretches(state: &State) -> f64 {
    let mut sum = 0;
    for line in lines(&plain::board(state)) {
        for length in 3..=SIZE {
            for stretch in line.windows(length) {
                let pairs = || stretch.iter().zip(stretch.iter().rev()).take(length / 2);
                let is_open = pairs().all(|(a, b)| a == b || *a == 0 || *b == 0);
                let has_pair = pairs().any(|(a, b)| a == b && *a != 0);
                if is_open && has_pair && stretch.contains(&0) {
                    sum += length;
                }
            }
        }
    }
    sum as f64
}

/// Returns the maximum gain of two slides in a row.
fn two_moves(state: &State) -> f64 {
    let Some(order) = with_turn(state, NextTurn::Order) else { return 0.0 };
    let best = |state: &State| {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves.iter().map(|&mv| state.score_after(mv)).max().unwrap_or(state.score())
    };
    let mut moves = Vec::new();
    order.moves(&mut moves);
    let mut most = best(&order);
    for mv in moves.into_iter().filter(|&mv| mv != Move::Pass) {
        let mut after = order.clone();
        after.play(mv);
        most = most.max(with_turn(&after, NextTurn::Order).map_or(0, |again| best(&again)));
    }
    f64::from(most - state.score())
}

/// Returns the number of pairs of chips with the same colour in one row or column.
fn line_pairs(state: &State) -> f64 {
    let pairs = |line: [Colour; SIZE]| {
        let of_colour = |colour| line.iter().filter(|&&cell| cell == colour).count();
        (1..=7).map(of_colour).map(|count| count * count.saturating_sub(1) / 2).sum::<usize>()
    };
    lines(&plain::board(state)).into_iter().map(pairs).sum::<usize>() as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_entropy::position;

    fn state(text: &str) -> State {
        position::parse_state(text, Scoring::Rules).unwrap()
    }

    #[test]
    fn values_by_hand() {
        // The row 1.1.... has one pair. The stretch 1.1 is open; the longer stretches with another centre are not.
        let one = state("1.1..../......./......./......./......./......./....... o");
        assert_eq!(line_pairs(&one), 1.0);
        assert_eq!(open_stretches(&one), 3.0);
        // One slide brings the chips together, and a second one gains nothing more.
        assert_eq!(two_moves(&one), 2.0);
        // A 1 in the third cell of the row scores, and so does a 1 below either of the two.
        let two = state("11...../......./......./......./......./......./.......");
        let by_hand = {
            // Only chips of colour 1 score: 5 of the 47 remaining chips. In the third cell they form 11 and 111, which
            // add 2 + 3; below a 1 they add 2.
            f64::from(5 + 2 + 2) * 5.0 / 47.0
        };
        assert!((coming_points(&two) - by_hand).abs() < 1e-9, "{} {by_hand}", coming_points(&two));
    }
}
