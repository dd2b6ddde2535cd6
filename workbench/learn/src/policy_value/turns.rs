//! A game in turn as a network learns it, whatever game: what [`Learnable`] says of it.

use super::subject::{BotOf, Choices, Found, Pick, Search, Subject};
use contender_game::{
    Analysis, AnyBot, Bot, BotInfo, BotList, Clock, Game, MoveOf, OpenJudge, Options, Player, Rng, Settings,
    Simultaneous, StateOf, Turn, TypedContest, mix,
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;
use contender_puct::{Learnable, Place, PuctBot, PuctSettings, shape, weights};
use contender_search::{Luck, draw};
use std::marker::PhantomData;

/// The game of a contest.
pub struct Turns<C>(PhantomData<fn() -> C>);

/// A state in which a player is to move, and the luck to come.
#[derive(Clone)]
pub struct Moment<G> {
    game: G,
    luck: Rng,
}

impl<G: Learnable> Moment<G> {
    fn settle(&mut self) {
        let mut outcomes = Vec::new();
        while self.game.turn() == Turn::Chance {
            let outcome = draw::<G, G::Luck>(&self.game, &mut self.luck, &mut outcomes).1;
            G::Luck::resolve(&mut self.game, outcome);
        }
    }

    fn moves(&self) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(&mut moves);
        moves
    }
}

/// Who is not to move has none.
impl<G: Learnable> Simultaneous for Moment<G> {
    type Move = Option<G::Move>;

    fn is_over(&self) -> bool {
        self.game.turn() == Turn::Over
    }

    fn moves(&self, player: Player, moves: &mut Vec<Option<G::Move>>) {
        if self.game.turn() == Turn::Player(player) {
            moves.extend(Moment::moves(self).into_iter().map(Some));
        } else {
            moves.push(None);
        }
    }

    fn play(&mut self, moves: [&Option<G::Move>; 2]) {
        let mv = moves.into_iter().flatten().next();
        self.game.play(*mv.expect("one of the players has moved"));
        self.settle();
    }

    fn points(&self) -> [i32; 2] {
        self.game.points()
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Option<G::Move> {
        let is_to_move = self.game.turn() == Turn::Player(player);
        is_to_move.then(|| self.game.random_move(rng, &mut Vec::new()))
    }
}

/// In which image the board is seen: the player to move sees it.
#[derive(Clone, Copy)]
pub struct View {
    image: usize,
}

/// Where a move's number is among the network's outputs.
fn pick<G: Learnable>(state: &G, mv: G::Move) -> Pick {
    match state.place(mv) {
        Place::Cell(cell, action) => (cell * shape::<G>(16, 0, 1).head_stride() + action) as Pick,
        Place::Nowhere => WAIT,
    }
}

const WAIT: Pick = Pick::MAX;

/// One of the legal moves, which ends the turn.
pub struct OneOf(Vec<Pick>);

impl Choices for OneOf {
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
struct InTurn<B>(B);

impl<G: Learnable, B: Bot<G, G::Move>> Bot<Moment<G>, Option<G::Move>> for InTurn<B> {
    fn choose(&mut self, state: &Moment<G>, player: Player, clock: &Clock) -> Option<G::Move> {
        Some(self.0.choose(&state.game, player, clock))
    }
}

/// What a search has found as what is to be learned: shares of visits, and values from -1 to 1.
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

impl<C> Subject for Turns<C>
where
    C: TypedContest + Send + Sync + 'static,
    StateOf<C>: Learnable<Move = MoveOf<C>>,
    MoveOf<C>: Copy + PartialEq + Send + Sync + 'static,
{
    type State = Moment<StateOf<C>>;
    type Move = Option<MoveOf<C>>;
    type View = View;
    type Choices<'a> = OneOf;
    const WAIT: Pick = WAIT;

    fn shape(channels: usize, blocks: usize, hidden: usize) -> Shape {
        shape::<StateOf<C>>(channels, blocks, hidden)
    }

    fn start(seed: u64) -> Self::State {
        let judge = C::start(seed, C::Rules::default()).expect("rules as they are go together");
        let mut moment = Moment { game: judge.state().clone(), luck: Rng::new(mix(&[seed, 2])) };
        moment.settle();
        moment.game.open(&mut moment.luck);
        moment.settle();
        moment
    }

    fn views(_: &Self::State) -> [View; 2] {
        [View { image: 0 }; 2]
    }

    fn bots() -> &'static [BotInfo] {
        C::Bots::INFO
    }

    fn bot(name: &str, options: &mut Options, seed: u64) -> Option<Found<BotOf<Self>>> {
        let bot: Found<AnyBot<<C::Bots as BotList>::Listener>> = C::Bots::choose(name, options, seed)?;
        Some(bot.map(|bot| Box::new(InTurn(bot)) as _))
    }

    fn idle(state: &Self::State, player: Player) -> Option<Self::Move> {
        (state.game.turn() != Turn::Player(player)).then_some(None)
    }

    fn size(_: &View) -> Size {
        <StateOf<C> as Learnable>::BOARD
    }

