//! An author's own game: a weight for each of its [`Features`].

use super::learner::{Inputs, Learner, Node};
use super::subject::{Player as SelfPlayer, Subject};
use super::{Recipe, Targets};
use crate::own_game::{EXACT, Searching, endless, resolve, start};
use contender_game::{Game, Player, Rng, StateOf, Turn, TypedContest, mix};
use contender_search::mcts::win_rewards;
use contender_search::{Bounds, Guide, INFINITY, SearchLimits};
use contender_value::{Evaluation, Features, WON, link};
use std::marker::PhantomData;

/// The game of a contest, played and learned by a recipe.
pub struct Own<'a, C> {
    recipe: &'a Recipe,
    contest: PhantomData<fn() -> C>,
}

/// What player 0 has of each feature, less what player 1 has: numbers of features and these differences.
#[derive(Clone, PartialEq, Debug)]
pub struct Differences(Vec<(u32, f32)>);

/// Values are those of who wins, from -1 to 1.
impl Inputs for Differences {
    fn each(&self, mut see: impl FnMut(usize, f64)) {
        self.0.iter().for_each(|&(feature, times)| see(feature as usize, times.into()));
    }

    fn value(sum: f64) -> f64 {
        link(sum)
    }
}

impl Differences {
    fn of<G: Features>(state: &G) -> Differences {
        let mut all: Vec<(u32, f32)> = Vec::new();
        for player in Player::BOTH {
            state.features(player, |feature| {
                assert!(feature < G::COUNT, "the game names feature {feature} of {}", G::COUNT);
                all.push((feature as u32, player.sign() as f32));
            });
        }
        all.sort_by_key(|&(feature, _)| feature);
        all.dedup_by(|next, first| {
            let is_same = next.0 == first.0;
            if is_same {
                first.1 += next.1;
            }
            is_same
        });
        all.retain(|&(_, times)| times != 0.0);
        Differences(all)
    }
}

/// The evaluation as the guide of a search that keeps what it finds.
struct Teacher<G> {
    evaluation: Evaluation<G>,
    nodes: Vec<Node<Differences>>,
}

fn node<G: Features>(state: &G, bounds: Bounds) -> Node<Differences> {
    let worth = |bound: i32| match bound {
        INFINITY => f32::INFINITY,
        bound if bound == -INFINITY => f32::NEG_INFINITY,
        bound => bound as f32 / WON as f32,
    };
    let [low, high] = [bounds.low, bounds.high].map(worth);
    Node { turn: 0, inputs: Differences::of(state), base: 0.0, low, high }
}

impl<G: Features> Guide<G> for Teacher<G> {
    fn evaluate(&mut self, state: &G) -> i32 {
        self.evaluation.evaluate(state)
    }

    fn finished(&mut self, state: &G) -> i32 {
        Guide::finished(&mut self.evaluation, state)
    }

    fn bounds(&self, state: &G, depth: u32) -> Bounds {
        self.evaluation.bounds(state, depth)
    }

    fn key(&self, state: &G) -> Option<u64> {
        self.evaluation.key(state)
    }

    fn found(&mut self, state: &G, _depth: u32, bounds: Bounds) {
        if bounds != Bounds::ANY {
            self.nodes.push(node(state, bounds));
        }
    }
}

/// Plays a game to its end: `choose` is asked for moves, chance and the openings follow from the generator.
///
/// # Errors
/// If the game has no end.
fn play<G: Features>(
    mut state: G,
    recipe: &Recipe,
    rng: &mut Rng,
    mut choose: impl FnMut(&G, Player) -> G::Move,
) -> Result<G, String> {
    let mut turns = 0;
    loop {
        match state.turn() {
            Turn::Over => return Ok(state),
            Turn::Player(_) if turns == G::MAX_TURNS => return Err(endless(turns)),
            Turn::Chance => resolve(&mut state, rng),
            Turn::Player(player) => {
                let is_random = turns < recipe.self_play.random_turns as usize
                    && rng.unit() < recipe.self_play.random_share;
                // A search teaches even where its move is not played.
                let found = choose(&state, player);
                let mv = if is_random { state.random_move(rng, &mut Vec::new()) } else { found };
                state.play(mv);
                turns += 1;
            }
        }
    }
}

