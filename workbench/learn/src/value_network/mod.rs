//! Networks that evaluate positions. In each generation, a bot plays against itself and labels the positions with its
//! searches. Then a network is fitted to the labelled positions. The next generation plays with this network.
//!
//! | topic | type or module |
//! |---|---|
//! | the settings | [`Recipe`], in `recipe` |
//! | the interface of a game | [`ValueLearnedGame`]: implemented by the game, or derived from its [`Features`] in `own` |
//! | files of positions | [`records`] |
//! | the fit of a network's parameters | [`fit`] |
//! | games of logs instead of own games | `logs` |

pub mod fit;
mod logs;
mod own;
mod recipe;
pub mod records;

pub use recipe::{Generation, Matches, Recipe};

use crate::RecipeError;
use crate::best::{self, Best};
use crate::kind::read_start;
use crate::registry::Registry;
use crate::self_play::OPPONENT_NODES;
use crate::training::{self, Event, Length, Metrics, Outcome, Step, TrainingOptions, TrainingSession};
use anyhow::{Context, Result, anyhow, ensure};
use contender_game::{
    contest::{MoveOf, Notation, StateOf, TypedContest},
    rules::mix,
};
use contender_play::Record;
use contender_table::write_whole;
use contender_value::{Features, Model, Opponent, Record as _, TrainingGuide, ValueLearnedGame};
use fit::Fit;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// A registered game and its functions.
#[derive(Clone, Copy)]
struct Learned {
    part: &'static str,
    check: fn(&Recipe) -> Result<(), RecipeError>,
    train: Train,
}

type Train = fn(&Recipe, &TrainingOptions, &dyn Fn() -> bool, &mut dyn FnMut(Event)) -> Result<Outcome>;

/// The games that the program has registered.
static LEARNED: Registry<Learned> = Registry::new("value network", "learns_features");

/// Registers the game with this name, so that its network can be trained. This function must be called before a recipe
/// for the game is read. The game's section in the recipe has the same name.
pub fn learns_values<G: ValueLearnedGame + 'static>(name: &'static str) {
    let check = |recipe: &Recipe| recipe.settings::<G::Settings>(&recipe.game).map(|_| ());
    let train: Train = |recipe, order, is_stopped, report| {
        let settings = recipe.settings(&recipe.game)?;
        training::run(Method::new(recipe, G::new(settings)), recipe, order, is_stopped, report)
    };
    LEARNED.push(name, Learned { part: name, check, train });
}

/// The name of the recipe's section for games that implement [`Features`].
const OWN: &str = "own";

/// See [`crate::learns_features_with`].
pub(crate) fn learns<C, E>()
where
    C: TypedContest + 'static,
    StateOf<C>: Features<Move = MoveOf<C>> + Notation,
    E: TrainingGuide<StateOf<C>>,
{
    let check = |recipe: &Recipe| {
        let (game, features, most) = (&recipe.game, <StateOf<C>>::COUNT, own::MAX_FEATURES);
        if features > most {
            return Err(RecipeError::Part(format!(
                "{game} has {features} features, but a network takes at most {most}"
            )));
        }
        recipe.settings::<own::Play>(OWN).map(|_| ())
    };
    let train: Train = |recipe, order, is_stopped, report| {
        let play = recipe.settings(OWN)?;
        training::run(Method::new(recipe, own::Own::<C, E>::new(play)), recipe, order, is_stopped, report)
    };
    LEARNED.push(C::INFO.name, Learned { part: OWN, check, train });
}

/// Trains with a recipe.
///
/// # Errors
/// See [`crate::train`].
pub fn train(
    recipe: &Recipe,
    order: &TrainingOptions,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    let learned = LEARNED.find(&recipe.game)?;
    (learned.train)(recipe, order, is_stopped, report)
}

