//! The judge's protocol, an assumption: this year's is not published here, so it is CodeCup's usual form. All that
//! depends on it is in this file and in how moves are written.
//!
//! - The first player reads `Start`, every other question is the opponent's move; each answer is one line.
//! - A hex is its row `a` to `o` and its column 1 to 15: the centre is `h8`.
//! - The first move names the hexes of both start stones, `f9j7`: first that of who makes the next move. The neutral
//!   stack of height 2 stands in the centre from the start, as in the game's own rules.
//! - The second player makes that move, a hex as all later ones, or says `swap`: then the stones change their owners and
//!   the first player makes it. So the second player has chosen the side.
//! - `pass` passes.
//! - The points are the hexes owned and controlled.

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
