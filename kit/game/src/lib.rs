//! The types shared by all games, searches and tools of Contender.
//!
//! | module | contents |
//! |---|---|
//! | [`rules`] | states, moves, players and chance, for searches |
//! | [`contest`] | bots, clocks, judges and their protocols, for tournaments |
//! | [`board`] | names of cells and pictures |
//! | [`settings`](mod@settings) | options of bots and judges |
//! | [`conformance`] | checks that every game must pass |
//! | [`prelude`] | what most games import |
//!
//! | concept | type |
//! |---|---|
//! | game, state | [`Game`](rules::Game): the type has the rules, a value is a state |
//! | chance, outcome | [`Chance`](rules::Chance): exact probabilities as integer weights |
//! | hidden information | [`Hidden`](rules::Hidden): resamples what a player cannot know |
//! | simultaneous moves | [`Simultaneous`](rules::Simultaneous), [`Combined`](rules::Combined), and [`InTurn`](rules::InTurn), which converts them to a [`Game`](rules::Game) |
//! | player | [`Player`](rules::Player): seat 0 or 1 |
//! | bot | [`Bot`](contest::Bot) chooses moves; [`LineBot`](contest::LineBot) is the same bot with its judge's protocol |
//! | judge | [`Judge`](contest::Judge) asks, checks answers and counts points: [`TurnJudge`](contest::TurnJudge) if players take turns, [`JointJudge`](contest::JointJudge) if both act at once |
//! | board | [`Grid`](board::Grid) of squares, [`HexBoard`](board::HexBoard): names, pictures, rays |
//! | contest | [`TypedContest`](contest::TypedContest): the part that differs from game to game; [`Contest`](contest::Contest): the same interface without types, for tools |
//! | setting | [`settings!`](macro@settings): one declaration makes the struct, its parser, its help and the table for tuning |
//!
//! Values are from player 0's view unless a name starts with `own_`. The crate has no dependencies and compiles with
//! `rustc 1.66 -O --edition 2021`, because submissions include its source.

#![forbid(unsafe_code)]

pub mod board;
pub mod conformance;
pub mod contest;
pub mod prelude;
pub mod rules;
pub mod settings;
