//! The games of a round, played on this machine or on other machines.

use super::bots::bot;
use super::evaluator::{Evaluator, clock};
use super::games::{Played, Seat, play};
use super::recipe::Recipe;
use super::record;
use super::teacher::{Teacher, file_of};
use contender_game::rules::{Player, Rng, mix};
use contender_nn::policy_value::Network;
use contender_puct::LearnedGame;
use serde::{Deserialize, Serialize};
use std::marker::PhantomData;

/// A player of a round's games. Each game depends only on the recipe, the seed, the round, the game's number and the
/// networks.
pub(super) struct Actor<'a, S: LearnedGame> {
    recipe: &'a Recipe,
    seed: u64,
    round: u64,
    network: Network,
    former: Vec<Network>,
    /// The teacher, if it is a network.
    teacher: Option<Network>,
    subject: PhantomData<S>,
}

impl<'a, S: LearnedGame> Actor<'a, S> {
    /// Creates an actor from networks in the format of [`LearnedGame::write`]: first the network that is being trained,
    /// then its past checkpoints, and last the teacher if it is a network.
    ///
    /// # Errors
    /// Returns an error if a network is invalid.
    pub(super) fn new(
        recipe: &'a Recipe,
        seed: u64,
        round: u64,
        networks: &[impl AsRef<[u8]>],
    ) -> Result<Actor<'a, S>, String> {
        let read = |bytes: &_| S::read(AsRef::as_ref(bytes)).map(|(shape, all)| Network::new(shape, &all));
        let mut networks = networks.iter().map(read).collect::<Result<Vec<_>, String>>()?;
        let has_teacher = recipe.is_imitating(round) && file_of(&recipe.imitation).is_some();
        let teacher = if has_teacher { networks.pop() } else { None };
        let mut former = networks.into_iter();
        let network = former.next().ok_or("there is no network")?;
        Ok(Actor { recipe, seed, round, network, former: former.collect(), teacher, subject: PhantomData })
    }

    /// Plays the game with this number.
    ///
    /// # Errors
    /// Returns an error if a bot is unknown or the game does not end.
    pub(super) fn game(&self, game: u64) -> Result<Played<S>, String> {
        let Recipe { imitation, pool, .. } = self.recipe;
        let is_imitating = self.recipe.is_imitating(self.round);
        let game_seed = mix(&[self.seed, self.round, game]);
        let mut rng = Rng::new(mix(&[game_seed, 1]));
        let teacher = || Teacher::new(imitation, &self.network, self.teacher.as_ref(), game_seed);
        let teacher = if is_imitating { Some(teacher()?) } else { None };
        let guests = pool.bots.len() + self.former.len();
        let guest = (guests > 0 && rng.unit() < pool.share).then(|| rng.index(guests));
        let guest_seat = Player::BOTH[(game % 2) as usize];
        let mut seat = |player: Player| -> Result<Seat<'_, S>, String> {
            let own = Evaluator::new(&self.network);
            Ok(match guest.filter(|_| player == guest_seat) {
                Some(guest) => match pool.bots.get(guest) {
                    Some(name) => Seat::Bot(bot::<S>(name, game_seed)?, clock(pool.nodes)),
                    None => Seat::Former(Evaluator::new(&self.former[guest - pool.bots.len()])),
                },
                None if is_imitating && rng.unit() >= imitation.own_share => Seat::Teacher(own),
                None => Seat::Learner(own),
            })
        };
        let seats = [seat(Player::Zero)?, seat(Player::One)?];
        play(game_seed, seats, teacher, self.recipe, &mut rng)
            .map_err(|error| format!("round {}, game {}: {error}", self.round + 1, game + 1))
    }
}

/// A batch of games from a round, which can be sent to another machine together with the networks.
#[derive(Serialize, Deserialize)]
pub(super) struct Batch {
    pub(super) recipe: Recipe,
    pub(super) seed: u64,
    pub(super) round: u64,
    pub(super) first: u64,
    pub(super) count: u64,
}

/// Plays a batch of games. Returns the games as text or the reason why they cannot be played, or `None` if the batch
/// was interrupted.
pub(super) fn act<S: LearnedGame>(
    batch: &Batch,
    networks: &[&[u8]],
    is_stopped: &dyn Fn() -> bool,
) -> Option<Result<String, String>> {
    let actor = match Actor::<S>::new(&batch.recipe, batch.seed, batch.round, networks) {
        Ok(actor) => actor,
        Err(error) => return Some(Err(error)),
    };
    let mut text = String::new();
    for game in batch.first..batch.first.saturating_add(batch.count) {
        if is_stopped() {
            return None;
        }
        match actor.game(game) {
            Ok(played) => text += &record::write(&[played]),
            Err(error) => return Some(Err(error)),
        }
    }
    Some(Ok(text))
}
