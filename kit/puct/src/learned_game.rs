//! The interface that a game must implement for training a network with a policy and a value.

use contender_game::{
    contest::{Analysis, Bot, BotInfo, Clock},
    rules::{Player, Rng, Simultaneous},
    settings::Options,
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;

/// One choice in a turn. A choice is either [`WAIT`](LearnedGame::WAIT), or a number for which
/// [`place`](LearnedGame::place) returns the network's output.
pub type Pick = u16;

/// A game, as the trainer sees it. Both players choose at the same time. A turn is a list of choices, and each choice
/// makes others impossible ("iterative policy masking"). In a game with alternating turns, one of the players has
/// nothing to decide in each turn.
///
/// If each turn is a single choice, implement [`Learnable`](crate::Learnable) instead: the trainer then provides this
/// interface.
pub trait LearnedGame: Sync + Send + 'static {
    /// The game's states.
    type State: Simultaneous<Move = Self::Move> + Send + Sync + 'static;
    /// A player's move for one turn.
    type Move: Clone + Send + 'static;
    /// A player's view of a game.
    type View: Copy + Send + Sync;
    /// The choices that remain in a turn.
    type Choices<'a>: TurnChoices;
    /// The choice to do nothing more in this turn.
    const WAIT: Pick;

    /// Returns the shape of a network, given the numbers of channels, residual blocks, hidden neurons in the value
    /// head, and sides.
    fn shape(channels: usize, blocks: usize, hidden: usize, sides: usize) -> Shape;

    /// Returns the start position for a seed.
    fn start(seed: u64) -> Self::State;

    /// Returns each player's view of the game with this start position.
    fn views(start: &Self::State) -> [Self::View; 2];

    /// Returns the bundled bots, which training can imitate and play against.
    fn bots() -> &'static [BotInfo];

    /// Creates the bundled bot with this name; returns `None` if the name is unknown.
    fn bot(name: &str, options: &mut Options, seed: u64) -> Option<Result<BotOf<Self>, String>>;

    /// Returns the player's only move if the player has nothing to decide in this state, otherwise `None`.
    fn idle(state: &Self::State, player: Player) -> Option<Self::Move> {
        let _ = (state, player);
        None
    }

    /// Returns the size of the boards in a view.
    fn size(view: &Self::View) -> Size;

    /// Writes the network's input for a state.
    fn encode(state: &Self::State, view: &Self::View, input: &mut Planes);

    /// Returns all choices that the view's player has at the start of a turn.
    fn choices<'a>(state: &'a Self::State, view: &Self::View) -> Self::Choices<'a>;

    /// Returns whose choices the view shows: 0 for the owner of the view, 1 for the enemy.
    fn side(view: &Self::View) -> usize {
        let _ = view;
        0
    }

    /// Returns the index of the cell output for a choice of the view's player.
    fn place(shape: Shape, view: &Self::View, pick: Pick) -> usize {
        let _ = (shape, view);
        usize::from(pick)
    }

    /// Returns the view that shows the enemy's choices, or `None` if the network has only one policy.
    fn beside(view: &Self::View) -> Option<Self::View> {
        let _ = view;
        None
    }

    /// Returns the choices that make up a move, in any order.
    fn picks(state: &Self::State, view: &Self::View, mv: &Self::Move) -> Vec<Pick>;

    /// Returns the move that consists of these choices. Without choices, the player only waits.
    fn complete(state: &Self::State, view: &Self::View, picks: &[Pick]) -> Self::Move;

    /// Returns the symmetries of the map. Each symmetry lists, for every cell, the cell to which it is mapped. The
    /// first one is the identity. A choice keeps its number within the cell.
    fn images() -> Vec<Vec<usize>>;

    /// Returns a random mirror image of a view that does not change the rules.
    fn mirrored(view: &Self::View, rng: &mut Rng) -> Self::View;

    /// Converts a choice in one view to the same choice in another view.
    fn seen(from: &Self::View, to: &Self::View, pick: Pick) -> Pick;

    /// Returns the value of a finished game for a player, from -2 to 2.
    fn outcome(state: &Self::State, player: Player) -> f32;

    /// Draws a move according to the network's probabilities. Also returns the move's choices in order and the
    /// logarithm of their probability.
    fn sample(
        output: &Workspace,
        state: &Self::State,
        view: &Self::View,
        rng: &mut Rng,
    ) -> (Self::Move, Vec<Pick>, f32);

    /// Returns the policy's most probable move.
    fn best(output: &Workspace, state: &Self::State, view: &Self::View) -> Self::Move;

    /// Returns a bundled bot's search for both players' strategies, or `None` if the bot has no such search. Takes the
    /// bot's name, options and seed. A bot that needs a network uses `network`. Values are in the units of
    /// [`outcome`](LearnedGame::outcome).
    fn search(
        name: &str,
        options: &mut Options,
        network: &Network,
        seed: u64,
    ) -> Option<Result<StrategySearch<Self>, String>>;

    /// Returns the contents of a network file that bots can read.
    fn write(shape: Shape, parameters: &[f32]) -> Vec<u8>;

    /// Rounds the parameters to the values that they have after [`write`](LearnedGame::write) and
    /// [`read`](LearnedGame::read).
    fn round(shape: &Shape, parameters: &mut [f32]);

    /// Parses the contents of a network file. Returns the shape and the parameters.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a valid network.
    fn read(bytes: &[u8]) -> Result<(Shape, Vec<f32>), String>;

    /// Encodes a player's move as a few bytes.
    fn pack(state: &Self::State, player: Player, mv: &Self::Move) -> Vec<u8>;

    /// Decodes a move that [`pack`](LearnedGame::pack) encoded in the same state. Returns `None` if the bytes are
    /// invalid.
    fn unpack(state: &Self::State, player: Player, bytes: &[u8]) -> Option<Self::Move>;
}

/// A function that finds both players' best strategies within a budget.
pub type StrategySearch<S> =
    Box<dyn FnMut(&<S as LearnedGame>::State, &Clock) -> [Analysis<<S as LearnedGame>::Move>; 2]>;

/// A bundled bot of a game.
pub type BotOf<S> = Box<dyn Bot<<S as LearnedGame>::State, <S as LearnedGame>::Move>>;

/// The choices that remain in a turn.
pub trait TurnChoices {
    /// Appends every possible choice, [`WAIT`](LearnedGame::WAIT) last.
    fn list(&self, picks: &mut Vec<Pick>);

    /// Makes a choice from the list. Choices that this choice makes impossible are no longer listed.
    fn take(&mut self, pick: Pick);
}
