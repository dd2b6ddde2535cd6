//! Matchmaking, which chooses the two bots whose next games would tell most about the ranking.

use crate::game::{BotState, GameState, LeagueBot, LeagueGame, duels, places};
use crate::settings::Matchmaking;
use contender_stats::ratings::{Design, RatedGame, Regression, differences};
use std::collections::HashSet;

/// Number of consecutive void games after which two bots stop playing each other, until one of them is changed.
pub const VOIDS_IN_A_ROW: u32 = 3;

/// Statistics of the games between every two bots.
#[derive(Clone, Debug)]
pub struct Meetings {
    bots: usize,
    /// Number of pairs of games, by the indices of both bots.
    pairs: Vec<u64>,
    /// For every two bots, whether their last [`VOIDS_IN_A_ROW`] games were void. Only games since the last change of
    /// either bot count.
    given_up: Vec<bool>,
    /// For every two bots, the uncertainty about which one is better: the probability of the less likely order, from 0
    /// to 0.5.
    doubt: Vec<f64>,
    /// The meetings of the bots, including planned games.
    design: Design,
}

impl Meetings {
    /// Computes the statistics from all games of a league, including planned games.
    #[must_use]
    pub fn of(bots: &[LeagueBot], games: &[LeagueGame]) -> Meetings {
        let size = bots.len();
        let places = places(bots.iter().map(|bot| bot.id));
        let rated: Vec<RatedGame> = games.iter().flat_map(|game| game.rated(&places)).collect();
        let place = |id: i64| places.get(&id).copied();
        let mut pairs = vec![0; size * size];
        let mut met = Vec::new();
        let mut seen = HashSet::new();
        for game in games.iter().filter(|game| game.state != GameState::Void) {
            for [a, b] in meetings_of(game, &place) {
                if game.pair.is_none_or(|pair| seen.insert((pair, a.min(b), a.max(b)))) {
                    pairs[a * size + b] += 1;
                    pairs[b * size + a] += 1;
                    met.push([a, b]);
                }
            }
        }
        let mut voids = vec![0; size * size];
        for game in games.iter().filter(|game| game.state != GameState::Open) {
            for [a, b] in meetings_of(game, &place) {
                // Someone who changes a bot, even by resuming it, is assumed to have fixed the problem.
                let changed = bots[a].changed.max(bots[b].changed);
                let is_void = game.state == GameState::Void;
                let is_current = game.finished.is_some_and(|finished| finished > changed);
                for cell in [a * size + b, b * size + a] {
                    voids[cell] = if is_void { voids[cell] + u32::from(is_current) } else { 0 };
                }
            }
        }
        let Regression { strengths, .. } = Regression::fit(size, &differences(&rated));
        let doubt = (0..size * size)
            .map(|cell| {
                let ahead = strengths.ahead(cell / size, cell % size).unwrap_or(0.5);
                ahead.min(1.0 - ahead)
            })
            .collect();
        let given_up = voids.into_iter().map(|voids| voids >= VOIDS_IN_A_ROW).collect();
        Meetings { bots: size, pairs, given_up, doubt, design: Design::new(size, &met) }
    }

    /// Counts another pair of games between two bots.
    pub fn plan(&mut self, a: usize, b: usize) {
        self.pairs[a * self.bots + b] += 1;
        self.pairs[b * self.bots + a] += 1;
        self.design.add(a, b);
    }

    /// Returns how many pairs of games two bots have played or will play. A single game counts as a pair.
    #[must_use]
    pub fn pairs(&self, a: usize, b: usize) -> u64 {
        self.pairs[a * self.bots + b]
    }

    /// Returns whether two bots no longer play each other because their last [`VOIDS_IN_A_ROW`] games had no result.
    /// Such bots play each other again after one of them has been changed, for example paused and resumed.
    #[must_use]
    pub fn are_given_up(&self, a: usize, b: usize) -> bool {
        self.given_up[a * self.bots + b]
    }
}

