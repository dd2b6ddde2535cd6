//! The tactical search next to slow references, technique by technique, on random trees and toy games.

use crate::toys::*;
use contender_game::rules::{mix, Game, Player, Rng, Turn};
use contender_search::*;

/// Knows all about a [`Wood`] that a guide with tactics can know, and follows its path.
#[derive(Clone, Debug, Default)]
struct Scout {
    ranger: Ranger,
    /// The states that it was told of, by distance from the root.
    path: Vec<Option<Wood>>,
    /// Whether a window may replace a value by another on its side.
    is_lazy: bool,
}

impl Heuristics<Wood> for Scout {
    fn evaluate(&mut self, wood: &Wood) -> i32 {
        wood.guess()
    }

    fn key(&self, wood: &Wood) -> Option<u64> {
        self.ranger.key(wood)
    }

    fn slots(&self) -> usize {
        8
    }

    fn slot(&self, _: &Wood, branch: u8) -> usize {
        usize::from(branch)
    }

    fn score(&mut self, wood: &Wood, branch: u8) -> i32 {
        self.ranger.score(wood, branch)
    }

    fn begin(&mut self, ply: usize, wood: &Wood) {
        self.path.resize(self.path.len().max(ply + 1), None);
        self.path[ply] = Some(wood.clone());
    }

    fn follow(&mut self, ply: usize, before: &Wood, branch: u8, after: &Wood) {
        assert_eq!(self.path[ply - 1].as_ref(), Some(before), "the path leads to the state before the move");
        let mut child = before.clone();
        child.play(branch);
        assert_eq!(&child, after);
        self.begin(ply, after);
    }

    fn evaluate_at(&mut self, ply: usize, wood: &Wood, window: Bounds) -> i32 {
        assert_eq!(self.path[ply].as_ref(), Some(wood), "the path leads to the state that is evaluated");
        let value = self.evaluate(wood);
        match (self.is_lazy, value <= window.low, value >= window.high) {
            (true, true, _) => window.low,
            (true, _, true) => window.high,
            _ => value,
        }
    }
}

fn tells(wood: &Wood, what: u64) -> bool {
    mix(&[wood.key(), 1000 + what]) % 3 == 0
}

impl Tactics<Wood> for Scout {
    fn is_noisy(&self, wood: &Wood, branch: u8) -> bool {
        tells(wood, u64::from(branch))
    }

    fn gain(&self, wood: &Wood, _: u8) -> i32 {
        2 * wood.shape.range as i32
    }

    fn is_threat(&self, wood: &Wood, branch: u8) -> bool {
        tells(wood, 50 + u64::from(branch))
    }

    fn is_check(&self, wood: &Wood) -> bool {
        tells(wood, 100)
    }

    fn answers_check(&self, wood: &Wood, branch: u8) -> bool {
        tells(wood, 150 + u64::from(branch))
    }

    /// Lists the answers in another order than all moves.
    fn answers(&self, wood: &Wood, moves: &mut Vec<u8>) {
        let mut all = Vec::new();
        wood.moves(&mut all);
        moves.extend(all.into_iter().rev().filter(|&branch| self.answers_check(wood, branch)));
    }

    fn pass(&self, wood: &Wood) -> Option<Wood> {
        let mut passed = wood.clone();
        passed.play(77);
        let Turn::Player(player) = wood.turn() else { panic!("only players pass") };
        (passed.turn() == Turn::Player(player.other())).then_some(passed)
    }

    fn reply_slots(&self) -> usize {
        8
    }

    fn reply_slot(&self, _: &Wood, branch: u8) -> usize {
        usize::from(branch)
    }
}

/// A random setting of all switches that must not change the value, apart from those of [`TacticalConfig`].
fn random_config(rng: &mut Rng) -> SearchConfig {
    let mut on = || rng.below(2) == 0;
    SearchConfig {
        alpha_beta: true,
        null_windows: on(),
        deepening: on(),
        table_bytes: if on() { 1 << 14 } else { 0 },
        table_depth: TableDepth::Same,
        table_move: on(),
        killers: on(),
        history: on(),
        scores: on(),
        driver: [Driver::Open, Driver::Aspiration(5), Driver::MtdF][rng.index(3)],
        ..SearchConfig::PLAIN
    }
}

