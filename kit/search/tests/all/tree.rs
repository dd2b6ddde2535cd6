//! Every switch of the tree search against plain expectimax, on random trees and toy games.

use crate::toys::*;
use contender_game::rules::{Chance, Game, Player, Rng, Turn};
use contender_search::*;

/// A random setting of all switches that must not change the value; one in four searches has only one technique on.
fn random_config(rng: &mut Rng) -> SearchConfig {
    let driver = match rng.below(3) {
        0 => Driver::Open,
        1 => Driver::Aspiration(rng.below(30)),
        _ => Driver::MtdF,
    };
    let mut on = || rng.below(2) == 0;
    let mut config = SearchConfig {
        alpha_beta: true,
        null_windows: on(),
        driver,
        deepening: on(),
        table_bytes: if on() { 1 << 14 } else { 0 },
        table_depth: TableDepth::Same,
        table_move: on(),
        killers: on(),
        history: on(),
        scores: on(),
        evaluate_from: u32::from(on()) * 2,
        star1: true,
        star2: 0,
        star_etc: on(),
        chance_table: on(),
        queries: 0,
        prob_cut: 0.0,
        margin: 0,
    };
    config.star1 = rng.below(8) > 0;
    config.star2 = rng.index(4);
    config.queries = rng.below(4);
    config.alpha_beta = rng.below(16) > 0;
    config
}

#[test]
fn all_switches_find_the_value_of_plain_expectimax() {
    let mut rng = Rng::new(1);
    for round in 0..6_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, true));
        let depth = rng.below(6);
        let expected = expectimax(&wood, depth, &mut Ranger::default());
        let config = random_config(&mut rng);
        let mut search = Search::<_, _, WithChance>::new(Ranger::default(), config);
        assert_eq!(
            search.value(&wood, depth),
            expected,
            "round {round}, depth {depth}: {config:?} on {wood:?}"
        );
        // Once more, with what the table remembers; and the whole found.
        assert_eq!(search.value(&wood, depth), expected, "again, round {round}: {config:?} on {wood:?}");
        check_search(&mut search, &wood, depth, expected);
    }
}

#[test]
fn all_switches_find_the_value_of_minimax_without_chance() {
    let mut rng = Rng::new(2);
    for round in 0..4_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, false));
        let depth = rng.below(7);
        let expected = minimax(&wood, depth, &mut Ranger::default());
        let config = random_config(&mut rng);
        let mut search = Search::<_, _>::new(Ranger::default(), config);
        assert_eq!(
            search.value(&wood, depth),
            expected,
            "round {round}, depth {depth}: {config:?} on {wood:?}"
        );
    }
}

/// The value, the best move, and the bounds of all moves.
fn check_search<L: ChanceModel<Wood>>(
    search: &mut Search<Wood, Ranger, L>,
    wood: &Wood,
    depth: u32,
    expected: i32,
) {
    let found = search.search(wood, &SearchLimits::depth(depth));
    let mut moves = Vec::new();
    wood.moves(&mut moves);
    assert_eq!(found.moves.len(), moves.len());
    let Turn::Player(player) = wood.turn() else { return assert!(moves.is_empty()) };
    if depth == 0 {
        return assert_eq!((found.depth, found.is_proven()), (0, false));
    }
    // A solved search may have ended earlier; then deeper is the same.
    assert!(found.is_proven() || found.depth == depth);
    let exact = [f64::from(player.sign() * expected); 2];
    assert_eq!(found.moves[0].value, exact, "{:?} on {wood:?}", search.config());
    let mut best_value = None;
    for root in &found.moves {
        let mut child = wood.clone();
        child.play(root.mv);
        let value = expectimax(&child, depth - 1, &mut Ranger::default());
        let [low, high] = root.value;
        let own = f64::from(player.sign() * value);
        assert!(low <= own && own <= high, "{root:?} has value {value}: {:?} on {wood:?}", search.config());
        if found.moves[0].mv == root.mv {
            best_value = Some(value);
        }
    }
    assert_eq!(best_value, Some(expected), "the best move is not: {:?} on {wood:?}", search.config());
    assert_eq!(found.line.first(), Some(&found.moves[0].mv));
    let mut state = wood.clone();
    for &mv in &found.line {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        assert!(moves.contains(&mv));
        state.play(mv);
    }
}

