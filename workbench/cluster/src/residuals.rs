//! Whether one machine's results are odd.

use contender_referee::GameRecord;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a machine's results differ from those of all.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Residual {
    /// The machine's name.
    pub machine: String,
    /// How many games it has played.
    pub games: u64,
    /// Of those, how many ended by a bot's failure.
    pub failures: u64,
    /// By how many standard errors its share of the first players' results is off what all machines together have in
    /// the same pairings; of honest machines about normal. 0 where nothing can be said.
    pub results: f64,
    /// The same for failures.
    pub failing: f64,
}

impl Residual {
    /// Beyond chance: an honest machine is so once in some ten thousand looks.
    #[must_use]
    pub fn is_odd(&self) -> bool {
        self.results.abs() > 4.0 || self.failing.abs() > 4.0
    }

    /// A line for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Residual { machine, games, failures, results, failing } = self;
        let odd = if self.is_odd() { ": odd, look at this machine" } else { "" };
        format!(
            "{machine:<24} {games} games, results {results:+.1} standard errors from those of all machines, \
             {failures} failures {failing:+.1}{odd}"
        )
    }
}

/// Results of a kind, as a number each.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    /// Sum less what is expected of a draw without replacement from `all`, and the variance of such a draw.
    fn against(self, all: Sums) -> [f64; 2] {
        if all.count < 2.0 {
            return [0.0; 2];
        }
        let mean = all.sum / all.count;
        let variance = (all.squares / all.count - mean * mean).max(0.0) * all.count / (all.count - 1.0);
        [self.sum - self.count * mean, self.count * variance * (1.0 - self.count / all.count)]
    }
}

/// Results and failures of a pairing.
type Pairing = [Sums; 2];

/// Games as they come, by machines and pairings. Games of the same two bots on the same seats are compared with each
/// other, so that it does not matter who has got which pairing.
#[derive(Default)]
pub(crate) struct Tally {
    all: BTreeMap<[String; 2], Pairing>,
    machines: BTreeMap<String, BTreeMap<[String; 2], Pairing>>,
}

impl Tally {
    pub fn add(&mut self, game: &GameRecord) {
        let Some(machine) = &game.machine else { return };
        let result = match game.result() {
            "1-0" => 1.0,
            "0-1" => 0.0,
            _ => 0.5,
        };
        let failure = if game.seats.iter().any(|seat| seat.ending.is_failure()) { 1.0 } else { 0.0 };
        let own = self.machines.entry(machine.name.clone()).or_default();
        for pairings in [&mut self.all, own] {
            let [results, failures] = pairings.entry(game.players.clone()).or_default();
            results.add(result);
            failures.add(failure);
        }
    }

    pub fn residuals(&self) -> Vec<Residual> {
        let of = |(machine, pairings): (&String, &BTreeMap<[String; 2], Pairing>)| {
            let [results, failing] = [0, 1].map(|kind| {
                let parts =
                    pairings.iter().map(|(players, sums)| sums[kind].against(self.all[players][kind]));
                let [sum, variance] =
                    parts.fold([0.0; 2], |total, part| [total[0] + part[0], total[1] + part[1]]);
                if variance > 1e-9 { sum / variance.sqrt() } else { 0.0 }
            });
            let total = |kind: usize, of: fn(&Sums) -> f64| {
                pairings.values().map(|sums| of(&sums[kind])).sum::<f64>() as u64
            };
            Residual {
                machine: machine.clone(),
                games: total(0, |sums| sums.count),
                failures: total(1, |sums| sums.sum),
                results,
                failing,
            }
        };
        self.machines.iter().map(of).collect()
    }
}

/// Of every machine that has played some of these games, by its name.
pub fn residuals<'a>(games: impl IntoIterator<Item = &'a GameRecord>) -> Vec<Residual> {
    let mut tally = Tally::default();
    games.into_iter().for_each(|game| tally.add(game));
    tally.residuals()
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::Rng;
    use contender_referee::{Ending, Machine};

    /// Games of two pairings, the second won by its first player far more often, and played by `b` far more often.
    /// Machine `c` gives the first player another share.
    fn games(share_on_c: f64) -> Vec<GameRecord> {
        let mut rng = Rng::new(7);
        let contest = contender_catalogue::find("uttt").unwrap();
        let judge = contest.judge(1, &mut contender_game::Options::rules()).unwrap();
        let mut uniform = move || rng.index(1 << 20) as f64 / f64::from(1 << 20);
        let mut games = Vec::new();
        for (machine, easy) in [("a", 0.2), ("b", 0.9), ("c", 0.5)] {
            for _ in 0..400 {
                let is_easy = uniform() < easy;
                let share = if machine == "c" {
                    share_on_c
                } else if is_easy {
                    0.9
                } else {
                    0.3
                };
                let players = if is_easy { ["x", "y"] } else { ["y", "x"] };
                let mut game = GameRecord::of(contest, judge.as_ref(), 1, players);
                game.points = if uniform() < share { [1, 0] } else { [0, 1] };
                let machine = machine.to_string();
                game.machine =
                    Some(Machine { name: machine, speed: None, late_wakeups: None, other_load: None });
                games.push(game);
            }
        }
        games
    }

    #[test]
    fn an_odd_machine_stands_out_and_others_do_not() {
        let mut odd = games(0.1);
        let found = residuals(&odd);
        let names: Vec<_> = found.iter().map(|residual| residual.machine.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert!(found[2].is_odd() && found[2].results < -10.0, "{found:?}");
        for game in odd.iter_mut().filter(|game| game.machine.as_ref().unwrap().name == "a").take(30) {
            game.seats[0].ending = Ending::Exit { code: 1 };
        }
        let failing = residuals(&odd);
        assert!(failing[0].failing > 4.0 && failing[0].failures == 30, "{failing:?}");
    }

    /// The slow way: the same games, dealt to the machines again and again, within the pairings.
    #[test]
    fn residuals_are_those_of_games_dealt_at_random() {
        let mut dealt = games(0.5);
        let mut rng = Rng::new(3);
        let mut seen = [0.0; 2];
        let rounds = 300;
        for _ in 0..rounds {
            for at in (1..dealt.len()).rev() {
                let other = rng.index(at + 1);
                if dealt[at].players == dealt[other].players {
                    let machine = dealt[at].machine.take();
                    dealt[at].machine = std::mem::replace(&mut dealt[other].machine, machine);
                }
            }
            let z = residuals(&dealt)[1].results;
            seen = [seen[0] + z, seen[1] + z * z];
        }
        let [mean, square] = seen.map(|sum| sum / f64::from(rounds));
        assert!(mean.abs() < 0.25 && (square - 1.0).abs() < 0.35, "{mean} {square}");
    }
}
