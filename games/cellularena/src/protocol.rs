//! Both sides of the contest's protocol.
//!
//! A bot first reads the size of the board, and then in every turn the whole position from its own view. The bot's
//! answer has one line for each of its organisms: a `GROW`, a `SPORE` or a `WAIT`.

use crate::notation::{self, orders, read_turn, write_turn, Answer};
use crate::position::{canonical, organ};
use crate::{Action, Cell, Content, Order, OrderCheck, Organ, Protein, State, Stock};
use contender_game::{
    board::Picture,
    contest::{excerpt, numbers, Bot, Clock, JointJudge, JointProtocol, ProtocolParser, Reply},
    rules::{Combined, Player},
};

/// The judge of one game.
///
/// An unreadable or missing line disqualifies its player. The readable lines of this turn are still played, and so are
/// the opponent's lines. Then the game is over. Illegal orders are ignored and shown below the board.
pub type CellularenaJudge = JointJudge<CellularenaProtocol>;

/// The judge's side of the protocol.
#[derive(Clone, Copy, Debug)]
pub struct CellularenaProtocol;

impl CellularenaProtocol {
    /// Creates the judge at the start of a game.
    #[must_use]
    pub fn judge(start: State) -> CellularenaJudge {
        JointJudge::new(CellularenaProtocol, start)
    }
}

impl JointProtocol for CellularenaProtocol {
    type State = State;
    type Answer = Answer;

    fn setup(&self, start: &State) -> Vec<String> {
        canonical(start).lines().map(str::to_string).collect()
    }

    fn preface(&self, state: &State, _player: Player) -> String {
        format!("{} {}\n", state.width(), state.height())
    }

    fn question(&self, state: &State, player: Player) -> String {
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
        lines.insert(0, lines.len().to_string());
        for owner in [player, player.other()] {
            let [a, b, c, d] = state.stock(owner);
            lines.push(format!("{a} {b} {c} {d}"));
        }
        format!("{}\n{}\n", lines.join("\n"), state.roots(player).len())
    }

    fn answer_lines(&self, state: &State, player: Player) -> usize {
        required(state, player).max(1)
    }

    fn read(&self, state: &State, player: Player, lines: &[String]) -> (Answer, Result<(), String>) {
        let required = required(state, player);
        let is_late = lines.len() < required;
        let read: Vec<Result<Order, String>> = lines.iter().map(|line| line.parse()).collect();
        let orders = read.iter().map(|order| order.as_ref().ok().copied()).collect();
        let problem = read.into_iter().find_map(Result::err);
        let late = is_late.then(|| format!("the answer has {} lines instead of {required}", lines.len()));
        (Answer { orders, is_late }, problem.or(late).map_or(Ok(()), Err))
    }

    fn write(&self, state: &State, actions: &Vec<Action>, lines: usize) -> Vec<String> {
        orders(state, actions, lines)
    }

    fn write_turn(&self, answers: &[Answer; 2]) -> String {
        write_turn(answers)
    }

    fn read_turn(&self, recorded: &str) -> Result<[Answer; 2], String> {
        read_turn(recorded)
    }

    fn disqualifies(&self, state: &State, player: Player, answer: &Answer) -> Result<bool, String> {
        let (lines, required) = (answer.orders.len(), required(state, player));
        if !answer.is_late && lines != required {
            return Err(format!("player {} has {lines} lines instead of {required}", player.index()));
        }
        Ok(answer.disqualifies())
    }

    fn accept(
        &self,
        state: &State,
        player: Player,
        answer: &Answer,
        ignored: &mut Vec<String>,
    ) -> Vec<Action> {
        let mut check = OrderCheck::new(state, player);
        let mut actions = Vec::new();
        for order in answer.orders.iter().flatten() {
            match check.take(*order) {
                Ok(action) => actions.extend(action),
                Err(refusal) => ignored.push(format!("player {} {order}: {refusal}", player.index())),
            }
        }
        actions
    }

    /// Returns 1 for the winner and 0 for the loser, or 0 for both in a draw.
    fn points(&self, state: &State, failed: [bool; 2]) -> [i32; 2] {
        Player::BOTH.map(|player| i32::from(state.winner_with(failed) == Some(player)))
    }

    fn picture(&self, state: &State, before: &State, _viewer: Option<Player>) -> Picture {
        notation::picture(state, before)
    }

    /// Returns the possible orders of each organism, as if no other organism acted.
    fn choices(&self, state: &State, player: Player) -> Vec<String> {
        let mut actions = Vec::new();
        state.actions(player, &mut actions);
        let orders = actions.iter().map(|action| action.order(state));
        std::iter::once(Order::Wait).chain(orders).map(|order| order.to_string()).collect()
    }

    /// Returns the possible orders that the judge would not ignore after these lines.
    fn next_choices(&self, state: &State, player: Player, lines: &[String]) -> Vec<String> {
        let mut check = OrderCheck::new(state, player);
        for order in lines.iter().filter_map(|line| line.parse().ok()) {
            // The judge ignores a refused order, too.
            let _ = check.take(order);
        }
        let is_next = |line: &String| line.parse().map_or(false, |order| check.clone().take(order).is_ok());
        self.choices(state, player).into_iter().filter(is_next).collect()
    }

