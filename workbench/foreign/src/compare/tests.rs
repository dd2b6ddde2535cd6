use super::*;
use contender_game::rules::Player;
use contender_game::{
    board::Picture,
    contest::{Judge, Question},
};
use contender_play::Seat;

/// A game for two players with three turns. Each player receives the turn and the sum of all answers, and the player
/// with the larger sum wins.
#[derive(Default)]
struct Sums {
    turn: usize,
    sums: [i32; 2],
    is_asked: [bool; 2],
    failed: [bool; 2],
}

impl Judge for Sums {
    fn ask(&mut self) -> Vec<Question> {
        if self.turn == 3 || self.failed != [false; 2] {
            return Vec::new();
        }
        self.is_asked = [true; 2];
        let text = format!("turn {}\n{}\n", self.turn, self.sums[0] + self.sums[1]);
        self.turn += 1;
        Player::BOTH.map(|player| Question { player, text: text.clone(), answer_lines: 1 }).into()
    }

    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String> {
        self.sums[player.index()] +=
            lines.first().ok_or("nothing")?.parse::<i32>().map_err(|error| error.to_string())?;
        Ok(())
    }

    fn fail(&mut self, player: Player) {
        self.failed[player.index()] = true;
        self.sums[player.index()] = -1;
    }

    fn replay(&mut self, _: &str) -> Result<(), String> {
        Err("not here".to_string())
    }

    fn points(&self) -> [i32; 2] {
        self.sums
    }

    fn farewell(&self) -> &'static str {
        ""
    }

    fn setup(&self) -> Vec<String> {
        Vec::new()
    }

    fn moves(&self) -> &[String] {
        &[]
    }

    fn picture(&self, _: Option<Player>) -> Picture {
        Picture::default()
    }

    fn choices(&self, _: Player) -> Vec<String> {
        Vec::new()
    }

    fn prompt(&self, _: Player) -> String {
        String::new()
    }
}

fn sides() -> Sides {
    let heard = lines("turn 0\n0\nturn 1\n3\nturn 2\n6\n");
    Sides { heard: [heard.clone(), heard], answers: [vec![lines("1\n"); 3], vec![lines("2\n"); 3]] }
}

fn played(ranks: [u32; 2]) -> Record {
    let seats = ranks.map(|rank| Seat { rank, ..Seat::default() }).to_vec();
    Record { seats, ..Record::default() }
}

fn first(sides: &Sides, ranks: [u32; 2]) -> String {
    match replay(&mut Sums::default(), sides, &played(ranks)) {
        Compared::Different(difference) => difference.to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_same_game_has_no_difference() {
    assert_eq!(replay(&mut Sums::default(), &sides(), &played([1, 0])), Compared::Same(3));
}

#[test]
fn the_first_difference_is_named() {
    let mut other = sides();
    other.heard[1][3] = "4".to_string();
    assert_eq!(
        first(&other, [1, 0]),
        "turn 2, line 2 to player 1: `4` according to the referee, `3` according to the rules"
    );
    assert_eq!(
        first(&sides(), [0, 1]),
        "the end, the result: `player 0 wins` according to the referee, `player 1 wins, points [3, 6]` according to the rules"
    );
    let mut longer = sides();
    longer.heard[0].push("turn 3".to_string());
    assert_eq!(
        first(&longer, [1, 0]),
        "turn 4, to player 0: `turn 3` according to the referee, `nothing: the game is over` according to the rules"
    );
    let mut shorter = sides();
    shorter.heard[0].truncate(4);
    assert_eq!(
        first(&shorter, [1, 0]),
        "turn 3, line 1 to player 0: `nothing: the game is over` according to the referee, `turn 2` according to the rules"
    );
}

#[test]
fn a_player_that_left_has_failed_in_both() {
    let mut gone = sides();
    gone.answers[1].truncate(1);
    gone.heard.iter_mut().for_each(|heard| heard.truncate(4));
    assert_eq!(replay(&mut Sums::default(), &gone, &played([0, 1])), Compared::Same(2));
}
