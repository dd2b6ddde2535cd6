//! Monte Carlo tree search on small games: the move that it prefers is the best one.

use crate::toys::{Shape, TicTacToe, Wood};
use contender_game::{
    contest::Analysis,
    rules::{Chance, Game, Hidden, Player, Rng, Turn},
};
use contender_search::mcts::{
    win_rewards, Expansion, LeafEvaluator, Mcts, MctsConfig, OpenLoop, Puct, RandomGames, Select, Uct,
};
use contender_search::{ChanceModel, NoChance, SearchLimits, TreeCache, WithChance};
use std::marker::PhantomData;

/// A [`Wood`] that ends after a few plies, with own scores for both players that need not be opposed.
#[derive(Clone, PartialEq, Debug)]
pub struct Shrub {
    wood: Wood,
    is_opposed: bool,
}

const PLIES: u32 = 5;

impl Game for Shrub {
    type Move = u8;

    fn turn(&self) -> Turn {
        if self.wood.ply >= PLIES {
            Turn::Over
        } else {
            self.wood.turn()
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if let Turn::Player(_) = self.turn() {
            self.wood.moves(moves);
        }
    }

    fn play(&mut self, branch: u8) {
        self.wood.play(branch);
    }

    fn points(&self) -> [i32; 2] {
        let zero = self.wood.guess();
        let one = if self.is_opposed { -zero } else { (self.wood.key() % 7) as i32 };
        [zero, one]
    }
}

impl Chance for Shrub {
    type Outcome = u8;

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        if self.turn() == Turn::Chance {
            self.wood.outcomes(outcomes);
        }
    }

    fn resolve(&mut self, branch: u8) {
        self.wood.resolve(branch);
    }
}

pub fn shrub(rng: &mut Rng, chance: bool, is_opposed: bool) -> Shrub {
    let shape = Shape { range: 3, layers: true, ..Shape::random(rng, chance) };
    Shrub { wood: Wood::new(rng.next_u64(), shape), is_opposed }
}

/// Own points as rewards, random games for the rest.
pub struct OwnPoints<L> {
    highest: f32,
    chance: PhantomData<L>,
}

pub fn own_points<L>(highest: f32) -> OwnPoints<L> {
    OwnPoints { highest, chance: PhantomData }
}

impl<G: Game, L: ChanceModel<G>> LeafEvaluator<G, G::Move> for OwnPoints<L> {
    fn finished(&mut self, state: &G) -> [f32; 2] {
        state.points().map(|points| points as f32)
    }

    fn highest(&self) -> f32 {
        self.highest
    }

    fn estimate(&mut self, state: &mut G, rng: &mut Rng) -> [f32; 2] {
        let mut outcomes = Vec::new();
        loop {
            match state.turn() {
                Turn::Over => return self.finished(state),
                Turn::Chance => {
                    outcomes.clear();
                    L::outcomes(state, &mut outcomes);
                    let outcome = rng.choose(&outcomes).0;
                    L::resolve(state, outcome);
                }
                Turn::Player(_) => state.play(state.random_move(rng, &mut Vec::new())),
            }
        }
    }
}

/// Returns the values of a state by full search: each player maximises its own points, and chance is averaged. This is
/// the reference implementation of the solver.
pub fn max_n<G: Chance>(state: &G) -> [f64; 2] {
    match state.turn() {
        Turn::Over => state.points().map(f64::from),
        Turn::Chance => {
            let mut outcomes = Vec::new();
            state.outcomes(&mut outcomes);
            let total: u32 = outcomes.iter().map(|&(_, weight)| weight).sum();
            let mut mean = [0.0; 2];
            for (outcome, weight) in outcomes {
                let mut child = state.clone();
                child.resolve(outcome);
                let value = max_n(&child);
                for player in Player::BOTH {
                    mean[player] += value[player] * f64::from(weight) / f64::from(total);
                }
            }
            mean
        }
        Turn::Player(player) => {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let values = moves.into_iter().map(|mv| {
                let mut child = state.clone();
                child.play(mv);
                max_n(&child)
            });
            values
                .reduce(|best, value| if value[player] > best[player] { value } else { best })
                .expect("a move")
        }
    }
}

