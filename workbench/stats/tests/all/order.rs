//! Tests that ratings do not depend on the order of the games, or on which game of a pair comes first.

use contender_game::rules::Rng;
use contender_stats::ratings::{
    RatedGame, Regression, SeatRegression, Skill, differences, openskill, trueskill,
};
use proptest::prelude::*;

/// Generates pairs and single games between `bots` bots, with points from a small range so that draws occur.
fn games(bots: usize, pairs: usize, rng: &mut Rng) -> Vec<RatedGame> {
    let mut games = Vec::new();
    for pair in 0..pairs as u64 {
        let a = rng.index(bots);
        let b = (a + 1 + rng.index(bots - 1)) % bots;
        let mut points = || [f64::from(rng.below(9)), f64::from(rng.below(9))];
        let [one, other] = [points(), points()];
        if pair % 5 == 4 {
            games.push(RatedGame { players: [a, b], points: one, pair: None });
        } else {
            games.push(RatedGame { players: [a, b], points: one, pair: Some(pair) });
            games.push(RatedGame { players: [b, a], points: other, pair: Some(pair) });
        }
    }
    games
}

/// Returns all results of the models as one list.
fn all(bots: usize, games: &[RatedGame]) -> Vec<f64> {
    let seats = SeatRegression::fit(bots, games);
    let strengths = Regression::fit(bots, &differences(games)).strengths;
    let mut values = vec![seats.advantage];
    for strengths in [&strengths].into_iter().chain(&seats.strengths) {
        values.extend(strengths.values());
        values.extend((0..bots).filter_map(|bot| strengths.ahead(bot, 0)));
    }
    let skills = [trueskill(bots, games, 3, 1), openskill(bots, games, 3, 1)];
    values.extend(skills.iter().flatten().flat_map(|&Skill { mean, deviation }| [mean, deviation]));
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn ratings_do_not_depend_on_the_order(bots in 2_usize..7, pairs in 20_usize..60, seed: u64) {
        let mut rng = Rng::new(seed);
        let mut games = games(bots, pairs, &mut rng);
        let before = all(bots, &games);
        rng.shuffle(&mut games);
        let after = all(bots, &games);
        prop_assert_eq!(before.len(), after.len());
        for (before, after) in before.iter().zip(&after) {
            prop_assert!((before - after).abs() < 1e-5 * (1.0 + before.abs()), "{} {}", before, after);
        }
    }
}