#[test]
fn answers_are_bounds_in_the_fail_soft_sense() {
    let mut rng = Rng::new(3);
    for _ in 0..6_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, true));
        let depth = rng.below(6);
        let value = expectimax(&wood, depth, &mut Ranger::default());
        let config = random_config(&mut rng);
        let mut search = Search::<_, _, WithChance>::new(Ranger::default(), config);
        let range = wood.shape.range as u32;
        for _ in 0..3 {
            let low = rng.below(2 * range + 2) as i32 - range as i32 - 1;
            let window = match rng.below(4) {
                0 => Bounds::exact(-INFINITY),
                1 => Bounds::exact(INFINITY),
                2 => Bounds::new(low, low + 1),
                _ => Bounds::new(low, low + 1 + rng.below(range) as i32),
            };
            let answer = search.ask(&wood, depth, window);
            let bounds = Bounds::from_answer(answer, window);
            assert!(bounds.contains(value), "{window:?} gives {answer}, but {value}: {config:?} on {wood:?}");
        }
    }
}

/// Remembers what was found of each node.
#[derive(Default)]
struct ProtocolParser {
    ranger: Ranger,
    heard: Vec<(Wood, u32, Bounds)>,
}

impl Heuristics<Wood> for ProtocolParser {
    fn evaluate(&mut self, wood: &Wood) -> i32 {
        self.ranger.evaluate(wood)
    }

    fn bounds(&self, wood: &Wood, depth: u32) -> Bounds {
        self.ranger.bounds(wood, depth)
    }

    fn key(&self, wood: &Wood) -> Option<u64> {
        self.ranger.key(wood)
    }

    fn score(&mut self, wood: &Wood, branch: u8) -> i32 {
        self.ranger.score(wood, branch)
    }

    fn found(&mut self, wood: &Wood, depth: u32, bounds: Bounds) {
        self.heard.push((wood.clone(), depth, bounds));
    }
}

#[test]
fn what_is_found_of_the_nodes_holds() {
    let mut rng = Rng::new(12);
    let (mut exact, mut lower, mut upper) = (0, 0, 0);
    for round in 0..3_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, true));
        let depth = 1 + rng.below(4);
        let config = random_config(&mut rng);
        let mut search = Search::<_, _, WithChance>::new(ProtocolParser::default(), config);
        search.search(&wood, &SearchLimits::depth(depth));
        let is_pruning = config.alpha_beta;
        let heard = std::mem::take(&mut search.guide().heard);
        for (node, depth, bounds) in &heard {
            let value = expectimax(node, *depth, &mut Ranger::default());
            assert!(bounds.contains(value), "round {round}: {bounds:?} for {value}, {config:?} on {node:?}");
            assert!(is_pruning || bounds.is_exact(), "without pruning all is known");
            exact += u32::from(bounds.is_exact());
            lower += u32::from(bounds.low > -INFINITY && bounds.high == INFINITY);
            upper += u32::from(bounds.low == -INFINITY && bounds.high < INFINITY);
        }
        // Without pruning and table every node of the tree is heard of, as often as it is met.
        if !is_pruning && config.table_bytes == 0 && !config.deepening {
            let mut nodes = Vec::new();
            all_nodes(&wood, depth, &mut nodes);
            let sorted = |nodes: Vec<(u64, u32)>| {
                let mut nodes = nodes;
                nodes.sort_unstable();
                nodes
            };
            let heard = heard.iter().map(|(node, depth, _)| (node.key(), *depth)).collect();
            assert_eq!(sorted(heard), sorted(nodes), "round {round}: {config:?} on {wood:?}");
        }
    }
    assert!([exact, lower, upper].iter().all(|&count| count > 5_000), "{exact} {lower} {upper}");
}

/// Keys and depths of all nodes that a full search looks below.
fn all_nodes(wood: &Wood, depth: u32, nodes: &mut Vec<(u64, u32)>) {
    let turn = wood.turn();
    if depth == 0 || turn == Turn::Over {
        return;
    }
    nodes.push((wood.key(), depth));
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    wood.moves(&mut moves);
    wood.outcomes(&mut outcomes);
    for branch in moves {
        let mut child = wood.clone();
        child.play(branch);
        all_nodes(&child, depth - 1, nodes);
    }
    for (outcome, _) in outcomes {
        let mut child = wood.clone();
        child.resolve(outcome);
        all_nodes(&child, depth, nodes);
    }
}

