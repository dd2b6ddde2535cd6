//! The types shared by all games, searches and tools of Contender.
//!
//! | module | contents |
//! |---|---|
//! | [`rules`] | states, moves, players and chance, for searches |
//! | [`contest`] | bots, clocks, judges and their protocols, for tournaments |
//! | [`board`] | names of cells and pictures |
//! | [`settings`](mod@settings) | options of bots and judges |
//! | [`conformance`] | checks that every game must pass |
//! | [`prelude`] | the usual imports of a game |
//!
//! | concept | type |
//! |---|---|
//! | game, state | [`Game`](rules::Game): the type defines the rules, a value is a state |
//! | chance, outcome | [`Chance`](rules::Chance): exact probabilities as integer weights |
//! | hidden information | [`Hidden`](rules::Hidden): resamples what a player cannot know |
//! | simultaneous moves | [`Simultaneous`](rules::Simultaneous), [`Combined`](rules::Combined), and [`InTurn`](rules::InTurn), which converts them to a [`Game`](rules::Game) |
//! | player | [`Player`](rules::Player): seat 0 or 1 |
//! | bot | [`Bot`](contest::Bot) chooses moves; [`LineBot`](contest::LineBot) is a bot that speaks its judge's protocol |
//! | judge | [`Judge`](contest::Judge) asks for moves, checks the answers and counts the points: [`TurnJudge`](contest::TurnJudge) if players take turns, [`JointJudge`](contest::JointJudge) if both act at once |
//! | board | [`Grid`](board::Grid) of squares, [`HexBoard`](board::HexBoard): names, pictures, rays |
//! | contest | [`TypedContest`](contest::TypedContest): the game-specific part; [`Contest`](contest::Contest): the object-safe interface for tools |
//! | setting | [`settings!`](macro@settings): one declaration generates the struct, its parser, its help and the table for tuning |
//!
//! A game is a type whose values are states. This example is Nim: the players take turns removing one to three matches,
//! and the player who takes the last match wins.
//!
//! ```
//! use contender_game::prelude::*;
//!
//! #[derive(Clone)]
//! struct Nim {
//!     matches: u8,
//!     mover: Player,
//! }
//!
//! impl Game for Nim {
//!     type Move = u8;
//!
//!     fn turn(&self) -> Turn {
//!         if self.matches == 0 { Turn::Over } else { Turn::Player(self.mover) }
//!     }
//!
//!     fn moves(&self, moves: &mut Vec<u8>) {
//!         moves.extend(1..=self.matches.min(3));
//!     }
//!
//!     fn play(&mut self, taken: u8) {
//!         self.matches -= taken;
//!         self.mover = self.mover.other();
//!     }
//!
//!     /// The player who took the last match has won.
//!     fn points(&self) -> [i32; 2] {
//!         match self.turn() {
//!             Turn::Over if self.mover == Player::Zero => [0, 1],
//!             Turn::Over => [1, 0],
//!             _ => [0, 0],
//!         }
//!     }
//! }
//!
//! let start = Nim { matches: 4, mover: Player::Zero };
//! // Three first moves, and each has as many replies as matches are left.
//! assert_eq!(perft(&start, 2), 3 + 2 + 1);
//! ```
//!
//! Values are from player 0's point of view, except in functions and fields whose names start with `own_`. The crate
//! has no dependencies and compiles with `rustc 1.66 -O --edition 2021`, because submissions include its source.

#![forbid(unsafe_code)]

pub mod board;
pub mod conformance;
pub mod contest;
pub mod prelude;
pub mod rules;
pub mod settings;
