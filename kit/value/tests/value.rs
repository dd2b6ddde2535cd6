//! Evaluations of a small game: what they are worth, what they say to searches, their files.

use contender_game::{
    rules::{Game, Player, Rng, Turn},
    settings::Shipped,
};
use contender_search::mcts::{LeafEvaluator, Mcts, MctsConfig, Uct};
use contender_search::{
    expectimax, Bounds, ChanceModel, Heuristics, NoChance, Search, SearchConfig, SearchLimits, WithChance,
};
use contender_value::{link, wins, Evaluation, Features, Layout, WON};

/// In turn the players roll a die of three and take what it shows, or leave it to the other; who has more after six
/// rolls has won.
#[derive(Clone, PartialEq, Debug)]
struct Rolls {
    sums: [u32; 2],
    rolled: Option<u32>,
    player: Player,
    left: u32,
}

const START: Rolls = Rolls { sums: [0, 0], rolled: None, player: Player::Zero, left: 6 };

impl Game for Rolls {
    type Move = bool;

    fn turn(&self) -> Turn {
        match self.rolled {
            Some(_) => Turn::Player(self.player),
            None if self.left == 0 => Turn::Over,
            None => Turn::Chance,
        }
    }

    fn moves(&self, moves: &mut Vec<bool>) {
        if self.rolled.is_some() {
            moves.extend([true, false]);
        }
    }

    fn play(&mut self, is_taken: bool) {
        let taker = if is_taken { self.player } else { self.player.other() };
        // What is given away doubles, so that both moves are worth a thought.
        self.sums[taker] += self.rolled.take().expect("there is a roll") * if is_taken { 1 } else { 2 };
        self.player = self.player.other();
        self.left -= 1;
    }

    fn points(&self) -> [i32; 2] {
        self.sums.map(|sum| sum as i32)
    }
}

impl contender_game::rules::Chance for Rolls {
    type Outcome = u32;

    fn outcomes(&self, outcomes: &mut Vec<(u32, u32)>) {
        outcomes.extend([(1, 3), (2, 2), (3, 1)]);
    }

    fn resolve(&mut self, outcome: u32) {
        self.rolled = Some(outcome);
    }
}

impl Features for Rolls {
    type ChanceModel = WithChance;
    const COUNT: usize = 3;

    /// Points, so many times; the right to move; an even sum.
    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        (0..self.sums[player]).for_each(|_| add(0));
        if self.turn() == Turn::Player(player) {
            add(1);
        }
        if self.sums[player] % 2 == 0 {
            add(2);
        }
    }

    fn key(&self) -> Option<u64> {
        let [zero, one] = self.sums.map(u64::from);
        let rolled = self.rolled.map_or(0, u64::from);
        Some(contender_game::rules::mix(&[zero, one, rolled, self.player as u64, u64::from(self.left)]))
    }
}

fn evaluation() -> Evaluation<Rolls> {
    Evaluation::new(0.25, &[0.3, -0.2, 0.1])
}

/// Random numbers of a network, of about the size of what is learned.
fn random_numbers(neurons: usize, seed: u64) -> Vec<f32> {
    let mut rng = Rng::new(seed);
    (0..Layout::new(Rolls::COUNT, neurons).count()).map(|_| rng.unit() as f32 - 0.5).collect()
}

fn random(rng: &mut Rng) -> Rolls {
    let mut state = START;
    for _ in 0..rng.index(12) {
        match state.turn() {
            Turn::Over => break,
            Turn::Chance => {
                let outcome = contender_search::draw::<Rolls, WithChance>(&state, rng, &mut Vec::new()).1;
                WithChance::resolve(&mut state, outcome);
            }
            Turn::Player(_) => state.play(rng.index(2) == 0),
        }
    }
    state
}

/// How often a player has a feature.
fn count(state: &Rolls, player: Player, feature: usize) -> i32 {
    let mut count = 0;
    state.features(player, |of| count += i32::from(of == feature));
    count
}

/// Against the sum over all features, each counted by itself.
#[test]
fn positions_are_worth_what_the_players_have() {
    let mut evaluation = evaluation();
    let mut rng = Rng::new(1);
    for _ in 0..200 {
        let state = random(&mut rng);
        let count = |player, feature| count(&state, player, feature);
        let parts = evaluation.weights().iter().enumerate().map(|(feature, weight)| {
            f64::from(*weight) * f64::from(count(Player::Zero, feature) - count(Player::One, feature))
        });
        let sum = f64::from(evaluation.constant()) + parts.sum::<f64>();
        assert!((evaluation.value(&state) - link(sum)).abs() < 1e-6, "{state:?}");
    }
}

