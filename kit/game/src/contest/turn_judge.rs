//! The judge for games in which the players take turns.

use crate::{
    board::Picture,
    contest::{numbered, FailureRule, Judge, JudgeSite, Notation, OpenJudge, ParsedMove, Question},
    rules::{mix, Game, Player, Rng, Turn},
};

/// The game-specific part of a judge, for games in which the players take turns.
///
/// The [example of the module](crate::contest) implements this trait.
pub trait Protocol: Send {
    /// The type of the game's states.
    type State: Notation + Send;

    /// Draws an outcome of chance and applies it. This function is called only at [`Turn::Chance`], so games without
    /// chance can keep the default.
    ///
    /// The draws must not depend on the players' moves, because both games of a pair must have the same draws.
    fn draw(&mut self, state: &mut Self::State, rng: &mut Rng) {
        let _ = (state, rng);
        unreachable!("a game without chance has no turn of chance");
    }

    /// Returns the text that `player` receives before the first question, as complete lines.
    fn preface(&self, state: &Self::State, player: Player) -> String {
        let _ = (state, player);
        String::new()
    }

    /// Returns the text that asks `player` for the next move in `state`, as complete lines. `moves` contains all moves
    /// so far, in record notation. By default, the text is the last move, or `Start` if there is none.
    fn question(&self, state: &Self::State, player: Player, moves: &[String]) -> String {
        let _ = (state, player);
        format!("{}\n", moves.last().map_or("Start", String::as_str))
    }

    /// Returns the move that CodeCup's judge makes for a failed player. By default, this is a uniformly random legal
    /// move.
    fn stand_in(&self, state: &Self::State, rng: &mut Rng) -> <Self::State as Game>::Move {
        state.random_move(rng, &mut Vec::new())
    }

    /// Applies the recorded outcomes of chance before a recorded move, and then plays the move.
    ///
    /// # Errors
    /// Returns an error if the move is malformed or illegal in `state`. In that case the state does not change.
    fn replay(&self, state: &mut Self::State, recorded: &str) -> Result<<Self::State as Game>::Move, String> {
        state.play_record(recorded)
    }

    /// Returns the setup before the first move, in the judge's notation.
    fn setup(&self, start: &Self::State) -> Vec<String> {
        let _ = start;
        Vec::new()
    }

    /// See [`Judge::prompt`]. The default prompt shows a legal move as an example.
    fn prompt(&self, state: &Self::State, player: Player) -> String {
        let _ = player;
        let mut moves = Vec::new();
        state.moves(&mut moves);
        moves.first().map_or(String::new(), |&mv| format!("a move, for example {}", state.write(mv)))
    }
}

/// The judge for games in which the players take turns. [`Protocol`] is the game-specific part.
///
/// The [example of the module](crate::contest) uses this type.
pub struct TurnJudge<P: Protocol> {
    protocol: P,
    site: JudgeSite,
    failures: FailureRule,
    state: P::State,
    setup: Vec<String>,
    /// The moves that the judge has played before the first question.
    opening: Vec<String>,
    moves: Vec<String>,
    /// Number of outcomes of chance drawn since the last move.
    draws: usize,
    last: Option<<P::State as Game>::Move>,
    mover: Option<Player>,
    chance: Rng,
    /// The random number generator for the moves of failed players. It is separate from `chance`, because the outcomes
    /// of chance must not depend on failures.
    stand_in: Rng,
    asked_before: [bool; 2],
    failed: [bool; 2],
}

impl<P: Protocol> TurnJudge<P> {
    /// Creates the judge for a new game. `seed` determines the outcomes of chance. The site's usual rule for failures
    /// applies until [`set_failures`](OpenJudge::set_failures) changes it.
    pub fn new(protocol: P, site: JudgeSite, start: P::State, seed: u64) -> Self {
        TurnJudge {
            setup: protocol.setup(&start),
            protocol,
            site,
            failures: site.failures(),
            state: start,
            opening: Vec::new(),
            moves: Vec::new(),
            draws: 0,
            last: None,
            mover: None,
            chance: Rng::new(mix(&[seed, 0])),
            stand_in: Rng::new(mix(&[seed, 1])),
            asked_before: [false; 2],
            failed: [false; 2],
        }
    }

    /// Plays this many random moves before the first question, so that bots without randomness play different games.
    /// The opening ends before a move that would end the game, and before an outcome of chance.
    ///
    /// A bot reads the moves before its first question, each in a line `opening MOVE`. [`PlainReader`] understands
    /// these lines. The moves also belong to the setup of the recorded game.
    ///
    /// [`PlainReader`]: crate::contest::PlainReader
    #[must_use]
    pub fn with_opening(mut self, moves: u32, seed: u64) -> Self {
        let mut rng = Rng::new(mix(&[seed, 2]));
        for _ in 0..moves {
            if !matches!(self.state.turn(), Turn::Player(_)) {
                break;
            }
            let mut next = self.state.clone();
            let mv = next.random_move(&mut rng, &mut Vec::new());
            next.play(mv);
            if next.turn() == Turn::Over {
                break;
            }
            self.opening.push(self.state.write_record(mv));
            self.state = next;
        }
        self
    }

