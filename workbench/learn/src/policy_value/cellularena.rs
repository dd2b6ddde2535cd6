//! Games of Cellularena, and what is learned from their decisions.

use super::engine::{Blame, Example, Figures, Said};
use super::recipe::Learning;
use contender_cellularena::heuristic::Advisor;
use contender_cellularena::network::encoder::encode;
use contender_cellularena::network::policy::{Choices, Pick, WAIT, mirrored, sample};
use contender_cellularena::network::{Oracle, Symmetry, View, outcome};
use contender_cellularena::{
    Action, Champion, ChampionSettings, Greedy, Heuristic, HeuristicSettings, Policy, RandomActions, State,
    map,
};
use contender_game::{Analysis, Bot, Clock, Limits, Player, Rng, Simultaneous};
use contender_nn::planes::Planes;
use contender_nn::policy_value::Network;
use contender_nn::winograd::Size;
use std::sync::Arc;

/// The teacher that the network itself advises.
const CHAMPION: &str = "champion";

/// A bundled bot.
pub(super) type Opponent = Box<dyn Bot<State, Vec<Action>>>;

/// A bundled bot by its name.
pub(super) fn opponent(name: &str, seed: u64) -> Result<Opponent, String> {
    match name {
        "random" => Ok(Box::new(RandomActions::new(seed))),
        "greedy" => Ok(Box::new(Greedy)),
        "heuristic" => Ok(Box::new(Heuristic::new(HeuristicSettings::default()))),
        _ => {
            Err(format!("there is no `{name}` to play against here; there are random, greedy and heuristic"))
        }
    }
}

/// Whom a network imitates.
pub(super) enum Teacher {
    /// A bot whose search finds what both players should do, and what the state is worth.
    Search(Box<Search>),
    /// Any other.
    Bot(Opponent),
}

/// Finds what is best for each player within a budget.
type Search = dyn FnMut(&State, &Clock) -> [Analysis<Vec<Action>>; 2];

/// What a teacher says for one player: moves with the probabilities to play them with, and from -1 to 1 what the state is worth to
/// the player, where the teacher knows.
struct Advice {
    moves: Vec<(Vec<Action>, f32)>,
    value: Option<f32>,
}

impl Teacher {
    /// Says what is wrong with a name.
    pub(super) fn check(name: &str) -> Result<(), String> {
        match name {
            CHAMPION => Ok(()),
            _ => {
                opponent(name, 0).map(drop).map_err(|error| format!("{error}, and to learn from {CHAMPION}"))
            }
        }
    }

    /// A bundled bot by its name, for one game. `champion` searches with the network that learns: expert iteration (Anthony, Tian and
    /// Barber, "Thinking fast and slow with deep learning and tree search", 2017).
    pub(super) fn new(name: &str, network: &Network, seed: u64) -> Result<Teacher, String> {
        // Lists as long for the enemy, who asks too.
        match name {
            "heuristic" => {
                let lists = HeuristicSettings { own_moves: 7, enemy_moves: 7, ..Default::default() };
                Ok(Teacher::of(Heuristic::new(lists)))
            }
            CHAMPION => {
                let lists = ChampionSettings { own: 6, enemy: 6, ..Default::default() };
                Ok(Teacher::of(Champion::over(&lists, Policy::of(network.clone()))))
            }
            _ => opponent(name, seed).map(Teacher::Bot),
        }
    }

    fn of<A: Advisor + 'static>(mut bot: Heuristic<A>) -> Teacher {
        Teacher::Search(Box::new(move |state, clock| bot.think(state, Player::Zero, clock)))
    }

    fn advise(&mut self, state: &State, clock: &Clock) -> [Advice; 2] {
        match self {
            Teacher::Search(think) => think(state, clock).map(|found| {
                let value = found.moves.first().map(|best| best.value[0] as f32);
                let count = found.strategy.len().max(1);
                let part = |at: usize| found.strategy.get(at).map_or(1.0, |&part| part as f32);
                let moves = found.moves.into_iter().take(count).enumerate();
                Advice { moves: moves.map(|(at, of)| (of.mv, part(at))).collect(), value }
            }),
            Teacher::Bot(bot) => Player::BOTH.map(|player| {
                let mv = bot.choose(state, player, clock);
                Advice { moves: vec![(mv, 1.0)], value: None }
            }),
        }
    }
}

