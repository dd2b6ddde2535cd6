//! The judge of every game in which both players act at once.

use crate::{
    board::{Picture, Sign},
    contest::{Judge, JudgeSite, OpenJudge, Question},
    rules::{Player, Simultaneous},
};

/// The part of a judge that differs from game to game when both players act at once.
pub trait JointProtocol: Send {
    /// States of the game.
    type State: Simultaneous + Send;
    /// A player's answer of a turn, as the record has it; the default is that of a player that gave none in time.
    type Answer: Default + Send;

    /// Returns the setup before the first move, in the judge's notation.
    fn setup(&self, start: &Self::State) -> Vec<String> {
        let _ = start;
        Vec::new()
    }

    /// Returns the text for `player` before its first question: whole lines.
    fn preface(&self, state: &Self::State, player: Player) -> String {
        let _ = (state, player);
        String::new()
    }

    /// Returns the text for `player` in every turn: whole lines.
    fn question(&self, state: &Self::State, player: Player) -> String;

    /// Returns the number of lines of `player`'s answer.
    fn answer_lines(&self, state: &Self::State, player: Player) -> usize {
        let _ = (state, player);
        1
    }

    /// Reads an answer: as much of it as can be read, and why it disqualifies its player, if it does.
    fn read(
        &self,
        state: &Self::State,
        player: Player,
        lines: &[String],
    ) -> (Self::Answer, Result<(), String>);

    /// Writes the lines with which a player answers a move: at least `lines` of them.
    fn write(
        &self,
        state: &Self::State,
        mv: &<Self::State as Simultaneous>::Move,
        lines: usize,
    ) -> Vec<String>;

    /// Returns a turn as the record has it.
    fn write_turn(&self, answers: &[Self::Answer; 2]) -> String;

    /// Reads a turn of the record.
    ///
    /// # Errors
    /// The part that is malformed.
    fn read_turn(&self, recorded: &str) -> Result<[Self::Answer; 2], String>;

    /// Returns whether an answer in the record disqualifies `player`.
    ///
    /// # Errors
    /// Why the judge cannot have taken it in this state.
    fn disqualifies(
        &self,
        state: &Self::State,
        player: Player,
        answer: &Self::Answer,
    ) -> Result<bool, String>;

    /// Returns the move of an answer. Parts that the judge ignores are appended to `ignored`, with the reason.
    fn accept(
        &self,
        state: &Self::State,
        player: Player,
        answer: &Self::Answer,
        ignored: &mut Vec<String>,
    ) -> <Self::State as Simultaneous>::Move;

    /// Returns the points, see [`Judge::points`]; by default those of CodinGame, where a player that failed has lost.
    fn points(&self, state: &Self::State, failed: [bool; 2]) -> [i32; 2] {
        JudgeSite::CodinGame.points(state.points(), failed)
    }

    /// Returns the position for [`Judge::picture`], after a turn from `before`, which is `state` itself at the start.
    fn picture(&self, state: &Self::State, before: &Self::State, viewer: Option<Player>) -> Picture;

    /// See [`Judge::choices`].
    fn choices(&self, state: &Self::State, player: Player) -> Vec<String>;

    /// See [`Judge::prompt`].
    fn prompt(&self, state: &Self::State, player: Player) -> String;
}

/// The judge of a game in which both players act at once; what differs between games is the [`JointProtocol`].
///
/// Both players are asked at once, and the turn is played when both have answered or failed: of a failed player what
/// could be read. Then the game is over, as on CodinGame, which all such games are from.
pub struct JointJudge<P: JointProtocol> {
    protocol: P,
    state: P::State,
    /// The state before the last turn.
    before: P::State,
    setup: Vec<String>,
    moves: Vec<String>,
    /// The answers of this turn. An answer that disqualifies its player is stored before the player has failed.
    answers: [Option<P::Answer>; 2],
    has_answered: [bool; 2],
    failed: [bool; 2],
    /// The ignored parts of the last turn, with reasons.
    ignored: Vec<String>,
}

impl<P: JointProtocol> JointJudge<P> {
    /// Creates a judge at the start of a game.
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

    /// Returns the players that have failed.
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

    /// Marks a player's answer as complete, and plays the turn when both are.
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
        // A recorded game may be longer than is played now.
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

    /// Returns the state after the last full turn.
    fn state(&self) -> &P::State {
        &self.state
    }

    /// Returns the move of the player's half of a turn, without the ignored parts.
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
