//! Tests of the network's input, with a slow reference implementation and in mirrored views, and of the moves from its
//! output, checked by the judge.

use contender_cellularena::heuristic::{Evaluation, WEIGHTS};
use contender_cellularena::network::encoder::{encode, PLANES};
use contender_cellularena::network::kinds::{kind_number, kind_of, KINDS};
use contender_cellularena::network::policy::{
    candidates, map as policy_map, sample, seen, Candidate, Choices, Pick, WAIT,
};
use contender_cellularena::network::{outcome, shape, win_chance, Oracle, Symmetry, View};
use contender_cellularena::{
    map, Action, Cell, Cells, Classic, ClassicNet, ClassicSettings, Content, Dir, Kind, OrderCheck, Organ,
    PuctBot, PuctNet, PuctSettings, State, DISCOUNT,
};
use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Combined, Player, Rng, Simultaneous},
    settings::Shipped,
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Workspace};
use contender_search::TurnShare;
use std::collections::{BTreeMap, BTreeSet};

/// Visits states of random games on generated maps, some with many proteins, with the symmetry of the map.
fn for_random_states(seed: u64, count: usize, mut visit: impl FnMut(&State, Symmetry, &mut Rng)) {
    let mut rng = Rng::new(seed);
    let mut seen = 0;
    while seen < count {
        let mut state = map::generate(rng.next_u64() as i64 | 1).unwrap();
        let symmetry = Symmetry::of(&state);
        let rich = [0, 40, 120][rng.index(3)];
        if rich > 0 {
            Player::BOTH.into_iter().for_each(|player| state.set_stock(player, [rich; 4]).unwrap());
        }
        while !state.is_over() && seen < count {
            seen += 1;
            visit(&state, symmetry, &mut rng);
            let pair = Player::BOTH.map(|player| state.random_move(player, &mut rng));
            state.play([&pair[0], &pair[1]]);
        }
    }
}

/// Returns the board with every cell moved to its `image` and the players exchanged.
fn exchanged(state: &State, image: impl Fn(Cell) -> Cell, turn: impl Fn(Dir) -> Dir) -> State {
    let mut result = State::empty(state.width(), state.height()).unwrap();
    for cell in state.cells() {
        match state.content(cell) {
            Content::Wall => result.build_wall(image(cell)).unwrap(),
            Content::Source(protein) => result.put_source(image(cell), protein).unwrap(),
            _ => {}
        }
    }
    let organs = state.organs().into_iter().map(|organ| Organ {
        owner: organ.owner.other(),
        cell: image(organ.cell),
        dir: if matches!(organ.kind, Kind::Root | Kind::Basic) { organ.dir } else { turn(organ.dir) },
        ..organ
    });
    result.put_organs(organs.collect()).unwrap();
    Player::BOTH
        .into_iter()
        .for_each(|player| result.set_stock(player.other(), *state.stock(player)).unwrap());
    result.set_turns(state.turns() as u8);
    result
}

fn scaled(number: i64) -> f32 {
    0.4 * (1.0 + number as f32).ln()
}

