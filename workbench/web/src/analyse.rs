//! A bundled bot's analysis of a position, with more and more time until the budget is spent. The page's address
//! contains the game, the moves, the bot and the budget.

use crate::App;
use crate::guard::Known;
use crate::live::{self, Update};
use crate::page::{self, Problem, blocking, games};
use crate::play::seed;
use crate::replay::evaluation::judging;
use crate::shown::{self, layers};
use crate::text::{coded, decimal, query};
use axum::extract::{Query, State};
use axum::response::{Html, Response};
use contender_catalogue::{contests, find};
use contender_game::{
    board::Picture,
    contest::{Analysis, BotSetup, Contest, Limits, Position, PositionAnalysis},
    rules::Player,
    settings::Options,
};
use contender_plot::board;
use contender_referee::bundled_bot;
use maud::{Markup, PreEscaped, html};
use serde::Deserialize;
use std::sync::Arc;
use std::time::Duration;

/// The available budgets: their names in addresses and on the page.
const BUDGETS: [(&str, &str); 6] = [
    ("1s", "1 s"),
    ("5s", "5 s"),
    ("30s", "30 s"),
    ("1000", "1,000 nodes"),
    ("30000", "30,000 nodes"),
    ("1000000", "1,000,000 nodes"),
];
/// Number by which the whole budget is divided to get the budget of the first step. Each further step gets twice as
/// much as the one before.
const FIRST: u32 = 64;
/// Thinking times in seconds that a finished analysis offers if they are longer than its own.
const LONGER: [u64; 2] = [5, 30];
/// Minimum thinking time of a step; a shorter analysis would be of little use.
const MIN_TIME: Duration = Duration::from_millis(30);

/// Maximum number of listed moves that lead to the position.
const LINE: usize = 8;
/// This number if both players move at once.
const LONG_LINE: usize = 3;

/// Number of seeds to try in order to find the other outcomes of chance, and the maximum number of outcomes to offer.
const SEEDS: u64 = 60;
const MAX_DRAWS: usize = 10;

/// A position and the bot that analyses it.
#[derive(Deserialize, Clone, Default)]
#[serde(default)]
pub struct AnalysisQuery {
    game: String,
    /// The moves from the start, one per line, or in the form of `contender analyse --moves`.
    moves: String,
    /// The seed of the start position.
    seed: String,
    /// Rule variants, `key=value,key=value`.
    rules: String,
    /// The move that was played next, if known.
    played: String,
    /// Number to add to each value, which puts it on the scale of a replay's curve.
    shift: f64,
    bot: String,
    budget: String,
    /// The seat whose move is chosen if both players move at once.
    seat: String,
    /// The answers of seats 0 and 1 in this position, one line per action, if the other player must still answer.
    zero: String,
    one: String,
}

/// The checked request.
struct Question {
    contest: &'static dyn Contest,
    wanted: AnalysisQuery,
    moves: Vec<String>,
    seed: u64,
    player: Option<Player>,
    bot: String,
    options: Options,
    budget: Limits,
}

