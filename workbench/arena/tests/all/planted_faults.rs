//! Tests that the conformance suite finds each of these faults in a game that is otherwise correct.

use crate::tictactoe;
use contender_game::conformance::check_contest;
use contender_game::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The fault in the game.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Fault {
    None,
    ChoiceTwice,
    ChoiceIllegal,
    NonsenseTaken,
    AnsweredByBoth,
    SeedIgnored,
    AskedOnce,
    RecordRewritten,
    RecordUnreadable,
    ReplayElsewhere,
    PictureTooSmall,
    SquareBeyond,
    HalfLine,
    NeverEnds,
    FailureWins,
    SetupRefused,
    PerftZero,
    BotIllegal,
    BotForgetsSeed,
}

/// Tic-tac-toe with a fault.
struct Planted(Fault);

struct PlantedJudge {
    judge: Box<dyn Judge>,
    fault: Fault,
    moves: Vec<String>,
    failed: Option<Player>,
    is_asked: bool,
}

/// A counter that does not depend on any seed.
static CALLS: AtomicU64 = AtomicU64::new(0);

fn calls() -> u64 {
    CALLS.fetch_add(1, Ordering::Relaxed)
}

impl PlantedJudge {
    /// Returns whether the game should be over but is not.
    fn goes_on(&mut self) -> bool {
        self.fault == Fault::NeverEnds && self.judge.ask().is_empty()
    }

    fn keep_record(&mut self) {
        self.moves = self.judge.moves().to_vec();
        match self.fault {
            Fault::RecordRewritten if self.moves.len() > 2 => self.moves.swap(0, 1),
            Fault::RecordUnreadable => self.moves.iter_mut().for_each(|mv| mv.push('!')),
            _ => {}
        }
    }
}

impl Judge for PlantedJudge {
    fn ask(&mut self) -> Vec<Question> {
        if self.fault == Fault::AskedOnce && std::mem::replace(&mut self.is_asked, true) {
            return Vec::new();
        }
        let mut questions = self.judge.ask();
        if self.fault == Fault::NeverEnds && questions.is_empty() {
            let player = self.failed.map_or(Player::Zero, Player::other);
            return vec![Question { player, text: "Start\n".to_string(), answer_lines: 1 }];
        }
        for question in &mut questions {
            match self.fault {
                Fault::SeedIgnored => question.text += &format!("{}\n", calls()),
                Fault::HalfLine => question.text = question.text.trim_end().to_string(),
                _ => {}
            }
        }
        questions
    }

    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String> {
        let choice = |judge: &dyn Judge| judge.choices(player).first().cloned();
        let mut player = player;
        let mut lines = lines.to_vec();
        if self.fault == Fault::NonsenseTaken && lines[0] == "é!" {
            lines.extend(choice(&*self.judge));
            lines.remove(0);
        }
        if self.fault == Fault::AnsweredByBoth {
            player = self.judge.ask().first().map_or(player, |question| question.player);
        }
        if self.goes_on() && lines == ["0"] && player == self.failed.map_or(Player::Zero, Player::other) {
            self.moves.push("0".to_string());
            return Ok(());
        }
        self.judge.answer(player, &lines)?;
        self.is_asked = false;
        self.keep_record();
        Ok(())
    }

    fn fail(&mut self, player: Player) {
        self.failed.get_or_insert(player);
        self.judge.fail(player);
        self.keep_record();
    }

    fn replay(&mut self, recorded: &str) -> Result<(), String> {
        if self.goes_on() && recorded == "0" {
            self.moves.push(recorded.to_string());
            return Ok(());
        }
        let player = self.judge.ask().first().map_or(Player::Zero, |question| question.player);
        let other = self.judge.choices(player);
        match other.last() {
            Some(other) if self.fault == Fault::ReplayElsewhere && recorded != "é!" => {
                self.judge.replay(other)?;
            }
            _ => self.judge.replay(recorded)?,
        }
        self.keep_record();
        Ok(())
    }

    fn points(&self) -> [i32; 2] {
        let mut points = self.judge.points();
        if let (Fault::FailureWins, Some(player)) = (self.fault, self.failed) {
            points[player] = 9;
        }
        points
    }

    fn mover(&self) -> Option<Player> {
        self.judge.mover()
    }