/// Returns the channels of player 0's view, computed directly from their definitions.
fn slow_encoding(state: &State) -> Vec<f32> {
    let mut dense = vec![0.0; state.width() * state.height() * PLANES];
    let organs = state.organs();
    let actions = Player::BOTH.map(|player| {
        let mut actions = Vec::new();
        state.actions(player, &mut actions);
        actions
    });
    for (numbers, cell) in dense.chunks_mut(PLANES).zip(state.cells()) {
        let content = match state.content(cell) {
            Content::Empty => 0,
            Content::Wall => 1,
            Content::Source(protein) => 2 + protein as usize,
            Content::Organ { owner, kind, dir } => 6 + 14 * owner.index() + kind_number(kind, dir),
        };
        numbers[content] = 1.0;
        for player in Player::BOTH {
            let of = &mut numbers[34 + 29 * player.index()..][..29];
            if let Some(organ) = organs.iter().find(|organ| organ.cell == cell && organ.owner == player) {
                let position = |id: u16| organs.iter().find(|organ| organ.id == id);
                if let Some(parent) = position(organ.parent) {
                    let dir = Dir::ALL.into_iter().position(|dir| cell.step(dir) == parent.cell);
                    of[dir.unwrap()] = 1.0;
                }
                let depends = |other: &&Organ| {
                    let line = std::iter::successors(Some(**other), |organ| position(organ.parent).copied());
                    line.map(|organ| organ.id).any(|id| id == organ.id)
                };
                of[18] = scaled(organs.iter().filter(depends).count() as i64);
            }
            for action in actions[player].iter().filter(|action| action.to == cell) {
                of[4 + kind_number(action.kind, action.dir)] = 1.0;
            }
            for protein in 0..4 {
                of[19 + protein] = scaled(state.stock(player)[protein].into());
                of[23 + protein] = 0.5 * state.income(player)[protein] as f32;
            }
            of[27] = 0.04 * organs.iter().filter(|organ| organ.owner == player).count() as f32;
            of[28] = scaled(state.stock(player).iter().map(|&amount| i64::from(amount)).sum());
        }
        numbers[92] = 0.01 * state.turns() as f32;
    }
    dense
}

#[test]
fn channels_equal_their_definitions() {
    for_random_states(1, 1_500, |state, symmetry, _| {
        let mut input = Planes::default();
        encode(state, &View::new(state, Player::Zero, symmetry), &mut input);
        assert!(input.fits(PLANES));
        assert_eq!(input.dense(PLANES), slow_encoding(state), "{state:?}");
    });
}

#[test]
fn both_players_see_the_same_in_the_mirror() {
    for_random_states(2, 4_000, |state, symmetry, rng| {
        let view = View::new(state, Player::One, symmetry);
        let view = if rng.below(2) == 0 { view.mirrored() } else { view };
        let image = |cell: Cell| view.cell_on_board(cell.x(), cell.y());
        let exchanged = exchanged(state, image, |dir| view.dir(dir));
        let [mut one, mut zero] = [Planes::default(), Planes::default()];
        encode(state, &view, &mut one);
        encode(&exchanged, &View::new(&exchanged, Player::Zero, symmetry), &mut zero);
        let size = state.width() * state.height();
        assert_eq!(one.everywhere(), zero.everywhere());
        for cell in 0..size {
            let sorted = |input: &Planes| {
                let mut entries: Vec<(u16, u32)> =
                    input.cell(cell).iter().map(|&(channel, value)| (channel, value.to_bits())).collect();
                entries.sort_unstable();
                entries
            };
            assert_eq!(sorted(&one), sorted(&zero), "{state:?}");
        }
    });
}

#[test]
fn choices_are_the_same_in_every_view() {
    for_random_states(22, 4_000, |state, symmetry, rng| {
        let player = Player::BOTH[rng.index(2)];
        let view = View::new(state, player, symmetry);
        let enemys = View::new(state, player.other(), symmetry);
        for (from, to) in
            [(view, view.mirrored()), (enemys, view.beside()), (view, enemys.mirrored().beside())]
        {
            let [plain, turned] = [from, to].map(|view| Choices::new(state, view));
            let [mut picks, mut same] = [Vec::new(), Vec::new()];
            plain.list(&mut picks);
            turned.list(&mut same);
            let mut images: Vec<Pick> = picks.iter().map(|&pick| seen(pick, &from, &to)).collect();
            for (&pick, &image) in picks.iter().zip(&images) {
                let [one, other] = [plain.clone().take(pick), turned.clone().take(image)];
                assert_eq!((one.to, one.kind, one.dir), (other.to, other.kind, other.dir), "{state:?}");
                assert_eq!(seen(image, &to, &from), pick);
            }
            images.sort_unstable();
            same.sort_unstable();
            assert_eq!(images, same, "{state:?}");
            assert_eq!(seen(WAIT, &from, &to), WAIT);
        }
    });
}

