//! A game between a person and a bot. There are two kinds. In `game`, a bundled bot thinks about each position from
//! scratch. In `session`, a bot plays a whole game under the contest's time limits, as external programs do. An address
//! never starts a program: a game of the second kind is started by a form.

mod game;
mod hint;
mod session;

pub use hint::hint;
pub use session::Sessions;

use crate::App;
use crate::guard::Known;
use crate::league;
use crate::page::{self, Problem, blocking, games, thinking};
use crate::shown::{self, words};
use crate::text::{decimal, query};
use axum::extract::{Query, State};
use axum::response::{Html, Redirect};
use axum::{Form, Json};
use contender_catalogue::{contests, find};
use contender_game::{
    board::{Picture, Side},
    contest::{Contest, Judge, MoveForm, Question},
    rules::Player,
};
use contender_league::{BotState, League, Store};
use contender_plot::board;
use contender_referee::{Entrant, Prompt, Record, bundled_bot, log};
use game::LiveGame;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use session::Session;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::time::Duration;

/// The file in the project to which finished games are appended.
const LOG: &str = "played.jsonl";
/// Maximum thinking time of a bot per move, in milliseconds.
const MAX_LENGTH: u64 = 30_000;
/// Default thinking time of a bot per move, in milliseconds.
const USUAL: u64 = 1000;
/// The least ratio of a board whose notes are below it. Nothing else is below the board.
const WIDE: f64 = 1.15;
/// Number of bots that may think at a time.
pub const THINKERS: usize = 2;

/// The parameters in a page's address. The page's script reads the other parameters, such as the seed and the moves.
#[derive(Deserialize)]
pub struct PlayQuery {
    game: Option<String>,
    bot: Option<String>,
    seat: Option<usize>,
    /// The bot's thinking time per move, in milliseconds; 0 for the contest's time limits.
    time: Option<u64>,
    /// The number of the session, if the server plays the game.
    session: Option<u64>,
}

/// The form of a new game.
#[derive(Deserialize)]
pub struct NewGame {
    game: String,
    /// The name of a bundled bot; empty for a command.
    bot: String,
    /// A command that runs in the project's folder.
    #[serde(default)]
    command: String,
    seat: usize,
    time: u64,
    /// A league's bot that plays instead of `bot`: its name, a space, and the league's folder.
    #[serde(default)]
    entry: String,
}

/// A game, as sent by the page's script.
#[derive(Deserialize)]
pub struct GameRequest {
    game: String,
    bot: String,
    /// The person's seat, 0 or 1.
    seat: usize,
    /// The seed as text, because numbers in a script are exact only up to 2^53.
    seed: String,
    time: u64,
    moves: Vec<String>,
    /// The person's answer, if any.
    answer: Option<Vec<String>>,
    session: Option<u64>,
}

/// Parses the seed of an address; an empty text means 1.
pub fn seed(text: &str) -> Result<u64, Problem> {
    if text.is_empty() {
        return Ok(1);
    }
    contender_play::seed::parse(text)
        .ok_or_else(|| Problem::bad("Expected a whole 64-bit number as the seed."))
}

/// The view of a game, and the question to the person.
#[derive(Serialize, Clone, Default)]
pub struct GameView {
    moves: Vec<String>,
    /// The moves in words.
    words: Vec<String>,
    /// For each of the person's decisions, the number of moves before it.
    decisions: Vec<usize>,
    board: String,
    prompt: String,
    /// The legal answers, or the possible lines if an answer has several lines.
    choices: Vec<Choice>,
    lines: usize,
    points: [i32; 2],
    /// The score on the board, if the player may see it.
    standing: Option<[i32; 2]>,
    is_over: bool,
    /// The bot's thinking time in milliseconds.
    thought: u64,
    /// The reason why the answer was rejected, or the output of a bot that has failed.
    problem: Option<String>,
    /// The number of the finished game in the log, once it is there.
    number: Option<usize>,
    /// A description of the bot's time limits.
    limits: String,
    /// The player who must answer.
    player: usize,
}

