//! Networks that value positions: games of a bot against itself, whose positions are labelled by its searches, and a
//! fit to them; then again with what was learned, in generations.
//!
//! | question | here |
//! |---|---|
//! | the games and networks of a game | [`Subject`]: [`entropy`], [`uttt`], `own` |
//! | positions in files | [`records`] |
//! | how a network's numbers are fitted | [`fit`] |

pub mod entropy;
pub mod fit;
mod own;
pub mod records;
pub mod uttt;

use crate::handed_down::HandedDown;
use crate::kind::{Kind, read_start};
use crate::training::{self, Event, Length, Metrics, Order, Outcome, Session, Step};
use anyhow::{Context, Result, anyhow, ensure};
use contender_game::{StateOf, TypedContest, mix};
use contender_table::write_whole;
use contender_value::Features;
use fit::{Fit, Fitting, Model};
use records::Record;
use serde::{Deserialize, Serialize};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// All settings of a training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// [`Kind::ValueNetwork`].
    pub kind: Kind,
    /// The game: `entropy` or `uttt`, which has a part of its own, or an own game with features.
    pub game: String,
    /// How games of Entropy are played.
    pub entropy: Option<entropy::Play>,
    /// How games of Ultimate Tic-Tac-Toe are played, and what is learned from them.
    pub uttt: Option<uttt::Play>,
    /// How games of an own game are played, and what is learned from them.
    pub own: Option<own::Play>,
    /// What plays the games of the first generation, as a training writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<PathBuf>,
    /// How networks are fitted.
    pub fit: Fitting,
    /// What is played and fitted, one after the other.
    pub generations: Vec<Generation>,
}

/// Games and a fit to them. The first generation's games are played without a network, or with the recipe's `start`,
/// those of each other with the network of the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Generation {
    /// How many games are played. If the length of the training is given as another one, all generations have the same
    /// share of that as of the games of the recipe.
    pub games: u64,
    /// Passes over the positions.
    pub epochs: u32,
    /// How many generations before this one are fitted to again.
    #[serde(default)]
    pub earlier: usize,
    /// Whether the fit begins with the network that played the games, in place of random weights.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warm: bool,
}

impl Recipe {
    /// Says what is wrong with the settings.
    ///
    /// # Errors
    /// In words for the user.
    pub fn check(&self) -> Result<(), String> {
        let part = match &self.game[..] {
            ours @ ("entropy" | "uttt") => ours,
            _ => "own",
        };
        let learned = OWN.all().into_iter().find(|learned| learned.game == self.game);
        if part == "own" && learned.is_none() {
            let names = OWN.all().into_iter().map(|learned| learned.game);
            let games = ["entropy", "uttt"].into_iter().chain(names).collect::<Vec<_>>().join(", ");
            return Err(format!(
                "`game` is `{}`; {games} has a network to learn. An own game has one when its states implement \
                 `contender_value::Features` and its program calls `contender::learns_features`",
                self.game
            ));
        }
        let features = learned.map_or(0, |learned| learned.features);
        if features > own::MOST_FEATURES {
            let (game, most) = (&self.game, own::MOST_FEATURES);
            return Err(format!("{game} has {features} features; a network takes {most}"));
        }
        let parts =
            [("entropy", self.entropy.is_some()), ("uttt", self.uttt.is_some()), ("own", self.own.is_some())];
        for (name, is_there) in parts {
            match (name == part, is_there) {
                (true, false) => return Err(format!("the part `[{name}]` is missing")),
                (false, true) => {
                    return Err(format!("`[{name}]` says nothing for a recipe of {}", self.game));
                }
                _ => {}
            }
        }
        if let Some(play) = &self.entropy {
            play.check()?;
        }
        if let Some(play) = &self.uttt {
            play.check()?;
        }
        if let Some(play) = &self.own {
            play.check()?;
        }
        self.fit.rate.check()?;
        if !(1..=1 << 20).contains(&self.fit.batch) {
            return Err("`fit.batch` is 1 to 1048576".to_string());
        }
        if self.generations.is_empty() {
            return Err("there is no `[[generations]]`".to_string());
        }
        for (at, generation) in self.generations.iter().enumerate() {
            if generation.games == 0 || generation.epochs == 0 || generation.earlier > at {
                let words = "has 1 game and 1 epoch at least, and `earlier` is not more than the generations before it";
                return Err(format!("generation {} {words}", at + 1));
            }
        }
        Ok(())
    }

    fn games(&self, generations: usize) -> u64 {
        self.generations[..generations].iter().map(|generation| generation.games).sum()
    }
}

/// An own game whose network is learned, and how.
#[derive(Clone, Copy)]
struct Learned {
    game: &'static str,
    features: usize,
    train: Train,
}

type Train = fn(&Recipe, own::Play, &Order, &dyn Fn() -> bool, &mut dyn FnMut(Event)) -> Result<Outcome>;

