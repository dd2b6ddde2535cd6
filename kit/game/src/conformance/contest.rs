//! Checks that a [`Contest`] and its [`Judge`] keep the guarantees that all tools rely on. The checks play random
//! games.

use crate::{
    contest::{BotSetup, Contest, Judge, Limits, Question, Reply},
    rules::{Player, Rng},
    settings::Options,
};

/// Statistics of a successful check.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Number of random games.
    pub games: u64,
    /// Number of decisions in the random games.
    pub decisions: u64,
    /// Number of answers that were tested in these decisions.
    pub answers: u64,
    /// Number of legal answers in these decisions, of which only some are tested if there are many.
    pub legal_answers: u64,
    /// Number of games that bundled bots played.
    pub bot_games: u64,
}

/// A broken guarantee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The guarantee as a sentence.
    pub guarantee: &'static str,
    /// The behaviour that was observed instead.
    pub found: String,
    /// The seed of the game.
    pub seed: u64,
    /// The shortest list of moves that breaks the guarantee, in the judge's notation.
    pub moves: Vec<String>,
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "broken guarantee \"{}\": {}", self.guarantee, self.found)?;
        write!(f, "\n  with seed {} after {} moves: {}", self.seed, self.moves.len(), self.moves.join(", "))
    }
}

/// A text that is not a legal move in any game. Its first character has two bytes, so that code that slices the text
/// after one byte panics.
const NONSENSE: &str = "é!";
/// Maximum number of answers to test per decision.
const TRIED: usize = 12;
/// Number of nodes that a bot may use per move.
const NODES: u64 = 20;

/// Plays random games, and games with every bundled bot, under the contest's rules. Checks the guarantees of the traits
/// at every step. A game may take at most `longest` decisions.
///
/// # Errors
/// Returns the violation that needs the fewest moves.
///
/// The [example of the module](crate::contest) calls this function.
pub fn check_contest(
    contest: &dyn Contest,
    games: u64,
    longest: usize,
    seed: u64,
) -> Result<Checked, Broken> {
    let mut checked = Checked::default();
    let mut worst: Option<Broken> = None;
    for game in 0..games {
        let mut walk = Walk { contest, seed: seed.wrapping_add(game), longest, moves: Vec::new() };
        let found = walk.game(&mut Rng::new(seed ^ game), &mut checked);
        if let Err((guarantee, found)) = found {
            let is_shorter = worst.as_ref().map_or(true, |worst| walk.moves.len() < worst.moves.len());
            if is_shorter {
                worst = Some(Broken { guarantee, found, seed: walk.seed, moves: walk.moves });
            }
        }
    }
    for (at, bot) in contest.info().bots.iter().enumerate() {
        if worst.is_some() {
            break;
        }
        let seed = seed.wrapping_add(at as u64);
        let mut walk = Walk { contest, seed, longest, moves: Vec::new() };
        let found = walk.bot_game(bot.name).and_then(|()| {
            let first = std::mem::take(&mut walk.moves);
            walk.bot_game(bot.name)?;
            let words = || format!("{} played {:?} and then {:?}", bot.name, first, walk.moves);
            require(walk.moves == first, "a bot with a node budget and a seed repeats its moves", words)
        });
        checked.bot_games += 2;
        worst = found.err().map(|(guarantee, found)| Broken { guarantee, found, seed, moves: walk.moves });
    }
    match worst {
        Some(broken) => Err(broken),
        None => Ok(checked),
    }
}

type Found = Result<(), (&'static str, String)>;

fn require(holds: bool, guarantee: &'static str, found: impl FnOnce() -> String) -> Found {
    if holds {
        Ok(())
    } else {
        Err((guarantee, found()))
    }
}

/// A game in progress.
struct Walk<'a> {
    contest: &'a dyn Contest,
    seed: u64,
    longest: usize,
    moves: Vec<String>,
}

