//! The judge's side of the contest's protocol.

use crate::notation::{canonical, orders, picture, read_turn, write_turn, Answer};
use crate::{Action, Content, Order, OrderCheck, State};
use contender_game::{Combined, Judge, JudgeSite, OpenJudge, Picture, Player, Question, Sign, Simultaneous};
use std::fmt::Write as _;

/// A judge of one game. Both players are asked at once; the turn is played when both have answered or failed.
///
/// An unreadable line disqualifies its player and a late one too: the lines that can be read are played in that turn, the opponent's
/// as well, then the game is over. Illegal orders are ignored and shown below the [board](Judge::picture).
///
/// Points are 1 for the winner and 0 for the loser, 0 for both in a draw.
pub struct CellularenaJudge {
    state: State,
    setup: Vec<String>,
    moves: Vec<String>,
    /// What has been answered in this turn. An answer that disqualifies its player is here before the player has failed.
    answers: [Option<Answer>; 2],
    has_answered: [bool; 2],
    failed: [bool; 2],
    /// The highest number of an organ before the last turn.
    last_id_before: u16,
    /// Orders of the last turn that were ignored, with reasons.
    refused: Vec<String>,
}

impl CellularenaJudge {
    /// A judge at the start of a game.
    #[must_use]
    pub fn new(start: State) -> CellularenaJudge {
        CellularenaJudge {
            setup: canonical(&start).lines().map(str::to_string).collect(),
            moves: Vec::new(),
            answers: [None, None],
            has_answered: [false; 2],
            failed: [false; 2],
            last_id_before: start.last_id(),
            refused: Vec::new(),
            state: start,
        }
    }

    /// Which players have failed.
    #[must_use]
    pub fn failed(&self) -> [bool; 2] {
        self.failed
    }

    /// Who has won, as things stand.
    #[must_use]
    pub fn winner(&self) -> Option<Player> {
        self.state.winner_with(self.failed)
    }

    fn is_over(&self) -> bool {
        self.state.is_over() || self.failed != [false; 2] && self.has_answered == [false; 2]
    }

    fn required(&self, player: Player) -> usize {
        self.state.roots(player).len() as usize
    }

    /// Marks a player's answer as complete and plays the turn when both are.
    fn complete(&mut self, player: Player) {
        self.has_answered[player] = true;
        if self.has_answered == [true; 2] {
            self.has_answered = [false; 2];
            let answers =
                [self.answers[0].take().unwrap_or_default(), self.answers[1].take().unwrap_or_default()];
            self.play(&answers);
        }
    }

    fn play(&mut self, answers: &[Answer; 2]) {
        self.moves.push(write_turn(answers));
        self.refused.clear();
        self.last_id_before = self.state.last_id();
        let actions = Player::BOTH.map(|player| self.accept(player, &answers[player]));
        self.state.play_turn([&actions[0], &actions[1]]);
    }

    /// What an answer comes to.
    fn accept(&mut self, player: Player, answer: &Answer) -> Vec<Action> {
        let mut check = OrderCheck::new(&self.state, player);
        let mut actions = Vec::new();
        for order in answer.orders.iter().flatten() {
            match check.take(*order) {
                Ok(action) => actions.extend(action),
                Err(refusal) => self.refused.push(format!("player {} {order}: {refusal}", player.index())),
            }
        }
        actions
    }
}

impl Judge for CellularenaJudge {
    fn ask(&mut self) -> Vec<Question> {
        if self.is_over() {
            return Vec::new();
        }
        let is_first = self.moves.is_empty();
        let question = |player: Player| {
            let mut text = String::new();
            if is_first {
                text += &format!("{} {}\n", self.state.width(), self.state.height());
            }
            text += &turn_input(&self.state, player);
            Question { player, text, answer_lines: self.required(player).max(1) }
        };
        Player::BOTH.into_iter().filter(|&player| !self.has_answered[player]).map(question).collect()
    }

    fn answer(&mut self, player: Player, lines: &[String]) -> Result<(), String> {
        if self.is_over() || self.has_answered[player] {
            return Err("no answer of this player is due".to_string());
        }
        let read: Vec<Result<Order, String>> = lines.iter().map(|line| line.parse()).collect();
        let is_late = lines.len() < self.required(player);
        let orders = read.iter().map(|order| order.as_ref().ok().copied()).collect();
        self.answers[player] = Some(Answer { orders, is_late });
        if let Some(error) = read.into_iter().find_map(Result::err) {
            return Err(error);
        }
        if is_late {
            return Err(format!("the answer has {} lines instead of {}", lines.len(), self.required(player)));
        }
        self.complete(player);
        Ok(())
    }