/// Returns every pair of bots in a game, by their indices.
fn meetings_of(game: &LeagueGame, place: &impl Fn(i64) -> Option<usize>) -> Vec<[usize; 2]> {
    let places: Vec<usize> = game.seats.iter().filter_map(|seat| place(seat.bot)).collect();
    duels(places.len()).map(|[a, b]| [places[a], places[b]]).collect()
}

/// Returns the indices of the active bots that should play next, or `None` if too few bots can play.
///
/// [`next_pair`] chooses the first two bots. The others are added one at a time: the bot that has played the chosen
/// bots least often or, if there are several, the one whose order relative to the chosen bots is most uncertain.
#[must_use]
pub fn next_meeting(
    bots: &[LeagueBot],
    meetings: &Meetings,
    settings: &Matchmaking,
    players: usize,
) -> Option<Vec<usize>> {
    let mut chosen = next_pair(bots, meetings, settings)?.to_vec();
    while chosen.len() < players {
        let may_join = |place: &usize| {
            bots[*place].state == BotState::Active
                && chosen.iter().all(|&other| other != *place && !meetings.are_given_up(*place, other))
        };
        let rank = |place: &usize| {
            let met: u64 = chosen.iter().map(|&other| meetings.pairs(*place, other)).sum();
            let doubt: f64 = chosen.iter().map(|&other| meetings.doubt[*place * meetings.bots + other]).sum();
            (met, -doubt)
        };
        let order = |a: &usize, b: &usize| {
            let (one, other) = (rank(a), rank(b));
            one.0.cmp(&other.0).then(one.1.total_cmp(&other.1))
        };
        chosen.push((0..bots.len()).filter(may_join).min_by(order)?);
    }
    Some(chosen)
}

