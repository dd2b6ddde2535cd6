//! A toy game for each refinement of `Game`, checked by the conformance suite and against values known by hand.

use contender_game::*;

/// Plain: tic-tac-toe, the game a newcomer would write first.
#[derive(Clone, PartialEq, Debug, Default)]
struct TicTacToe {
    marks: [u16; 2],
}

const LINES: [u16; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    fn has_line(&self, player: Player) -> bool {
        LINES.iter().any(|line| self.marks[player] & line == *line)
    }
}

impl Game for TicTacToe {
    type Move = u8;

    fn turn(&self) -> Turn {
        let filled = (self.marks[0] | self.marks[1]).count_ones();
        if filled == 9 || Player::BOTH.iter().any(|&player| self.has_line(player)) {
            Turn::Over
        } else {
            Turn::Player(Player::from_index(filled as usize % 2))
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            moves.extend((0..9).filter(|cell| (self.marks[0] | self.marks[1]) >> cell & 1 == 0));
        }
    }

    fn play(&mut self, cell: u8) {
        if let Turn::Player(player) = self.turn() {
            self.marks[player] |= 1 << cell;
        }
    }

    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| i32::from(self.has_line(player)))
    }
}

/// Undo: take one to three matches, who takes the last one wins.
#[derive(Clone, PartialEq, Debug)]
struct Nim {
    matches: u8,
    mover: Player,
}

impl Game for Nim {
    type Move = u8;

    fn turn(&self) -> Turn {
        if self.matches == 0 {
            Turn::Over
        } else {
            Turn::Player(self.mover)
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        moves.extend(1..=self.matches.min(3));
    }

    fn play(&mut self, taken: u8) {
        self.matches -= taken;
        self.mover = self.mover.other();
    }

    fn points(&self) -> [i32; 2] {
        let mut points = [0; 2];
        if self.matches == 0 {
            points[self.mover.other()] = 1;
        }
        points
    }
}

impl Undo for Nim {
    type Memo = ();

    fn make(&mut self, taken: u8) {
        self.play(taken);
    }

    fn unmake(&mut self, taken: u8, (): ()) {
        self.matches += taken;
        self.mover = self.mover.other();
    }
}

/// Chance: each player in turn may stop or roll a loaded die (1 with weight 1, 2 with weight 2, 3 with weight 3); above 5 is bust.
#[derive(Clone, PartialEq, Debug, Default)]
struct Dice {
    totals: [i32; 2],
    seat: usize,
    rolling: bool,
}

impl Game for Dice {
    type Move = bool;

    fn turn(&self) -> Turn {
        match self.seat {
            2 => Turn::Over,
            _ if self.rolling => Turn::Chance,
            seat => Turn::Player(Player::from_index(seat)),
        }
    }

    fn moves(&self, moves: &mut Vec<bool>) {
        if let Turn::Player(_) = self.turn() {
            moves.extend([false, true]);
        }
    }

    fn play(&mut self, roll: bool) {
        self.rolling = roll;
        self.seat += usize::from(!roll);
    }

    fn points(&self) -> [i32; 2] {
        self.totals
    }
}

impl Chance for Dice {
    type Outcome = u8;

    fn outcomes(&self, outcomes: &mut Vec<(u8, u32)>) {
        if self.rolling {
            outcomes.extend((1..=3).map(|face| (face, u32::from(face))));
        }
    }

    fn resolve(&mut self, face: u8) {
        self.rolling = false;
        self.totals[self.seat] += i32::from(face);
        if self.totals[self.seat] > 5 {
            self.totals[self.seat] = 0;
            self.seat += 1;
        }
    }
}

/// Simultaneous: Goofspiel with three cards; prizes 1, 2, 3 in order, the higher card takes the prize.
#[derive(Clone, PartialEq, Debug)]
struct Goofspiel {
    hands: [u8; 2],
    prize: u8,
    points: [i32; 2],
}

const GOOFSPIEL: Goofspiel = Goofspiel { hands: [0b1110; 2], prize: 1, points: [0; 2] };

impl Simultaneous for Goofspiel {
    type Move = u8;

    fn is_over(&self) -> bool {
        self.prize == 4
    }

    fn moves(&self, player: Player, moves: &mut Vec<u8>) {
        moves.extend((1..=3).filter(|card| self.hands[player] >> card & 1 == 1));
    }

    fn play(&mut self, cards: [&u8; 2]) {
        for player in Player::BOTH {
            self.hands[player] &= !(1 << cards[player]);
            if cards[player] > cards[player.other()] {
                self.points[player] += i32::from(self.prize);
            }
        }
        self.prize += 1;
    }

