//! Tricks: each player gets four of ten cards and sees only these cards. The first player leads a card and the second
//! player follows; the higher card takes the trick. The player with more tricks wins.

mod network;

use contender_game::prelude::*;
use contender_puct::{Net, PolicyBot, PolicySettings};
use contender_search::mcts::{OpenLoop, RandomGames, Uct};
use contender_search::{NoChance, TimeManager};
use std::time::Duration;

// EDIT the rules, also in the text above, which the web app shows: the state, the player to move, the legal moves, the
// hidden facts, and the points at the end.

/// The number of cards, and the number of cards dealt to each player.
const CARDS: u8 = 10;
const DEALT: u32 = 4;

/// The state of a game; sets of cards have a bit for each card from 0 to 9.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct State {
    hands: [u16; 2],
    played: u16,
    /// The card that was led, if no card has followed it yet.
    table: Option<u8>,
    tricks: [i32; 2],
}

impl State {
    fn deal(rng: &mut Rng) -> State {
        let mut state = State::default();
        for player in Player::BOTH {
            state.hands[player] = state.draw(DEALT, rng);
        }
        state
    }

    /// Draws `count` cards from those that no player has and that were not played.
    fn draw(&self, count: u32, rng: &mut Rng) -> u16 {
        let known = self.hands[0] | self.hands[1] | self.played;
        let mut cards: Vec<u8> = (0..CARDS).filter(|card| known >> card & 1 == 0).collect();
        (0..count).map(|_| 1 << cards.swap_remove(rng.index(cards.len()))).sum()
    }

    /// Player 0 leads every trick.
    fn mover(&self) -> Player {
        Player::from_index(self.played.count_ones() as usize % 2)
    }
}

impl Game for State {
    type Move = u8;

    fn turn(&self) -> Turn {
        if self.played.count_ones() == 2 * DEALT {
            Turn::Over
        } else {
            Turn::Player(self.mover())
        }
    }

    fn moves(&self, moves: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            moves.extend((0..CARDS).filter(|card| self.hands[self.mover()] >> card & 1 == 1));
        }
    }

    fn play(&mut self, card: u8) {
        let mover = self.mover();
        self.hands[mover] &= !(1 << card);
        self.played |= 1 << card;
        match self.table.take() {
            None => self.table = Some(card),
            Some(led) if led > card => self.tricks[mover.other()] += 1,
            Some(_) => self.tricks[mover] += 1,
        }
    }

    fn points(&self) -> [i32; 2] {
        self.tricks
    }
}

impl Hidden for State {
    /// Deals the opponent's hand again from the cards that `viewer` does not see.
    fn resample(&mut self, viewer: Player, rng: &mut Rng) {
        let count = self.hands[viewer.other()].count_ones();
        self.hands[viewer.other()] = 0;
        self.hands[viewer.other()] = self.draw(count, rng);
    }
}

// EDIT the text of moves and boards.

impl Notation for State {
    fn read(&self, text: &str) -> Result<u8, String> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let card = text.parse().ok().filter(|card| moves.contains(card));
        card.ok_or_else(|| is_not(text, "a card in the player's hand"))
    }

    fn write(&self, card: u8) -> String {
        card.to_string()
    }

    fn picture(&self, last: Option<u8>, viewer: Option<Player>) -> Picture {
        let mut picture = Picture::new(["Leader", "Follower"], 0..CARDS, |row, card| {
            let player = Player::from_index(row);
            let is_seen = viewer.map_or(true, |viewer| viewer == player);
            let is_held = self.hands[player] >> card & 1 == 1;
            let sign = if is_held && is_seen { Sign::letter(Ink::Seat(player), card) } else { Sign::dot() };
            let name = if self.mover() == player { card.to_string() } else { String::new() };
            Square { is_marked: last == Some(card as u8), ..Square::new(name, sign) }
        });
        picture.notes.extend(self.table.map(|card| vec![Sign::plain(format!("led: {card}"))]));
        picture.standing = Some(self.tricks);
        picture
    }
}

/// The cards of a hand as text: `0 3 4 9`.
fn write_hand(hand: u16) -> String {
    let cards = (0..CARDS).filter(|card| hand >> card & 1 == 1).map(|card| card.to_string());
    cards.collect::<Vec<_>>().join(" ")
}

fn read_hand(text: &str) -> Result<u16, String> {
    let cards = numbers::<u8, { DEALT as usize }>(text)?;
    let hand = cards.iter().filter(|&&card| card < CARDS).fold(0u16, |hand, card| hand | 1 << card);
    if hand.count_ones() == DEALT {
        Ok(hand)
    } else {
        Err(is_not(text, "four different cards from 0 to 9"))
    }
}