/// What only changes the order of moves and the table's answers.
fn exact(rng: &mut Rng) -> TacticalConfig {
    TacticalConfig { replies: rng.below(2) == 0, keeps_line: rng.below(2) == 0, ..TacticalConfig::NONE }
}

fn guide(is_lazy: bool) -> Scout {
    Scout { is_lazy, ..Scout::default() }
}

#[test]
fn without_techniques_values_are_those_of_expectimax() {
    let mut rng = Rng::new(1);
    for round in 0..4_000 {
        let has_chance = rng.below(2) == 0;
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, has_chance));
        let depth = rng.below(6);
        let expected = expectimax(&wood, depth, &mut Ranger::default());
        let (config, tactics) = (random_config(&mut rng), exact(&mut rng));
        let mut search =
            TacticalSearch::<_, _, WithChance>::with_tactics(guide(rng.below(2) == 0), config, tactics);
        for again in 0..2 {
            let found = search.value(&wood, depth);
            assert_eq!(found, expected, "round {round}, {again}: {config:?}, {tactics:?} on {wood:?}");
        }
        let found = search.search(&wood, &SearchLimits::depth(depth.max(1)));
        let Turn::Player(player) = wood.turn() else { continue };
        let expected = expectimax(&wood, depth.max(1), &mut Ranger::default());
        assert_eq!(found.moves[0].value, [f64::from(player.sign() * expected); 2], "{config:?} on {wood:?}");
        if tactics.keeps_line && config.driver != Driver::MtdF {
            check_line(&wood, &found.line, found.depth);
        }
    }
}

/// The line goes on to the horizon, to chance or to the end of the game.
fn check_line(wood: &Wood, line: &[u8], depth: u32) {
    let mut state = wood.clone();
    line.iter().for_each(|&mv| state.play(mv));
    let is_whole = line.len() as u32 == depth || !matches!(state.turn(), Turn::Player(_));
    assert!(is_whole, "{line:?} at depth {depth} of {wood:?}");
}

/// Returns the moves of a state, or only the answers to a check if there are any.
fn answering(wood: &Wood, must_answer: bool) -> Vec<u8> {
    let mut moves = Vec::new();
    wood.moves(&mut moves);
    let answers: Vec<u8> =
        moves.iter().copied().filter(|&mv| must_answer && guide(false).answers_check(wood, mv)).collect();
    if answers.is_empty() {
        moves
    } else {
        answers
    }
}

/// Quiescence without windows.
fn quiet(wood: &Wood, left: u32, config: &TacticalConfig) -> i32 {
    let mut guide = guide(false);
    let Turn::Player(player) = wood.turn() else { return guide.finished(wood) };
    let evades = guide.is_check(wood) && left > config.quiescence - config.quiescence_checks;
    let mut best = if evades { i32::MIN } else { player.sign() * guide.evaluate(wood) };
    let mut moves = Vec::new();
    match evades {
        true => moves = answering(wood, true),
        false if left > 0 => guide.noisy_moves(wood, &mut moves),
        false => {}
    }
    for mv in moves {
        let mut child = wood.clone();
        child.play(mv);
        best = best.max(player.sign() * quiet(&child, left - 1, config));
    }
    player.sign() * best
}

/// Minimax with quiescence and check extensions.
fn extended(wood: &Wood, depth: u32, ply: u32, iteration: u32, config: &TacticalConfig) -> i32 {
    let mut guide = guide(false);
    let Turn::Player(player) = wood.turn() else { return guide.finished(wood) };
    let is_extended = config.check_extension && guide.is_check(wood) && ply < 2 * iteration;
    let depth = depth + u32::from(is_extended);
    if depth == 0 {
        return quiet(wood, config.quiescence, config);
    }
    let moves = answering(wood, config.check_extension && guide.is_check(wood));
    let values = moves.into_iter().map(|mv| {
        let mut child = wood.clone();
        child.play(mv);
        player.sign() * extended(&child, depth - 1, ply + 1, iteration, config)
    });
    player.sign() * values.max().expect("a player to act has a move")
}