#[test]
fn the_symmetry_of_a_map_is_found_at_its_start() {
    let mut counts = [0; 2];
    for seed in 1..400 {
        let state = map::generate(seed).unwrap();
        let view = View::new(&state, Player::One, Symmetry::of(&state));
        counts[usize::from(Symmetry::of(&state) == Symmetry::Point)] += 1;
        for cell in state.cells() {
            let image = state.content(view.cell_on_board(cell.x(), cell.y()));
            match state.content(cell) {
                Content::Organ { .. } => assert!(matches!(image, Content::Organ { .. })),
                content => assert_eq!(content, image),
            }
        }
    }
    assert!(counts[0] > 60 && counts[1] > 220, "{counts:?}");
}

fn random_output(rng: &mut Rng) -> Workspace {
    let mut work = Workspace::new(shape(16, 0, 1, 1));
    work.logits.iter_mut().for_each(|logit| *logit = 4.0 * rng.unit() as f32);
    work.wait[0] = 4.0 * rng.unit() as f32 - 2.0;
    work
}

/// Checks that the judge accepts the move unchanged.
fn assert_accepted(state: &State, player: Player, actions: &[Action]) {
    let mut check = OrderCheck::new(state, player);
    for action in actions {
        assert_eq!(check.take(action.order(state)), Ok(Some(*action)), "{state:?}");
    }
}

#[test]
fn every_choice_is_one_the_judge_takes() {
    for_random_states(3, 100_000, |state, symmetry, rng| {
        let player = Player::BOTH[rng.index(2)];
        let view = View::new(state, player, symmetry);
        let mut choices = Choices::new(state, view);
        let mut check = OrderCheck::new(state, player);
        let mut picks = Vec::new();
        choices.list(&mut picks);
        let (mut tended, mut taken) = (BTreeSet::new(), Cells::EMPTY);
        let mut is_first = true;
        while !picks.is_empty() {
            if is_first && rng.below(20) == 0 {
                // The choices are all actions in the rules, apart from the organ that grows: none is missing.
                let mut actions = Vec::new();
                state.actions(player, &mut actions);
                let expected: BTreeSet<Pick> = actions.iter().map(|action| choices.pick_of(action)).collect();
                assert_eq!(picks.iter().copied().collect::<BTreeSet<Pick>>(), expected);
            }
            is_first = false;
            let pick = *rng.choose(&picks);
            let action = choices.take(pick);
            assert_eq!(choices.pick_of(&action), pick);
            assert_eq!(check.take(action.order(state)), Ok(Some(action)), "{state:?}");
            assert!(!taken.has(action.to), "a cell is chosen twice");
            taken.insert(action.to);
            let target = action.to.step(action.dir);
            if action.kind == Kind::Harvester && state.sources().has(target) {
                assert!(tended.insert(target), "a source is harvested twice");
            }
            picks.clear();
            choices.list(&mut picks);
        }
    });
}

#[test]
fn samples_and_candidates_are_moves() {
    for_random_states(4, 3_000, |state, symmetry, rng| {
        let player = Player::BOTH[rng.index(2)];
        let view = View::new(state, player, symmetry);
        let work = random_output(rng);
        let sampled = sample(&work, state, view, rng);
        assert_accepted(state, player, &sampled.actions);
        assert_eq!(sampled.picks.iter().filter(|&&pick| pick != WAIT).count(), sampled.actions.len());
        assert!(sampled.log_probability <= 0.0);
        let found = candidates(&work, state, view, 4);
        assert!((1..=4).contains(&found.len()));
        assert!(found.windows(2).all(|pair| pair[0].rank >= pair[1].rank));
        for (at, candidate) in found.iter().enumerate() {
            assert_accepted(state, player, &candidate.actions);
            assert!(found[..at].iter().all(|other| other.actions != candidate.actions));
        }
        if state.roots(player).len() == 1 {
            // With one organism, the candidates are waiting and the organism's best choices.
            let mut choices = Vec::new();
            Choices::new(state, view).list(&mut choices);
            let mut odds: Vec<f32> =
                choices.iter().map(|&pick| work.logits[usize::from(pick)].exp()).collect();
            odds.sort_by(|a, b| b.total_cmp(a));
            let (acting, wait) = (odds.iter().sum::<f32>(), work.wait[0].exp());
            let mut ranks: Vec<f32> =
                odds.iter().map(|odds_of| acting / (acting + wait) * odds_of / odds[0]).collect();
            ranks.push(wait / (acting + wait));
            ranks.sort_by(|a, b| b.total_cmp(a));
            for (candidate, rank) in found.iter().zip(ranks) {
                assert!((candidate.rank - rank.ln()).abs() < 1e-3);
            }
        }
    });
}

