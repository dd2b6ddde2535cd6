//! Evaluations that are learned from nothing, next to weights that a person wrote in some minutes, in three games with
//! more than a hundred features each: leapers (a game like chess), Ultimate Tic-Tac-Toe and Tumbleweed.
//!
//! | `cargo run --release -p contender-learn --example by_hand -- GAME` | does |
//! |---|---|
//! | `train RECIPE FOLDER` | trains with a recipe, `workbench/learn/examples/by_hand/GAME.toml`, and plays 400 games against the weights by hand |
//! | `match FILE FILE` | plays 400 games between two evaluations; `hand` stands for the weights by hand |
//! | `write FILE` | writes the weights by hand, as the start of a training |
//! | `speed` | compares sums that moves update with sums from scratch, in leapers |
//!
//! The games are `leapers`, `boards` and `weeds`.

mod leapers;
mod tumbleweed;
mod uttt;

use contender_game::{
    contest::{MoveOf, Notation, StateOf, TypedContest},
    rules::{Game, Player, Rng, Turn, mix},
    settings::Shipped,
};
use contender_learn::{Event, Recipe, TrainingOptions, learns_features, train};
use contender_search::{SearchConfig, SearchLimits, TacticalConfig, TacticalSearch};
use contender_stats::Pentanomial;
use contender_value::{Evaluation, Features};
use std::path::Path;

/// Declares `Position`, which is a game's state, so that this program can give it features, and a contest with the
/// given name whose games begin with `$start(seed)` and also end if `$is_over(state)`. Moves are written as the
/// compiler prints them.
#[macro_export]
macro_rules! plain_contest {
    ($contest:ident, $name:literal, $state:ty, $move:ty, $start:expr, $is_over:expr) => {
        /// A position.
        #[derive(Clone, PartialEq, Debug)]
        pub struct Position($state);

        impl Default for Position {
            fn default() -> Position {
                Position($start(0))
            }
        }

        impl contender_game::rules::Game for Position {
            type Move = $move;

            fn turn(&self) -> contender_game::rules::Turn {
                let is_over: fn(&$state) -> bool = $is_over;
                if is_over(&self.0) { contender_game::rules::Turn::Over } else { self.0.turn() }
            }

            fn moves(&self, moves: &mut Vec<$move>) {
                self.0.moves(moves);
            }

            fn play(&mut self, mv: $move) {
                self.0.play(mv);
            }

            fn points(&self) -> [i32; 2] {
                self.0.points()
            }
        }

        impl contender_game::contest::Notation for Position {
            fn read(&self, text: &str) -> Result<$move, String> {
                let mut moves = Vec::new();
                contender_game::rules::Game::moves(self, &mut moves);
                moves.into_iter().find(|mv| self.write(*mv) == text).ok_or("not a move".to_string())
            }

            fn write(&self, mv: $move) -> String {
                format!("{mv:?}")
            }

            fn picture(
                &self,
                _: Option<$move>,
                _: Option<contender_game::rules::Player>,
            ) -> contender_game::board::Picture {
                contender_game::board::Picture::default()
            }
        }

        /// The contest.
        pub struct $contest;

        /// The contest's protocol.
        pub struct PlainProtocol;

        impl contender_game::contest::Protocol for PlainProtocol {
            type State = Position;
        }

        /// The reader of the protocol's lines.
        #[derive(Default)]
        pub struct Reader;

        impl contender_game::contest::TurnReader for Reader {
            type State = Position;
        }

        mod bots {
            use super::Reader;
            use contender_game::contest::{RandomBot, TurnParser};

            contender_game::bots! {
                TurnParser<Reader>;
                random "plays random legal moves": |_: (), seed| RandomBot::new(seed);
            }
        }

        impl contender_game::contest::TypedContest for $contest {
            type Bots = bots::Bots;
            type Rules = ();
            type Judge = contender_game::contest::TurnJudge<PlainProtocol>;

            const INFO: contender_game::contest::ContestInfo = contender_game::contest::ContestInfo {
                name: $name,
                package: "",
                about: $name,
                seats: ["first", "second"],
                site: contender_game::contest::JudgeSite::CodeCup,
                failures: contender_game::contest::FailureRule::CODECUP,
                limits: contender_game::contest::Limits::NONE,
                seats_differ: false,
                bots: <bots::Bots as contender_game::contest::BotList>::INFO,
                rules: Vec::new,
            };

            fn start(seed: u64, (): ()) -> Result<Self::Judge, String> {
                let position = Position($start(seed));
                Ok(contender_game::contest::TurnJudge::new(PlainProtocol, Self::INFO.site, position, seed))
            }

            fn perft(moves: &[String], depth: u32) -> Result<u64, String> {
                use contender_game::contest::Notation;
                Ok(contender_game::rules::perft(&Position::default().after(moves)?, depth))
            }
        }
    };
}

