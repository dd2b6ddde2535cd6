//! The interface of a game for training a network with a policy and a value.

use contender_game::{
    contest::{Analysis, Bot, BotInfo, Clock},
    rules::{Player, Rng, Simultaneous},
    settings::Options,
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;

/// One choice of a turn: a number whose logit has a [place](LearnedGame::place) among the network's outputs, or the
/// game's [`WAIT`](LearnedGame::WAIT).
pub type Pick = u16;

/// A game as a network learns it. Both players choose at once, and a turn is a list of choices, each of which makes
/// others impossible ("iterative policy masking"); in a game in turn one of them has nothing to decide.
///
/// A game whose turn is a single choice only implements [`Learnable`](crate::Learnable), from which the trainer derives
/// the rest.
pub trait LearnedGame: Sync + Send + 'static {
    /// A state of the game.
    type State: Simultaneous<Move = Self::Move> + Send + Sync + 'static;
    /// A player's move of a turn.
    type Move: Clone + Send + 'static;
    /// A player's view of the states of a game.
    type View: Copy + Send + Sync;
    /// The remaining choices of a turn.
    type Choices<'a>: Choices;
    /// Nothing more in this turn.
    const WAIT: Pick;

    /// Returns the shape of a network with these numbers of channels, residual blocks, hidden neurons of the value, and
    /// sides.
    fn shape(channels: usize, blocks: usize, hidden: usize, sides: usize) -> Shape;

    /// Returns the start of the game of a seed.
    fn start(seed: u64) -> Self::State;

    /// Returns each player's view of the game that starts here.
    fn views(start: &Self::State) -> [Self::View; 2];

    /// Returns the bundled bots, who may be imitated and played against.
    fn bots() -> &'static [BotInfo];

    /// Creates the bundled bot of this name; `None` if the name is unknown.
    fn bot(name: &str, options: &mut Options, seed: u64) -> Option<Result<BotOf<Self>, String>>;

    /// Returns the move of a player who has nothing to decide in a state; `None` if there is a decision.
    fn idle(state: &Self::State, player: Player) -> Option<Self::Move> {
        let _ = (state, player);
        None
    }

    /// Returns the size of the boards of a view.
    fn size(view: &Self::View) -> Size;

    /// Puts a state into `input`.
    fn encode(state: &Self::State, view: &Self::View, input: &mut Planes);

    /// Returns all that can be chosen by the view's player.
    fn choices<'a>(state: &'a Self::State, view: &Self::View) -> Self::Choices<'a>;

    /// Returns the side of a view's player: 1 for the enemy of the view's owner.
    fn side(view: &Self::View) -> usize {
        let _ = view;
        0
    }

    /// Returns the index of a choice of the view's player among the outputs of cells.
    fn place(shape: Shape, view: &Self::View, pick: Pick) -> usize {
        let _ = (shape, view);
        usize::from(pick)
    }

    /// Returns the view for the enemy's choices; `None` if networks have only one policy.
    fn beside(view: &Self::View) -> Option<Self::View> {
        let _ = view;
        None
    }

    /// Returns the choices that come to a move, in any order.
    fn picks(state: &Self::State, view: &Self::View, mv: &Self::Move) -> Vec<Pick>;

    /// Returns a view in a mirror that the rules do not notice, any of them.
    fn mirrored(view: &Self::View, rng: &mut Rng) -> Self::View;

    /// Returns a choice of the board as it is, or of another player's view of it, in this view.
    fn seen(from: &Self::View, to: &Self::View, pick: Pick) -> Pick;

    /// Returns the value of a finished game for a player, from -2 to 2.
    fn outcome(state: &Self::State, player: Player) -> f32;

    /// Returns a move drawn by the network's probabilities, with its choices in their order and the logarithm of their
    /// probability.
    fn sample(
        output: &Workspace,
        state: &Self::State,
        view: &Self::View,
        rng: &mut Rng,
    ) -> (Self::Move, Vec<Pick>, f32);

    /// Returns the policy's best move.
    fn best(output: &Workspace, state: &Self::State, view: &Self::View) -> Self::Move;

    /// Returns a search of the bundled bots that finds what both players should do, by the bot's name, options and
    /// seed; `None` for other bots. A bot that plays with a network searches with this one. Values are in the units of
    /// [`outcome`](LearnedGame::outcome).
    fn search(
        name: &str,
        options: &mut Options,
        network: &Network,
        seed: u64,
    ) -> Option<Result<Search<Self>, String>>;

    /// Returns the files that bots read a network from, the whole one first: names and contents.
    fn write(shape: Shape, parameters: &[f32]) -> Vec<(&'static str, Vec<u8>)>;

    /// Rounds parameters to those that [`read`](LearnedGame::read) gives of the first file that
    /// [`write`](LearnedGame::write) makes of them.
    fn round(shape: &Shape, parameters: &mut [f32]);

    /// Shape and parameters of what the first of these files holds.
    ///
    /// # Errors
    /// Bytes that are not a network.
    fn read(bytes: &[u8]) -> Result<(Shape, Vec<f32>), String>;

    /// Returns a move of a player in few bytes.
    fn pack(state: &Self::State, player: Player, mv: &Self::Move) -> Vec<u8>;

    /// Returns the move of what [`pack`](LearnedGame::pack) gave in the same state; `None` of other bytes.
    fn unpack(state: &Self::State, player: Player, bytes: &[u8]) -> Option<Self::Move>;
}

/// Finds what is best for each player within a budget.
pub type Search<S> =
    Box<dyn FnMut(&<S as LearnedGame>::State, &Clock) -> [Analysis<<S as LearnedGame>::Move>; 2]>;

/// A bundled bot of a game.
pub type BotOf<S> = Box<dyn Bot<<S as LearnedGame>::State, <S as LearnedGame>::Move>>;

/// The remaining choices of a turn.
pub trait Choices {
    /// Appends every possible choice but waiting.
    fn list(&self, picks: &mut Vec<Pick>);

    /// Returns whether waiting is possible too.
    fn can_wait(&self) -> bool {
        true
    }

    /// Takes a choice that is listed; what it makes impossible is listed no more.
    fn take(&mut self, pick: Pick);
}