    fn choices(&self, player: Player) -> Vec<String> {
        let mut choices = self.judge.choices(player);
        match self.fault {
            Fault::ChoiceTwice => choices.extend(choices.last().cloned()),
            Fault::ChoiceIllegal if choices.len() == 4 => choices.push("9".to_string()),
            Fault::NeverEnds if choices.is_empty() => choices.push("0".to_string()),
            _ => {}
        }
        choices
    }

    fn farewell(&self) -> &'static str {
        self.judge.farewell()
    }

    fn setup(&self) -> Vec<String> {
        if self.fault == Fault::SetupRefused {
            return vec!["a board".to_string()];
        }
        self.judge.setup()
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn picture(&self, viewer: Option<Player>) -> Picture {
        let mut picture = self.judge.picture(viewer);
        if self.fault == Fault::PictureTooSmall {
            picture.squares.pop();
        }
        picture
    }

    fn prompt(&self, player: Player) -> String {
        self.judge.prompt(player)
    }
}

impl Planted {
    fn wrap(&self, judge: Box<dyn Judge>) -> Box<dyn Judge> {
        Box::new(PlantedJudge { judge, fault: self.0, moves: Vec::new(), failed: None, is_asked: false })
    }
}

/// A bot that gives illegal answers.
struct Nonsense;

impl LineBot for Nonsense {
    fn line(&mut self, _line: &str) -> Result<Reply, String> {
        Ok(Reply::Say("9".to_string()))
    }
}

impl Contest for Planted {
    fn info(&self) -> ContestInfo {
        tictactoe::CONTEST.info()
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        match self.0 {
            Fault::BotIllegal => Ok(Box::new(Nonsense)),
            Fault::BotForgetsSeed => {
                tictactoe::CONTEST.bot(name, options, &BotSetup { seed: calls(), ..*setup })
            }
            _ => tictactoe::CONTEST.bot(name, options, setup),
        }
    }

    fn judge(&self, seed: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        tictactoe::CONTEST.judge(seed, options).map(|judge| self.wrap(judge))
    }

    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        tictactoe::CONTEST.recorded(setup, options).map(|judge| self.wrap(judge))
    }

    fn squares(&self, picture: &Picture, mv: &str) -> Vec<usize> {
        match self.0 {
            Fault::SquareBeyond => vec![picture.squares.len()],
            _ => tictactoe::CONTEST.squares(picture, mv),
        }
    }

    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String> {
        match self.0 {
            Fault::PerftZero => Ok(depth.into()),
            _ => tictactoe::CONTEST.perft(moves, depth),
        }
    }
}

#[test]
fn every_planted_fault_is_found_and_named() {
    let found = check_contest(&Planted(Fault::None), 20, 20, 1).unwrap();
    assert!(found.games == 20 && found.decisions > 100 && found.answers > 500 && found.bot_games == 8);
    for (fault, guarantee) in [
        (Fault::ChoiceTwice, "each choice is listed only once"),
        (Fault::ChoiceIllegal, "every choice is legal"),
        (Fault::NonsenseTaken, "text that is not a move is refused"),
        (Fault::AnsweredByBoth, "a player who is not asked cannot answer"),
        (Fault::SeedIgnored, "the same seed and the same answers lead to the same questions"),
        (Fault::AskedOnce, "a repeated call of `ask` asks the same players"),
        (Fault::RecordRewritten, "a turn adds one move to the record and changes no earlier move"),
        (Fault::RecordUnreadable, "a recorded move can be replayed"),
        (Fault::ReplayElsewhere, "a replayed game has the same picture"),
        (Fault::PictureTooSmall, "a picture has a square for each cell"),
        (Fault::SquareBeyond, "the squares of a move are in the picture"),
        (Fault::HalfLine, "a question consists of whole lines"),
        (Fault::NeverEnds, "a game ends"),
        (Fault::FailureWins, "the player who fails first does not win"),
        (Fault::SetupRefused, "a game can start from its own setup"),
        (Fault::PerftZero, "perft of depth 0 is 1"),
        (Fault::BotIllegal, "a bundled bot gives legal answers"),
        (Fault::BotForgetsSeed, "a bot with a node budget and a seed repeats its moves"),
    ] {
        let broken = check_contest(&Planted(fault), 20, 20, 1).unwrap_err();
        assert_eq!(broken.guarantee, guarantee, "{fault:?}: {broken:?}");
    }
    // A fault that appears when four cells are left is reported after five moves.
    let broken = check_contest(&Planted(Fault::ChoiceIllegal), 20, 20, 1).unwrap_err();
    assert_eq!(broken.moves.len(), 5);
}
