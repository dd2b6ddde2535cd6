//! Perft, the standard test of move generators, counts sequences of decisions. A count that overflows becomes the
//! maximum value of its type.

use crate::rules::{Chance, Game, Player, Simultaneous, Turn};

/// Returns the number of sequences of exactly `depth` legal moves in a game without chance. Games that end earlier are
/// not counted.
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::TicTacToe;
/// use contender_game::rules::perft;
///
/// assert_eq!([1, 2, 3].map(|depth| perft(&TicTacToe::default(), depth)), [9, 9 * 8, 9 * 8 * 7]);
/// ```
pub fn perft<G: Game>(state: &G, depth: u32) -> u64 {
    perft_weighted(state, depth, &|_| unreachable!("chance acts in a game without `Chance`"))
}

/// Returns the number of sequences of exactly `depth` decisions. Players' moves and outcomes of chance are both
/// decisions.
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Dice;
/// use contender_game::rules::perft_chance;
///
/// // Player 0 stops or rolls; then player 1 decides, or one of three faces comes up.
/// assert_eq!(perft_chance(&Dice::default(), 2), 2 + 3);
/// ```
pub fn perft_chance<G: Chance>(state: &G, depth: u32) -> u64 {
    let resolved = |state: &G| {
        let mut outcomes = Vec::new();
        state.outcomes(&mut outcomes);
        let resolve = |(outcome, _)| {
            let mut child = state.clone();
            child.resolve(outcome);
            (child, 1)
        };
        outcomes.into_iter().map(resolve).collect()
    };
    perft_weighted(state, depth, &resolved)
}

/// Counts sequences like [`perft`], but visits equivalent outcomes of chance only once. `chance` returns the states
/// after chance has acted, each with the number of outcomes that it represents. Outcomes are equivalent if they are
/// followed by the same number of sequences.
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Dice;
/// use contender_game::rules::{perft_chance, perft_weighted, Chance};
///
/// // After the first roll, a player always decides next, so the face 1 stands for the face 2, too.
/// let faces = |state: &Dice| {
///     [(1, 2), (3, 1)].map(|(face, weight)| {
///         let mut child = state.clone();
///         child.resolve(face);
///         (child, weight)
///     }).to_vec()
/// };
/// let rolling = Dice { rolling: true, ..Dice::default() };
/// assert_eq!(perft_weighted(&rolling, 2, &faces), perft_chance(&rolling, 2));
/// ```
pub fn perft_weighted<G: Game>(state: &G, depth: u32, chance: &dyn Fn(&G) -> Vec<(G, u64)>) -> u64 {
    count(state, depth, chance, &mut Vec::new())
}

fn count<G: Game>(
    state: &G,
    depth: u32,
    chance: &dyn Fn(&G) -> Vec<(G, u64)>,
    stack: &mut Vec<G::Move>,
) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.turn() == Turn::Chance {
        let after = chance(state).into_iter();
        let sequences =
            after.map(|(child, weight)| weight.saturating_mul(count(&child, depth - 1, chance, stack)));
        return sequences.fold(0, u64::saturating_add);
    }
    let start = stack.len();
    if depth == 1 {
        return state.move_count(stack) as u64;
    }
    state.moves(stack);
    let mut total = 0u64;
    for at in start..stack.len() {
        let mut child = state.clone();
        child.play(stack[at]);
        total = total.saturating_add(count(&child, depth - 1, chance, stack));
    }
    stack.truncate(start);
    total
}

/// Counts the sequences of `depth` decisions in a simultaneous game. A decision is one player's part of a turn. The
/// players decide one after the other, so two decisions make a turn.
///
/// ```
/// # #[path = "../../tests/toy_games/mod.rs"] mod toys;
/// # use toys::Goofspiel;
/// use contender_game::rules::perft_joint;
///
/// // Both players choose one of three cards, then one of two.
/// assert_eq!(perft_joint(&Goofspiel::new(3, 0), 4), 3 * 3 * 2 * 2);
/// ```
pub fn perft_joint<G: Simultaneous>(state: &G, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.is_over() {
        return 0;
    }
    let [zero, one] = Player::BOTH.map(|player| {
        let mut moves = Vec::new();
        state.moves(player, &mut moves);
        moves
    });
    match depth {
        1 => zero.len() as u64,
        2 => zero.len() as u64 * one.len() as u64,
        _ => {
            let pairs = zero.iter().flat_map(|first| one.iter().map(move |second| [first, second]));
            let after = pairs.map(|pair| {
                let mut child = state.clone();
                child.play(pair);
                perft_joint(&child, depth - 2)
            });
            after.fold(0, u64::saturating_add)
        }
    }
}
