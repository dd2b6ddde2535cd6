//! Both sides of the contest's protocol.
//!
//! First both players read the two start tiles, one per line. Blue then reads `Start`. From then on each player reads
//! the opponent's move and answers with a move. At the end, or when a bot is excluded, the bot reads `Quit`.

use crate::notation::parse_move;
use crate::{Move, Start, State, CELLS};
use contender_game::{
    contest::{Protocol, ProtocolEvent, TurnReader},
    rules::Player,
};

/// The judge's side of the protocol, for a game with these start tiles.
#[derive(Clone, Copy, Debug)]
pub struct SpaghettiProtocol(pub(crate) Start);

impl Protocol for SpaghettiProtocol {
    type State = State;

    fn preface(&self, _state: &State, _player: Player) -> String {
        let [first, second] = self.0 .0;
        format!("{first}\n{second}\n")
    }

    fn setup(&self, _start: &State) -> Vec<String> {
        self.0 .0.iter().map(Move::to_string).collect()
    }

    fn prompt(&self, _state: &State, player: Player) -> String {
        format!(
            "put a tile on an empty cell for {}: l (left), s (straight) or r (right), for example cer",
            ["Blue", "Red"][player]
        )
    }
}

/// The bot's side of the protocol. The reader stores the first start tile until it has read the second one.
#[derive(Default)]
pub struct Reader(Option<Move>);

impl TurnReader for Reader {
    type State = State;

    fn read(
        &mut self,
        state: &mut State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<Move>, String> {
        if state.empty_cells() < CELLS as u32 {
            return Self::start_or_move(state, seat, line);
        }
        let tile = parse_move(line)?;
        match self.0.replace(tile) {
            None => {}
            Some(first) => *state = State::new([first, tile])?,
        }
        Ok(ProtocolEvent::Nothing)
    }
}