impl Walk<'_> {
    fn judge(&self) -> Result<Box<dyn Judge>, (&'static str, String)> {
        let judge = self.contest.judge(self.seed, &mut Options::rules());
        judge.map_err(|error| ("a game starts with any seed and without options", error))
    }

    /// Returns a new judge that has replayed all moves of the game so far.
    fn replayed(&self) -> Result<Box<dyn Judge>, (&'static str, String)> {
        let mut judge = self.judge()?;
        for mv in &self.moves {
            judge
                .replay(mv)
                .map_err(|error| ("a recorded move can be replayed", format!("{mv}: {error}")))?;
        }
        Ok(judge)
    }

    fn game(&mut self, rng: &mut Rng, checked: &mut Checked) -> Found {
        let (mut judge, mut twin, mut follower) = (self.judge()?, self.judge()?, self.judge()?);
        require(judge.moves().is_empty(), "a game begins without moves", || format!("{:?}", judge.moves()))?;
        loop {
            let questions = judge.ask();
            let again = twin.ask();
            require(
                questions == again,
                "the same seed and the same answers lead to the same questions",
                || format!("{questions:?} and {again:?}"),
            )?;
            // A judge sends the preface only with the first question, so only the players are compared.
            let who =
                |questions: &[Question]| questions.iter().map(|question| question.player).collect::<Vec<_>>();
            let again = judge.ask();
            require(
                who(&questions) == who(&again),
                "a repeated call of `ask` asks the same players",
                || format!("{questions:?}, {again:?}"),
            )?;
            if questions.is_empty() {
                self.ends(&*judge)?;
                break;
            }
            self.decision(&mut *judge, &questions, rng, checked)?;
            for question in &questions {
                let choices = judge.choices(question.player);
                let lines: Vec<String> = if choices.is_empty() {
                    self.answer_of_a_bot(question.player)?
                } else {
                    (0..question.answer_lines).map(|_| rng.choose(&choices).clone()).collect()
                };
                for judge in [&mut judge, &mut twin] {
                    let taken = judge.answer(question.player, &lines);
                    taken.map_err(|error| ("a legal answer is accepted", format!("{lines:?}: {error}")))?;
                }
                checked.decisions += 1;
            }
            let recorded = judge.moves().to_vec();
            require(
                recorded == twin.moves(),
                "the same seed and the same answers lead to the same moves",
                || format!("{recorded:?} and {:?}", twin.moves()),
            )?;
            require(
                recorded.len() == self.moves.len() + 1 && recorded.starts_with(&self.moves),
                "a turn adds one move to the record and changes no earlier move",
                || format!("{:?} became {recorded:?}", self.moves),
            )?;
            self.follow(&*judge, &mut *follower)?;
            self.moves = recorded;
            require(self.moves.len() <= self.longest, "a game ends", || {
                format!("the game continues after {} turns", self.longest)
            })?;
        }
        checked.games += 1;
        self.end(&mut *judge)
    }

    /// Checks the guarantees that apply at the end of a game.
    fn ends(&self, judge: &dyn Judge) -> Found {
        require(!judge.is_endless(), "a game ends", || {
            format!("the game continues after {} turns", self.moves.len())
        })
    }

    /// Checks the guarantees that apply to a decision.
    fn decision(
        &self,
        judge: &mut dyn Judge,
        questions: &[Question],
        rng: &mut Rng,
        checked: &mut Checked,
    ) -> Found {
        let mut asked = questions.iter().map(|question| question.player);
        let (first, second) = (asked.next(), asked.next());
        require(
            first != second && asked.next().is_none(),
            "a player is asked only one question at a time",
            || format!("{questions:?}"),
        )?;
        for question in questions {
            require(question.answer_lines > 0, "an answer has at least one line", || {
                format!("{question:?}")
            })?;
            let is_whole = question.text.is_empty() || question.text.ends_with('\n');
            require(is_whole, "a question consists of whole lines", || format!("{:?}", question.text))?;
            self.choices(judge, question, rng, checked)?;
            self.refusals(judge, question)?;
        }
        self.picture(judge, questions)
    }

    fn choices(&self, judge: &dyn Judge, question: &Question, rng: &mut Rng, checked: &mut Checked) -> Found {
        let player = question.player;
        let mut choices = judge.choices(player);
        let all = choices.len();
        for (at, choice) in choices.iter().enumerate().take(200) {
            require(!choices[..at].contains(choice), "each choice is listed only once", || choice.clone())?;
        }
        if question.answer_lines > 1 {
            return Ok(());
        }
        checked.legal_answers += all as u64;
        rng.shuffle(&mut choices);
        for choice in choices.into_iter().take(TRIED) {
            let mut other = self.replayed()?;
            other.ask();
            let taken = other.answer(player, std::slice::from_ref(&choice));
            taken.map_err(|error| {
                ("every choice is legal", format!("{choice} (one of {all} choices): {error}"))
            })?;
            checked.answers += 1;
        }
        Ok(())
    }

    /// Checks that the judge refuses illegal answers without changing its state, and that a player does not win by
    /// failing.
    fn refusals(&self, judge: &mut dyn Judge, question: &Question) -> Found {
        let player = question.player;
        let mut other = self.replayed()?;
        other.ask();
        let nonsense = vec![NONSENSE.to_string(); question.answer_lines];
        require(other.answer(player, &nonsense).is_err(), "text that is not a move is refused", || {
            NONSENSE.into()
        })?;
        require(other.moves() == judge.moves(), "a refused answer does not change the game", || {
            format!("{:?}", other.moves())
        })?;
        let alone = judge.ask().len() == 1;
        if alone {
            let answer = judge.choices(player).into_iter().take(1).collect::<Vec<_>>();
            let mut other = self.replayed()?;
            other.ask();
            let taken = other.answer(player.other(), &answer);
            require(taken.is_err(), "a player who is not asked cannot answer", || format!("{answer:?}"))?;
        }
        let mut other = self.replayed()?;
        require(other.replay(NONSENSE).is_err(), "a recorded text that is not a move is refused", || {
            NONSENSE.into()
        })?;
        require(
            other.moves() == judge.moves(),
            "refusing a recorded move leaves the game unchanged",
            || format!("{:?}", other.moves()),
        )?;
        let mut other = self.replayed()?;
        for _ in other.ask() {
            other.fail(player);
        }
        for _ in 0..self.longest {
            let Some(question) = other.ask().into_iter().next() else { break };
            let still = question.player != player;
            require(still, "a player who has failed is not asked again", || {
                format!("player {}", player.index())
            })?;
            match other.choices(question.player).first() {
                Some(choice) => {
                    let lines = vec![choice.clone(); question.answer_lines];
                    let taken = other.answer(question.player, &lines);
                    taken.map_err(|error| {
                        ("a player who has not failed continues to play", format!("{choice}: {error}"))
                    })?;
                }
                None => other.fail(question.player),
            }
        }
        let points = other.points();
        require(points[player] <= points[player.other()], "the player who fails first does not win", || {
            format!("player {} failed: {points:?}", player.index())
        })
    }

    fn picture(&self, judge: &dyn Judge, questions: &[Question]) -> Found {
        for viewer in [None, Some(Player::Zero), Some(Player::One)] {
            let picture = judge.picture(viewer);
            let (rows, columns) = (picture.rows.len(), picture.columns.len());
            require(picture.squares.len() == rows * columns, "a picture has a square for each cell", || {
                format!("{} squares, {rows} rows, {columns} columns", picture.squares.len())
            })?;
            for choice in questions.iter().flat_map(|question| judge.choices(question.player)).take(TRIED) {
                let squares = self.contest.squares(&picture, &choice);
                let are_there = squares.iter().all(|&square| square < picture.squares.len());
                require(are_there, "the squares of a move are in the picture", || {
                    format!("{choice}: {squares:?}")
                })?;
            }
        }
        Ok(())
    }

    /// Checks that a judge reaches the same state by replaying the moves as by receiving the answers.
    fn follow(&self, judge: &dyn Judge, follower: &mut dyn Judge) -> Found {
        let last = judge.moves().last().cloned().unwrap_or_default();
        // The record includes what chance decided before the move, so the follower asks no player here.
        let replayed = follower.replay(&last);
        replayed.map_err(|error| ("a recorded move can be replayed", format!("{last}: {error}")))?;
        let (one, other) = (judge.points(), follower.points());
        require(one == other, "a replayed game has the same points", || format!("{one:?} and {other:?}"))?;
        require(
            judge.mover() == follower.mover(),
            "the last move of a replayed game is by the same player",
            || last.clone(),
        )?;
        require(
            judge.picture(None) == follower.picture(None),
            "a replayed game has the same picture",
            || last.clone(),
        )?;
        require(judge.moves() == follower.moves(), "a replayed game has the same record", || {
            format!("{:?} and {:?}", judge.moves(), follower.moves())
        })
    }

    fn end(&self, judge: &mut dyn Judge) -> Found {
        for player in Player::BOTH {
            let taken = judge.answer(player, &[NONSENSE.to_string()]);
            require(taken.is_err(), "a finished game accepts no answer", || {
                format!("player {}", player.index())
            })?;
            let choices = judge.choices(player);
            require(choices.is_empty(), "a finished game has no choices", || format!("{choices:?}"))?;
        }
        let farewell = judge.farewell();
        let is_of_site = farewell == self.contest.info().site.farewell();
        require(is_of_site, "a judge sends the farewell of its site", || format!("{farewell:?}"))?;
        let text = self.moves.join(",");
        let split = self.contest.split_moves(&text);
        require(split == self.moves, "moves that are joined with commas can be split again", || {
            format!("{text} became {split:?}")
        })?;
        let recorded = self.contest.recorded(&judge.setup(), &mut Options::rules());
        let mut again = recorded.map_err(|error| ("a game can start from its own setup", error))?;
        for mv in &self.moves {
            let replayed = again.replay(mv);
            replayed.map_err(|error| {
                ("a recorded game can be replayed from its setup", format!("{mv}: {error}"))
            })?;
        }
        let (one, other) = (judge.points(), again.points());
        require(one == other, "a game replayed from its setup has the same points", || {
            format!("{one:?} and {other:?}")
        })?;
        let counted = [0, 1].map(|depth| self.contest.perft(&[], depth));
        require(counted[0] == Ok(1), "perft of depth 0 is 1", || format!("{:?}", counted[0]))?;
        let again = self.contest.perft(&[], 1);
        require(
            counted[1] == again && again > Ok(0),
            "perft of depth 1 is above 0 and the same in every call",
            || format!("{:?} and {again:?}", counted[1]),
        )?;
        let nonsense = self.contest.perft(&[NONSENSE.to_string()], 1);
        require(nonsense.is_err(), "perft refuses text that is not a move", || format!("{nonsense:?}"))
    }

    /// Returns the weakest bot's answer. Used if the judge does not list the legal choices.
    fn answer_of_a_bot(&self, player: Player) -> Result<Vec<String>, (&'static str, String)> {
        let guarantee = "the first bot can analyse a position";
        let name = self.contest.info().bots.first().map_or("", |bot| bot.name);
        let mut rules = Options::rules();
        let position = crate::contest::Position {
            seed: self.seed,
            rules: &mut rules,
            moves: &self.moves,
            played: None,
            player: Some(player),
        };
        let setup = BotSetup { limits: Limits::nodes(1), seed: self.seed };
        let found = self.contest.analyse(position, name, &mut Options::default(), &setup);
        found.map(|found| found.answer).map_err(|error| (guarantee, error))
    }

    /// Plays a bundled bot against itself, line by line.
    fn bot_game(&mut self, name: &str) -> Found {
        let mut bots = Vec::new();
        for seed in [1, 2] {
            let setup = BotSetup { limits: Limits::nodes(NODES), seed };
            let bot = self.contest.bot(name, &mut Options::default(), &setup);
            bots.push(bot.map_err(|error| {
                ("a bundled bot can be created without options", format!("{name}: {error}"))
            })?);
        }
        let mut judge = self.judge()?;
        loop {
            let questions = judge.ask();
            if questions.is_empty() {
                self.ends(&*judge)?;
                break;
            }
            for question in questions {
                let mut said = None;
                for line in question.text.lines() {
                    let wrong =
                        |found: String| ("a bundled bot understands its judge", format!("{name}: {found}"));
                    require(
                        said.is_none(),
                        "a bot answers only after the last line of the question",
                        || format!("{name} at {line}"),
                    )?;
                    match bots[question.player.index()].line(line).map_err(wrong)? {
                        Reply::Nothing => {}
                        Reply::Say(answer) => said = Some(answer),
                        Reply::Stop => return Err(wrong(format!("the bot stops at {line}"))),
                    }
                }
                let answer = said.ok_or(("a bundled bot answers every question", name.to_string()))?;
                let lines: Vec<String> = answer.lines().map(str::to_string).collect();
                let taken = judge.answer(question.player, &lines);
                taken.map_err(|error| {
                    ("a bundled bot gives legal answers", format!("{name}: {answer}: {error}"))
                })?;
            }
            self.moves = judge.moves().to_vec();
            require(self.moves.len() <= self.longest, "a game ends", || {
                format!("the bots continue to play: {name}")
            })?;
        }
        for line in judge.farewell().lines() {
            let stops = bots.iter_mut().all(|bot| bot.line(line) == Ok(Reply::Stop));
            require(stops, "a bot stops at the farewell", || name.to_string())?;
        }
        Ok(())
    }
}
