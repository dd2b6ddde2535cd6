//! The judge of every game whose players move in turn.

use crate::{mix, Bot, Clock, Game, Judge, JudgeSite, Limits, Player, PositionAnalysis, Question, Rng, Turn};

/// The part of a judge that differs from game to game when players move in turn.
pub trait Protocol: Send {
    /// States of the game.
    type State: Game + Send;

    /// Lets chance act; called at [`Turn::Chance`] only. Games without chance keep the default.
    ///
    /// The draws must not depend on the players' moves, so that both games of a pair have the same luck.
    fn draw(&mut self, state: &mut Self::State, luck: &mut Rng) {
        let _ = (state, luck);
        unreachable!("a game without chance has no turn of chance");
    }

    /// What `player`, who is to move in `state`, is sent: whole lines. `moves` is the record of the game so far; `is_first` tells
    /// the player's first question.
    fn question(&self, state: &Self::State, player: Player, moves: &[String], is_first: bool) -> String;

    /// Reads a move as a bot writes it.
    ///
    /// # Errors
    /// Why it is malformed or not legal in `state`.
    fn parse(&self, state: &Self::State, text: &str) -> Result<<Self::State as Game>::Move, String>;

    /// The move that CodeCup's judge makes in place of a failed player: by default a uniformly random one.
    fn stand_in(&self, state: &Self::State, rng: &mut Rng) -> <Self::State as Game>::Move {
        state.random_move(rng, &mut Vec::new())
    }

    /// The move as the record of the game has it; `state` is before the move.
    fn notation(&self, state: &Self::State, mv: <Self::State as Game>::Move) -> String;

    /// Plays a recorded move, written as [`notation`](Protocol::notation) writes it, and what chance decided before it.
    ///
    /// # Errors
    /// Why it is malformed or not legal in `state`, which is unchanged then.
    fn replay(&self, state: &mut Self::State, recorded: &str) -> Result<(), String>;

    /// What was fixed before the first move, in the judge's notation.
    fn setup(&self, start: &Self::State) -> Vec<String> {
        let _ = start;
        Vec::new()
    }

    /// Contest points, given which players failed.
    fn points(&self, state: &Self::State, failed: [bool; 2]) -> [i32; 2];

    /// See [`Judge::board`].
    fn board(&self, state: &Self::State, viewer: Option<Player>) -> String;

    /// See [`Judge::prompt`].
    fn prompt(&self, state: &Self::State, player: Player) -> String;
}

/// The judge of a game whose players move in turn; what differs between games is the [`Protocol`].
pub struct TurnJudge<P: Protocol> {
    protocol: P,
    site: JudgeSite,
    state: P::State,
    setup: Vec<String>,
    moves: Vec<String>,
    luck: Rng,
    /// For moves in place of a failed player: apart from `luck`, which must not depend on failures.
    stand_in: Rng,
    asked_before: [bool; 2],
    failed: [bool; 2],
}

impl<P: Protocol> TurnJudge<P> {
    /// A judge at the start of a game; `luck` seeds the draws.
    ///
    /// After a failure CodeCup's judge moves at random for the failed player and stops when both have failed; CodinGame's ends the
    /// game at once.
    pub fn new(protocol: P, site: JudgeSite, start: P::State, luck: u64) -> Self {
        TurnJudge {
            setup: protocol.setup(&start),
            protocol,
            site,
            state: start,
            moves: Vec::new(),
            luck: Rng::new(mix(&[luck, 0])),
            stand_in: Rng::new(mix(&[luck, 1])),
            asked_before: [false; 2],
            failed: [false; 2],
        }
    }

    /// The state of the game.
    pub fn state(&self) -> &P::State {
        &self.state
    }

    /// Plays recorded moves, draws what chance decides next, and lets a bot think about the position.
    ///
    /// # Errors
    /// A move that is malformed or illegal, with its number; a game that is over.
    pub fn analyse(
        &mut self,
        moves: &[String],
        bot: &mut impl Bot<P::State, <P::State as Game>::Move>,
        limits: Limits,
    ) -> Result<PositionAnalysis, String> {
        for (at, recorded) in moves.iter().enumerate() {
            self.replay(recorded).map_err(|error| format!("move {}: {error}", at + 1))?;
        }
        let player = self.ask().first().ok_or("the game is over: there is nothing to decide")?.player;
        let analysis = bot.analyse(&self.state, player, &Clock::new(limits)).map(
            |mv| self.protocol.notation(&self.state, mv),
            |line| {
                let mut state = self.state.clone();
                let mut name = |mv| {
                    let name = self.protocol.notation(&state, mv);
                    state.play(mv);
                    name
                };
                line.into_iter().map(&mut name).collect()
            },
        );
        Ok(PositionAnalysis { board: self.board(None), player, analysis })
    }

    fn play(&mut self, mv: <P::State as Game>::Move) {
        self.moves.push(self.protocol.notation(&self.state, mv));
        self.state.play(mv);
    }

    fn is_stopped(&self) -> bool {
        match self.site {
            JudgeSite::CodeCup => self.failed == [true; 2],
            JudgeSite::CodinGame => self.failed != [false; 2],
        }
    }
}

impl<P: Protocol> Judge for TurnJudge<P> {
    fn ask(&mut self) -> Vec<Question> {
        while !self.is_stopped() {
            match self.state.turn() {
                Turn::Over => break,
                Turn::Chance => self.protocol.draw(&mut self.state, &mut self.luck),
                Turn::Player(player) if self.failed[player] => {
                    let mv = self.protocol.stand_in(&self.state, &mut self.stand_in);
                    self.play(mv);
                }
                Turn::Player(player) => {
                    let is_first = !self.asked_before[player];
                    self.asked_before[player] = true;
                    let text = self.protocol.question(&self.state, player, &self.moves, is_first);
                    return vec![Question { player, text, answer_lines: 1 }];
                }
            }
        }
        Vec::new()
    }

    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String> {
        if self.state.turn() != Turn::Player(player) {
            return Err("it is not this player's turn".to_string());
        }
        let [line] = lines else { return Err(format!("the answer has {} lines instead of 1", lines.len())) };
        let mv = self.protocol.parse(&self.state, line)?;
        self.play(mv);
        Ok(())
    }

    fn fail(&mut self, player: Player) {
        self.failed[player] = true;
    }

    fn replay(&mut self, recorded: &str) -> Result<(), String> {
        self.protocol.replay(&mut self.state, recorded)?;
        self.moves.push(recorded.to_string());
        Ok(())
    }

    fn points(&self) -> [i32; 2] {
        self.protocol.points(&self.state, self.failed)
    }

    fn farewell(&self) -> &'static str {
        match self.site {
            JudgeSite::CodeCup => "Quit\n",
            JudgeSite::CodinGame => "",
        }
    }

    fn setup(&self) -> Vec<String> {
        self.setup.clone()
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn board(&self, viewer: Option<Player>) -> String {
        self.protocol.board(&self.state, viewer)
    }

    fn prompt(&self, player: Player) -> String {
        self.protocol.prompt(&self.state, player)
    }
}