    fn prompt(&self, state: &State, player: Player) -> String {
        let name = |root: Cell| format!("root {} at {},{}", state.id(root), root.x(), root.y());
        let roots: Vec<String> = state.organisms(player).map(name).collect();
        let task = match &roots[..] {
            [root] => format!("grow an organ of your organism ({root}), or wait"),
            _ => format!("{} actions, one for each organism ({})", roots.len(), roots.join(", ")),
        };
        format!(
            "{task}: `GROW id x y TYPE [dir]`, `SPORE id x y` or `WAIT`, for example GROW {} 3 2 BASIC",
            roots.first().map_or("1", String::as_str)
        )
    }
}

/// Returns the number of lines in a player's answer, which is one for each organism.
fn required(state: &State, player: Player) -> usize {
    state.roots(player).len() as usize
}

/// The bot's side of the protocol.
///
/// The judge's input contains neither the bot's seat nor the number of the turn. At the start of a game, the organ with
/// the lowest number is player 0's root, which shows the seat. The reader counts the turns. The reader builds a state
/// from every position that it reads. The reader does not call [`Bot::observe`], because the opponent's actions are
/// visible only in the position. [`State::last_id`] is the highest number that the reader has seen. The true highest
/// number may be larger, because an organ can die in the turn in which it was grown.
#[derive(Default)]
pub struct Reader {
    /// The board without any contents, or `None` until the bot has read its size.
    board: Option<State>,
    /// Number of remaining lines in the question; 0 before the question.
    left: usize,
    /// The walls and sources that were read.
    terrain: Option<State>,
    /// The organs that were read. The bot's own organs belong to `Player::Zero`, because the bot's seat may still be
    /// unknown.
    organs: Vec<Organ>,
    /// The player's stock and the enemy's stock.
    stock: [Stock; 2],
    turns: u8,
    last_id: u16,
    seat: Option<Player>,
}

impl ProtocolParser for Reader {
    type State = State;
    type Move = Vec<Action>;

    fn line(
        &mut self,
        line: &str,
        bot: &mut dyn Bot<State, Vec<Action>>,
        clock: &Clock,
    ) -> Result<Reply, String> {
        let Some(board) = &self.board else {
            let [width, height] = numbers(line)?;
            self.board = Some(State::empty(width, height)?);
            return Ok(Reply::Nothing);
        };
        match self.left {
            0 => {
                let [count] = numbers::<usize, 1>(line)?;
                if count > board.width() * board.height() {
                    return Err(format!("{count} entities are more than the board has cells"));
                }
                self.terrain = Some(board.clone());
                self.organs.clear();
                self.left = count + 4;
            }
            1 => {
                self.left = 0;
                return self.answer(line, bot, clock).map(Reply::Say);
            }
            left @ (2 | 3) => self.stock[3 - left] = numbers(line)?,
            _ => self.entity(line)?,
        }
        self.left -= 1;
        Ok(Reply::Nothing)
    }
}

impl Reader {
    fn entity(&mut self, line: &str) -> Result<(), String> {
        let wrong = || format!("`{}` is not an entity: x y type owner id dir parent root", excerpt(line));
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[x, y, content, owner, id, dir, parent, root] = &words[..] else { return Err(wrong()) };
        let state = self.terrain.as_mut().ok_or_else(wrong)?;
        let number = |word: &str| word.parse::<u16>().map_err(|_| wrong());
        let (column, row) = (number(x)?, number(y)?);
        let cell = state.cell(column.into(), row.into());
        let cell = cell.ok_or_else(|| format!("({column}, {row}) is not on the board"))?;
        if content == "WALL" {
            return state.build_wall(cell);
        }
        if let Some(protein) = Protein::ALL.into_iter().find(|known| known.letter().to_string() == content) {
            return state.put_source(cell, protein);
        }
        let seat = match owner {
            "1" => "0",
            "0" => "1",
            _ => return Err(wrong()),
        };
        self.organs.push(organ(state, [id, seat, x, y, content, dir, parent, root]).ok_or_else(wrong)?);
        Ok(())
    }

    fn answer(
        &mut self,
        line: &str,
        bot: &mut dyn Bot<State, Vec<Action>>,
        clock: &Clock,
    ) -> Result<String, String> {
        let [wanted] = numbers::<usize, 1>(line)?;
        let mut state = self.terrain.take().ok_or("there is no position")?;
        let first = self.organs.iter().min_by_key(|organ| organ.id).ok_or("there is no organ")?;
        // The bot's organs were read as player 0's, so the owner of the first root is the bot's seat.
        let seat = *self.seat.get_or_insert(first.owner);
        let owner = |read: Player| if seat == Player::Zero { read } else { read.other() };
        let organs = self.organs.drain(..).map(|organ| Organ { owner: owner(organ.owner), ..organ });
        state.put_organs(organs.collect())?;
        for read in Player::BOTH {
            state.set_stock(owner(read), self.stock[read])?;
        }
        state.raise_last_id(self.last_id);
        state.set_turns(self.turns);
        if wanted != required(&state, seat) {
            return Err(format!(
                "{wanted} actions are requested, but the player has {} organisms",
                required(&state, seat)
            ));
        }
        let actions = bot.choose(&state, seat, clock);
        self.turns = self.turns.saturating_add(1);
        self.last_id = state.last_id();
        Ok(orders(&state, &actions, wanted).join("\n"))
    }
}