    fn points(&self) -> [i32; 2] {
        self.points
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> u8 {
        let mut moves = Vec::new();
        self.moves(player, &mut moves);
        *rng.choose(&moves)
    }
}

/// Hidden: each player holds one of three cards; player 0 bets (win or lose 2) or checks (win or lose 1).
#[derive(Clone, PartialEq, Debug)]
struct OneCard {
    cards: [u8; 2],
    stake: Option<i32>,
}

impl Game for OneCard {
    type Move = i32;

    fn turn(&self) -> Turn {
        if self.stake.is_some() {
            Turn::Over
        } else {
            Turn::Player(Player::Zero)
        }
    }

    fn moves(&self, moves: &mut Vec<i32>) {
        if self.stake.is_none() {
            moves.extend([1, 2]);
        }
    }

    fn play(&mut self, stake: i32) {
        self.stake = Some(stake);
    }

    fn points(&self) -> [i32; 2] {
        let won = self.stake.unwrap_or(0) * if self.cards[0] > self.cards[1] { 1 } else { -1 };
        [won, -won]
    }
}

impl Hidden for OneCard {
    fn resample(&mut self, viewer: Player, rng: &mut Rng) {
        let others: Vec<u8> = (0..3).filter(|&card| card != self.cards[viewer]).collect();
        self.cards[viewer.other()] = *rng.choose(&others);
    }
}

fn minimax<G: Game>(state: &G) -> i32 {
    let Turn::Player(player) = state.turn() else { return state.value() };
    let mut moves = Vec::new();
    state.moves(&mut moves);
    let values = moves.into_iter().map(|mv| {
        let mut child = state.clone();
        child.play(mv);
        minimax(&child)
    });
    match player {
        Player::Zero => values.max().unwrap(),
        Player::One => values.min().unwrap(),
    }
}

#[test]
fn toys_keep_the_promises() {
    assert!(conformance::check_game(|_| TicTacToe::default(), 200, 9, 1) > 1000);
    conformance::check_undo(|rng| Nim { matches: 1 + rng.below(20) as u8, mover: Player::Zero }, 100, 20, 2);
    conformance::check_chance(|_| Dice::default(), 200, 30, 3);
    assert_eq!(conformance::check_simultaneous(|_| GOOFSPIEL, 50, 3, true, 4), 150);
    conformance::check_game(|_| InTurn::new(GOOFSPIEL, Player::One), 50, 6, 5);
}

#[test]
fn values_known_by_hand() {
    assert_eq!(minimax(&TicTacToe::default()), 0);
    for matches in 1..=12 {
        let expected = if matches % 4 == 0 { -1 } else { 1 };
        assert_eq!(minimax(&Nim { matches, mover: Player::Zero }), expected, "{matches} matches");
    }
    // Who answers knowing the other's card does at least as well.
    let led_by = |player| minimax(&InTurn::new(GOOFSPIEL, player));
    assert_eq!(led_by(Player::Zero), -led_by(Player::One));
    assert_eq!(led_by(Player::Zero), 0);
}

#[test]
fn perft_known_by_hand() {
    let start = TicTacToe::default();
    let counts: Vec<u64> = (0..=9).map(|depth| perft(&start, depth)).collect();
    assert_eq!(counts, [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]);
    // Two decisions; then 2 of player 1 or 3 faces; then 3 faces for player 1, or 2 decisions after each of 3 faces.
    let counts: Vec<u64> = (0..=3).map(|depth| perft_chance(&Dice::default(), depth)).collect();
    assert_eq!(counts, [1, 2, 5, 9]);
}

#[test]
fn outcomes_are_drawn_with_their_weights() {
    let state = Dice { rolling: true, ..Dice::default() };
    let mut rng = Rng::new(6);
    let mut counts = [0; 4];
    for _ in 0..60_000 {
        counts[usize::from(state.random_outcome(&mut rng, &mut Vec::new()))] += 1;
    }
    for (face, expected) in [(1, 10_000), (2, 20_000), (3, 30_000)] {
        let count: i32 = counts[face];
        assert!((count - expected).abs() < 500, "face {face}: {count}");
    }
}

#[test]
fn resampling_keeps_what_the_viewer_knows() {
    let mut rng = Rng::new(7);
    let mut seen = [0; 3];
    for _ in 0..3_000 {
        let mut state = OneCard { cards: [1, 2], stake: None };
        state.resample(Player::Zero, &mut rng);
        assert_eq!(state.cards[0], 1);
        seen[usize::from(state.cards[1])] += 1;
    }
    assert_eq!(seen[1], 0);
    assert!(seen[0] > 1_350 && seen[2] > 1_350, "{seen:?}");
}
