//! A person against a bundled bot. The server keeps nothing of a game: each request has its moves, and the luck follows from its seed.
//! So a move can be taken back, an address holds a whole game, and a restart loses none.

use crate::App;
use crate::page::{self, Problem, blocking};
use axum::Json;
use axum::extract::{Query, State};
use axum::http::HeaderMap;
use axum::response::Html;
use contender_catalogue::{CONTESTS, find};
use contender_game::{
    Analysis, BotSetup, Contest, Judge, Limits, Options, Player, Position, PositionAnalysis, Question,
};
use contender_plot::board;
use contender_referee::{Entrant, GameRecord, Program, SeatReport, log};
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The file of the project that finished games are added to.
const LOG: &str = "played.jsonl";
/// The longest time that a bot may think about a move, in milliseconds.
const LONGEST: u64 = 30_000;
/// So many bots think at once.
pub const THINKERS: usize = 2;

/// What a page was asked for.
#[derive(Deserialize)]
pub struct Wish {
    game: Option<String>,
    bot: Option<String>,
    seat: Option<usize>,
}

/// A game, as the page's script tells it.
#[derive(Deserialize)]
pub struct Told {
    game: String,
    bot: String,
    /// The person's seat, 0 or 1.
    seat: usize,
    seed: u64,
    /// What the bot may think about a move, in milliseconds.
    time: u64,
    moves: Vec<String>,
    /// The person's answer, if it has given one.
    answer: Option<Vec<String>>,
}

/// What is to be shown and asked.
#[derive(Serialize)]
pub struct Asked {
    moves: Vec<String>,
    /// The numbers of moves before which the person had to decide.
    decisions: Vec<usize>,
    board: String,
    prompt: String,
    /// The legal answers; of each line, where there are several.
    choices: Vec<String>,
    lines: usize,
    points: [i32; 2],
    is_over: bool,
    /// Milliseconds that the bot has thought.
    thought: u64,
    /// Why the answer was not taken.
    problem: Option<String>,
}

/// What a bot would play.
#[derive(Serialize)]
pub struct Hint {
    words: String,
}

/// A game under way.
struct Game {
    contest: &'static dyn Contest,
    person: Player,
    moves: Vec<String>,
    told: Told,
    /// Why the person's answer was not taken.
    problem: Option<String>,
}

impl Game {
    fn of(told: Told) -> Result<Game, Problem> {
        let contest =
            find(&told.game).ok_or_else(|| Problem::bad(format!("There is no game {}.", told.game)))?;
        let person = *Player::BOTH.get(told.seat).ok_or_else(|| Problem::bad("A seat is 0 or 1."))?;
        if told.time > LONGEST {
            return Err(Problem::bad(format!("A bot thinks at most {} s about a move.", LONGEST / 1000)));
        }
        Ok(Game { contest, person, moves: told.moves.clone(), told, problem: None })
    }

    /// The judge after the moves, and what it asks.
    fn judge(&self) -> Result<(Box<dyn Judge>, Vec<Question>), Problem> {
        let mut judge = self.contest.judge(self.told.seed, &mut Options::rules()).map_err(Problem::bad)?;
        for (at, text) in self.moves.iter().enumerate() {
            judge
                .replay(text)
                .map_err(|reason| Problem::bad(format!("Move {} `{text}`: {reason}", at + 1)))?;
        }
        let questions = judge.ask();
        Ok((judge, questions))
    }

    /// Takes the person's answer, and lets the bot answer until it is the person's turn again.
    fn go_on(&mut self) -> Result<Asked, Problem> {
        let mut thought = Duration::ZERO;
        loop {
            let (mut judge, questions) = self.judge()?;
            let asks = |player: Player| questions.iter().find(|question| question.player == player);
            let own = asks(self.person);
            if questions.is_empty() || own.is_some() && self.told.answer.is_none() {
                return self.asked(judge.as_ref(), own, thought);
            }
            let bot = self.person.other();
            let found = asks(bot).map(|question| Ok((question, self.think(bot)?))).transpose()?;
            if let (Some(_), Some(answer)) = (own, self.told.answer.take())
                && let Err(reason) = judge.answer(self.person, &answer)
            {
                self.problem = Some(format!("That is not legal: {reason}."));
                continue;
            }
            if let Some((question, found)) = found {
                thought += found.analysis.elapsed;
                let mv = best(&found.analysis)?;
                if own.is_none() {
                    self.moves.push(mv.to_string());
                    continue;
                }
                let mut lines: Vec<String> = mv.split(" ; ").map(str::to_string).collect();
                lines.resize(question.answer_lines, "WAIT".to_string());
                judge
                    .answer(bot, &lines)
                    .map_err(|reason| Problem::bad(format!("The bot's answer is not legal: {reason}.")))?;
            }
            self.moves = judge.moves().to_vec();
        }
    }