pub fn formulas() -> Vec<Uct> {
    let plain = Uct::new(2.0);
    vec![plain, Uct { first_play: Some(1.0), ..plain }, Uct { bias: 0.5, ..plain }]
}

pub fn best_of<S: Select>(select: S, config: MctsConfig, state: &TicTacToe, seed: u64) -> Analysis<u8> {
    Mcts::<TicTacToe, NoChance, S>::new(config, select).search(
        state,
        &mut RandomGames::<_, NoChance>::default(),
        &SearchLimits::nodes(3_000),
        &mut Rng::new(seed),
    )
}

#[test]
fn every_variant_wins_and_blocks() {
    // X has two in a row at the top and O in the middle; whoever moves completes or blocks cell 2 or 5.
    let win = TicTacToe { marks: [0b000_000_011, 0b000_011_000] };
    let block = TicTacToe { marks: [0b100_000_001, 0b000_011_000] };
    let variants = [
        MctsConfig::default(),
        MctsConfig { solver: false, ..MctsConfig::default() },
        MctsConfig { decay: 0.9, solver: false, ..MctsConfig::default() },
        MctsConfig { capacity: 200, ..MctsConfig::default() },
    ];
    for (at, config) in variants.into_iter().enumerate() {
        for select in formulas() {
            assert_eq!(best_of(select, config, &win, at as u64).moves[0].mv, 2, "variant {at}, {select:?}");
            assert_eq!(best_of(select, config, &block, at as u64).moves[0].mv, 5, "variant {at}, {select:?}");
        }
    }
}

/// A policy that knows nothing, for PUCT.
struct Uniform(RandomGames<TicTacToe, NoChance>);

impl LeafEvaluator<TicTacToe, u8> for Uniform {
    fn finished(&mut self, state: &TicTacToe) -> [f32; 2] {
        self.0.finished(state)
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut TicTacToe, rng: &mut Rng) -> [f32; 2] {
        self.0.estimate(state, rng)
    }

    fn priors(&mut self, _: &TicTacToe, _: Player, moves: &[u8], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|_| 1.0 / moves.len() as f32));
    }
}

#[test]
fn puct_blocks() {
    let block = TicTacToe { marks: [0b100_000_001, 0b000_011_000] };
    let puct = Puct { exploration: 1.5, first_play_reduction: 0.1 };
    let mut search =
        Mcts::<TicTacToe, NoChance, Puct>::new(MctsConfig { solver: false, ..MctsConfig::default() }, puct);
    let mut evaluator = Uniform(RandomGames::<_, NoChance>::default());
    let found = search.search(&block, &mut evaluator, &SearchLimits::nodes(2_000), &mut Rng::new(1));
    assert_eq!(found.moves[0].mv, 5);
}

/// An evaluation without meaning, which depends only on the state.
struct Scrambled;

/// Returns a number from 0 to 1 that depends on the state and on `mv`.
fn scrambled(state: &TicTacToe, mv: u8) -> f32 {
    let [zero, one] = state.marks.map(u64::from);
    Rng::new(zero << 32 | one << 16 | u64::from(mv)).unit() as f32
}

impl LeafEvaluator<TicTacToe, u8> for Scrambled {
    fn finished(&mut self, state: &TicTacToe) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn highest(&self) -> f32 {
        1.0
    }

    fn estimate(&mut self, state: &mut TicTacToe, _: &mut Rng) -> [f32; 2] {
        let value = scrambled(state, 9);
        [value, 1.0 - value]
    }

    fn priors(&mut self, state: &TicTacToe, _: Player, moves: &[u8], priors: &mut Vec<f32>) {
        priors.extend(moves.iter().map(|&mv| scrambled(state, mv)));
    }
}

