//! A game as a sequence of its players' choices.

use crate::networks::Files;
use contender_game::{
    contest::{AnyBot, BotList, Clock, MoveOf, OpenJudge, StateOf, TypedContest},
    rules::{Game, Player, Rng, Simultaneous, Turn, mix},
};
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place, Sequential, shape, weights};
use contender_search::{ChanceModel, draw};

/// The bundled bots of a contest.
pub type BotOf<C> = AnyBot<<<C as TypedContest>::Bots as BotList>::ProtocolParser>;

/// A game in progress, in which players make one choice after another. An action is a number. For a cell of the frame,
/// counted row by row, it is the cell's number times the number of actions per cell, plus the number of the action. The
/// last action belongs to no cell.
pub trait Played: Send + Sync + 'static {
    /// The contest.
    type Contest: TypedContest;
    /// Maximum number of turns; a longer game ends as a draw.
    const MAX_TURNS: usize;

    /// Starts the game with this seed.
    fn start(luck: u64) -> Self;

    /// Returns the player who must choose; `None` if the game is over.
    fn player(&self) -> Option<Player>;

    /// Returns whether the player has not chosen anything in this turn yet. The player's view does not change during a
    /// turn.
    fn is_turn_start(&self) -> bool {
        true
    }

    /// Returns the number of turns so far.
    fn turns(&self) -> usize;

    /// Returns the size of the board.
    fn size(&self) -> Size;

    /// Writes the view of the player who must choose into `input`.
    fn encode(&self, input: &mut Planes);

    /// Calls `add` with each legal action.
    fn actions(&self, add: impl FnMut(usize));

    /// Plays a legal action. If a bot plays the other seat, the bot also receives the move.
    fn choose(&mut self, action: usize, heard_by: Option<&mut BotOf<Self::Contest>>);

    /// Lets a bot move for the player who must choose.
    fn choose_by(&mut self, bot: &mut BotOf<Self::Contest>, clock: &Clock);

    /// Returns the value of the finished game for both players.
    fn outcome(&self) -> [f32; 2];

    /// Returns the contest points of both players.
    fn points(&self) -> [i32; 2];

    /// Returns the file format of the game's networks.
    fn files() -> Files;
}

/// Returns the state at the start of a game.
fn start<C: TypedContest>(luck: u64) -> StateOf<C>
where
    StateOf<C>: Clone,
{
    C::start(luck, C::Rules::default())
        .expect("the default rules are compatible with each other")
        .state()
        .clone()
}

/// Returns the number of the action that plays a move.
fn action<G: Learnable>(state: &G, player: Player, mv: G::Move) -> usize {
    match state.place(player, mv) {
        Place::Cell(cell, action) => G::ACTIONS * cell + action,
        Place::Nowhere => G::ACTIONS * G::BOARD.width * G::BOARD.height,
    }
}

fn outcome([zero, one]: [i32; 2]) -> [f32; 2] {
    let won = (zero - one).signum() as f32;
    [won, -won]
}

fn files<G: Learnable>() -> Files {
    Files {
        shape: |[channels, blocks, hidden, sides]| match sides {
            1 => Ok(shape::<G>(channels, blocks, hidden)),
            _ => Err(format!("networks for this game have a policy for 1 side, not for {sides}")),
        },
        read: weights::read::<G>,
        write: weights::write,
        round: weights::round,
    }
}

/// A game with alternating turns.
pub struct Turns<C: TypedContest> {
    state: StateOf<C>,
    luck: Rng,
    /// The legal moves of the player who must move, with their actions.
    legal: Vec<(usize, MoveOf<C>)>,
    turns: usize,
}

impl<C> Turns<C>
where
    C: TypedContest,
    StateOf<C>: Sequential + Learnable<Move = MoveOf<C>> + Game<Move = MoveOf<C>>,
    MoveOf<C>: Copy,
{
    /// Draws chance outcomes until a player must move.
    fn settle(&mut self) {
        let mut outcomes = Vec::new();
        while self.state.turn() == Turn::Chance {
            let (_, outcome) = draw::<StateOf<C>, <StateOf<C> as Sequential>::Chance>(
                &self.state,
                &mut self.luck,
                &mut outcomes,
            );
            <StateOf<C> as Sequential>::Chance::resolve(&mut self.state, outcome);
        }
    }

    fn list(&mut self) {
        self.legal.clear();
        if let Turn::Player(player) = self.state.turn() {
            let mut moves = Vec::new();
            self.state.moves(&mut moves);
            self.legal.extend(moves.into_iter().map(|mv| (action(&self.state, player, mv), mv)));
        }
    }

    fn play(&mut self, mv: MoveOf<C>) {
        self.state.play(mv);
        self.turns += 1;
        self.settle();
        self.list();
    }
}

