//! A move of a recorded game and a better one, drawn with their pieces on the board before them.

use crate::line::{make, stop_before_others};
use crate::page::Problem;
use crate::shown::sides;
use contender_game::board::Picture;
use contender_game::contest::{Contest, Judge};
use contender_game::rules::Player;
use contender_plot::board::{self, Frame, MoveOnBoard};
use contender_replay::ReplayedGame;

/// A move that a player made, and a better one.
pub struct Moves<'a> {
    /// Number of moves before this one.
    pub turn: usize,
    pub player: Player,
    pub played: &'a str,
    /// The better move; empty if there is none.
    pub better: &'a str,
}

impl Moves<'_> {
    /// Returns the board before the move as a part of a page, with the played move, the opponent's move in the same
    /// turn, and, if it `has_better`, the better move. `open` returns the game at its start.
    pub fn draw(
        &self,
        open: &dyn Fn() -> Result<ReplayedGame, Problem>,
        caption: &str,
        has_better: bool,
    ) -> Result<(Picture, String), Problem> {
        let at_turn = || {
            let mut game = open()?;
            game.go_to(self.turn).map_err(Problem::bad)?;
            Ok(game)
        };
        let game = at_turn()?;
        let before = game.judge().picture(None);
        let orders = |mv: &'_ str| mv.split(';').map(|order| order.trim().to_string()).collect::<Vec<_>>();
        let [played, better] = [self.played, self.better].map(orders);
        let common: Vec<&String> = played.iter().filter(|order| better.contains(order)).collect();
        // The frames are only around the difference. A move that contains the other one has no difference to show.
        let is_part =
            [&played, &better].iter().any(|orders| orders.iter().all(|order| common.contains(&order)));
        let common = if is_part { Vec::new() } else { common };
        let unframed: Vec<usize> =
            common.iter().flat_map(|order| game.contest.squares(&before, order)).collect();
        let shown = |mv: &str, frame| {
            let squares = game.contest.squares(&before, mv);
            let (after, has_arrow) = (after(at_turn()?, self.player, mv), !mv.contains(';'));
            Ok(MoveOnBoard { squares, unframed: unframed.clone(), after, frame, has_arrow })
        };
        let mut moves = Vec::new();
        if let Some(sides) = game.moves.get(self.turn).and_then(|mv| sides(mv)) {
            let other = self.player.other();
            moves.push(joint(at_turn()?.judge_mut(), game.contest, other, sides[other]));
        }
        moves.push(shown(self.played, Frame::Played)?);
        if has_better && !self.better.is_empty() {
            moves.push(shown(self.better, Frame::Better)?);
        }
        let board = board::svg_with_moves(&before, caption, &moves);
        Ok((before, board))
    }
}

/// Returns a move and a better one in words: the actions in which they differ, with a note about the others, or all if
/// one contains the other.
pub fn differences(contest: &dyn Contest, moves: [&str; 2]) -> [String; 2] {
    let words = moves.map(|mv| contest.move_words(mv));
    let actions = |at: usize| words[at].split("; ").collect::<Vec<_>>();
    let only = |at: usize| {
        let other = actions(1 - at);
        actions(at).into_iter().filter(|action| !other.contains(action)).collect::<Vec<_>>().join("; ")
    };
    let [played, mut better] = [only(0), only(1)];
    if played.is_empty() || better.is_empty() {
        return words;
    }
    if better.len() < words[1].len() {
        better += ", the rest as played";
    }
    [played, better]
}

/// Returns the move of a player for the board before a turn in which both players move. The judge must be there.
pub fn joint(judge: &mut dyn Judge, contest: &dyn Contest, player: Player, mv: &str) -> MoveOnBoard {
    let squares = contest.squares(&judge.picture(None), mv);
    let after = board_after(judge, contest, player, mv);
    MoveOnBoard { squares, unframed: Vec::new(), after, frame: Frame::Joint(player), has_arrow: false }
}

fn after(mut game: ReplayedGame, player: Player, mv: &str) -> Option<Picture> {
    let contest = game.contest;
    board_after(game.judge_mut(), contest, player, mv)
}

/// Returns the board after a move; `None` if the move is not legal.
fn board_after(judge: &mut dyn Judge, contest: &dyn Contest, player: Player, mv: &str) -> Option<Picture> {
    make(contest, judge, Some(player), mv).ok()?;
    stop_before_others(judge, player);
    Some(judge.picture(None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_actions_that_differ_are_named() {
        let contest = contender_catalogue::find("cellularena").unwrap();
        let [grow, wait, other] = ["GROW 1 2 3 BASIC N", "WAIT", "GROW 1 4 5 BASIC N"];
        let [both, better] = [grow, other].map(|mv| format!("{mv}; {wait}"));
        let found = differences(contest, [&both, &better]);
        let [grown, moved] = [grow, other].map(|mv| contest.move_words(mv));
        assert_eq!(found, [grown, moved + ", the rest as played"]);
        // If one move contains the other, both are shown whole.
        assert_eq!(differences(contest, [&both, grow]), [&both, grow].map(|mv| contest.move_words(mv)));
    }
}
