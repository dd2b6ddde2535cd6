//! Training of networks for a [`Learnable`] game with alternating turns or simultaneous moves.

use contender_game::{
    contest::{Analysis, AnyBot, Bot, BotInfo, BotList, Clock, MoveOf, OpenJudge, StateOf, TypedContest},
    rules::{Game, Player, Rng, Simultaneous, Turn, mix},
    settings::{Options, Settings},
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;
use contender_puct::{
    BotOf, Learnable, LearnedGame, Pick, Place, PuctBot, PuctSettings, Sequential, StrategySearch,
    TurnChoices, shape, softmax, weights,
};
use contender_search::{ChanceModel, draw};
use std::marker::PhantomData;

/// The game of a contest, with positions of type `P`.
pub struct Own<C, P>(PhantomData<fn() -> (C, P)>);

/// A position of a game with learnable states. The move of a player without a decision is `None`.
pub trait LearnPosition:
    Simultaneous<Move = Option<<Self::State as Learnable>::Move>> + Send + Sync + 'static
{
    /// The state.
    type State: Learnable;

    /// Returns the first position from which the network learns, after the opening.
    fn start(state: Self::State, rng: Rng) -> Self;

    /// Returns the position's state.
    fn state(&self) -> &Self::State;

    /// Returns the legal moves of a player; none if the player has no decision to make.
    fn legal(&self, player: Player) -> &[<Self::State as Learnable>::Move];

    /// Returns whether a player has no decision to make.
    fn is_idle(&self, player: Player) -> bool {
        self.legal(player).is_empty()
    }

    /// Creates a search with the network for both players. Returns `None` if there is no such search.
    fn search(settings: PuctSettings, network: &Network, seed: u64) -> Option<SearchOf<Self>>;
}

/// A function like [`Search`], for positions.
type SearchOf<P> = Box<dyn FnMut(&P, &Clock) -> [Analysis<<P as Simultaneous>::Move>; 2]>;

/// The legal moves of both players. They are listed once per position, always in the same memory.
type Moves<G> = [Vec<<G as Learnable>::Move>; 2];

/// A state in which a player must move, and the generator for future chance outcomes.
#[derive(Clone)]
pub struct TurnBased<G: Learnable> {
    game: G,
    rng: Rng,
    moves: Moves<G>,
}

impl<G: Sequential> TurnBased<G> {
    /// Draws chance outcomes until a player must move.
    fn draw(&mut self) {
        let mut outcomes = Vec::new();
        while self.game.turn() == Turn::Chance {
            let outcome = draw::<G, G::Chance>(&self.game, &mut self.rng, &mut outcomes).1;
            G::Chance::resolve(&mut self.game, outcome);
        }
    }

    fn settle(&mut self) {
        self.draw();
        self.moves.iter_mut().for_each(Vec::clear);
        if let Turn::Player(player) = self.game.turn() {
            self.game.moves(&mut self.moves[player]);
        }
    }
}

impl<G: Sequential> Simultaneous for TurnBased<G> {
    type Move = Option<<G as Learnable>::Move>;

    const MAX_TURNS: usize = <G as Game>::MAX_TURNS;

    fn is_over(&self) -> bool {
        self.game.turn() == Turn::Over
    }

    fn moves(&self, player: Player, moves: &mut Vec<Self::Move>) {
        if self.is_idle(player) {
            return moves.push(None);
        }
        moves.extend(self.legal(player).iter().copied().map(Some));
    }

    fn play(&mut self, moves: [&Self::Move; 2]) {
        let mv = moves.into_iter().flatten().next();
        self.game.play(*mv.expect("one of the players has moved"));
        self.settle();
    }

    fn points(&self) -> [i32; 2] {
        self.game.points()
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Self::Move {
        (!self.is_idle(player)).then(|| self.game.random_move(rng, &mut Vec::new()))
    }
}

impl<G: Sequential> LearnPosition for TurnBased<G> {
    type State = G;

    fn start(game: G, rng: Rng) -> TurnBased<G> {
        let mut moment = TurnBased { game, rng, moves: Moves::<G>::default() };
        moment.draw();
        moment.game.open(&mut moment.rng);
        moment.settle();
        moment
    }

    fn state(&self) -> &G {
        &self.game
    }

    fn legal(&self, player: Player) -> &[<G as Learnable>::Move] {
        &self.moves[player]
    }

    /// Searches with PUCT, as in the self-improvement of Silver and others, "Mastering the game of Go without human
    /// knowledge", 2017.
    fn search(settings: PuctSettings, network: &Network, seed: u64) -> Option<SearchOf<Self>> {
        let mut bot = PuctBot::new(settings, network.clone(), seed);
        Some(Box::new(move |position, clock| {
            let found = lesson(bot.think(&position.game, clock));
            Player::BOTH.map(
                |player| {
                    if position.is_idle(player) { Analysis::of_move(None) } else { found.clone() }
                },
            )
        }))
    }
}

/// A state in which both players must move.
#[derive(Clone)]
pub struct SimultaneousMoves<S: Learnable> {
    state: S,
    moves: Moves<S>,
}

impl<S> SimultaneousMoves<S>
where
    S: Learnable + Simultaneous<Move = <S as Learnable>::Move>,
{
    fn settle(&mut self) {
        self.moves.iter_mut().for_each(Vec::clear);
        if !self.state.is_over() {
            Player::BOTH.into_iter().for_each(|player| self.state.moves(player, &mut self.moves[player]));
        }
    }
}

impl<S> Simultaneous for SimultaneousMoves<S>
where
    S: Learnable + Simultaneous<Move = <S as Learnable>::Move>,
{
    type Move = Option<<S as Learnable>::Move>;

    const MAX_TURNS: usize = <S as Simultaneous>::MAX_TURNS;

    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    fn moves(&self, player: Player, moves: &mut Vec<Self::Move>) {
        moves.extend(self.legal(player).iter().copied().map(Some));
    }

    fn play(&mut self, moves: [&Self::Move; 2]) {
        let [zero, one] = moves.map(|mv| mv.expect("both players have moved"));
        self.state.play([&zero, &one]);
        self.settle();
    }

    fn points(&self) -> [i32; 2] {
        self.state.points()
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Self::Move {
        Some(self.state.random_move(player, rng))
    }
}

impl<S> LearnPosition for SimultaneousMoves<S>
where
    S: Learnable + Simultaneous<Move = <S as Learnable>::Move>,
{
    type State = S;

    fn start(mut state: S, mut rng: Rng) -> SimultaneousMoves<S> {
        state.open(&mut rng);
        let mut moment = SimultaneousMoves { state, moves: Moves::<S>::default() };
        moment.settle();
        moment
    }

    fn state(&self) -> &S {
        &self.state
    }

    fn legal(&self, player: Player) -> &[<S as Learnable>::Move] {
        &self.moves[player]
    }

    fn search(_: PuctSettings, _: &Network, _: u64) -> Option<SearchOf<Self>> {
        None
    }
}

/// The view of a player: the player, and a symmetry of the board.
#[derive(Clone, Copy)]
pub struct PlayerView {
    player: Player,
    image: usize,
}

impl PlayerView {
    /// Returns the index of a legal move of the player among the network's outputs.
    fn pick<G: Learnable>(&self, state: &G, mv: G::Move) -> Pick {
        match state.place(self.player, mv) {
            Place::Cell(cell, action) => (self.cell::<G>(cell) * stride::<G>() + action) as Pick,
            Place::Nowhere => WAIT,
        }
    }

    /// Returns the place of a cell in the view's symmetry.
    fn cell<G: Learnable>(&self, cell: usize) -> usize {
        if self.image == 0 { cell } else { G::image(cell, self.image) }
    }
}

/// Returns the distance between the outputs of adjacent cells.
fn stride<G: Learnable>() -> usize {
    shape::<G>(16, 0, 1).head_stride()
}

const WAIT: Pick = Pick::MAX;

/// The legal moves. The turn ends when one of them is chosen.
pub struct SingleMove<'a, P> {
    position: &'a P,
    view: PlayerView,
    is_taken: bool,
}

impl<P: LearnPosition> TurnChoices for SingleMove<'_, P> {
    fn list(&self, picks: &mut Vec<Pick>) {
        if self.is_taken {
            return;
        }
        let (SingleMove { position, view, .. }, first) = (self, picks.len());
        picks.extend(position.legal(view.player).iter().map(|&mv| view.pick(position.state(), mv)));
        // At most one move has the index for waiting.
        if let Some(at) = picks[first..].iter().position(|&pick| pick == WAIT) {
            picks[first + at..].rotate_left(1);
        }
    }

    fn take(&mut self, _: Pick) {
        self.is_taken = true;
    }
}

/// A bot of the game.
struct Playing<B>(B);

impl<P: LearnPosition, B: Bot<P::State, <P::State as Learnable>::Move>> Bot<P, P::Move> for Playing<B> {
    fn choose(&mut self, position: &P, player: Player, clock: &Clock) -> P::Move {
        Some(self.0.choose(position.state(), player, clock))
    }

    fn observe(&mut self, position: &P, player: Player, mv: &P::Move) {
        if let Some(mv) = mv {
            self.0.observe(position.state(), player, mv);
        }
    }
}

/// Converts a search's result to targets: each move's share of the visits, and values from -1 to 1.
fn lesson<M>(found: Analysis<M>) -> Analysis<Option<M>> {
    let visits: u64 = found.moves.iter().map(|of| of.effort).sum();
    let share = |effort: u64| effort as f64 / visits.max(1) as f64;
    let mut strategy: Vec<f64> = found.moves.iter().map(|of| share(of.effort)).collect();
    if visits == 0 || found.is_proven() {
        strategy.clear();
    }
    let found = found.measured("wins", |chance| 2.0 * chance - 1.0);
    Analysis { strategy, ..found.map(Some, |line| line.into_iter().map(Some).collect()) }
}

impl<C, P> LearnedGame for Own<C, P>
where
    C: TypedContest + Send + Sync + 'static,
    P: LearnPosition<State = StateOf<C>>,
    StateOf<C>: Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync + 'static,
{
    type State = P;
    type Move = Option<MoveOf<C>>;
    type View = PlayerView;
    type Choices<'a> = SingleMove<'a, P>;
    const WAIT: Pick = WAIT;

    fn shape(channels: usize, blocks: usize, hidden: usize, _: usize) -> Shape {
        shape::<StateOf<C>>(channels, blocks, hidden)
    }

    fn start(seed: u64) -> Self::State {
        let judge =
            C::start(seed, C::Rules::default()).expect("the default rules are compatible with each other");
        P::start(judge.state().clone(), Rng::new(mix(&[seed, 2])))
    }

    fn views(_: &P) -> [PlayerView; 2] {
        Player::BOTH.map(|player| PlayerView { player, image: 0 })
    }

    fn bots() -> &'static [BotInfo] {
        C::Bots::INFO
    }

    fn bot(name: &str, options: &mut Options, seed: u64) -> Option<Result<BotOf<Self>, String>> {
        let bot: Result<AnyBot<<C::Bots as BotList>::ProtocolParser>, String> =
            C::Bots::choose(name, options, seed)?;
        Some(bot.map(|bot| Box::new(Playing(bot)) as _))
    }

    fn idle(position: &P, player: Player) -> Option<Self::Move> {
        position.is_idle(player).then_some(None)
    }

    fn size(_: &PlayerView) -> Size {
        <StateOf<C> as Learnable>::BOARD
    }

    fn encode(position: &P, view: &PlayerView, input: &mut Planes) {
        input.clear(Self::size(view));
        if view.image == 0 {
            return position.state().encode(view.player, input);
        }
        let mut seen = Planes::new(Self::size(view));
        position.state().encode(view.player, &mut seen);
        let cells = seen.size().cells();
        let mut from = vec![0; cells];
        (0..cells).for_each(|cell| from[<StateOf<C>>::image(cell, view.image)] = cell);
        seen.everywhere().iter().for_each(|&(channel, value)| input.spread(channel, value));
        for cell in from {
            seen.cell(cell).iter().for_each(|&(channel, value)| input.set(channel, value));
            input.end_cell();
        }
    }

    fn choices<'a>(position: &'a P, view: &PlayerView) -> SingleMove<'a, P> {
        SingleMove { position, view: *view, is_taken: false }
    }

    fn picks(position: &P, view: &PlayerView, mv: &Self::Move) -> Vec<Pick> {
        let pick = mv.map(|mv| view.pick(position.state(), mv));
        pick.into_iter().filter(|&pick| pick != WAIT).collect()
    }

    fn complete(position: &P, view: &PlayerView, picks: &[Pick]) -> Self::Move {
        let chosen = picks.first().copied().unwrap_or(WAIT);
        let mut moves = position.legal(view.player).iter().copied();
        moves.find(|&mv| view.pick(position.state(), mv) == chosen)
    }

    fn images() -> Vec<Vec<usize>> {
        let cells = <StateOf<C> as Learnable>::BOARD.cells();
        let image = |image| (0..cells).map(|cell| <StateOf<C>>::image(cell, image)).collect();
        (0..<StateOf<C> as Learnable>::IMAGES).map(image).collect()
    }

    fn mirrored(view: &PlayerView, rng: &mut Rng) -> PlayerView {
        PlayerView { image: rng.index(<StateOf<C> as Learnable>::IMAGES), ..*view }
    }

    fn seen(from: &PlayerView, to: &PlayerView, pick: Pick) -> Pick {
        debug_assert_eq!(from.image, 0, "the board as it is");
        if pick == WAIT {
            return WAIT;
        }
        let (pick, stride) = (usize::from(pick), stride::<StateOf<C>>());
        (to.cell::<StateOf<C>>(pick / stride) * stride + pick % stride) as Pick
    }

    fn outcome(position: &P, player: Player) -> f32 {
        let [zero, one] = position.points();
        (player.sign() * (zero - one).signum()) as f32
    }

    fn sample(
        output: &Workspace,
        position: &P,
        view: &PlayerView,
        rng: &mut Rng,
    ) -> (Self::Move, Vec<Pick>, f32) {
        let (moves, odds) = (position.legal(view.player), odds(output, position, view.player));
        let mut rest = rng.unit() as f32;
        let drawn = odds.iter().position(|part| {
            rest -= part;
            rest < 0.0
        });
        let at = drawn.unwrap_or(moves.len() - 1);
        let mv = Some(moves[at]);
        let mut picks = Self::picks(position, view, &mv);
        if picks.is_empty() {
            picks.push(WAIT);
        }
        (mv, picks, odds[at].ln())
    }

    fn best(output: &Workspace, position: &P, view: &PlayerView) -> Self::Move {
        let (moves, odds) = (position.legal(view.player), odds(output, position, view.player));
        let best = (0..moves.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b]));
        best.map(|at| moves[at])
    }

    /// Creates the contest's bot `puct` with the network that is being trained. A game with hidden information has no
    /// such bot, because its search would see the hidden information.
    fn search(
        name: &str,
        options: &mut Options,
        network: &Network,
        seed: u64,
    ) -> Option<Result<StrategySearch<Self>, String>> {
        if name != "puct" || !Self::bots().iter().any(|bot| bot.name == name) {
            return None;
        }
        PuctSettings::DEFAULT.with(options).map(|settings| P::search(settings, network, seed)).transpose()
    }

    fn write(shape: Shape, parameters: &[f32]) -> Vec<u8> {
        weights::write(shape, parameters)
    }

    fn round(shape: &Shape, parameters: &mut [f32]) {
        weights::round(shape, parameters);
    }

    fn read(bytes: &[u8]) -> Result<(Shape, Vec<f32>), String> {
        weights::read::<StateOf<C>>(bytes)
    }

    /// Encodes a move as its index in the list of legal moves.
    fn pack(position: &P, player: Player, mv: &Self::Move) -> Vec<u8> {
        let number = mv.and_then(|mv| position.legal(player).iter().position(|of| *of == mv));
        number.map_or(Vec::new(), |number| (number as u32).to_le_bytes().to_vec())
    }

    fn unpack(position: &P, player: Player, bytes: &[u8]) -> Option<Self::Move> {
        if bytes.is_empty() {
            return position.is_idle(player).then_some(None);
        }
        let number = u32::from_le_bytes(bytes.try_into().ok()?);
        Some(Some(*position.legal(player).get(number as usize)?))
    }
}

/// Returns the probabilities of a player's moves.
fn odds<P: LearnPosition>(output: &Workspace, position: &P, player: Player) -> Vec<f32> {
    let logit = |&mv: &_| match position.state().place(player, mv) {
        Place::Cell(cell, action) => output.logit(cell, 0, action),
        Place::Nowhere => output.wait[0],
    };
    let mut odds: Vec<f32> = position.legal(player).iter().map(logit).collect();
    softmax(&mut odds);
    odds
}
