//! Training of the value network for Entropy: positions from games that an evaluation plays against itself, and a
//! network that is fitted to the values of searches.

use crate::evaluation::net::{
    self, line_rows, scaled_inputs, HIDDEN, LINES, LINE_ROWS, NUMBERS, OUTPUTS, SCALES,
};
use crate::evaluation::{decision, Linear, Net, Value, ValueGuide, Weights, INPUTS, POINT, TURNS};
use crate::{Cell, NextTurn, Scoring, State, CELLS, SIZE};
use contender_game::{
    rules::{Chance, Game, Player, Rng, Turn},
    settings,
    settings::{OrNone, Shipped},
};
use contender_nn::quantise::unpack_numbers;
use contender_search::{Search, SearchConfig, SearchLimits, TableDepth, WithChance};
use contender_value::{pairs, Chooser, Maker, Model, Opponent, Pairs, Record, Unit, ValueLearnedGame};

/// A position with the value found by a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Sample {
    /// The position, before a chip is drawn or before a move of Order.
    pub state: State,
    /// The value from the search, in points.
    pub value: f32,
}

/// A record contains 49 colours row by row, a flag for Order's turn, and the little-endian value in points.
impl Record for Sample {
    const BYTES: usize = CELLS + 1 + 4;

    fn write(&self, bytes: &mut Vec<u8>) {
        bytes.extend(Cell::all().map(|cell| self.state.colour(cell)));
        bytes.push(u8::from(self.state.turn() == Turn::Player(Player::Zero)));
        bytes.extend(self.value.to_le_bytes());
    }

    fn read(bytes: &[u8]) -> Result<Sample, String> {
        let mut colours = [[0; SIZE]; SIZE];
        for (&byte, cell) in bytes.iter().zip(Cell::all()) {
            colours[cell.row()][cell.column()] = byte;
        }
        let [.., turn, b0, b1, b2, b3] = *bytes else {
            return Err("a sample has more bytes".to_string());
        };
        let turn = match turn {
            0 => NextTurn::Chance,
            1 => NextTurn::Order,
            _ => return Err(format!("byte {CELLS} of a sample says whether it is Order's turn, 0 or 1")),
        };
        let state = State::from_cells(&colours, turn, Scoring::Rules)?;
        let value = f32::from_le_bytes([b0, b1, b2, b3]);
        // NaN is not less than anything.
        let is_in_range = value.abs() < 1e4;
        match state.turn() {
            _ if !is_in_range => Err("a sample's value is out of range".to_string()),
            Turn::Over => Err("a sample's game is over".to_string()),
            _ => Ok(Sample { state, value }),
        }
    }
}

settings! {
    /// Settings of the games that the network learns from.
    #[derive(Clone, Copy, PartialEq, Debug)]
    pub struct Play {
        /// Number of decisions to look ahead, in the searches for moves and for labels.
        depth: u32 = 2, 1..=4;
        /// Number of decisions to look ahead for the labels of Order's positions; none uses `depth`. With one decision,
        /// these labels follow from the values of Chaos's turns. With two, the values of each player follow only from
        /// that player's own values, and the values of the two players drift apart.
        order_depth: Option<u32> = None, OrNone(1..=4);
        /// Number of placements and moves at the start, each of which is random with probability 0.3.
        opening: u32 = 14, 0..=u32::MAX;
        /// Probability that a later placement or move is random.
        blunder: f64 = 0.03, 0.0..=1.0;
        /// Probability, for each position of a game, that the position after a random move also becomes a sample;
        /// searches reach such positions.
        aside: f64 = 1.0, 0.0..=1.0;
    }
}

impl Play {
    /// Returns the position with its label, which is the value of a search.
    fn sample<V: Value>(
        &self,
        search: &mut Search<State, ValueGuide<V>, WithChance>,
        state: State,
    ) -> Sample {
        let is_orders = state.turn() == Turn::Player(Player::Zero);
        let depth = self.order_depth.filter(|_| is_orders).unwrap_or(self.depth);
        let value = search.value(&state, depth) as f32 / POINT as f32;
        Sample { state, value }
    }
}

/// The game. The bots' linear evaluation plays the first games.
pub struct Entropy {
    play: Play,
    player: Playing,
}

/// Returns a function that makes the players of matches, which search to the same depth as in the games.
fn maker<'a, V: Value + Clone + 'static>(evaluation: V, depth: u32) -> Maker<'a, crate::Entropy> {
    Box::new(move |_| -> Chooser<'a, crate::Entropy> {
        let mut search = searcher(evaluation.clone());
        Box::new(move |state, _| search.search(state, &SearchLimits::depth(depth)).moves[0].mv)
    })
}

/// A function that plays a game with an evaluation.
type Playing = Box<dyn FnMut(&Play, &mut Rng) -> Vec<Sample>>;

