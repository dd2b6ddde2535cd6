//! The logic of a tuning run from the first pair to the verdict, which selects the next pairs and draws conclusions
//! from the results. This module does not play games or use files. The same results always lead to the same next pairs,
//! so a stopped run can be resumed.

mod results;

use crate::failures::BotFailures;
use crate::log::Header;
use crate::plan::PlanInput;
use crate::{
    Duel, Fit, PairResult, Plan, Quadratic, Recipe, Search, Space, Spsa, Surface, TestState, TuneError,
    TuneMethod, Unit,
};
use contender_game::rules::{Rng, mix};
use contender_stats::{Interval, MIN_PAIRS, Summary};
use serde::Serialize;

/// Number of pairs that measure the noise.
const NOISE_PAIRS: u64 = 100;
/// Minimum and maximum number of pairs in a batch. Within these limits, a batch contains a hundredth of all pairs.
const BATCH: [u64; 2] = [8, 64];
/// Number of times during a tuning run that the current answer is recorded.
const TRACE: u64 = 50;
/// Size of the loss that a failure of one bot counts as, in standard deviations of a pair. It is large enough to lead
/// the search away from failures, but does not distort the comparison of other points.
const LOSS: f64 = 2.0;

/// The purpose of a batch of pairs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Measures how much a pair's signal varies. This noise determines the plan.
    Noise,
    /// Searches for the best values.
    Tune,
    /// Tests the tuned values against the start values.
    Test,
    /// Tests the tuned values again at the time limit in the recipe.
    Clock,
}

impl Phase {
    /// Returns the phase's name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Phase::Noise => "noise",
            Phase::Tune => "tuning",
            Phase::Test => "test",
            Phase::Clock => "test at the time limit",
        }
    }
}

/// Pairs that may be played at the same time.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The phase.
    pub phase: Phase,
    /// The number of the batch in the tuning run, starting at 0.
    pub number: u64,
    /// The pairs.
    pub duels: Vec<Duel>,
}

/// The state of the search after some games.
#[derive(Clone, PartialEq, Debug)]
pub struct Traced {
    /// Number of games that the search had played by then.
    pub games: u64,
    /// The answer at that time.
    pub point: Vec<f64>,
    /// For each parameter, the range of its best position.
    pub intervals: Vec<Option<Interval>>,
}

/// The state of a tuning run.
#[derive(Debug)]
pub struct Tuning {
    recipe: Recipe,
    space: Space,
    unit: Unit,
    method: TuneMethod,
    is_test_bounded: bool,
    seed: u64,
    batches: u64,
    noise: Summary,
    /// Number of pairs that have been played to measure the noise.
    measured: u64,
    plan: Option<Plan>,
    /// The search; `None` before the plan is made and in a screening run.
    search: Option<Box<dyn Search>>,
    pending: Option<Batch>,
    /// The pairs of the search that have a signal.
    pairs: Vec<(Duel, f64)>,
    /// Number of pairs in the search, including those without a signal.
    tuned: u64,
    failures: BotFailures,
    /// Number of games that were stopped because they reached the maximum number of turns.
    endless: u64,
    /// Number of pairs in which a bot lost on time while the machine was busy.
    overloaded: u64,
    trace: Vec<Traced>,
    answer: Option<Vec<f64>>,
    tests: [Option<TestState>; 2],
}

impl Tuning {
    /// Creates the state before the first pair.
    #[must_use]
    pub fn new(header: &Header) -> Tuning {
        let Header { recipe, seed, space, unit, method, is_test_bounded } = header.clone();
        Tuning {
            recipe,
            space,
            unit,
            method,
            is_test_bounded,
            seed,
            batches: 0,
            noise: Summary::default(),
            measured: 0,
            plan: None,
            search: None,
            pending: None,
            pairs: Vec::new(),
            tuned: 0,
            failures: BotFailures::default(),
            endless: 0,
            overloaded: 0,
            trace: Vec::new(),
            answer: None,
            tests: [None, None],
        }
    }