impl<'a, C> Own<'a, C>
where
    C: TypedContest,
    StateOf<C>: Features,
{
    /// The game, with these settings.
    pub fn new(recipe: &'a Recipe) -> Own<'a, C> {
        Own { recipe, contest: PhantomData }
    }

    fn evaluation(learner: &Learner) -> Evaluation<StateOf<C>> {
        let (constant, weights) = learner.turns().next().expect("there is one place");
        Evaluation::new(constant, &weights)
    }
}

impl<C> Subject for Own<'_, C>
where
    C: TypedContest,
    StateOf<C>: Features,
{
    type Inputs = Differences;
    const RIVAL: &'static str = "random";
    const IS_SHARE: bool = true;

    fn places(&self) -> usize {
        1
    }

    fn inputs(&self) -> usize {
        <StateOf<C>>::COUNT
    }

    fn read(&self, bytes: &[u8]) -> Result<Vec<(f64, Vec<f64>)>, String> {
        let evaluation = <Evaluation<StateOf<C>> as contender_game::Shipped>::read(bytes)?;
        if evaluation.neurons() > 0 {
            return Err("it is a network: TreeStrap learns weights".to_string());
        }
        let weights = evaluation.weights().iter().map(|&weight| weight.into()).collect();
        Ok(vec![(evaluation.constant().into(), weights)])
    }

    fn text(&self, learner: &Learner) -> String {
        String::from_utf8(Self::evaluation(learner).write()).expect("weights are a text")
    }

    fn player(&self, learner: &Learner) -> SelfPlayer<'_, Differences> {
        let Recipe { targets, self_play, .. } = self.recipe;
        let teacher = Teacher { evaluation: Self::evaluation(learner), nodes: Vec::new() };
        let mut search = Searching::<StateOf<C>, _>::new(teacher, EXACT);
        Box::new(move |rng| {
            let mut positions = Vec::new();
            let end = play(start::<C>(rng.next_u64()), self.recipe, rng, |state, _| {
                let found = search.search(state, &SearchLimits::depth(self_play.depth));
                if *targets != Targets::Nodes {
                    let value = search.value(state, self_play.depth);
                    positions.push(node(state, Bounds::exact(value)));
                }
                found.moves[0].mv
            })?;
            targets.teach(&mut positions, end.value().signum() as f32);
            let searched = std::mem::take(&mut search.guide().nodes);
            Ok(if *targets == Targets::Nodes { searched } else { positions })
        })
    }

    /// The share of the two games that is won; a draw counts half, as does a game without end. Both have the same luck
    /// and the same opening.
    fn rivals(&self, learner: &Learner, other: Option<&Learner>) -> Box<dyn FnMut(u64) -> f64 + '_> {
        let depth = SearchLimits::depth(self.recipe.matches.depth);
        let bot = |learner: &Learner| Searching::<StateOf<C>, _>::new(Self::evaluation(learner), EXACT);
        let mut own = bot(learner);
        let mut rival = other.map(bot);
        Box::new(move |seed| {
            let mut by_luck = Rng::new(mix(&[seed, 1]));
            let won =
                Player::BOTH.map(|seat| {
                    let end = play(start::<C>(seed), self.recipe, &mut Rng::new(seed), |state, player| {
                        match &mut rival {
                            _ if player == seat => own.search(state, &depth).moves[0].mv,
                            Some(rival) => rival.search(state, &depth).moves[0].mv,
                            None => state.random_move(&mut by_luck, &mut Vec::new()),
                        }
                    });
                    end.map_or(0.5, |end| f64::from(win_rewards(end.points())[seat]))
                });
            (won[0] + won[1]) / 2.0
        })
    }
}
