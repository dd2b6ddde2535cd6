//! Training of networks for Cellularena.

use crate::bots::Bots;
use crate::network::{self, encoder, policy, read_parameters, Symmetry, View};
use crate::{
    map, Action, Cell, Dir, Heuristic, HeuristicSettings, Kind, PuctBot, PuctNet, PuctSettings, State,
    MAX_HEIGHT, MAX_WIDTH,
};
use contender_game::{
    contest::{BotInfo, BotList},
    rules::{Player, Rng},
    settings::{Options, Settings},
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::{Network, Shape, Workspace};
use contender_nn::winograd::Size;
use contender_puct::{BotOf, LearnedGame, Pick, StrategySearch, TurnChoices};

/// The game.
pub struct Cellularena;

impl TurnChoices for policy::Choices<'_> {
    fn list(&self, picks: &mut Vec<Pick>) {
        policy::Choices::list(self, picks);
        picks.push(policy::WAIT);
    }

    fn take(&mut self, pick: Pick) {
        policy::Choices::take(self, pick);
    }
}

/// Target value of a clear win, a win for which the evaluation of `heuristic` returns 1.
const CLEAR: f64 = 2.0;

impl LearnedGame for Cellularena {
    type State = State;
    type Move = Vec<Action>;
    type View = View;
    type Choices<'a> = policy::Choices<'a>;
    const WAIT: Pick = policy::WAIT;

    fn shape(channels: usize, blocks: usize, hidden: usize, sides: usize) -> Shape {
        network::shape(channels, blocks, hidden, sides)
    }

    fn start(seed: u64) -> State {
        map::generate(seed.max(1) as i64).expect("every seed but 0 has a map")
    }

    fn views(start: &State) -> [View; 2] {
        let symmetry = Symmetry::of(start);
        Player::BOTH.map(|player| View::new(start, player, symmetry))
    }

    fn bots() -> &'static [BotInfo] {
        Bots::INFO
    }

    fn bot(name: &str, options: &mut Options, seed: u64) -> Option<Result<BotOf<Cellularena>, String>> {
        Bots::choose(name, options, seed)
    }

    fn size(view: &View) -> Size {
        let (width, height) = view.size();
        Size { width, height }
    }

    fn encode(state: &State, view: &View, input: &mut Planes) {
        encoder::encode(state, view, input);
    }

    fn choices<'a>(state: &'a State, view: &View) -> policy::Choices<'a> {
        policy::Choices::new(state, *view)
    }

    fn side(view: &View) -> usize {
        view.side()
    }

    fn place(shape: Shape, view: &View, pick: Pick) -> usize {
        let (cell, kind) = policy::parts(pick);
        cell * shape.head_stride() + shape.first_head(view.side()) + kind
    }

    fn beside(view: &View) -> Option<View> {
        Some(view.beside())
    }

    fn picks(state: &State, view: &View, mv: &Vec<Action>) -> Vec<Pick> {
        let choices = policy::Choices::new(state, *view);
        mv.iter().map(|action| choices.pick_of(action)).collect()
    }

    fn complete(state: &State, view: &View, picks: &[Pick]) -> Vec<Action> {
        let mut choices = policy::Choices::new(state, *view);
        picks.iter().for_each(|&pick| TurnChoices::take(&mut choices, pick));
        choices.into_move()
    }

    /// Maps differ in size and symmetry, so only the map itself is an image of every map.
    fn images() -> Vec<Vec<usize>> {
        vec![(0..MAX_WIDTH * MAX_HEIGHT).collect()]
    }

    fn mirrored(view: &View, _: &mut Rng) -> View {
        view.mirrored()
    }

    fn seen(from: &View, to: &View, pick: Pick) -> Pick {
        policy::seen(pick, from, to)
    }

    fn outcome(state: &State, player: Player) -> f32 {
        network::outcome(state, player)
    }

    fn sample(
        output: &Workspace,
        state: &State,
        view: &View,
        rng: &mut Rng,
    ) -> (Vec<Action>, Vec<Pick>, f32) {
        let sampled = policy::sample(output, state, *view, rng);
        (sampled.actions, sampled.picks, sampled.log_probability)
    }

    fn best(output: &Workspace, state: &State, view: &View) -> Vec<Action> {
        policy::candidates(output, state, *view, 1).pop().map_or(Vec::new(), |best| best.actions)
    }

    /// With the network in training, `champion` gives the self-improvement of Silver and others, "Mastering the game of
    /// Go without human knowledge", 2017.
    fn search(
        name: &str,
        options: &mut Options,
        network: &Network,
        seed: u64,
    ) -> Option<Result<StrategySearch<Cellularena>, String>> {
        // The enemy's lists are as long as the player's, because both players' strategies are used.
        match name {
            "heuristic" => {
                let lists = HeuristicSettings { own_moves: 7, enemy_moves: 7, ..Default::default() };
                Some(lists.with(options).map(|settings| {
                    let mut bot = Heuristic::new(settings);
                    Box::new(move |state: &State, clock: &_| {
                        bot.think(state, Player::Zero, clock)
                            .map(|found| found.measured("wins", |value| CLEAR * value))
                    }) as _
                }))
            }
            "champion" => Some(PuctSettings::DEFAULT.with(options).map(|settings| {
                let net = PuctNet(network::Oracle::new(network.clone()));
                let mut bot = PuctBot::new(settings, net, seed);
                Box::new(move |state: &State, clock: &_| bot.think(state, Player::Zero, clock)) as _
            })),
            _ => None,
        }
    }

    fn write(shape: Shape, parameters: &[f32]) -> Vec<u8> {
        network::write(shape, parameters)
    }

    fn round(shape: &Shape, parameters: &mut [f32]) {
        network::round(shape, parameters);
    }

    fn read(bytes: &[u8]) -> Result<(Shape, Vec<f32>), String> {
        read_parameters(bytes)
    }

    fn pack(_: &State, _: Player, mv: &Vec<Action>) -> Vec<u8> {
        mv.iter()
            .flat_map(|of| {
                let kind = Kind::ALL.iter().position(|&kind| kind == of.kind).expect("all kinds are there");
                [of.from.x(), of.from.y(), of.to.x(), of.to.y(), kind, of.dir as usize].map(|part| part as u8)
            })
            .collect()
    }

    fn unpack(_: &State, _: Player, bytes: &[u8]) -> Option<Vec<Action>> {
        let action = |part: &[u8]| {
            let &[a, b, c, d, kind, dir] = part else { return None };
            let cell = |x: u8, y: u8| {
                let is_on_board = usize::from(x) < MAX_WIDTH && usize::from(y) < MAX_HEIGHT;
                is_on_board.then(|| Cell::new(usize::from(x), usize::from(y)))
            };
            let (from, to) = (cell(a, b)?, cell(c, d)?);
            Some(Action {
                from,
                to,
                kind: *Kind::ALL.get(usize::from(kind))?,
                dir: *Dir::ALL.get(usize::from(dir))?,
            })
        };
        bytes.chunks(6).map(action).collect()
    }
}
