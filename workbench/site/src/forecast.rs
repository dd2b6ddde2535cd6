//! The forecast of a local league for battles: the win rates that follow from the ratings, next to the real ones.

use crate::group::BattleGroup;
use contender_stats::{Interval, score_of_elo};
use serde::Serialize;
use std::collections::BTreeMap;

/// The Elo ratings of a local league that can be compared with the rating of the author's bot.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ratings {
    me: f64,
    /// The ratings by name in lower case.
    others: BTreeMap<String, f64>,
}

impl Ratings {
    /// Returns the ratings next to those of `bot`, or `None` if the league has no rating of this bot. `rows` are the
    /// rows of the league's table: name, group and rating. Bots of different groups have no games that connect them, so
    /// their ratings cannot be compared.
    #[must_use]
    pub fn of<'a>(
        rows: impl Iterator<Item = (&'a str, Option<usize>, f64)> + Clone,
        bot: &str,
    ) -> Option<Ratings> {
        let own = rows.clone().find(|(name, group, _)| group.is_some() && name.eq_ignore_ascii_case(bot))?;
        let (_, group, me) = own;
        let others = rows.filter(|(_, other, _)| *other == group);
        let others = others.map(|(name, _, rating)| (name.to_ascii_lowercase(), rating)).collect();
        Some(Ratings { me, others })
    }

    /// Returns the expected win rate against an opponent, if the league has a rating of it.
    #[must_use]
    pub fn expected(&self, opponent: &str) -> Option<f64> {
        let rating = self.others.get(&opponent.to_ascii_lowercase())?;
        Some(score_of_elo(self.me - rating))
    }
}

/// The forecast for the battles against an opponent.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpponentForecast {
    /// The opponent's name, or `all` for all opponents with a rating.
    pub name: String,
    /// Number of battles.
    pub games: u64,
    /// The win rate that follows from the league's ratings, from 0 to 1. A tie counts as half a win.
    pub expected: f64,
    /// The win rate in the battles.
    pub win_rate: f64,
    /// Wilson's 95% interval of the win rate in the battles. It ignores the uncertainty of the ratings.
    pub interval: Option<Interval>,
}

impl OpponentForecast {
    /// Returns the forecasts for the opponents that have a rating, and for all of them together.
    pub(crate) fn all(opponents: &[BattleGroup], ratings: &Ratings) -> Vec<OpponentForecast> {
        let row = |row: &BattleGroup, expected| OpponentForecast {
            name: row.name.clone(),
            games: row.games,
            expected,
            win_rate: row.win_rate,
            interval: row.interval,
        };
        let rated = || opponents.iter().filter_map(|other| Some((other, ratings.expected(&other.name)?)));
        let mut rows: Vec<OpponentForecast> = rated().map(|(other, expected)| row(other, expected)).collect();
        if rows.len() > 1 {
            let mut sum = BattleGroup { name: "all".to_string(), ..BattleGroup::default() };
            rated().for_each(|(other, _)| sum.join(other));
            let points: f64 = rows.iter().map(|row| row.expected * row.games as f64).sum();
            rows.push(row(&sum, points / sum.games as f64));
        }
        rows
    }

    /// Returns `above` or `below` if the win rate differs from the forecast by more than chance explains.
    #[must_use]
    pub fn verdict(&self) -> &'static str {
        match self.interval {
            Some(interval) if interval.low > self.expected => "above",
            Some(interval) if interval.high < self.expected => "below",
            _ => "",
        }
    }
}