    /// Returns the next pairs to play, or `None` if the run is complete. Repeated calls return the same pairs until the
    /// next [`take`](Tuning::take).
    ///
    /// # Errors
    /// Returns an error if the parameters have no effect, if the games are too few for the precision, or if the method
    /// does not support the parameters.
    pub fn batch(&mut self) -> Result<Option<Batch>, TuneError> {
        if self.pending.is_none() {
            let found = self.duels()?;
            self.pending = found.map(|(phase, duels)| Batch { phase, number: self.batches, duels });
        }
        Ok(self.pending.clone())
    }

    fn duels(&mut self) -> Result<Option<(Phase, Vec<Duel>)>, TuneError> {
        let mut rng = Rng::new(mix(&[self.seed, self.batches]));
        let wants_noise = self.recipe.noise.is_none() && !self.recipe.screen;
        if self.plan.is_none() && wants_noise && self.measured < NOISE_PAIRS {
            // These pairs are like those of the search, but around the start.
            let plan = self.question(1.0).for_pairs(NOISE_PAIRS);
            let duels = Spsa::around_start(&self.space, plan).ask(NOISE_PAIRS as usize / 2, &mut rng);
            return Ok(Some((Phase::Noise, self.around_failures(duels))));
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
            return Ok(Some((Phase::Tune, self.around_failures(duels))));
        }
        let Some(answer) = self.answer.clone().filter(|_| !self.recipe.screen) else { return Ok(None) };
        if self.is_start(&answer) {
            return Ok(None);
        }
        for (at, phase) in [Phase::Test, Phase::Clock].into_iter().enumerate() {
            if phase == Phase::Clock && self.recipe.test.time.is_none() {
                break;
            }
            if self.tests[at].is_none() {
                self.tests[at] = Some(
                    TestState::new(self.unit, self.gain(&plan), self.most_test_pairs(&plan))
                        .map_err(|error| TuneError::Recipe(error.to_string()))?,
                );
            }
            let test = self.tests[at].as_ref().expect("the test has started");
            if test.verdict().is_none() {
                let size = (test.most() - test.pairs()).min(BATCH[1]) as usize;
                let duel = Duel { points: [answer, self.space.start()] };
                return Ok(Some((phase, vec![duel; size])));
            }
        }
        Ok(None)
    }

    /// Returns the gain that the test looks for.
    fn gain(&self, plan: &Plan) -> f64 {
        self.recipe.test.better.unwrap_or(plan.precision)
    }

    /// Returns the maximum number of pairs in the test: the number in the recipe's `test` section, or otherwise the
    /// number of pairs in the search if the recipe sets it, or otherwise the usual number for this gain.
    #[must_use]
    pub fn most_test_pairs(&self, plan: &Plan) -> u64 {
        let games = self.recipe.test.games.or(self.recipe.games.filter(|_| self.is_test_bounded));
        let pairs =
            games.map_or_else(|| TestState::usual_most(plan.noise, self.gain(plan)), |games| games / 2);
        pairs.max(MIN_PAIRS)
    }

    /// Moves the points of duels away from points at which the bot is expected to fail.
    fn around_failures(&self, duels: Vec<Duel>) -> Vec<Duel> {
        duels.into_iter().map(|duel| self.failures.around_duel(&self.space, duel)).collect()
    }

    /// Returns a pair's signal. A failure of one bot counts as a loss. If both bots failed, or if the machine was too
    /// busy for the pair, there is no signal.
    fn signal(&self, pair: &PairResult) -> Option<f64> {
        if pair.is_overloaded {
            return None;
        }
        let signal = self.unit.of(pair.signal);
        let loss = match &self.plan {
            Some(plan) if !self.recipe.screen => LOSS * plan.noise,
            _ => signal.abs(),
        };
        match pair.failed.0.each_ref().map(Option::is_some) {
            [false, false] => Some(signal),
            [true, false] => Some(-loss),
            [false, true] => Some(loss),
            [true, true] => None,
        }
    }