/// An answer, and the names of its squares in order.
#[derive(Serialize, Clone)]
struct Choice {
    text: String,
    words: String,
    squares: Vec<String>,
    form: ChoiceForm,
}

/// The part of an answer that its squares do not express.
#[derive(Serialize, Clone)]
struct ChoiceForm {
    name: String,
    /// The direction: 0 for the top, and then clockwise.
    side: Option<usize>,
    unit: String,
    /// The price as text of the page.
    cost: String,
}

impl ChoiceForm {
    fn of(contest: &dyn Contest, mv: &str) -> ChoiceForm {
        let MoveForm { name, side, unit, cost } = contest.move_form(mv);
        let side = side.and_then(|side| Side::ALL.into_iter().position(|other| other == side));
        ChoiceForm { name, side, unit, cost: board::signs(&cost) }
    }
}

impl GameView {
    fn asking(contest: &dyn Contest, prompt: Prompt, thought: Duration) -> GameView {
        let shown = &prompt.picture;
        let squares = |text: &str| {
            let squares = contest.squares(shown, text);
            // A piece that stays is a pass, which needs no square.
            let is_pass = matches!(squares[..], [from, to] if from == to);
            let squares = if is_pass { Vec::new() } else { squares };
            squares.into_iter().map(|square| shown.squares[square].name.clone()).collect()
        };
        let choices = prompt.choices.into_iter().map(|text| Choice {
            squares: squares(&text),
            words: contest.move_words(&text),
            form: ChoiceForm::of(contest, &text),
            text,
        });
        GameView {
            board: picture(contest, shown, prompt.moves.len()),
            words: in_words(contest, &prompt.moves),
            moves: prompt.moves,
            prompt: prompt.request,
            choices: choices.collect(),
            lines: prompt.answer_lines,
            points: prompt.points,
            standing: shown.standing,
            thought: thought.as_millis() as u64,
            problem: prompt.rejected.map(|reason| format!("This answer is not legal: {reason}.")),
            player: prompt.player.index(),
            ..GameView::default()
        }
    }

    /// Returns the view of a position that the user tries out, and the question there. Everything is visible.
    pub fn tried(contest: &dyn Contest, judge: &dyn Judge, question: Option<&Question>) -> GameView {
        let points = judge.points();
        let view = match question {
            Some(question) => {
                let prompt = Prompt::of(judge, question, [Duration::ZERO; 2], None);
                GameView::asking(contest, prompt, Duration::ZERO)
            }
            None => GameView {
                moves: judge.moves().to_vec(),
                prompt: format!("The game is over, {} to {}.", points[0], points[1]),
                points,
                is_over: true,
                ..GameView::default()
            },
        };
        GameView { board: picture(contest, &judge.picture(None), view.moves.len()), ..view }
    }

    /// Returns the question to a player who has chosen the first lines of an answer.
    pub fn begun(
        contest: &dyn Contest,
        judge: &dyn Judge,
        question: &Question,
        lines: &[String],
    ) -> GameView {
        let mut prompt = Prompt::of(judge, question, [Duration::ZERO; 2], None);
        prompt.choices = judge.next_choices(question.player, lines);
        GameView::asking(contest, prompt, Duration::ZERO)
    }

    /// Returns the board as a player sees it, without a question.
    pub fn seen(contest: &dyn Contest, judge: &dyn Judge, eyes: Player) -> GameView {
        let moves = judge.moves().to_vec();
        let board = picture(contest, &judge.picture(Some(eyes)), moves.len());
        GameView { board, moves, points: judge.points(), ..GameView::default() }
    }

