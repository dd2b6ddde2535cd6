//! Games with the values of their positions, as they are stored.

use super::Sample;
use contender_game::{
    contest::{Notation, OpenJudge, StateOf, TypedContest, numbered},
    rules::Game,
};
use contender_value::{Features, Record};
use serde::{Deserialize, Serialize};

/// A game of a contest with the values of its positions. It contains moves instead of features: a later training run
/// can learn from the game with other features.
pub struct PlayedGame<C: TypedContest> {
    pub(super) moves: GameMoves,
    pub(super) samples: Vec<Sample<StateOf<C>>>,
}

/// The stored part of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct GameMoves {
    game: String,
    seed: u64,
    /// The judge's lines about the start; empty if the seed determines the start.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    setup: Vec<String>,
    /// The moves in record notation.
    pub moves: Vec<String>,
    pub labels: Vec<Label>,
    /// The result: -1 if player 0 loses, 0, or 1.
    pub result: i32,
}

/// A labelled position.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Label {
    /// Number of moves before the position.
    pub turn: usize,
    pub place: Place,
    /// The value that the search found, from -1 to 1.
    pub value: f32,
}

/// The place of a position, relative to the move that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Place {
    /// Before the outcome of chance that precedes the move.
    Chance,
    /// Directly before the move.
    Move,
    /// After another move.
    Aside(String),
}

impl GameMoves {
    pub fn new(game: &str, seed: u64, setup: &[String]) -> GameMoves {
        let (game, setup) = (game.to_string(), setup.to_vec());
        GameMoves { game, seed, setup, moves: Vec::new(), labels: Vec::new(), result: 0 }
    }

    pub fn label(&mut self, place: Place, value: f32) {
        self.labels.push(Label { turn: self.moves.len(), place, value });
    }
}

impl<C> PlayedGame<C>
where
    C: TypedContest,
    StateOf<C>: Features + Notation,
{
    /// Plays the moves again, and computes the features of the labelled positions.
    ///
    /// # Errors
    /// Returns an error if the moves do not follow the rules.
    pub(super) fn new(moves: GameMoves) -> Result<PlayedGame<C>, String> {
        let rules = C::Rules::default();
        let judge = match &moves.setup[..] {
            [] => C::start(moves.seed, rules)?,
            setup => C::recorded(setup, rules)?,
        };
        let (mut state, mut turn) = (judge.state().clone(), 0);
        let (mut samples, mut labels) = (Vec::new(), moves.labels.iter().peekable());
        let mut add = |turn: usize, before: &StateOf<C>, after: Option<&StateOf<C>>| -> Result<(), String> {
            while let Some(label) = labels.next_if(|label| label.turn == turn) {
                let at = match (&label.place, after) {
                    (Place::Chance, _) => before,
                    (Place::Move, Some(after)) => after,
                    (Place::Aside(mv), Some(after)) => {
                        let mut other = after.clone();
                        other.play(other.read(mv)?);
                        samples.push(Sample::new(&other, label.value));
                        continue;
                    }
                    (_, None) => return Err("a position after the last move has a value".to_string()),
                };
                samples.push(Sample::new(at, label.value));
            }
            Ok(())
        };
        numbered(&moves.moves, |text| {
            let before = state.clone();
            let mv = state.read_record(text)?;
            add(turn, &before, Some(&state))?;
            state.play(mv);
            turn += 1;
            Ok(())
        })?;
        add(turn, &state, None)?;
        if samples.len() != moves.labels.len() {
            return Err("the positions are not in the order of the moves".to_string());
        }
        Ok(PlayedGame { moves, samples })
    }

    /// Returns the samples with their targets. The game's result has this weight in the targets of positions of the
    /// game.
    pub(super) fn with_result(self, share: f64) -> Vec<Sample<StateOf<C>>> {
        let PlayedGame { moves, mut samples } = self;
        for (sample, label) in samples.iter_mut().zip(&moves.labels) {
            if !matches!(label.place, Place::Aside(_)) {
                let (result, value) = (f64::from(moves.result), f64::from(label.value));
                sample.target = (share * result + (1.0 - share) * value) as f32;
            }
        }
        samples
    }
}

/// The format is the number of bytes (32 bits, little-endian) and a JSON object.
impl<C> Record for PlayedGame<C>
where
    C: TypedContest,
    StateOf<C>: Features + Notation,
{
    const BYTES: usize = 4;

    fn more(head: &[u8]) -> usize {
        u32::from_le_bytes([head[0], head[1], head[2], head[3]]) as usize
    }

    fn positions(&self) -> usize {
        self.samples.len()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        let text = serde_json::to_vec(&self.moves).expect("a game consists of texts and numbers");
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text);
    }

    fn read(bytes: &[u8]) -> Result<Self, String> {
        if bytes.get(4) != Some(&b'{') {
            return Err("expected a game with its moves; older versions of Contender stored features instead, which \
                        other features cannot use\nhint: train again in a new folder, and name this folder in \
                        `positions`"
                .to_string());
        }
        let moves: GameMoves = serde_json::from_slice(&bytes[4..]).map_err(|error| error.to_string())?;
        let game = C::INFO.name;
        if moves.game != game {
            return Err(format!("it is a game of `{}`, but the recipe trains `{game}`", moves.game));
        }
        if !(-1..=1).contains(&moves.result)
            || moves.labels.iter().any(|label| !(-1.0..=1.0).contains(&label.value))
        {
            return Err("a value is out of range".to_string());
        }
        PlayedGame::new(moves)
    }
}
