//! The pairings in a round of a Swiss tournament.

/// Pairs the bots for a Swiss round. The best bot is paired with the next bot that it has not played yet, and so on.
/// Bots with equal scores keep their order. `met` is a matrix, stored row by row, of which bots have played each other.
/// If the number of bots is odd, the bye goes to the lowest-ranked bot among those with the fewest byes. Bots play each
/// other again only if this cannot be avoided.
pub fn swiss_round(scores: &[f64], met: &[bool]) -> Vec<[usize; 2]> {
    let bots = scores.len();
    let meetings = |bot: usize| met[bot * bots..(bot + 1) * bots].iter().filter(|&&met| met).count();
    let mut order: Vec<usize> = (0..bots).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    if bots % 2 == 1 {
        let most = order.iter().map(|&bot| meetings(bot)).max().unwrap_or(0);
        let resting = order.iter().rposition(|&bot| meetings(bot) == most);
        order.remove(resting.unwrap_or(bots - 1));
    }
    let mut pairs = Vec::new();
    if !pair_up(&order, met, &mut pairs, &mut 100_000) {
        pairs = order.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    }
    pairs
}

/// Pairs the first bot with the first possible opponent for which the remaining bots can also be paired. Tries at most
/// `tries` opponents in total.
fn pair_up(order: &[usize], met: &[bool], pairs: &mut Vec<[usize; 2]>, tries: &mut u32) -> bool {
    let [first, rest @ ..] = order else { return true };
    let bots = met.len().isqrt();
    for (at, &partner) in rest.iter().enumerate().filter(|(_, partner)| !met[first * bots + **partner]) {
        if *tries == 0 {
            return false;
        }
        *tries -= 1;
        pairs.push([*first, partner]);
        let others: Vec<usize> = rest[..at].iter().chain(&rest[at + 1..]).copied().collect();
        if pair_up(&others, met, pairs, tries) {
            return true;
        }
        pairs.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    #[test]
    fn swiss_rounds_pair_neighbours_and_repeat_no_meeting() {
        assert_eq!(swiss_round(&[0.0; 4], &[false; 16]), [[0, 1], [2, 3]]);
        let mut met = vec![false; 16];
        for [a, b] in [[0, 1], [2, 3]] {
            met[a * 4 + b] = true;
            met[b * 4 + a] = true;
        }
        assert_eq!(swiss_round(&[1.0, 0.0, 1.0, 0.0], &met), [[0, 2], [1, 3]]);
    }

    #[test]
    fn every_bot_meets_every_other_one_once_in_enough_rounds_and_rests_come_round() {
        for bots in 2..12 {
            let mut rng = Rng::new(bots as u64);
            let rounds = if bots % 2 == 0 { bots / 2 } else { bots };
            let mut met = vec![false; bots * bots];
            let mut rests = vec![0; bots];
            for _ in 0..rounds {
                let scores: Vec<f64> = (0..bots).map(|_| f64::from(rng.below(4))).collect();
                let pairs = swiss_round(&scores, &met);
                let mut plays = vec![0; bots];
                for [a, b] in pairs {
                    assert!(bots % 2 == 1 || !met[a * bots + b], "{bots} bots: {a} and {b} meet again");
                    met[a * bots + b] = true;
                    met[b * bots + a] = true;
                    plays[a] += 1;
                    plays[b] += 1;
                }
                assert!(plays.iter().all(|&plays| plays <= 1));
                assert_eq!(plays.iter().sum::<usize>(), bots / 2 * 2);
                for bot in 0..bots {
                    rests[bot] += 1 - plays[bot];
                }
            }
            assert!(rests.iter().all(|&rests| rests <= 2), "{bots} bots: {rests:?}");
        }
    }
}
