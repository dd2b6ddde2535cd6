//! Every search on every game whose traits fit, on real positions; where one does not fit the table says why.
//!
//! Sound searches equal plain minimax or expectimax with every switch on and off, the others keep what they promise.

use contender_boxes as boxes;
use contender_cellularena as cellularena;
use contender_entropy as entropy;
use contender_game::{Analysis, Chance, Combined, Game, Hidden, InTurn, Player, Rng, Simultaneous, Turn};
use contender_search::best_first::{BestFirst, BestFirstConfig, Expand, Worth};
use contender_search::layers::{LayerSearch, OneByOne};
use contender_search::matrix::{Matrix, Solver};
use contender_search::mcts::{self, Decoupled, Judgement, Mcts, OpenLoop, Outlook, Uct};
use contender_search::simultaneous::MatrixSearch;
use contender_search::*;
use contender_spaghetti as spaghetti;
use contender_uttt as uttt;
use std::fmt::Debug;

/// A cell of the table: the check, or why there is none.
enum Fit {
    Runs(fn()),
    Not(&'static str),
}

use Fit::{Not, Runs};

const SEARCHES: [&str; 8] = [
    "Search",
    "layers",
    "best_first",
    "Mcts",
    "OpenLoop",
    "OpenLoop with information sets",
    "MatrixSearch",
    "Decoupled",
];

/// The columns are those of `SEARCHES`.
fn table() -> [(&'static str, [Fit; 8]); 6] {
    [
        (
            "Entropy",
            [
                Runs(search::<Entropy>),
                Runs(layers::<Entropy>),
                Not("chance"),
                Runs(tree::<Entropy>),
                Runs(open_loop::<Entropy>),
                Not("nothing is hidden"),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Ultimate tic-tac-toe",
            [
                Runs(search::<Uttt>),
                Not("no chance"),
                Runs(best_first::<Uttt>),
                Runs(tree::<Uttt>),
                Runs(open_loop::<Uttt>),
                Not("nothing is hidden"),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Spaghetti",
            [
                Runs(search::<Spaghetti>),
                Not("no chance"),
                Runs(best_first::<Spaghetti>),
                Runs(tree::<Spaghetti>),
                Runs(open_loop::<Spaghetti>),
                Not("nothing is hidden"),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Box",
            [
                Not("hidden colours"),
                Not("hidden colours"),
                Not("hidden colours"),
                Not("hidden colours"),
                Not("hidden colours"),
                Runs(information_sets),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Box with known colours",
            [
                Runs(search::<OpenBox>),
                Runs(layers::<OpenBox>),
                Not("chance"),
                Runs(tree::<OpenBox>),
                Runs(open_loop::<OpenBox>),
                Not("nothing is hidden"),
                Not("in turn"),
                Not("in turn"),
            ],
        ),
        (
            "Cellularena",
            [
                Runs(search::<InOrder>),
                Not("no chance"),
                Runs(best_first::<InOrder>),
                Runs(tree::<InOrder>),
                Runs(open_loop::<InOrder>),
                Not("nothing is hidden"),
                Runs(matrices),
                Runs(decoupled),
            ],
        ),
    ]
}

#[test]
fn every_search_runs_on_every_game_that_fits() {
    for (game, row) in table() {
        for (search, fit) in SEARCHES.iter().zip(row) {
            match fit {
                Runs(check) => {
                    let start = std::time::Instant::now();
                    check();
                    println!("{game}, {search}: {:?}", start.elapsed());
                }
                Not(why) => println!("{game}, {search}: {why}"),
            }
        }
    }
}

/// A game with what the checks need of it.
trait Subject {
    type State: Game + Debug;
    type Guide: Guide<Self::State> + Clone;
    type Luck: Luck<Self::State>;

    /// A position where a player is to move, and a depth to which plain search takes milliseconds there.
    fn position(rng: &mut Rng) -> (Self::State, u32);

    /// A position from which plain search reaches the end in milliseconds, and a depth that is enough.
    fn ending(rng: &mut Rng) -> (Self::State, u32);

    fn guide(state: &Self::State) -> Self::Guide;

    fn plain(state: &Self::State, depth: u32) -> i32;
}

struct Entropy;

impl Subject for Entropy {
    type State = entropy::State;
    type Guide = entropy::ScoreGuide;
    type Luck = Fair;

    fn position(rng: &mut Rng) -> (entropy::State, u32) {
        let (left, depth) = if rng.below(2) == 0 { (2 + rng.below(46), 2) } else { (2 + rng.below(9), 3) };
        (entropy_state(rng, left), depth)
    }

    fn ending(rng: &mut Rng) -> (entropy::State, u32) {
        loop {
            let state = entropy_state(rng, 1);
            if state.turn() == Turn::Player(Player::Zero) || state.placed() == 48 {
                return (state, 4);
            }
        }
    }

    fn guide(state: &entropy::State) -> entropy::ScoreGuide {
        entropy::ScoreGuide::of(state)
    }

    fn plain(state: &entropy::State, depth: u32) -> i32 {
        expectimax(state, depth, &mut Self::guide(state))
    }
}

/// A state after random moves, `left` chips before the end, whose turn is a player's.
fn entropy_state(rng: &mut Rng, left: u32) -> entropy::State {
    let mut state = entropy::State::default();
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    let order = rng.below(2) == 0;
    loop {
        match state.turn() {
            Turn::Chance => state.resolve(state.random_outcome(rng, &mut outcomes)),
            Turn::Player(player) if state.placed() + left >= 49 && (player == Player::Zero) == order => {
                return state;
            }
            Turn::Player(_) => state.play(state.random_move(rng, &mut moves)),
            Turn::Over => state = entropy::State::default(),
        }
    }
}

struct Uttt;

impl Subject for Uttt {
    type State = uttt::State;
    type Guide = uttt::BoardsGuide;
    type Luck = Sure;

    fn position(rng: &mut Rng) -> (uttt::State, u32) {
        let plies = rng.below(60);
        (uttt_state(rng, plies, 1), 1 + rng.below(4))
    }

    fn ending(rng: &mut Rng) -> (uttt::State, u32) {
        loop {
            let state = uttt_state(rng, 52, 1);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            if moves.len() <= 3 {
                return (state, 6);
            }
        }
    }

    fn guide(_: &uttt::State) -> uttt::BoardsGuide {
        uttt::BoardsGuide
    }

    fn plain(state: &uttt::State, depth: u32) -> i32 {
        minimax(state, depth, &mut uttt::BoardsGuide)
    }
}

/// A state after at least so many random moves, in which the game goes on with at least so many moves to choose from.
fn uttt_state(rng: &mut Rng, plies: u32, choice: usize) -> uttt::State {
    loop {
        let mut state = uttt::State::default();
        while state.plies() < plies && state.turn() != Turn::Over {
            state.play(state.random_move(rng, &mut Vec::new()));
        }
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if moves.len() >= choice {
            return state;
        }
    }
}

struct Spaghetti;

impl Subject for Spaghetti {
    type State = spaghetti::State;
    type Guide = spaghetti::ScoreGuide;
    type Luck = Sure;

    fn position(rng: &mut Rng) -> (spaghetti::State, u32) {
        let (left, depth) = if rng.below(3) > 0 { (3 + rng.below(20), 2) } else { (3 + rng.below(4), 4) };
        (spaghetti_state(rng, left), depth)
    }

    fn ending(rng: &mut Rng) -> (spaghetti::State, u32) {
        let left = 1 + rng.below(3);
        (spaghetti_state(rng, left), left)
    }

    fn guide(_: &spaghetti::State) -> spaghetti::ScoreGuide {
        spaghetti::ScoreGuide
    }

    fn plain(state: &spaghetti::State, depth: u32) -> i32 {
        minimax(state, depth, &mut spaghetti::ScoreGuide)
    }
}

fn spaghetti_state(rng: &mut Rng, empty: u32) -> spaghetti::State {
    let mut state = spaghetti::State::empty();
    while state.empty_cells() > empty {
        state.play(state.random_move(rng, &mut Vec::new()));
    }
    state
}

struct OpenBox;

impl Subject for OpenBox {
    type State = boxes::OpenColours;
    type Guide = boxes::ScoreGuide;
    type Luck = Fair;

    fn position(rng: &mut Rng) -> (boxes::OpenColours, u32) {
        if rng.below(4) == 0 {
            (boxes::OpenColours(box_state(rng, usize::MAX)), 1)
        } else {
            (boxes::OpenColours(box_state(rng, 12)), 2)
        }
    }

    fn ending(rng: &mut Rng) -> (boxes::OpenColours, u32) {
        loop {
            let state = boxes::OpenColours(box_state(rng, 3));
            if can_end_within(&state, 2) {
                return (state, 4);
            }
        }
    }

    fn guide(state: &boxes::OpenColours) -> boxes::ScoreGuide {
        boxes::ScoreGuide::of(state)
    }

    fn plain(state: &boxes::OpenColours, depth: u32) -> i32 {
        expectimax(state, depth, &mut Self::guide(state))
    }
}

/// Whether every line of play ends after at most so many placements. What lies where never depends on the tiles.
fn can_end_within(state: &boxes::OpenColours, placements: u32) -> bool {
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.into_iter().all(|mv| {
        let mut child = state.clone();
        child.play(mv);
        if child.turn() == Turn::Chance {
            child.resolve(boxes::Tile::from_index(0));
        }
        child.turn() == Turn::Over || (placements > 1 && can_end_within(&child, placements - 1))
    })
}

/// A state of a random game with at most so many moves.
fn box_state(rng: &mut Rng, most: usize) -> boxes::State {
    loop {
        let mut state = boxes::State::random(rng);
        let mut fitting = Vec::new();
        while state.turn() != Turn::Over {
            state.resolve(state.random_outcome(rng, &mut Vec::new()));
            let mut moves = Vec::new();
            state.moves(&mut moves);
            if moves.len() <= most {
                fitting.push(state.clone());
            }
            state.play(*rng.choose(&moves));
        }
        if !fitting.is_empty() {
            return rng.choose(&fitting).clone();
        }
    }
}

/// Cellularena where a player acts with one organism a turn at most, so that moves are few and small.
#[derive(Clone, PartialEq, Debug)]
struct OneAction(cellularena::State);

impl Simultaneous for OneAction {
    type Move = Option<cellularena::Action>;

    fn is_over(&self) -> bool {
        self.0.is_over()
    }

    fn moves(&self, player: Player, moves: &mut Vec<Self::Move>) {
        let mut actions = Vec::new();
        self.0.actions(player, &mut actions);
        moves.push(None);
        moves.extend(actions.into_iter().map(Some));
    }

    fn play(&mut self, moves: [&Self::Move; 2]) {
        self.0.play_turn(moves.map(|mv| mv.as_ref().map_or(&[][..], std::slice::from_ref)));
    }

    fn points(&self) -> [i32; 2] {
        self.0.points()
    }

    fn value(&self) -> i32 {
        worth(&self.0)
    }

    fn random_move(&self, player: Player, rng: &mut Rng) -> Self::Move {
        let mut moves = Vec::new();
        self.moves(player, &mut moves);
        *rng.choose(&moves)
    }
}

/// Organs, and proteins a little.
fn worth(state: &cellularena::State) -> i32 {
    let [zero, one] = Player::BOTH.map(|player| {
        let stock: i32 = state.stock(player).iter().sum();
        10 * state.points()[player] + stock
    });
    zero - one
}

/// A state of a random game in which each player has at most so many moves.
fn arena_state(rng: &mut Rng, most: usize) -> OneAction {
    loop {
        let seed = 1 + i64::from(rng.below(1_000));
        let mut state = cellularena::map::generate(seed).expect("seeds from 1 have maps");
        let mut fitting = Vec::new();
        while !state.is_over() {
            let narrow = OneAction(state.clone());
            let fits = Player::BOTH.into_iter().all(|player| {
                let mut moves = Vec::new();
                narrow.moves(player, &mut moves);
                moves.len() <= most
            });
            if fits {
                fitting.push(narrow);
            }
            let pair = Player::BOTH.map(|player| state.random_move(player, rng));
            state.play([&pair[0], &pair[1]]);
        }
        if !fitting.is_empty() {
            return rng.choose(&fitting).clone();
        }
    }
}

/// A state of which the last turn is to be played.
fn last_turn(rng: &mut Rng, most: usize) -> OneAction {
    let mut state = arena_state(rng, most);
    state.0.set_turns(99);
    state
}

/// Cellularena with an order of play: the other side answers knowing the move.
struct InOrder;

impl Subject for InOrder {
    type State = InTurn<OneAction>;
    type Guide = Points;
    type Luck = Sure;

    fn position(rng: &mut Rng) -> (InTurn<OneAction>, u32) {
        let leader = *rng.choose(&Player::BOTH);
        (InTurn::new(arena_state(rng, 12), leader), 1 + rng.below(3))
    }

    fn ending(rng: &mut Rng) -> (InTurn<OneAction>, u32) {
        let leader = *rng.choose(&Player::BOTH);
        (InTurn::new(last_turn(rng, 12), leader), 2)
    }

    fn guide(_: &InTurn<OneAction>) -> Points {
        Points
    }

    fn plain(state: &InTurn<OneAction>, depth: u32) -> i32 {
        minimax(state, depth, &mut Points)
    }
}

/// Every switch on or off at random.
fn switches(rng: &mut Rng) -> Config {
    let mut on = || rng.below(2) == 0;
    let mut config = Config {
        alpha_beta: on() || on(),
        null_windows: on(),
        deepening: on(),
        table_bytes: if on() { 1 << 18 } else { 0 },
        table_depth: TableDepth::Same,
        table_move: on(),
        killers: on(),
        history: on(),
        scores: on(),
        star1: on(),
        star_etc: on(),
        chance_table: on(),
        evaluate_from: u32::from(on()) * 2,
        ..Config::FULL
    };
    config.driver = [Driver::Open, Driver::Aspiration(20), Driver::MtdF][rng.index(3)];
    if config.table_bytes == 0 && config.driver != Driver::Open {
        config.driver = Driver::Aspiration(2000);
    }
    config.star2 = if config.star1 { rng.index(3) } else { 0 };
    config.queries = if config.star1 { rng.below(3) } else { 0 };
    config
}

fn search<S: Subject>() {
    let mut rng = Rng::new(1);
    for _ in 0..120 {
        let (state, depth) = S::position(&mut rng);
        let expected = S::plain(&state, depth);
        for config in [Config::PLAIN, switches(&mut rng), switches(&mut rng)] {
            let mut search = Search::<S::State, S::Guide, S::Luck>::new(S::guide(&state), config);
            assert_eq!(search.value(&state, depth), expected, "depth {depth} with {config:?} on {state:?}");
            let Turn::Player(player) = state.turn() else { continue };
            let found = search.search(&state, &Allowance::depth(depth));
            let own = f64::from(player.sign() * expected);
            assert_eq!(found.moves[0].value, [own; 2], "{config:?} on {state:?}");
        }
    }
}

fn layers<S: Subject>()
where
    S::State: Chance,
{
    let mut rng = Rng::new(2);
    let mut searched = 0;
    for round in 0..160 {
        let (state, depth) = S::position(&mut rng);
        let Turn::Player(player) = state.turn() else { continue };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let mut child = state.clone();
        child.play(moves[0]);
        // The layers are those of a move, chance and a reply.
        if depth != 2 || child.turn() != Turn::Chance {
            continue;
        }
        searched += 1;
        let mut search = LayerSearch::new(OneByOne(S::guide(&state)), round % 2 == 0);
        let found = search.search(&state, &Allowance::NONE);
        let own = f64::from(player.sign() * S::plain(&state, 2));
        assert_eq!(found.moves[0].value, [own; 2], "on {state:?}");
    }
    assert!(searched > 20, "{searched} positions have these layers");
}

/// The guide's values as rewards and worths.
struct Values<E>(E);

impl<G: Game, E: Evaluate<G>> Judgement<G> for Values<E> {
    fn finished(&mut self, state: &G) -> [f32; 2] {
        let value = self.0.finished(state) as f32;
        [value, -value]
    }

    fn highest(&self) -> f32 {
        f32::INFINITY
    }

    fn estimate(&mut self, state: &mut G, _: &mut Rng) -> [f32; 2] {
        let value = self.0.evaluate(state) as f32;
        [value, -value]
    }
}

impl<G: Game, E: Evaluate<G>> Expand<G> for Values<E> {
    fn expand(&mut self, state: &G, moves: &[G::Move], worths: &mut Vec<Worth>) {
        worths.extend(moves.iter().map(|&mv| {
            let mut child = state.clone();
            child.play(mv);
            match child.turn() {
                Turn::Over => Worth::Exact(self.0.finished(&child) as f32),
                _ => Worth::Guess(self.0.evaluate(&child) as f32),
            }
        }));
    }
}

/// The value of a child of `state` as a full search proves it, if it does.
fn solved<S: Subject>(state: &S::State, child: &S::State) -> Option<i32> {
    let Turn::Player(player) = child.turn() else { return ended::<S>(state, child) };
    let mut full = Search::<S::State, S::Guide, S::Luck>::new(S::guide(state), Config::FULL);
    let found = full.search(child, &Allowance::nodes(200_000));
    Some(player.sign() * found.moves[0].value[0] as i32).filter(|_| found.is_proven())
}

/// The value of a child where no player acts, two decisions on, which are enough where the game is over or ends with the next.
fn ended<S: Subject>(state: &S::State, child: &S::State) -> Option<i32> {
    let values = [2, 3].map(|depth| {
        Search::<S::State, S::Guide, S::Luck>::new(S::guide(state), Config::PLAIN).value(child, depth)
    });
    Some(values[0]).filter(|_| values[0] == values[1])
}

/// Whatever is proven equals plain search to the end.
fn best_first<S: Subject>() {
    let mut rng = Rng::new(3);
    let mut proven = 0;
    for _ in 0..40 {
        let (state, _) = S::ending(&mut rng);
        let mut search = BestFirst::new(BestFirstConfig { capacity: 1 << 16, ..BestFirstConfig::default() });
        let found = search.search(&state, &mut Values(S::guide(&state)), &Allowance::nodes(3_000));
        let Turn::Player(player) = state.turn() else { continue };
        for of in found.moves.iter().filter(|of| of.is_proven) {
            let mut child = state.clone();
            child.play(of.mv);
            if let Some(value) = solved::<S>(&state, &child) {
                assert_eq!(of.value, [f64::from(player.sign() * value); 2], "{:?} in {state:?}", of.mv);
                proven += 1;
            }
        }
    }
    assert!(proven > 10, "{proven} moves are proven");
}

/// Whatever the solver proves equals full search, up to the rounding of means.
fn tree<S: Subject>() {
    let mut rng = Rng::new(4);
    let mut proven = 0;
    for _ in 0..60 {
        let (state, _) = S::ending(&mut rng);
        let Turn::Player(player) = state.turn() else { continue };
        let config = mcts::Config { capacity: 1 << 16, ..mcts::Config::default() };
        let mut search = Mcts::<S::State, S::Luck, Uct>::new(config, Uct::new(1_000.0));
        let found = search.search(&state, &mut Values(S::guide(&state)), &Allowance::nodes(20_000), &mut rng);
        for of in found.moves.iter().filter(|of| of.is_proven) {
            let mut child = state.clone();
            child.play(of.mv);
            if let Some(value) = solved::<S>(&state, &child) {
                let own = f64::from(player.sign() * value);
                assert!((of.value[0] - own).abs() <= 1.0, "{of:?}, {own} in {state:?}");
                proven += 1;
            }
        }
    }
    assert!(proven > 10, "{proven} moves are proven");
}

/// Every iteration goes through a legal move, and a search with the same seed finds the same.
fn open_loop<S: Subject>() {
    let mut rng = Rng::new(5);
    for round in 0..10 {
        let (state, _) = S::position(&mut rng);
        let found = [round, round].map(|seed| {
            let mut search = OpenLoop::<S::State, S::Luck, Uct>::new(1 << 12, Uct::new(1_000.0));
            let mut judgement = Values(S::guide(&state));
            search.search(&state, &mut judgement, &Allowance::nodes(500), &mut Rng::new(seed), |_, _| {})
        });
        sums_up(&state, &found[0]);
        assert_eq!(found[0].moves, found[1].moves);
    }
}

fn sums_up<G: Game>(state: &G, found: &Analysis<G::Move>) {
    let mut legal = Vec::new();
    state.moves(&mut legal);
    assert!(found.moves.iter().all(|of| legal.contains(&of.mv)));
    assert_eq!(found.moves.iter().map(|of| of.effort).sum::<u64>(), found.count("iterations"));
}

/// Box as its players see it: the other one's colour is drawn anew in every iteration, so the true one must not matter.
fn information_sets() {
    let mut rng = Rng::new(6);
    for round in 0..10 {
        let state = box_state(&mut rng, 40);
        let viewer = state.mover();
        let mut disguised = state.clone();
        disguised.resample(viewer, &mut rng);
        let found = [&state, &disguised].map(|state| {
            let mut search = OpenLoop::<boxes::State, Fair, Uct>::new(1 << 12, Uct::new(10.0));
            let deal = |state: &mut boxes::State, rng: &mut Rng| state.resample(viewer, rng);
            let mut judgement = Values(Points);
            search.search(state, &mut judgement, &Allowance::nodes(500), &mut Rng::new(round), deal)
        });
        sums_up(&state, &found[0]);
        assert_eq!(found[0].moves, found[1].moves, "the search knows the colour in {state:?}");
    }
}

/// The value by its definition: the matrix of all pairs of moves, solved.
fn by_definition(state: &OneAction, depth: usize) -> f64 {
    if depth == 0 || state.is_over() {
        return f64::from(state.value());
    }
    let moves = Player::BOTH.map(|player| {
        let mut moves = Vec::new();
        state.moves(player, &mut moves);
        moves
    });
    let mut payoffs = Vec::new();
    for row in &moves[0] {
        for column in &moves[1] {
            let mut child = state.clone();
            child.play([row, column]);
            payoffs.push(by_definition(&child, depth - 1));
        }
    }
    Solver::new().solve(Matrix::new(moves[0].len(), moves[1].len(), &payoffs)).value()
}

/// Full matrices and double oracle give the value by its definition, between the pessimistic values of both orders.
fn matrices() {
    let mut rng = Rng::new(7);
    for round in 0..60 {
        let depth = 1 + round % 2;
        let state = arena_state(&mut rng, if depth == 1 { 40 } else { 6 });
        let expected = by_definition(&state, depth);
        for oracle in [false, true] {
            let mut search = MatrixSearch::new(oracle);
            let value = search.value(&state, depth, &mut |state: &OneAction| f64::from(state.value()));
            assert!((value - expected).abs() < 1e-6, "{value}, not {expected}, by {oracle} in {state:?}");
        }
        let [low, high] = Player::BOTH
            .map(|leader| minimax(&InTurn::new(state.clone(), leader), 2 * depth as u32, &mut Points));
        assert!(f64::from(low) - 1e-6 <= expected && expected <= f64::from(high) + 1e-6);
    }
}

struct Worths;

impl Outlook<OneAction> for Worths {
    fn finished(&mut self, state: &OneAction) -> [f32; 2] {
        let value = state.value() as f32;
        [value, -value]
    }

    fn estimate(&mut self, state: &mut OneAction, _: &mut Rng) -> [f32; 2] {
        self.finished(state)
    }
}

/// Every iteration counts once for each player, and in a last turn with a best pair of moves the strategies come near the value.
fn decoupled() {
    let mut rng = Rng::new(8);
    for _ in 0..30 {
        let state = last_turn(&mut rng, 12);
        let mut search = Decoupled::new(1 << 12, Uct::new(10.0));
        let found = search.search(&state, &mut Worths, &Allowance::nodes(20_000), &mut rng);
        let [low, high] =
            Player::BOTH.map(|leader| minimax(&InTurn::new(state.clone(), leader), 2, &mut Points));
        for player in Player::BOTH {
            let found = &found[player];
            let visits: u64 = found.moves.iter().map(|of| of.effort).sum();
            assert_eq!(visits, found.count("iterations"));
            let seen = found.moves.iter().zip(&found.strategy).filter(|(_, share)| **share > 0.0);
            let mean: f64 = seen.map(|(of, share)| share * of.value[0]).sum();
            let mean = f64::from(player.sign()) * mean;
            assert!(
                f64::from(low) - 1.0 <= mean && mean <= f64::from(high) + 1.0,
                "{mean} is not between {low} and {high} for {player:?} in {state:?}"
            );
        }
    }
}
