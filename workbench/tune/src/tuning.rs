//! A tuning from its first pair to its verdict: what is played next, and what follows from how it ended. No games and no files here: the
//! same results lead to the same next pairs, which is how a tuning goes on after it was stopped.

use crate::log::Header;
use crate::plan::{Question, REACH};
use crate::recipe::Kind;
use crate::{Duel, Fit, Model, Plan, Played, Quadratic, Recipe, Search, Space, Spsa, TestState};
use contender_game::{Rng, mix};
use contender_stats::{ELO_OF_SCORE, Interval, Summary};
use serde::{Deserialize, Serialize};

/// Pairs that measure the noise.
const NOISE_PAIRS: u64 = 100;
/// Pairs of a batch: a hundredth of the tuning, between these.
const BATCH: [u64; 2] = [8, 64];
/// Where a parameter stood is kept so often in a tuning.
const TRACE: u64 = 50;
/// So many pairs with a failure, if they are more than [`FAILING_SHARE`] of all, end a tuning.
const FAILING_PAIRS: usize = 10;
/// See [`FAILING_PAIRS`].
const FAILING_SHARE: f64 = 0.25;

/// What strengths are measured in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Points a game.
    Points,
    /// Elo, by the slope at equal strength.
    Elo,
}

impl Unit {
    /// A pair's signal in this unit.
    #[must_use]
    pub fn of(self, raw: f64) -> f64 {
        match self {
            Unit::Points => raw,
            Unit::Elo => ELO_OF_SCORE * raw,
        }
    }

    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Unit::Points => "points a game",
            Unit::Elo => "Elo",
        }
    }
}

/// What a batch of pairs is for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// How much a pair's signal varies, from which the plan follows.
    Noise,
    /// The tuning.
    Tune,
    /// The tuned values against those of the start.
    Test,
    /// The same at the clock that the recipe asks for.
    Clock,
}

impl Phase {
    /// In words.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Noise => "noise",
            Phase::Tune => "tuning",
            Phase::Test => "test",
            Phase::Clock => "test at the clock",
        }
    }
}

/// Pairs to play, all at once if there are cores.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// What for.
    pub phase: Phase,
    /// Its number in the tuning, from 0.
    pub number: u64,
    /// The pairs.
    pub duels: Vec<Duel>,
}

/// Where a tuning was after some games.
#[derive(Clone, PartialEq, Debug)]
pub struct Traced {
    /// Games of the tuning so far.
    pub games: u64,
    /// The answer then.
    pub point: Vec<f64>,
    /// For each parameter the range of its best place.
    pub intervals: Vec<Option<Interval>>,
}

/// Pairs that had a failure.
#[derive(Clone, PartialEq, Debug, Default)]
struct Failures {
    /// The points of the bots that failed.
    points: Vec<Vec<f64>>,
    /// What happened first, with the settings.
    first: Option<String>,
    /// How many pairs there were in all.
    pairs: usize,
}

/// The three ways.
#[derive(Clone, Debug)]
enum Way {
    Spsa(Spsa),
    Model(Box<Model>),
    Screen,
}

/// A tuning under way.
#[derive(Clone, Debug)]
pub struct Tuning {
    recipe: Recipe,
    space: Space,
    unit: Unit,
    seed: u64,
    batches: u64,
    noise: Summary,
    /// Pairs that were played for it.
    measured: u64,
    plan: Option<Plan>,
    way: Option<Way>,
    pending: Option<Batch>,
    /// Of the tuning, those that have a signal.
    pairs: Vec<(Duel, f64)>,
    /// Pairs of the tuning, those without a signal included.
    tuned: u64,
    failures: Failures,
    trace: Vec<Traced>,
    answer: Option<Vec<f64>>,
    tests: [Option<TestState>; 2],
}

impl Tuning {
    /// Before the first pair.
    #[must_use]
    pub fn new(header: &Header) -> Tuning {
        let Header { recipe, seed, space, unit } = header.clone();
        Tuning {
            recipe,
            space,
            unit,
            seed,
            batches: 0,
            noise: Summary::default(),
            measured: 0,
            plan: None,
            way: None,
            pending: None,
            pairs: Vec::new(),
            tuned: 0,
            failures: Failures::default(),
            trace: Vec::new(),
            answer: None,
            tests: [None, None],
        }
    }