#[test]
fn kinds_are_numbered() {
    let mut seen = BTreeSet::new();
    for number in 0..KINDS {
        let (kind, dir) = kind_of(number);
        assert_eq!(kind_number(kind, dir), number);
        assert!(seen.insert((kind, dir)));
    }
}

/// Returns a small network with random weights.
fn oracle(seed: u64) -> Oracle {
    let shape = shape(16, 0, 3, 1);
    let mut rng = Rng::new(seed);
    let parameters: Vec<f32> = (0..shape.parameters()).map(|_| rng.unit() as f32 - 0.5).collect();
    Oracle::new(Network::new(shape, &parameters))
}

/// Returns the pessimistic value at this depth in turns, directly from its definition, without bounds or cache.
fn slow_value(
    state: &State,
    own: Player,
    (ahead, depth): (i32, u32),
    oracle: &mut Oracle,
    symmetry: Symmetry,
) -> f32 {
    let share = DISCOUNT.powi(ahead);
    if state.is_over() {
        return share * outcome(state, own);
    }
    let mut ask = |player: Player| {
        let view = View::new(state, player, symmetry);
        let value = oracle.ask(state, &view);
        (value, candidates(&oracle.output, state, view, 3))
    };
    let (value, moves) = ask(own);
    if depth == 0 {
        return share * value;
    }
    let (_, answers) = ask(own.other());
    let mut best = f32::NEG_INFINITY;
    for mv in &moves {
        let mut worst = f32::INFINITY;
        for answer in &answers {
            let mut next = state.clone();
            let pair = if own == Player::Zero { [mv, answer] } else { [answer, mv] };
            next.play_turn([&pair[0].actions, &pair[1].actions]);
            worst = worst.min(slow_value(&next, own, (ahead + 1, depth - 1), oracle, symmetry));
        }
        best = best.max(worst);
    }
    best
}

#[test]
fn the_search_finds_the_pessimistic_value() {
    let mut slow = oracle(1);
    let mut number = 0;
    for_random_states(5, 600, |state, symmetry, rng| {
        number += 1;
        if number % 20 != 0 {
            return;
        }
        let depth = 1 + rng.below(2);
        let own = Player::BOTH[rng.index(2)];
        let mut bot = Classic::new(
            ClassicSettings { moves: 3, depth, time: TurnShare::of(1.0), ..ClassicSettings::DEFAULT },
            ClassicNet(oracle(1)),
        );
        let analysis = bot.analyse(state, own, &Clock::new(Limits::NONE));
        assert_accepted(state, own, &analysis.moves[0].mv);
        if analysis.depth == depth {
            let expected = slow_value(state, own, (0, depth), &mut slow, symmetry);
            let expected = win_chance(f64::from(expected), state.turns());
            assert_eq!(analysis.moves[0].value, [expected; 2], "{state:?}");
        } else {
            assert_eq!(analysis.moves.len(), 1, "a search ends early where there is nothing to choose");
        }
    });
}

/// A shown win chance keeps the order of the values, is never certain, and both players' chances have the sum 1.
#[test]
fn win_chances_are_symmetric_and_never_certain() {
    for turns in [0, 5, 20, 99] {
        let chances: Vec<f64> = (-20..=20).map(|tenth| win_chance(f64::from(tenth) / 10.0, turns)).collect();
        assert!(chances.windows(2).all(|two| two[0] < two[1]) && chances[0] > 0.0, "{chances:?}");
        assert_eq!(chances[20], 0.5);
        assert!(chances
            .iter()
            .zip(chances.iter().rev())
            .all(|(one, other)| (one + other - 1.0).abs() < 1e-12));
    }
    // In games of the bot against itself, a value of 1 after the second turn was a win in 97 of 100 cases.
    assert!((win_chance(1.0, 2) - 0.967).abs() < 0.005 && win_chance(1.0, 40) > 0.99);
}

