//! Goofspiel: prizes 1 to 5 are offered in order. For each prize, both players bid one of their cards 1 to 5 at the
//! same time. The higher card wins the prize; with equal cards, neither player gets it. The larger sum of prizes wins.

mod network;

use contender_game::prelude::*;
use contender_puct::{Net, PolicyBot, PolicySettings};
use contender_search::mcts::{win_rewards, Decoupled, LeafEvaluator, Uct};
use contender_search::TimeManager;
use std::time::Duration;

// EDIT the rules, also in the text above, which the web app shows: the state, the legal moves, the effect of both
// moves, and the points at the end.

const CARDS: u8 = 5;

/// The cards of both players, as bits, and the prizes that they have won.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    hands: [u8; 2],
    won: [i32; 2],
}

impl Default for State {
    fn default() -> State {
        State { hands: [(1 << CARDS) - 1; 2], won: [0; 2] }
    }
}

impl State {
    fn prize(&self) -> i32 {
        1 + (u32::from(CARDS) - self.hands[0].count_ones()) as i32
    }

    fn has(&self, player: Player, card: u8) -> bool {
        (1..=CARDS).contains(&card) && self.hands[player] >> (card - 1) & 1 == 1
    }
}

impl Simultaneous for State {
    type Move = u8;

    fn is_over(&self) -> bool {
        self.hands[0] == 0
    }

    fn moves(&self, player: Player, moves: &mut Vec<u8>) {
        moves.extend((1..=CARDS).filter(|&card| self.has(player, card)));
    }

    fn play(&mut self, cards: [&u8; 2]) {
        let prize = self.prize();
        for player in Player::BOTH {
            self.hands[player] &= !(1 << (cards[player] - 1));
            if cards[player] > cards[player.other()] {
                self.won[player] += prize;
            }
        }
    }

    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| i32::from(self.won[player] > self.won[player.other()]))
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> u8 {
        let mut moves = Vec::new();
        self.moves(player, &mut moves);
        *rng.choose(&moves)
    }
}

// EDIT the text of turns and boards. A turn is written as both cards, `3-5`, with `?` for a player without a valid bid.

/// A player's bid; `None` if the answer was not a card in the player's hand.
type Answer = Option<u8>;

fn read_card(state: &State, player: Player, text: &str) -> Result<u8, String> {
    let card = text.trim().parse().ok().filter(|&card| state.has(player, card));
    card.ok_or_else(|| is_not(text, "a card in the player's hand"))
}

/// The lowest card is bid for a player without a valid answer.
fn lowest(state: &State, player: Player) -> u8 {
    1 + state.hands[player].trailing_zeros() as u8
}

fn picture(state: &State) -> Picture {
    let mut picture = Picture::new(["Left", "Right"], 1..=CARDS, |row, column| {
        let (player, card) = (Player::from_index(row), column as u8 + 1);
        let sign = Sign::letter(Ink::Seat(player), card);
        Square::new(card.to_string(), if state.has(player, card) { sign } else { Sign::dot() })
    });
    picture.standing = Some(state.won);
    picture
}

// EDIT the judge's protocol. In every turn a bot reads its own cards and prizes and then the enemy's, as two numbers
// each.

pub struct BidProtocol;

impl JointProtocol for BidProtocol {
    type State = State;
    type Answer = Answer;

    fn question(&self, state: &State, player: Player) -> String {
        let of = |player: Player| format!("{} {}", state.hands[player], state.won[player]);
        format!("{}\n{}\n", of(player), of(player.other()))
    }

    fn read(&self, state: &State, player: Player, lines: &[String]) -> (Answer, Result<(), String>) {
        let read = read_card(state, player, lines.first().map_or("", String::as_str));
        (read.as_ref().ok().copied(), read.map(|_| ()))
    }

    fn write(&self, _state: &State, card: &u8, _lines: usize) -> Vec<String> {
        vec![card.to_string()]
    }

    fn write_turn(&self, answers: &[Answer; 2]) -> String {
        answers.map(|answer| answer.map_or("?".to_string(), |card| card.to_string())).join("-")
    }

    fn read_turn(&self, recorded: &str) -> Result<[Answer; 2], String> {
        let wrong = || is_not(recorded, "a turn, like 3-5");
        let (zero, one) = recorded.split_once('-').ok_or_else(wrong)?;
        let read = |text: &str| match text.parse() {
            Ok(card) if (1..=CARDS).contains(&card) => Ok(Some(card)),
            Err(_) if text == "?" => Ok(None),
            _ => Err(wrong()),
        };
        Ok([read(zero)?, read(one)?])
    }

    fn disqualifies(&self, state: &State, player: Player, answer: &Answer) -> Result<bool, String> {
        match answer {
            Some(card) if !state.has(player, *card) => {
                Err(format!("player {} has no {card}", player.index()))
            }
            answer => Ok(answer.is_none()),
        }
    }

