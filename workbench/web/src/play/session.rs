//! A game against a bot that plays all of it, by the contest's clock: a program, or a bundled bot that keeps its tree. Each has a
//! thread, with which the program ends; who plays another game, or leaves, lets it go.

use super::{Asked, Told, end, keep, record};
use crate::App;
use crate::league;
use crate::page::Problem;
use contender_catalogue::find;
use contender_game::{Contest, Judge, Options, Player, Question};
use contender_league::{League, State, Store};
use contender_plot::board;
use contender_referee::{Entrant, GameRecord, Opponent, Program, Referee, SeatReport};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// So many games are kept; the oldest makes room for a new one.
const MOST: usize = 8;
/// A person who does not answer for so long has left.
const PATIENCE: Duration = Duration::from_secs(3600);
/// How much later than its limit a bot may answer: against a person that is no loss.
const MARGIN: Duration = Duration::from_secs(10);

/// The games that are being played.
#[derive(Default)]
pub struct Sessions(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    last: u64,
    games: VecDeque<(u64, Sender<Turn>)>,
}

/// A person's answer, and where to say what comes of it.
struct Turn {
    answer: Option<Vec<String>>,
    reply: Sender<Reply>,
}

/// What is asked next; at the end with the record.
type Reply = (Asked, Option<GameRecord>);

/// Begins a game, or goes on with one.
pub fn go_on(app: &App, told: &Told) -> Result<Asked, Problem> {
    let gone = || Problem::bad("That game is not played any more: begin another.");
    let (number, turns) = match told.session {
        Some(number) => {
            let kept = app.sessions.0.lock().unwrap_or_else(PoisonError::into_inner);
            let found = kept.games.iter().find(|(known, _)| *known == number);
            (number, found.ok_or_else(gone)?.1.clone())
        }
        None => begin(app, told)?,
    };
    let (reply, answers) = channel();
    turns.send(Turn { answer: told.answer.clone(), reply }).map_err(|_| gone())?;
    let (asked, record) = answers.recv().map_err(|_| gone())?;
    if let Some(record) = record {
        keep(app, &record)?;
    }
    Ok(Asked { session: Some(number), ..asked })
}

fn begin(app: &App, told: &Told) -> Result<(u64, Sender<Turn>), Problem> {
    let contest = find(&told.game).ok_or_else(|| Problem::bad(format!("There is no game {}.", told.game)))?;
    let person = *Player::BOTH.get(told.seat).ok_or_else(|| Problem::bad("A seat is 0 or 1."))?;
    let entrant = entrant(app, contest, told)?;
    let mut judge = contest.judge(told.seed, &mut Options::rules()).map_err(Problem::bad)?;
    let (seed, questions) = (told.seed, judge.ask());
    let (send, turns) = channel();
    std::thread::spawn(move || {
        // The program dies with the thread that has started it.
        let referee = Referee { margin: MARGIN, ..Referee::of(contest) };
        let name = entrant.name.clone();
        let Ok(bot) = referee.opponent(contest, &entrant, person.other(), seed) else { return };
        let session = Session {
            contest,
            judge,
            questions,
            person,
            seed,
            name,
            bot,
            thought: Duration::ZERO,
            problem: None,
        };
        session.play(&turns);
    });
    let mut kept = app.sessions.0.lock().unwrap_or_else(PoisonError::into_inner);
    kept.last += 1;
    let number = kept.last;
    kept.games.push_back((number, send.clone()));
    if kept.games.len() > MOST {
        kept.games.pop_front();
    }
    Ok((number, send))
}

/// The bot that is meant. Commands run in the folder of their league, or of the project.
fn entrant(app: &App, contest: &dyn Contest, told: &Told) -> Result<Entrant, Problem> {
    let (text, folder) = if told.league.is_empty() {
        (told.bot.clone(), app.project.path(""))
    } else {
        let (league, store) = league::open(app, &told.league)?;
        let bots = store.bots().map_err(Problem::bad)?;
        let bot = bots.into_iter().find(|bot| bot.name == told.bot);
        let bot = bot.ok_or_else(|| Problem::not_found(format!("There is no bot {}.", told.bot)))?;
        (bot.command, league.folder)
    };
    let name = text.split(':').next().unwrap_or_default();
    if contest.info().bots.iter().any(|bot| bot.name == name) {
        let entrant = Entrant::parse(contest, &text).map_err(Problem::bad)?;
        return Ok(Entrant { name: told.bot.clone(), ..entrant });
    }
    Ok(Entrant { name: told.bot.clone(), program: Program::Command(in_folder(&folder, &text)?) })
}

