//! The interface that a game implements for training a network with a policy and a value.

use contender_game::{
    contest::{Analysis, Bot, BotInfo, Clock},
    rules::{Player, Rng, Simultaneous},
    settings::Options,
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;

/// One choice in a turn. A choice is either a number whose logit has a [place](LearnedGame::place) among the network's
/// outputs, or the game's [`WAIT`](LearnedGame::WAIT).
pub type Pick = u16;

/// A game in the form in which a network learns it. Both players choose at the same time. A turn is a list of choices,
/// and each choice makes others impossible ("iterative policy masking"). In a game in which the players take turns, one
/// of the players has nothing to decide.
///
/// A game whose turn is a single choice implements only [`Learnable`](crate::Learnable). The trainer derives the rest
/// from [`Learnable`](crate::Learnable).
pub trait LearnedGame: Sync + Send + 'static {
    /// The type of the game's states.
    type State: Simultaneous<Move = Self::Move> + Send + Sync + 'static;
    /// A player's move for one turn.
    type Move: Clone + Send + 'static;
    /// A player's view of the states of a game.
    type View: Copy + Send + Sync;
    /// The remaining choices in a turn.
    type Choices<'a>: Choices;
    /// The choice to do nothing more in this turn.
    const WAIT: Pick;

    /// Returns the shape of a network with these numbers of channels, residual blocks, hidden neurons in the value
    /// head, and sides.
    fn shape(channels: usize, blocks: usize, hidden: usize, sides: usize) -> Shape;

    /// Returns the start position for a seed.
    fn start(seed: u64) -> Self::State;

    /// Returns each player's view of the game that starts in this position.
    fn views(start: &Self::State) -> [Self::View; 2];

    /// Returns the bundled bots, which can be imitated and played against.
    fn bots() -> &'static [BotInfo];

    /// Creates the bundled bot with this name; returns `None` if the name is unknown.
    fn bot(name: &str, options: &mut Options, seed: u64) -> Option<Result<BotOf<Self>, String>>;

    /// Returns the move of a player that has nothing to decide in a state, or `None` if there is a decision.
    fn idle(state: &Self::State, player: Player) -> Option<Self::Move> {
        let _ = (state, player);
        None
    }

    /// Returns the size of the boards in a view.
    fn size(view: &Self::View) -> Size;

    /// Writes the network's input for a state.
    fn encode(state: &Self::State, view: &Self::View, input: &mut Planes);

    /// Returns all choices of the view's player.
    fn choices<'a>(state: &'a Self::State, view: &Self::View) -> Self::Choices<'a>;

    /// Returns the side whose choices the view shows: 0 for the owner of the view, 1 for its enemy.
    fn side(view: &Self::View) -> usize {
        let _ = view;
        0
    }

    /// Returns the index of a choice of the view's player among the outputs of cells.
    fn place(shape: Shape, view: &Self::View, pick: Pick) -> usize {
        let _ = (shape, view);
        usize::from(pick)
    }

    /// Returns the view for the enemy's choices, or `None` if networks have only one policy.
    fn beside(view: &Self::View) -> Option<Self::View> {
        let _ = view;
        None
    }

    /// Returns the choices that lead to a move, in any order.
    fn picks(state: &Self::State, view: &Self::View, mv: &Self::Move) -> Vec<Pick>;

    /// Returns the move that these choices lead to; without a choice, the move that only waits.
    fn complete(state: &Self::State, view: &Self::View, picks: &[Pick]) -> Self::Move;

    /// Returns the fixed symmetries of the map: for each image, the cell that each cell moves to. The first is the map
    /// itself. A choice keeps its number within the cell.
    fn images() -> Vec<Vec<usize>>;

    /// Returns a random mirror image of a view under which the rules are the same.
    fn mirrored(view: &Self::View, rng: &mut Rng) -> Self::View;

    /// Converts a choice from one view to another.
    fn seen(from: &Self::View, to: &Self::View, pick: Pick) -> Pick;

    /// Returns the value of a finished game for a player, from -2 to 2.
    fn outcome(state: &Self::State, player: Player) -> f32;

    /// Draws a move with the network's probabilities. Also returns its choices in order and the logarithm of their
    /// probability.
    fn sample(
        output: &Workspace,
        state: &Self::State,
        view: &Self::View,
        rng: &mut Rng,
    ) -> (Self::Move, Vec<Pick>, f32);

    /// Returns the best move of the policy.
    fn best(output: &Workspace, state: &Self::State, view: &Self::View) -> Self::Move;

    /// Returns the search of a bundled bot for both players' strategies, given the bot's name, options and seed, or
    /// `None` for a bot without such a search. A bot that needs a network uses `network`. Values are in the units of
    /// [`outcome`](LearnedGame::outcome).
    fn search(
        name: &str,
        options: &mut Options,
        network: &Network,
        seed: u64,
    ) -> Option<Result<Search<Self>, String>>;

    /// Returns the contents of the file that bots read a network from.
    fn write(shape: Shape, parameters: &[f32]) -> Vec<u8>;

    /// Rounds parameters to the values that [`read`](LearnedGame::read) returns after [`write`](LearnedGame::write).
    fn round(shape: &Shape, parameters: &mut [f32]);

    /// Reads the shape and the parameters from the contents of a file.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a network.
    fn read(bytes: &[u8]) -> Result<(Shape, Vec<f32>), String>;

    /// Returns a player's move as a few bytes.
    fn pack(state: &Self::State, player: Player, mv: &Self::Move) -> Vec<u8>;

    /// Returns the move that [`pack`](LearnedGame::pack) wrote in the same state, or `None` if the bytes are invalid.
    fn unpack(state: &Self::State, player: Player, bytes: &[u8]) -> Option<Self::Move>;
}

/// A function that finds both players' best strategies within a budget.
pub type Search<S> =
    Box<dyn FnMut(&<S as LearnedGame>::State, &Clock) -> [Analysis<<S as LearnedGame>::Move>; 2]>;

/// A bundled bot of a game.
pub type BotOf<S> = Box<dyn Bot<<S as LearnedGame>::State, <S as LearnedGame>::Move>>;

/// The remaining choices in a turn.
pub trait Choices {
    /// Appends every possible choice except waiting.
    fn list(&self, picks: &mut Vec<Pick>);

    /// Returns whether waiting is also possible.
    fn can_wait(&self) -> bool {
        true
    }

    /// Makes a choice from the list. Choices that this choice makes impossible are no longer listed.
    fn take(&mut self, pick: Pick);
}