/// Against each neuron by itself, with counts of all features; and what a player has is worth the same to either, who
/// moves first excepted.
#[test]
fn networks_see_what_both_players_have() {
    const N: usize = 5;
    let numbers = random_numbers(N, 4);
    let mut network = Evaluation::<Rolls>::network(N, numbers.clone());
    let (linear, hidden) = numbers.split_at(4);
    let (biases, hidden) = hidden.split_at(N);
    let (outputs, rows) = hidden.split_at(N);
    let (mut rng, mut squares) = (Rng::new(3), [0; 3]);
    for _ in 0..200 {
        let state = random(&mut rng);
        let mut worth = |own: Player| {
            let mut sum = 0.0;
            for feature in 0..3 {
                sum += f64::from(linear[1 + feature]) * f64::from(count(&state, own, feature));
            }
            for neuron in 0..N {
                let mut inner = f64::from(biases[neuron]);
                for feature in 0..3 {
                    let [to_own, to_other] =
                        [0, N].map(|side| f64::from(rows[feature * 2 * N + side + neuron]));
                    inner += to_own * f64::from(count(&state, own, feature));
                    inner += to_other * f64::from(count(&state, own.other(), feature));
                }
                squares[usize::from(inner > 0.0) + usize::from(inner >= 1.0)] += 1;
                sum += inner.clamp(0.0, 1.0).powi(2) * f64::from(outputs[neuron]);
            }
            sum
        };
        let slow = f64::from(linear[0]) + worth(Player::Zero) - worth(Player::One);
        assert!((network.value(&state) - link(slow)).abs() < 1e-6, "{state:?}");
        let [zero, one] = state.sums;
        let other = Rolls { sums: [one, zero], player: state.player.other(), ..state.clone() };
        let apart = unlink(network.value(&state)) + unlink(network.value(&other));
        assert!((apart - 2.0 * f64::from(linear[0])).abs() < 1e-3, "{state:?}");
    }
    assert!(squares.iter().all(|&times| times > 100), "below, within and above the clip: {squares:?}");
}

/// The sum of a value.
fn unlink(value: f64) -> f64 {
    value / (1.0 - value * value).sqrt()
}

/// It is odd, rises everywhere, stays between -1 and 1, and is what the loss that is learned by has as its slope.
#[test]
fn a_sum_becomes_a_value() {
    let loss = |sum: f64| (1.0 + sum * sum).sqrt();
    let sums: Vec<f64> = (-400..=400).map(|sum| f64::from(sum) / 40.0).collect();
    assert!(sums.windows(2).all(|two| link(two[0]) < link(two[1])));
    for sum in sums {
        assert!(link(sum).abs() < 1.0 && link(-sum) == -link(sum));
        let slope = (loss(sum + 1e-5) - loss(sum - 1e-5)) / 2e-5;
        assert!((link(sum) - slope).abs() < 1e-6, "{sum}");
    }
    assert_eq!(link(0.0), 0.0);
    assert_eq!([-f64::from(WON), 0.0, f64::from(WON)].map(wins), [0.0, 0.5, 1.0]);
}

/// With chance, with and without pruning by bounds and a table.
#[test]
fn alpha_beta_finds_what_expectimax_does() {
    let mut rng = Rng::new(2);
    for round in 0..60 {
        let state = random(&mut rng);
        let depth = 1 + round % 4;
        let slow = expectimax(&state, depth, &mut evaluation());
        let config = SearchConfig { table_depth: contender_search::TableDepth::Same, ..SearchConfig::FULL };
        let mut search = Search::<Rolls, _, WithChance>::new(evaluation(), config);
        assert_eq!(search.value(&state, depth), slow, "{state:?} {depth}");
    }
    let over = Rolls { sums: [3, 5], rolled: None, player: Player::Zero, left: 0 };
    assert_eq!(Heuristics::finished(&mut evaluation(), &over), -WON);
    let even = Rolls { sums: [4, 4], ..over };
    assert_eq!(Heuristics::finished(&mut evaluation(), &even), 0);
}