impl Question {
    fn of(wanted: AnalysisQuery) -> Result<Question, Problem> {
        let name = if wanted.game.is_empty() { contests()[0].name() } else { &wanted.game };
        let contest = find(name).ok_or_else(|| Problem::not_found(format!("There is no game {name}.")))?;
        let named = Some(wanted.bot.as_str()).filter(|bot| !bot.is_empty());
        let (bot, options) = bundled_bot(contest, named).map_err(Problem::bad)?;
        let options = if named.is_none_or(|named| named == bot) { judging(contest, &bot) } else { options };
        let number = |text: &str| text.parse::<u64>().ok();
        let for_a_move = |time| Limits::per_turn(time, time);
        let budget = match (wanted.budget.as_str(), wanted.budget.strip_suffix('s').and_then(number)) {
            ("", _) => Some(for_a_move(Duration::from_secs(1))),
            (_, Some(seconds @ 1..=60)) => Some(for_a_move(Duration::from_secs(seconds))),
            (text, _) => number(text)
                .filter(|nodes| (1..=10_000_000).contains(nodes))
                .map(|nodes| Limits { nodes: Some(nodes), ..Limits::NONE }),
        };
        let budget =
            budget.ok_or_else(|| Problem::bad("Expected 1s to 60s, or a number of nodes up to 10000000."))?;
        let seed = seed(&wanted.seed)?;
        // Moves of several words need a line each.
        let lines: Vec<String> =
            wanted.moves.lines().map(str::trim).filter(|line| !line.is_empty()).map(str::to_string).collect();
        let moves = if lines.len() > 1 { lines } else { contest.split_moves(&wanted.moves) };
        let player = match (wanted.zero.is_empty(), wanted.one.is_empty(), wanted.seat.as_str()) {
            (true, false, _) | (true, true, "0") => Some(Player::Zero),
            (false, true, _) | (true, true, "1") => Some(Player::One),
            _ => None,
        };
        Ok(Question { contest, moves, seed, player, bot, options, budget, wanted })
    }

    fn rules(&self) -> Result<Options, Problem> {
        Options::parse(&self.wanted.rules).map_err(Problem::bad)
    }

    /// Returns the picture of the position, whether or not it is anyone's turn.
    fn board(&self) -> Result<Picture, Problem> {
        let mut rules = self.rules()?;
        let mut judge = self.contest.judge(self.seed, &mut rules).map_err(Problem::bad)?;
        rules.finish().map_err(Problem::bad)?;
        for (at, text) in self.moves.iter().enumerate() {
            let replayed = judge.replay(text);
            replayed.map_err(|reason| Problem::bad(format!("Move {} `{text}`: {reason}", at + 1)))?;
        }
        Ok(judge.picture(None))
    }

    /// Returns the number of players who must answer now; `None` if the moves are not legal.
    fn asked(&self) -> Option<usize> {
        let mut judge = self.contest.judge(self.seed, &mut self.rules().ok()?).ok()?;
        self.moves.iter().try_for_each(|mv| judge.replay(mv)).ok()?;
        Some(judge.ask().len())
    }

    /// Returns whether the game has ended, so that there is no move.
    fn is_over(&self) -> bool {
        self.asked() == Some(0)
    }

    /// Returns the budget of a step, or `None` after the last step.
    fn step(&self, step: u32) -> Option<Limits> {
        let share = 1_u32.checked_shl(step).filter(|share| *share <= FIRST)?;
        let part = |time: Duration| (time * share / FIRST).max(MIN_TIME);
        Some(match self.budget.nodes {
            Some(nodes) => {
                Limits { nodes: Some((nodes * u64::from(share) / u64::from(FIRST)).max(1)), ..self.budget }
            }
            None => {
                let time = part(self.budget.turn.unwrap_or_default());
                Limits::per_turn(time, time)
            }
        })
    }

    /// Returns the positions after the same moves in which chance draws something else: the word that tells them apart,
    /// and a seed for each. The list is empty if chance draws nothing here, or if there are too many outcomes.
    fn draws(&self) -> Vec<(String, u64)> {
        let asked = |seed: u64| -> Option<(Vec<String>, String)> {
            let mut judge = self.contest.judge(seed, &mut self.rules().ok()?).ok()?;
            self.moves.iter().try_for_each(|mv| judge.replay(mv)).ok()?;
            let player = judge.ask().first()?.player;
            Some((judge.setup(), judge.prompt(player)))
        };
        let Some((setup, own)) = asked(self.seed) else { return Vec::new() };
        let mut found = vec![(own.clone(), self.seed)];
        for seed in 1..=SEEDS {
            let Some((other, prompt)) = asked(seed) else { continue };
            if other == setup && found.iter().all(|(known, _)| *known != prompt) {
                found.push((prompt, seed));
            }
        }
        let words = |text: &str| text.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let all: Vec<Vec<String>> = found.iter().map(|(prompt, _)| words(prompt)).collect();
        let differs = |at: &usize| all.iter().any(|other| other.get(*at) != all[0].get(*at));
        let Some(at) = (0..all[0].len()).find(differs).filter(|_| found.len() <= MAX_DRAWS) else {
            return Vec::new();
        };
        let word = |prompt: &str| {
            words(prompt).get(at).map_or(String::new(), |word| {
                word.trim_matches(|letter: char| !letter.is_alphanumeric()).to_string()
            })
        };
        let mut draws: Vec<(String, u64)> =
            found.into_iter().map(|(prompt, seed)| (word(&prompt), seed)).collect();
        draws.sort();
        draws
    }