/// One decision of a player, to learn from.
pub(super) struct Decision {
    state: Arc<State>,
    view: View,
    /// Choices of a whole turn, and their weight: of what was played, or of all that a teacher would play.
    lines: Vec<(Vec<Pick>, f32)>,
    goal: Goal,
    /// What the value should have been.
    target: f32,
}

/// What is to become of the choices.
enum Goal {
    /// They are what a teacher would do, who says that the state is worth this from -1 to 1.
    Imitate { value: Option<f32> },
    /// They were taken with this logarithm of their probability, and turned out so much better than was expected.
    Improve { log_probability: f32, advantage: f32 },
}

impl Decision {
    /// What a teacher would do, seen in a [mirror](View::mirrored). Own decisions stay as they are: their probabilities were those of
    /// the board as it was.
    pub(super) fn mirrored(&self) -> Option<Decision> {
        let Goal::Imitate { value } = self.goal else { return None };
        let (_, height) = self.view.size();
        let image = |picks: &Vec<Pick>| picks.iter().map(|&pick| mirrored(pick, height)).collect();
        Some(Decision {
            state: Arc::clone(&self.state),
            view: self.view.mirrored(),
            lines: self.lines.iter().map(|(picks, weight)| (image(picks), *weight)).collect(),
            goal: Goal::Imitate { value },
            target: self.target,
        })
    }
}

/// The start of a game, and its symmetry.
fn start(luck: u64) -> (State, Symmetry) {
    let state = map::generate(luck.max(1) as i64).expect("every seed but 0 has a map");
    let symmetry = Symmetry::of(&state);
    (state, symmetry)
}

/// A game by the probabilities of networks; the decisions of the players that learn.
pub(super) fn self_play(
    luck: u64,
    networks: [&mut Oracle; 2],
    learns: [bool; 2],
    learning: &Learning,
    rng: &mut Rng,
) -> Vec<Decision> {
    struct Taken {
        state: Arc<State>,
        view: View,
        picks: Vec<Pick>,
        log_probability: f32,
        value: f32,
    }
    let (mut state, symmetry) = start(luck);
    let mut taken: [Vec<Taken>; 2] = [Vec::new(), Vec::new()];
    let [zero, one] = networks;
    let mut networks = [zero, one];
    while !state.is_over() {
        let shared = Arc::new(state.clone());
        let moves = Player::BOTH.map(|player| {
            let view = View::new(&state, player, symmetry);
            let network = &mut networks[player];
            let value = network.ask(&state, &view);
            let sampled = sample(&network.output, &state, view, rng);
            if learns[player] {
                let (picks, log_probability) = (sampled.picks, sampled.log_probability);
                taken[player].push(Taken { state: Arc::clone(&shared), view, picks, log_probability, value });
            }
            sampled.actions
        });
        state.play([&moves[0], &moves[1]]);
    }
    let mut decisions = Vec::new();
    for player in Player::BOTH {
        let (mut next, mut advantage) = (outcome(&state, player) / learning.discount, 0.0);
        for taken in std::mem::take(&mut taken[player]).into_iter().rev() {
            let surprise = learning.discount * next - taken.value;
            advantage = surprise + learning.discount * learning.trace * advantage;
            next = taken.value;
            let goal = Goal::Improve { log_probability: taken.log_probability, advantage };
            let target = taken.value + advantage;
            decisions.push(Decision {
                state: taken.state,
                view: taken.view,
                lines: vec![(taken.picks, 1.0)],
                goal,
                target,
            });
        }
    }
    decisions
}