#[test]
fn quiescence_finds_the_value_of_its_reference() {
    let mut rng = Rng::new(2);
    let mut different = 0;
    for round in 0..4_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, false));
        let depth = rng.below(4);
        let config = random_config(&mut rng);
        let quiescence = 1 + rng.below(4);
        let tactics = TacticalConfig {
            quiescence,
            quiescence_checks: rng.below(quiescence),
            // No gain is larger than what the guide says, so the margin skips only what is worthless.
            delta_margin: rng.below(2) as i32 - 1,
            ..exact(&mut rng)
        };
        let expected = extended(&wood, depth, 0, 0, &tactics);
        let mut search = TacticalSearch::<_, _>::with_tactics(guide(rng.below(2) == 0), config, tactics);
        assert_eq!(
            search.value(&wood, depth),
            expected,
            "round {round}: {config:?}, {tactics:?} on {wood:?}"
        );
        different += u32::from(expected != minimax(&wood, depth, &mut Ranger::default()));
    }
    assert!(different > 500, "quiescence mattered {different} times");
}

#[test]
fn checks_are_searched_deeper() {
    let mut rng = Rng::new(3);
    let mut different = 0;
    for round in 0..2_000 {
        let wood = Wood::new(rng.next_u64(), Shape { layers: true, ..Shape::random(&mut rng, false) });
        let depth = rng.below(4);
        // The table's depths and those of iterations would mix searches that extend differently.
        let config = SearchConfig {
            table_bytes: 0,
            deepening: false,
            driver: Driver::Open,
            ..random_config(&mut rng)
        };
        let tactics = TacticalConfig { check_extension: true, ..exact(&mut rng) };
        let expected = extended(&wood, depth, 0, depth, &tactics);
        let mut search = TacticalSearch::<_, _>::with_tactics(guide(false), config, tactics);
        assert_eq!(search.value(&wood, depth), expected, "round {round}: {config:?} on {wood:?}");
        different += u32::from(expected != minimax(&wood, depth, &mut Ranger::default()));
    }
    assert!(different > 100, "extensions mattered {different} times");
}

/// The table stores moves as indices, which differ between all moves and answers.
#[test]
fn a_line_from_the_table_answers_checks() {
    let (mut rng, mut answers) = (Rng::new(5), 0);
    for _ in 0..1_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, false));
        let config = SearchConfig { driver: Driver::MtdF, ..SearchConfig::FULL };
        let tactics = TacticalConfig { check_extension: true, ..TacticalConfig::NONE };
        let mut search = TacticalSearch::<_, _>::with_tactics(guide(false), config, tactics);
        let (line, mut state) = (search.search(&wood, &SearchLimits::depth(4)).line, wood);
        for (at, mv) in line.into_iter().enumerate() {
            // The root lists all moves.
            let is_check = at > 0 && guide(false).is_check(&state);
            assert!(answering(&state, is_check).contains(&mv), "move {at} does not answer the check");
            answers += u32::from(is_check);
            state.play(mv);
        }
    }
    assert!(answers > 100, "lines contain {answers} answers");
}

/// By default, answers are filtered from all moves.
#[test]
fn answers_are_filtered_by_default() {
    struct Fewest;

    impl Heuristics<Nim> for Fewest {
        fn evaluate(&mut self, _: &Nim) -> i32 {
            0
        }
    }

    impl Tactics<Nim> for Fewest {
        fn answers_check(&self, _: &Nim, mv: u8) -> bool {
            mv != 2
        }
    }

    let mut moves = vec![2];
    Fewest.answers(&Nim { matches: 9, mover: Player::Zero }, &mut moves);
    assert_eq!(moves, [2, 1, 3], "moves are appended");
}