    fn think(&self, limits: Limits) -> Result<PositionAnalysis, Problem> {
        let position = Position {
            seed: self.seed,
            rules: &mut self.rules()?,
            moves: &self.moves,
            played: Some(self.wanted.played.as_str()).filter(|played| !played.is_empty()),
            player: self.player,
        };
        let setup = BotSetup { limits, seed: self.seed };
        let mut options = self.options.clone();
        self.contest.analyse(position, &self.bot, &mut options, &setup).map_err(Problem::bad)
    }

    fn caption(&self, what: &str) -> String {
        format!("{}, {what} after {} moves", self.contest.name(), self.moves.len())
    }

    /// Returns the address of the page for the position after other moves.
    fn after(&self, moves: &[String]) -> String {
        let wanted =
            AnalysisQuery { moves: moves.join("\n"), played: String::new(), ..self.wanted.unanswered() };
        wanted.address(self.contest, self.seed, "/analyse")
    }

    /// Returns the answer in the unfinished turn of both players, with its seat.
    fn answered(&self) -> Option<(usize, &str)> {
        let answers = [&self.wanted.zero, &self.wanted.one];
        answers.into_iter().map(String::as_str).enumerate().find(|(_, answer)| !answer.is_empty())
    }

    /// Returns the longer times to offer after the analysis, in seconds.
    fn longer(&self) -> impl Iterator<Item = u64> + use<> {
        let now = self.budget.turn.unwrap_or(Duration::MAX);
        LONGER.into_iter().filter(move |&seconds| Duration::from_secs(seconds) > now)
    }

    /// Returns the address of the page with this thinking time in seconds.
    fn with_time(&self, seconds: u64) -> String {
        let wanted = AnalysisQuery { budget: format!("{seconds}s"), ..self.wanted.clone() };
        wanted.address(self.contest, self.seed, "/analyse")
    }

    fn address(&self, page: &str) -> String {
        self.wanted.address(self.contest, self.seed, page)
    }
}

impl AnalysisQuery {
    /// Returns the same page without the answers of an unfinished turn.
    fn unanswered(&self) -> AnalysisQuery {
        AnalysisQuery { zero: String::new(), one: String::new(), ..self.clone() }
    }

    /// Returns the address of the page with another outcome of chance.
    fn after_draw(&self, contest: &dyn Contest, seed: u64) -> String {
        AnalysisQuery { played: String::new(), ..self.clone() }.address(contest, seed, "/analyse")
    }

    fn address(&self, contest: &dyn Contest, seed: u64, page: &str) -> String {
        format!(
            "{page}?{}",
            query(&[
                ("game", contest.name()),
                ("moves", &self.moves),
                ("seed", &seed.cast_signed().to_string()),
                ("rules", &self.rules),
                ("played", &self.played),
                ("bot", &self.bot),
                ("budget", &self.budget),
                ("seat", &self.seat),
                ("zero", &self.zero),
                ("one", &self.one),
            ])
        )
    }
}

pub async fn page(
    State(app): State<Arc<App>>,
    Query(wanted): Query<AnalysisQuery>,
    Known(is_known): Known,
) -> Result<Html<String>, Problem> {
    blocking(app, move |_| {
        let question = Question::of(wanted)?;
        let title = format!("Analyse {}", question.contest.name());
        Ok(page::frame(
            "/analyse",
            &title,
            Some("/analyse.js"),
            &content(&question, &question.board()?, is_known),
        ))
    })
    .await
}

