//! Forecasts for a league: how certain the ranks are, and how they could change if the games were played again.

use crate::game::{BotState, LeagueBot, LeagueGame, places};
use crate::groups::{gap, groups};
use crate::model::Model;
use anyhow::{Result, bail};
use contender_stats::ratings::{
    PlackettLuce, RankedGame, RatedGame, Regression, Replayed, Strengths, differences,
};
use serde::Serialize;
use std::fmt::Write;

/// The probabilities of all ranks, computed from the joint uncertainty of the strengths.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Forecast {
    /// The rating model.
    pub model: Model,
    /// The bots that have played, grouped, in descending order of strength within each group.
    pub rows: Vec<ForecastRow>,
}

/// The forecast for one bot. Comparisons with the next bot are `None` for the last bot.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ForecastRow {
    /// The bot's name.
    pub name: String,
    /// The number of the bot's group, starting at 1. Bots in different groups are not connected by games.
    pub group: usize,
    /// The bot's strength relative to the mean of its group, in points per game or Elo.
    pub strength: f64,
    /// The probability that each rank in the group, starting with the first, is the bot's true rank. Empty if the group
    /// has too few games.
    pub true_ranks: Vec<f64>,
    /// The probability that the bot would reach each rank if the same games were played again with new seeds.
    pub ranks_again: Vec<f64>,
    /// Probability that the bot is truly stronger than the next bot.
    pub ahead: Option<f64>,
    /// Probability that the bot would finish ahead of the next bot if the games were played again.
    pub ahead_again: Option<f64>,
    /// Number of additional pairs against the next bot until the 95% interval of the difference excludes 0, assuming
    /// that the estimated difference is correct. Known only for strengths in points.
    pub pairs_needed: Option<u64>,
}

/// Number of random samples. With 40,000 samples, the probabilities are accurate to half a percentage point.
const DRAWS: u32 = 40_000;

/// Computes the forecast within a group of bots that are connected by games. The probabilities of ranks are empty if
/// the group has too few games.
fn forecast(
    group: &[&LeagueBot],
    number: usize,
    games: &[LeagueGame],
    model: Model,
) -> Result<Vec<ForecastRow>> {
    let places = places(group.iter().map(|bot| bot.id));
    let rated: Vec<RatedGame> = games.iter().flat_map(|game| game.rated(&places)).collect();
    let regression = (model == Model::Points).then(|| Regression::fit(places.len(), &differences(&rated)));
    let strengths: Strengths = match (&regression, model) {
        (Some(regression), _) => regression.strengths.clone(),
        (None, Model::Elo) => {
            let ranked: Vec<RankedGame> = games.iter().filter_map(|game| game.ranked(&places)).collect();
            PlackettLuce::fit(places.len(), &ranked).strengths
        }
        _ => bail!("a forecast needs the rating model `points` or `elo`"),
    };
    let chances = |of| strengths.ranks(of, DRAWS, 1).unwrap_or(vec![Vec::new(); places.len()]);
    let [truth, again] = [Replayed::Truth, Replayed::Tournament].map(chances);
    let order = strengths.ranking();
    let row = |(rank, &bot): (usize, &usize)| {
        let next = order.get(rank + 1).copied();
        let needed = |(next, regression): (usize, &Regression)| regression.pairs_needed(bot, next, 0.95);
        ForecastRow {
            name: group[bot].name.clone(),
            group: number,
            strength: strengths.values()[bot],
            true_ranks: truth[bot].clone(),
            ranks_again: again[bot].clone(),
            ahead: next.and_then(|next| strengths.ahead(bot, next)),
            ahead_again: next.and_then(|next| strengths.ahead_again(bot, next)),
            pairs_needed: next.zip(regression.as_ref()).and_then(needed),
        }
    };
    Ok(order.iter().enumerate().map(row).collect())
}

impl Forecast {
    /// Computes the forecast for all bots that have not been removed, separately for each group of bots that are
    /// connected by games. The same games always give the same probabilities.
    ///
    /// # Errors
    /// Returns an error if the model does not provide a joint uncertainty, or if there are too few games.
    pub fn of(bots: &[LeagueBot], games: &[LeagueGame], model: Model) -> Result<Forecast> {
        let bots: Vec<LeagueBot> =
            bots.iter().filter(|bot| bot.state != BotState::Removed).cloned().collect();
        let (groups, _) = groups(&bots, games);
        let mut rows = Vec::new();
        for (number, group) in (1..).zip(&groups) {
            rows.extend(forecast(group, number, games, model)?);
        }
        if rows.iter().all(|row: &ForecastRow| row.true_ranks.is_empty()) {
            bail!("there are too few games to estimate how certain the strengths are; play some more pairs");
        }
        Ok(Forecast { model, rows })
    }