impl<C> Played for Turns<C>
where
    C: TypedContest + Send + Sync,
    StateOf<C>: Sequential + Learnable<Move = MoveOf<C>> + Game<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync,
{
    type Contest = C;
    const MAX_TURNS: usize = <StateOf<C> as Game>::MAX_TURNS;

    fn start(luck: u64) -> Self {
        let mut game: Self =
            Turns { state: start::<C>(luck), luck: Rng::new(mix(&[luck, 2])), legal: Vec::new(), turns: 0 };
        game.settle();
        game.state.open(&mut game.luck);
        game.settle();
        game.list();
        game
    }

    fn player(&self) -> Option<Player> {
        match self.state.turn() {
            Turn::Player(player) => Some(player),
            _ => None,
        }
    }

    fn turns(&self) -> usize {
        self.turns
    }

    fn size(&self) -> Size {
        StateOf::<C>::BOARD
    }

    fn encode(&self, input: &mut Planes) {
        if let Turn::Player(player) = self.state.turn() {
            self.state.encode(player, input);
        }
    }

    fn actions(&self, add: impl FnMut(usize)) {
        self.legal.iter().map(|&(action, _)| action).for_each(add);
    }

    fn choose(&mut self, action: usize, heard_by: Option<&mut BotOf<C>>) {
        let found = self.legal.iter().find(|&&(of, _)| of == action);
        let mv = found.expect("the action must be possible").1;
        if let (Some(bot), Turn::Player(player)) = (heard_by, self.state.turn()) {
            bot.observe(&self.state, player.other(), &mv);
        }
        self.play(mv);
    }

    fn choose_by(&mut self, bot: &mut BotOf<C>, clock: &Clock) {
        if let Turn::Player(player) = self.state.turn() {
            let mv = bot.choose(&self.state, player, clock);
            self.play(mv);
        }
    }

    fn outcome(&self) -> [f32; 2] {
        outcome(self.state.points())
    }

    fn points(&self) -> [i32; 2] {
        self.state.points()
    }

    fn files() -> Files {
        files::<StateOf<C>>()
    }
}

/// A game with simultaneous moves: player 0 chooses first, and player 1 does not see the choice.
pub struct Joint<C: TypedContest> {
    state: StateOf<C>,
    first: Option<MoveOf<C>>,
    legal: Vec<(usize, MoveOf<C>)>,
    turns: usize,
}

impl<C> Joint<C>
where
    C: TypedContest,
    StateOf<C>: Simultaneous<Move = MoveOf<C>> + Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy,
{
    fn chooser(&self) -> Player {
        if self.first.is_none() { Player::Zero } else { Player::One }
    }

    fn list(&mut self) {
        self.legal.clear();
        if !self.state.is_over() {
            let player = self.chooser();
            let mut moves = Vec::new();
            self.state.moves(player, &mut moves);
            self.legal.extend(moves.into_iter().map(|mv| (action(&self.state, player, mv), mv)));
        }
    }

    fn play(&mut self, mv: MoveOf<C>) {
        match self.first.take() {
            None => self.first = Some(mv),
            Some(first) => {
                self.state.play([&first, &mv]);
                self.turns += 1;
            }
        }
        self.list();
    }
}

impl<C> Played for Joint<C>
where
    C: TypedContest + Send + Sync,
    StateOf<C>: Simultaneous<Move = MoveOf<C>> + Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync,
{
    type Contest = C;
    const MAX_TURNS: usize = <StateOf<C> as Simultaneous>::MAX_TURNS;

    fn start(luck: u64) -> Self {
        let mut game: Self = Joint { state: start::<C>(luck), first: None, legal: Vec::new(), turns: 0 };
        game.state.open(&mut Rng::new(mix(&[luck, 2])));
        game.list();
        game
    }

    fn player(&self) -> Option<Player> {
        (!self.state.is_over()).then(|| self.chooser())
    }

    fn turns(&self) -> usize {
        self.turns
    }

    fn size(&self) -> Size {
        StateOf::<C>::BOARD
    }

    fn encode(&self, input: &mut Planes) {
        self.state.encode(self.chooser(), input);
    }

    fn actions(&self, add: impl FnMut(usize)) {
        self.legal.iter().map(|&(action, _)| action).for_each(add);
    }

    fn choose(&mut self, action: usize, _: Option<&mut BotOf<C>>) {
        let found = self.legal.iter().find(|&&(of, _)| of == action);
        self.play(found.expect("the action must be possible").1);
    }

    fn choose_by(&mut self, bot: &mut BotOf<C>, clock: &Clock) {
        let mv = bot.choose(&self.state, self.chooser(), clock);
        self.play(mv);
    }

    fn outcome(&self) -> [f32; 2] {
        outcome(self.state.points())
    }

    fn points(&self) -> [i32; 2] {
        self.state.points()
    }

    fn files() -> Files {
        files::<StateOf<C>>()
    }
}