    /// Makes the plan from the measured noise.
    fn begin(&mut self) -> Result<Plan, TuneError> {
        let recipe = &self.recipe;
        let pairs = recipe.games.map(|games| games / 2);
        let noise = match (recipe.noise, self.noise.standard_deviation()) {
            (Some(noise), _) => noise,
            (None, Some(noise)) if noise > 0.0 => noise,
            (None, Some(_)) => {
                return Err(TuneError::NothingToLearn { pairs: self.noise.count() });
            }
            // A screen estimates the noise from its own pairs.
            (None, None) if recipe.screen => 1.0,
            (None, None) => return Err(TuneError::Failing(self.failures.in_words(&self.space))),
        };
        let question = self.question(noise);
        let plan = match (recipe.precision, pairs) {
            (Some(precision), None) => question.for_precision(precision),
            (None, Some(pairs)) => question.for_pairs(pairs),
            (Some(precision), Some(pairs)) => {
                let wanted = question.for_precision(precision);
                if pairs < wanted.pairs && !recipe.screen {
                    return Err(TuneError::TooFewGames {
                        games: 2 * pairs,
                        precision,
                        unit: self.unit.name(),
                        needed: 2 * wanted.pairs,
                        noise,
                        reached: question.for_pairs(pairs).precision,
                    });
                }
                Plan { pairs, ..wanted }
            }
            (None, None) => return Err(TuneError::Recipe("set `precision` or `games`".to_string())),
        };
        if !recipe.screen {
            self.search = Some(match self.method {
                TuneMethod::Surface => Box::new(Surface::new(&self.space, plan)),
                TuneMethod::Spsa => Box::new(Spsa::new(&self.space, plan)?),
            });
        }
        self.plan = Some(plan);
        Ok(plan)
    }

    fn question(&self, noise: f64) -> PlanInput {
        let Recipe { confidence, stake, .. } = self.recipe;
        PlanInput { parameters: self.space.len(), noise, confidence, stake }
    }

    /// Takes the results of the last [`batch`](Tuning::batch), in the order of its pairs.
    ///
    /// # Errors
    /// Returns an error if the results do not match the batch, or if the bot fails too often.
    pub fn take(&mut self, played: &[PairResult]) -> Result<(), TuneError> {
        let unexpected = |words: &str| TuneError::Results(words.to_string());
        let batch =
            self.pending.take().ok_or_else(|| unexpected("no batch is pending: call `batch` first"))?;
        if played.len() != batch.duels.len() {
            return Err(TuneError::Results(format!(
                "batch {} has {} pairs, not {}",
                batch.number,
                batch.duels.len(),
                played.len()
            )));
        }
        self.batches += 1;
        self.endless += played.iter().map(|pair| pair.endless).sum::<u64>();
        self.overloaded += played.iter().filter(|pair| pair.is_overloaded).count() as u64;
        if batch.phase >= Phase::Test {
            let test = self.tests[usize::from(batch.phase == Phase::Clock)]
                .as_mut()
                .ok_or_else(|| unexpected("there is no test in progress"))?;
            played.iter().for_each(|pair| {
                test.take(pair.signal, pair.games, [0, 1].map(|side| pair.failed.0[side].is_some()));
            });
            return Ok(());
        }
        self.failures.take(&self.space, &batch.duels, played);
        if batch.phase == Phase::Noise {
            let fine = played.iter().filter(|pair| pair.failed.is_fine() && !pair.is_overloaded);
            self.noise.extend(fine.map(|pair| self.unit.of(pair.signal)));
            self.measured += played.len() as u64;
        } else {
            let signals: Vec<Option<f64>> = played.iter().map(|pair| self.signal(pair)).collect();
            let told = batch.duels.iter().zip(&signals);
            self.pairs.extend(told.filter_map(|(duel, signal)| Some((duel.clone(), (*signal)?))));
            self.tuned += signals.len() as u64;
            if let Some(search) = &mut self.search {
                search.tell(&batch.duels, &signals);
            }
            self.follow();
        }
        if self.failures.are_too_many() {
            Err(TuneError::Failing(self.failures.in_words(&self.space)))
        } else {
            Ok(())
        }
    }