    /// The next pairs; `None` when all is done. Asked again before [`take`](Tuning::take), the same.
    ///
    /// # Errors
    /// In words for the user: parameters that do nothing, too few games for the precision, a way that is not for these parameters.
    pub fn next(&mut self) -> Result<Option<Batch>, String> {
        if self.pending.is_none() {
            let found = self.duels()?;
            self.pending = found.map(|(phase, duels)| Batch { phase, number: self.batches, duels });
        }
        Ok(self.pending.clone())
    }

    fn duels(&mut self) -> Result<Option<(Phase, Vec<Duel>)>, String> {
        let mut rng = Rng::new(mix(&[self.seed, self.batches]));
        let wants_noise = self.recipe.noise.is_none() && self.recipe.kind() != Kind::Screen;
        if self.plan.is_none() && wants_noise && self.measured < NOISE_PAIRS {
            let start = self.space.start();
            let duel = |rng: &mut Rng| {
                let sides: Vec<f64> = start
                    .iter()
                    .map(|_| REACH * if rng.next_u64() >> 63 == 0 { 1.0 } else { -1.0 })
                    .collect();
                let point = |side: f64| -> Vec<f64> {
                    start.iter().zip(&sides).map(|(place, by)| place + side * by).collect()
                };
                Duel { points: [1.0, -1.0].map(|side| self.space.settle_by_chance(&point(side), rng)) }
            };
            let duels = (0..NOISE_PAIRS / 2).map(|_| duel(&mut rng)).collect();
            return Ok(Some((Phase::Noise, duels)));
        }
        let plan = match self.plan {
            Some(plan) => plan,
            None => self.begin()?,
        };
        if self.tuned < plan.pairs {
            let size = (plan.pairs / 100).clamp(BATCH[0], BATCH[1]).min(plan.pairs - self.tuned) as usize;
            let duels = match self.way.as_mut().expect("it is made with the plan") {
                Way::Spsa(spsa) => spsa.ask(size, &mut rng),
                Way::Model(model) => model.ask(size, &mut rng),
                Way::Screen => {
                    let mut point = || {
                        self.space
                            .settle(&self.space.parameters.iter().map(|_| rng.unit()).collect::<Vec<_>>())
                    };
                    (0..size).map(|_| Duel { points: [point(), point()] }).collect()
                }
            };
            return Ok(Some((Phase::Tune, duels)));
        }
        let Some(answer) = self.answer.clone() else { return Ok(None) };
        if self.recipe.kind() == Kind::Screen || self.is_start(&answer) {
            return Ok(None);
        }
        for (at, phase) in [Phase::Test, Phase::Clock].into_iter().enumerate() {
            if phase == Phase::Clock && self.recipe.test.time.is_none() {
                break;
            }
            let better = self.recipe.test.better.unwrap_or(plan.precision);
            let most = self
                .recipe
                .test
                .games
                .map_or_else(|| TestState::usual_most(plan.noise, better), |games| games / 2);
            if self.tests[at].is_none() {
                self.tests[at] = Some(TestState::new(self.unit, better, most)?);
            }
            let test = self.tests[at].as_ref().expect("it was made");
            if test.verdict().is_none() {
                let size = (test.most() - test.pairs()).min(BATCH[1]) as usize;
                let duel = Duel { points: [answer, self.space.start()] };
                return Ok(Some((phase, vec![duel; size])));
            }
        }
        Ok(None)
    }