/// Streams the analysis, step by step.
pub async fn live(
    State(app): State<Arc<App>>,
    Query(wanted): Query<AnalysisQuery>,
    known: Known,
) -> Result<Response, Problem> {
    known.require()?;
    let question = Question::of(wanted)?;
    let mut step = 0;
    Ok(live::think(app, move |_| {
        let Some(limits) = question.step(step) else { return Update::Same };
        step += 1;
        match question.think(limits).map(|found| shifted(found, question.wanted.shift)) {
            Ok(found) if question.step(step).is_none() || found.analysis.is_proven() => {
                Update::Last(parts(&question, &found, true))
            }
            Ok(found) => Update::New(parts(&question, &found, false)),
            Err(_) if question.is_over() => {
                Update::Last(html! { p #best {} div #found { p role="status" { "The game is over." } } })
            }
            Err(problem) => {
                Update::Last(html! { div #found { p.failure role="alert" { (coded(problem.words())) } } })
            }
        }
    }))
}

/// Returns an analysis whose values have another zero.
fn shifted(mut found: PositionAnalysis, shift: f64) -> PositionAnalysis {
    if shift.is_finite() {
        found.analysis.moves.iter_mut().flat_map(|of| &mut of.value).for_each(|value| *value += shift);
    }
    found
}

/// Returns the parts of the page that show an analysis.
fn parts(question: &Question, found: &PositionAnalysis, is_over: bool) -> Markup {
    let seat = question.contest.info().seats[found.player];
    let (picture, analysis) = (&found.picture, &shown::sorted(&found.analysis));
    let scale = shown::Scale::of(analysis);
    let values: Vec<Option<f64>> = shown::values_by_square(question.contest, picture, analysis)
        .into_iter()
        .map(|value| Some(scale.factor * value?))
        .collect();
    let ranks = shown::ranks(question.contest, picture, analysis);
    let picture = &shown::with_arrows(question.contest, picture, analysis);
    let maps = analysis.maps.iter().filter(|(_, numbers)| numbers.iter().any(Option::is_some));
    let digits = scale.digits.min(board::digits(&values));
    // A search that only proves bounds of the other moves knows the value of one square.
    let is_alone = values.iter().flatten().count() == 1;
    let mut views = vec![("values of moves", Some((&values, digits)))];
    views.extend(maps.map(|(name, numbers)| (*name, Some((numbers, board::digits(numbers))))));
    views.push(("the position", None));
    html! {
        div #boards {
            @for (at, (name, numbers)) in views.iter().enumerate() {
                figure data-view=(name) hidden[at > 0] {
                    @let caption = question.caption(name);
                    @let board = match numbers {
                        Some((numbers, digits)) => {
                            let (span, ranks) = if at == 0 { (scale.span(), &ranks[..]) } else { (0.0, &[][..]) };
                            board::heat_map(picture, numbers, *digits, span, ranks, &caption)
                        }
                        None => board::svg(picture, &caption),
                    };
                    (PreEscaped(board::with_notes(picture, &board)))
                    @if let Some((numbers, digits)) = numbers {
                        @let words = match at {
                            0 if is_alone => format!("{} with the framed move", scale.meaning()),
                            0 => format!("{} with the best move to each square", scale.meaning()),
                            _ => layers::meaning(name),
                        };
                        (key(numbers, *digits, &if at == 0 { (scale.sign, scale.span()) } else { ("", 0.0) }, &words))
                    }
                }
            }
        }
        fieldset.views #views {
            legend { "On the board" }
            @for (at, (name, _)) in views.iter().enumerate() {
                label { input type="radio" name="view" value=(name) checked[at == 0]; " " (layers::label(name)) }
            }
        }
        (best(question, analysis))
        div #found data-share=[shown::share_of_zero(analysis, found.player)] data-player=(found.player.index()) {
            p.size role="status" {
                (shown::headline(analysis, &question.bot, seat))
                @if question.wanted.shift != 0.0 { ", on the scale of the curve" }
                @if !is_over { " …" }
            }
            (shown::table(question.contest, analysis, found.played.as_deref(), &ranks))
            @if scale.name == "points" && !analysis.is_proven() {
                p.legend.order { "The values are the bot's estimates at this turn: compare moves of one position, not positions." }
            }
            @if is_over && !analysis.is_proven() && question.longer().next().is_some() {
                p.controls {
                    @for seconds in question.longer() {
                        a.button.small href=(question.with_time(seconds)) { "Think " (seconds) " s" }
                    }
                }
            }
            (shown::line(question.contest, analysis))
            (shown::inputs(analysis))
        }
    }
}

/// Returns the best move with its value, which is the result of the analysis.
fn best(question: &Question, analysis: &Analysis<String>) -> Markup {
    let scale = shown::Scale::of(analysis);
    html! {
        p #best {
            @if let Some(first) = analysis.moves.first() {
                "Best: " strong { (shown::repeated_words(question.contest, &first.mv)) }
                @let value = scale.text(first);
                @if value != "–" { " " span.number { (value) } " " span.legend { (scale.meaning()) } }
            }
        }
    }
}