fn player<V: Value + 'static>(evaluation: V) -> Playing {
    let mut search = searcher(evaluation);
    Box::new(move |play, rng| {
        // Old table entries could change the choice between equally good moves, but a game must depend only on its
        // seed.
        search.forget();
        game(&mut search, play, rng)
    })
}

impl ValueLearnedGame for Entropy {
    type Settings = Play;
    type Sample = Sample;
    type Network = TrainedNetwork;
    const CHECK: usize = 10;
    const UNIT: Unit = Unit::Points(1);

    fn new(play: Play) -> Entropy {
        Entropy { play, player: player(Linear::from(Weights::shipped())) }
    }

    /// The linear evaluation plays if there is no network.
    fn pairs<'a>(&self, network: Option<&[u8]>, opponent: Opponent<'a>) -> Result<Pairs<'a>, String> {
        let depth = self.play.depth;
        let player = |network: Option<&[u8]>| -> Result<Maker<'a, crate::Entropy>, String> {
            Ok(match network {
                Some(bytes) => maker(Net::read(bytes)?, depth),
                None => maker(Linear::from(Weights::shipped()), depth),
            })
        };
        let start = |_| State::default();
        pairs::<crate::Entropy, WithChance>(Self::UNIT, start, player, network, opponent)
    }

    fn play_with(&mut self, network: &[u8]) -> Result<(), String> {
        self.player = player(Net::read(network)?);
        Ok(())
    }

    fn game(&mut self, seed: u64) -> Result<Vec<Sample>, String> {
        Ok((self.player)(&self.play, &mut Rng::new(seed)))
    }

    fn network(&self, seed: u64) -> TrainedNetwork {
        TrainedNetwork::new(&Weights::shipped(), seed)
    }

    fn examples(&self, samples: Vec<Sample>) -> Vec<Example> {
        samples.iter().map(Example::new).collect()
    }
}

/// Returns the search for games of training: only sound techniques, and no results from other depths, so that values
/// are exact.
#[must_use]
pub fn searcher<V: Value>(evaluation: V) -> Search<State, ValueGuide<V>, WithChance> {
    let config = SearchConfig { table_bytes: 4 << 20, table_depth: TableDepth::Same, ..SearchConfig::FULL };
    Search::new(ValueGuide::new(evaluation), config)
}

/// Plays one game and returns its positions. The game depends only on the state of the generator.
pub fn game<V: Value>(
    search: &mut Search<State, ValueGuide<V>, WithChance>,
    play: &Play,
    rng: &mut Rng,
) -> Vec<Sample> {
    let mut state = State::default();
    let mut samples = Vec::new();
    loop {
        let player = match state.turn() {
            Turn::Over => break,
            Turn::Chance => {
                samples.push(play.sample(search, state.clone()));
                state.resolve(state.random_outcome(rng, &mut Vec::new()));
                continue;
            }
            Turn::Player(player) => player,
        };
        let found = search.search(&state, &SearchLimits::depth(play.depth));
        if player == Player::Zero {
            samples.push(play.sample(search, state.clone()));
        }
        if rng.unit() < play.aside {
            let mut aside = state.clone();
            aside.play(state.random_move(rng, &mut Vec::new()));
            if aside.turn() != Turn::Over {
                samples.push(play.sample(search, aside));
            }
        }
        let turn = decision(&state).unwrap_or(0) as u32;
        let is_random = rng.unit() < if turn < play.opening { 0.3 } else { play.blunder };
        let mv = match found.moves.first() {
            Some(best) if !is_random => best.mv,
            _ => state.random_move(rng, &mut Vec::new()),
        };
        state.play(mv);
    }
    samples
}

/// A sample in the network's input form.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    rows: [u16; LINES],
    inputs: [f32; INPUTS],
    turn: u8,
    /// The training target: points in addition to the current score.
    target: f32,
}

impl Example {
    /// Converts a sample to an example.
    ///
    /// # Panics
    /// Panics if the game is over.
    #[must_use]
    pub fn new(sample: &Sample) -> Example {
        Example {
            rows: line_rows(&sample.state).map(|row| row as u16),
            inputs: scaled_inputs(&sample.state),
            turn: decision(&sample.state).expect("the game is not over") as u8,
            target: sample.value - sample.state.score() as f32,
        }
    }
}

/// A network with floating-point weights, in the order of [`net::write_numbers`].
#[derive(Clone)]
pub struct TrainedNetwork {
    numbers: Vec<f32>,
}

type Row = [f32; HIDDEN];

/// The offsets of the network's parts in the list of its numbers.
const INPUT_ROWS: usize = LINE_ROWS;
const TURN_ROWS: usize = INPUT_ROWS + INPUTS;
const OUTPUT_ROWS: usize = TURN_ROWS + TURNS;
const LINEAR: usize = (OUTPUT_ROWS + OUTPUTS) * HIDDEN;