    /// Records the current answer from time to time and at the end.
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
            self.answer = Some(self.failures.around(&self.space, self.space.settle(&point)));
        }
        self.trace.push(Traced { games: 2 * self.tuned, point, intervals });
    }

    fn is_start(&self, point: &[f64]) -> bool {
        self.space.text(point) == self.space.text(&self.space.start())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::PlanBasis;
    use contender_stats::normal;

    fn header(recipe: &str, parameters: usize) -> Header {
        let text = format!("game = \"uttt\"\nbot = \"x\"\n{recipe}\n[parameters]\np0 = {{}}\n");
        Header {
            recipe: toml::from_str(&text).unwrap(),
            seed: 7,
            space: Space::plain(parameters),
            unit: Unit::Points,
            method: TuneMethod::usual(parameters),
            is_test_bounded: true,
        }
    }

    /// Plays pairs for a response whose best place is 0.7 for every parameter.
    fn play(batch: &Batch, rng: &mut Rng) -> Vec<PairResult> {
        let strength = |point: &[f64]| -point.iter().map(|place| 100.0 * (place - 0.7).powi(2)).sum::<f64>();
        let signal = |duel: &Duel| strength(&duel.points[0]) - strength(&duel.points[1]);
        batch
            .duels
            .iter()
            .map(|duel| PairResult { signal: signal(duel) + 20.0 * normal(rng), ..PairResult::default() })
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
        assert_eq!(tuning.tests()[0].as_ref().unwrap().verdict(), Some(crate::TestResult::Better));
        let answer = tuning.answer().unwrap();
        assert!(answer.iter().all(|place| (place - 0.7).abs() < 0.2), "{answer:?}");
        let mut again = Tuning::new(&header);
        for (batch, results) in &played {
            assert_eq!(again.batch().unwrap().as_ref(), Some(batch));
            again.take(results).unwrap();
        }
        assert_eq!(again.answer(), tuning.answer());
        assert!(matches!(again.batch(), Ok(None)));
    }

    #[test]
    fn too_few_games_and_parameters_that_do_nothing_are_told() {
        let mut tuning = Tuning::new(&header("precision = 0.1\ngames = 200\nnoise = 20", 2));
        let error = tuning.batch().unwrap_err().to_string();
        assert!(error.contains("a precision of 0.1"), "{error}");
        let mut tuning = Tuning::new(&header("precision = 1", 2));
        while let Ok(Some(batch)) = tuning.batch() {
            let same = vec![PairResult::default(); batch.duels.len()];
            tuning.take(&same).unwrap();
        }
        assert!(tuning.batch().unwrap_err().to_string().contains("ended with the same result"));
    }

    #[test]
    fn games_without_end_are_counted() {
        let mut tuning = Tuning::new(&header("precision = 1", 2));
        let batch = tuning.batch().unwrap().unwrap();
        let mut played = play(&batch, &mut Rng::new(1));
        played[3].endless = 2;
        tuning.take(&played).unwrap();
        let text = crate::report::text(&tuning, 1.0);
        assert!(text.contains("warning: 2 games did not end and count as draws\n"), "{text}");
    }

    /// Neither the noise nor the answer depends on the results of such pairs. If no pair counts, the tuning run stops.
    #[test]
    fn pairs_that_a_busy_machine_decided_do_not_count() {
        let run = |signal: f64| {
            let mut tuning = Tuning::new(&header("games = 1000", 2));
            let (mut rng, mut pairs) = (Rng::new(1), 0);
            while let Some(batch) = tuning.batch().unwrap() {
                let mut played = play(&batch, &mut rng);
                for pair in &mut played {
                    pairs += 1;
                    if pairs % 7 == 0 && batch.phase < Phase::Test {
                        (pair.signal, pair.is_overloaded) = (signal, true);
                    }
                }
                tuning.take(&played).unwrap();
            }
            (tuning.noise.standard_deviation(), tuning.answer().unwrap().to_vec(), tuning.overloaded())
        };
        assert_eq!(run(0.0), run(1000.0));
        assert!(run(0.0).2 > 70);
        let mut tuning = Tuning::new(&header("games = 1000", 2));
        let lost = PairResult { is_overloaded: true, ..PairResult::default() };
        let mut next =
            || tuning.batch().and_then(|batch| tuning.take(&vec![lost.clone(); batch.unwrap().duels.len()]));
        let error = std::iter::repeat_with(|| next().err()).flatten().next().unwrap().to_string();
        assert!(error.contains("while the machine was busy"), "{error}");
        let text = crate::report::text(&tuning, 1.0);
        assert!(text.contains("pairs do not count, because a bot lost on time"), "{text}");
    }

    /// Plays pairs in which a bot fails at the points that `fails` selects.
    fn play_failing(batch: &Batch, rng: &mut Rng, fails: &dyn Fn(&[f64]) -> bool) -> Vec<PairResult> {
        let mut played = play(batch, rng);
        for (duel, pair) in batch.duels.iter().zip(&mut played) {
            pair.failed.0 =
                duel.points.each_ref().map(|point| fails(point).then(|| "crash: it crashed".to_string()));
        }
        played
    }

    /// The best point at which the bot works is at the edge of a region in which it fails. The search avoids the
    /// region, the report names it, and all pairs of the plan are played.
    #[test]
    fn a_corner_where_the_bot_fails_is_gone_around_and_named() {
        for method in ["surface", "spsa"] {
            let mut header = header(&format!("games = 4000\nnoise = 20\nmethod = \"{method}\""), 2);
            header.method = TuneMethod::parse(method).unwrap();
            let (mut tuning, mut rng) = (Tuning::new(&header), Rng::new(2));
            let fails = |point: &[f64]| point[1] > 0.6;
            let mut failed = [0, 0];
            while let Some(batch) = tuning.batch().unwrap() {
                let played = play_failing(&batch, &mut rng, &fails);
                if batch.phase == Phase::Tune {
                    let is_late = usize::from(tuning.tuned() > 1000);
                    failed[is_late] += played.iter().filter(|pair| !pair.failed.is_fine()).count();
                }
                tuning.take(&played).unwrap();
            }
            assert_eq!(tuning.tuned(), tuning.plan().unwrap().pairs);
            let answer = tuning.answer().unwrap();
            assert!(
                answer[1] > 0.45 && !fails(answer) && (answer[0] - 0.7).abs() < 0.2,
                "{method} {answer:?}"
            );
            assert!(failed[0] > 0 && failed[1] < 200, "{method} {failed:?}");
            let words = tuning.failures().unwrap();
            assert!(
                words.contains("; all of them with `p1` from 0.6") && words.contains("avoids"),
                "{words}"
            );
        }
    }

    /// If every setting fails, the tuning run ends after four batches.
    #[test]
    fn a_bot_that_always_fails_ends_the_tuning() {
        let mut tuning = Tuning::new(&header("games = 4000\nnoise = 20", 2));
        let mut batches = 0;
        let error = loop {
            let batch = tuning.batch().unwrap().unwrap();
            batches += 1;
            let played = play_failing(&batch, &mut Rng::new(2), &|_| true);
            if let Err(error) = tuning.take(&played) {
                break error.to_string();
            }
        };
        assert_eq!(batches, 4);
        assert!(
            error.starts_with("the bot failed 160 times in 80 pairs. The first: crash: it crashed"),
            "{error}"
        );
    }

    /// A fixed number of games also limits the test, and the plan says so.
    #[test]
    fn the_test_takes_no_more_games_than_the_tuning() {
        for (recipe, pairs) in [
            ("games = 400\nnoise = 20", 200),
            ("games = 400\nnoise = 20\ntest = { games = 90 }", 45),
            ("precision = 1\nnoise = 20", TestState::usual_most(20.0, 1.0)),
        ] {
            let mut tuning = Tuning::new(&header(recipe, 2));
            tuning.batch().unwrap();
            let plan = *tuning.plan().unwrap();
            assert_eq!(tuning.most_test_pairs(&plan), pairs);
            let rate = Some((2.0, "at the current rate"));
            let words = crate::report::plan(&tuning, &plan, &PlanBasis { rate, ..PlanBasis::default() });
            let said = format!("then a test of at most {} games", 2 * pairs);
            assert!(words.contains(&said), "{words}");
        }
    }
}