// EDIT the judge's protocol. A player first reads its hand, then `Start` or the opponent's card.

pub struct TrickProtocol;

impl Protocol for TrickProtocol {
    type State = State;

    fn preface(&self, state: &State, player: Player) -> String {
        format!("{}\n", write_hand(state.hands[player]))
    }

    fn setup(&self, start: &State) -> Vec<String> {
        start.hands.map(write_hand).to_vec()
    }
}

/// A bot does not know the opponent's hand: the state that the bot sees contains arbitrary other cards instead.
#[derive(Default)]
pub struct Reader {
    hand: Option<u16>,
}

impl TurnReader for Reader {
    type State = State;

    fn read(
        &mut self,
        state: &mut State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<u8>, String> {
        let Some(hand) = self.hand else {
            self.hand = Some(read_hand(line)?);
            return Ok(ProtocolEvent::Nothing);
        };
        if seat.is_none() {
            let own = Player::from_index(usize::from(line != "Start"));
            state.hands[own] = hand;
            state.hands[own.other()] = state.draw(DEALT, &mut Rng::new(1));
            if own == Player::Zero {
                return Ok(ProtocolEvent::Seat(own));
            }
        }
        let mover = state.mover();
        let card: u8 = line.parse().map_err(|_| is_not(line, "a card"))?;
        let unseen = !(state.hands[mover.other()] | state.played) >> card.min(15) & 1 == 1;
        if card < CARDS && unseen && state.hands[mover] >> card & 1 == 0 {
            // The opponent has this card instead of one of the assumed cards.
            state.hands[mover] &= state.hands[mover] - 1;
            state.hands[mover] |= 1 << card;
        }
        state.read_record(line).map(ProtocolEvent::Move)
    }
}

// EDIT the bots, weakest first; the last one is the default. Networks and weights must be trained first.

pub mod bots {
    use super::*;

    bots! {
        TurnParser<Reader>;
        random "plays random legal cards": |_: (), seed| RandomBot::new(seed);
        policy "a network that sees its own cards, without search":
            |(settings, net): (PolicySettings, FromFile<Net<State>>), seed|
                PolicyBot::in_turn(settings, net.get(), seed);
        ismcts "Monte Carlo tree search that deals the opponent's cards again for each random game":
            |_: (), seed| ismcts(seed);
    }
}

fn ismcts(seed: u64) -> impl Bot<State, u8> {
    let mut rng = Rng::new(seed);
    SearchBot(move |state: &State, player: Player, clock: &Clock| {
        let limits = TimeManager::EQUAL.limits(clock, state.hands[player].count_ones());
        let mut search = OpenLoop::<State, NoChance, Uct>::new(1 << 16, Uct::new(1.0));
        let deal = |state: &mut State, rng: &mut Rng| state.resample(player, rng);
        search.search(state, &mut RandomGames::<State, NoChance>::default(), &limits, &mut rng, deal)
    })
}

// EDIT the description of the contest. The type's name is also in `workbench/main.rs`.

pub static CONTEST: &dyn Contest = &Tricks;

pub struct Tricks;

impl TypedContest for Tricks {
    type Bots = bots::Bots;
    type Rules = ();
    type Judge = TurnJudge<TrickProtocol>;
    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "tricks",
        package: env!("CARGO_PKG_NAME"),
        about: "Tricks: four hidden cards each, the higher card wins the trick",
        seats: ["Leader", "Follower"],
        site: JudgeSite::CodeCup,
        failures: FailureRule::CODECUP,
        limits: Limits::per_game(Duration::from_secs(30)),
        seats_differ: false,
        bots: bots::Bots::INFO,
        rules: Vec::new,
    };

    fn start(seed: u64, (): ()) -> Result<Self::Judge, String> {
        let start = State::deal(&mut Rng::new(mix(&[seed, 2])));
        Ok(TurnJudge::new(TrickProtocol, Self::INFO.site, start, seed))
    }

    fn recorded(setup: &[String], (): ()) -> Result<Self::Judge, String> {
        let [zero, one] = setup else { return Err("both hands are needed".to_string()) };
        let hands = [read_hand(zero)?, read_hand(one)?];
        if hands[0] & hands[1] != 0 {
            return Err("both players have the same card".to_string());
        }
        Ok(TurnJudge::new(TrickProtocol, Self::INFO.site, State { hands, ..State::default() }, 0))
    }

    /// Counts from the position with the hands that seed 1 deals.
    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        Ok(perft(&State::deal(&mut Rng::new(mix(&[1, 2]))).after(moves)?, depth))
    }
}
