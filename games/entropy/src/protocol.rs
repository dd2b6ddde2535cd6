//! Both sides of the contest's protocol.
//!
//! Chaos reads `Start`, and then in each turn the colour of the drawn chip: `5`. From Chaos's second turn on, Order's
//! move comes before the colour: `BcBg`. Chaos answers with a cell. Order reads each placement with its colour, `3Bc`,
//! and answers `BcBg`, or `BcBc` to pass. Order does not receive the last placement. `Quit` ends the game for both.

use crate::{notation, Bag, Cell, Colour, Move, State};
use contender_game::{
    contest::{Notation, Protocol, ProtocolEvent, TurnReader},
    rules::{Chance, Game, Player, Rng, Turn},
};

/// The protocol of a game with chips in this order, or in random order.
#[derive(Clone, Debug, Default)]
pub struct EntropyProtocol(pub Option<Bag>);

impl EntropyProtocol {
    /// Returns the next chip of a fixed bag.
    fn fixed(&self, state: &State) -> Option<Colour> {
        self.0.as_ref().and_then(|bag| bag.next(state))
    }
}

impl Protocol for EntropyProtocol {
    type State = State;

    fn draw(&mut self, state: &mut State, rng: &mut Rng) {
        let colour = self.fixed(state).unwrap_or_else(|| state.random_outcome(rng, &mut Vec::new()));
        state.resolve(colour);
    }

    fn question(&self, state: &State, _player: Player, moves: &[String]) -> String {
        let last = moves.last().map_or("Start", String::as_str);
        match state.drawn() {
            Some(colour) => format!("{last}\n{colour}\n"),
            None => format!("{last}\n"),
        }
    }

    /// Picks a uniformly random cell for Chaos. For Order it picks a uniformly random chip, and then uniformly one of
    /// the cells that the chip can slide to, or its own cell. The contest's referee makes the same random choices.
    fn stand_in(&self, state: &State, rng: &mut Rng) -> Move {
        let mut moves = Vec::new();
        if state.turn() != Turn::Player(Player::Zero) {
            return state.random_move(rng, &mut moves);
        }
        state.moves(&mut moves);
        let chips: Vec<Cell> = state.occupied_cells().collect();
        let chip = *rng.choose(&chips);
        moves
            .retain(|mv| matches!(mv, Move::Pass) || matches!(mv, Move::Slide { from, .. } if *from == chip));
        *rng.choose(&moves)
    }

    fn replay(&self, state: &mut State, recorded: &str) -> Result<Move, String> {
        if let (Turn::Chance, Some(fixed)) = (state.turn(), self.fixed(state)) {
            let (colour, _) = notation::parse_placement(recorded)?;
            if colour != fixed {
                return Err(format!("the bag's next chip is {fixed}, not {colour}"));
            }
        }
        state.play_record(recorded)
    }

    fn setup(&self, _start: &State) -> Vec<String> {
        self.0.iter().map(Bag::to_string).collect()
    }

    fn prompt(&self, state: &State, player: Player) -> String {
        match (player, state.drawn()) {
            (Player::One, Some(colour)) => {
                format!("place the chip {colour} on an empty cell, for example Bc")
            }
            _ => "slide a chip along its row or column, for example BcBg, or pass with BcBc".to_string(),
        }
    }
}

/// The bot's side of the protocol.
#[derive(Default)]
pub struct Reader;

impl TurnReader for Reader {
    type State = State;

    fn read(
        &mut self,
        state: &mut State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<Move>, String> {
        match (line, seat, state.turn()) {
            ("Start", None, _) => Ok(ProtocolEvent::Seat(Player::One)),
            (_, Some(Player::One), Turn::Chance) => {
                notation::draw(state, notation::parse_colour(line)?)?;
                Ok(ProtocolEvent::Nothing)
            }
            _ => state.read_record(line).map(ProtocolEvent::Move),
        }
    }
}