#[test]
fn every_technique_does_something_and_all_together_keep_to_the_range() {
    let mut rng = Rng::new(4);
    let all = TacticalConfig {
        quiescence: 4,
        quiescence_checks: 2,
        late_moves: 1,
        late_move_pruning: 1,
        ..TacticalConfig::of_unit(3)
    };
    let mut total = TacticalCounts::default();
    for _ in 0..300 {
        let shape = Shape { width: 40, branching: 6, ends: 1, range: 20, ..Shape::random(&mut rng, false) };
        let wood = Wood::new(rng.next_u64(), shape);
        let mut search = TacticalSearch::<_, _>::with_tactics(guide(false), SearchConfig::FULL, all);
        let value = search.value(&wood, 6);
        assert!(value.abs() <= 20 + 18, "{value}");
        let counts = search.guide().counts();
        total.quiescence_nodes += counts.quiescence_nodes;
        total.null_move_cuts += counts.null_move_cuts;
        total.evaluation_cuts += counts.evaluation_cuts;
        total.pruned_nodes += counts.pruned_nodes;
        total.reductions += counts.reductions;
        total.repeated_reductions += counts.repeated_reductions;
        total.extensions += counts.extensions;
    }
    let TacticalCounts { quiescence_nodes, null_move_cuts, evaluation_cuts, .. } = total;
    let TacticalCounts { pruned_nodes, reductions, repeated_reductions, extensions, .. } = total;
    let counts = [
        quiescence_nodes,
        null_move_cuts,
        evaluation_cuts,
        pruned_nodes,
        reductions,
        repeated_reductions,
        extensions,
    ];
    assert!(counts.iter().all(|&count| count > 0), "{total:?}");
}

impl Tactics<Nim> for Toy {}
impl Tactics<TicTacToe> for Toy {}

#[test]
fn games_are_solved_with_all_techniques() {
    for matches in 1..=40 {
        let mut search = TacticalSearch::<Nim, Toy>::tactical(Toy, 1);
        let found = search.search(&Nim { matches, mover: Player::Zero }, &SearchLimits::nodes(100_000));
        if matches % 4 != 0 {
            assert_eq!(found.moves[0].mv, matches % 4, "{matches} matches");
        }
    }
    let mut search = TacticalSearch::<TicTacToe, Toy>::tactical(Toy, 1);
    let found = search.search(&TicTacToe::default(), &SearchLimits::nodes(100_000));
    assert_eq!(found.moves[0].value, [0.0; 2]);
}

#[test]
fn a_search_that_is_stopped_says_what_it_has() {
    let shape = Shape { width: 1000, branching: 5, chance: 0, layers: true, range: 1000, ends: 0 };
    for nodes in 0..200 {
        let mut search = TacticalSearch::<_, _>::tactical(guide(false), 100);
        let found = search.search(&Wood::new(7, shape), &SearchLimits::nodes(nodes));
        assert!(!found.moves.is_empty() && search.stats().nodes <= nodes.max(1));
    }
}

/// A plain search tells its evaluation of every step, too, also below chance.
#[test]
fn plain_searches_lead_an_evaluation_along_the_path() {
    let mut rng = Rng::new(21);
    for _ in 0..3_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, true));
        let depth = rng.below(5);
        let value = expectimax(&wood, depth, &mut Scout::default());
        let config = SearchConfig {
            star1: rng.below(2) == 0,
            star2: rng.index(3),
            evaluate_from: rng.below(3),
            ..random_config(&mut rng)
        };
        let scout = Scout { is_lazy: rng.below(2) == 0, ..Scout::default() };
        let mut search = Search::<_, _, WithChance>::new(scout, config);
        assert_eq!(search.value(&wood, depth), value, "{config:?} on {wood:?}");
        search.search(&wood, &SearchLimits::depth(depth));
    }
}
