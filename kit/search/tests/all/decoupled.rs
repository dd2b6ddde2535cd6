//! Decoupled search on a game of one turn in which both choose at once: its mixture, and its formula number by number.

use contender_game::rules::{Player, Rng, Simultaneous};
use contender_search::mcts::{Decoupled, LeafEvaluator, Puct, Uct};
use contender_search::SearchLimits;

/// Rock, paper, scissors, once; a win with rock counts double.
#[derive(Clone, PartialEq, Debug, Default)]
struct Roshambo {
    points: Option<[i32; 2]>,
}

impl Simultaneous for Roshambo {
    type Move = i32;

    fn is_over(&self) -> bool {
        self.points.is_some()
    }

    fn moves(&self, _: Player, moves: &mut Vec<i32>) {
        moves.extend(0..3);
    }

    fn play(&mut self, [zero, one]: [&i32; 2]) {
        let worth = |winner: i32| if winner == 0 { 2 } else { 1 };
        self.points = Some(match (zero - one).rem_euclid(3) {
            1 => [worth(*zero), -worth(*zero)],
            2 => [-worth(*one), worth(*one)],
            _ => [0, 0],
        });
    }

    fn points(&self) -> [i32; 2] {
        self.points.unwrap_or_default()
    }

    fn random_move(&self, _: Player, rng: &mut Rng) -> i32 {
        rng.below(3) as i32
    }
}

struct RoshamboPoints;

impl LeafEvaluator<Roshambo, i32> for RoshamboPoints {
    fn finished(&mut self, state: &Roshambo) -> [f32; 2] {
        state.points().map(|points| points as f32)
    }

    fn estimate(&mut self, _: &mut Roshambo, _: &mut Rng) -> [f32; 2] {
        [0.0; 2]
    }
}

#[test]
fn decoupled_search_mixes() {
    let mut search = Decoupled::<Roshambo, Uct>::new(1_000, Uct::new(2.0));
    let mut rng = Rng::new(9);
    let found =
        search.search(&Roshambo::default(), &mut RoshamboPoints, &SearchLimits::nodes(100_000), &mut rng);
    // Scissors lose 2 to rock, so in equilibrium rock is played 1/4, paper 1/2, scissors 1/4 of the time.
    for player in Player::BOTH {
        for (of, share) in found[player].moves.iter().zip(&found[player].strategy) {
            let equilibrium = [0.25, 0.5, 0.25][of.mv as usize];
            assert!((share - equilibrium).abs() < 0.12, "{player:?} plays {} with share {share}", of.mv);
        }
    }
    assert_eq!(found[0].moves[0].mv, 1);
}

/// The players' priors of rock, paper and scissors; unlike, so that no two moves are equally urgent.
const PRIORS: [[f32; 3]; 2] = [[0.5, 0.3, 0.2], [0.17, 0.29, 0.54]];

/// The same with priors.
struct RoshamboHunches;

impl LeafEvaluator<Roshambo, i32> for RoshamboHunches {
    fn finished(&mut self, state: &Roshambo) -> [f32; 2] {
        RoshamboPoints.finished(state)
    }

    fn estimate(&mut self, _: &mut Roshambo, _: &mut Rng) -> [f32; 2] {
        [0.0; 2]
    }

    fn priors(&mut self, _: &Roshambo, player: Player, moves: &[i32], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| PRIORS[player.index()][mv as usize]));
    }
}

/// Decoupled PUCT, number by number: the twin of the search on a game of one turn.
#[test]
fn decoupled_puct_follows_the_formula() {
    let formula = Puct { exploration: 1.5, first_play_reduction: 0.3 };
    for iterations in [1, 2, 3, 10, 100, 1_000] {
        let mut search = Decoupled::<Roshambo, Puct>::new(10, formula);
        let limits = SearchLimits::nodes(iterations);
        let found = search.search(&Roshambo::default(), &mut RoshamboHunches, &limits, &mut Rng::new(1));
        let (mut visits, mut sums) = ([[0u32; 3]; 2], [[0f32; 3]; 2]);
        for iteration in 0..iterations {
            let chosen = [0, 1].map(|player: usize| {
                let mean = sums[player].iter().sum::<f32>() / iteration.max(1) as f32;
                let urgency = |mv: &usize| {
                    let count = visits[player][*mv];
                    let value = if count == 0 { mean - 0.3 } else { sums[player][*mv] / count as f32 };
                    value + 1.5 * PRIORS[player][*mv] * (iteration.max(1) as f32).sqrt() / (count + 1) as f32
                };
                (0..3).max_by(|a, b| urgency(a).total_cmp(&urgency(b))).unwrap()
            });
            let mut state = Roshambo::default();
            state.play([&(chosen[0] as i32), &(chosen[1] as i32)]);
            for player in 0..2 {
                visits[player][chosen[player]] += 1;
                sums[player][chosen[player]] += state.points()[player] as f32;
            }
        }
        for player in Player::BOTH {
            for of in &found[player].moves {
                let expected = visits[player.index()][of.mv as usize];
                assert_eq!(of.effort, u64::from(expected), "{player:?}, {} of {iterations}", of.mv);
            }
        }
    }
}
