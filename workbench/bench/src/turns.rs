//! A bot's search, turn by turn, in games against itself with the time limits of its contest.

use contender_game::{
    contest::{Bot, Clock, Limits},
    rules::{Chance, Player, Rng, Turn},
};

/// A bot whose turns can be measured.
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The game's name.
    pub game: &'static str,
    /// The bot's name.
    pub bot: &'static str,
    /// The names of the seats.
    pub seats: [&'static str; 2],
    /// Plays `games` games with these limits per player. Their seeds are consecutive numbers that start at `seed`.
    pub run: fn(games: u32, limits: Limits, seed: u64) -> Vec<TurnMeans>,
}

/// The averages over all games for one turn of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TurnMeans {
    /// The player who moves in this turn.
    pub player: Player,
    /// The number of the turn of this player, counted from 0.
    pub turn: u32,
    /// The depth of the last complete iteration, in decisions.
    pub depth: f64,
    /// The size of the search.
    pub nodes: f64,
    /// Time between the question and the answer, in seconds.
    pub seconds: f64,
    /// The value of the best move in the bot's unit, from the point of view of player 0.
    pub value: f64,
    /// Mean square of the change in value since this player's previous turn. The change comes from chance and from the
    /// moves between the turns; it is 0 for the first turn.
    pub change: f64,
}

impl TurnMeans {
    fn zero(player: Player, turn: u32) -> TurnMeans {
        TurnMeans { player, turn, depth: 0.0, nodes: 0.0, seconds: 0.0, value: 0.0, change: 0.0 }
    }
}

/// Plays games of a bot against itself and returns the averages of each turn. `bot` creates a bot for each game. The
/// bot reports its search with [`Bot::analyse`].
pub fn turns<G: Chance, B: Bot<G, G::Move>>(
    start: &G,
    mut bot: impl FnMut() -> B,
    games: u32,
    limits: Limits,
    seed: u64,
) -> Vec<TurnMeans> {
    // By player and turn: the number of games that had this turn, and the sums.
    let mut sums: [Vec<(f64, TurnMeans)>; 2] = Default::default();
    for game in 0..games {
        let mut rng = Rng::new(seed + u64::from(game));
        let mut state = start.clone();
        let mut bots = [bot(), bot()];
        let mut clocks = [(); 2].map(|()| Clock::new(limits));
        let mut before = [None; 2];
        loop {
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
                Turn::Player(player) => {
                    let clock = &mut clocks[player.index()];
                    let turn = clock.turns_before();
                    clock.start_turn();
                    let found = bots[player.index()].analyse(&state, player, clock);
                    let seconds = clock.turn_elapsed().as_secs_f64();
                    clock.end_turn();
                    let best = &found.moves[0];
                    let value = f64::from(player.sign()) * best.value[0];
                    let change = value - before[player.index()].replace(value).unwrap_or(value);
                    let sums = &mut sums[player.index()];
                    if sums.len() == turn as usize {
                        sums.push((0.0, TurnMeans::zero(player, turn)));
                    }
                    let (count, sum) = &mut sums[turn as usize];
                    *count += 1.0;
                    sum.depth += f64::from(found.depth);
                    sum.nodes += found.counts.first().map_or(0, |count| count.1) as f64;
                    sum.seconds += seconds;
                    sum.value += value;
                    sum.change += change * change;
                    let mv = best.mv;
                    bots[player.other().index()].observe(&state, player.other(), &mv);
                    state.play(mv);
                }
            }
        }
    }
    let mean = |(count, sum): (f64, TurnMeans)| TurnMeans {
        depth: sum.depth / count,
        nodes: sum.nodes / count,
        seconds: sum.seconds / count,
        value: sum.value / count,
        change: sum.change / count,
        ..sum
    };
    sums.into_iter().flatten().map(mean).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses a node limit, so that all results except the times are reproducible.
    fn play(games: u32, seed: u64) -> Vec<TurnMeans> {
        let run = crate::profiles()[0].run;
        let timeless = |means| TurnMeans { seconds: 0.0, ..means };
        run(games, Limits::nodes(300), seed).into_iter().map(timeless).collect()
    }

    #[test]
    fn every_turn_of_both_players_has_the_mean_over_the_games() {
        let both = play(2, 7);
        let turns_of = |player| both.iter().filter(move |of| of.player == player).map(|of| of.turn);
        assert!(turns_of(Player::Zero).eq(0..48) && turns_of(Player::One).eq(0..49));
        for ((first, second), mean) in play(1, 7).into_iter().zip(play(1, 8)).zip(both) {
            let near = |of: fn(&TurnMeans) -> f64| {
                ((of(&first) + of(&second)) / 2.0 - of(&mean)).abs() < 1e-9 * of(&mean).abs().max(1.0)
            };
            assert!(
                near(|of| of.depth) && near(|of| of.nodes) && near(|of| of.value) && near(|of| of.change)
            );
            assert!(mean.turn > 0 || mean.change == 0.0, "{mean:?}");
        }
    }

    #[test]
    fn changes_are_those_of_a_players_values() {
        let game = play(1, 3);
        for pair in game.windows(2).filter(|pair| pair[0].player == pair[1].player) {
            assert_eq!(pair[1].change, (pair[1].value - pair[0].value).powi(2));
        }
    }
}
