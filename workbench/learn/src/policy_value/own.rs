//! Learning of networks for a [`Learnable`] custom game, with alternating turns or simultaneous moves.

use contender_game::{
    contest::{Analysis, AnyBot, Bot, BotInfo, BotList, Clock, MoveOf, OpenJudge, StateOf, TypedContest},
    rules::{Game, Player, Rng, Simultaneous, Turn, mix},
    settings::{Options, Settings},
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;
use contender_puct::{
    BotOf, Choices, Learnable, LearnedGame, Pick, Place, PuctBot, PuctSettings, Search, Sequential, shape,
    weights,
};
use contender_search::{ChanceModel, draw};
use std::marker::PhantomData;

/// The game of a contest, with one kind of positions.
pub struct Own<C, P>(PhantomData<fn() -> (C, P)>);

/// A position of a game with learnable states. A player without a decision has the move `None`.
pub trait Position:
    Simultaneous<Move = Option<<Self::State as Learnable>::Move>> + Send + Sync + 'static
{
    /// The state.
    type State: Learnable;

    /// Returns the first position to learn from, after the game's opening.
    fn start(state: Self::State, luck: Rng) -> Self;

    /// Returns the position's state.
    fn state(&self) -> &Self::State;

    /// Returns the moves of a player; none if the player has no decision to make.
    fn legal(&self, player: Player) -> Vec<<Self::State as Learnable>::Move>;

    /// Returns whether a player has no decision to make.
    fn is_idle(&self, player: Player) -> bool;

    /// Creates a search with the network for both players. Returns `None` if there is no such search.
    fn search(settings: PuctSettings, network: &Network, seed: u64) -> Option<SearchOf<Self>>;
}

/// Like [`Search`], but for positions.
type SearchOf<P> = Box<dyn FnMut(&P, &Clock) -> [Analysis<<P as Simultaneous>::Move>; 2]>;

/// Enough for the moves of most positions, so that their list does not grow step by step.
const USUAL_MOVES: usize = 64;

/// A state in which a player must move, and the generator for future chance outcomes.
#[derive(Clone)]
pub struct TurnBased<G> {
    game: G,
    luck: Rng,
}

impl<G: Sequential> TurnBased<G> {
    fn settle(&mut self) {
        let mut outcomes = Vec::new();
        while self.game.turn() == Turn::Chance {
            let outcome = draw::<G, G::Chance>(&self.game, &mut self.luck, &mut outcomes).1;
            G::Chance::resolve(&mut self.game, outcome);
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
        moves.extend(self.legal(player).into_iter().map(Some));
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

impl<G: Sequential> Position for TurnBased<G> {
    type State = G;

    fn start(game: G, luck: Rng) -> TurnBased<G> {
        let mut moment = TurnBased { game, luck };
        moment.settle();
        moment.game.open(&mut moment.luck);
        moment.settle();
        moment
    }

    fn state(&self) -> &G {
        &self.game
    }

    fn legal(&self, player: Player) -> Vec<<G as Learnable>::Move> {
        let mut moves = Vec::new();
        if !self.is_idle(player) {
            moves.reserve(USUAL_MOVES);
            self.game.moves(&mut moves);
        }
        moves
    }

    fn is_idle(&self, player: Player) -> bool {
        self.game.turn() != Turn::Player(player)
    }

    /// Searches as in the self-improvement of Silver and others, "Mastering the game of Go without human knowledge",
    /// 2017.
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
pub struct SimultaneousMoves<S>(S);

impl<S> Simultaneous for SimultaneousMoves<S>
where
    S: Learnable + Simultaneous<Move = <S as Learnable>::Move>,
{
    type Move = Option<<S as Learnable>::Move>;

    const MAX_TURNS: usize = <S as Simultaneous>::MAX_TURNS;

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn moves(&self, player: Player, moves: &mut Vec<Self::Move>) {
        moves.extend(self.legal(player).into_iter().map(Some));
    }

    fn play(&mut self, moves: [&Self::Move; 2]) {
        let [zero, one] = moves.map(|mv| mv.expect("both players have moved"));
        self.0.play([&zero, &one]);
    }

    fn points(&self) -> [i32; 2] {
        self.0.points()
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Self::Move {
        Some(self.0.random_move(player, rng))
    }
}

impl<S> Position for SimultaneousMoves<S>
where
    S: Learnable + Simultaneous<Move = <S as Learnable>::Move>,
{
    type State = S;

    fn start(mut state: S, mut luck: Rng) -> SimultaneousMoves<S> {
        state.open(&mut luck);
        SimultaneousMoves(state)
    }

    fn state(&self) -> &S {
        &self.0
    }

    fn legal(&self, player: Player) -> Vec<<S as Learnable>::Move> {
        let mut moves = Vec::with_capacity(USUAL_MOVES);
        self.0.moves(player, &mut moves);
        moves
    }

    fn is_idle(&self, _: Player) -> bool {
        false
    }

    fn search(_: PuctSettings, _: &Network, _: u64) -> Option<SearchOf<Self>> {
        None
    }
}

/// The player who sees the board, and the board's symmetry.
#[derive(Clone, Copy)]
pub struct View {
    player: Player,
    image: usize,
}

/// Returns the index of a player's move among the network's outputs.
fn pick<G: Learnable>(state: &G, player: Player, mv: G::Move) -> Pick {
    match state.place(player, mv) {
        Place::Cell(cell, action) => (cell * shape::<G>(16, 0, 1).head_stride() + action) as Pick,
        Place::Nowhere => WAIT,
    }
}

const WAIT: Pick = Pick::MAX;

/// The legal moves. The turn ends when one of them is chosen.
pub struct SingleMove(Vec<Pick>);

impl Choices for SingleMove {
    fn list(&self, picks: &mut Vec<Pick>) {
        picks.extend(self.0.iter().filter(|&&pick| pick != WAIT));
    }

    fn can_wait(&self) -> bool {
        self.0.contains(&WAIT)
    }

    fn take(&mut self, _: Pick) {
        self.0.clear();
    }
}

/// A bot of the game.
struct Playing<B>(B);

impl<P: Position, B: Bot<P::State, <P::State as Learnable>::Move>> Bot<P, P::Move> for Playing<B> {
    fn choose(&mut self, position: &P, player: Player, clock: &Clock) -> P::Move {
        Some(self.0.choose(position.state(), player, clock))
    }

    fn observe(&mut self, position: &P, player: Player, mv: &P::Move) {
        if let Some(mv) = mv {
            self.0.observe(position.state(), player, mv);
        }
    }
}

/// Turns a search's result into targets: shares of visits, and values from -1 to 1.
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
    P: Position<State = StateOf<C>>,
    StateOf<C>: Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync + 'static,
{
    type State = P;
    type Move = Option<MoveOf<C>>;
    type View = View;
    type Choices<'a> = SingleMove;
    const WAIT: Pick = WAIT;

    fn shape(channels: usize, blocks: usize, hidden: usize, _: usize) -> Shape {
        shape::<StateOf<C>>(channels, blocks, hidden)
    }

    fn start(seed: u64) -> Self::State {
        let judge =
            C::start(seed, C::Rules::default()).expect("the default rules are compatible with each other");
        P::start(judge.state().clone(), Rng::new(mix(&[seed, 2])))
    }

    fn views(_: &P) -> [View; 2] {
        Player::BOTH.map(|player| View { player, image: 0 })
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

    fn size(_: &View) -> Size {
        <StateOf<C> as Learnable>::BOARD
    }

    fn encode(position: &P, view: &View, input: &mut Planes) {
        input.clear(Self::size(view));
        if view.image == 0 {
            return position.state().encode(view.player, input);
        }
        let mut seen = Planes::new(Self::size(view));
        position.state().encode(view.player, &mut seen);
        let cells = seen.size().width * seen.size().height;
        let mut from = vec![0; cells];
        (0..cells).for_each(|cell| from[<StateOf<C>>::image(cell, view.image)] = cell);
        seen.everywhere().iter().for_each(|&(channel, value)| input.spread(channel, value));
        for cell in from {
            seen.cell(cell).iter().for_each(|&(channel, value)| input.set(channel, value));
            input.end_cell();
        }
    }

    fn choices(position: &P, view: &View) -> SingleMove {
        let moves = position.legal(view.player);
        let picks = moves.into_iter().map(|mv| pick(position.state(), view.player, mv));
        SingleMove(picks.map(|pick| mirrored::<StateOf<C>>(view, pick)).collect())
    }

    fn picks(position: &P, view: &View, mv: &Self::Move) -> Vec<Pick> {
        let pick = mv.map(|mv| mirrored::<StateOf<C>>(view, pick(position.state(), view.player, mv)));
        pick.into_iter().filter(|&pick| pick != WAIT).collect()
    }

    fn complete(position: &P, view: &View, picks: &[Pick]) -> Self::Move {
        let chosen = picks.first().copied().unwrap_or(WAIT);
        let is_chosen =
            |&mv: &MoveOf<C>| mirrored::<StateOf<C>>(view, pick(position.state(), view.player, mv)) == chosen;
        position.legal(view.player).into_iter().find(is_chosen)
    }

    fn images() -> Vec<Vec<usize>> {
        let Size { width, height } = <StateOf<C> as Learnable>::BOARD;
        let image = |image| (0..width * height).map(|cell| <StateOf<C>>::image(cell, image)).collect();
        (0..<StateOf<C> as Learnable>::IMAGES).map(image).collect()
    }

    fn mirrored(view: &View, rng: &mut Rng) -> View {
        View { image: rng.index(<StateOf<C> as Learnable>::IMAGES), ..*view }
    }

    fn seen(from: &View, to: &View, pick: Pick) -> Pick {
        debug_assert_eq!(from.image, 0, "the board as it is");
        mirrored::<StateOf<C>>(to, pick)
    }

    fn outcome(position: &P, player: Player) -> f32 {
        let [zero, one] = position.points();
        (player.sign() * (zero - one).signum()) as f32
    }

    fn sample(output: &Workspace, position: &P, view: &View, rng: &mut Rng) -> (Self::Move, Vec<Pick>, f32) {
        let moves = position.legal(view.player);
        let odds = odds(output, position.state(), view.player, &moves);
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

    fn best(output: &Workspace, position: &P, view: &View) -> Self::Move {
        let moves = position.legal(view.player);
        let odds = odds(output, position.state(), view.player, &moves);
        let best = (0..moves.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b]));
        best.map(|at| moves[at])
    }

    /// Creates the contest's bot `puct` with the network that is being trained. A game with hidden information has no
    /// such bot, because its search would see everything.
    fn search(
        name: &str,
        options: &mut Options,
        network: &Network,
        seed: u64,
    ) -> Option<Result<Search<Self>, String>> {
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

    /// A move is stored as its index among the legal moves.
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

/// Returns a choice on the original board as seen in this view's symmetry.
fn mirrored<G: Learnable>(to: &View, pick: Pick) -> Pick {
    if pick == WAIT || to.image == 0 {
        return pick;
    }
    let stride = shape::<G>(16, 0, 1).head_stride();
    let (cell, action) = (usize::from(pick) / stride, usize::from(pick) % stride);
    (G::image(cell, to.image) * stride + action) as Pick
}

/// Returns the probabilities of a player's moves.
fn odds<G: Learnable>(output: &Workspace, state: &G, player: Player, moves: &[G::Move]) -> Vec<f32> {
    let logit = |&mv: &G::Move| match pick(state, player, mv) {
        WAIT => output.wait[0],
        pick => output.logits[usize::from(pick)],
    };
    let most = moves.iter().map(logit).fold(f32::MIN, f32::max);
    let odds: Vec<f32> = moves.iter().map(|mv| (logit(mv) - most).exp()).collect();
    let all: f32 = odds.iter().sum();
    odds.into_iter().map(|part| part / all).collect()
}
