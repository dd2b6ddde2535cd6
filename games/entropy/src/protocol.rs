//! Both sides of the contest's protocol.
//!
//! Chaos is sent `Start` and then, turn by turn, the colour of the drawn chip, before it (from the second on) Order's
//! move: `BcBg`, `5`. It answers with a cell. Order is sent each placement with its colour, `3Bc`, and answers `BcBg`
//! or, to pass, `BcBc`. Order never hears of the last placement; `Quit` ends the game for both.

use crate::{notation, Bag, Cell, Colour, Move, State};
use contender_game::{
    contest::{Notation, Protocol, ProtocolEvent, TurnReader},
    rules::{Chance, Game, Player, Rng, Turn},
};

/// The protocol of a game whose chips come in this order, or in a random one.
#[derive(Clone, Debug, Default)]
pub struct EntropyProtocol(pub Option<Bag>);

impl EntropyProtocol {
    /// Returns the chip that a fixed bag has next.
    fn fixed(&self, state: &State) -> Option<Colour> {
        self.0.as_ref().and_then(|bag| bag.next(state))
    }
}

impl Protocol for EntropyProtocol {
    type State = State;

    fn draw(&mut self, state: &mut State, luck: &mut Rng) {
        let colour = self.fixed(state).unwrap_or_else(|| state.random_outcome(luck, &mut Vec::new()));
        state.resolve(colour);
    }

    fn question(&self, state: &State, _player: Player, moves: &[String]) -> String {
        let last = moves.last().map_or("Start", String::as_str);
        match state.drawn() {
            Some(colour) => format!("{last}\n{colour}\n"),
            None => format!("{last}\n"),
        }
    }

    /// Picks for Chaos a uniformly random cell. For Order it picks a uniformly random chip, then uniformly among the
    /// cells it can slide to and staying in place, as the contest's referee does.
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

/// The bot's side.
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