#[test]
fn leaves_evaluated_outside_give_the_same_search() {
    let puct = Puct { exploration: 1.5, first_play_reduction: 0.1 };
    let config = MctsConfig { expansion: Expansion::Prior, ..MctsConfig::default() };
    let block = TicTacToe { marks: [0b100_000_001, 0b000_011_000] };
    for (root, iterations) in [(TicTacToe::default(), 1), (TicTacToe::default(), 500), (block, 2_000)] {
        let mut inside = Mcts::<TicTacToe, NoChance, Puct>::new(config, puct);
        let limits = SearchLimits::nodes(iterations);
        let expected = inside.search(&root, &mut Scrambled, &limits, &mut Rng::new(1));
        let mut outside = Mcts::<TicTacToe, NoChance, Puct>::new(config, puct);
        // The first question is about the root, and counts as no iteration.
        for _ in 0..=iterations {
            let mut leaf = root.clone();
            if !outside.is_proven()
                && outside.ask(&mut leaf, |state| win_rewards(state.points()), 1.0, &mut Rng::new(1))
            {
                let mut moves = Vec::new();
                leaf.moves(&mut moves);
                let mut moves: Vec<(u8, f32)> =
                    moves.into_iter().map(|mv| (mv, scrambled(&leaf, mv))).collect();
                moves.sort_by(|a, b| b.1.total_cmp(&a.1));
                outside.answer(&moves, Scrambled.estimate(&mut leaf, &mut Rng::new(1)));
            }
        }
        let found = outside.moves(&root);
        assert_eq!(found.moves, expected.moves, "{root:?}, {iterations} iterations");
        assert_eq!(found.line, expected.line);
    }
}

#[test]
fn leaves_evaluated_outside_are_states_of_a_player() {
    let mut rng = Rng::new(2);
    for _ in 0..50 {
        let root = shrub(&mut rng, true, true);
        let puct = Puct { exploration: 1.5, first_play_reduction: 0.1 };
        // The second tree is full before all states are in it.
        for capacity in [1 << 16, 20] {
            let config = MctsConfig { capacity, ..MctsConfig::default() };
            let mut search = Mcts::<Shrub, WithChance, Puct>::new(config, puct);
            for _ in 0..300 {
                let mut leaf = root.clone();
                if !search.ask(
                    &mut leaf,
                    |state| state.points().map(|points| points as f32),
                    f32::MAX,
                    &mut rng,
                ) {
                    continue;
                }
                assert!(matches!(leaf.turn(), Turn::Player(_)), "{leaf:?}");
                let mut moves = Vec::new();
                leaf.moves(&mut moves);
                let moves: Vec<(u8, f32)> = moves.into_iter().map(|mv| (mv, 0.5)).collect();
                search.answer(&moves, [0.0; 2]);
            }
        }
    }
}

#[test]
fn a_node_budget_makes_a_search_reproducible() {
    let start = TicTacToe::default();
    let config = MctsConfig { solver: false, ..MctsConfig::default() };
    let twice = [0, 0].map(|_| best_of(Uct::new(1.0), config, &start, 9));
    assert_eq!(twice[0].moves, twice[1].moves);
    assert_eq!(twice[0].count("iterations"), 3_000);
    assert_eq!(twice[0].moves.iter().map(|of| of.effort).sum::<u64>(), 3_000);
    assert_ne!(twice[0].moves, best_of(Uct::new(1.0), config, &start, 10).moves);
}

#[test]
fn a_full_tree_keeps_its_capacity() {
    let config = MctsConfig { capacity: 100, solver: false, ..MctsConfig::default() };
    let found = best_of(Uct::new(1.0), config, &TicTacToe::default(), 4);
    let nodes = found.count("nodes in the tree");
    assert!(nodes <= 100 && nodes > 80, "{nodes}");
    assert_eq!(found.count("iterations"), 3_000);
}

