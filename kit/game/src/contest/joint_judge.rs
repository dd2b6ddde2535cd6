//! The judge for games in which both players act at once.

use crate::{
    board::{Picture, Sign},
    contest::{FailureRule, Judge, JudgeSite, OpenJudge, Question},
    rules::{Player, Simultaneous},
};

/// The game-specific part of a judge, for games in which both players act at once. `contender new game NAME --kind
/// simultaneous` writes a game that implements this trait.
pub trait JointProtocol: Send {
    /// The type of the game's states.
    type State: Simultaneous + Send;
    /// A player's answer for one turn, as it is recorded. The default value represents a player that sent nothing in
    /// time.
    type Answer: Default + Send;

    /// Returns the setup before the first move, in the judge's notation.
    fn setup(&self, start: &Self::State) -> Vec<String> {
        let _ = start;
        Vec::new()
    }

    /// Returns the text that `player` receives before the first question, as complete lines.
    fn preface(&self, state: &Self::State, player: Player) -> String {
        let _ = (state, player);
        String::new()
    }

    /// Returns the text that `player` receives every turn, as complete lines.
    fn question(&self, state: &Self::State, player: Player) -> String;

    /// Returns the number of lines that `player`'s answer must have.
    fn answer_lines(&self, state: &Self::State, player: Player) -> usize {
        let _ = (state, player);
        1
    }

    /// Parses an answer as far as possible. If the answer disqualifies the player, also returns the reason.
    fn read(
        &self,
        state: &Self::State,
        player: Player,
        lines: &[String],
    ) -> (Self::Answer, Result<(), String>);

    /// Formats a move as a player's answer with at least `lines` lines.
    fn write(
        &self,
        state: &Self::State,
        mv: &<Self::State as Simultaneous>::Move,
        lines: usize,
    ) -> Vec<String>;

    /// Formats a turn in record notation.
    fn write_turn(&self, answers: &[Self::Answer; 2]) -> String;

    /// Parses a turn in record notation.
    ///
    /// # Errors
    /// Returns an error that shows the malformed part.
    fn read_turn(&self, recorded: &str) -> Result<[Self::Answer; 2], String>;

    /// Returns whether a recorded answer disqualifies `player`.
    ///
    /// # Errors
    /// Returns an error if the judge could not have accepted the answer in this state.
    fn disqualifies(
        &self,
        state: &Self::State,
        player: Player,
        answer: &Self::Answer,
    ) -> Result<bool, String>;

    /// Converts an answer to a move. Appends the parts of the answer that the judge ignores to `ignored`, each with the
    /// reason.
    fn accept(
        &self,
        state: &Self::State,
        player: Player,
        answer: &Self::Answer,
        ignored: &mut Vec<String>,
    ) -> <Self::State as Simultaneous>::Move;

    /// Returns the points (see [`Judge::points`]). The default implementation applies CodinGame's rule: a player that
    /// failed loses.
    fn points(&self, state: &Self::State, failed: [bool; 2]) -> [i32; 2] {
        FailureRule::CODINGAME.points(state.points(), failed)
    }

    /// Returns the picture for [`Judge::picture`]. `before` is the state before the last turn, or `state` itself at the
    /// start.
    fn picture(&self, state: &Self::State, before: &Self::State, viewer: Option<Player>) -> Picture;

    /// See [`Judge::choices`].
    fn choices(&self, state: &Self::State, player: Player) -> Vec<String>;

    /// See [`Judge::next_choices`]. The default implementation returns the [`choices`](JointProtocol::choices).
    fn next_choices(&self, state: &Self::State, player: Player, lines: &[String]) -> Vec<String> {
        let _ = lines;
        self.choices(state, player)
    }

    /// See [`Judge::prompt`].
    fn prompt(&self, state: &Self::State, player: Player) -> String;
}

/// The judge for games in which both players act at once. [`JointProtocol`] is the game-specific part.
///
/// The judge asks both players at once, and plays the turn when both have answered or failed. If a player fails, the
/// judge plays the valid part of the player's answer, and then the game is over. This is CodinGame's rule; all bundled
/// games with simultaneous moves come from CodinGame.
pub struct JointJudge<P: JointProtocol> {
    protocol: P,
    state: P::State,
    /// The state before the latest turn.
    before: P::State,
    setup: Vec<String>,
    moves: Vec<String>,
    /// The answers received in the current turn. A disqualifying answer is stored before its player is marked as
    /// failed.
    answers: [Option<P::Answer>; 2],
    has_answered: [bool; 2],
    failed: [bool; 2],
    /// The ignored parts of the answers in the latest turn, with the reasons.
    ignored: Vec<String>,
}

impl<P: JointProtocol> JointJudge<P> {
    /// Creates the judge for a new game.
    pub fn new(protocol: P, start: P::State) -> Self {
        JointJudge {
            setup: protocol.setup(&start),
            protocol,
            before: start.clone(),
            state: start,
            moves: Vec::new(),
            answers: [None, None],
            has_answered: [false; 2],
            failed: [false; 2],
            ignored: Vec::new(),
        }
    }