/// Maximum absolute value of a weight in a row, so that the sums of 14 rows fit into 16 bits.
const MAX_WEIGHT: f32 = 8.0;

impl TrainedNetwork {
    /// Creates a network whose values equal the linear evaluation; its hidden layer has no effect yet.
    #[must_use]
    pub fn new(weights: &Weights, seed: u64) -> TrainedNetwork {
        let mut rng = Rng::new(seed);
        let mut numbers = vec![0.0; NUMBERS];
        // The outputs start at 0, so that the network is the linear evaluation before training. The rows for lines also
        // start at 0, because many lines never occur.
        for number in &mut numbers[INPUT_ROWS * HIDDEN..OUTPUT_ROWS * HIDDEN] {
            *number = 0.1 * (2.0 * rng.unit() as f32 - 1.0);
        }
        for (numbers, turn) in numbers[LINEAR..].chunks_exact_mut(1 + INPUTS).zip(&weights.turns) {
            numbers[0] = turn.bias;
            for at in 0..INPUTS {
                numbers[1 + at] = turn.inputs[at] * SCALES[at];
            }
        }
        TrainedNetwork { numbers }
    }

    fn row(&self, row: usize) -> &Row {
        self.numbers[row * HIDDEN..][..HIDDEN].try_into().expect("a row has HIDDEN numbers")
    }

    /// Returns the sums of the hidden layer before clipping, and the output.
    fn forward(&self, example: &Example) -> (Row, f32) {
        let turn = usize::from(example.turn);
        let mut hidden = *self.row(TURN_ROWS + turn);
        for &row in &example.rows {
            add(&mut hidden, self.row(usize::from(row)), 1.0);
        }
        let linear = &self.numbers[LINEAR + turn * (1 + INPUTS)..][..1 + INPUTS];
        let mut output = linear[0];
        for (at, &input) in example.inputs.iter().enumerate() {
            output += linear[1 + at] * input;
            add(&mut hidden, self.row(INPUT_ROWS + at), input);
        }
        let outputs = self.row(OUTPUT_ROWS + turn % OUTPUTS);
        output += hidden.iter().zip(outputs).map(|(sum, weight)| sum.max(0.0) * weight).sum::<f32>();
        (hidden, output)
    }
}

/// The loss is the squared error, in points. Gradients are computed for half of the loss.
impl Model for TrainedNetwork {
    type Example = Example;

    fn numbers(&mut self) -> &mut Vec<f32> {
        &mut self.numbers
    }

    fn learn(&self, example: &Example, share: f32, _: &mut Rng, gradient: &mut [f32]) -> f64 {
        let (hidden, output) = self.forward(example);
        let error = output - example.target;
        let turn = usize::from(example.turn);
        let outputs = OUTPUT_ROWS + turn % OUTPUTS;
        let push = share * error;
        let mut back = [0.0; HIDDEN];
        for ((back, &sum), &weight) in back.iter_mut().zip(&hidden).zip(self.row(outputs)) {
            *back = if sum > 0.0 { push * weight } else { 0.0 };
        }
        let clipped = hidden.map(|sum| sum.max(0.0));
        let mut add_row = |row: usize, by: &Row, factor: f32| {
            let numbers = &mut gradient[row * HIDDEN..][..HIDDEN];
            numbers.iter_mut().zip(by).for_each(|(sum, number)| *sum += factor * number);
        };
        add_row(outputs, &clipped, push);
        add_row(TURN_ROWS + turn, &back, 1.0);
        example.rows.iter().for_each(|&row| add_row(usize::from(row), &back, 1.0));
        example.inputs.iter().enumerate().for_each(|(at, &input)| add_row(INPUT_ROWS + at, &back, input));
        let linear = &mut gradient[LINEAR + turn * (1 + INPUTS)..][..1 + INPUTS];
        linear[0] += push;
        linear[1..].iter_mut().zip(&example.inputs).for_each(|(sum, input)| *sum += push * input);
        f64::from(error * error)
    }

    fn restrict(&mut self) {
        self.numbers[..LINEAR].iter_mut().for_each(|number| *number = number.clamp(-MAX_WEIGHT, MAX_WEIGHT));
    }

    fn loss(&self, examples: &[Example]) -> f64 {
        let square = |example: &Example| f64::from(self.forward(example).1 - example.target).powi(2);
        examples.iter().map(square).sum::<f64>() / examples.len().max(1) as f64
    }

    fn write(&self) -> Vec<u8> {
        net::write_numbers(&self.numbers)
    }

    fn read(&mut self, bytes: &[u8]) -> Result<(), String> {
        let numbers = unpack_numbers(bytes, NUMBERS)?.into_iter().enumerate();
        self.numbers = numbers.map(|(at, number)| f32::from(number) / net::one(at)).collect();
        Ok(())
    }
}

fn add(sums: &mut Row, row: &Row, factor: f32) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += factor * number;
    }
}