    /// Makes the plan from what is known of the noise.
    fn begin(&mut self) -> Result<Plan, String> {
        let recipe = &self.recipe;
        let pairs = recipe.games.map(|games| games / 2);
        let noise = match (recipe.noise, self.noise.standard_deviation()) {
            (Some(noise), _) => noise,
            (None, Some(noise)) if noise > 0.0 => noise,
            (None, Some(_)) => {
                return Err(format!(
                    "all of the first {} pairs ended the same: nothing can be learned from them. The parameters change nothing within their \
                     ranges, or games have no luck: `rules` or `openings` bring some",
                    self.noise.count()
                ));
            }
            // A screen finds it out as it goes.
            (None, None) if recipe.kind() == Kind::Screen => 1.0,
            (None, None) => return Err(self.failures.in_words(&self.space)),
        };
        let question = Question {
            kind: recipe.kind(),
            parameters: self.space.len(),
            noise,
            confidence: recipe.confidence,
            stake: recipe.stake,
        };
        let plan = match (recipe.precision, pairs) {
            (Some(precision), None) => question.for_precision(precision),
            (None, Some(pairs)) => question.for_pairs(pairs),
            (Some(precision), Some(pairs)) => {
                let wanted = question.for_precision(precision);
                if pairs < wanted.pairs && recipe.kind() != Kind::Screen {
                    let reached = question.for_pairs(pairs);
                    return Err(format!(
                        "{} games are too few for a precision of {precision} {}: it takes {} (a pair's standard deviation is {noise:.1}); \
                         {} games reach {:.1}",
                        2 * pairs,
                        self.unit.name(),
                        2 * wanted.pairs,
                        2 * pairs,
                        reached.precision
                    ));
                }
                Plan { pairs, ..wanted }
            }
            (None, None) => return Err("say `precision`, or `games`".to_string()),
        };
        self.way = Some(match recipe.kind() {
            Kind::Spsa => Way::Spsa(Spsa::new(&self.space, plan)?),
            Kind::Model => Way::Model(Box::new(Model::new(&self.space, plan)?)),
            Kind::Screen => Way::Screen,
        });
        self.plan = Some(plan);
        Ok(plan)
    }

    /// Takes how the pairs of the last [`next`](Tuning::next) ended, in their order.
    ///
    /// # Errors
    /// In words for the user: pairs that do not fit, or a bot that fails too often to learn anything.
    pub fn take(&mut self, played: &[Played]) -> Result<(), String> {
        let batch = self.pending.take().ok_or("there is no batch to take")?;
        if played.len() != batch.duels.len() {
            return Err(format!(
                "batch {} has {} pairs, not {}",
                batch.number,
                batch.duels.len(),
                played.len()
            ));
        }
        self.batches += 1;
        if batch.phase >= Phase::Test {
            let test = self.tests[usize::from(batch.phase == Phase::Clock)]
                .as_mut()
                .ok_or("there is no test under way")?;
            played
                .iter()
                .for_each(|pair| test.take(pair.signal, [0, 1].map(|side| pair.failed.0[side].is_some())));
            return Ok(());
        }
        self.failures.take(&self.space, &batch.duels, played);
        let signals: Vec<Option<f64>> =
            played.iter().map(|pair| pair.failed.is_fine().then(|| self.unit.of(pair.signal))).collect();
        if batch.phase == Phase::Noise {
            self.noise.extend(signals.iter().flatten().copied());
            self.measured += signals.len() as u64;
        } else {
            let told = batch.duels.iter().zip(&signals);
            self.pairs.extend(told.filter_map(|(duel, signal)| Some((duel.clone(), (*signal)?))));
            self.tuned += signals.len() as u64;
            match self.way.as_mut() {
                Some(Way::Spsa(spsa)) => spsa.tell(&signals),
                Some(Way::Model(model)) => model.tell(&signals),
                _ => {}
            }
            self.follow();
        }
        if self.failures.are_too_many() { Err(self.failures.in_words(&self.space)) } else { Ok(()) }
    }

    /// Keeps where the parameters are now, and the answer at the end.
    fn follow(&mut self) {
        let Some(plan) = self.plan else { return };
        let is_last = self.tuned >= plan.pairs;
        let due = self.trace.len() as u64 * plan.pairs / TRACE;
        let (point, intervals) = match &self.way {
            Some(Way::Spsa(spsa)) if is_last || self.tuned >= due => (spsa.answer(), spsa.intervals()),
            Some(Way::Model(model)) if is_last || self.tuned >= due => (model.answer(), model.intervals()),
            Some(Way::Screen) => (self.space.start(), vec![None; self.space.len()]),
            _ => return,
        };
        if is_last {
            self.answer = Some(self.space.settle(&point));
        }
        self.trace.push(Traced { games: 2 * self.tuned, point, intervals });
    }