/// The state of a training run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingState {
    /// The index of the current generation, starting at 0. After the end, it is the number of generations.
    generation: usize,
    /// Number of games played in the current generation.
    games: u64,
    /// Number of positions in the generation's file.
    positions: u64,
    /// Size of these positions in bytes.
    bytes: u64,
    /// The fit, after all games have been played.
    fit: Option<Fit>,
    /// The parameters of the previous generation's network; empty in the first generation.
    network: Vec<f32>,
    /// The best network (as the contents of its file), if the recipe has matches.
    #[serde(default)]
    best: Option<Best<Vec<u8>>>,
    #[serde(default)]
    matched: usize,
    /// Sentences about the parts of the latest network that have no effect.
    #[serde(default)]
    idle: Vec<String>,
}

/// Games and fits in generations, as a learning method.
pub struct Method<'a, G: ValueLearnedGame> {
    recipe: &'a Recipe,
    game: G,
    /// The generation whose network is loaded for playing.
    player: Option<usize>,
    model: G::Network,
    /// The games of the recipe's logs, once the first generation needs them.
    logged: Option<Vec<Record>>,
    /// The examples of the current fit, and those that only measure its quality.
    examples: [Vec<<G::Network as Model>::Example>; 2],
    order: Vec<u32>,
}

/// The duration of a step.
const STEP: Duration = Duration::from_secs(1);

// Purposes of random numbers, so that their seeds differ.
const NETWORK: u64 = 1;
const FIT: u64 = 2;
const GAMES: u64 = 3;
const MATCH: u64 = 4;
const LAST_MATCH: u64 = 5;