/// How the games that a teacher is imitated in are played.
#[derive(Clone, Copy)]
pub(super) struct Lessons {
    pub(super) own_share: f64,
    pub(super) random_share: f64,
    /// How much of a value's target is what the teacher says; the rest is who won.
    pub(super) value_share: f32,
    /// Nodes of the teacher for a move.
    pub(super) nodes: Option<u64>,
}

/// A game of a teacher, or of a network that asks the teacher what to do; all decisions with what the teacher would do.
pub(super) fn lesson(
    luck: u64,
    network: &mut Oracle,
    teacher: &mut Teacher,
    lessons: &Lessons,
    learning: &Learning,
    rng: &mut Rng,
) -> Vec<Decision> {
    let (mut state, symmetry) = start(luck);
    let mut decisions = Vec::new();
    let is_own = Player::BOTH.map(|_| rng.unit() < lessons.own_share);
    let clock = Clock::new(Limits { nodes: lessons.nodes, ..Limits::NONE });
    while !state.is_over() {
        let shared = Arc::new(state.clone());
        let advice = teacher.advise(&state, &clock);
        let moves = Player::BOTH.map(|player| {
            let view = View::new(&state, player, symmetry);
            let Advice { moves, value } = &advice[player];
            let lines = moves.iter().map(|(mv, part)| (choices_of(&state, view, mv, rng), *part)).collect();
            let (state_then, goal) = (Arc::clone(&shared), Goal::Imitate { value: *value });
            decisions.push(Decision { state: state_then, view, lines, goal, target: 0.0 });
            if is_own[player] {
                network.ask(&state, &view);
                sample(&network.output, &state, view, rng).actions
            } else if rng.unit() < lessons.random_share {
                state.random_move(player, rng)
            } else {
                moves[0].0.clone()
            }
        });
        state.play([&moves[0], &moves[1]]);
    }
    for decision in &mut decisions {
        let ahead = state.turns() - decision.state.turns() - 1;
        let won = outcome(&state, decision.view.player()) * learning.discount.powi(ahead as i32);
        decision.target = match decision.goal {
            // The surest value is that of the clearest win.
            Goal::Imitate { value: Some(value) } => won + lessons.value_share * (2.0 * value - won),
            _ => won,
        };
    }
    decisions
}

/// A move as choices in random order; what does not fit the choices is left out.
fn choices_of(state: &State, view: View, actions: &[Action], rng: &mut Rng) -> Vec<Pick> {
    let mut choices = Choices::new(state, view);
    let mut order = actions.to_vec();
    rng.shuffle(&mut order);
    let (mut picks, mut possible) = (Vec::new(), Vec::new());
    choices.list(&mut possible);
    for action in order {
        let pick = choices.pick_of(&action);
        if possible.contains(&pick) {
            picks.push(pick);
            choices.take(pick);
            possible.clear();
            choices.list(&mut possible);
        }
    }
    if !possible.is_empty() {
        picks.push(WAIT);
    }
    picks
}

/// Points of the network's policy alone, most probable choices, in a pair of games against a bot: 1 for a win, 0.5 for a draw.
pub(super) fn pair(
    luck: u64,
    network: &mut Oracle,
    mut opponent: impl FnMut(&State, &View) -> Vec<Action>,
) -> f64 {
    let games = Player::BOTH.map(|own| {
        let (mut state, symmetry) = start(luck);
        while !state.is_over() {
            let moves = Player::BOTH.map(|player| {
                let view = View::new(&state, player, symmetry);
                if player == own { network.best_move(&state, &view) } else { opponent(&state, &view) }
            });
            state.play([&moves[0], &moves[1]]);
        }
        state.winner().map_or(0.5, |winner| f64::from(u8::from(winner == own)))
    });
    games[0] + games[1]
}