    fn over(contest: &dyn Contest, record: &Record, last: &Picture, person: Player) -> GameView {
        let bot = &record.seats[person.other().index()];
        GameView {
            board: picture(contest, last, record.moves.len()),
            moves: record.moves.clone(),
            words: in_words(contest, &record.moves),
            prompt: result(record, last, person),
            points: [0, 1].map(|seat| record.seats[seat].points.unwrap_or_default() as i32),
            standing: last.standing,
            is_over: true,
            problem: (!bot.stderr.is_empty() && bot.ending.is_failure())
                .then(|| format!("Standard error of {}:\n{}", bot.bot, bot.stderr)),
            ..GameView::default()
        }
    }
}

fn in_words(contest: &dyn Contest, moves: &[String]) -> Vec<String> {
    moves.iter().map(|mv| words(contest, mv)).collect()
}

fn picture(contest: &dyn Contest, picture: &Picture, moves: usize) -> String {
    board::with_notes(picture, &board::svg(picture, &format!("{} after {moves} moves", contest.name())))
}

/// Returns the result of a game from the person's point of view.
fn result(record: &Record, last: &Picture, person: Player) -> String {
    let [own, bot] = [person, person.other()].map(|player| &record.seats[player.index()]);
    let [own_points, points] = [own, bot].map(|seat| seat.points.unwrap_or_default());
    if bot.ending.is_failure() {
        return format!("You win, {own_points} to {points}: {} {}.", bot.bot, bot.ending);
    }
    let aim = shown::aim(last);
    let how = match (bot.rank.cmp(&own.rank), aim) {
        (std::cmp::Ordering::Greater, Some(aim)) => format!("You win with {aim}"),
        (std::cmp::Ordering::Greater, None) => "You win".to_string(),
        (std::cmp::Ordering::Less, Some(aim)) => format!("You lose: {} wins with {aim}", bot.bot),
        (std::cmp::Ordering::Less, None) => "You lose".to_string(),
        (std::cmp::Ordering::Equal, _) => "A draw".to_string(),
    };
    // The contest only counts who won, and the board has another score.
    if own_points + points <= 1.0 {
        let score =
            last.standing.map(|standing| [person, person.other()].map(|player| standing[player.index()]));
        return score
            .map_or(format!("{how}."), |[own, bot]| format!("{how}. Score on the board: {own} to {bot}."));
    }
    format!("{how}, {own_points} to {points}.")
}

/// Appends a finished game to the project's log, and returns its number there.
fn keep(app: &App, record: &Record) -> Result<usize, Problem> {
    let path = app.project.path(LOG);
    let file = log::append_to(&path);
    // A record has one line.
    file.and_then(|mut file| record.write_to(&mut file))
        .and_then(|()| Ok(BufReader::new(File::open(&path)?).split(b'\n').count()))
        .map_err(|error| Problem::bad(format!("The game is over, and {LOG} cannot be written: {error}")))
}

/// Starts a game. A bot that is not bundled always plays under the contest's time limits.
pub async fn start(State(app): State<Arc<App>>, Form(new): Form<NewGame>) -> Result<Redirect, Problem> {
    blocking(app, move |app| {
        let contest =
            find(&new.game).ok_or_else(|| Problem::bad(format!("There is no game {}.", new.game)))?;
        let person = *Player::BOTH.get(new.seat).ok_or_else(|| Problem::bad("A seat is 0 or 1."))?;
        let bot = if new.bot.is_empty() { &new.command } else { &new.bot };
        let is_bundled = new.entry.is_empty() && bundled_bot(contest, Some(bot)).is_ok();
        if is_bundled && new.time > 0 {
            let [seat, time] = [new.seat.to_string(), new.time.to_string()];
            let game = [("game", contest.name()), ("bot", bot), ("seat", &seat), ("time", &time)];
            return Ok(Redirect::to(&format!("/play?{}", query(&game))));
        }
        let bot = match new.entry.split_once(' ') {
            Some((name, dir)) => league::open(app, dir)?
                .1
                .entrant(contest, name)
                .map_err(|error| Problem::bad(format!("{error:#}")))?,
            None => Entrant::parse_within(contest, bot, &app.project.path("")).map_err(Problem::bad)?,
        };
        let seed = getrandom::u64().map_err(Problem::bad)?;
        let number = app.sessions.begin(contest, person, bot, seed).to_string();
        Ok(Redirect::to(&format!("/play?{}", query(&[("game", contest.name()), ("session", &number)]))))
    })
    .await
}

