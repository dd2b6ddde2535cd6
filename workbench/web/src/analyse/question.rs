//! The question that an analysis asks a bundled bot: a position, the bot, and its budget.

use crate::moves::joint;
use crate::page::Problem;
use crate::play::seed;
use crate::text::query;
use contender_catalogue::{contests, find};
use contender_game::{
    board::Picture,
    contest::{BotSetup, Contest, Limits, Position, PositionAnalysis},
    rules::Player,
    settings::Options,
};
use contender_plot::board::MoveOnBoard;
use contender_referee::judging_bot;
use serde::Deserialize;
use std::time::Duration;

/// Number by which the whole budget is divided to get the budget of the first step. Each further step gets twice as
/// much as the one before.
const FIRST: u32 = 64;
/// Thinking times in seconds that a finished analysis offers if they are longer than its own.
const LONGER: [u64; 2] = [5, 30];
/// Minimum thinking time of a step; a shorter analysis would be of little use.
const MIN_TIME: Duration = Duration::from_millis(30);

/// Number of seeds to try in order to find the other outcomes of chance, and the maximum number of outcomes to offer.
const SEEDS: u64 = 60;
const MAX_DRAWS: usize = 10;

/// A position and the bot that analyses it.
#[derive(Deserialize, Clone, Default)]
#[serde(default)]
pub struct AnalysisQuery {
    pub game: String,
    /// The moves from the start, one per line, or in the form of `contender analyse --moves`.
    pub moves: String,
    /// The seed of the start position.
    pub seed: String,
    /// Rule variants, `key=value,key=value`.
    pub rules: String,
    /// The move that was played next, if known.
    pub played: String,
    /// Number to add to each value, which puts it on the scale of a replay's curve.
    pub shift: f64,
    pub bot: String,
    pub budget: String,
    /// The seat whose move is chosen if both players move at once.
    pub seat: String,
    /// The answers of seats 0 and 1 in this position, one line per action, if the other player must still answer.
    pub zero: String,
    pub one: String,
}

/// The checked request.
pub struct Question {
    pub contest: &'static dyn Contest,
    pub wanted: AnalysisQuery,
    pub moves: Vec<String>,
    pub seed: u64,
    pub player: Option<Player>,
    pub bot: String,
    pub options: Options,
    pub budget: Limits,
}

impl Question {
    pub fn of(wanted: AnalysisQuery) -> Result<Question, Problem> {
        let name = if wanted.game.is_empty() { contests()[0].name() } else { &wanted.game };
        let contest = find(name).ok_or_else(|| Problem::not_found(format!("There is no game {name}.")))?;
        let named = Some(wanted.bot.as_str()).filter(|bot| !bot.is_empty());
        let (bot, options) = judging_bot(contest, named).map_err(Problem::bad)?;
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

    pub fn rules(&self) -> Result<Options, Problem> {
        Options::parse(&self.wanted.rules).map_err(Problem::bad)
    }

    /// Returns the picture of the position, whether or not it is anyone's turn.
    pub fn board(&self) -> Result<Picture, Problem> {
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
    pub fn asked(&self) -> Option<usize> {
        let mut judge = self.contest.judge(self.seed, &mut self.rules().ok()?).ok()?;
        self.moves.iter().try_for_each(|mv| judge.replay(mv)).ok()?;
        Some(judge.ask().len())
    }

    /// Returns whether the game has ended, so that there is no move.
    pub fn is_over(&self) -> bool {
        self.asked() == Some(0)
    }

    /// Returns the budget of a step, or `None` after the last step.
    pub fn step(&self, step: u32) -> Option<Limits> {
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
    pub fn draws(&self) -> Vec<(String, u64)> {
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

    pub fn think(&self, limits: Limits) -> Result<PositionAnalysis, Problem> {
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

    pub fn caption(&self, what: &str) -> String {
        format!("{}, {what} after {} moves", self.contest.name(), self.moves.len())
    }

    /// Returns the address of the page for the position after other moves.
    pub fn after(&self, moves: &[String]) -> String {
        let wanted =
            AnalysisQuery { moves: moves.join("\n"), played: String::new(), ..self.wanted.unanswered() };
        wanted.address(self.contest, self.seed, "/analyse")
    }

    /// Returns the answer in the unfinished turn of both players, with its seat.
    pub fn answered(&self) -> Option<(usize, &str)> {
        let answers = [&self.wanted.zero, &self.wanted.one];
        answers.into_iter().map(String::as_str).enumerate().find(|(_, answer)| !answer.is_empty())
    }

    /// Returns the answer in the unfinished turn of both players for the board before this turn.
    pub fn pending(&self) -> Option<MoveOnBoard> {
        let (seat, answer) = self.answered()?;
        let mut judge = self.contest.judge(self.seed, &mut self.rules().ok()?).ok()?;
        self.moves.iter().try_for_each(|mv| judge.replay(mv)).ok()?;
        Some(joint(judge.as_mut(), self.contest, Player::BOTH[seat], &answer.replace('\n', ";")))
    }

    /// Returns the longer times to offer after the analysis, in seconds.
    pub fn longer(&self) -> impl Iterator<Item = u64> + use<> {
        let now = self.budget.turn.unwrap_or(Duration::MAX);
        LONGER.into_iter().filter(move |&seconds| Duration::from_secs(seconds) > now)
    }

    /// Returns the address of the page with this thinking time in seconds.
    pub fn with_time(&self, seconds: u64) -> String {
        let wanted = AnalysisQuery { budget: format!("{seconds}s"), ..self.wanted.clone() };
        wanted.address(self.contest, self.seed, "/analyse")
    }

    pub fn address(&self, page: &str) -> String {
        self.wanted.address(self.contest, self.seed, page)
    }
}

impl AnalysisQuery {
    /// Returns the same page without the answers of an unfinished turn.
    pub fn unanswered(&self) -> AnalysisQuery {
        AnalysisQuery { zero: String::new(), one: String::new(), ..self.clone() }
    }

    /// Returns the address of the page with another outcome of chance.
    pub fn after_draw(&self, contest: &dyn Contest, seed: u64) -> String {
        AnalysisQuery { played: String::new(), ..self.clone() }.address(contest, seed, "/analyse")
    }

    pub fn address(&self, contest: &dyn Contest, seed: u64, page: &str) -> String {
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

/// Returns an analysis whose values have another zero. Proven values are final, so they stay.
pub fn shifted(mut found: PositionAnalysis, shift: f64) -> PositionAnalysis {
    if shift.is_finite() && !found.analysis.is_proven() {
        found.analysis.moves.iter_mut().flat_map(|of| &mut of.value).for_each(|value| *value += shift);
    }
    found
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
}
