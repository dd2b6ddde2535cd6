//! Compares the beam search over choices with its definition.

use contender_cellularena::network::policy::{candidates, logit, Choices, Pick, WAIT};
use contender_cellularena::network::{shape, Symmetry, View};
use contender_cellularena::{map, Action, State};
use contender_game::rules::{Player, Rng, Simultaneous};
use contender_nn::policy_value::Workspace;

/// Choices in the order in which they were made, with [`WAIT`] last if the move has ended, and the rank.
type Partial = (Vec<Pick>, f32);

/// Returns the best joint moves directly from the definition: each round extends every partial move in every way, and
/// keeps the best ones that are different sets of choices. Only the choices are stored.
fn slow_candidates(work: &Workspace, state: &State, view: View, count: usize) -> Vec<(Vec<Action>, f32)> {
    let after = |picks: &[Pick]| {
        let mut choices = Choices::new(state, view);
        picks.iter().filter(|&&pick| pick != WAIT).for_each(|&pick| {
            choices.take(pick);
        });
        choices
    };
    let listed = |choices: &Choices<'_>| {
        let mut picks = Vec::new();
        choices.list(&mut picks);
        picks
    };
    let sorted = |picks: &[Pick]| {
        let mut picks = picks.to_vec();
        picks.sort_unstable();
        picks
    };
    let first = listed(&after(&[]));
    let logit = |pick| logit(work, &view, pick);
    let most = first.iter().fold(logit(WAIT), |most, &pick| most.max(logit(pick)));
    let weight = |pick| (logit(pick) - most).exp().max(f32::MIN_POSITIVE);
    let mut beam: Vec<Partial> = vec![(Vec::new(), 0.0)];
    while beam.iter().any(|(picks, _)| picks.last() != Some(&WAIT)) {
        let mut next: Vec<Partial> = Vec::new();
        for (picks, rank) in beam {
            if picks.last() == Some(&WAIT) {
                next.push((picks, rank));
                continue;
            }
            let mut possible = listed(&after(&picks));
            let acting = possible.iter().fold(0.0, |sum, &pick| sum + weight(pick));
            let all = acting + weight(WAIT);
            let best = possible.iter().map(|&pick| weight(pick)).fold(f32::MIN_POSITIVE, f32::max);
            possible.sort_by(|&a, &b| weight(b).total_cmp(&weight(a)));
            let with = |pick: Pick| [picks.as_slice(), &[pick]].concat();
            next.push((with(WAIT), rank + (weight(WAIT) / all).ln()));
            next.extend(
                possible
                    .iter()
                    .map(|&pick| (with(pick), rank + (acting / all).ln() + (weight(pick) / best).ln())),
            );
        }
        next.sort_by(|a, b| b.1.total_cmp(&a.1));
        beam = Vec::new();
        for (picks, rank) in next {
            if beam.len() < count && beam.iter().all(|(other, _)| sorted(other) != sorted(&picks)) {
                beam.push((picks, rank));
            }
        }
    }
    let mut found: Vec<(Vec<Action>, f32)> = Vec::new();
    for (picks, rank) in beam {
        let actions = after(&picks).into_move();
        if found.iter().all(|(other, _)| *other != actions) {
            found.push((actions, rank));
        }
    }
    found
}

#[test]
fn the_beam_is_that_of_its_definition() {
    let mut rng = Rng::new(11);
    let (mut states, mut most_organisms) = (0, 0);
    for seed in 1..=40 {
        let mut state = map::generate(seed).unwrap();
        let symmetry = Symmetry::of(&state);
        // Half of the games have enough proteins for many roots.
        if seed % 2 == 0 {
            Player::BOTH.into_iter().for_each(|player| state.set_stock(player, [120; 4]).unwrap());
        }
        while !state.is_over() && state.turns() < 90 {
            let pair = Player::BOTH.map(|player| state.random_move(player, &mut rng));
            state.play([&pair[0], &pair[1]]);
            let player = Player::BOTH[rng.index(2)];
            let mut work = Workspace::new(shape(16, 0, 1, 1));
            // Some outputs are almost uniform, others are very certain.
            let scale = 0.5 + 8.0 * rng.unit() as f32;
            work.logits.iter_mut().for_each(|logit| *logit = scale * rng.unit() as f32);
            work.wait[0] = scale * (1.5 * rng.unit() as f32 - 0.25);
            let view = View::new(&state, player, symmetry);
            for count in [1, 4, 6] {
                let found = candidates(&work, &state, view, count);
                let expected = slow_candidates(&work, &state, view, count);
                assert_eq!(
                    found.iter().map(|candidate| &candidate.actions).collect::<Vec<_>>(),
                    expected.iter().map(|(actions, _)| actions).collect::<Vec<_>>(),
                    "map {seed}, turn {}, {count} moves",
                    state.turns()
                );
                for (candidate, (_, rank)) in found.iter().zip(&expected) {
                    assert!((candidate.rank - rank).abs() < 1e-5 * (1.0 + rank.abs()));
                }
            }
            states += 1;
            most_organisms = most_organisms.max(state.roots(player).len());
        }
    }
    assert!(states > 1000 && most_organisms > 3, "{states} states, up to {most_organisms} organisms");
}