    fn is_start(&self, point: &[f64]) -> bool {
        self.space.text(point) == self.space.text(&self.space.start())
    }

    /// The recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// What is tuned.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The unit of strengths.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// What it promises and takes; `None` before the noise is known.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// The best values, once they are known, as a point that can be set.
    #[must_use]
    pub fn answer(&self) -> Option<&[f64]> {
        self.answer.as_deref()
    }

    /// Where it was, from the first games to the last.
    #[must_use]
    pub fn trace(&self) -> &[Traced] {
        &self.trace
    }

    /// The test, and the one at the clock.
    #[must_use]
    pub fn tests(&self) -> &[Option<TestState>; 2] {
        &self.tests
    }

    /// Pairs that have measured the noise, and all that are to.
    #[must_use]
    pub fn noise_pairs(&self) -> (u64, u64) {
        (self.measured, NOISE_PAIRS)
    }

    /// Pairs of the tuning that are played.
    #[must_use]
    pub fn tuned(&self) -> u64 {
        self.tuned
    }

    /// Pairs in which a bot failed, and in words what and where; `None` where there were none.
    #[must_use]
    pub fn failures(&self) -> Option<String> {
        (!self.failures.points.is_empty()).then(|| self.failures.in_words(&self.space))
    }

    /// The response that the pairs of the tuning show, without products of parameters but for a model; `None` of no pairs.
    #[must_use]
    pub fn response(&self) -> Option<(Quadratic, Fit)> {
        if let Some(Way::Model(model)) = &self.way {
            return model.response().map(|(form, fit)| (form.clone(), fit.clone()));
        }
        let plan = self.plan?;
        let form = Quadratic::new(&self.space, false);
        let spread: Summary = self.pairs.iter().map(|(_, signal)| *signal).collect();
        let noise = spread.standard_deviation().filter(|&noise| noise > 0.0)?;
        // A screen knows of no stake.
        let is_screen = matches!(self.way, Some(Way::Screen));
        let belief = if is_screen { form.no_belief(noise) } else { form.belief(plan.stake) };
        let rows: Vec<Vec<f64>> = self.pairs.iter().map(|(duel, _)| form.apart(duel)).collect();
        let signals = self.pairs.iter().map(|(_, signal)| *signal);
        let fit = form.fit(
            rows.iter().zip(signals).map(|(row, signal)| (row.as_slice(), signal, 1.0)),
            &belief,
            noise,
        );
        Some((form, fit))
    }

    /// How much worse than the best the model's answer is at most, with 95% confidence.
    #[must_use]
    pub fn most_lost(&self) -> Option<f64> {
        match &self.way {
            Some(Way::Model(model)) => model.known().map(|(_, most)| most),
            _ => None,
        }
    }
}

impl Failures {
    fn take(&mut self, space: &Space, duels: &[Duel], played: &[Played]) {
        self.pairs += played.len();
        for (duel, pair) in duels.iter().zip(played) {
            for (point, words) in duel.points.iter().zip(&pair.failed.0) {
                let Some(words) = words else { continue };
                self.points.push(point.clone());
                self.first.get_or_insert_with(|| format!("{} with {}", words, space.text(point)));
            }
        }
    }

    fn are_too_many(&self) -> bool {
        self.points.len() >= FAILING_PAIRS && self.points.len() as f64 > FAILING_SHARE * self.pairs as f64
    }