/// A command as words that run it in a folder.
fn in_folder(folder: &Path, command: &str) -> Result<Vec<String>, Problem> {
    let command = command.trim();
    let words = shell_words::split(command.strip_prefix("[keep-alive]").unwrap_or(command));
    let words = words.map_err(|error| Problem::bad(format!("The command {command}: {error}")))?;
    let shell = ["sh", "-c", "cd \"$0\" && exec \"$@\""].map(str::to_string);
    Ok(shell.into_iter().chain([folder.display().to_string()]).chain(words).collect())
}

/// The leagues of a game, with the bots that play in them.
pub fn entries(app: &App, contest: &dyn Contest) -> Vec<(String, Vec<String>)> {
    let of = |dir: String| {
        let league = League::open(&app.project.league(&dir).ok()?).ok()?;
        league.contest().filter(|other| other.name() == contest.name())?;
        let bots = Store::open_to_read(&league).ok()?.bots().ok()?;
        let playing = bots.into_iter().filter(|bot| bot.state == State::Active).map(|bot| bot.name);
        Some((dir, playing.collect()))
    };
    app.project.contents().leagues.into_iter().filter_map(|entry| of(entry.path)).collect()
}

/// A game under way.
struct Session {
    contest: &'static dyn Contest,
    judge: Box<dyn Judge>,
    questions: Vec<Question>,
    person: Player,
    seed: u64,
    name: String,
    bot: Opponent,
    thought: Duration,
    problem: Option<String>,
}

impl Session {
    fn play(mut self, turns: &Receiver<Turn>) {
        // Who asks for the game first gets it as it stands when the bot has moved.
        while let Ok(Turn { answer, reply }) = turns.recv_timeout(PATIENCE) {
            self.problem = None;
            let before = self.thought;
            if let Err(ending) = self.take(answer) {
                let asked = self.asked(before, true);
                let report = self.bot.leave("");
                let said = if report.stderr.is_empty() {
                    String::new()
                } else {
                    format!(" It wrote: {}", report.stderr)
                };
                let _ = reply
                    .send((Asked { problem: Some(format!("{} {ending}.{said}", self.name)), ..asked }, None));
                return;
            }
            let is_over = self.questions.is_empty();
            let asked = self.asked(before, is_over);
            if is_over {
                let report = self.bot.leave(self.judge.farewell());
                let (names, seats) = match self.person {
                    Player::Zero => (["you", &self.name], [SeatReport::default(), report]),
                    Player::One => ([self.name.as_str(), "you"], [report, SeatReport::default()]),
                };
                let record = record(self.contest, self.judge.as_ref(), self.seed, names, seats);
                let _ = reply.send((asked, Some(record)));
                return;
            }
            let _ = reply.send((asked, None));
        }
    }

    /// Takes the person's answer, and has the bot answer until it is the person's turn again.
    fn take(&mut self, mut answer: Option<Vec<String>>) -> Result<(), String> {
        loop {
            let asks =
                |player: Player| self.questions.iter().find(|question| question.player == player).cloned();
            let (own, of_bot) = (asks(self.person), asks(self.person.other()));
            if let Some(own) = &own {
                let Some(lines) = answer.take() else { return Ok(()) };
                if let Err(reason) = self.judge.answer(own.player, &lines) {
                    self.problem = Some(format!("That is not legal: {reason}."));
                    return Ok(());
                }
            }
            if let Some(question) = &of_bot {
                let asked = Instant::now();
                let lines = self.bot.ask(question).map_err(|ending| ending.to_string())?;
                self.thought += asked.elapsed();
                self.judge
                    .answer(question.player, &lines)
                    .map_err(|reason| format!("answers what is not legal: {reason}"))?;
            }
            if own.is_none() && of_bot.is_none() {
                return Ok(());
            }
            self.questions = self.judge.ask();
        }
    }

    fn asked(&self, before: Duration, is_over: bool) -> Asked {
        let own = self.questions.iter().find(|question| question.player == self.person).filter(|_| !is_over);
        let viewer = own.map(|_| self.person);
        let moves = self.judge.moves().to_vec();
        let caption = format!("{} after {} moves", self.contest.name(), moves.len());
        let limits = self.contest.info().limits;
        let seconds = |limit: Option<Duration>, of: &str| limit.map(|limit| format!("{limit:?} {of}"));
        let limits = [seconds(limits.turn, "a turn"), seconds(limits.game, "a game")];
        Asked {
            moves,
            decisions: Vec::new(),
            board: board::svg(&self.judge.picture(viewer), &caption),
            prompt: own
                .map_or_else(|| end(self.judge.points(), self.person), |_| self.judge.prompt(self.person)),
            choices: own.map_or(Vec::new(), |_| self.judge.choices(self.person)),
            lines: own.map_or(0, |question| question.answer_lines),
            points: self.judge.points(),
            is_over,
            thought: (self.thought - before).as_millis() as u64,
            problem: self.problem.clone(),
            session: None,
            limits: limits.into_iter().flatten().collect::<Vec<_>>().join(", "),
        }
    }
}
