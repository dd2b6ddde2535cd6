//! The judge's protocol. It is an assumption in CodeCup's usual form, because the contest's protocol is not published
//! here. Only this file and the notation of moves depend on it.
//!
//! - The first player first reads `Start`. Every other question is the opponent's move. Each answer is one line.
//! - A hex is written as its row `a` to `o` and its column 1 to 15: the centre is `h8`.
//! - The first move contains the hexes of both start stones, `f9j7`: first the stone of the player who makes the next
//!   move. A neutral stack of height 2 is in the centre from the start, as in the game's own rules.
//! - The second player makes this move, which is a hex like all later moves, or answers `swap`: then the stones change
//!   their owners, and the first player makes the move. So the second player chooses the side.
//! - `pass` is a pass.
//! - A player's points are the number of hexes that the player owns or controls.

use crate::State;
use contender_game::contest::{Protocol, TurnReader};

/// The judge's side.
pub struct CodeCup;

impl Protocol for CodeCup {
    type State = State;
}

/// The bot's side.
#[derive(Default)]
pub struct Reader;

impl TurnReader for Reader {
    type State = State;
}
