//! The contest's protocol, from the judge's side and from the bot's.
//!
//! A bot first reads its own colour and the start tile as a move. Before each of its moves it reads the opponent's move, or
//! `Start` if there is none, then its tile; it answers with a placement. `Quit` may come instead of a move.

use crate::notation::{self, full_move, parse_colour, parse_full_move};
use crate::{Colour, Placement, State, Tile, COLOURS};
use contender_game::{
    excerpt, Bot, Chance, Clock, Game, Limits, LineBot, Player, Protocol, Reply, Rng, Turn,
};

/// The judge's side. It remembers the start tile, which each player is told at its first move.
#[derive(Clone, Debug)]
pub struct BoxProtocol {
    start: Tile,
}

impl BoxProtocol {
    /// The protocol of a game with this start tile.
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

    fn draw(&mut self, state: &mut State, luck: &mut Rng) {
        let tile = state.random_outcome(luck, &mut Vec::new());
        state.resolve(tile);
    }

    fn question(&self, state: &State, player: Player, moves: &[String], is_first: bool) -> String {
        let mut text = String::new();
        if is_first {
            let colour = notation::colour_char(state.colours()[player]);
            text += &format!("{colour}\n{}\n", self.start_move());
        }
        text += moves.last().map_or("Start", String::as_str);
        let tile = state.tile().map(|tile| tile.to_string()).unwrap_or_default();
        text + "\n" + &tile + "\n"
    }

    fn parse(&self, state: &State, text: &str) -> Result<Placement, String> {
        let placement = text.parse()?;
        check_legal(state, placement)?;
        Ok(placement)
    }

    fn notation(&self, state: &State, placement: Placement) -> String {
        state.tile().map_or_else(|| placement.to_string(), |tile| full_move(placement, tile))
    }

    /// Takes a whole move, which says what tile was drawn.
    fn replay(&self, state: &mut State, recorded: &str) -> Result<(), String> {
        play_full_move(state, recorded)
    }

    /// The colour of player 1, the colour of player 2, and the start tile as a move.
    fn setup(&self, start: &State) -> Vec<String> {
        let [zero, one] = start.colours().map(|colour| notation::colour_char(colour).to_string());
        vec![zero, one, self.start_move()]
    }

    /// A player that failed gets nothing; the other gets what the final board gives, be it a loser's points.
    fn points(&self, state: &State, failed: [bool; 2]) -> [i32; 2] {
        let points = state.points();
        Player::BOTH.map(|player| if failed[player] { 0 } else { points[player] })
    }

    fn board(&self, state: &State, viewer: Option<Player>) -> String {
        notation::board(state, viewer)
    }

    fn prompt(&self, state: &State, _player: Player) -> String {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let example = moves.first().map(|placement| format!(", for example {placement}")).unwrap_or_default();
        let tile = state.tile().map(|tile| format!(" {tile}")).unwrap_or_default();
        format!("place the tile{tile}: row A-P and column a-t of its top-left corner, h lying or v standing{example}")
    }
}

/// The bot's side for any [`Bot`]: keeps the state and the clock of one game.
///
/// A bot is not told the opponent's colour: the state it is asked about has an arbitrary other colour for the opponent (see
/// [`Hidden`](contender_game::Hidden)).
pub struct Dialogue<B> {
    bot: B,
    clock: Clock,
    stage: Stage,
}

/// What has been read, and so what comes next.
enum Stage {
    /// Nothing: the own colour comes.
    New,
    /// The own colour: the start tile comes.
    Colour(Colour),
    /// The start tile: `Start` or the opponent's first move comes.
    Tile(Colour, Tile),
    /// The opponent has moved, or there is no move before ours: our tile comes. `heard` is not yet played in the state, whose tile
    /// is the opponent's.
    Asked { state: State, player: Player, heard: Option<Placement> },
    /// We have moved: the opponent's move comes.
    Answered { state: State, player: Player },
}