    fn think(&self, player: Player) -> Result<PositionAnalysis, Problem> {
        let entrant = Entrant::parse(self.contest, &self.told.bot).map_err(Problem::bad)?;
        let Program::Bundled { bot, mut options } = entrant.program else {
            return Err(Problem::bad(self.contest.unknown_bot(&self.told.bot)));
        };
        let time = Duration::from_millis(self.told.time.max(1));
        let position = Position {
            luck: self.told.seed,
            rules: &mut Options::rules(),
            moves: &self.moves,
            played: None,
            player: Some(player),
        };
        let setup = BotSetup { limits: Limits::per_turn(time, time), seed: self.told.seed };
        self.contest.analyse(position, &bot, &mut options, &setup).map_err(Problem::bad)
    }

    fn asked(&self, judge: &dyn Judge, own: Option<&Question>, thought: Duration) -> Result<Asked, Problem> {
        let viewer = own.map(|_| self.person);
        let caption = format!("{} after {} moves", self.contest.name(), self.moves.len());
        Ok(Asked {
            moves: self.moves.clone(),
            decisions: self.decisions()?,
            board: board::svg(&judge.picture(viewer), &caption),
            prompt: own.map_or_else(|| self.end(judge.points()), |_| judge.prompt(self.person)),
            choices: own.map_or(Vec::new(), |_| judge.choices(self.person)),
            lines: own.map_or(0, |question| question.answer_lines),
            points: judge.points(),
            is_over: own.is_none(),
            thought: thought.as_millis() as u64,
            problem: self.problem.clone(),
        })
    }

    /// Where the person had to decide.
    fn decisions(&self) -> Result<Vec<usize>, Problem> {
        let mut judge = self.contest.judge(self.told.seed, &mut Options::rules()).map_err(Problem::bad)?;
        let mut decisions = Vec::new();
        for (at, text) in self.moves.iter().enumerate() {
            judge.replay(text).map_err(Problem::bad)?;
            if judge.mover().is_none_or(|mover| mover == self.person) {
                decisions.push(at);
            }
        }
        Ok(decisions)
    }

    fn end(&self, points: [i32; 2]) -> String {
        let (own, other) = (points[self.person.index()], points[self.person.other().index()]);
        let how = match own.cmp(&other) {
            std::cmp::Ordering::Greater => "You win",
            std::cmp::Ordering::Less => "You lose",
            std::cmp::Ordering::Equal => "A draw",
        };
        format!("{how}, {own} to {other}.")
    }

    /// The finished game as logs have it.
    fn record(&self, points: [i32; 2]) -> Result<GameRecord, Problem> {
        let (judge, _) = self.judge()?;
        let name =
            |player: Player| if player == self.person { "you".to_string() } else { self.told.bot.clone() };
        Ok(GameRecord {
            game: self.contest.name().to_string(),
            seed: self.told.seed,
            players: Player::BOTH.map(name),
            setup: judge.setup(),
            moves: self.moves.clone(),
            points,
            seats: [SeatReport::default(), SeatReport::default()],
            interrupted: false,
            rules: String::new(),
            attributes: Vec::new(),
        })
    }
}

fn best(analysis: &Analysis<String>) -> Result<&str, Problem> {
    let first = analysis.moves.first().ok_or_else(|| Problem::bad("The bot finds no move."))?;
    Ok(&first.mv)
}

