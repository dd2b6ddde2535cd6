//! Statistics on how well bots guess their opponent's colour in recorded games.

use super::{Row, rows};
use crate::source::Source;
use anyhow::{Context, ensure};
use contender_boxes::notation::parse_full_move;
use contender_boxes::parse_colour;
use contender_boxes::{Belief, COLOURS, Colour, Guess, State};
use contender_game::rules::{Chance, Game, Player};
use std::collections::{BTreeMap, HashSet};

/// Maximum number of a player's moves for which there are guesses.
pub const MOVES: usize = 10;

/// Statistics on the guesses in all games.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Guesses {
    /// Number of players whose colour was guessed: two per game.
    pub players: u64,
    /// The guesses after a player's first k moves, for k = 1, 2, …
    pub after: [AfterMoves; MOVES],
    /// The champion bot's predictions for all colours, players and numbers of moves, grouped by probability into
    /// tenths.
    pub calibration: [Tenth; 10],
    /// The number of moves after which each player's colour was known, by player name.
    pub by_player: BTreeMap<String, Settled>,
}

/// Statistics on when the classic bot guessed a player's colour for good.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Settled {
    /// Number of games of the player.
    pub games: u64,
    /// Number of games whose last guess was right.
    pub right: u64,
    /// Number of the player's moves after which the guess was right and stayed right, added up over these games.
    pub moves: u64,
}

/// The guesses after a certain number of the player's moves.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct AfterMoves {
    /// Number of guesses.
    pub count: u64,
    /// Number of the classic bot's right guesses.
    pub classic: u64,
    /// Number of the champion bot's right guesses. The champion bot guesses the most likely colour.
    pub champion: u64,
    /// Sum of `-ln(p)` over the guesses, where `p` is the probability that the champion bot predicted for the right
    /// colour.
    pub surprise: f64,
}

/// Predictions whose probability is in the same tenth of the range from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Tenth {
    /// Number of predictions.
    pub count: u64,
    /// Sum of the predicted probabilities.
    pub predicted: f64,
    /// Number of predictions in which the colour was right.
    pub right: u64,
}

/// Guesses the colours of both players in every game from their moves, from the point of view of an opponent that knows
/// its own colour. If `best` is set, only the colours of the players with the highest mean points in these games are
/// guessed. Games in which a player failed are skipped.
///
/// # Errors
/// Returns an error if a file lacks a column or contains a malformed row or an illegal move.
pub fn colours(sources: Vec<Source>, best: Option<usize>) -> anyhow::Result<Guesses> {
    let mut games = Vec::new();
    for source in sources {
        for row in rows(source, None)?.1 {
            let (place, row) = row.map_err(anyhow::Error::msg)?;
            if row.statuses().iter().all(|status| !status.is_failure()) {
                games.push((place, row));
            }
        }
    }
    let best = best.map(|count| best_players(games.iter().map(|(_, row)| row), count));
    let mut guesses = Guesses::default();
    for (place, row) in &games {
        let is_wanted =
            [&row.first, &row.second].map(|name| best.as_ref().is_none_or(|best| best.contains(name)));
        guesses.add(row, is_wanted).with_context(|| format!("{place}: game {}", row.number))?;
    }
    Ok(guesses)
}

/// Returns the names of the `count` players with the highest mean points. Players with equal points are sorted by name.
fn best_players<'a>(games: impl Iterator<Item = &'a Row>, count: usize) -> HashSet<String> {
    let mut points: BTreeMap<&str, (f64, f64)> = BTreeMap::new();
    for row in games {
        for (name, points_of) in [&row.first, &row.second].into_iter().zip(row.points()) {
            let (sum, games) = points.entry(name).or_default();
            *sum += f64::from(points_of);
            *games += 1.0;
        }
    }
    let mut names: Vec<(f64, &str)> =
        points.into_iter().map(|(name, (sum, games))| (sum / games, name)).collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0));
    names.into_iter().take(count).map(|(_, name)| name.to_string()).collect()
}

impl Guesses {
    fn add(&mut self, row: &Row, is_wanted: [bool; 2]) -> anyhow::Result<()> {
        if is_wanted == [false; 2] {
            return Ok(());
        }
        let colour = |text: &str| parse_colour(text).map_err(anyhow::Error::msg);
        let colours = [colour(&row.first_colour)?, colour(&row.second_colour)?];
        ensure!(colours[0] != colours[1], "both players have colour {}", row.first_colour);
        let mut moves = row.moves.split_ascii_whitespace().map(parse_full_move);
        let (_, start) = moves.next().context("missing start tile")?.map_err(anyhow::Error::msg)?;
        let mut state = State::new(colours, start);
        let mut guess = [Guess::default(); 2];
        let mut belief = [Belief::default(), Belief::default()];
        let mut number = [0; 2];
        let mut right_since = [None; 2];
        for mv in moves {
            let (placement, tile) = mv.map_err(anyhow::Error::msg)?;
            let player = state.mover();
            ensure!(state.is_legal(placement), "{placement} is not legal");
            state.resolve(tile);
            if is_wanted[player] {
                guess[player].observe(&state, placement);
                let guessed = guess[player].colour(colours[player.other()]).expect("a move was observed");
                let before: Option<usize> = right_since[player].filter(|_| guessed == colours[player]);
                right_since[player] = before.or((guessed == colours[player]).then_some(number[player] + 1));
                if number[player] < MOVES {
                    belief[player].observe(&state, placement);
                    let likely = belief[player].probabilities(colours[player.other()]);
                    self.after[number[player]].add(colours[player], guessed, &likely);
                    self.calibrate(colours, player, &likely);
                }
            }
            number[player] += 1;
            state.play(placement);
        }
        for (player, name) in
            [&row.first, &row.second].into_iter().enumerate().filter(|(at, _)| is_wanted[*at])
        {
            self.players += 1;
            let settled = self.by_player.entry(name.clone()).or_default();
            settled.games += 1;
            settled.right += u64::from(right_since[player].is_some());
            settled.moves += right_since[player].unwrap_or(0) as u64;
        }
        Ok(())
    }