impl<'a, G: ValueLearnedGame> Method<'a, G> {
    /// Creates the method with these settings.
    #[must_use]
    pub fn new(recipe: &'a Recipe, game: G) -> Method<'a, G> {
        let model = game.network(0);
        let examples = [Vec::new(), Vec::new()];
        Method { recipe, game, player: None, model, logged: None, examples, order: Vec::new() }
    }

    fn file(folder: &Path, generation: usize) -> PathBuf {
        folder.join(format!("generation-{}.positions", generation + 1))
    }

    fn name(&self, generation: usize) -> String {
        format!("generation {} of {}", generation + 1, self.recipe.generations.len())
    }

    /// Returns the fraction of the current generation's games that have been played. Each generation has a fixed
    /// fraction of the training run's length.
    fn played(&self, standing: &TrainingState, session: &TrainingSession<'_>) -> f64 {
        if let (0, Some(games)) = (standing.generation, &self.logged) {
            let most = self.recipe.generations[0].games.min(games.len() as u64);
            return standing.games as f64 / most as f64;
        }
        let all = self.recipe.games(self.recipe.generations.len()) as f64;
        let [start, end] = [standing.generation, standing.generation + 1]
            .map(|generations| self.recipe.games(generations) as f64 / all);
        match session.length() {
            Length::Games(games) => {
                let [start, end] = [start, end].map(|share| (share * games as f64).round());
                standing.games as f64 / (end - start).max(1.0)
            }
            // Without a game there is nothing to fit.
            Length::Minutes(_) if standing.games == 0 => 0.0,
            Length::Minutes(_) => (session.done() - start) / (end - start),
        }
    }

    /// Plays games for the duration of a step.
    fn play(&mut self, standing: &mut TrainingState, session: &mut TrainingSession<'_>) -> Result<()> {
        let generation = standing.generation;
        if self.player != Some(generation) && generation > 0 {
            self.model.numbers().clone_from(&standing.network);
            self.game.play_with(&self.model.write()).map_err(anyhow::Error::msg)?;
        }
        if self.player.is_none()
            && generation == 0
            && let Some(path) = &self.recipe.start
        {
            read_start(path, |bytes| self.game.play_with(bytes))?;
        }
        self.player = Some(generation);
        let (start, mut samples) = (Instant::now(), Vec::new());
        let before = standing.games;
        while start.elapsed() < STEP && !session.is_stopped() && self.played(standing, session) < 1.0 {
            let seed = mix(&[session.seed(), GAMES, generation as u64, standing.games]);
            let played = match self.logged.as_ref().filter(|_| generation == 0) {
                Some(games) => {
                    let Record { seed, setup, moves, .. } = &games[standing.games as usize];
                    self.game.recorded(*seed, setup, moves)
                }
                None => self.game.game(seed),
            };
            standing.games += 1;
            let place = |error| anyhow!("{}, game {}: {error}", self.name(generation), standing.games);
            samples.extend(played.map_err(place)?);
        }
        let file = Self::file(session.folder(), generation);
        standing.bytes = records::append(&file, standing.bytes, &samples)?;
        standing.positions += samples.iter().map(|sample| sample.positions() as u64).sum::<u64>();
        session.add_games(standing.games - before);
        let phase = format!("{}: games", self.name(generation));
        let done = self.played(standing, session);
        session.progress(&phase, done, standing.games, "games", format!("{} positions", standing.positions));
        Ok(())
    }

    /// Returns the contents of a network's file.
    fn bytes(&self, numbers: &[f32]) -> Vec<u8> {
        let mut model = self.game.network(0);
        model.numbers().copy_from_slice(numbers);
        model.write()
    }

    /// Plays pairs of games between a network (given as the contents of its file) and an opponent. Returns their
    /// results, or `None` if the run was stopped.
    fn pairs(
        &self,
        network: &[u8],
        opponent: Opponent<'_>,
        pairs: u32,
        seed: u64,
        session: &TrainingSession<'_>,
    ) -> Result<Option<Vec<f64>>> {
        let mut play = self.game.pairs(Some(network), opponent).map_err(anyhow::Error::msg)?;
        let result = |pair| (!session.is_stopped()).then(|| play(mix(&[seed, u64::from(pair)])));
        Ok((0..pairs).map(result).collect())
    }

    /// Plays the matches of the latest generation's network. Does nothing if the run was stopped.
    fn play_matches(
        &self,
        matches: &Matches,
        standing: &mut TrainingState,
        session: &mut TrainingSession<'_>,
    ) -> Result<Step> {
        let Some(best) = &mut standing.best else { return Ok(Step::GoOn) };
        let network = self.bytes(&standing.network);
        let is_last = standing.generation == self.recipe.generations.len();
        let pairs = if is_last { matches.last_pairs } else { matches.pairs };
        let seed = mix(&[session.seed(), MATCH, standing.generation as u64]);
        let nodes = matches.nodes.unwrap_or(OPPONENT_NODES);
        let first = ("start", Opponent::Network(best.first.as_deref()));
        let latest = best.weights.as_deref().map(|best| ("best", Opponent::Network(Some(best))));
        let bots = matches.opponents.iter().map(|name| (&name[..], Opponent::Bot(name, nodes)));
        let mut numbers = Metrics::default();
        numbers.put("generation", standing.generation as f64);
        let mut against_best = Vec::new();
        for (name, opponent) in [first].into_iter().chain(latest).chain(bots) {
            let Some(results) = self.pairs(&network, opponent, pairs, seed, session)? else {
                return Ok(Step::GoOn);
            };
            best::put(&mut numbers, name, &results, G::UNIT);
            if name == "best" {
                against_best = results;
            }
        }
        best.challenge(&network, &against_best, G::UNIT, matches.patience);
        standing.matched = standing.generation;
        session.log(numbers)?;
        Ok(Step::Save)
    }

    /// Ends the run with a match between the best network and the start network.
    fn conclude(&self, standing: &mut TrainingState, session: &TrainingSession<'_>) -> Result<Step> {
        let (Some(best), Some(matches)) = (&mut standing.best, &self.recipe.matches) else {
            return Ok(Step::Finished);
        };
        let seed = mix(&[session.seed(), LAST_MATCH]);
        let mut failure = None;
        let step = best.conclude(G::UNIT, |best, first| {
            let first = Opponent::Network(first.map(Vec::as_slice));
            let results = self.pairs(best, first, matches.last_pairs, seed, session);
            results.unwrap_or_else(|error| {
                failure = Some(error);
                None
            })
        });
        failure.map_or(Ok(step), Err)
    }

    /// Returns the number of loaded positions.
    fn positions(&self) -> usize {
        self.examples.iter().map(Vec::len).sum()
    }

    /// Reads the positions to which a generation's network is fitted. The last ones of each generation measure the fit.
    fn load(&mut self, generation: usize, folder: &Path) -> Result<()> {
        let first = generation.saturating_sub(self.recipe.generations[generation].earlier);
        let own = (first..=generation).map(|number| Self::file(folder, number));
        for file in own.chain(self.recipe.earlier_files()?) {
            let mut learn = self.game.examples(records::read(&file)?);
            let check = learn.split_off(learn.len() - learn.len() / G::CHECK);
            self.examples[0].extend(learn);
            self.examples[1].extend(check);
        }
        let all = self.positions();
        ensure!(
            all >= G::CHECK,
            "there are only {all} positions to learn from, but at least {} are needed",
            G::CHECK
        );
        Ok(())
    }

    /// Creates a generation's fit. `network` contains the parameters of the previous generation's network.
    fn begin(&self, generation: usize, network: &[f32], seed: u64) -> Result<Fit> {
        let Generation { epochs, warm, .. } = self.recipe.generations[generation];
        let mut model = self.game.network(mix(&[seed, NETWORK, generation as u64]));
        match &self.recipe.start {
            _ if !warm => {}
            Some(path) if generation == 0 => read_start(path, |bytes| model.read(bytes))?,
            _ => *model.numbers() = network.to_vec(),
        }
        Ok(Fit::new(&mut model, epochs))
    }

    /// Continues the fit for the duration of a step.
    fn fit(&mut self, standing: &mut TrainingState, session: &mut TrainingSession<'_>) -> Result<()> {
        let generation = standing.generation;
        let seed = mix(&[session.seed(), FIT, generation as u64]);
        if self.positions() == 0 {
            self.load(generation, session.folder())?;
            self.order.clear();
        }
        let [learn, check] = &self.examples;
        let fit = match &mut standing.fit {
            Some(fit) => fit,
            none => none.insert(self.begin(generation, &standing.network, session.seed())?),
        };
        let start = Instant::now();
        let mut is_enough = || start.elapsed() >= STEP || session.is_stopped();
        let fitting = &self.recipe.fit;
        let piece = fit.go_on(&mut self.model, learn, fitting, seed, &mut self.order, &mut is_enough);
        let (name, figures) = (self.name(generation), format!("loss {:.5}", piece.loss));
        let (done, seen) = (fit.done(fitting, learn.len()), fit.seen(fitting, learn.len()));
        session.progress(&format!("{name}: fit"), done, seen as u64, "positions", figures);
        if piece.is_epoch {
            let mut numbers = Metrics::default();
            for (name, number) in [
                ("generation", generation as f64 + 1.0),
                ("games", standing.games as f64),
                ("positions", self.positions() as f64),
                ("epoch", fit.epoch.into()),
                ("loss", piece.loss),
                ("loss for checking", self.model.loss(check)),
            ] {
                numbers.put(name, number);
            }
            session.log(numbers)?;
        }
        Ok(())
    }
}

impl<G: ValueLearnedGame> training::Method for Method<'_, G> {
    type State = TrainingState;

