//! Inputs on trial: slow functions of a state, in every dataset beside the evaluation's own.
//!
//! An idea is one line in [`EXPERIMENTAL`] and a function below, in whatever way is quickest to write.
//! `contender dataset fit` says what it adds to R-squared; one that pays is then written fast, with this one as its
//! twin, as an input of the evaluation.

use contender_entropy::evaluation::plain::{self, Board};
use contender_entropy::{Colour, Move, NextTurn, SIZE, Scoring, State};
use contender_game::rules::Game;

/// An input on trial.
pub type Input = fn(&State) -> f64;

/// Names and functions of the inputs on trial.
pub const EXPERIMENTAL: &[(&str, Input)] = &[
    ("coming_points", coming_points),
    ("open_stretches", open_stretches),
    ("two_moves", two_moves),
    ("line_pairs", line_pairs),
];

/// The board's rows and columns.
fn lines(board: &Board) -> Vec<[Colour; SIZE]> {
    let rows = board.iter().copied();
    let column = |column: usize| {
        let mut line = [0; SIZE];
        (0..SIZE).for_each(|row| line[row] = board[row][column]);
        line
    };
    rows.chain((0..SIZE).map(column)).collect()
}

/// The same board with another actor.
fn with_turn(state: &State, turn: NextTurn) -> Option<State> {
    State::from_cells(&plain::board(state), turn, Scoring::Rules).ok()
}

/// The points that the next chip would score, summed over all empty cells: the mean over the chips that may come.
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

/// Stretches of three to seven cells that may still become palindromes: some two chips mirror each other in them, none
/// differ. Longer ones count more, by their length.
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

/// The most that two slides in a row gain.
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

/// Pairs of chips of one colour in one row or column.
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
        // A row 1.1.... : one pair in a line, open as 1.1, 1.1.* around other middles not.
        let one = state("1.1..../......./......./......./......./......./....... o");
        assert_eq!(line_pairs(&one), 1.0);
        assert_eq!(open_stretches(&one), 3.0);
        // Two slides bring the chips together in no better way than one.
        assert_eq!(two_moves(&one), 2.0);
        // A 1 beside a 1, in any of the empty cells: 4 in the row (0 outside), two below.
        let two = state("11...../......./......./......./......./......./.......");
        let by_hand = {
            // Only chips of colour 1 and those that make no difference: 5 of 47 chips score. 111 adds 2 + 3, below a 1
            // adds 2.
            f64::from(5 + 2 + 2) * 5.0 / 47.0
        };
        assert!((coming_points(&two) - by_hand).abs() < 1e-9, "{} {by_hand}", coming_points(&two));
    }
}