#[test]
fn advancing_keeps_what_is_known() {
    let config = MctsConfig { solver: false, ..MctsConfig::default() };
    let mut search = Mcts::<TicTacToe, NoChance, Uct>::new(config, Uct::new(1.0));
    let mut rng = Rng::new(5);
    let mut state = TicTacToe::default();
    let found = search.search(
        &state,
        &mut RandomGames::<_, NoChance>::default(),
        &SearchLimits::nodes(5_000),
        &mut rng,
    );
    let (mv, visits) = (found.moves[0].mv, found.moves[0].effort);
    search.advance(mv);
    state.play(mv);
    let found =
        search.search(&state, &mut RandomGames::<_, NoChance>::default(), &SearchLimits::nodes(1), &mut rng);
    // Its first visit grew the child itself; all later ones went through a child of it.
    assert_eq!(found.moves.iter().map(|of| of.effort).sum::<u64>(), visits - 1 + 1);
    search.advance(42);
    let found =
        search.search(&state, &mut RandomGames::<_, NoChance>::default(), &SearchLimits::nodes(7), &mut rng);
    assert_eq!(found.moves.iter().map(|of| of.effort).sum::<u64>(), 7, "an unknown move forgets all");
}

#[test]
fn a_kept_tree_is_of_the_state_that_is_asked_about() {
    let config = MctsConfig { solver: false, ..MctsConfig::default() };
    let plain = Mcts::<TicTacToe, NoChance, Uct>::new(config, Uct::new(1.0));
    let mut kept = TreeCache::new(plain);
    // The visits of a search of one iteration more than those that are known.
    let known = |kept: &mut TreeCache<TicTacToe, Mcts<TicTacToe, NoChance, Uct>>, state: &TicTacToe| -> u64 {
        let mut evaluator = RandomGames::<_, NoChance>::default();
        let found = kept.of(state).search(state, &mut evaluator, &SearchLimits::nodes(1), &mut Rng::new(1));
        found.moves.iter().map(|of| of.effort).sum::<u64>() - 1
    };
    let after = |state: &TicTacToe, mv: u8| {
        let mut next = state.clone();
        next.play(mv);
        next
    };
    let start = TicTacToe::default();
    let (one, other) = (after(&start, 4), after(&start, 0));
    let mut evaluator = RandomGames::<_, NoChance>::default();
    let mut warm = |kept: &mut TreeCache<_, Mcts<_, _, _>>, state: &TicTacToe| {
        kept.of(state).search(state, &mut evaluator, &SearchLimits::nodes(2_000), &mut Rng::new(1));
    };
    warm(&mut kept, &start);
    kept.play(&start, 4);
    kept.play(&one, 0);
    assert!(known(&mut kept, &after(&one, 0)) > 5, "two moves are followed");
    assert_eq!(known(&mut kept, &other), 0, "another state is begun anew");
    warm(&mut kept, &start);
    kept.play(&one, 0);
    assert_eq!(known(&mut kept, &after(&one, 0)), 0, "a move from elsewhere is not followed");
    warm(&mut kept, &start);
    kept.reset();
    assert_eq!(known(&mut kept, &start), 0);
}

#[test]
fn open_loop_prefers_what_full_search_prefers() {
    let mut rng = Rng::new(7);
    let (mut rounds, mut loss) = (0, 0.0);
    while rounds < 60 {
        let start = shrub(&mut rng, true, true);
        let Turn::Player(player) = start.turn() else { continue };
        rounds += 1;
        let mut search = OpenLoop::<Shrub, WithChance, Uct>::new(10_000, Uct::new(3.0));
        let mut evaluator = own_points::<WithChance>(3.0);
        let found = search.search(&start, &mut evaluator, &SearchLimits::nodes(4_000), &mut rng, |_, _| {});
        let mut child = start.clone();
        child.play(found.moves[0].mv);
        loss += max_n(&start)[player] - max_n(&child)[player];
    }
    // Open-loop nodes mix what follows different outcomes, so single choices may be a little off.
    assert!(loss / f64::from(rounds) < 0.15, "{}", loss / f64::from(rounds));
}