/// A move in the reference implementation of PUCT: its actions, prior, sum of rewards, and visits.
type SlowMove = (Vec<Action>, f32, f64, u32);

/// A node in the reference implementation of PUCT, with the moves of each player and the states reached after them. A
/// state that was reached once has no node yet.
struct SlowNode {
    moves: [Vec<SlowMove>; 2],
    children: BTreeMap<[usize; 2], Option<SlowNode>>,
}

impl SlowNode {
    fn new(state: &State, viewer: Player, symmetry: Symmetry, oracle: &mut Oracle) -> SlowNode {
        let own = View::new(state, viewer, symmetry);
        let moves = Player::BOTH.map(|player| {
            // A network with both policies is evaluated only in the viewer's view.
            let (asked, view) = if player == viewer {
                (own, own)
            } else if oracle.tells_both() {
                (own, own.beside())
            } else {
                let enemys = View::new(state, player, symmetry);
                (enemys, enemys)
            };
            oracle.ask(state, &asked);
            let found = candidates(&oracle.output, state, view, 3);
            let all: f32 = found.iter().map(|of| (of.rank - found[0].rank).exp()).sum();
            let prior = |of: &Candidate| (of.rank - found[0].rank).exp() / all;
            found.iter().map(|of| (of.actions.clone(), prior(of), 0.0, 0)).collect()
        });
        SlowNode { moves, children: BTreeMap::new() }
    }
}

/// Runs one iteration from a node at this depth in turns, for a player, and returns both players' rewards. Returns
/// `None` if several moves are equally urgent, so that randomness decides.
fn slow_iteration(
    node: &mut SlowNode,
    state: &State,
    (own, ahead): (Player, i32),
    settings: &PuctSettings,
    (symmetry, oracle): (Symmetry, &mut Oracle),
    evaluation: &Evaluation,
) -> Option<[f32; 2]> {
    let chosen = [0, 1].map(|player: usize| {
        let moves = &node.moves[player];
        let visits: u32 = moves.iter().map(|of| of.3).sum();
        let mean = moves.iter().map(|of| of.2).sum::<f64>() / f64::from(visits.max(1));
        let urgency = |&at: &usize| {
            let (_, prior, sum, count) = &moves[at];
            let reward = match count {
                0 => mean as f32 - settings.first,
                _ => (sum / f64::from(*count)) as f32,
            };
            reward + settings.exploration * (visits.max(1) as f32).sqrt() * prior / (count + 1) as f32
        };
        let best = (0..moves.len()).max_by(|a, b| urgency(a).total_cmp(&urgency(b))).unwrap();
        let equals = (0..moves.len()).filter(|at| urgency(at) == urgency(&best)).count();
        (equals == 1).then_some(best)
    });
    let [Some(zero), Some(one)] = chosen else { return None };
    let chosen = [zero, one];
    let mut next = state.clone();
    next.play([&node.moves[0][chosen[0]].0, &node.moves[1][chosen[1]].0]);
    let rewards = if next.is_over() {
        Player::BOTH.map(|player| DISCOUNT.powi(ahead + 1) * outcome(&next, player))
    } else if let Some(child) = node.children.get_mut(&chosen) {
        let child = child.get_or_insert_with(|| SlowNode::new(&next, own, symmetry, oracle));
        slow_iteration(child, &next, (own, ahead + 1), settings, (symmetry, oracle), evaluation)?
    } else {
        node.children.insert(chosen, None);
        let value = oracle.ask(&next, &View::new(&next, own, symmetry));
        let value = value * own.sign() as f32;
        let value = (1.0 - settings.hand) * value + settings.hand * 2.0 * evaluation.value(&next) as f32;
        [value, -value].map(|reward| DISCOUNT.powi(ahead + 1) * reward)
    };
    for player in 0..2 {
        let of = &mut node.moves[player][chosen[player]];
        of.2 += f64::from(rewards[player]);
        of.3 += 1;
    }
    Some(rewards)
}

