//! Helpers for games as text.

use contender_boxes::notation::parse_full_move;
use contender_boxes::{Colour, Placement, State};
use contender_game::rules::{Chance, Game, Turn};

/// Plays the moves, the start tile first, and returns the state after each of them.
///
/// # Panics
/// Panics if a move is malformed or illegal, or comes after the end of the game.
pub fn play(colours: [Colour; 2], moves: &str) -> Vec<State> {
    let mut moves = moves.split_whitespace().map(|text| parse_full_move(text).unwrap());
    let (placement, start) = moves.next().unwrap();
    assert_eq!(placement, Placement::START);
    let mut states = vec![State::new(colours, start)];
    for (placement, tile) in moves {
        let mut state = states[states.len() - 1].clone();
        assert_eq!(state.turn(), Turn::Chance, "{placement} comes after the end");
        assert!(state.is_legal(placement), "{placement} is not legal");
        state.resolve(tile);
        state.play(placement);
        states.push(state);
    }
    states
}

/// Returns the number of legal placements, which do not depend on the tile.
pub fn legal_count(state: &State) -> usize {
    state.legal().iter().map(|corners| contender_boxes::cells::count(corners) as usize).sum()
}