impl<B> Dialogue<B> {
    /// The dialogue at the start of a game; the clock's first turn starts now.
    pub fn new(bot: B, limits: Limits) -> Self {
        Dialogue { bot, clock: Clock::new(limits), stage: Stage::New }
    }
}

impl<B: Bot<State, Placement>> Dialogue<B> {
    /// Takes the tile: plays the opponent's move, chooses and plays the own one.
    fn answer(
        &mut self,
        mut state: State,
        player: Player,
        heard: Option<Placement>,
        tile: Tile,
    ) -> Result<(Stage, Reply), String> {
        self.clock.start_turn();
        if let Some(placement) = heard {
            self.bot.observe(&state, player, &placement);
            state.play(placement);
        }
        if state.turn() == Turn::Over {
            return Err(format!("the tile {tile} comes after the end of the game"));
        }
        state.resolve(tile);
        let placement = self.bot.choose(&state, player, &self.clock);
        state.play(placement);
        self.clock.end_turn();
        Ok((Stage::Answered { state, player }, Reply::Say(placement.to_string())))
    }
}

impl<B: Bot<State, Placement>> LineBot for Dialogue<B> {
    fn line(&mut self, line: &str) -> Result<Reply, String> {
        if line == "Quit" {
            return Ok(Reply::Stop);
        }
        // A line that makes no sense leaves a new dialogue behind.
        let (stage, reply) = match std::mem::replace(&mut self.stage, Stage::New) {
            Stage::New => (Stage::Colour(parse_colour(line)?), Reply::Nothing),
            Stage::Colour(own) => (Stage::Tile(own, parse_start(line)?), Reply::Nothing),
            Stage::Tile(own, start) => {
                let other = (own + 1) % COLOURS as Colour;
                let stage = if line == "Start" {
                    Stage::Asked { state: State::new([own, other], start), player: Player::Zero, heard: None }
                } else {
                    hear(State::new([other, own], start), Player::One, line)?
                };
                (stage, Reply::Nothing)
            }
            Stage::Asked { state, player, heard } => self.answer(state, player, heard, line.parse()?)?,
            Stage::Answered { state, player } => (hear(state, player, line)?, Reply::Nothing),
        };
        self.stage = stage;
        Ok(reply)
    }
}

/// Takes the opponent's move.
fn hear(mut state: State, player: Player, line: &str) -> Result<Stage, String> {
    let (placement, tile) = parse_legal_move(&state, line)?;
    state.resolve(tile);
    Ok(Stage::Asked { state, player, heard: Some(placement) })
}

/// Plays a move of either player, with the tile that was drawn for it.
pub(crate) fn play_full_move(state: &mut State, text: &str) -> Result<(), String> {
    let (placement, tile) = parse_legal_move(state, text)?;
    state.resolve(tile);
    state.play(placement);
    Ok(())
}

/// Reads the start tile's move.
pub(crate) fn parse_start(text: &str) -> Result<Tile, String> {
    match parse_full_move(text)? {
        (Placement::START, tile) => Ok(tile),
        _ => Err(format!("the start tile `{}` is not at {}", excerpt(text), Placement::START)),
    }
}

fn parse_legal_move(state: &State, text: &str) -> Result<(Placement, Tile), String> {
    if state.is_over() {
        return Err(format!("`{}` comes after the end of the game", excerpt(text)));
    }
    let (placement, tile) = parse_full_move(text)?;
    check_legal(state, placement)?;
    Ok((placement, tile))
}

/// Whether a tile may be placed there, and why not.
fn check_legal(state: &State, placement: Placement) -> Result<(), String> {
    if state.is_legal(placement) {
        return Ok(());
    }
    Err(match state.overlap(placement) {
        0 => format!("a tile at {placement} touches no filled cell"),
        overlap => format!("a tile at {placement} covers {overlap} filled cells; at most 4 are allowed"),
    })
}
