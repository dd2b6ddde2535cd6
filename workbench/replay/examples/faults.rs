//! How often bots of Cellularena make the faults that the contest's winner names, over positions of recorded games:
//! `cargo run --release -p contender-replay --example faults -- FILE... [--each N]`, at most N positions of a kind (200
//! if it is not said). The bots have node budgets, so the table is the same on every machine.

use contender_cellularena::bots::Bots;
use contender_cellularena::{Action, CellularenaContest, Kind, Rules, State, TURN_LIMIT};
use contender_game::{
    contest::{Bot, BotList, Clock, Judge, Limits, OpenJudge, TypedContest},
    rules::{Player, Rng, Simultaneous},
    settings::Options,
};
use contender_replay::Source;
use std::path::Path;

/// The bots, and about as many nodes as each has in 50 ms.
const BOTS: [(&str, u64); 4] =
    [("heuristic", 3_000), ("advised", 2_000), ("classic", 150), ("champion", 250)];

/// Against whom positions are played on.
const OPPONENT: (&str, u64) = ("heuristic", 100);

/// A clear lead: so many times the enemy's organs, and so many more.
const LEAD: (i32, i32) = (2, 12);

/// A won position is played on for so many turns.
const PLAYED_ON: u32 = 25;

/// A tie-break is near: in the last so many turns, with so many organs of difference at most.
const NEAR: (u32, i32) = (20, 2);

type AnyBot = Box<dyn Bot<State, Vec<Action>>>;

/// The positions that one fault can be seen in.
#[derive(Default)]
struct Positions {
    /// With the player who is far ahead.
    won: Vec<(State, Player)>,
    tied: Vec<State>,
    /// With a player that can pay for a basic organ a turn for every organism up to the end.
    free: Vec<(State, Player)>,
}

fn main() -> anyhow::Result<()> {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    let mut each = 200;
    if let Some(at) = files.iter().position(|word| word == "--each") {
        let number = files.get(at + 1).and_then(|number| number.parse().ok());
        each = number.ok_or_else(|| anyhow::anyhow!("--each takes a number of positions"))?;
        files.drain(at..at + 2);
    }
    anyhow::ensure!(!files.is_empty(), "which files? FILE... [--each N]");
    let mut positions = Positions::default();
    for file in &files {
        for game in contender_replay::games(Source::open(Path::new(file))?, None, 0)? {
            let game = game.map_err(anyhow::Error::msg)?;
            anyhow::ensure!(
                game.contest.name() == "cellularena",
                "{}: a game of {}",
                game.place,
                game.contest.name()
            );
            positions.add(&game).map_err(anyhow::Error::msg)?;
        }
    }
    let mut rng = Rng::new(1);
    positions.choose(each, &mut rng);
    let Positions { won, tied, free } = &positions;
    println!("{} won positions, {} near a tie-break, {} of free growth\n", won.len(), tied.len(), free.len());
    println!(
        "bot        nodes  ended in {PLAYED_ON} turns  lead grows by  tie-breaks won  free growth not taken"
    );
    for (name, nodes) in BOTS {
        let (ended, growth) = positions.finished(name, nodes);
        let share = |part: f64, of: usize| 100.0 * part / of.max(1) as f64;
        let (not_taken, could) = positions.waits(name, nodes);
        println!(
            "{name:9}  {nodes:5}  {:16.1} %  {:13.1}  {:12.1} %  {:19.1} %",
            share(ended as f64, won.len()),
            growth / won.len().max(1) as f64,
            share(positions.ties(name, nodes), 2 * tied.len()),
            share(not_taken as f64, could)
        );
    }
    Ok(())
}

impl Positions {
    /// Adds those of a game, one of a kind every ten turns at most, near the end every five.
    fn add(&mut self, game: &contender_replay::Game) -> Result<(), String> {
        let mut judge = CellularenaContest::recorded(&game.judge().setup(), Rules::DEFAULT)?;
        let mut last_won = None;
        for text in &game.moves {
            judge.replay(text)?;
            let state = judge.state();
            if state.is_over() {
                break;
            }
            let tenth = state.turns() / 10;
            for player in Player::BOTH {
                if is_far_ahead(state, player) && last_won != Some(tenth) {
                    last_won = Some(tenth);
                    self.won.push((state.clone(), player));
                }
                if state.turns() % 10 == 5 && has_free_growth(state, player) {
                    self.free.push((state.clone(), player));
                }
            }
            let [zero, one] = Player::BOTH.map(|player| state.organ_count(player));
            if state.turns() % 5 == 0 && state.turns() + NEAR.0 >= TURN_LIMIT && (zero - one).abs() <= NEAR.1
            {
                self.tied.push(state.clone());
            }
        }
        Ok(())
    }