#[test]
fn puct_visits_what_its_formula_says() {
    let settings = PuctSettings { moves: 3, hand: 0.4, ..PuctSettings::default() };
    let mut evaluation = Evaluation::new(&WEIGHTS);
    let nets = || [PuctNet::shipped(), PuctNet(ClassicNet::shipped().0)];
    let mut slow = nets();
    assert_eq!([0, 1].map(|net: usize| slow[net].0.tells_both()), [true, false]);
    let (mut number, mut compared) = (0, [0; 2]);
    for_random_states(6, 600, |state, symmetry, rng| {
        number += 1;
        if number % 20 != 0 {
            return;
        }
        let iterations = 1 + rng.below(60);
        evaluation.announce(state);
        for (player, net) in Player::BOTH.into_iter().flat_map(|player| [(player, 0), (player, 1)]) {
            let PuctNet(slow) = &mut slow[net];
            let mut root = SlowNode::new(state, player, symmetry, slow);
            let mut iterate = || {
                slow_iteration(&mut root, state, (player, 0), &settings, (symmetry, &mut *slow), &evaluation)
            };
            if (0..iterations).any(|_| iterate().is_none()) {
                continue;
            }
            compared[net] += 1;
            let net = nets().into_iter().nth(net).expect("there are two");
            let mut bot = PuctBot::new(settings.clone(), net, 1);
            let clock = Clock::new(Limits::nodes(iterations.into()));
            let [zero, one] = bot.think(state, player, &clock);
            let found = if player == Player::Zero { zero } else { one };
            assert_accepted(state, player, &found.moves[0].mv);
            for (mv, _, sum, visits) in &root.moves[player.index()] {
                let of = found.moves.iter().find(|of| of.mv == *mv).unwrap();
                assert_eq!(of.effort, u64::from(*visits), "{iterations} iterations, {state:?}");
                if *visits > 0 {
                    assert_eq!(of.value[0], sum / f64::from(*visits));
                }
            }
        }
    });
    assert!(compared.iter().all(|&compared| compared > 10), "{compared:?}");
}

#[test]
fn the_bot_keeps_to_its_nodes_and_plays_the_same_again() {
    let moves = [(); 2].map(|()| {
        let mut state = map::generate(7).unwrap();
        let mut bots = [(); 2].map(|()| Classic::new(ClassicSettings::default(), ClassicNet::shipped()));
        let clock = Clock::new(Limits::nodes(12));
        let mut moves = Vec::new();
        for _ in 0..6 {
            let pair = Player::BOTH.map(|player| {
                let analysis = bots[player].analyse(&state, player, &clock);
                assert!(analysis.count("nodes") <= 12);
                analysis.moves[0].mv.clone()
            });
            state.play([&pair[0], &pair[1]]);
            moves.push(pair);
        }
        moves
    });
    assert_eq!(moves[0], moves[1]);
}

/// Compares the policy's map with probabilities computed from the rules' list of actions. Both players see the same map
/// in mirrored positions.
#[test]
fn maps_have_the_probabilities_of_first_choices() {
    let ClassicNet(mut oracle) = ClassicNet::shipped();
    for_random_states(21, 150, |state, symmetry, _| {
        let view = View::new(state, Player::One, symmetry);
        oracle.ask(state, &view);
        let found = policy_map(&oracle.output, state, view);
        // The kinds with the directions that the network distinguishes, each once, whichever organ grows them.
        let mut actions = Vec::new();
        state.actions(Player::One, &mut actions);
        let choices = Choices::new(state, view);
        let picks: BTreeSet<Pick> = actions.iter().map(|action| choices.pick_of(action)).collect();
        let odds = |logit: f32| f64::from(logit).exp();
        let weight = |pick: Pick| odds(oracle.output.logits[usize::from(pick)]);
        let all = odds(oracle.output.wait[0]) + picks.iter().map(|&pick| weight(pick)).sum::<f64>();
        for (cell, found) in state.cells().zip(&found) {
            let here = picks.iter().filter(|&&pick| choices.cell(pick) == cell);
            let shares: Vec<f64> = here.map(|&pick| weight(pick) / all).collect();
            assert_eq!(found.is_some(), !shares.is_empty(), "{cell:?} of {state:?}");
            assert!(
                (found.unwrap_or(0.0) - shares.iter().sum::<f64>()).abs() < 1e-5,
                "{cell:?} of {state:?}"
            );
        }
        let values = oracle.value_map(state, &view);
        // In the mirrored position, another one of several organisms may be the one that grows.
        if state.organisms(Player::One).count() == 1 {
            let image = |cell: Cell| view.cell_on_board(cell.x(), cell.y());
            let exchanged = exchanged(state, image, |dir| view.dir(dir));
            let there = oracle.value_map(&exchanged, &View::new(&exchanged, Player::Zero, symmetry));
            for (cell, value) in state.cells().zip(&values) {
                let image = image(cell);
                assert_eq!(*value, there[image.y() * state.width() + image.x()], "{cell:?} of {state:?}");
            }
        }
        assert!(values.iter().zip(&found).all(|(value, share)| value.is_some() == share.is_some()));
    });
}