static OWN: HandedDown<Learned> = HandedDown::new();

/// See [`crate::learns_features`].
pub(crate) fn learns<C>()
where
    C: TypedContest + 'static,
    StateOf<C>: Features,
{
    let train: Train = |recipe, play, order, is_stopped, report| {
        training::run(Method::new(recipe, own::Own::<C>::new(play)), recipe, order, is_stopped, report)
    };
    OWN.push(Learned { game: C::INFO.name, features: <StateOf<C>>::COUNT, train });
}

/// Trains by a recipe.
///
/// # Errors
/// See [`crate::train`].
pub fn train(
    recipe: &Recipe,
    order: &Order,
    is_stopped: &dyn Fn() -> bool,
    report: &mut dyn FnMut(Event),
) -> Result<Outcome> {
    if let Some(play) = recipe.entropy {
        let method = Method::new(recipe, entropy::Entropy::new(play));
        return training::run(method, recipe, order, is_stopped, report);
    }
    if let Some(play) = recipe.uttt {
        let method = Method::new(recipe, uttt::Uttt::new(play));
        return training::run(method, recipe, order, is_stopped, report);
    }
    let learned = OWN.all().into_iter().find(|learned| learned.game == recipe.game).zip(recipe.own);
    let (learned, play) = learned.expect("a checked recipe is of a game that is learned and has its part");
    (learned.train)(recipe, play, order, is_stopped, report)
}

/// What a game gives for the training of a network.
pub trait Subject {
    /// A position with what is known of its worth.
    type Sample: Record;
    /// The network in floating point.
    type Network: Model;
    /// One in so many examples, the last ones, tell how well a fit does.
    const CHECK: usize;

    /// Plays from now on with this network, as [`Model::write`] wrote it.
    ///
    /// # Errors
    /// If the bytes are no network.
    fn play_with(&mut self, network: &[u8]) -> Result<(), String>;

    /// Plays a game against itself and returns its positions. Everything follows from the player and the seed.
    ///
    /// # Errors
    /// If the game has no end.
    fn game(&mut self, seed: u64) -> Result<Vec<Self::Sample>, String>;

    /// A network that has learned nothing yet.
    fn network(&self, seed: u64) -> Self::Network;

    /// The samples as the network learns from them.
    fn examples(&self, samples: Vec<Self::Sample>) -> Vec<<Self::Network as Model>::Example>;
}

/// Where a training stands.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TrainingState {
    /// The number of the present generation, from 0; that behind the last at the end.
    generation: usize,
    /// Games of the generation.
    games: u64,
    /// Their positions in its file, and the bytes of these.
    positions: u64,
    bytes: u64,
    /// The fit, when all games are played.
    fit: Option<Fit>,
    /// The numbers of the network of the generation before; empty in the first.
    network: Vec<f32>,
}

/// Games and fits in generations as a way of learning.
pub struct Method<'a, S: Subject> {
    recipe: &'a Recipe,
    subject: S,
    /// Whose network the subject plays with.
    player: Option<usize>,
    model: S::Network,
    examples: Vec<<S::Network as Model>::Example>,
    order: Vec<u32>,
}

/// How long a step is.
const STEP: Duration = Duration::from_secs(1);

// What a part of the luck is for, so that no two parts are alike.
const NETWORK: u64 = 1;
const FIT: u64 = 2;
const GAMES: u64 = 3;