    fn fail(&mut self, player: Player) {
        if self.is_over() || self.has_answered[player] {
            return;
        }
        self.failed[player] = true;
        self.answers[player].get_or_insert(Answer { orders: Vec::new(), is_late: true });
        self.complete(player);
    }

    fn replay(&mut self, recorded: &str) -> Result<(), String> {
        if self.is_over() {
            return Err("the game is over".to_string());
        }
        let answers = read_turn(recorded)?;
        for player in Player::BOTH {
            let (lines, required) = (answers[player].orders.len(), self.required(player));
            if !answers[player].is_late && lines != required {
                return Err(format!("player {} has {lines} lines instead of {required}", player.index()));
            }
        }
        self.failed = [answers[0].disqualifies(), answers[1].disqualifies()];
        self.play(&answers);
        Ok(())
    }

    fn points(&self) -> [i32; 2] {
        Player::BOTH.map(|player| i32::from(self.winner() == Some(player)))
    }

    fn farewell(&self) -> &'static str {
        JudgeSite::CodinGame.farewell()
    }

    fn setup(&self) -> Vec<String> {
        self.setup.clone()
    }

    fn moves(&self) -> &[String] {
        &self.moves
    }

    fn picture(&self, _viewer: Option<Player>) -> Picture {
        let mut picture = picture(&self.state, self.last_id_before);
        picture.notes.extend(self.refused.iter().map(|line| vec![Sign::plain(format!("ignored: {line}"))]));
        picture
    }

    /// What one organism may do, each as if it acted alone.
    fn choices(&self, player: Player) -> Vec<String> {
        let mut actions = Vec::new();
        if !self.is_over() {
            self.state.actions(player, &mut actions);
        }
        let orders = actions.iter().map(|action| action.order(&self.state).to_string());
        std::iter::once("WAIT".to_string()).chain(orders).collect()
    }

    fn prompt(&self, player: Player) -> String {
        let roots: Vec<String> =
            self.state.organisms(player).map(|root| self.state.id(root).to_string()).collect();
        format!(
            "{} line(s), one for each organism (root {}): `GROW id x y TYPE [dir]`, `SPORE id x y` or `WAIT`, for example GROW {} 3 2 BASIC",
            roots.len(),
            roots.join(", "),
            roots.first().map_or("1", String::as_str)
        )
    }
}

impl OpenJudge for CellularenaJudge {
    type State = State;
    type Move = Vec<Action>;

    /// The state after the last full turn.
    fn state(&self) -> &State {
        &self.state
    }

    /// What the player's half of a turn comes to: orders that are refused are left out.
    fn read_recorded(&mut self, recorded: &str, player: Player) -> Result<Vec<Action>, String> {
        let answers = read_turn(recorded)?;
        Ok(self.accept(player, &answers[player]))
    }

    fn write_line(&self, line: Vec<Vec<Action>>) -> Vec<String> {
        line.iter().map(|actions| orders(&self.state, actions, 1).join(" ; ")).collect()
    }

    fn answer_with(&self, player: Player, actions: &Vec<Action>) -> Vec<String> {
        orders(&self.state, actions, self.required(player).max(1))
    }
}

/// What a player is sent in every turn: whole lines, the player's own view.
#[must_use]
pub fn turn_input(state: &State, player: Player) -> String {
    let mut lines = Vec::new();
    for cell in state.cells() {
        let (x, y) = (cell.x(), cell.y());
        match state.content(cell) {
            Content::Empty => {}
            Content::Wall => lines.push(format!("{x} {y} WALL -1 0 X 0 0")),
            Content::Source(protein) => lines.push(format!("{x} {y} {} -1 0 X 0 0", protein.letter())),
            Content::Organ { .. } => lines.extend(state.organ(cell).map(|organ| {
                let own = u8::from(organ.owner == player);
                let (kind, dir) = (organ.kind.word(), organ.dir.letter());
                format!("{x} {y} {kind} {own} {} {dir} {} {}", organ.id, organ.parent, organ.root)
            })),
        }
    }
    let mut text = format!("{}\n", lines.len());
    for line in lines {
        text += &line;
        text.push('\n');
    }
    for owner in [player, player.other()] {
        let [a, b, c, d] = state.stock(owner);
        let _ = writeln!(text, "{a} {b} {c} {d}");
    }
    let _ = writeln!(text, "{}", state.roots(player).len());
    text
}