/// Returns a strip of five cells with these stocks. Player 0 has two organs and player 1 has `enemies` organs.
fn strip(stocks: [&str; 2], enemies: usize) -> State {
    let organs = ["3 1 4 0 ROOT N 0 3\n", "4 1 3 0 BASIC N 3 3\n"][..enemies].concat();
    let own = "1 0 0 0 ROOT N 0 1\n2 0 1 0 BASIC N 1 1\n";
    format!("5 1\n.....\n{}\n{}\n{own}{organs}", stocks[0], stocks[1]).parse().unwrap()
}

#[test]
fn a_win_counts_twice_by_wiping_out_or_starving_the_enemy_and_once_in_a_stalemate() {
    let (rich, poor, nothing) = ("9 0 0 0", "0 1 0 0", "0 0 0 0");
    for (stocks, enemies, worth) in [
        ([rich, rich], 0, 2.0),
        ([nothing, nothing], 0, 2.0),
        ([rich, nothing], 1, 2.0),
        // Neither player can continue. One has more organs, or equally many and more proteins that buy nothing.
        ([nothing, nothing], 1, 1.0),
        ([poor, nothing], 2, 1.0),
        ([nothing, nothing], 2, 0.0),
    ] {
        let mut state = strip(stocks, enemies);
        state.play([&Vec::new(), &Vec::new()]);
        assert!(state.is_over());
        let found = Player::BOTH.map(|player| outcome(&state, player));
        assert_eq!(found, [worth, -worth], "{stocks:?} {enemies}");
    }
    // A game of full length counts once, whether the loser starved or not.
    let mut state = strip([rich, rich], 1);
    while !state.is_over() {
        state.play([&Vec::new(), &Vec::new()]);
    }
    assert_eq!((state.turns(), outcome(&state, Player::Zero)), (100, 1.0));
}

/// In a symmetric position, both players have the same chances, although the network prefers the player from whose view
/// it evaluates states. The analysis changes neither the move nor a later one.
#[test]
fn a_symmetric_start_is_even() {
    for seed in [1, 2, 3] {
        let state = map::generate(seed).unwrap();
        let clock = Clock::new(Limits::nodes(100));
        let bot = || PuctBot::new(PuctSettings::default(), PuctNet::shipped(), 1);
        let values = Player::BOTH.map(|player| {
            let (mut analyst, mut player_bot) = (bot(), bot());
            for _ in 0..2 {
                let found = analyst.analyse(&state, player, &clock);
                assert_eq!(found.moves[0].mv, player_bot.choose(&state, player, &clock), "{seed}");
            }
            let found = bot().analyse(&state, player, &clock);
            found
                .moves
                .iter()
                .zip(&found.strategy)
                .filter(|(of, _)| of.effort > 0)
                .map(|(of, part)| part * of.value[0])
                .sum::<f64>()
        });
        for value in values {
            assert!((0.4..0.6).contains(&value), "seed {seed}: {values:?}");
        }
    }
}