impl<'a, S: Subject> Method<'a, S> {
    /// The method with these settings.
    #[must_use]
    pub fn new(recipe: &'a Recipe, subject: S) -> Method<'a, S> {
        let model = subject.network(0);
        Method { recipe, subject, player: None, model, examples: Vec::new(), order: Vec::new() }
    }

    fn file(folder: &Path, generation: usize) -> PathBuf {
        folder.join(format!("generation-{}.positions", generation + 1))
    }

    fn name(&self, generation: usize) -> String {
        format!("generation {} of {}", generation + 1, self.recipe.generations.len())
    }

    /// The share of the games of a generation that is played. All generations have their share of the training's
    /// length.
    fn played(&self, standing: &TrainingState, session: &Session<'_>) -> f64 {
        let all = self.recipe.games(self.recipe.generations.len()) as f64;
        let [start, end] = [standing.generation, standing.generation + 1]
            .map(|generations| self.recipe.games(generations) as f64 / all);
        match session.length() {
            Length::Games(games) => {
                let [start, end] = [start, end].map(|share| (share * games as f64).round());
                standing.games as f64 / (end - start).max(1.0)
            }
            // Without a game there is nothing to fit to.
            Length::Minutes(_) if standing.games == 0 => 0.0,
            Length::Minutes(_) => (session.done() - start) / (end - start),
        }
    }

    /// Plays games for a while.
    fn play(&mut self, standing: &mut TrainingState, session: &mut Session<'_>) -> Result<()> {
        let generation = standing.generation;
        if self.player != Some(generation) && generation > 0 {
            self.model.numbers().clone_from(&standing.network);
            self.subject.play_with(&self.model.write()).map_err(anyhow::Error::msg)?;
        }
        if self.player.is_none()
            && generation == 0
            && let Some(path) = &self.recipe.start
        {
            read_start(path, |bytes| self.subject.play_with(bytes))?;
        }
        self.player = Some(generation);
        let (start, mut samples) = (Instant::now(), Vec::new());
        let before = standing.games;
        while start.elapsed() < STEP && !session.is_stopped() && self.played(standing, session) < 1.0 {
            let seed = mix(&[session.seed(), GAMES, generation as u64, standing.games]);
            standing.games += 1;
            let played = self.subject.game(seed);
            let place = |error| anyhow!("{}, game {}: {error}", self.name(generation), standing.games);
            samples.extend(played.map_err(place)?);
        }
        let file = Self::file(session.folder(), generation);
        standing.bytes = records::append(&file, standing.bytes, &samples)?;
        standing.positions += samples.len() as u64;
        session.add_games(standing.games - before);
        let phase = format!("{}: games", self.name(generation));
        let done = self.played(standing, session);
        session.progress(&phase, done, standing.games, "games", format!("{} positions", standing.positions));
        Ok(())
    }

    /// Reads the positions that a generation is fitted to.
    fn load(&mut self, generation: usize, folder: &Path) -> Result<()> {
        let first = generation - self.recipe.generations[generation].earlier;
        let files: Vec<PathBuf> = (first..=generation).map(|number| Self::file(folder, number)).collect();
        self.examples = self.subject.examples(records::read(&files)?);
        let all = self.examples.len();
        ensure!(all >= S::CHECK, "{all} positions are too few to learn from; {} are enough", S::CHECK);
        Ok(())
    }

    /// The start of a generation's fit; `network` are the numbers of the network of the generation before.
    fn begin(&self, generation: usize, network: &[f32], seed: u64) -> Result<Fit> {
        let Generation { epochs, warm, .. } = self.recipe.generations[generation];
        let mut model = self.subject.network(mix(&[seed, NETWORK, generation as u64]));
        match &self.recipe.start {
            _ if !warm => {}
            Some(path) if generation == 0 => read_start(path, |bytes| model.read(bytes))?,
            _ => *model.numbers() = network.to_vec(),
        }
        Ok(Fit::new(&mut model, epochs))
    }

    /// Fits for a while.
    fn fit(&mut self, standing: &mut TrainingState, session: &mut Session<'_>) -> Result<()> {
        let generation = standing.generation;
        let seed = mix(&[session.seed(), FIT, generation as u64]);
        if self.examples.is_empty() {
            self.load(generation, session.folder())?;
            self.order.clear();
        }
        let (learn, check) = self.examples.split_at(self.examples.len() - self.examples.len() / S::CHECK);
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
                ("positions", self.examples.len() as f64),
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

impl<S: Subject> training::Method for Method<'_, S> {
    type State = TrainingState;

    fn length(&self) -> Length {
        Length::Games(self.recipe.games(self.recipe.generations.len()))
    }

    fn start(&self, _seed: u64) -> Result<TrainingState> {
        ensure!(
            self.recipe.start.is_some() || !self.recipe.generations[0].warm,
            "generation 1 is `warm`, but the recipe names no network to begin with: `start = FILE`"
        );
        Ok(TrainingState { generation: 0, games: 0, positions: 0, bytes: 0, fit: None, network: Vec::new() })
    }

    fn check(&self, standing: &TrainingState) -> Result<(), String> {
        let numbers = self.subject.network(0).numbers().len();
        let is_whole = standing.generation <= self.recipe.generations.len()
            && (standing.network.len() == numbers || standing.generation == 0)
            && standing.fit.as_ref().is_none_or(|fit| fit.fits(numbers));
        if is_whole { Ok(()) } else { Err("it has another number of numbers".to_string()) }
    }

    fn step(&mut self, standing: &mut TrainingState, session: &mut Session<'_>) -> Result<Step> {
        if standing.generation == self.recipe.generations.len() {
            return Ok(Step::Finished);
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
            network: fit.numbers,
        };
        self.examples = Vec::new();
        Ok(Step::Save)
    }

    fn write(&self, standing: &TrainingState, folder: &Path) -> Result<&'static str> {
        const NAME: &str = "net.bin";
        let mut model = self.subject.network(0);
        let numbers = standing.fit.as_ref().map_or(&standing.network, |fit| &fit.numbers);
        if !numbers.is_empty() {
            model.numbers().clone_from(numbers);
        }
        let path = folder.join(NAME);
        write_whole(&path, |out| Ok(out.write_all(&model.write())?))
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(NAME)
    }
}