#[test]
fn predictions_without_error_cut_nothing_wrongly_and_those_with_error_stay_in_range() {
    let mut rng = Rng::new(5);
    let mut cuts = 0;
    for _ in 0..3_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, true));
        let depth = 2 + rng.below(4);
        let expected = expectimax(&wood, depth, &mut Ranger::default());
        let range = wood.shape.range as i32;
        // An error as wide as all values predicts nothing, so it must change nothing.
        let vague = ProbCut { depth: 1, slope: 1.0, offset: 0.0, sigma: 2.0 * f64::from(range) };
        let config = SearchConfig { prob_cut: 1.0, ..random_config(&mut rng) };
        let mut search = Search::<_, _, WithChance>::new(Ranger { model: Some(vague) }, config);
        assert_eq!(search.value(&wood, depth), expected);
        let bold = ProbCut { depth: 1, slope: 0.5, offset: 0.0, sigma: 0.1 * f64::from(range) };
        let mut search = Search::<_, _, WithChance>::new(Ranger { model: Some(bold) }, config);
        let value = search.value(&wood, depth);
        assert!(value.abs() <= range + 1, "{value} beyond {range}");
        cuts += search.stats().chance_cuts.predictions.iter().sum::<u64>();
    }
    assert!(cuts > 1_000, "{cuts}");
}

/// Minimax of the moves that are not evaluated worse than the best by more than `margin`, where enough decisions are
/// left.
fn plausible(wood: &Wood, depth: u32, margin: i32, evaluate_from: u32) -> i32 {
    let guide = &mut Ranger::default();
    let Turn::Player(player) = wood.turn() else { return guide.finished(wood) };
    if depth == 0 {
        return guide.evaluate(wood);
    }
    let mut moves = Vec::new();
    wood.moves(&mut moves);
    let children: Vec<Wood> = moves
        .iter()
        .map(|&mv| {
            let mut child = wood.clone();
            child.play(mv);
            child
        })
        .collect();
    let mut evaluation = |child: &Wood| {
        player.sign() * if child.turn() == Turn::Over { guide.finished(child) } else { guide.evaluate(child) }
    };
    let best = children.iter().map(&mut evaluation).max().expect("a player to act has a move");
    let kept = children.iter().filter(|child| depth < evaluate_from || evaluation(child) >= best - margin);
    let values = kept.map(|child| player.sign() * plausible(child, depth - 1, margin, evaluate_from));
    player.sign() * values.max().expect("the best is kept")
}

#[test]
fn a_margin_leaves_out_the_moves_that_are_evaluated_worse_by_more() {
    let mut rng = Rng::new(11);
    let mut different = 0;
    for round in 0..4_000 {
        let wood = Wood::new(rng.next_u64(), Shape::random(&mut rng, false));
        let depth = rng.below(6);
        let margin = 1 + rng.below(40);
        // What is exempt, or remembered from another depth, would change what is left out.
        let config = SearchConfig {
            margin,
            evaluate_from: 1 + rng.below(3),
            table_move: false,
            killers: false,
            alpha_beta: true,
            ..random_config(&mut rng)
        };
        let expected = plausible(&wood, depth, margin as i32, config.evaluate_from);
        let mut search = Search::<_, _>::new(Ranger::default(), config);
        assert_eq!(
            search.value(&wood, depth),
            expected,
            "round {round}, depth {depth}: {config:?} on {wood:?}"
        );
        different += u32::from(expected != minimax(&wood, depth, &mut Ranger::default()));
    }
    assert!(different > 100, "the margin mattered {different} times");
}

#[test]
fn every_technique_cuts_somewhere() {
    let shape = Shape { width: 40, branching: 4, chance: 3, layers: true, range: 1000, ends: 1 };
    let mut total = ChanceCuts::default();
    let everything =
        SearchConfig { star2: 1, queries: 2, table_depth: TableDepth::Same, ..SearchConfig::FULL };
    for seed in 0..400 {
        let mut search = Search::<_, _, WithChance>::new(Ranger::default(), everything);
        search.value(&Wood::new(seed, shape), 6);
        let cuts = search.stats().chance_cuts;
        for side in 0..2 {
            total.bounds[side] += cuts.bounds[side];
            total.table[side] += cuts.table[side];
            total.queries[side] += cuts.queries[side];
            total.probes[side] += cuts.probes[side];
            total.outcomes[side] += cuts.outcomes[side];
        }
    }
    let counts = [total.table, total.queries, total.outcomes];
    assert!(counts.iter().all(|sides| sides[0] > 0 && sides[1] > 0), "{total:?}");
    assert!(total.probes.iter().sum::<u64>() > 0, "{total:?}");
}

