//! A contest with its types: what differs from game to game. What all games share is done once, in its [`Contest`].

use crate::{
    board::Picture,
    contest::{
        Analyst, AnyBot, BotList, BotSession, BotSetup, Clock, Contest, ContestInfo, Judge, LineBot,
        PositionAnalysis, ProtocolParser,
    },
    rules::Player,
    settings::{Options, Settings},
};

/// A game as a contest plays it. Every one is a [`Contest`].
pub trait TypedContest: Sync + 'static {
    /// The bundled bots, a list that [`bots!`](crate::bots) makes, with the bot's side of the protocol.
    type Bots: BotList;
    /// Variants of the rules and the setup; `()` if there are none.
    type Rules: Settings + Default;
    /// The judge.
    type Judge: OpenJudge<State = StateOf<Self>, Move = MoveOf<Self>> + 'static;

    /// The facts about the game that lists, help and referees use.
    const INFO: ContestInfo;

    /// Bots to begin with, each by the ending of its file's name: see [`Contest::skeleton`].
    const SKELETONS: &'static [(&'static str, &'static str)] = &[];

    /// Returns the judge of a new game: see [`Contest::judge`].
    ///
    /// # Errors
    /// Rules that do not go together, in words for the user.
    fn start(luck: u64, rules: Self::Rules) -> Result<Self::Judge, String>;

    /// Returns the judge at the start of a recorded game: see [`Contest::recorded`]. By default the setup has no lines.
    ///
    /// # Errors
    /// A setup that the game cannot start from, in words for the user.
    fn recorded(setup: &[String], rules: Self::Rules) -> Result<Self::Judge, String> {
        match setup {
            [] => Self::start(0, rules),
            _ => Err(format!("a game has no setup, this one has {} lines", setup.len())),
        }
    }

    /// Returns the moves of one text: see [`Contest::split_moves`].
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

    /// The source of the game's crate, whose documentation begins with the rules: `include_str!("lib.rs")`.
    const SOURCE: &'static str = "";

    /// Returns a game's points as one number: see [`Contest::shared_score`].
    #[must_use]
    fn shared_score(points: [i32; 2]) -> Option<i32> {
        let _ = points;
        None
    }

    /// Returns the number of sequences of `depth` decisions, chance included, after these moves: see
    /// [`Contest::perft`].
    ///
    /// # Errors
    /// A move that is malformed or illegal, with its number.
    fn perft(moves: &[String], depth: u32) -> Result<u64, String>;
}

/// The states of a contest as its bots see them.
pub type StateOf<C> = <<<C as TypedContest>::Bots as BotList>::ProtocolParser as ProtocolParser>::State;
/// The moves of a contest's bots.
pub type MoveOf<C> = <<<C as TypedContest>::Bots as BotList>::ProtocolParser as ProtocolParser>::Move;

/// A judge that shows its state, for bots to think about.
pub trait OpenJudge: Judge {
    /// States of the game.
    type State: Send;
    /// The bot's moves.
    type Move: Send;

    /// Returns the state of the game.
    fn state(&self) -> &Self::State;

    /// Plays a recorded move like [`Judge::replay`], and returns it with the state before it and its player, if bots
    /// observe moves.
    ///
    /// # Errors
    /// See [`Judge::replay`].
    fn replay_heard(&mut self, recorded: &str) -> Result<Option<ParsedMove<Self>>, String> {
        self.replay(recorded).map(|()| None)
    }

    /// Reads a recorded move as `player`'s, and puts into the state what chance had decided before it; the move is not
    /// played.
    ///
    /// # Errors
    /// See [`Judge::replay`].
    fn read_recorded(&mut self, recorded: &str, player: Player) -> Result<Self::Move, String>;

    /// Moves that follow one another from the state, in the judge's notation.
    fn write_line(&self, line: Vec<Self::Move>) -> Vec<String>;

    /// Returns the lines by which `player` answers with a move; it must be their turn.
    fn answer_with(&self, player: Player, mv: &Self::Move) -> Vec<String>;
}

/// A move as a bot hears of it: the state before it, who made it, and the move.
pub type ParsedMove<J> = (<J as OpenJudge>::State, Player, <J as OpenJudge>::Move);

impl<C: TypedContest> Contest for C {
    fn info(&self) -> ContestInfo {
        C::INFO
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        let bot = choose::<C>(name, options, setup)?;
        Ok(Box::new(BotSession::<<C::Bots as BotList>::ProtocolParser, _>::new(bot, setup.limits)))
    }

    fn judge(&self, luck: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(C::start(luck, C::Rules::default().with(options)?)?))
    }

    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(C::recorded(setup, C::Rules::default().with(options)?)?))
    }

    fn split_moves(&self, text: &str) -> Vec<String> {
        C::split_moves(text)
    }

    fn squares(&self, picture: &Picture, mv: &str) -> Vec<usize> {
        C::squares(picture, mv)
    }

    fn shared_score(&self, points: [i32; 2]) -> Option<i32> {
        C::shared_score(points)
    }

    fn rules_text(&self) -> String {
        let lines = C::SOURCE.lines().map_while(|line| line.strip_prefix("//!"));
        let text = lines.map(str::trim_end).take_while(|line| !line.starts_with(" |"));
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
        luck: u64,
        rules: &mut Options,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<Box<dyn Analyst>, String> {
        let (name, all) = (bot.to_string(), options.clone());
        let spare = Some(choose::<C>(bot, options, setup)?);
        let judge = C::start(luck, C::Rules::default().with(rules)?)?;
        let (heard, seats) = (Vec::new(), [None, None]);
        Ok(Box::new(Analysing::<C> { judge, heard, name, options: all, setup: *setup, spare, seats }))
    }
}

/// A game with the bots that think about it.
struct Analysing<C: TypedContest> {
    judge: C::Judge,
    /// The moves that bots hear of, so far.
    heard: Vec<ParsedMove<C::Judge>>,
    name: String,
    options: Options,
    setup: BotSetup,
    /// The bot before it has a seat.
    spare: Option<BotOf<C>>,
    /// The bot of a seat, and how many moves it has heard of.
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
        // Before chance acts: the move says what it has decided.
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

/// Returns a bundled bot by its name.
fn choose<C: TypedContest>(
    name: &str,
    options: &mut Options,
    setup: &BotSetup,
) -> Result<AnyBot<<C::Bots as BotList>::ProtocolParser>, String> {
    C::Bots::choose(name, options, setup.seed).unwrap_or_else(|| Err(C::INFO.unknown_bot(name)))
}