/// Monte Carlo tree search asks it in place of random games: what it says are shares of a win.
#[test]
fn trees_ask_it() {
    let state = Rolls { rolled: Some(3), left: 1, ..START };
    let [zero, one] = evaluation().estimate(&mut state.clone(), &mut Rng::new(1));
    assert!((f64::from(zero) - (0.5 + 0.5 * evaluation().value(&state))).abs() < 1e-6);
    assert!((zero + one - 1.0).abs() < 1e-6);
    let mut tree = Mcts::<Rolls, WithChance, Uct>::new(MctsConfig::default(), Uct::new(1.0));
    let limits = SearchLimits { nodes: Some(50), ..SearchLimits::NONE };
    let found = tree.search(&state, &mut evaluation(), &limits, &mut Rng::new(1));
    assert!(found.moves[0].mv && found.is_proven(), "the last roll is taken");
}

#[test]
fn files_are_read_as_they_were_written() {
    let text = evaluation().write();
    assert_eq!(std::str::from_utf8(&text).unwrap(), "constant 0.25\n0 0.3\n1 -0.2\n2 0.1\n");
    let read = Evaluation::<Rolls>::read(&text).unwrap();
    assert_eq!((read.constant(), read.weights()), (0.25, evaluation().weights()));
    let shipped = Evaluation::<Rolls>::shipped();
    assert_eq!((shipped.constant(), shipped.weights()), (0.0, &[0.0; 3][..]));
}

/// What was read is written to the same bytes; what was learned is rounded once.
#[test]
fn networks_are_read_as_they_were_written() {
    for neurons in [1, 8, 33] {
        let mut network = Evaluation::<Rolls>::network(neurons, random_numbers(neurons, 9));
        let bytes = network.write();
        let mut read = Evaluation::<Rolls>::read(&bytes).unwrap();
        assert_eq!(read.write(), bytes);
        let mut rng = Rng::new(2);
        for _ in 0..50 {
            let state = random(&mut rng);
            assert!((read.value(&state) - network.value(&state)).abs() < 0.02, "{state:?}");
        }
    }
}

#[test]
fn wrong_networks_are_refused() {
    let bytes = Evaluation::<Rolls>::network(2, random_numbers(2, 9)).write();
    let error = |bytes: &[u8]| Evaluation::<Rolls>::read(bytes).map(|_| ()).unwrap_err();
    let with = |at: usize, number: u32| {
        let mut bytes = bytes.clone();
        bytes[at..at + 4].copy_from_slice(&number.to_le_bytes());
        error(&bytes)
    };
    assert_eq!(with(12, 7), "the network has 7 features, but the game has 3: train it again");
    for neurons in [0, 1025, u32::MAX] {
        assert_eq!(with(8, neurons), format!("a network has 1 to 1024 neurons, not {neurons}"));
    }
    assert_eq!(with(8, 3), "the network has 20 numbers instead of 28");
    assert_eq!(with(16, f32::INFINITY.to_bits()), "a scale of the network is inf");
    assert!(with(16, 1e30f32.to_bits()).starts_with("a number of the network is "));
    assert_eq!(error(&bytes[..12]), "the network ends before the end of its head");
    (13..bytes.len()).for_each(|length| drop(error(&bytes[..length])));
    // Whatever the bytes say, nothing panics.
    let mut rng = Rng::new(5);
    for _ in 0..2_000 {
        let mut bytes = bytes.clone();
        let at = rng.index(bytes.len());
        bytes[at] ^= 1 << rng.index(8);
        if let Ok(mut read) = Evaluation::<Rolls>::read(&bytes) {
            assert!(read.value(&START).abs() <= 1.0);
        }
    }
}

#[test]
fn wrong_files_are_refused_with_their_place() {
    for (bytes, words) in [
        (&b""[..], "there are weights of 0 features, but the game has 3: train them again"),
        (b"constant 0\n0 1\n", "there are weights of 1 features, but the game has 3: train them again"),
        (
            b"constant 0\n0 1\n1 1\n2 1\n3 1\n",
            "there are weights of 4 features, but the game has 3: train them again",
        ),
        (b"0 1\n", "line 1: `0 1` is not `constant` and a number"),
        (b"constant 0\n1 1\n", "line 2: `1 1` is not `0` and a number"),
        (b"constant 0\n0 NaN\n", "line 2: `0 NaN` is not a number from -1000000 to 1000000"),
        (b"constant 1e30\n", "line 1: `constant 1e30` is not a number from -1000000 to 1000000"),
        (b"constant 0\n0 1 2\n", "line 2: `0 1 2` is not `0` and a number"),
        (b"\xff\xfe", "neither a text with weights nor a network"),
    ] {
        assert_eq!(Evaluation::<Rolls>::read(bytes).map(|_| ()), Err(words.to_string()));
    }
}