    fn calibrate(&mut self, colours: [Colour; 2], player: Player, likely: &[f64; COLOURS]) {
        for (colour, &probability) in (0..).zip(likely) {
            if colour != colours[player.other()] {
                let tenth = &mut self.calibration[((10.0 * probability) as usize).min(9)];
                tenth.count += 1;
                tenth.predicted += probability;
                tenth.right += u64::from(colour == colours[player]);
            }
        }
    }
}

impl AfterMoves {
    fn add(&mut self, colour: Colour, guessed: Colour, likely: &[f64; COLOURS]) {
        let right = likely[usize::from(colour)];
        self.count += 1;
        self.classic += u64::from(guessed == colour);
        self.champion += u64::from(likely.iter().all(|&other| other <= right));
        self.surprise -= right.ln();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codecup::HEADER;

    const GAMES: &str = "\
270954,6,swiss,A,150,DRAW,B,150,DRAW,1,6,Hh541362h Ie354261h Fk146523v Ii516324v Oh326514h Fc321456v Da451632v
270955,6,swiss,A,250,WIN,C,50,LOSE,1,6,Hh541362h Ie354261h Fk146523v
270956,6,swiss,A,0,TIMEOUT,C,250,WIN,1,6,Hh541362h Ie354261h Fk146523v
";

    fn source(games: &str) -> Source {
        Source::from_bytes("games.csv", format!("{HEADER}\n{games}").into_bytes())
    }

    #[test]
    fn players_are_counted_by_their_moves() {
        let found = colours(vec![source(GAMES)], None).unwrap();
        assert_eq!(found.players, 4);
        let counts: Vec<u64> = found.after.iter().map(|after| after.count).collect();
        assert_eq!(counts, [4, 2, 2, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(found.calibration.iter().map(|tenth| tenth.count).sum::<u64>(), 5 * 8);
        assert_eq!(found.calibration.iter().map(|tenth| tenth.right).sum::<u64>(), 8);
        assert_eq!(found.by_player.keys().collect::<Vec<_>>(), ["A", "B", "C"]);
        assert_eq!(found.by_player.values().map(|settled| settled.games).sum::<u64>(), 4);
        // A and B have the highest means, 200 and 150.
        let found = colours(vec![source(GAMES)], Some(2)).unwrap();
        assert_eq!((found.players, found.after[0].count), (3, 3));
        assert_eq!(colours(vec![source(GAMES)], Some(0)).unwrap(), Guesses::default());
    }

    /// Compares the statistics with the guesses after each number of moves. The games have different lengths, and the
    /// colour of one player is guessed.
    #[test]
    fn a_guess_is_settled_when_it_stays_right() {
        let line = GAMES.lines().next().unwrap().replacen("A,150,DRAW,B,150,DRAW", "A,250,WIN,B,50,LOSE", 1);
        let (head, moves) = line.rsplit_once(',').unwrap();
        let moves: Vec<&str> = moves.split(' ').collect();
        let mut changes = 0;
        for colour in 1..=5 {
            let head = head.replace(",1,6", &format!(",{colour},6"));
            for length in [2, 4, 6] {
                let game = format!("{head},{}\n", moves[..length].join(" "));
                let found = colours(vec![source(&game)], Some(1)).unwrap();
                let right: Vec<bool> =
                    found.after.iter().take(length / 2).map(|after| after.classic == 1).collect();
                let expected = match right.iter().rposition(|right| !right) {
                    None => (1, 1),
                    Some(wrong) if wrong + 1 == right.len() => (0, 0),
                    Some(wrong) => (1, wrong as u64 + 2),
                };
                let settled = found.by_player["A"];
                assert_eq!(
                    (settled.games, settled.right, settled.moves),
                    (1, expected.0, expected.1),
                    "{right:?}"
                );
                changes += u64::from(expected.1 > 1);
            }
        }
        assert!(changes > 0);
    }

    #[test]
    fn an_illegal_move_is_named() {
        let error = colours(vec![source(&GAMES.replace("Ie354261h", "Hj354261h"))], None).unwrap_err();
        assert_eq!(format!("{error:#}"), "games.csv:2: game 270954: Hjh is not legal");
    }
}