/// Returns the indices of the two active bots that should play next, or `None` if no two bots can play each other.
///
/// Pairs of bots with fewer games than the minimum come first, starting with the fewest games, so that a new bot soon
/// meets all others. Then the pair with the highest value is chosen. The value is the product of two numbers: how much
/// a meeting would reduce the uncertainty about the difference in strength, and the uncertainty about which bot is
/// better. The first number becomes smaller with every meeting, so two equally strong bots do not take up all games.
/// The choice depends only on the games in the league.
#[must_use]
pub fn next_pair(bots: &[LeagueBot], meetings: &Meetings, settings: &Matchmaking) -> Option<[usize; 2]> {
    /// The minimum of the second number. Even if the order of two bots is certain, their strengths should become more
    /// precise.
    const FLOOR: f64 = 0.1;
    let is_active = |place: usize| bots[place].state == BotState::Active;
    let mut best: Option<((u64, f64), [usize; 2])> = None;
    for a in (0..bots.len()).filter(|&place| is_active(place)) {
        for b in (a + 1..bots.len()).filter(|&place| is_active(place)) {
            let played = meetings.pairs(a, b);
            let is_full = settings.max_pairs.is_some_and(|most| played >= most);
            if is_full || meetings.are_given_up(a, b) {
                continue;
            }
            let missing = settings.min_pairs.saturating_sub(played);
            let told = || (meetings.doubt[a * meetings.bots + b] + FLOOR) * meetings.design.gain(a, b);
            let worth = (missing, if missing > 0 { 0.0 } else { told() });
            if best.is_none_or(|(most, _)| worth > most) {
                best = Some((worth, [a, b]));
            }
        }
    }
    best.map(|(_, pair)| pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::testing;

    fn bots(states: &[BotState]) -> Vec<LeagueBot> {
        let bot = |(at, &state): (usize, &BotState)| LeagueBot {
            state,
            changed: 0.5,
            ..testing::bot(at as i64 + 10)
        };
        states.iter().enumerate().map(bot).collect()
    }

    fn game(id: i64, bots: [i64; 2], points: [f64; 2], state: GameState) -> LeagueGame {
        let (pair, finished) = (Some((id + 1) / 2), Some(id as f64));
        LeagueGame { pair, finished, state, ..testing::game(id, bots, points) }
    }

    fn pair_of_games(games: &mut Vec<LeagueGame>, [a, b]: [i64; 2], lead: f64) {
        let id = games.len() as i64 + 1;
        games.push(game(id, [a, b], [lead, 0.0], GameState::Done));
        games.push(game(id + 1, [b, a], [0.0, lead], GameState::Done));
    }

    #[test]
    fn new_bots_first_then_doubt() {
        let settings = Matchmaking { min_pairs: 2, max_pairs: Some(50) };
        let league = bots(&[BotState::Active; 3]);
        let choose = |games: &[LeagueGame]| next_pair(&league, &Meetings::of(&league, games), &settings);
        let mut games = Vec::new();
        assert_eq!(choose(&games), Some([0, 1]));
        pair_of_games(&mut games, [10, 11], 5.0);
        assert_eq!(choose(&games), Some([0, 2]));
        // Bots 0 and 1 are close, and bot 2 is far behind. After the minimum, the close bots play each other.
        for round in 0..3 {
            let noise = if round % 2 == 0 { 1.0 } else { -1.0 };
            pair_of_games(&mut games, [10, 11], noise);
            pair_of_games(&mut games, [10, 12], 60.0 + noise);
            pair_of_games(&mut games, [11, 12], 60.0 - noise);
        }
        assert_eq!(choose(&games), Some([0, 1]));
    }

    /// After a bot is changed, it plays again against bots with which its games were void, until there are as many new
    /// void games.
    #[test]
    fn a_change_ends_what_void_games_have_begun() {
        let mut league = bots(&[BotState::Active; 2]);
        let void = |id: i64| game(id, [10, 11], [0.0; 2], GameState::Void);
        let games: Vec<LeagueGame> = (1..=6).map(void).collect();
        let is_given_up =
            |league: &[LeagueBot], count: usize| Meetings::of(league, &games[..count]).are_given_up(0, 1);
        assert!(is_given_up(&league, 3));
        for bot in 0..2 {
            league[bot].changed = 3.5;
            assert!(!is_given_up(&league, 3));
            assert!(!is_given_up(&league, 5));
            assert!(is_given_up(&league, 6));
            league[bot].changed = 0.5;
        }
    }

    #[test]
    fn who_does_not_play_or_cannot_is_left_out() {
        let league = bots(&[
            BotState::Active,
            BotState::Paused,
            BotState::Active,
            BotState::Removed,
            BotState::Active,
        ]);
        let settings = Matchmaking { min_pairs: 1, max_pairs: Some(1) };
        let choose = |games: &[LeagueGame]| next_pair(&league, &Meetings::of(&league, games), &settings);
        let mut games: Vec<LeagueGame> =
            (1..=3).map(|id| game(id, [10, 12], [0.0; 2], GameState::Void)).collect();
        assert_eq!(choose(&games[..2]), Some([0, 2]));
        assert_eq!(choose(&games), Some([0, 4]));
        pair_of_games(&mut games, [10, 14], 1.0);
        pair_of_games(&mut games, [12, 14], 1.0);
        assert_eq!(choose(&games), None);
    }

    /// The order of two equal bots stays in doubt forever, but the other bots still get games.
    #[test]
    fn a_pair_that_is_never_decided_does_not_take_all_games() {
        let league = bots(&[BotState::Active; 4]);
        let settings = Matchmaking::default();
        let mut games = Vec::new();
        let mut alike = 0;
        for round in 0..12 + 34 {
            let [a, b] = next_pair(&league, &Meetings::of(&league, &games), &settings).unwrap();
            // Bots 0 and 1 take turns winning, and the others lose to the bots before them.
            let lead = if b == 1 { [1.0, -1.0][alike % 2] } else { 1.0 };
            pair_of_games(&mut games, [a as i64 + 10, b as i64 + 10], lead);
            alike += usize::from([a, b] == [0, 1]);
            if round == 11 {
                assert_eq!(alike, 2);
            }
        }
        assert!((8..=20).contains(&(alike - 2)), "{} of 34 pairs", alike - 2);
    }
}
