//! Tests of networks for a small game: their bytes, their evaluations, and the bot that uses them.

use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Game, Player, Rng, Turn},
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::Network;
use contender_nn::winograd::Size;
use contender_puct::{
    shape, weights, Learnable, Oracle, Place, PolicyBot, PolicySettings, PuctBot, PuctSettings,
};
use contender_search::{minimax, NoChance, Points};

/// A game in which each player in turn takes one or two stones, or passes once. The player who takes the last stone
/// wins.
#[derive(Clone, PartialEq, Debug)]
struct Stones {
    left: u8,
    player: Player,
    passed: bool,
}

const START: Stones = Stones { left: 7, player: Player::Zero, passed: false };

impl Game for Stones {
    type Move = u8;

    fn turn(&self) -> Turn {
        if self.left == 0 {
            Turn::Over
        } else {
            Turn::Player(self.player)
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend((1..=2).filter(|&taken| taken <= self.left));
        if !self.passed && self.left > 0 {
            moves.push(0);
        }
    }

    fn play(&mut self, taken: u8) {
        self.left -= taken;
        self.passed |= taken == 0;
        self.player = self.player.other();
    }

    fn points(&self) -> [i32; 2] {
        match (self.left, self.player) {
            (0, Player::One) => [1, 0],
            (0, Player::Zero) => [0, 1],
            _ => [0, 0],
        }
    }
}

impl Learnable for Stones {
    type Move = u8;
    type ChanceModel = NoChance;
    const BOARD: Size = Size { width: 3, height: 3 };
    const PLANES: usize = 2;
    const ACTIONS: usize = 2;

    fn encode(&self, _player: Player, input: &mut Planes) {
        for cell in 0..9 {
            if cell < self.left {
                input.set(0, 1.0);
            }
            input.end_cell();
        }
        input.spread(1, f32::from(u8::from(self.passed)));
    }

    fn place(&self, _player: Player, taken: u8) -> Place {
        match taken {
            0 => Place::Nowhere,
            taken => Place::Cell(usize::from(self.left) - 1, usize::from(taken) - 1),
        }
    }
}

fn random() -> (contender_nn::policy_value::Shape, Vec<f32>) {
    let shape = shape::<Stones>(16, 1, 3);
    let mut rng = Rng::new(5);
    let parameters = (0..shape.parameters()).map(|_| rng.unit() as f32 - 0.5).collect();
    (shape, parameters)
}

#[test]
fn networks_are_read_back() {
    let (shape, parameters) = random();
    let bytes = weights::write(shape, &parameters);
    let (same, restored) = weights::read::<Stones>(&bytes).unwrap();
    let mut rounded = parameters.clone();
    weights::round(&shape, &mut rounded);
    assert_eq!(rounded, restored);
    assert_eq!(same, shape);
    for (number, restored) in parameters.iter().zip(&restored) {
        // Half a step of 511, for numbers of at most a half.
        assert!((number - restored).abs() <= 0.25 / 511.0 + 1e-6, "{number} {restored}");
    }
    assert_eq!(weights::write(shape, &restored), bytes);
    for wrong in [&bytes[..3], &bytes[..40], &bytes[..bytes.len() - 1], &[&bytes[..], &[0]].concat(), &[]] {
        assert!(weights::read::<Stones>(wrong).is_err());
    }
    let mut infinite = bytes;
    infinite[6..10].copy_from_slice(&f32::INFINITY.to_le_bytes());
    assert!(weights::read::<Stones>(&infinite).unwrap_err().contains("inf"));
}

/// An evaluation is cached for its state, and for no other state.
#[test]
fn an_oracle_says_what_the_network_says() {
    let (shape, parameters) = random();
    let network = Network::new(shape, &parameters);
    let mut kept = Oracle::<Stones>::new(network.clone());
    for _ in 0..2 {
        for left in 1..=7 {
            for passed in [false, true] {
                let state = Stones { left, passed, ..START };
                let mut moves = Vec::new();
                state.moves(&mut moves);
                let of = |oracle: &mut Oracle<Stones>| {
                    let mut probabilities = Vec::new();
                    let said = oracle.ask(&state, state.player);
                    said.probabilities(&state, state.player, &moves, &mut probabilities);
                    (said.value, probabilities)
                };
                let said = of(&mut kept);
                assert_eq!(said, of(&mut Oracle::new(network.clone())));
                assert!((said.1.iter().sum::<f32>() - 1.0).abs() < 1e-5 && said.1.len() == moves.len());
            }
        }
    }
}

/// With an untrained network, the search alone finds the winner.
#[test]
fn the_bot_finds_wins_without_a_network() {
    let network = weights::network::<Stones>(&Stones::network()).unwrap();
    let clock = Clock::new(Limits::nodes(3_000));
    for left in 1..=7 {
        for passed in [false, true] {
            let state = Stones { left, passed, ..START };
            let value = minimax(&state, 20, &mut Points);
            let mut bot = PuctBot::new(PuctSettings::DEFAULT, network.clone(), 1);
            let found = bot.analyse(&state, Player::Zero, &clock);
            assert!(found.is_proven(), "{state:?}");
            assert_eq!(found.moves[0].value[0], f64::from(u8::from(value > 0)), "{state:?}");
            assert_eq!(bot.choose(&state, Player::Zero, &clock), found.moves[0].mv);
        }
    }
}

/// With a confident policy, the policy decides if the search is short.
#[test]
fn the_policy_says_what_is_tried_first() {
    let shape = shape::<Stones>(16, 0, 1);
    for (action, expected) in [(0, 1), (1, 2)] {
        let mut parameters = vec![0.0; shape.parameters()];
        parameters[shape.layout().heads_bias.start + action] = 8.0;
        let mut bot = PuctBot::new(PuctSettings::DEFAULT, Network::new(shape, &parameters), 1);
        assert_eq!(bot.choose(&START, Player::Zero, &Clock::new(Limits::nodes(4))), expected);
    }
}

/// The bot plays the most probable move, or draws moves with the network's probabilities.
#[test]
fn the_policy_alone_plays_its_probabilities() {
    let shape = shape::<Stones>(16, 0, 1);
    let mut parameters = vec![0.0; shape.parameters()];
    parameters[shape.layout().heads_bias.start + 1] = 2.0;
    let network = Network::new(shape, &parameters);
    let mut taken = [0; 3];
    for seed in 0..400 {
        let clock = Clock::new(Limits::NONE);
        let mut bot = PolicyBot::<Stones>::in_turn(PolicySettings::DEFAULT, network.clone(), seed);
        assert_eq!(bot.choose(&START, Player::Zero, &clock), 2);
        let mut bot = PolicyBot::<Stones>::in_turn(PolicySettings { drawn: true }, network.clone(), seed);
        taken[usize::from(bot.choose(&START, Player::Zero, &clock))] += 1;
    }
    // Two of three moves have a probability of 1 in 2 + e^2 each, and the third has the rest: 42.6 and 314.8 of 400,
    // with deviations of 6.2 and 8.2.
    assert!((23..=62).contains(&taken[0]) && (23..=62).contains(&taken[1]), "{taken:?}");
    assert!((290..=340).contains(&taken[2]), "{taken:?}");
}
