//! Toy games, one for each refinement of `Game`, small enough to copy. Every test program uses some of them.
#![allow(dead_code)]

use contender_game::prelude::*;

/// Plain: tic-tac-toe, the first game that a newcomer would write.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct TicTacToe {
    pub marks: [u16; 2],
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

/// Nim: take one to three matches; the player who takes the last match wins.
#[derive(Clone, PartialEq, Debug)]
pub struct Nim {
    pub matches: u8,
    pub mover: Player,
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

/// Chance: each player in turn may stop or roll a loaded die (1 with weight 1, 2 with weight 2, 3 with weight 3). A
/// total above 5 is bust.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Dice {
    pub totals: [i32; 2],
    pub seat: usize,
    pub rolling: bool,
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

/// Simultaneous: Goofspiel with prizes in order. The higher card takes the prize; if the cards are equal, nobody does.
#[derive(Clone, PartialEq, Debug)]
pub struct Goofspiel {
    pub cards: u8,
    pub hands: [u16; 2],
    pub prize: u8,
    pub points: [i32; 2],
    /// Seed for prizes of 0 to 9; with 0 the prizes are 1, 2, 3, …
    pub seed: u64,
}

impl Goofspiel {
    pub fn new(cards: u8, seed: u64) -> Goofspiel {
        Goofspiel { cards, hands: [(1 << cards) - 1; 2], prize: 0, points: [0; 2], seed }
    }
}

impl Simultaneous for Goofspiel {
    type Move = u8;

    fn is_over(&self) -> bool {
        self.prize == self.cards
    }

    fn moves(&self, player: Player, moves: &mut Vec<u8>) {
        moves.extend((0..self.cards).filter(|card| self.hands[player] >> card & 1 == 1));
    }

    fn play(&mut self, cards: [&u8; 2]) {
        let worth = match self.seed {
            0 => i32::from(self.prize) + 1,
            seed => (mix(&[seed, u64::from(self.prize)]) % 10) as i32,
        };
        for player in Player::BOTH {
            self.hands[player] &= !(1 << cards[player]);
            if cards[player] > cards[player.other()] {
                self.points[player] += worth;
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

/// Hidden: each player has one of three cards. Player 0 bets (wins or loses 2) or checks (wins or loses 1).
#[derive(Clone, PartialEq, Debug)]
pub struct OneCard {
    pub cards: [u8; 2],
    pub stake: Option<i32>,
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
