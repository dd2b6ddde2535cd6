//! The vocabulary of Contender, shared by every game, search and tool.
//!
//! | module | what it has |
//! |---|---|
//! | [`rules`] | states, moves, players, chance: what a search needs |
//! | [`contest`] | bots, clocks, judges and their protocols: what a tournament needs |
//! | [`board`] | names of cells and pictures |
//! | [`settings`](mod@settings) | options of bots and judges |
//! | [`conformance`] | checks that every game must pass |
//! | [`prelude`] | what most games import |
//!
//! | word | here |
//! |---|---|
//! | game, state | [`Game`](rules::Game): a value of the type is a state, the type knows the rules |
//! | chance, outcome | [`Chance`](rules::Chance): exact probabilities as integer weights |
//! | hidden information | [`Hidden`](rules::Hidden): resample what a player cannot know |
//! | both act at once | [`Simultaneous`](rules::Simultaneous), [`Combined`](rules::Combined), and [`InTurn`](rules::InTurn) which makes a [`Game`](rules::Game) of them |
//! | player | [`Player`](rules::Player): seat 0 or 1 |
//! | bot | [`Bot`](contest::Bot) chooses moves; [`LineBot`](contest::LineBot) is the same bot speaking its judge's protocol |
//! | judge | [`Judge`](contest::Judge) asks, checks answers and counts points: [`TurnJudge`](contest::TurnJudge) in turn, [`JointJudge`](contest::JointJudge) for both at once |
//! | board | [`Grid`](board::Grid) of squares, [`HexBoard`](board::HexBoard): names, pictures, rays |
//! | contest | [`TypedContest`](contest::TypedContest): what differs from game to game; [`Contest`](contest::Contest): the same without types, for tools |
//! | setting | [`settings!`](macro@settings): one statement makes struct, parser, help and the table that tuning reads |
//!
//! Values are from player 0's view unless a name says `own_`. The crate has no dependencies and compiles with
//! `rustc 1.66 -O --edition 2021`, because a submission carries it as source.

#![forbid(unsafe_code)]

pub mod board;
pub mod conformance;
pub mod contest;
pub mod prelude;
pub mod rules;
pub mod settings;