/// Continues a game. If the answer ends the game, the game is appended to the log.
pub async fn go_on(
    State(app): State<Arc<App>>,
    Json(request): Json<GameRequest>,
) -> Result<Json<GameView>, Problem> {
    if let Some(number) = request.session {
        let session = app.sessions.find(number)?;
        return blocking(app, move |app| session.go_on(app, request.answer).map(Json)).await;
    }
    thinking(app, move |app| {
        let mut game = LiveGame::of(&request)?;
        let is_answer = request.answer.is_some();
        let (view, record) = game.go_on(request.answer)?;
        let number = record.filter(|_| is_answer).map(|record| keep(app, &record)).transpose()?;
        Ok(Json(GameView { number, ..view }))
    })
    .await
}

/// The state of a game, as the page shows it.
struct Played {
    bot: String,
    seat: usize,
    /// The bot's thinking time per move; 0 for the contest's time limits.
    time: u64,
    session: Option<u64>,
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(wanted): Query<PlayQuery>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    let session = wanted.session.map(|number| app.sessions.find(number)).transpose()?;
    let contest = match (&session, &wanted.game) {
        (Some(session), _) => Some(session.contest),
        (None, None) => contests().first().copied(),
        (None, Some(name)) => find(name),
    };
    let contest = contest.ok_or_else(|| Problem::not_found("There is no such game."))?;
    blocking(app, move |app| {
        let entries = if is_known { entries(app, contest) } else { Vec::new() };
        let content = content(contest, &wanted, session.as_deref(), &entries, is_known);
        Ok(page::frame("/play", &format!("Play {}", contest.name()), Some("/play.js"), &content))
    })
    .await
}

/// Returns the active bots in the project's leagues of a game, each with the league's folder.
fn entries(app: &App, contest: &dyn Contest) -> Vec<(String, String)> {
    let of = |dir: String| {
        let league = League::open(&app.project.league(&dir).ok()?).ok()?;
        league.contest().filter(|other| other.name() == contest.name())?;
        let bots = Store::open_to_read(&league).ok()?.bots().ok()?;
        let playing = bots.into_iter().filter(|bot| bot.state == BotState::Active);
        Some(playing.map(|bot| (bot.name, dir.clone())).collect::<Vec<_>>())
    };
    app.project.contents().leagues.into_iter().filter_map(|entry| of(entry.path)).flatten().collect()
}