    /// How many, the first, and the corner where they are: the parameter whose values differ most from those of all points.
    fn in_words(&self, space: &Space) -> String {
        let first = self.first.as_deref().unwrap_or("nothing is known of it");
        let corner = (0..space.len()).filter_map(|at| {
            let places: Summary = self.points.iter().map(|point| point[at]).collect();
            // Against the ends of the range: failures on one side of it lie closer together than places do in all.
            let [low, high] = self
                .points
                .iter()
                .fold([1.0_f64, 0.0_f64], |[low, high], point| [low.min(point[at]), high.max(point[at])]);
            (places.count() > 2 && high - low < 0.75).then(|| (high - low, at, low, high))
        });
        let corner = corner.min_by(|a, b| a.0.total_cmp(&b.0)).map_or(String::new(), |(_, at, low, high)| {
            let parameter = &space.parameters[at];
            format!(
                "; all of them with `{}` from {} to {}",
                parameter.name,
                parameter.text(low),
                parameter.text(high)
            )
        });
        format!(
            "the bot failed {} times in {} pairs, which are no signal{corner}. The first: {first}",
            self.points.len(),
            self.pairs
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Outcome;
    use crate::simulation::plain_space;
    use contender_stats::normal;

    fn header(recipe: &str, parameters: usize) -> Header {
        let text = format!("game = \"uttt\"\nbot = \"x\"\n{recipe}\n[parameters]\np0 = {{}}\n");
        Header {
            recipe: toml::from_str(&text).unwrap(),
            seed: 7,
            space: plain_space(parameters),
            unit: Unit::Points,
        }
    }

    /// Plays pairs whose best point is 0.7 everywhere.
    fn play(batch: &Batch, rng: &mut Rng) -> Vec<Played> {
        let strength = |point: &[f64]| -point.iter().map(|place| 100.0 * (place - 0.7).powi(2)).sum::<f64>();
        let signal = |duel: &Duel| strength(&duel.points[0]) - strength(&duel.points[1]);
        batch
            .duels
            .iter()
            .map(|duel| Played { signal: signal(duel) + 20.0 * normal(rng), failed: Outcome::default() })
            .collect()
    }

    #[test]
    fn a_tuning_ends_with_a_verdict_and_follows_from_its_results() {
        for method in ["spsa", "model"] {
            let header = header(&format!("precision = 1\nmethod = \"{method}\""), 2);
            let (mut tuning, mut rng) = (Tuning::new(&header), Rng::new(1));
            let mut played = Vec::new();
            while let Some(batch) = tuning.next().unwrap() {
                assert_eq!(tuning.next().unwrap().as_ref(), Some(&batch));
                played.push((batch.clone(), play(&batch, &mut rng)));
                tuning.take(&played.last().unwrap().1).unwrap();
            }
            assert_eq!(tuning.tests()[0].as_ref().unwrap().verdict(), Some(crate::Verdict::Better));
            assert!(
                tuning.answer().unwrap().iter().all(|place| (place - 0.7).abs() < 0.2),
                "{:?}",
                tuning.answer()
            );
            let mut again = Tuning::new(&header);
            for (batch, results) in &played {
                assert_eq!(again.next().unwrap().as_ref(), Some(batch));
                again.take(results).unwrap();
            }
            assert_eq!(again.answer(), tuning.answer());
            assert_eq!(again.next(), Ok(None));
        }
    }

    #[test]
    fn too_few_games_and_parameters_that_do_nothing_are_told() {
        let mut tuning = Tuning::new(&header("precision = 0.1\ngames = 200\nnoise = 20", 2));
        let error = tuning.next().unwrap_err();
        assert!(error.contains("200 games are too few for a precision of 0.1"), "{error}");
        let mut tuning = Tuning::new(&header("precision = 1", 2));
        while let Ok(Some(batch)) = tuning.next() {
            let same = vec![Played { signal: 0.0, failed: Outcome::default() }; batch.duels.len()];
            tuning.take(&same).unwrap();
        }
        assert!(tuning.next().unwrap_err().contains("ended the same"));
    }

    #[test]
    fn a_corner_where_the_bot_fails_is_named() {
        let mut tuning = Tuning::new(&header("games = 4000\nnoise = 20\nmethod = \"model\"", 2));
        let mut rng = Rng::new(2);
        let error = loop {
            let batch = tuning.next().unwrap().unwrap();
            let mut played = play(&batch, &mut rng);
            for (duel, pair) in batch.duels.iter().zip(&mut played) {
                for side in 0..2 {
                    if duel.points[side][1] > 0.6 {
                        pair.failed.0[side] = Some("crash: it crashed".to_string());
                    }
                }
            }
            if let Err(error) = tuning.take(&played) {
                break error;
            }
        };
        assert!(error.contains("`p1` from 0.6"), "{error}");
    }
}
