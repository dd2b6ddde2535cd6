//! Counts how often bots for Cellularena make the mistakes that the contest's winner describes, in positions from
//! recorded games: `cargo run --release -p contender-replay --example faults -- FILE... [--each N]`, with at most N
//! positions of each kind (default 200). The bots have node budgets, so the table is the same on every machine.

use contender_cellularena::bots::Bots;
use contender_cellularena::{Action, CellularenaContest, Kind, Rules, State, TURN_LIMIT};
use contender_game::{
    contest::{Bot, BotList, Clock, Judge, Limits, OpenJudge, TypedContest},
    rules::{Player, Rng, Simultaneous},
    settings::Options,
};
use contender_replay::Source;
use std::path::Path;

/// The bots, each with about the number of nodes that it can search in 50 ms.
const BOTS: [(&str, u64); 3] = [("heuristic", 3_000), ("classic", 150), ("champion", 250)];

/// The opponent in games from these positions.
const OPPONENT: (&str, u64) = ("heuristic", 100);

/// A clear lead: this factor times the enemy's organs, and this many more.
const LEAD: (i32, i32) = (2, 12);

/// Number of turns that are played from a won position.
const PLAYED_ON: u32 = 25;

/// A tie-break is near if at most this many turns are left and the numbers of organs differ by at most this much.
const NEAR: (u32, i32) = (20, 2);

type AnyBot = Box<dyn Bot<State, Vec<Action>>>;

/// The positions in which each mistake can be observed.
#[derive(Default)]
struct Positions {
    /// Positions with the player who is far ahead.
    won: Vec<(State, Player)>,
    tied: Vec<State>,
    /// Positions with a player that can pay for one basic organ per turn for every organism until the end.
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
    /// Adds the positions of a game, at most one of each kind every ten turns, or every five turns near the end.
    fn add(&mut self, game: &contender_replay::ReplayedGame) -> Result<(), String> {
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

    /// Keeps at most `each` random positions of each kind.
    fn choose(&mut self, each: usize, rng: &mut Rng) {
        rng.shuffle(&mut self.won);
        rng.shuffle(&mut self.tied);
        rng.shuffle(&mut self.free);
        self.won.truncate(each);
        self.tied.truncate(each);
        self.free.truncate(each);
    }

    /// Returns the number of won positions in which the bot wins the game within [`PLAYED_ON`] turns, and the total
    /// growth of its lead in organs over all these positions.
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

    /// Returns the points from positions near a tie-break, played to the end by both sides: 1 for a win, and 0.5 for a
    /// draw.
    fn ties(&self, name: &str, nodes: u64) -> f64 {
        let points = |state: &State, player: Player| {
            let end = play(state.clone(), player, (name, nodes), TURN_LIMIT);
            end.winner().map_or(0.5, |winner| f64::from(u8::from(winner == player)))
        };
        self.tied.iter().flat_map(|state| Player::BOTH.map(|player| points(state, player))).sum()
    }

    /// Returns the number of organisms that do not grow although growing is free, and the number of organisms that
    /// could.
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

/// Returns a player's lead in organs.
fn lead(state: &State, player: Player) -> i32 {
    state.organ_count(player) - state.organ_count(player.other())
}

fn is_far_ahead(state: &State, player: Player) -> bool {
    let (times, more) = LEAD;
    let [own, other] = [player, player.other()].map(|player| state.organ_count(player));
    own >= times * other && own - other >= more && state.turns() + PLAYED_ON < TURN_LIMIT
}

/// Returns the number of organisms that can grow onto a free cell, each onto a different one.
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

/// Returns the bot with this name with its default settings.
fn bot(name: &str) -> AnyBot {
    let made = Bots::choose(name, &mut Options::default(), 1);
    Box::new(made.expect("the bot is there").expect("no option is wrong"))
}

/// Returns the position after both bots have played until the game is over or turn `until` is reached.
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