/// Both get a card of 0 to 9; player 0 bets (win or lose 2) or passes (win or lose 1).
#[derive(Clone, PartialEq, Debug)]
struct HighCard {
    cards: [u8; 2],
    stake: i32,
}

impl Game for HighCard {
    type Move = i32;

    fn turn(&self) -> Turn {
        if self.stake > 0 {
            Turn::Over
        } else {
            Turn::Player(Player::Zero)
        }
    }

    fn moves(&self, moves: &mut Vec<i32>) {
        if self.stake == 0 {
            moves.extend([1, 2]);
        }
    }

    fn play(&mut self, stake: i32) {
        self.stake = stake;
    }

    fn points(&self) -> [i32; 2] {
        let won = self.stake * if self.cards[0] > self.cards[1] { 1 } else { -1 };
        [won, -won]
    }
}

impl Hidden for HighCard {
    fn resample(&mut self, viewer: Player, rng: &mut Rng) {
        let others: Vec<u8> = (0..10).filter(|&card| card != self.cards[viewer]).collect();
        self.cards[viewer.other()] = *rng.choose(&others);
    }
}

#[test]
fn hidden_cards_are_not_peeked_at() {
    for (own, other, stake) in [(8, 9, 2), (1, 0, 1)] {
        let state = HighCard { cards: [own, other], stake: 0 };
        let mut search = OpenLoop::<HighCard, NoChance, Uct>::new(100, Uct::new(2.0));
        let mut evaluator = own_points::<NoChance>(2.0);
        let deal = |state: &mut HighCard, rng: &mut Rng| state.resample(Player::Zero, rng);
        let found =
            search.search(&state, &mut evaluator, &SearchLimits::nodes(2_000), &mut Rng::new(8), deal);
        assert_eq!(found.moves[0].mv, stake, "with {own}");
    }
}

/// Where a search has proven a move to be best before it was visited most, that is the move to play.
#[test]
fn a_proven_move_comes_first_though_others_have_more_visits() {
    // X has a corner and O the side beside it: X wins by force.
    let win = TicTacToe { marks: [0b000_000_001, 0b000_000_010] };
    let mut others = 0;
    for seed in 0..40 {
        let found = best_of(Uct::new(1.0), MctsConfig::default(), &win, seed);
        let first = &found.moves[0];
        assert_eq!((first.is_proven, first.value), (true, [1.0; 2]), "seed {seed}");
        assert_eq!(found.line.first(), Some(&first.mv), "seed {seed}");
        others += usize::from(found.moves.iter().any(|of| of.effort > first.effort));
    }
    assert!(others > 0);
}

/// Both players step to and fro.
#[derive(Clone, PartialEq, Debug)]
struct ToAndFro(Player);

impl Game for ToAndFro {
    type Move = u8;

    const MAX_TURNS: usize = 30;

    fn turn(&self) -> Turn {
        Turn::Player(self.0)
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend([0, 1]);
    }

    fn play(&mut self, _: u8) {
        self.0 = self.0.other();
    }

    fn points(&self) -> [i32; 2] {
        [1, 0]
    }
}

#[test]
fn random_games_without_end_are_drawn() {
    let (start, mut rng) = (ToAndFro(Player::Zero), Rng::new(1));
    let mut search = Mcts::<ToAndFro, NoChance, Uct>::new(MctsConfig::default(), Uct::new(1.0));
    let limits = SearchLimits::nodes(200);
    let found = search.search(&start, &mut RandomGames::<_, NoChance>::default(), &limits, &mut rng);
    assert_eq!(found.moves[0].value, [0.5; 2]);
}
