//! The game-specific part of a contest, with concrete types. The part that all games share is the implementation of
//! [`Contest`].

use crate::{
    board::Picture,
    contest::{
        Analyst, AnyBot, BotList, BotSession, BotSetup, Clock, Contest, ContestInfo, FailureRule, Judge,
        LineBot, MoveForm, PositionAnalysis, ProtocolParser,
    },
    rules::Player,
    settings::{Options, Settings},
};

/// The game-specific part of a contest. Every `TypedContest` implements [`Contest`].
///
/// The [example of the module](crate::contest) implements this trait.
pub trait TypedContest: Sync + 'static {
    /// The bundled bots and their protocol parser, declared with [`bots!`](crate::bots).
    type Bots: BotList;
    /// The settings for variants of the rules and the setup; `()` if there are none.
    type Rules: Settings + Default;
    /// The judge.
    type Judge: OpenJudge<State = StateOf<Self>, Move = MoveOf<Self>> + 'static;

    /// The description of the game for lists, help and referees.
    const INFO: ContestInfo;

    /// Starter bots, each with a file name extension: see [`Contest::skeleton`].
    const SKELETONS: &'static [(&'static str, &'static str)] = &[];

    /// Creates the judge for a new game: see [`Contest::judge`].
    ///
    /// # Errors
    /// Returns an error if the rules contradict each other. The error text is shown to the user.
    fn start(seed: u64, rules: Self::Rules) -> Result<Self::Judge, String>;

    /// Creates the judge at the start of a recorded game: see [`Contest::recorded`]. The default implementation accepts
    /// only an empty setup.
    ///
    /// # Errors
    /// Returns an error if the game cannot start from the setup. The error text is shown to the user.
    fn recorded(setup: &[String], rules: Self::Rules) -> Result<Self::Judge, String> {
        match setup {
            [] => Self::start(0, rules),
            _ => Err(format!("a game of this contest has no setup, but this game has {} lines", setup.len())),
        }
    }

    /// Splits a text into moves: see [`Contest::split_moves`].
    #[must_use]
    fn split_moves(text: &str) -> Vec<String> {
        let pieces = text.split(|letter: char| letter.is_whitespace() || letter == ',');
        pieces.filter(|piece| !piece.is_empty()).map(str::to_string).collect()
    }

    /// Returns the squares that a move names: see [`Contest::squares`].
    #[must_use]
    fn squares(picture: &Picture, mv: &str) -> Vec<usize> {
        picture.named_in(mv)
    }

    /// Returns a move in words: see [`Contest::move_words`].
    #[must_use]
    fn move_words(mv: &str) -> String {
        mv.to_string()
    }

    /// Returns the part of a move that its squares do not express: see [`Contest::move_form`].
    #[must_use]
    fn move_form(mv: &str) -> MoveForm {
        let _ = mv;
        MoveForm::default()
    }

    /// The source text of the game's crate, usually `include_str!("lib.rs")`. The crate documentation must begin with
    /// the rules.
    const SOURCE: &'static str = "";

    /// Returns a game's points as one number: see [`Contest::shared_score`].
    #[must_use]
    fn shared_score(points: [i32; 2]) -> Option<i32> {
        let _ = points;
        None
    }

    /// Returns the perft count after these moves: see [`Contest::perft`].
    ///
    /// # Errors
    /// Returns an error that contains the number of the first malformed or illegal move.
    fn perft(moves: &[String], depth: u32) -> Result<u64, String>;
}

/// The state type of a contest's bots.
pub type StateOf<C> = <<<C as TypedContest>::Bots as BotList>::ProtocolParser as ProtocolParser>::State;
/// The move type of a contest's bots.
pub type MoveOf<C> = <<<C as TypedContest>::Bots as BotList>::ProtocolParser as ProtocolParser>::Move;

/// A judge that exposes its state, so that bots can analyse the position.
pub trait OpenJudge: Judge {
    /// The game's states.
    type State: Send;
    /// The bot's moves.
    type Move: Send;

    /// Returns the state of the game.
    fn state(&self) -> &Self::State;

    /// Plays a recorded move like [`Judge::replay`]. If bots observe moves in this game, also returns the move, its
    /// player and the state before the move.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Judge::replay`].
    fn replay_heard(&mut self, recorded: &str) -> Result<Option<ParsedMove<Self>>, String> {
        self.replay(recorded).map(|()| None)
    }

    /// Parses a recorded move of `player`, and applies the outcomes of chance that the record contains before the move.
    /// Does not play the move.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Judge::replay`].
    fn read_recorded(&mut self, recorded: &str, player: Player) -> Result<Self::Move, String>;

    /// Sets the rule for players who fail. The default implementation accepts only CodinGame's rule, which games with
    /// simultaneous moves have.
    ///
    /// # Errors
    /// Returns an error if the judge cannot apply the rule.
    fn set_failures(&mut self, rule: FailureRule) -> Result<(), String> {
        match rule {
            FailureRule::CODINGAME => Ok(()),
            _ => Err("in games with simultaneous moves, a player who fails always loses by 0 points to 1"
                .to_string()),
        }
    }

    /// Formats a sequence of moves from the current state in the judge's notation.
    fn write_line(&self, line: Vec<Self::Move>) -> Vec<String>;

    /// Formats a move as an answer of `player`, line by line. It must be `player`'s turn.
    fn answer_with(&self, player: Player, mv: &Self::Move) -> Vec<String>;
}

/// An observed move: the state before the move, the player who moves, and the move itself.
pub type ParsedMove<J> = (<J as OpenJudge>::State, Player, <J as OpenJudge>::Move);

