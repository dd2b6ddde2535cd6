//! A tuning from its first pair to its verdict: what is played next, and what follows from how it ended. No games and
//! no files here: the same results lead to the same next pairs, which is how a tuning goes on after it was stopped.

use crate::log::Header;
use crate::plan::Question;
use crate::{
    Duel, Fit, Method, Plan, Played, Quadratic, Recipe, Search, Space, Spsa, Surface, TestState, Unit,
};
use contender_game::{Rng, mix};
use contender_stats::{Interval, Summary};
use serde::Serialize;

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

/// A tuning under way.
#[derive(Debug)]
pub struct Tuning {
    recipe: Recipe,
    space: Space,
    unit: Unit,
    method: Method,
    seed: u64,
    batches: u64,
    noise: Summary,
    /// Pairs that were played for it.
    measured: u64,
    plan: Option<Plan>,
    /// `None` before the plan is made, and of a screen.
    search: Option<Box<dyn Search>>,
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
        let Header { recipe, seed, space, unit, method } = header.clone();
        Tuning {
            recipe,
            space,
            unit,
            method,
            seed,
            batches: 0,
            noise: Summary::default(),
            measured: 0,
            plan: None,
            search: None,
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
    /// # Errors In words for the user: parameters that do nothing, too few games for the precision, a way that is not
    /// for these parameters.
    pub fn batch(&mut self) -> Result<Option<Batch>, String> {
        if self.pending.is_none() {
            let found = self.duels()?;
            self.pending = found.map(|(phase, duels)| Batch { phase, number: self.batches, duels });
        }
        Ok(self.pending.clone())
    }

    fn duels(&mut self) -> Result<Option<(Phase, Vec<Duel>)>, String> {
        let mut rng = Rng::new(mix(&[self.seed, self.batches]));
        let wants_noise = self.recipe.noise.is_none() && !self.recipe.screen;
        if self.plan.is_none() && wants_noise && self.measured < NOISE_PAIRS {
            // Pairs as those of the tuning, around the start.
            let plan = self.question(1.0).for_pairs(NOISE_PAIRS);
            let duels = Spsa::around_start(&self.space, plan).ask(NOISE_PAIRS as usize / 2, &mut rng);
            return Ok(Some((Phase::Noise, duels)));
        }
        let plan = match self.plan {
            Some(plan) => plan,
            None => self.begin()?,
        };
        if self.tuned < plan.pairs {
            let size = (plan.pairs / 100).clamp(BATCH[0], BATCH[1]).min(plan.pairs - self.tuned) as usize;
            let duels = match &mut self.search {
                Some(search) => search.ask(size, &mut rng),
                None => {
                    let mut point = || {
                        let places = self.space.parameters.iter().map(|_| rng.unit());
                        self.space.settle(&places.collect::<Vec<_>>())
                    };
                    (0..size).map(|_| Duel { points: [point(), point()] }).collect()
                }
            };
            return Ok(Some((Phase::Tune, duels)));
        }
        let Some(answer) = self.answer.clone().filter(|_| !self.recipe.screen) else { return Ok(None) };
        if self.is_start(&answer) {
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
            (None, None) if recipe.screen => 1.0,
            (None, None) => return Err(self.failures.in_words(&self.space)),
        };
        let question = self.question(noise);
        let plan = match (recipe.precision, pairs) {
            (Some(precision), None) => question.for_precision(precision),
            (None, Some(pairs)) => question.for_pairs(pairs),
            (Some(precision), Some(pairs)) => {
                let wanted = question.for_precision(precision);
                if pairs < wanted.pairs && !recipe.screen {
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
        if !recipe.screen {
            self.search = Some(match self.method {
                Method::Surface => Box::new(Surface::new(&self.space, plan)),
                Method::Spsa => Box::new(Spsa::new(&self.space, plan)?),
            });
        }
        self.plan = Some(plan);
        Ok(plan)
    }

    fn question(&self, noise: f64) -> Question {
        let Recipe { confidence, stake, .. } = self.recipe;
        Question { parameters: self.space.len(), noise, confidence, stake }
    }

    /// Takes how the pairs of the last [`batch`](Tuning::batch) ended, in their order.
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
            played.iter().for_each(|pair| {
                test.take(pair.signal, pair.games, [0, 1].map(|side| pair.failed.0[side].is_some()));
            });
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
            if let Some(search) = &mut self.search {
                search.tell(&signals);
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
        if !is_last && self.tuned < due {
            return;
        }
        let (point, intervals) = match &self.search {
            Some(search) => (search.answer(), search.intervals()),
            None => (self.space.start(), vec![None; self.space.len()]),
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

    /// The response that the pairs of the tuning show; `None` of too few pairs.
    #[must_use]
    pub fn response(&self) -> Option<(Quadratic, Fit)> {
        let form = Quadratic::new(&self.space);
        let fit = form.fit(&self.pairs)?;
        Some((form, fit))
    }

    /// How much stronger a point is than another, and the standard error of that: by the model if there is one, else
    /// by a fit of [`response`](Tuning::response).
    #[must_use]
    pub fn difference(&self, (form, fit): &(Quadratic, Fit), a: &[f64], b: &[f64]) -> [f64; 2] {
        self.model().map_or_else(|| form.difference(fit, a, b), |model| model.difference(a, b))
    }

    /// Whether the search has a model of the response.
    #[must_use]
    pub fn has_model(&self) -> bool {
        self.model().is_some()
    }

    fn model(&self) -> Option<&Surface> {
        self.search.as_ref()?.model()
    }

    /// How much weaker than the best the answer is at most, with the recipe's confidence, by all pairs; `None` while
    /// there is no answer, and without a model.
    #[must_use]
    pub fn within(&self) -> Option<f64> {
        self.answer.as_ref().and(self.model()?.within())
    }

    /// The least and the greatest place of a parameter at which a pair was played; `None` of no pairs.
    #[must_use]
    pub fn tried(&self, parameter: usize) -> Option<Interval> {
        let places = self.pairs.iter().flat_map(|(duel, _)| &duel.points).map(|point| point[parameter]);
        let ends = places
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], place| [low.min(place), high.max(place)]);
        (ends[0] <= ends[1]).then_some(Interval { low: ends[0], high: ends[1] })
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

    /// How many, the first, and the corner where they are: the parameter whose values differ most from those of all
    /// points.
    fn in_words(&self, space: &Space) -> String {
        let first = self.first.as_deref().unwrap_or("nothing is known of it");
        let corner = (0..space.len()).filter_map(|at| {
            let places: Summary = self.points.iter().map(|point| point[at]).collect();
            // Against the ends of the range: failures on one side of it lie closer together than places do in all.
            let [low, high] = self
                .points
                .iter()
                .fold([1.0_f64, 0.0_f64], |[low, high], point| [low.min(point[at]), high.max(point[at])]);
            (places.count() > 2 && high - low < 0.75).then_some((high - low, at, low, high))
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
            method: Method::usual(parameters),
        }
    }

    /// Plays pairs whose best point is 0.7 everywhere.
    fn play(batch: &Batch, rng: &mut Rng) -> Vec<Played> {
        let strength = |point: &[f64]| -point.iter().map(|place| 100.0 * (place - 0.7).powi(2)).sum::<f64>();
        let signal = |duel: &Duel| strength(&duel.points[0]) - strength(&duel.points[1]);
        batch
            .duels
            .iter()
            .map(|duel| Played {
                signal: signal(duel) + 20.0 * normal(rng),
                failed: Outcome::default(),
                games: None,
            })
            .collect()
    }

    #[test]
    fn a_tuning_ends_with_a_verdict_and_follows_from_its_results() {
        let header = header("precision = 1", 2);
        let (mut tuning, mut rng) = (Tuning::new(&header), Rng::new(1));
        let mut played = Vec::new();
        while let Some(batch) = tuning.batch().unwrap() {
            assert_eq!(tuning.batch().unwrap().as_ref(), Some(&batch));
            played.push((batch.clone(), play(&batch, &mut rng)));
            tuning.take(&played.last().unwrap().1).unwrap();
        }
        assert_eq!(tuning.tests()[0].as_ref().unwrap().verdict(), Some(crate::Verdict::Better));
        let answer = tuning.answer().unwrap();
        assert!(answer.iter().all(|place| (place - 0.7).abs() < 0.2), "{answer:?}");
        let mut again = Tuning::new(&header);
        for (batch, results) in &played {
            assert_eq!(again.batch().unwrap().as_ref(), Some(batch));
            again.take(results).unwrap();
        }
        assert_eq!(again.answer(), tuning.answer());
        assert_eq!(again.batch(), Ok(None));
    }

    #[test]
    fn too_few_games_and_parameters_that_do_nothing_are_told() {
        let mut tuning = Tuning::new(&header("precision = 0.1\ngames = 200\nnoise = 20", 2));
        let error = tuning.batch().unwrap_err();
        assert!(error.contains("200 games are too few for a precision of 0.1"), "{error}");
        let mut tuning = Tuning::new(&header("precision = 1", 2));
        while let Ok(Some(batch)) = tuning.batch() {
            let same =
                vec![Played { signal: 0.0, failed: Outcome::default(), games: None }; batch.duels.len()];
            tuning.take(&same).unwrap();
        }
        assert!(tuning.batch().unwrap_err().contains("ended the same"));
    }

    #[test]
    fn a_corner_where_the_bot_fails_is_named() {
        let mut tuning = Tuning::new(&header("games = 4000\nnoise = 20", 2));
        let mut rng = Rng::new(2);
        let error = loop {
            let batch = tuning.batch().unwrap().unwrap();
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
        assert!(error.contains("; all of them with `p1` from 0.7721 to 1. The first: "), "{error}");
    }
}