/// Returns the explanation of a heat map's shades: the least and the greatest number, and their meaning.
fn key(numbers: &[Option<f64>], digits: usize, (sign, span): &(&str, f64), words: &str) -> Markup {
    let text = |number: f64| format!("{}{sign}", decimal(number, digits));
    html! {
        @if let Some([least, most]) = board::ends(numbers) {
            p.heat-key.legend {
                @if text(least) == text(most) { (text(least)) }
                @else {
                    @let end = board::scale(numbers, *span).map_or(most, |[_, end]| end);
                    (text(least)) " " span.ramp role="img" aria-label="to" {} " " (text(end))
                }
                ": " (words)
            }
        }
    }
}

fn content(question: &Question, picture: &Picture, is_known: bool) -> Markup {
    let info = question.contest.info();
    let board = board::with_notes(picture, &board::svg(picture, &question.caption("the position")));
    html! {
        (games("/analyse", info.name))
        h1.path { (info.about) }
        div class=(page::with_board("replay analysis", picture, page::WIDE)) data-live=[is_known.then(|| question.address("/analyse/live"))] {
            div.stage {
                (page::whole_board(true))
                div.field tabindex="0" role="group" aria-label="Board" {
                    div.boards {
                        div #boards { figure { (PreEscaped(board)) } }
                        div.over #over aria-hidden="true" {}
                    }
                }
                fieldset.views #views hidden {}
            }
            div.side {
                p #best {}
                (tried(question))
                @let draws = if question.wanted.played.is_empty() { question.draws() } else { Vec::new() };
                @if !draws.is_empty() {
                    nav.controls.draws aria-label="Draws of chance" {
                        span.legend { "Drawn" }
                        @for (word, seed) in &draws {
                            a.button.small href=(question.wanted.after_draw(question.contest, *seed)) aria-current=[(*seed == question.seed).then_some("true")] { (word) }
                        }
                    }
                }
                p.legend #next role="status" {}
                div.acts {
                    div.choices #choices role="group" aria-label="Ways to complete the move" {}
                    @if is_known { p.legend #worth {} }
                }
                div #found {
                    @if is_known { p role="status" { (question.bot) " thinks …" } } @else { (page::read_only(false)) }
                }
                details #position data-both[question.asked() == Some(2)] data-zero=(question.wanted.zero) data-one=(question.wanted.one)
                    data-line=(question.wanted.unanswered().address(question.contest, question.seed, "/line")) data-page=(question.after(&question.moves)) {
                    summary { "Set up: bot, time and moves" }
                    (set_up(question))
                }
            }
        }
    }
}