    fn length(&self) -> Length {
        Length::Games(self.recipe.games(self.recipe.generations.len()))
    }

    fn start(&self, _seed: u64) -> Result<TrainingState> {
        ensure!(
            self.recipe.start.is_some() || !self.recipe.generations[0].warm,
            "generation 1 is `warm`, but the recipe does not name a start network\nhint: add `start = FILE`"
        );
        for file in self.recipe.earlier_files()? {
            let place = || format!("`positions` in the recipe: {}", file.display());
            records::read::<G::Sample>(&file).with_context(place)?;
        }
        let mut best = None;
        if let Some(matches) = &self.recipe.matches {
            let first = self.recipe.start.as_ref();
            let first = first.map(|path| read_start(path, |bytes| Ok(bytes.to_vec()))).transpose()?;
            for name in &matches.opponents {
                let bot = self.game.pairs(None, Opponent::Bot(name, 1)).map(drop);
                bot.map_err(|error| anyhow!("invalid `matches.opponents` in the recipe: {error}"))?;
            }
            let itself = self.game.pairs(None, Opponent::Network(None)).map(drop);
            itself.map_err(|error| anyhow!("invalid `matches` in the recipe: {error}"))?;
            best = Some(Best::new(first));
        }
        Ok(TrainingState {
            generation: 0,
            games: 0,
            positions: 0,
            bytes: 0,
            fit: None,
            network: Vec::new(),
            best,
            matched: 0,
            idle: Vec::new(),
        })
    }