    /// Leaves so many of each kind.
    fn choose(&mut self, each: usize, rng: &mut Rng) {
        rng.shuffle(&mut self.won);
        rng.shuffle(&mut self.tied);
        rng.shuffle(&mut self.free);
        self.won.truncate(each);
        self.tied.truncate(each);
        self.free.truncate(each);
    }

    /// In how many won positions the bot ends the game within [`PLAYED_ON`] turns as its winner, and by how many organs
    /// its lead grows there, all together; the opponent counts as it stands.
    fn finished(&self, name: &str, nodes: u64) -> (usize, f64) {
        let (mut ended, mut growth) = (0, 0.0);
        for (start, player) in &self.won {
            let until = (start.turns() + PLAYED_ON).min(TURN_LIMIT - 1);
            let end = play(start.clone(), *player, (name, nodes), until);
            ended += usize::from(end.is_over() && end.winner() == Some(*player));
            growth += f64::from(lead(&end, *player) - lead(start, *player));
        }
        (ended, growth)
    }

    /// Points from positions near a tie-break, played to their end from both sides: 1 for a win, half for a draw.
    fn ties(&self, name: &str, nodes: u64) -> f64 {
        let points = |state: &State, player: Player| {
            let end = play(state.clone(), player, (name, nodes), TURN_LIMIT);
            end.winner().map_or(0.5, |winner| f64::from(u8::from(winner == player)))
        };
        self.tied.iter().flat_map(|state| Player::BOTH.map(|player| points(state, player))).sum()
    }

    /// How many organisms do not grow, of those that could for nothing.
    fn waits(&self, name: &str, nodes: u64) -> (usize, usize) {
        let (mut waits, mut could) = (0, 0);
        for (state, player) in &self.free {
            let actions = bot(name).choose(state, *player, &Clock::new(Limits::nodes(nodes)));
            let able = growers(state, *player);
            could += able;
            waits += able.saturating_sub(actions.len());
        }
        (waits, could)
    }
}

/// By how many organs a player leads.
fn lead(state: &State, player: Player) -> i32 {
    state.organ_count(player) - state.organ_count(player.other())
}

fn is_far_ahead(state: &State, player: Player) -> bool {
    let (times, more) = LEAD;
    let [own, other] = [player, player.other()].map(|player| state.organ_count(player));
    own >= times * other && own - other >= more && state.turns() + PLAYED_ON < TURN_LIMIT
}

/// How many organisms can grow onto a free cell of their own: as many as there are such cells at most.
fn growers(state: &State, player: Player) -> usize {
    let mut cells: Vec<_> = Vec::new();
    let mut actions = Vec::new();
    let mut count = 0;
    for root in state.organisms(player) {
        actions.clear();
        state.organism_actions(player, root, &[1, 0, 0, 0], &mut actions);
        actions.retain(|action| action.kind == Kind::Basic && state.free().has(action.to));
        if let Some(action) = actions.iter().find(|action| !cells.contains(&action.to)) {
            cells.push(action.to);
            count += 1;
        }
    }
    count
}

fn has_free_growth(state: &State, player: Player) -> bool {
    let organisms = growers(state, player) as i32;
    organisms > 0 && state.stock(player)[0] >= organisms * (TURN_LIMIT - state.turns()) as i32
}

/// The bot of this name with its usual settings.
fn bot(name: &str) -> AnyBot {
    let made = Bots::choose(name, &mut Options::default(), 1);
    Box::new(made.expect("the bot is there").expect("no option is wrong"))
}

/// The position after both have played on until the game or so many turns are over.
fn play(mut state: State, player: Player, (name, nodes): (&str, u64), until: u32) -> State {
    let mut bots = [bot(name), bot(OPPONENT.0)];
    let clocks = [nodes, OPPONENT.1].map(|nodes| Clock::new(Limits::nodes(nodes)));
    while !state.is_over() && state.turns() < until {
        let [own, enemy] = [player, player.other()];
        let moves = [bots[0].choose(&state, own, &clocks[0]), bots[1].choose(&state, enemy, &clocks[1])];
        let [zero, one] =
            if player == Player::Zero { [&moves[0], &moves[1]] } else { [&moves[1], &moves[0]] };
        state.play([zero, one]);
    }
    state
}