fn content(
    contest: &dyn Contest,
    wanted: &PlayQuery,
    session: Option<&Session>,
    entries: &[(String, String)],
    is_known: bool,
) -> Markup {
    let info = contest.info();
    // The address may come from anyone, so it can only name a bundled bot.
    let named = wanted.bot.as_deref().filter(|bot| bundled_bot(contest, Some(bot)).is_ok());
    let strongest = info.bots.last().map_or("", |bot| bot.name);
    let is_foreign = session.is_none() && wanted.bot.is_some() && named.is_none();
    let played = match session {
        Some(session) => Played {
            bot: session.bot.clone(),
            seat: session.person.index(),
            time: 0,
            session: wanted.session,
        },
        None => Played {
            bot: named.unwrap_or(strongest).to_string(),
            seat: wanted.seat.unwrap_or(0).min(1),
            time: wanted.time.unwrap_or(USUAL),
            session: None,
        },
    };
    let is_begun = session.is_some() || !is_foreign && played.time > 0;
    html! {
        (games("/play", info.name))
        div.opening {
            h1.path title=(info.about) { (info.about.split_once(": ").map_or(info.about, |(name, _)| name)) }
            @if is_known && is_begun { (players(contest, &played)) }
        }
        (page::read_only(is_known))
        @if is_known {
            @if is_foreign {
                p.failure role="alert" { "A link cannot start a program: type the bot's command below, \
                                          then start the game." }
            }
            div class=(with_board(contest)) #game data-keys="← →: earlier and later position" data-game=(info.name) data-log=(LOG) data-bot=(played.bot) data-seat=(played.seat) data-seats=(info.seats.join("\n")) data-time=(played.time) data-session=[played.session] {
                @if is_begun {
                    (stage())
                    div.side.answers {
                        p.legend #said {}
                        p #prompt role="status" {}
                        p.legend #next {}
                        div.acts {
                            button #hint type="button" { "Hint" }
                            button #undo type="button" { "Take back" }
                            div.choices #choices role="group" aria-label="Ways to complete the move" {}
                        }
                        (after(info.name))
                        p.failure #problem role="alert" {}
                        p #advice role="status" {}
                        div.played {
                            h2 { "Moves" }
                            button.small #earlier type="button" title="Earlier position (←)" aria-label="Earlier position" disabled { "‹" }
                            button.small #later type="button" title="Later position (→)" aria-label="Later position" disabled { "›" }
                            p.legend { output #clock {} }
                        }
                        ol.moves #moves {}
                        (typed())
                        details #again { summary { "New game, another bot or seat" } (new_game(contest, &played, entries)) }
                    }
                } @else {
                    div.side { h2 { "New game" } (new_game(contest, &played, entries)) }
                }
            }
        }
    }
}

/// Returns the classes of the page. The board has its place before its first picture arrives.
fn with_board(contest: &dyn Contest) -> String {
    let judge = contest.judge(1, &mut contender_game::settings::Options::rules());
    judge
        .map_or_else(|_| "replay".to_string(), |judge| page::with_board("replay", &judge.picture(None), WIDE))
}