    fn check(&self, standing: &TrainingState) -> Result<(), String> {
        let numbers = self.game.network(0).numbers().len();
        let is_whole = standing.generation <= self.recipe.generations.len()
            && (standing.network.len() == numbers || standing.generation == 0)
            && standing.fit.as_ref().is_none_or(|fit| fit.fits(numbers));
        if is_whole { Ok(()) } else { Err("its number of parameters does not match the recipe".to_string()) }
    }

    fn step(&mut self, standing: &mut TrainingState, session: &mut TrainingSession<'_>) -> Result<Step> {
        match &self.recipe.matches {
            Some(matches) if standing.matched < standing.generation => {
                return self.play_matches(matches, standing, session);
            }
            _ => {}
        }
        let is_over = standing.generation == self.recipe.generations.len();
        if is_over || standing.best.as_ref().is_some_and(|best| best.ended.is_some()) {
            return self.conclude(standing, session);
        }
        if standing.generation == 0 && self.logged.is_none() && !self.recipe.logs.is_empty() {
            self.logged = Some(logs::read(&self.recipe.logs, &self.recipe.game)?);
        }
        if standing.fit.is_none() && self.played(standing, session) < 1.0 {
            self.play(standing, session)?;
            return Ok(Step::GoOn);
        }
        self.fit(standing, session)?;
        let Some(fit) = standing.fit.take_if(|fit| fit.is_finished()) else { return Ok(Step::GoOn) };
        *standing = TrainingState {
            generation: standing.generation + 1,
            games: 0,
            positions: 0,
            bytes: 0,
            fit: None,
            network: fit.network().to_vec(),
            idle: fit.idle_parts(&self.model),
            best: standing.best.take(),
            matched: standing.matched,
        };
        self.examples = [Vec::new(), Vec::new()];
        Ok(Step::Save)
    }

    fn verdict(&self, standing: &TrainingState) -> Option<String> {
        let mut lines = standing.idle.clone();
        match &standing.best {
            None => lines.push(best::not_measured("[matches]")),
            Some(best) => lines.extend([best.early_end(), best.verdict.clone()].into_iter().flatten()),
        }
        Some(lines.join("\n"))
    }

    fn write(&self, standing: &TrainingState, folder: &Path) -> Result<&'static str> {
        const NAME: &str = "net.bin";
        let numbers = standing.fit.as_ref().map_or(&standing.network[..], Fit::network);
        let bytes = match standing.best.as_ref().and_then(|best| best.weights.as_ref()) {
            Some(best) => best.clone(),
            None if numbers.is_empty() => self.game.network(0).write(),
            None => self.bytes(numbers),
        };
        let path = folder.join(NAME);
        write_whole(&path, |out| Ok(out.write_all(&bytes)?))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(NAME)
    }
}