impl<C: TypedContest> Contest for C {
    fn info(&self) -> ContestInfo {
        C::INFO
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        let bot = choose::<C>(name, options, setup)?;
        Ok(Box::new(BotSession::<<C::Bots as BotList>::ProtocolParser, _>::new(bot, setup.limits)))
    }

    fn judge(&self, seed: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(start::<C>(seed, options)?))
    }

    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        let rules = C::Rules::default().with(options)?;
        let failures = failures::<C>(options)?;
        let mut judge = C::recorded(setup, rules)?;
        judge.set_failures(failures)?;
        Ok(Box::new(judge))
    }

    fn split_moves(&self, text: &str) -> Vec<String> {
        C::split_moves(text)
    }

    fn squares(&self, picture: &Picture, mv: &str) -> Vec<usize> {
        C::squares(picture, mv)
    }

    fn move_words(&self, mv: &str) -> String {
        C::move_words(mv)
    }

    fn move_form(&self, mv: &str) -> MoveForm {
        C::move_form(mv)
    }

    fn shared_score(&self, points: [i32; 2]) -> Option<i32> {
        C::shared_score(points)
    }

    fn rules_text(&self) -> String {
        let lines = C::SOURCE.lines().map_while(|line| line.strip_prefix("//!"));
        let text =
            lines.map(str::trim_end).take_while(|line| !line.starts_with(" |") && !line.starts_with(" #"));
        text.map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect()
    }

    fn skeleton(&self, ending: &str) -> Option<&'static str> {
        C::SKELETONS.iter().find(|(known, _)| *known == ending).map(|(_, text)| *text)
    }

    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String> {
        C::perft(moves, depth)
    }

    fn analyst(
        &self,
        seed: u64,
        rules: &mut Options,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<Box<dyn Analyst>, String> {
        let (name, all) = (bot.to_string(), options.clone());
        let spare = Some(choose::<C>(bot, options, setup)?);
        let judge = start::<C>(seed, rules)?;
        let (heard, seats) = (Vec::new(), [None, None]);
        Ok(Box::new(Analysing::<C> { judge, heard, name, options: all, setup: *setup, spare, seats }))
    }
}

/// A game together with the bots that analyse it.
struct Analysing<C: TypedContest> {
    judge: C::Judge,
    /// The moves so far, as bots observe them.
    heard: Vec<ParsedMove<C::Judge>>,
    name: String,
    options: Options,
    setup: BotSetup,
    /// A bot that is not assigned to a seat yet.
    spare: Option<BotOf<C>>,
    /// The bot of each seat, with the number of moves that it has observed.
    seats: [Option<(BotOf<C>, usize)>; 2],
}

type BotOf<C> = AnyBot<<<C as TypedContest>::Bots as BotList>::ProtocolParser>;

impl<C: TypedContest> Analyst for Analysing<C> {
    fn deciders(&mut self) -> Vec<Player> {
        self.judge.ask().into_iter().map(|question| question.player).collect()
    }

    fn replay(&mut self, recorded: &str) -> Result<(), String> {
        self.heard.extend(self.judge.replay_heard(recorded)?);
        Ok(())
    }

    fn analyse(&mut self, player: Option<Player>, played: Option<&str>) -> Result<PositionAnalysis, String> {
        let recorder = player.unwrap_or(Player::Zero);
        // This must happen before chance acts: the recorded move contains the outcome.
        let played = played.map(|played| self.judge.read_recorded(played, recorder)).transpose();
        let played = played.map_err(|error| format!("played: {error}"))?;
        let deciders = self.deciders();
        let first = *deciders.first().ok_or("the game is over: there is nothing to decide")?;
        let player = player.filter(|player| deciders.contains(player)).unwrap_or(first);
        let (mut bot, told) = match (self.seats[player].take(), self.spare.take()) {
            (Some(seat), spare) => {
                self.spare = spare;
                seat
            }
            (None, Some(spare)) => (spare, 0),
            (None, None) => (choose::<C>(&self.name, &mut self.options.clone(), &self.setup)?, 0),
        };
        for (state, _, mv) in self.heard[told..].iter().filter(|(_, mover, _)| *mover != player) {
            bot.observe(state, player, mv);
        }
        let judge = &self.judge;
        let write = |mv| judge.write_line(vec![mv]).concat();
        let found = bot.analyse(judge.state(), player, &Clock::new(self.setup.limits));
        let answer = found.moves.first().map_or(Vec::new(), |best| judge.answer_with(player, &best.mv));
        let analysis = found.map(write, |line| judge.write_line(line));
        self.seats[player] = Some((bot, self.heard.len()));
        let (picture, played) = (judge.picture(None), played.map(write));
        Ok(PositionAnalysis { picture, player, played, analysis, answer })
    }
}

/// Returns the rule for failures: the option's, or the contest's.
fn failures<C: TypedContest>(options: &mut Options) -> Result<FailureRule, String> {
    let mut rule = C::INFO.failures;
    options.take_with(ContestInfo::FAILURES, |text| {
        rule = FailureRule::read(text)?;
        Ok(())
    })?;
    Ok(rule)
}

/// Creates the judge for a new game with these options.
fn start<C: TypedContest>(seed: u64, options: &mut Options) -> Result<C::Judge, String> {
    let rules = C::Rules::default().with(options)?;
    let failures = failures::<C>(options)?;
    let mut judge = C::start(seed, rules)?;
    judge.set_failures(failures)?;
    Ok(judge)
}

/// Creates the bundled bot called `name`.
fn choose<C: TypedContest>(
    name: &str,
    options: &mut Options,
    setup: &BotSetup,
) -> Result<AnyBot<<C::Bots as BotList>::ProtocolParser>, String> {
    C::Bots::choose(name, options, setup.seed).unwrap_or_else(|| Err(C::INFO.unknown_bot(name)))
}
