//! Ratings: the strengths of many bots, computed from all games that they have played.
//!
//! | model | input | output |
//! |---|---|---|
//! | [`Regression`] | differences in points | strengths in points |
//! | [`SeatRegression`] | games | strengths in points, separately for each seat |
//! | [`PlackettLuce`] | ranks in games of two or more players (with two, the Bradley-Terry model) | strengths in Elo, the advantage of each seat, the tendency to ties |
//! | [`trueskill`], [`openskill`] | wins, draws and losses | the ratings that other arenas show |
//!
//! All ratings are computed from all games at once and do not depend on the order of the games. All models except the
//! last give [`Strengths`]. Their joint uncertainty shows how certain the ranks are, and the order of any two bots.

mod design;
pub(crate) mod linear;
mod plackett_luce;
mod regression;
mod skill;
mod strengths;

pub use design::Design;
pub use plackett_luce::{MAX_PLAYERS, PlackettLuce, RankedGame, draw_ranks};
pub use regression::{PairDifference, Regression, SeatRegression};
pub use skill::{Skill, openskill, trueskill};
pub use strengths::normal;
pub use strengths::{Replayed, Strengths};

/// A finished game as input for ratings.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RatedGame {
    /// The bots by seat, numbered from 0.
    pub players: [usize; 2],
    /// Contest points by seat.
    pub points: [f64; 2],
    /// The number of the game's pair, or `None` for a single game. The two games of a pair have the same seed and
    /// swapped seats.
    pub pair: Option<u64>,
}

/// Returns the observations for a regression: the mean of each pair, and each single game. The observations are in the
/// order in which their first games were played.
#[must_use]
pub fn differences(games: &[RatedGame]) -> Vec<PairDifference> {
    let mut found: Vec<(PairDifference, f64)> = Vec::new();
    let mut places = std::collections::HashMap::new();
    for game in games {
        let [a, b] = game.players;
        let points = game.points[0] - game.points[1];
        let key = game.pair.map(|pair| (pair, a.min(b), a.max(b)));
        let place = key.and_then(|key| places.get(&key).copied());
        match place {
            Some(place) => {
                let (difference, count): &mut (PairDifference, f64) = &mut found[place];
                difference.points += if difference.a == a { points } else { -points };
                *count += 1.0;
            }
            None => {
                places.extend(key.map(|key| (key, found.len())));
                found.push((PairDifference { a, b, points }, 1.0));
            }
        }
    }
    found.into_iter().map(|(of, count)| PairDifference { points: of.points / count, ..of }).collect()
}

/// Returns the groups of bots that are connected by games, directly or through other bots. Bots in different groups
/// cannot be compared. The groups, and the bots in each group, are sorted by the bots' numbers, which start at 0. A bot
/// without games forms a group alone.
///
/// # Panics
/// Panics if a game contains a bot that does not exist.
#[must_use]
pub fn groups(bots: usize, games: &[RankedGame]) -> Vec<Vec<usize>> {
    // For each bot, the smallest number in its group.
    let mut least: Vec<usize> = (0..bots).collect();
    for game in games {
        for pair in game.players.windows(2) {
            let [one, other] = [least[pair[0]], least[pair[1]]];
            if one != other {
                least.iter_mut().filter(|of| **of == one.max(other)).for_each(|of| *of = one.min(other));
            }
        }
    }
    let members = |first: usize| (first..bots).filter(|&bot| least[bot] == first).collect();
    (0..bots).filter(|&bot| least[bot] == bot).map(members).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_what_games_connect() {
        let game =
            |players: &[usize]| RankedGame { players: players.to_vec(), ranks: vec![0; players.len()] };
        let games = [game(&[4, 1]), game(&[5, 2]), game(&[6, 5, 4])];
        let expected = [vec![0], vec![1, 2, 4, 5, 6], vec![3]];
        assert_eq!(groups(7, &games), expected);
        assert_eq!(groups(7, &games[..2]), [vec![0], vec![1, 4], vec![2, 5], vec![3], vec![6]]);
        assert!(groups(0, &[]).is_empty());
    }

    #[test]
    fn pairs_are_one_difference_and_single_games_another() {
        let game = |players, points: [f64; 2], pair| RatedGame { players, points, pair };
        let games = [
            game([0, 1], [10.0, 4.0], Some(1)),
            game([2, 1], [3.0, 3.0], None),
            game([1, 0], [9.0, 7.0], Some(1)),
            game([0, 2], [1.0, 0.0], Some(1)),
        ];
        let expected = [(0, 1, 2.0), (2, 1, 0.0), (0, 2, 1.0)];
        assert_eq!(differences(&games), expected.map(|(a, b, points)| PairDifference { a, b, points }));
    }
}