/// Number of turns at the start of a match's game in which moves may be random, and their probability.
const OPENING: (u32, f64) = (8, 0.5);

/// Plays pairs of games between two evaluations with equal nodes.
fn match_of<C>(evaluations: [&Evaluation<StateOf<C>>; 2], pairs: u64, nodes: u64) -> Pentanomial
where
    C: TypedContest,
    StateOf<C>: Features<Move = MoveOf<C>>,
{
    let mut results = Pentanomial::default();
    for pair in 0..pairs {
        let half_points: i32 = Player::BOTH
            .into_iter()
            .map(|seat| {
                let tactics = TacticalConfig { quiescence: 16, ..TacticalConfig::NONE };
                let mut players = evaluations.map(|evaluation| {
                    TacticalSearch::<_, _, <StateOf<C> as Features>::ChanceModel>::with_tactics(
                        evaluation.clone(),
                        SearchConfig::FULL,
                        tactics,
                    )
                });
                let mut rng = Rng::new(mix(&[pair, 99]));
                let judge = C::start(rng.next_u64(), C::Rules::default()).expect("the rules are valid");
                let mut state = contender_game::contest::OpenJudge::state(&judge).clone();
                let mut turns = 0;
                while let Turn::Player(player) = state.turn() {
                    let is_random = turns < OPENING.0 && rng.unit() < OPENING.1;
                    turns += 1;
                    let mv = match is_random {
                        true => state.random_move(&mut rng, &mut Vec::new()),
                        false => {
                            let search = &mut players[usize::from(player != seat)];
                            search.search(&state, &SearchLimits::nodes(nodes)).moves.swap_remove(0).mv
                        }
                    };
                    state.play(mv);
                }
                1 + seat.sign() * state.value().signum()
            })
            .sum();
        results.counts[half_points as usize] += 1;
    }
    results
}

fn matches<C>(files: [&str; 2], by_hand: &[f32])
where
    C: TypedContest,
    StateOf<C>: Features<Move = MoveOf<C>>,
{
    let evaluations = files.map(|file| match file {
        "hand" => Evaluation::of_weights(by_hand.to_vec()),
        _ => Evaluation::<StateOf<C>>::read(&std::fs::read(file).expect("the file can be read"))
            .expect("the file contains an evaluation"),
    });
    for nodes in [1000, 5000] {
        let results = match_of::<C>([&evaluations[0], &evaluations[1]], 100, nodes);
        let (scores, interval) = (results.scores(), results.interval(0.95).expect("there are pairs"));
        println!(
            "{nodes} nodes a move: {} scores {:.1} % against {}, 95 % interval {:.1} to {:.1}",
            files[0],
            100.0 * scores.mean().expect("there are pairs"),
            files[1],
            100.0 * interval.low,
            100.0 * interval.high,
        );
    }
}

fn run<C>(by_hand: &[f32], words: &[&str])
where
    C: TypedContest,
    StateOf<C>: Features<Move = MoveOf<C>> + Notation,
{
    learns_features::<C>();
    match words {
        ["write", file] => {
            let bytes = Evaluation::<StateOf<C>>::of_weights(by_hand.to_vec()).write();
            std::fs::write(file, bytes).expect("the file can be written");
        }
        ["match", first, second] => matches::<C>([first, second], by_hand),
        ["train", recipe, folder] => {
            let text = std::fs::read_to_string(recipe).expect("the recipe can be read");
            let recipe = Recipe::parse(&text, Path::new("")).expect("the recipe is valid");
            let options = TrainingOptions::new(Path::new(folder), 1);
            let outcome = train(&recipe, &options, &|| false, &mut |event| {
                if let Event::Log(line) = event {
                    println!("{line}");
                }
            });
            let outcome = outcome.unwrap_or_else(|error| panic!("{error:#}"));
            println!("{}", outcome.verdict.unwrap_or_default());
            matches::<C>([&outcome.file.to_string_lossy(), "hand"], by_hand);
        }
        _ => eprintln!("usage: GAME train RECIPE FOLDER | match FILE FILE | write FILE"),
    }
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["speed"] => leapers::speed(),
        ["leapers", ref words @ ..] => run::<leapers::Leapers>(&leapers::by_hand(), words),
        ["boards", ref words @ ..] => run::<uttt::Boards>(&uttt::by_hand(), words),
        ["weeds", ref words @ ..] => run::<tumbleweed::Weeds>(&tumbleweed::by_hand(), words),
        _ => eprintln!("usage: leapers | boards | weeds, and what to do; or speed"),
    }
}