    fn accept(&self, state: &State, player: Player, answer: &Answer, _ignored: &mut Vec<String>) -> u8 {
        answer.unwrap_or_else(|| lowest(state, player))
    }

    fn picture(&self, state: &State, _before: &State, _viewer: Option<Player>) -> Picture {
        picture(state)
    }

    fn choices(&self, state: &State, player: Player) -> Vec<String> {
        let mut cards = Vec::new();
        state.moves(player, &mut cards);
        cards.iter().map(u8::to_string).collect()
    }

    fn prompt(&self, state: &State, _player: Player) -> String {
        format!("a card for the prize {}", state.prize())
    }
}

/// Every bot is player 0 in the states that it sees.
#[derive(Default)]
pub struct Reader {
    own: Option<[i32; 2]>,
}

impl contender_game::contest::ProtocolParser for Reader {
    type State = State;
    type Move = u8;

    fn line(&mut self, line: &str, bot: &mut dyn Bot<State, u8>, clock: &Clock) -> Result<Reply, String> {
        let read = numbers::<i32, 2>(line)?;
        let Some(own) = self.own.take() else {
            self.own = Some(read);
            return Ok(Reply::Nothing);
        };
        let state = State { hands: [own[0], read[0]].map(|hand| hand as u8), won: [own[1], read[1]] };
        if state.is_over() || state.hands.iter().any(|hand| hand >> CARDS != 0) {
            return Err(is_not(line, "a position"));
        }
        Ok(Reply::Say(bot.choose(&state, Player::Zero, clock).to_string()))
    }
}

// EDIT the bots, weakest first; the last one is the default. Networks and weights must be trained first.

pub mod bots {
    use super::*;

    bots! {
        Reader;
        random "bids random cards": |_: (), seed| JointRandomBot { rng: Rng::new(seed) };
        policy "a network, without search":
            |(settings, net): (PolicySettings, FromFile<Net<State>>), seed|
                PolicyBot::simultaneous(settings, net.get(), seed);
        duct "decoupled Monte Carlo tree search with random games": |_: (), seed| duct(seed);
    }
}

pub struct JointRandomBot {
    rng: Rng,
}

impl Bot<State, u8> for JointRandomBot {
    fn choose(&mut self, state: &State, player: Player, _clock: &Clock) -> u8 {
        state.random_move(player, &mut self.rng)
    }
}

struct RandomGames;

impl LeafEvaluator<State, u8> for RandomGames {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        win_rewards(state.points())
    }

    fn estimate(&mut self, state: &mut State, rng: &mut Rng) -> [f32; 2] {
        for _ in 0..State::MAX_TURNS {
            if state.is_over() {
                break;
            }
            let cards = Player::BOTH.map(|player| state.random_move(player, rng));
            state.play([&cards[0], &cards[1]]);
        }
        self.finished(state)
    }
}

fn duct(seed: u64) -> impl Bot<State, u8> {
    let mut rng = Rng::new(seed);
    SearchBot(move |state: &State, player: Player, clock: &Clock| {
        let limits = TimeManager::EQUAL.limits(clock, state.hands[player].count_ones());
        let mut search = Decoupled::<State, Uct>::new(1 << 16, Uct::new(1.0));
        let [zero, one] = search.search(state, &mut RandomGames, &limits, &mut rng);
        if player == Player::Zero {
            zero
        } else {
            one
        }
    })
}

// EDIT the description of the contest. The type's name is also in `workbench/main.rs`.

pub static CONTEST: &dyn Contest = &Goofspiel;

pub struct Goofspiel;

impl TypedContest for Goofspiel {
    type Bots = bots::Bots;
    type Rules = ();
    type Judge = JointJudge<BidProtocol>;
    const SOURCE: &'static str = include_str!("lib.rs");

    const INFO: ContestInfo = ContestInfo {
        name: "goofspiel",
        package: env!("CARGO_PKG_NAME"),
        about: "Goofspiel: bid cards for prizes, both at once",
        seats: ["Left", "Right"],
        site: JudgeSite::CodinGame,
        failures: FailureRule::CODINGAME,
        limits: Limits::per_turn(Duration::from_millis(1000), Duration::from_millis(50)),
        seats_differ: false,
        bots: bots::Bots::INFO,
        rules: Vec::new,
    };

    fn start(_seed: u64, (): ()) -> Result<Self::Judge, String> {
        Ok(JointJudge::new(BidProtocol, State::default()))
    }

    fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
        let mut judge = Self::start(1, ())?;
        numbered(moves, |text| judge.replay(text))?;
        Ok(perft_joint(judge.state(), depth))
    }
}