    /// Plays the opening of a recorded game, whose setup consists only of the opening's moves.
    ///
    /// # Errors
    /// Returns an error if a move is malformed or illegal.
    pub fn with_recorded_opening(mut self, setup: &[String]) -> Result<Self, String> {
        numbered(setup, |text| {
            self.state.play_record(text)?;
            self.opening.push(text.to_string());
            Ok(())
        })
        .map_err(|error| format!("setup: {error}"))?;
        Ok(self)
    }

    fn play(&mut self, mv: <P::State as Game>::Move) {
        self.moves.push(self.state.write_record(mv));
        self.draws = 0;
        self.mover = match self.state.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        self.state.play(mv);
        self.last = Some(mv);
    }
}

impl<P: Protocol> Judge for TurnJudge<P> {
    fn ask(&mut self) -> Vec<Question> {
        while !self.failures.stops(self.failed) && !self.is_endless() {
            match self.state.turn() {
                Turn::Over => break,
                Turn::Chance => {
                    self.protocol.draw(&mut self.state, &mut self.chance);
                    self.draws += 1;
                }
                Turn::Player(player) if self.failed[player] => {
                    let mv = self.protocol.stand_in(&self.state, &mut self.stand_in);
                    self.play(mv);
                }
                Turn::Player(player) => {
                    let mut text = String::new();
                    if !std::mem::replace(&mut self.asked_before[player], true) {
                        text = self.protocol.preface(&self.state, player);
                        text.extend(self.opening.iter().map(|mv| format!("opening {mv}\n")));
                    }
                    text += &self.protocol.question(&self.state, player, &self.moves);
                    return vec![Question { player, text, answer_lines: 1 }];
                }
            }
        }
        Vec::new()
    }

    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String> {
        if self.state.turn() != Turn::Player(player) || self.is_endless() {
            return Err("it is not this player's turn".to_string());
        }
        let [line] = lines else { return Err(format!("the answer has {} lines instead of 1", lines.len())) };
        let mv = self.state.read(line)?;
        self.play(mv);
        Ok(())
    }

    fn fail(&mut self, player: Player) {
        self.failed[player] = true;
    }

    fn replay(&mut self, recorded: &str) -> Result<(), String> {
        let mut before = self.state.clone();
        self.last = Some(self.protocol.replay(&mut self.state, recorded)?);
        if before.turn() == Turn::Chance {
            // The record contains the outcome, but `chance` must advance as if the outcome had been drawn here.
            self.protocol.draw(&mut before, &mut self.chance);
        }
        self.mover = match before.turn() {
            Turn::Player(player) => Some(player),
            Turn::Chance | Turn::Over => None,
        };
        self.moves.push(recorded.to_string());
        Ok(())
    }

    fn points(&self) -> [i32; 2] {
        if self.is_endless() {
            // A player that has failed still loses.
            return FailureRule::CODINGAME.points([0, 0], self.failed);
        }
        self.failures.points(self.state.points(), self.failed)
    }

    fn is_endless(&self) -> bool {
        // Draws also count: chance that acts again and again adds no moves.
        self.moves.len().max(self.draws) >= P::State::MAX_TURNS && self.state.turn() != Turn::Over
    }

    fn mover(&self) -> Option<Player> {
        self.mover
    }

    fn choices(&self, player: Player) -> Vec<String> {
        let mut moves = Vec::new();
        if self.state.turn() == Turn::Player(player) && !self.is_endless() {
            self.state.moves(&mut moves);
        }
        moves.into_iter().map(|mv| self.state.write(mv)).collect()
    }

    fn farewell(&self) -> &'static str {
        self.site.farewell()
    }

    fn setup(&self) -> Vec<String> {
        [&self.setup[..], &self.opening].concat()
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn picture(&self, viewer: Option<Player>) -> Picture {
        self.state.picture(self.last, viewer)
    }

    fn prompt(&self, player: Player) -> String {
        self.protocol.prompt(&self.state, player)
    }
}

impl<P: Protocol> OpenJudge for TurnJudge<P> {
    type State = P::State;
    type Move = <P::State as Game>::Move;

    fn state(&self) -> &P::State {
        &self.state
    }

    fn set_failures(&mut self, rule: FailureRule) -> Result<(), String> {
        self.failures = rule;
        Ok(())
    }

    fn replay_heard(&mut self, recorded: &str) -> Result<Option<ParsedMove<Self>>, String> {
        let mut before = self.state.clone();
        let mv = before.read_record(recorded);
        self.replay(recorded)?;
        Ok(match (mv, before.turn()) {
            (Ok(mv), Turn::Player(mover)) => Some((before, mover, mv)),
            _ => None,
        })
    }

    fn read_recorded(&mut self, recorded: &str, _player: Player) -> Result<Self::Move, String> {
        self.state.read_record(recorded)
    }

    fn write_line(&self, line: Vec<Self::Move>) -> Vec<String> {
        let mut state = self.state.clone();
        // Moves after a chance node can't be written without its outcome.
        let write = |mv| {
            matches!(state.turn(), Turn::Player(_)).then(|| {
                let text = state.write_record(mv);
                state.play(mv);
                text
            })
        };
        line.into_iter().map_while(write).collect()
    }

    fn answer_with(&self, _player: Player, mv: &Self::Move) -> Vec<String> {
        vec![self.state.write(*mv)]
    }
}