/// Returns the moves that lead to the position. Each is a link to the position after it.
fn tried(question: &Question) -> Markup {
    let (moves, answered, seats) = (&question.moves, question.answered(), question.contest.info().seats);
    let are_long = moves.last().is_some_and(|mv| shown::sides(mv).is_some());
    let first = moves.len().saturating_sub(if are_long { LONG_LINE } else { LINE });
    let words = |mv: &str| match shown::sides(mv) {
        None => html! { (question.contest.move_words(mv)) },
        Some(sides) => html! {
            @for (seat, part) in sides.into_iter().enumerate() {
                @if seat > 0 { " · " }
                span class=(format!("seat-{seat}")) { (question.contest.move_words(part)) }
            }
        },
    };
    html! {
        @let back = if answered.is_some() { Some(&moves[..]) } else { moves.split_last().map(|(_, before)| before) };
        @if let Some(back) = back {
            nav.line aria-label="Moves to this position" {
                a.button.small href=(question.after(back)) { "Take back" }
                @if !moves.is_empty() { a.button.small href=(question.after(&[])) { "Start" } }
                ol start=(first + 1) {
                    @if first > 0 { li.more { "…" } }
                    @for (at, mv) in moves.iter().enumerate().skip(first) {
                        li { span.number { (at + 1) "." } " " a href=(question.after(&moves[..=at])) aria-current=[(at + 1 == moves.len() && answered.is_none()).then_some("step")] { (words(mv)) } }
                    }
                    @if let Some((seat, answer)) = answered {
                        li { span.number { (moves.len() + 1) "." } " " strong class=(format!("seat-{seat}")) { (seats[seat]) ": " (shown::repeated_words(question.contest, &answer.replace('\n', "; "))) } ", now " (seats[1 - seat]) }
                    }
                }
            }
        }
    }
}