/// A game of four moves with other weights in its second half.
#[derive(Clone, PartialEq, Debug)]
struct Halves(u32);

impl Game for Halves {
    type Move = ();

    fn turn(&self) -> Turn {
        if self.0 < 4 {
            Turn::Player(Player::Zero)
        } else {
            Turn::Over
        }
    }

    fn moves(&self, moves: &mut Vec<()>) {
        moves.push(());
    }

    fn play(&mut self, (): ()) {
        self.0 += 1;
    }

    fn points(&self) -> [i32; 2] {
        [1, 0]
    }
}

impl Features for Halves {
    type ChanceModel = NoChance;
    const COUNT: usize = 1;
    const STAGES: usize = 2;

    /// A move that was made.
    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        if player == Player::Zero {
            (0..self.0).for_each(|_| add(0));
        }
    }

    fn stage(&self) -> usize {
        usize::from(self.0 >= 2)
    }
}

#[test]
fn stages_have_weights_of_their_own() {
    let weights = [0.5, 0.25, -1.0, 0.125];
    let mut evaluation = Evaluation::<Halves>::of_weights(weights.to_vec());
    let sums = [0.5, 0.75, -0.75, -0.625];
    for (moves, sum) in (0..).zip(sums) {
        assert_eq!(evaluation.value(&Halves(moves)), link(sum));
    }
    let text = Halves::write_weights(&weights);
    assert_eq!(String::from_utf8_lossy(&text), "constant 0.5\n0 0.25\nconstant -1\n0 0.125\n");
    assert_eq!(Halves::read_weights(&text).unwrap(), weights);
    let error = Halves::read_weights(b"constant 0.5\n0 0.25\n").unwrap_err();
    assert!(error.contains("train them again"), "{error}");
    // Alike in both, and a network has none.
    assert_eq!(Evaluation::<Halves>::new(1.0, &[2.0]).numbers(), [1.0, 2.0, 1.0, 2.0]);
    let mut network = Evaluation::<Halves>::network(1, vec![0.5, 0.25, 0.0, 0.0, 0.0, 0.0]);
    assert_eq!(network.value(&Halves(3)), link(1.25));
    let error = Halves::read_weights(&network.write()).unwrap_err();
    assert_eq!(error, "it is a network, not weights");
}

/// Players put stones on a ring of cells; a stone of the opponent may be replaced.
#[derive(Clone, PartialEq, Debug)]
struct Ring {
    cells: [Option<Player>; 9],
    player: Player,
    left: u8,
}

const RING: Ring = Ring { cells: [None; 9], player: Player::Zero, left: 12 };

impl Ring {
    fn of(&self, player: Player, cell: usize) -> bool {
        self.cells[cell % 9] == Some(player)
    }
}

impl Game for Ring {
    type Move = usize;

    fn turn(&self) -> Turn {
        if self.left == 0 {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }

    fn moves(&self, moves: &mut Vec<usize>) {
        moves.extend((0..9).filter(|&cell| !self.of(self.player, cell)));
    }

    fn play(&mut self, cell: usize) {
        self.cells[cell] = Some(self.player);
        self.player = self.player.other();
        // A full ring would leave no move.
        self.left =
            if self.cells.iter().all(|cell| *cell == Some(self.player.other())) { 0 } else { self.left - 1 };
    }

    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| (0..9).filter(|&cell| self.of(player, cell)).count() as i32)
    }
}

/// Each cell, the right to move, and pairs of neighbours, as often as there are.
impl Features for Ring {
    type ChanceModel = NoChance;
    const COUNT: usize = 11;
    const UPDATES: bool = true;

    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        (0..9).filter(|&cell| self.of(player, cell)).for_each(&mut add);
        if self.turn() == Turn::Player(player) {
            add(9);
        }
        (0..9).filter(|&cell| self.of(player, cell) && self.of(player, cell + 1)).for_each(|_| add(10));
    }

    fn changes(before: &Ring, cell: usize, after: &Ring, mut change: impl FnMut(Player, usize, bool)) {
        for player in Player::BOTH {
            let is_given = player == before.player;
            if is_given || before.of(player, cell) {
                change(player, cell, is_given);
                for other in [cell + 1, cell + 8] {
                    if before.of(player, other) {
                        change(player, 10, is_given);
                    }
                }
            }
        }
        change(before.player, 9, false);
        if after.turn() != Turn::Over {
            change(after.player, 9, true);
        }
    }
}

