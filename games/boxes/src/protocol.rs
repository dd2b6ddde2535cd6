//! Both sides of the contest's protocol.
//!
//! First, a bot reads its colour, and the start tile as a move. Before each of its moves, it reads the opponent's move
//! (or `Start` if there is none) and then its tile. The bot answers with a placement. A bot may read `Quit` instead of
//! a move.

use crate::notation::{full_move, parse_full_move};
use crate::{colour_char, parse_colour, Colour, Placement, State, Tile, COLOURS};
use contender_game::{
    contest::{excerpt, Notation, Protocol, ProtocolEvent, TurnReader},
    rules::{Chance, Game, Player, Rng},
};

/// The judge's side of the protocol. It stores the start tile, which each player receives before its first move.
#[derive(Clone, Debug)]
pub struct BoxProtocol {
    start: Tile,
}

impl BoxProtocol {
    /// Creates the protocol for a game with this start tile.
    #[must_use]
    pub fn new(start: Tile) -> BoxProtocol {
        BoxProtocol { start }
    }

    fn start_move(&self) -> String {
        full_move(Placement::START, self.start)
    }
}

impl Protocol for BoxProtocol {
    type State = State;

    fn draw(&mut self, state: &mut State, rng: &mut Rng) {
        let tile = state.random_outcome(rng, &mut Vec::new());
        state.resolve(tile);
    }

    fn preface(&self, state: &State, player: Player) -> String {
        format!("{}\n{}\n", colour_char(state.colours()[player]), self.start_move())
    }

    fn question(&self, state: &State, _player: Player, moves: &[String]) -> String {
        let tile = state.tile().map(|tile| tile.to_string()).unwrap_or_default();
        format!("{}\n{tile}\n", moves.last().map_or("Start", String::as_str))
    }

    /// Returns player 1's colour, player 2's colour, and the start tile as a move.
    fn setup(&self, start: &State) -> Vec<String> {
        let [zero, one] = start.colours().map(|colour| colour_char(colour).to_string());
        vec![zero, one, self.start_move()]
    }

    fn prompt(&self, state: &State, _player: Player) -> String {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let example = moves.first().map(|placement| format!(", for example {placement}")).unwrap_or_default();
        let tile = state.tile().map(|tile| format!(" {tile}")).unwrap_or_default();
        let tile = format!("place the tile{tile}: row A-P and column a-t of its top-left corner");
        format!("{tile}, h for horizontal or v for vertical{example}")
    }
}

/// The bot's side of the protocol. It stores the bot's colour and the start tile after reading them.
///
/// A bot does not learn the opponent's colour. In the state that the bot sees, the opponent's colour is an arbitrary
/// one that differs from the bot's own (see [`Hidden`](contender_game::rules::Hidden)).
#[derive(Default)]
pub struct Reader {
    colour: Option<Colour>,
    start: Option<Tile>,
}

impl TurnReader for Reader {
    type State = State;

    fn read(
        &mut self,
        state: &mut State,
        seat: Option<Player>,
        line: &str,
    ) -> Result<ProtocolEvent<Placement>, String> {
        match (self.colour, self.start, seat) {
            (None, _, _) => self.colour = Some(parse_colour(line)?),
            (_, None, _) => self.start = Some(parse_start(line)?),
            (Some(own), Some(start), None) => {
                let other = (own + 1) % COLOURS as Colour;
                if line == "Start" {
                    *state = State::new([own, other], start);
                    return Ok(ProtocolEvent::Seat(Player::Zero));
                }
                *state = State::new([other, own], start);
                return state.read_record(line).map(ProtocolEvent::Move);
            }
            (_, _, Some(player)) if state.mover() == player => {
                let tile = line.parse()?;
                if state.is_over() {
                    return Err(format!("the tile {tile} comes after the end of the game"));
                }
                state.resolve(tile);
            }
            _ => return state.read_record(line).map(ProtocolEvent::Move),
        }
        Ok(ProtocolEvent::Nothing)
    }
}

/// Parses the move of the start tile.
pub(crate) fn parse_start(text: &str) -> Result<Tile, String> {
    match parse_full_move(text)? {
        (Placement::START, tile) => Ok(tile),
        _ => Err(format!("the start tile `{}` is not at {}", excerpt(text), Placement::START)),
    }
}