/// Scales advantages to mean 0 and deviation 1.
pub(super) fn normalise(decisions: &mut [Decision]) {
    let mut all: Vec<&mut f32> = Vec::new();
    for decision in decisions {
        if let Goal::Improve { advantage, .. } = &mut decision.goal {
            all.push(advantage);
        }
    }
    let count = all.len().max(1) as f32;
    let mean = all.iter().map(|part| **part).sum::<f32>() / count;
    let variance = all.iter().map(|part| (**part - mean).powi(2)).sum::<f32>() / count;
    let scale = 1.0 / (variance.sqrt() + 1e-6);
    all.into_iter().for_each(|part| *part = (*part - mean) * scale);
}

/// A decision with how to learn from it.
pub(super) struct Lesson<'a> {
    pub(super) decision: &'a Decision,
    pub(super) learning: &'a Learning,
}

impl Example for Lesson<'_> {
    fn encode(&self, input: &mut Planes) {
        encode(&self.decision.state, &self.decision.view, input);
    }

    fn size(&self) -> Size {
        let (width, height) = self.decision.view.size();
        Size { width, height }
    }

    /// Figures: logarithm of the probability, entropy, squared error of the value, divergence, 1 if clipped, choices.
    fn loss(&self, said: &Said<'_>, blame: &mut Blame<'_>) -> Figures {
        let Lesson { decision, learning } = self;
        let logit = |pick: Pick| if pick == WAIT { said.wait } else { said.logits[usize::from(pick)] };
        let (mut log_probability, mut entropy, mut count) = (0.0, 0.0, 0.0);
        let (mut divergence, mut is_clipped) = (0.0, false);
        for (picks, weight) in &decision.lines {
            // For every choice all that were possible, with their probabilities.
            let mut choices = Choices::new(&decision.state, decision.view);
            let mut steps = Vec::with_capacity(picks.len());
            let (mut of_line, mut doubt) = (0.0, 0.0);
            for &pick in picks {
                let mut possible = Vec::new();
                choices.list(&mut possible);
                possible.push(WAIT);
                let most = possible.iter().map(|&pick| logit(pick)).fold(f32::MIN, f32::max);
                let mut odds: Vec<(Pick, f32)> =
                    possible.iter().map(|&pick| (pick, (logit(pick) - most).exp())).collect();
                let all: f32 = odds.iter().map(|(_, odds)| odds).sum();
                odds.iter_mut().for_each(|(_, odds)| *odds /= all);
                let uncertainty: f32 =
                    odds.iter().map(|&(_, odds)| if odds > 0.0 { -odds * odds.ln() } else { 0.0 }).sum();
                of_line += logit(pick) - most - all.ln();
                doubt += uncertainty;
                steps.push((odds, uncertainty));
                if pick != WAIT {
                    choices.take(pick);
                }
            }
            // The gradient of the loss by the logarithm of the probability.
            let (slope, bonus) = match decision.goal {
                Goal::Imitate { .. } => (-weight, 0.0),
                Goal::Improve { log_probability: before, advantage } => {
                    let difference = (of_line - before).clamp(-20.0, 20.0);
                    let ratio = difference.exp();
                    is_clipped = if advantage > 0.0 {
                        ratio > 1.0 + learning.clip
                    } else {
                        ratio < 1.0 - learning.clip
                    };
                    divergence = ratio - 1.0 - difference;
                    (if is_clipped { 0.0 } else { -advantage * ratio }, learning.entropy)
                }
            };
            for ((odds, uncertainty), &chosen) in steps.iter().zip(picks) {
                for &(pick, odds) in odds {
                    let taken = if pick == chosen { 1.0 } else { 0.0 };
                    let spread = if odds > 0.0 { odds * (odds.ln() + uncertainty) } else { 0.0 };
                    let part = slope * (taken - odds) + bonus * spread;
                    if pick == WAIT {
                        blame.wait += part;
                    } else {
                        blame.logits[usize::from(pick)] += part;
                    }
                }
            }
            log_probability += weight * of_line;
            entropy += weight * doubt;
            count += f64::from(*weight) * picks.len() as f64;
        }
        let error = said.value - decision.target;
        blame.value = 2.0 * learning.value * error;
        [
            log_probability.into(),
            entropy.into(),
            f64::from(error * error),
            divergence.into(),
            f64::from(u8::from(is_clipped)),
            count,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adam::{Curve, Schedule};
    use contender_cellularena::network::shape;
    use contender_cellularena::{MAX_HEIGHT, MAX_WIDTH};

    const LEARNING: Learning = Learning {
        rate: Schedule { start: 0.0, end: 0.0, curve: Curve::Linear },
        batch: 1,
        epochs: 1,
        clip: 0.2,
        divergence: 1.0,
        // Large, since a single choice among many changes it little.
        entropy: 20.0,
        value: 0.7,
        discount: 0.99,
        trace: 0.9,
        longest: 1.0,
    };

    /// A network with random parameters.
    fn network() -> Network {
        let shape = shape(16, 0, 1);
        let mut rng = Rng::new(3);
        let parameters: Vec<f32> = (0..shape.parameters()).map(|_| rng.unit() as f32 - 0.5).collect();
        Network::new(shape, &parameters)
    }

    #[test]
    fn the_champion_teaches_what_the_network_proposes_too() {
        let [mut plain, mut advised] =
            ["heuristic", "champion"].map(|name| Teacher::new(name, &network(), 0).unwrap());
        let clock = Clock::new(Limits::nodes(40));
        let (mut state, _) = start(5);
        let (mut more, mut alike) = (0, 0);
        for _ in 0..30 {
            if state.is_over() {
                break;
            }
            let [of_plain, of_advised] = [&mut plain, &mut advised].map(|teacher| match teacher {
                Teacher::Search(think) => think(&state, &clock).map(|found| found.moves),
                Teacher::Bot(_) => panic!("it does not search"),
            });
            for player in Player::BOTH {
                more += usize::from(of_advised[player].len() > of_plain[player].len());
                alike += usize::from(of_advised[player].iter().any(|of| of_plain[player][0].mv == of.mv));
            }
            state.play([&of_plain[0][0].mv, &of_plain[1][0].mv]);
        }
        assert!(more > 20 && alike > 20, "{more} {alike}");
        assert!(Teacher::check("champion").is_ok());
        assert!(Teacher::check("nobody").is_err_and(|error| error.contains("champion")));
    }

    #[test]
    fn what_is_learned_in_a_mirror_is_the_same_move_there() {
        let lessons = Lessons { own_share: 0.5, random_share: 0.2, value_share: 0.6, nodes: Some(20) };
        let mut teacher = Teacher::new("heuristic", &network(), 0).unwrap();
        let mut own = Oracle::new(network());
        let decisions = lesson(8, &mut own, &mut teacher, &lessons, &LEARNING, &mut Rng::new(2));
        let mut picks = 0;
        for decision in &decisions {
            let image = decision.mirrored().expect("it is a teacher's");
            assert_eq!((image.view, image.target), (decision.view.mirrored(), decision.target));
            assert_eq!(image.lines.len(), decision.lines.len());
            for ((line, weight), (image_line, image_weight)) in decision.lines.iter().zip(&image.lines) {
                assert_eq!((line.len(), weight), (image_line.len(), image_weight));
                let [mut plain, mut turned] =
                    [decision.view, image.view].map(|view| Choices::new(&decision.state, view));
                for (&pick, &image) in line.iter().zip(image_line).filter(|(pick, _)| **pick != WAIT) {
                    let [one, other] = [plain.take(pick), turned.take(image)];
                    assert_eq!((one.to, one.kind, one.dir), (other.to, other.kind, other.dir));
                    picks += 1;
                }
            }
        }
        assert!(picks > 100, "{picks}");
    }

    /// What is to be least, written down once more from the figures.
    fn slow_loss(decision: &Decision, figures: &Figures, value: f32) -> f64 {
        let [log_probability, entropy, ..] = *figures;
        let of_value = f64::from(LEARNING.value) * f64::from(value - decision.target).powi(2);
        match decision.goal {
            Goal::Imitate { .. } => of_value - log_probability,
            Goal::Improve { log_probability: before, advantage } => {
                let (ratio, advantage) = ((log_probability - f64::from(before)).exp(), f64::from(advantage));
                let clip = f64::from(LEARNING.clip);
                let gain = (ratio * advantage).min(ratio.clamp(1.0 - clip, 1.0 + clip) * advantage);
                of_value - gain - f64::from(LEARNING.entropy) * entropy
            }
        }
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let mut rng = Rng::new(4);
        let mut teacher = Teacher::new("heuristic", &network(), 0).unwrap();
        let clock = Clock::new(Limits::nodes(1));
        let (mut state, symmetry) = start(9);
        let (mut mixed, mut clipped) = (0, 0);
        for turn in 0..12 {
            let player = Player::BOTH[turn % 2];
            let view = View::new(&state, player, symmetry);
            let advice = teacher.advise(&state, &clock);
            let Advice { moves, value } = &advice[player];
            assert!(value.is_some_and(|value| value.abs() <= 1.0));
            assert!((moves.iter().map(|(_, part)| part).sum::<f32>() - 1.0).abs() < 1e-3);
            let mut lines: Vec<(Vec<Pick>, f32)> =
                moves.iter().map(|(mv, part)| (choices_of(&state, view, mv, &mut rng), *part)).collect();
            mixed += usize::from(lines.len() > 1);
            let mut goal = Goal::Imitate { value: *value };
            if turn % 4 >= 2 {
                lines = vec![(lines.swap_remove(0).0, 1.0)];
                let before = -2.0 * lines[0].0.len() as f32;
                goal = Goal::Improve {
                    log_probability: before,
                    advantage: if turn % 4 == 2 { 0.8 } else { -0.8 },
                };
            }
            let picks: Vec<Pick> = lines.iter().flat_map(|line| line.0.clone()).collect();
            let decision = Decision { state: Arc::new(state.clone()), view, lines, goal, target: 0.4 };
            let lesson = Lesson { decision: &decision, learning: &LEARNING };
            let count = 16 * MAX_WIDTH * MAX_HEIGHT;
            let logits: Vec<f32> = (0..count).map(|_| rng.unit() as f32 * 4.0 - 2.0).collect();
            let loss = |logits: &[f32], wait: f32, value: f32| {
                let mut slopes = vec![0.0; count];
                let mut blame = Blame { logits: &mut slopes, wait: 0.0, value: 0.0 };
                let figures = lesson.loss(&Said { logits, wait, value }, &mut blame);
                let (of_wait, of_value) = (blame.wait, blame.value);
                (slow_loss(&decision, &figures, value), slopes, of_wait, of_value, figures[4])
            };
            let (_, slopes, of_wait, of_value, is_clipped) = loss(&logits, 0.3, 0.1);
            clipped += usize::from(is_clipped > 0.0);
            let near = |name: &str, slope: f32, up: f64, down: f64| {
                let difference = ((up - down) / 0.02) as f32;
                assert!(
                    (slope - difference).abs() < 2e-2 * (1.0 + difference.abs()),
                    "{name}: {slope} {difference}"
                );
            };
            near("wait", of_wait, loss(&logits, 0.31, 0.1).0, loss(&logits, 0.29, 0.1).0);
            near("value", of_value, loss(&logits, 0.3, 0.11).0, loss(&logits, 0.3, 0.09).0);
            for pick in picks.into_iter().filter(|&pick| pick != WAIT) {
                let at = usize::from(pick);
                let moved = |by: f32| {
                    let mut logits = logits.clone();
                    logits[at] += by;
                    loss(&logits, 0.3, 0.1).0
                };
                near("logit", slopes[at], moved(0.01), moved(-0.01));
            }
            state.play([&advice[0].moves[0].0, &advice[1].moves[0].0]);
        }
        assert!(mixed > 0 && clipped > 0, "{mixed} {clipped}");
    }
}