#[test]
fn games_are_solved() {
    let full = SearchConfig { table_bytes: 1 << 16, ..SearchConfig::FULL };
    for driver in [Driver::Open, Driver::Aspiration(1), Driver::MtdF] {
        let mut search = Search::<_, _>::new(Toy, SearchConfig { driver, ..full });
        let found = search.search(&TicTacToe::default(), &SearchLimits::NONE);
        assert_eq!((found.moves[0].value, found.is_proven()), ([0.0; 2], true), "{driver:?}");
        let mut search = Search::<_, _>::new(Toy, SearchConfig { driver, ..full });
        for matches in 1..=40 {
            let found = search.search(&Nim { matches, mover: Player::Zero }, &SearchLimits::NONE);
            let expected = if matches % 4 == 0 { -1 } else { 1 };
            assert!(found.is_proven(), "{matches} matches, {driver:?}");
            assert_eq!(found.moves[0].value, [f64::from(expected); 2], "{matches} matches, {driver:?}");
            if expected == 1 {
                assert_eq!(found.moves[0].mv, matches % 4);
            }
        }
    }
}

#[test]
fn dice_are_thrown_alike_with_every_switch() {
    let mut rng = Rng::new(6);
    for _ in 0..150 {
        let mut pig = Pig {
            banked: [rng.below(20) as u8, rng.below(20) as u8],
            sum: rng.below(10) as u8,
            turns: rng.below(12) as u8,
            rolling: false,
        };
        pig.rolling = rng.below(3) == 0;
        let depth = rng.below(5);
        let expected = expectimax(&pig, depth, &mut Toy);
        let config = random_config(&mut rng);
        let mut search = Search::<_, _, WithChance>::new(Toy, config);
        assert_eq!(search.value(&pig, depth), expected, "{config:?} on {pig:?}");
    }
}

#[test]
fn pruning_saves_nodes() {
    let shape = Shape { width: 100, branching: 5, chance: 3, layers: true, range: 1000, ends: 1 };
    let nodes = |config: SearchConfig| {
        let mut total = 0;
        for seed in 0..60 {
            let mut search = Search::<_, _, WithChance>::new(Ranger::default(), config);
            search.value(&Wood::new(seed, shape), 6);
            total += search.stats().nodes;
        }
        total
    };
    let plain = nodes(SearchConfig::PLAIN);
    let star0 = nodes(SearchConfig { alpha_beta: true, ..SearchConfig::PLAIN });
    let star1 = nodes(SearchConfig { alpha_beta: true, star1: true, ..SearchConfig::PLAIN });
    let table = SearchConfig { alpha_beta: true, star1: true, table_bytes: 1 << 16, ..SearchConfig::PLAIN };
    let table = nodes(SearchConfig { table_move: true, star_etc: true, chance_table: true, ..table });
    println!("nodes: plain {plain}, alpha-beta {star0}, Star1 {star1}, with table {table}");
    assert!(plain > star0 && star0 > star1 && star1 > table);
}

#[test]
fn a_search_without_chance_needs_no_chance_trait() {
    fn value<G: Game, E: Heuristics<G>>(state: &G, guide: E) -> i32 {
        Search::<G, E>::new(guide, SearchConfig::FULL).value(state, 3)
    }
    fn chance_value<G: Chance, E: Heuristics<G>>(state: &G, guide: E) -> i32 {
        let config = SearchConfig { table_depth: TableDepth::Same, ..SearchConfig::FULL };
        Search::<G, E, WithChance>::new(guide, config).value(state, 3)
    }
    assert_eq!(value(&Nim { matches: 3, mover: Player::One }, Points), -1);
    let pig = Pig { banked: [19, 0], sum: 1, ..Pig::default() };
    assert_eq!(chance_value(&pig, Toy), expectimax(&pig, 3, &mut Toy));
}