    /// Returns for each player whether it has failed.
    pub fn failed(&self) -> [bool; 2] {
        self.failed
    }

    fn is_over(&self) -> bool {
        self.state.is_over()
            || self.is_endless()
            || self.failed != [false; 2] && self.has_answered == [false; 2]
    }

    fn is_due(&self, player: Player) -> bool {
        !self.is_over() && !self.has_answered[player]
    }

    /// Marks a player's answer as complete, and plays the turn when both answers are complete.
    fn complete(&mut self, player: Player) {
        self.has_answered[player] = true;
        if self.has_answered == [true; 2] {
            self.has_answered = [false; 2];
            let answers = Player::BOTH.map(|player| self.answers[player].take().unwrap_or_default());
            self.play(&answers);
        }
    }

    fn play(&mut self, answers: &[P::Answer; 2]) {
        self.moves.push(self.protocol.write_turn(answers));
        self.before = self.state.clone();
        let mut ignored = Vec::new();
        let moves = Player::BOTH
            .map(|player| self.protocol.accept(&self.state, player, &answers[player], &mut ignored));
        self.ignored = ignored;
        self.state.play([&moves[0], &moves[1]]);
    }
}

impl<P: JointProtocol> Judge for JointJudge<P> {
    fn ask(&mut self) -> Vec<Question> {
        let question = |player: Player| {
            let mut text = String::new();
            if self.moves.is_empty() {
                text = self.protocol.preface(&self.state, player);
            }
            text += &self.protocol.question(&self.state, player);
            Question { player, text, answer_lines: self.protocol.answer_lines(&self.state, player) }
        };
        Player::BOTH.into_iter().filter(|&player| self.is_due(player)).map(question).collect()
    }

    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String> {
        if !self.is_due(player) {
            return Err("no answer of this player is due".to_string());
        }
        let (answer, read) = self.protocol.read(&self.state, player, lines);
        self.answers[player] = Some(answer);
        read.map(|()| self.complete(player))
    }

    fn fail(&mut self, player: Player) {
        if self.is_due(player) {
            self.failed[player] = true;
            self.complete(player);
        }
    }

    fn replay(&mut self, recorded: &str) -> Result<(), String> {
        // A recorded game may be longer than the current limit.
        if self.is_over() && !self.is_endless() {
            return Err("the game is over".to_string());
        }
        let answers = self.protocol.read_turn(recorded)?;
        let fails = |player: Player| self.protocol.disqualifies(&self.state, player, &answers[player]);
        self.failed = [fails(Player::Zero)?, fails(Player::One)?];
        self.play(&answers);
        Ok(())
    }

    fn points(&self) -> [i32; 2] {
        if self.is_endless() {
            return [0, 0];
        }
        self.protocol.points(&self.state, self.failed)
    }

    fn is_endless(&self) -> bool {
        self.moves.len() >= P::State::MAX_TURNS && self.failed == [false; 2] && !self.state.is_over()
    }

    fn choices(&self, player: Player) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        self.protocol.choices(&self.state, player)
    }

    fn next_choices(&self, player: Player, lines: &[String]) -> Vec<String> {
        if self.is_over() {
            return Vec::new();
        }
        self.protocol.next_choices(&self.state, player, lines)
    }

    fn farewell(&self) -> &'static str {
        JudgeSite::CodinGame.farewell()
    }

    fn setup(&self) -> Vec<String> {
        self.setup.clone()
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn picture(&self, viewer: Option<Player>) -> Picture {
        let mut picture = self.protocol.picture(&self.state, &self.before, viewer);
        picture.notes.extend(self.ignored.iter().map(|line| vec![Sign::plain(format!("ignored: {line}"))]));
        picture
    }

    fn prompt(&self, player: Player) -> String {
        self.protocol.prompt(&self.state, player)
    }
}

impl<P: JointProtocol> OpenJudge for JointJudge<P> {
    type State = P::State;
    type Move = <P::State as Simultaneous>::Move;

    /// Returns the state after the latest complete turn.
    fn state(&self) -> &P::State {
        &self.state
    }

    /// Returns one player's move in a recorded turn, without the ignored parts of the answer.
    fn read_recorded(&mut self, recorded: &str, player: Player) -> Result<Self::Move, String> {
        let answers = self.protocol.read_turn(recorded)?;
        Ok(self.protocol.accept(&self.state, player, &answers[player], &mut Vec::new()))
    }

    fn write_line(&self, line: Vec<Self::Move>) -> Vec<String> {
        line.iter().map(|mv| self.protocol.write(&self.state, mv, 1).join(" ; ")).collect()
    }

    fn answer_with(&self, player: Player, mv: &Self::Move) -> Vec<String> {
        self.protocol.write(&self.state, mv, self.protocol.answer_lines(&self.state, player))
    }
}