/// Goes on with a game; one that ends with this answer is added to the log.
pub async fn go_on(State(app): State<Arc<App>>, Json(told): Json<Told>) -> Result<Json<Asked>, Problem> {
    let shared = Arc::clone(&app);
    let _turn = shared.thinkers.acquire().await;
    blocking(app, move |app| {
        let is_answer = told.answer.is_some();
        let mut game = Game::of(told)?;
        let asked = game.go_on()?;
        if asked.is_over && is_answer {
            let record = game.record(asked.points)?;
            let file = log::append_to(&app.project.path(LOG));
            file.and_then(|mut file| record.write_to(&mut file)).map_err(|error| {
                Problem::bad(format!("The game is over, and {LOG} cannot be written: {error}"))
            })?;
        }
        Ok(Json(asked))
    })
    .await
}

/// What the bot would play in the person's place.
pub async fn hint(State(app): State<Arc<App>>, Json(told): Json<Told>) -> Result<Json<Hint>, Problem> {
    let shared = Arc::clone(&app);
    let _turn = shared.thinkers.acquire().await;
    blocking(app, move |_| {
        let game = Game::of(told)?;
        let found = game.think(game.person)?;
        let first = found.analysis.moves.first().ok_or_else(|| Problem::bad("The bot finds no move."))?;
        let [low, high] = first.value;
        let value =
            if low == high { format!(", worth {low:.2} {}", found.analysis.unit) } else { String::new() };
        Ok(Json(Hint { words: format!("{} would play {}{value}", game.told.bot, first.mv) }))
    })
    .await
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(wish): Query<Wish>,
    headers: HeaderMap,
) -> Result<Html<String>, Problem> {
    let contest = match &wish.game {
        None => CONTESTS.first().copied(),
        Some(name) => find(name),
    };
    let contest = contest.ok_or_else(|| Problem::not_found("There is no such game."))?;
    let content = content(contest, &wish, app.guard.knows(&headers));
    Ok(page::frame(&format!("Play {}", contest.name()), Some("/play.js"), &content))
}

fn content(contest: &dyn Contest, wish: &Wish, is_known: bool) -> Markup {
    let info = contest.info();
    let bot = wish.bot.as_deref().or(info.bots.last().map(|bot| bot.name)).unwrap_or_default();
    html! {
        nav.games aria-label="Games" {
            @for other in CONTESTS {
                a href=(format!("/play?game={}", other.name())) aria-current=[(other.name() == info.name).then_some("page")] {
                    (other.name())
                }
            }
        }
        p.path { (info.about) }
        @if !is_known {
            p.failure { "To play, open the address with the token that " code { "contender web" } " printed." }
        } @else {
            div.replay {
                div.stage {
                    p #prompt role="status" {}
                    figure #board {}
                    div.choices #choices role="group" aria-label="Ways to complete the move" {}
                    form.controls #answer {
                        label { "Move " input #text type="text" list="all" autocomplete="off" size="12"; }
                        datalist #all {}
                        button type="submit" { "Play" }
                        button #undo type="button" { "Take back" }
                        button #hint type="button" { "Hint" }
                        output #clock {}
                    }
                    p.failure #problem role="alert" {}
                    p #advice role="status" {}
                }
                form.side action="/play" method="get" #new {
                    h2 { "New game" }
                    input type="hidden" name="game" value=(info.name);
                    p { label { "Against " select name="bot" {
                        @for known in info.bots { option value=(known.name) selected[known.name == bot] title=(known.about) { (known.name) } }
                    } } }
                    p { label { "You are " select name="seat" {
                        @for (at, seat) in info.seats.iter().enumerate() { option value=(at) selected[wish.seat == Some(at)] { (seat) } }
                    } } }
                    p { label { "It thinks " select name="time" {
                        @for (time, name) in [("100", "0.1 s"), ("1000", "1 s"), ("5000", "5 s")] {
                            option value=(time) selected[time == "1000"] { (name) }
                        }
                    } " a move" } }
                    p { button type="submit" { "Begin" } }
                    p.legend { "Finished games are added to " code { (LOG) } " in the project's folder." }
                    h2 { "Moves" }
                    ol.moves #moves {}
                }
            }
        }
    }
}
