//! Moves that combine many units' actions.

use contender_game::rules::{Combined, Player, Rng, Simultaneous};
use contender_search::combine;

/// Units 0 to 3 each may take one of two targets; a target is taken by one unit at most.
#[derive(Clone)]
struct Units;

impl Simultaneous for Units {
    type Move = Vec<(u8, u8)>;

    fn is_over(&self) -> bool {
        false
    }

    fn moves(&self, _: Player, _: &mut Vec<Self::Move>) {}

    fn play(&mut self, _: [&Self::Move; 2]) {}

    fn points(&self) -> [i32; 2] {
        [0; 2]
    }

    fn random_move(&self, _: Player, _: &mut Rng) -> Self::Move {
        Vec::new()
    }
}

impl Combined for Units {
    type Action = (u8, u8);

    fn actions(&self, _: Player, actions: &mut Vec<(u8, u8)>) {
        actions.extend((0..4).flat_map(|unit| [(unit, unit), (unit, unit + 1)]));
    }

    fn goes_with(&self, _: Player, chosen: &[(u8, u8)], next: (u8, u8)) -> bool {
        chosen.iter().all(|&(unit, target)| unit != next.0 && target != next.1)
    }

    fn combine(&self, _: Player, chosen: &[(u8, u8)]) -> Self::Move {
        let mut mv = chosen.to_vec();
        mv.sort_unstable();
        mv
    }
}

/// The completed empty choice, then completed choices that must have the second action, the third, and so on.
fn candidates(player: Player, ordered: &[(u8, u8)], count: usize) -> Vec<Vec<(u8, u8)>> {
    combine::variants(&Units, player, &[], ordered, ordered.get(1..).unwrap_or_default(), count)
}

#[test]
fn combined_moves_are_made_by_masking() {
    let ordered = [(1, 2), (2, 2), (0, 1), (1, 1), (3, 3)];
    let moves = candidates(Player::Zero, &ordered, 10);
    assert_eq!(
        moves,
        [vec![(0, 1), (1, 2), (3, 3)], vec![(0, 1), (2, 2), (3, 3)], vec![(1, 1), (2, 2), (3, 3)]]
    );
    assert_eq!(candidates(Player::Zero, &ordered, 2).len(), 2);
    assert_eq!(candidates(Player::Zero, &[], 2), [Vec::new()]);
    let mut rng = Rng::new(3);
    for _ in 0..500 {
        let mut ordered = Vec::new();
        Units.actions(Player::One, &mut ordered);
        rng.shuffle(&mut ordered);
        let moves = candidates(Player::One, &ordered, 5);
        for (at, mv) in moves.iter().enumerate() {
            assert!(!moves[..at].contains(mv));
            // It is complete: nothing goes with it any more.
            assert!(ordered.iter().all(|&action| !Units.goes_with(Player::One, mv, action)));
        }
    }
}

/// All actions together: how many different targets' worths they collect, so that gains shrink.
fn coverage(worths: &[[f64; 6]], chosen: &[(u8, u8)]) -> f64 {
    (0..6)
        .map(|at| {
            chosen.iter().map(|&(unit, target)| worths[usize::from(unit + target)][at]).fold(0.0, f64::max)
        })
        .sum::<f64>()
        - 0.3 * chosen.len() as f64
}

#[test]
fn moves_are_built_like_by_trying_all_again_every_time() {
    let mut rng = Rng::new(4);
    let mut lengths = [0; 5];
    let (mut asked, mut slow_asked) = (0, 0);
    for _ in 0..3_000 {
        let worths: Vec<[f64; 6]> =
            (0..8).map(|_| std::array::from_fn(|_| f64::from(rng.below(8)) / 8.0)).collect();
        let mut actions = Vec::new();
        Units.actions(Player::Zero, &mut actions);
        rng.shuffle(&mut actions);
        let found = combine::build(&Units, Player::Zero, &actions, |chosen| {
            asked += 1;
            coverage(&worths, chosen)
        });
        let mut slow: Vec<(u8, u8)> = Vec::new();
        loop {
            let now = coverage(&worths, &slow);
            let gain = |&action: &(u8, u8)| {
                slow_asked += 1;
                let with: Vec<(u8, u8)> = slow.iter().copied().chain([action]).collect();
                coverage(&worths, &with) - now
            };
            let possible: Vec<(u8, u8)> = actions
                .iter()
                .copied()
                .filter(|&action| Units.goes_with(Player::Zero, &slow, action))
                .collect();
            let gains: Vec<f64> = possible.iter().map(gain).collect();
            let best = gains.iter().copied().fold(0.0, f64::max);
            if best <= 1e-12 {
                break;
            }
            let near = |at: &usize| (gains[*at] - best).abs() < 1e-12;
            // Of equal gains the one that is larger alone, then the first offered.
            let alone = |action: (u8, u8)| coverage(&worths, &[action]);
            let at = (0..gains.len()).filter(near).reduce(|a, b| {
                if alone(possible[b]) > alone(possible[a]) + 1e-12 {
                    b
                } else {
                    a
                }
            });
            slow.push(possible[at.expect("some action has the best gain")]);
        }
        let worth = |chosen: &[(u8, u8)]| coverage(&worths, chosen);
        assert!((worth(&found.chosen) - worth(&slow)).abs() < 1e-9, "{:?} and {slow:?}", found.chosen);
        lengths[slow.len()] += 1;
        assert_eq!(found.alone.len(), actions.len());
        assert!(found.alone.windows(2).all(|pair| pair[0].1 >= pair[1].1));
        assert!(found.alone.iter().all(|&(action, gain)| gain == coverage(&worths, &[action])));
    }
    assert!(asked < slow_asked, "{asked} and {slow_asked}");
    assert!(lengths[1..4].iter().all(|&count| count > 10), "{lengths:?}");
}

#[test]
fn variants_keep_what_they_must_have() {
    let best = [(1, 2), (3, 3)];
    let ordered = [(1, 2), (0, 1), (2, 2), (3, 3), (1, 1)];
    let moves = combine::variants(&Units, Player::Zero, &best, &ordered, &[(2, 2), (1, 1), (0, 1)], 9);
    let expected = [vec![(0, 1), (1, 2), (3, 3)], vec![(0, 1), (2, 2), (3, 3)], vec![(1, 1), (2, 2), (3, 3)]];
    assert_eq!(moves, expected);
    assert_eq!(combine::variants(&Units, Player::Zero, &[], &[], &[(2, 2)], 9), [vec![], vec![(2, 2)]]);
}