    /// Formats the forecast as a table, with the probabilities of the first ten ranks if the games were played again.
    #[must_use]
    pub fn text(&self) -> String {
        const RANKS: usize = 10;
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).clamp(4, 30);
        let unit = self.model.name();
        let ranks = self.rows.iter().map(|row| row.ranks_again.len()).max().unwrap_or(0).min(RANKS);
        let mut text = format!("     {:<width$}  {unit:>8}  ", "bot");
        (1..=ranks).for_each(|rank| text += &format!("{:>5}", format!("{rank}.")));
        text += "    ahead   again  more pairs\n";
        let percent =
            |share: Option<f64>| share.map_or("-".to_string(), |share| format!("{:.0}%", 100.0 * share));
        let groups = self.rows.chunk_by(|one, next| one.group == next.group);
        for (rank, row) in groups.flat_map(|group| (1..).zip(group)) {
            if rank == 1 && row.group > 1 {
                text.push('\n');
            }
            let name: String = row.name.chars().take(30).collect();
            let _ = write!(text, "{rank:>3}. {name:<width$}  {:>+8.1}  ", row.strength);
            for rank in 0..ranks {
                // Probabilities near 0 are left empty, so that the table shows a diagonal.
                let chance = row.ranks_again.get(rank).copied().filter(|&chance| chance >= 0.005);
                let cell = chance.map_or(String::new(), |chance| percent(Some(chance)));
                let _ = write!(text, "{cell:>5}");
            }
            let more = row.pairs_needed.map_or("-".to_string(), |pairs| pairs.to_string());
            let _ = writeln!(text, "  {:>7} {:>7} {more:>11}", percent(row.ahead), percent(row.ahead_again));
        }
        text.extend(
            gap(self.rows.last().map_or(0, |row| row.group), self.model).map(|gap| format!("\n{gap}\n")),
        );
        text += "\n1., 2., ...: probability of this rank if the same games were played again with new seeds; ahead: \
                 probability of\nbeing truly stronger than the next bot; again: probability of finishing ahead of it \
                 again; more pairs: number of\npairs until the difference between the two is certain at 95%, if it \
                 is as large as it looks now\n";
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::testing;
    use contender_game::rules::Rng;

    /// Returns the forecast for three bots that play pairs: the first is far ahead, and the other two are equal.
    fn forecast() -> Forecast {
        let mut rng = Rng::new(1);
        let bots = [1, 2, 3].map(testing::bot);
        let strength = [30.0, 0.0, 0.1];
        let games: Vec<LeagueGame> = (0..120)
            .map(|number| {
                let (a, b) = [(1, 2), (1, 3), (2, 3)][number as usize / 2 % 3];
                let noise = 8.0 * (rng.unit() - 0.5);
                testing::game(number, [a, b], [strength[a as usize - 1] + noise, strength[b as usize - 1]])
            })
            .collect();
        Forecast::of(&bots, &games, Model::Points).unwrap()
    }

    #[test]
    fn what_is_sure_is_sure_and_what_is_even_is_even() {
        let Forecast { rows, .. } = forecast();
        assert!(rows[0].true_ranks[0] > 0.999 && rows[0].ranks_again[0] > 0.999, "{rows:?}");
        assert_eq!(rows[0].pairs_needed, Some(0));
        let [second, third] = [&rows[1], &rows[2]];
        assert!((0.05..0.95).contains(&third.ranks_again[1]), "{rows:?}");
        // New seeds bring a probability closer to one half.
        assert!(second.ahead_again.unwrap() < second.ahead.unwrap() && second.ahead_again.unwrap() > 0.5);
        assert!(second.pairs_needed.unwrap() > 10);
        assert_eq!((third.ahead, third.ahead_again, third.pairs_needed), (None, None, None));
        for row in &rows {
            for ranks in [&row.true_ranks, &row.ranks_again] {
                assert!((ranks.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn the_text_is_a_diagonal() {
        let text = forecast().text();
        assert!(text.contains("100%") && text.lines().nth(1).unwrap().contains("1. "), "{text}");
        assert_eq!(text, forecast().text());
    }

    /// Groups that are not connected by games do not affect each other's probabilities. A group with too few games has
    /// no probabilities of ranks.
    #[test]
    fn groups_have_their_own_ranks() {
        let bots = [1, 2, 3, 4].map(testing::bot);
        let game = |number: i64, bots: [i64; 2]| testing::game(number, bots, [(number % 5) as f64, 1.0]);
        let ours: Vec<LeagueGame> = (0..40).map(|number| game(number, [1, 2])).collect();
        let of = |theirs: i64| {
            let theirs = (0..theirs).map(|number| game(100 + number, [3, 4]));
            Forecast::of(&bots, &ours.iter().cloned().chain(theirs).collect::<Vec<_>>(), Model::Points)
                .unwrap()
        };
        let [alone, few, many] = [0, 1, 50].map(of);
        assert_eq!(alone.rows, few.rows[..2]);
        assert_eq!(alone.rows, many.rows[..2]);
        assert_eq!((few.rows[2].true_ranks.len(), many.rows[2].true_ranks.len()), (0, 2));
        assert_eq!(many.rows.iter().map(|row| row.group).collect::<Vec<_>>(), [1, 1, 2, 2]);
        assert!(
            !alone.text().contains("No games were played")
                && many.text().contains("No games were played between these 2 groups")
        );
        let ranks: Vec<String> = many.text().lines().map(|line| line.chars().take(4).collect()).collect();
        assert_eq!(ranks[1..6], ["  1.", "  2.", "", "  1.", "  2."]);
    }

    #[test]
    fn too_few_games_are_said() {
        let bots = [1, 2].map(testing::bot);
        let error = |games: &[LeagueGame], model| Forecast::of(&bots, games, model).unwrap_err().to_string();
        assert!(error(&[testing::game(1, [1, 2], [1.0, 0.0])], Model::Points).contains("too few games"));
        assert!(
            error(&[testing::game(1, [1, 2], [1.0, 0.0])], Model::Trueskill).contains("`points` or `elo`")
        );
    }
}
