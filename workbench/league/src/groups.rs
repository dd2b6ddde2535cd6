//! Groups of bots that are connected by games. Strengths from different groups cannot be compared.

use crate::game::{LeagueBot, LeagueGame, places};
use crate::model::Model;
use contender_stats::ratings::RankedGame;
use std::cmp::Reverse;
use std::collections::HashSet;

/// Returns the groups of bots that are connected by rated games, largest group first, and the bots without such games.
pub(crate) fn groups<'a>(
    bots: &'a [LeagueBot],
    games: &[LeagueGame],
) -> (Vec<Vec<&'a LeagueBot>>, Vec<&'a LeagueBot>) {
    let seated: HashSet<i64> = games
        .iter()
        .filter(|game| game.is_rated())
        .flat_map(|game| game.seats.iter().map(|seat| seat.bot))
        .collect();
    // Bots without a rated game have no strength, but would count in the mean of all bots.
    let (playing, idle): (Vec<&LeagueBot>, Vec<&LeagueBot>) =
        bots.iter().partition(|bot| seated.contains(&bot.id));
    let places = places(playing.iter().map(|bot| bot.id));
    let played: Vec<RankedGame> = games.iter().filter_map(|game| game.ranked(&places)).collect();
    let mut groups = contender_stats::ratings::groups(places.len(), &played);
    groups.sort_by_key(|group| Reverse(group.len()));
    let members = |group: Vec<usize>| group.into_iter().map(|place| playing[place]).collect();
    (groups.into_iter().map(members).collect(), idle)
}

/// Returns a sentence that explains the groups, or `None` if there is only one group.
pub(crate) fn gap(groups: usize, model: Model) -> Option<String> {
    let mean = match model {
        Model::Points | Model::Elo => "; each strength is relative to the mean of its group",
        Model::Trueskill | Model::Openskill => "",
    };
    (groups > 1).then(|| {
        format!(
            "No games were played between these {groups} groups: compare strengths only within a group{mean}."
        )
    })
}