/// Returns the board.
fn stage() -> Markup {
    html! {
        div.stage {
            (page::whole_board())
            div.field tabindex="0" role="group" aria-label="Board" { div.boards { figure #board {} div.over #over aria-hidden="true" {} } }
        }
    }
}

/// Returns the links that follow a finished game.
fn after(game: &str) -> Markup {
    html! {
        p.controls #after hidden {
            a.button.primary href=(format!("/play?{}", query(&[("game", game)]))) { "Another game" }
            a.button #review href="/replay" hidden { "Review this game" }
            a.button #analyse-end href="/analyse" { "Analyse the end" }
            a.button href=(format!("/log?{}", query(&[("file", LOG)]))) { "Your games" }
        }
    }
}

/// Returns both players, with the strength and the time of the bot.
fn players(contest: &dyn Contest, played: &Played) -> Markup {
    let info = contest.info();
    html! {
        div.players {
            @for (at, seat) in info.seats.iter().enumerate() {
                div.player data-player=(at) {
                    span class=(format!("dot seat-{at}")) {}
                    strong.name { (if at == played.seat { "You" } else { &played.bot }) }
                    span.chip { (seat) }
                    span.points.number data-points=(at) title="Score on the board in this position" {}
                }
            }
            span.legend { (strength(contest, &played.bot)) (pace(played.time)) }
            a.button.small #change href="#new" { "New game" }
        }
    }
}

/// Returns the rank of a bundled bot; empty for another bot.
fn strength(contest: &dyn Contest, bot: &str) -> String {
    let bots = contest.info().bots;
    match bundled_bot(contest, Some(bot))
        .ok()
        .and_then(|(name, _)| bots.iter().rposition(|of| of.name == name))
    {
        Some(at) if at + 1 == bots.len() => format!("strongest of {} bots, ", bots.len()),
        Some(at) => format!("no. {} of {} bots, ", bots.len() - at, bots.len()),
        None => String::new(),
    }
}

fn pace(time: u64) -> String {
    match time {
        0 => "the contest's time limits".to_string(),
        time => format!("{} s a move", decimal(time as f64 / 1e3, if time % 1000 == 0 { 0 } else { 1 })),
    }
}

/// Returns the form in which a move is typed, for players who know the contest's notation.
fn typed() -> Markup {
    html! {
        details { summary { "Type a move" }
            form.controls #answer {
                label { "Move " input #text type="text" list="all" autocomplete="off" size="12"; }
                datalist #all {}
                button.primary type="submit" { "Make move" }
            }
            p.legend #format {}
        }
    }
}

fn new_game(contest: &dyn Contest, played: &Played, entries: &[(String, String)]) -> Markup {
    let info = contest.info();
    html! {
        form.fields action="/play/start" method="post" #new {
            input type="hidden" name="game" value=(info.name);
            @let is_bundled = info.bots.iter().any(|known| known.name == played.bot);
            p { label { span.label { "Against" } select name="bot" {
                @for known in info.bots.iter().rev() { option value=(known.name) title=(known.about.replace('`', "")) selected[known.name == played.bot] { (known.name) } }
                option value="" selected[!is_bundled] { "own command …" }
            } } }
            p.own { label { span.label { "Command" } input type="text" name="command" value=(if is_bundled { "" } else { &played.bot }) placeholder="python3 bot.py" autocomplete="off" spellcheck="false"; } }
            @if !entries.is_empty() {
                p { label { span.label { "or a bot of a league" } select name="entry" {
                    option value="" { "none" }
                    @for (name, dir) in entries { option value=(format!("{name} {dir}")) { (name) " of " (league::name(dir)) } }
                } } }
            }
            p { label { span.label { "You are" } select name="seat" {
                @for (at, seat) in info.seats.iter().enumerate() { option value=(at) selected[played.seat == at] { (seat) } }
            } } }
            p { label { span.label { "The bot thinks" } select name="time" {
                @for (time, name) in [(100, "0.1 s"), (1000, "1 s"), (5000, "5 s")] {
                    option value=(time) selected[played.time == time] { (name) " a move" }
                }
                option value="0" selected[played.time == 0] { "within the contest's limits" }
            } } }
            p { button.primary type="submit" { "Start the game" } }
            p.legend { "Against a bundled bot, or a command that runs in the project's folder. A command plays with the contest's time limits." }
            p.legend { "Finished games are added to " code { (LOG) } " in the project's folder." }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::board::{Sign, Square};

    /// A contest that only counts who won shows the score on the board, with the person's first.
    #[test]
    fn the_result_contains_the_score() {
        let record = |scores: &str| {
            let text = format!(r#"{{"game":"uttt","seed":1,"players":["a","b"],"scores":{scores}}}"#);
            Record::from_json(&text).unwrap()
        };
        let end = |standing, note: &str| {
            let mut last = Picture::new(0..1, 0..1, |_, _| Square::new(String::new(), Sign::dot()));
            (last.standing, last.notes) = (standing, vec![vec![Sign::plain(note)]]);
            last
        };
        let words = |scores, standing| result(&record(scores), &end(standing, "turn 9"), Player::One);
        assert_eq!(words("[1,0]", Some([4, 2])), "You lose. Score on the board: 2 to 4.");
        assert_eq!(words("[0.5,0.5]", Some([3, 3])), "A draw. Score on the board: 3 to 3.");
        assert_eq!(words("[0,1]", None), "You win.");
        assert_eq!(words("[52,48]", Some([1, 2])), "You lose, 48 to 52.");
        let words = |scores| result(&record(scores), &end(Some([4, 2]), "X wins with a row"), Player::One);
        assert_eq!(words("[1,0]"), "You lose: a wins with a row. Score on the board: 2 to 4.");
        assert_eq!(words("[0,1]"), "You win with a row. Score on the board: 2 to 4.");
    }
}