/// Returns the form for everything that a click on the board cannot set.
fn set_up(question: &Question) -> Markup {
    let (info, wanted) = (question.contest.info(), &question.wanted);
    html! {
        form action="/analyse" method="get" {
            input type="hidden" name="game" value=(info.name);
            input type="hidden" name="rules" value=(wanted.rules);
            p { label { "Bot " select name="bot" {
                @for bot in info.bots { option value=(bot.name) selected[bot.name == question.bot] title=(bot.about.replace('`', "")) { (bot.name) } }
            } } " " label { "with " select name="budget" {
                @for (budget, words) in BUDGETS { option value=(budget) selected[budget == wanted.budget] { (words) } }
            } } }
            p { label { "For " select name="seat" {
                option value="" { "the player to move" }
                @for (at, seat) in info.seats.iter().enumerate() { option value=(at) selected[wanted.seat == at.to_string()] { (seat) } }
            } } " " label { "Seed " input type="text" name="seed" size="6" value=(question.seed.cast_signed()); } }
            p { label { "Moves" br; textarea name="moves" rows="4" spellcheck="false" { (question.moves.join("\n")) } } }
            p { button type="submit" { "Analyse" } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A replay asks for values on the scale of its curve: all of them change by one number.
    #[test]
    fn values_are_put_on_another_scale() {
        let question = Question::of(AnalysisQuery {
            game: "entropy".into(),
            seed: "3".into(),
            ..AnalysisQuery::default()
        });
        let found = question
            .unwrap()
            .think(Limits::per_turn(Duration::from_millis(5), Duration::from_millis(5)))
            .map_err(|problem| problem.words().to_string())
            .unwrap();
        let values = |of: &PositionAnalysis| of.analysis.moves.iter().map(|of| of.value).collect::<Vec<_>>();
        let wanted: Vec<[f64; 2]> =
            values(&found).into_iter().map(|of| of.map(|value| value - 22.0)).collect();
        assert_eq!(values(&shifted(found.clone(), -22.0)), wanted);
        assert_eq!(values(&shifted(found.clone(), f64::NAN)), values(&found));
    }

    /// Entropy draws one of seven chips. Box draws one of 720 tiles, and Cellularena draws nothing after the start.
    #[test]
    fn other_draws_are_offered() {
        let question = |game: &str, moves: &str, seed: &str| {
            let [game, moves, seed] = [game, moves, seed].map(str::to_string);
            Question::of(AnalysisQuery { game, moves, seed, ..AnalysisQuery::default() }).unwrap()
        };
        let words =
            |question: &Question| question.draws().into_iter().map(|(word, _)| word).collect::<Vec<_>>();
        let start = question("entropy", "", "3");
        assert_eq!(words(&start), ["1", "2", "3", "4", "5", "6", "7"]);
        assert!(start.draws().iter().any(|(_, seed)| *seed == 3));
        for (word, seed) in start.draws() {
            let mut judge = start.contest.judge(seed, &mut Options::rules()).unwrap();
            let player = judge.ask()[0].player;
            assert!(
                judge.prompt(player).contains(&format!("chip {word}")),
                "{word}: {}",
                judge.prompt(player)
            );
        }
        // After Chaos has placed a chip, Order slides.
        assert!(words(&question("entropy", "3Dd", "3")).is_empty());
        assert_eq!(words(&question("entropy", "3Dd\nDdDa", "3")).len(), 7);
        for game in ["box", "cellularena", "uttt", "spaghetti"] {
            assert!(words(&question(game, "", "3")).is_empty(), "{game}");
        }
    }

    /// The layers of Entropy's champion have plain names.
    #[test]
    fn layers_have_plain_names() {
        let [game, moves] = ["entropy", "3Dd\nDdDa"].map(str::to_string);
        let question = Question::of(AnalysisQuery { game, moves, ..AnalysisQuery::default() }).unwrap();
        let found = question.think(Limits { nodes: Some(10), ..Limits::NONE }).unwrap();
        assert!(!found.analysis.maps.is_empty());
        for (name, _) in &found.analysis.maps {
            assert_ne!(layers::meaning(name), shown::plain(name));
        }
    }

    /// The first move of a solved position has the best lead: 4 points, and not the one with more own points.
    #[test]
    fn the_best_move_has_the_best_lead() {
        let moves = "cfs fel dgs egs dar cdr efl icr ifr cbs ags ddr gds abs bfl aas ffs hbl iar \
            ebs ccl bal ear gal ies bgr afs gcr ggs har gfs der acr car hfs hes cgr fgs \
            fbr hcr bbl hdl ges dfs adl fcl ibl dbl idl hgs ber eer ecl eds bcr ces";
        let (game, moves, seed) =
            ("spaghetti".into(), moves.replace(' ', "\n"), "-1856029877579285046".into());
        let wanted = AnalysisQuery { game, moves, seed, ..AnalysisQuery::default() };
        let limits = Limits { nodes: Some(10_000), ..Limits::NONE };
        let moves = Question::of(wanted).unwrap().think(limits).unwrap().analysis.moves;
        assert!(moves[0].is_proven && moves.iter().all(|of| of.value[0] <= moves[0].value[0]));
        assert_eq!(moves[0].value, [4.0; 2]);
    }

    /// A finished analysis offers longer times, unless it is proven or had a longer time.
    #[test]
    fn more_time_is_offered() {
        let offered = |budget: &str| {
            let wanted =
                AnalysisQuery { game: "uttt".into(), budget: budget.into(), ..AnalysisQuery::default() };
            let question = Question::of(wanted).unwrap();
            let found = question.think(Limits { nodes: Some(10), ..Limits::NONE }).unwrap();
            let page = [false, true].map(|is_over| parts(&question, &found, is_over).into_string());
            assert!(!page[0].contains("Think "));
            [5, 30].map(|seconds| page[1].contains(&format!("Think {seconds} s")))
        };
        assert_eq!(
            ["", "5s", "30s", "1000"].map(offered),
            [[true; 2], [false, true], [false; 2], [false; 2]]
        );
    }
}