/// Evaluates every position from scratch.
struct Recomputed(Evaluation<Ring>);

impl Heuristics<Ring> for Recomputed {
    fn evaluate(&mut self, state: &Ring) -> i32 {
        self.0.evaluate(state)
    }

    fn finished(&mut self, state: &Ring) -> i32 {
        Heuristics::finished(&mut self.0, state)
    }
}

fn ring_evaluation(neurons: usize, seed: u64) -> Evaluation<Ring> {
    let mut rng = Rng::new(seed);
    let count = if neurons == 0 { 1 + Ring::COUNT } else { Layout::new(Ring::COUNT, neurons).count() };
    let numbers: Vec<f32> = (0..count).map(|_| rng.unit() as f32 - 0.5).collect();
    match neurons {
        0 => Evaluation::of_weights(numbers),
        _ => Evaluation::network(neurons, numbers),
    }
}

/// Returns the sum of a position, feature by feature, in floating point.
fn slow_sum(evaluation: &Evaluation<Ring>, state: &Ring) -> f64 {
    let neurons = evaluation.neurons();
    let (layout, numbers) = (Layout::new(Ring::COUNT, neurons), evaluation.numbers());
    let number = |at: usize| f64::from(numbers[at]);
    let mut sum = number(0);
    for own in Player::BOTH {
        let sign = f64::from(own.sign());
        state.features(own, |feature| sum += sign * number(1 + feature));
        for neuron in 0..neurons {
            let mut inner = number(layout.biases.start + neuron);
            state.features(own, |feature| inner += number(layout.row(feature).start + neuron));
            state.features(own.other(), |feature| {
                inner += number(layout.row(feature).start + neurons + neuron);
            });
            sum += sign * inner.clamp(0.0, 1.0).powi(2) * number(layout.outputs.start + neuron);
        }
    }
    sum
}

#[test]
fn sums_that_moves_update_equal_sums_from_scratch() {
    contender_value::changes_are_right(|_| RING, 50);
    for (neurons, seed) in [(0, 1), (5, 2), (16, 3)] {
        let (mut evaluation, mut rng) = (ring_evaluation(neurons, seed), Rng::new(seed));
        let (mut scratch, mut path) = (evaluation.clone(), vec![RING]);
        evaluation.begin(0, &RING);
        for _ in 0..2_000 {
            let state = path.last().unwrap();
            // Go back from time to time, as a search does: later entries are stale then.
            if state.turn() == Turn::Over || (path.len() > 1 && rng.index(3) == 0) {
                path.truncate(1 + rng.index(path.len()));
            } else {
                let mut after = state.clone();
                let mv = state.random_move(&mut rng, &mut Vec::new());
                after.play(mv);
                evaluation.follow(path.len(), state, mv, &after);
                path.push(after);
            }
            let (ply, state) = (path.len() - 1, path.last().unwrap());
            assert_eq!(evaluation.evaluate_at(ply, state, Bounds::ANY), scratch.evaluate(state), "{state:?}");
            assert!((scratch.value(state) - link(slow_sum(&scratch, state))).abs() < 1e-3, "{state:?}");
        }
    }
}

#[test]
fn searches_with_updated_sums_find_the_same() {
    for (neurons, seed) in [(0, 4), (4, 5)] {
        let evaluation = ring_evaluation(neurons, seed);
        let config = SearchConfig { evaluate_from: 2, ..SearchConfig::FULL };
        let mut updated = Search::<Ring, _>::new(evaluation.clone(), config);
        let mut recomputed =
            Search::<Ring, _>::new(Recomputed(evaluation), SearchConfig { table_bytes: 0, ..config });
        let mut rng = Rng::new(seed);
        for _ in 0..40 {
            let mut state = RING;
            (0..rng.index(8)).for_each(|_| state.play(state.random_move(&mut rng, &mut Vec::new())));
            assert_eq!(updated.value(&state, 4), recomputed.value(&state, 4), "{state:?}");
        }
    }
}