    fn encode(state: &Self::State, view: &View, input: &mut Planes) {
        input.clear(Self::size(view));
        if view.image == 0 {
            return state.game.encode(input);
        }
        let mut seen = Planes::new(Self::size(view));
        state.game.encode(&mut seen);
        let cells = seen.size().width * seen.size().height;
        let mut from = vec![0; cells];
        (0..cells).for_each(|cell| from[<StateOf<C>>::image(cell, view.image)] = cell);
        seen.everywhere().iter().for_each(|&(channel, value)| input.spread(channel, value));
        for cell in from {
            seen.cell(cell).iter().for_each(|&(channel, value)| input.set(channel, value));
            input.end_cell();
        }
    }

    fn choices(state: &Self::State, view: &View) -> OneOf {
        let picks = state.moves().into_iter().map(|mv| pick(&state.game, mv));
        OneOf(picks.map(|pick| Self::mirrored_pick(view, pick)).collect())
    }

    fn picks(state: &Self::State, view: &View, mv: &Self::Move) -> Vec<Pick> {
        let pick = mv.map(|mv| Self::mirrored_pick(view, pick(&state.game, mv)));
        pick.into_iter().filter(|&pick| pick != WAIT).collect()
    }

    fn mirrored(_: &View, rng: &mut Rng) -> View {
        View { image: rng.index(<StateOf<C> as Learnable>::IMAGES) }
    }

    fn mirrored_pick(mirror: &View, pick: Pick) -> Pick {
        if pick == WAIT || mirror.image == 0 {
            return pick;
        }
        let stride = Self::shape(16, 0, 1).head_stride();
        let (cell, action) = (usize::from(pick) / stride, usize::from(pick) % stride);
        (<StateOf<C>>::image(cell, mirror.image) * stride + action) as Pick
    }

    fn outcome(state: &Self::State, player: Player) -> f32 {
        let [zero, one] = state.game.points();
        (player.sign() * (zero - one).signum()) as f32
    }

    fn sample(
        output: &Workspace,
        state: &Self::State,
        view: &View,
        rng: &mut Rng,
    ) -> (Self::Move, Vec<Pick>, f32) {
        let moves = state.moves();
        let odds = odds(output, &state.game, &moves);
        let mut rest = rng.unit() as f32;
        let drawn = odds.iter().position(|part| {
            rest -= part;
            rest < 0.0
        });
        let at = drawn.unwrap_or(moves.len() - 1);
        let mv = Some(moves[at]);
        let mut picks = Self::picks(state, view, &mv);
        if picks.is_empty() {
            picks.push(WAIT);
        }
        (mv, picks, odds[at].ln())
    }

    fn best(output: &Workspace, state: &Self::State, _: &View) -> Self::Move {
        let moves = state.moves();
        let odds = odds(output, &state.game, &moves);
        let best = (0..moves.len()).max_by(|&a, &b| odds[a].total_cmp(&odds[b]));
        best.map(|at| moves[at])
    }

    /// `puct` over the network that learns, the self-improvement of Silver and others, "Mastering the game of Go
    /// without human knowledge", 2017.
    fn search(
        name: &str,
        options: &mut Options,
        network: &Network,
        seed: u64,
    ) -> Option<Found<Search<Self>>> {
        if name != "puct" {
            return None;
        }
        Some(PuctSettings::DEFAULT.with(options).map(|settings| {
            let mut bot = PuctBot::new(settings, network.clone(), seed);
            Box::new(move |state: &Self::State, clock: &Clock| {
                let found = lesson(bot.think(&state.game, clock));
                Player::BOTH.map(|player| match Self::idle(state, player) {
                    Some(idle) => Analysis::of_move(idle),
                    None => found.clone(),
                })
            }) as _
        }))
    }

    fn write(shape: Shape, parameters: &[f32]) -> Vec<(&'static str, Vec<u8>)> {
        vec![("network.bin", weights::write(shape, parameters))]
    }

    fn read(bytes: &[u8]) -> Found<(Shape, Vec<f32>)> {
        weights::read::<StateOf<C>>(bytes)
    }

    /// Its number among the legal moves.
    fn pack(state: &Self::State, mv: &Self::Move) -> Vec<u8> {
        let number = mv.and_then(|mv| state.moves().iter().position(|of| *of == mv));
        number.map_or(Vec::new(), |number| (number as u32).to_le_bytes().to_vec())
    }

    fn unpack(state: &Self::State, bytes: &[u8]) -> Option<Self::Move> {
        if bytes.is_empty() {
            return Some(None);
        }
        let number = u32::from_le_bytes(bytes.try_into().ok()?);
        Some(Some(*state.moves().get(number as usize)?))
    }
}

/// The probabilities of moves.
fn odds<G: Learnable>(output: &Workspace, state: &G, moves: &[G::Move]) -> Vec<f32> {
    let logit = |&mv: &G::Move| match pick(state, mv) {
        WAIT => output.wait,
        pick => output.logits[usize::from(pick)],
    };
    let most = moves.iter().map(logit).fold(f32::MIN, f32::max);
    let odds: Vec<f32> = moves.iter().map(|mv| (logit(mv) - most).exp()).collect();
    let all: f32 = odds.iter().sum();
    odds.into_iter().map(|part| part / all).collect()
}
