//! Pairs of games for measuring the strength of a network.

use crate::Unit;
use contender_game::{
    contest::{AnyBot, Bot, BotList, Clock, Limits, MoveOf, StateOf, TypedContest},
    rules::{Game, Player, Rng, Turn},
    settings::Options,
};
use contender_search::{draw, ChanceModel};

/// The opponent of a network in a match.
#[derive(Clone, Copy, Debug)]
pub enum Opponent<'a> {
    /// Another network, in the format of [`Model::write`](crate::Model::write); `None` means play without a network.
    Network(Option<&'a [u8]>),
    /// A bundled bot, given as `name` or `name:options`, with this number of nodes per move.
    Bot(&'a str, u64),
}

/// A function that plays a pair of games with a seed and returns the first player's result. The result is either the
/// fraction of the two games that the first player won (a draw or an endless game counts as half a win), or the first
/// player's points minus the other player's points.
pub type Pairs<'a> = Box<dyn FnMut(u64) -> f64 + 'a>;

/// A function that chooses the moves of a player in one game.
pub type Chooser<'a, C> = Box<dyn FnMut(&StateOf<C>, Player) -> MoveOf<C> + 'a>;

/// A function that creates a player for the game with the given seed.
pub type Maker<'a, C> = Box<dyn Fn(u64) -> Chooser<'a, C> + 'a>;

/// A bundled bot of a contest.
pub type Bundled<C> = AnyBot<<<C as TypedContest>::Bots as BotList>::ProtocolParser>;

/// Creates a bundled bot from a text of the form `name` or `name:options`.
///
/// # Errors
/// Returns an error if the bot is unknown or an option is invalid.
pub fn bundled_bot<C: TypedContest>(words: &str, seed: u64) -> Result<Bundled<C>, String> {
    let (name, options) = words.split_once(':').unwrap_or((words, ""));
    let mut options = Options::parse(options)?;
    let bot = C::Bots::choose(name, &mut options, seed).ok_or_else(|| C::INFO.unknown_bot(name))??;
    options.finish()?;
    Ok(bot)
}

/// Returns a function that plays pairs of games between a network and an opponent, for
/// [`ValueLearnedGame::pairs`](crate::ValueLearnedGame::pairs). The closure `start` returns the position after the
/// opening for a given seed, and `player` creates the player for a network.
///
/// # Errors
/// Returns an error if a network or a bot is invalid.
pub fn pairs<'a, C, M>(
    unit: Unit,
    start: impl Fn(u64) -> StateOf<C> + 'a,
    player: impl Fn(Option<&[u8]>) -> Result<Maker<'a, C>, String>,
    network: Option<&[u8]>,
    opponent: Opponent<'a>,
) -> Result<Pairs<'a>, String>
where
    C: TypedContest + 'a,
    StateOf<C>: Game<Move = MoveOf<C>>,
    M: ChanceModel<StateOf<C>>,
{
    let first = player(network)?;
    let second = match opponent {
        Opponent::Network(other) => player(other)?,
        Opponent::Bot(words, nodes) => {
            bundled_bot::<C>(words, 0)?;
            Box::new(move |seed| -> Chooser<'a, C> {
                let mut bot = bundled_bot::<C>(words, seed).expect("the same bot was created before");
                let clock = Clock::new(Limits::nodes(nodes));
                Box::new(move |state, player| bot.choose(state, player, &clock))
            })
        }
    };
    Ok(Box::new(move |seed| pair::<C, M>(unit, &start(seed), seed, [&first, &second])))
}

/// Plays two games from a position. The first player takes each seat once. The seed determines the chance outcomes.
fn pair<C, M>(unit: Unit, start: &StateOf<C>, seed: u64, makers: [&Maker<'_, C>; 2]) -> f64
where
    C: TypedContest,
    StateOf<C>: Game<Move = MoveOf<C>>,
    M: ChanceModel<StateOf<C>>,
{
    let result = |seat: Player| {
        let mut players = match seat {
            Player::Zero => [makers[0](seed), makers[1](seed)],
            Player::One => [makers[1](seed), makers[0](seed)],
        };
        let (mut state, mut rng, mut turns) = (start.clone(), Rng::new(seed), 0);
        let worth = loop {
            match state.turn() {
                Turn::Over => break seat.sign() * state.value(),
                Turn::Chance => {
                    let (_, outcome) = draw::<_, M>(&state, &mut rng, &mut Vec::new());
                    M::resolve(&mut state, outcome);
                }
                Turn::Player(_) if turns == <StateOf<C>>::MAX_TURNS => break 0,
                Turn::Player(player) => {
                    let mv = players[player](&state, player);
                    state.play(mv);
                    turns += 1;
                }
            }
        };
        match unit {
            Unit::Wins => 0.25 + 0.25 * f64::from(worth.signum()),
            Unit::Points(_) => f64::from(worth),
        }
    };
    result(Player::Zero) + result(Player::One)
}
