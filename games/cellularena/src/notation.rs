//! Turns as text, and the picture of the board.
//!
//! A turn is written as one line, `0: ANSWER | 1: ANSWER`. An answer consists of the player's lines in their shortest
//! spelling, without messages, separated by `; `, for example `0: GROW 1 3 2 BASIC N; WAIT | 1: SPORE 4 9 0`. A `?`
//! stands for an unreadable line, and a `!` for the lines that a player did not print in time.

use crate::events::Events;
use crate::{Action, Cell, Content, Dir, Kind, Order, Protein, State};
use contender_game::{
    board::{Ink, Line, Picture, PieceShape, Side, Sign, Square},
    contest::excerpt,
    rules::{Player, Simultaneous},
};
use std::fmt;
use std::str::FromStr;

/// The names of the seats.
pub const SEATS: [&str; 2] = ["Blue", "Red"];

/// Returns the lines of a player's answer: an order for each action, and `WAIT` for the other organisms.
#[must_use]
pub fn orders(state: &State, actions: &[Action], required: usize) -> Vec<String> {
    let mut lines: Vec<String> = actions.iter().map(|action| action.order(state).to_string()).collect();
    lines.resize(required.max(lines.len()), Order::Wait.to_string());
    lines
}

/// A player's answer in a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer {
    /// The orders in the answer's lines, with `None` for an unreadable line.
    pub orders: Vec<Option<Order>>,
    /// Whether lines are missing.
    pub is_late: bool,
}

impl Default for Answer {
    /// Returns the answer of a player that prints nothing in time.
    fn default() -> Answer {
        Answer { orders: Vec::new(), is_late: true }
    }
}

impl Answer {
    /// Returns whether the answer disqualifies the player.
    #[must_use]
    pub fn disqualifies(&self) -> bool {
        self.is_late || self.orders.contains(&None)
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<String> = self
            .orders
            .iter()
            .map(|order| order.map_or("?".to_string(), |order| order.to_string()))
            .collect();
        if self.is_late {
            lines.push("!".to_string());
        }
        f.write_str(&lines.join("; "))
    }
}

impl FromStr for Answer {
    type Err = String;

    fn from_str(text: &str) -> Result<Answer, String> {
        let mut answer = Answer { orders: Vec::new(), is_late: false };
        for line in text.split(';').map(str::trim).filter(|line| !line.is_empty()) {
            match line {
                _ if answer.is_late => return Err(format!("`{}` follows a `!`", excerpt(line))),
                "!" => answer.is_late = true,
                "?" => answer.orders.push(None),
                _ => answer.orders.push(Some(line.parse()?)),
            }
        }
        Ok(answer)
    }
}

/// Returns a turn in the notation of game records.
#[must_use]
pub fn write_turn(answers: &[Answer; 2]) -> String {
    format!("0: {} | 1: {}", answers[0], answers[1])
}

/// Parses a turn in the notation of game records.
///
/// # Errors
/// Returns an error that names the malformed part.
pub fn read_turn(text: &str) -> Result<[Answer; 2], String> {
    let halves = || text.trim().strip_prefix("0:")?.split_once("| 1:");
    let (zero, one) =
        halves().ok_or_else(|| format!("`{}` is not `0: ANSWER | 1: ANSWER`", excerpt(text)))?;
    Ok([zero.parse()?, one.parse()?])
}

/// Returns an organ in words: `Harvester 2,2 →`.
#[must_use]
pub fn organ_words(kind: Kind, x: i32, y: i32, dir: Dir) -> String {
    let (first, rest) = kind.word().split_at(1);
    let arrow = match kind {
        Kind::Basic | Kind::Root => "",
        Kind::Tentacle | Kind::Harvester | Kind::Sporer => [" ↑", " →", " ↓", " ←"][dir as usize],
    };
    format!("{first}{} {x},{y}{arrow}", rest.to_lowercase())
}

/// Returns the picture of the board after a turn. New organs and walls are marked, a cross stands for each organ that
/// died since the state `before`, and a line connects every organ to its parent.
///
/// A terminal shows an organ as its letter and an arrow in its direction, on the colour of its owner. Player 1's
/// organs are shown in lower case, so that the board is readable without colours.
#[must_use]
pub fn picture(state: &State, before: &State) -> Picture {
    let events = Events::between(before, state);
    let mut picture = Picture::new(0..state.height(), 0..state.width(), |y, x| {
        let cell = Cell::new(x, y);
        let content = state.content(cell);
        let arrow = match content {
            Content::Organ { kind: Kind::Tentacle | Kind::Harvester | Kind::Sporer, dir, .. } => {
                Some(Side::ALL[dir as usize])
            }
            _ => None,
        };
        let shape = match content {
            Content::Organ { kind, .. } => Some(SHAPES[kind as usize]),
            _ => None,
        };
        let is_marked = state.id(cell) > before.last_id() || events.walls.has(cell);
        let sign = match (content, events.loser(cell)) {
            (Content::Empty, Some(player)) => Sign::letter(Ink::Seat(player), '×'),
            _ => sign(content),
        };
        Square { arrow, shape, is_marked, ..Square::new(format!("{x} {y}"), sign) }
    });
    let at = |cell: Cell| cell.y() * state.width() + cell.x();
    for organ in state.organs() {
        if let Some(parent) = state.parent(organ.cell) {
            let (from, to) = (at(parent), at(organ.cell));
            picture.lines.push(Line { from, to, ink: Ink::Seat(organ.owner), is_arrow: false });
        }
    }
    picture.label_all_sides();
    picture.standing = Some(Player::BOTH.map(|player| state.organ_count(player)));
    for player in Player::BOTH {
        // The sign of a root shows the player's colour, and whether its letters are capitals.
        let root = Content::Organ { owner: player, kind: Kind::Root, dir: Dir::N };
        let root = sign(root);
        let mut note = vec![
            Sign { text: format!(" {} ", root.text), ..root },
            Sign::plain(" "),
            Sign::letter(Ink::Seat(player), format!("{:<5}", SEATS[player])),
            match state.organ_count(player) {
                1 => Sign::plain("   1 organ  "),
                count => Sign::plain(format!(" {count:>3} organs ")),
            },
        ];
        for ((protein, amount), income) in
            Protein::ALL.into_iter().zip(state.stock(player)).zip(state.income(player))
        {
            let letter = source(protein);
            let letter = Sign { text: format!(" {} ", letter.text), ..letter };
            note.extend([Sign::plain(" "), letter, Sign::plain(format!("{amount}"))]);
            if income > 0 {
                note.push(Sign::letter(Ink::Dim, format!("+{income}")));
            }
        }
        picture.notes.push(note);
    }
    let turn = format!("turn {} of {}: ", state.turns(), crate::TURN_LIMIT);
    let mut turn = vec![Sign::letter(Ink::Dim, turn), verdict(state)];
    turn.extend(event_signs(&events));
    picture.notes.push(turn);
    picture.notes.push(vec![Sign::letter(
        Ink::Dim,
        "R root, O basic, T tentacle, H harvester, S sporer; A-D proteins",
    )]);
    picture
}

/// Describes the events of a turn, each in a sentence.
fn event_signs(events: &Events) -> Vec<Sign> {
    let mut signs = Vec::new();
    for player in Player::BOTH {
        let lost = events.lost[player].len();
        if lost == 0 {
            continue;
        }
        let organs = if lost == 1 { "organ" } else { "organs" };
        signs.extend([
            Sign::plain(". "),
            Sign::letter(Ink::Seat(player), SEATS[player]),
            Sign::plain(format!(" lost {lost} {organs} (×)")),
        ]);
        for (at, organ) in events.killers[player].iter().enumerate() {
            let (x, y) = (organ.cell.x() as i32, organ.cell.y() as i32);
            signs.push(Sign::plain(if at == 0 { ", killed by " } else { " and " }));
            signs.push(Sign::letter(Ink::Seat(player.other()), organ_words(organ.kind, x, y, organ.dir)));
        }
    }
    if events.short_lived > 0 {
        let organs = if events.short_lived == 1 { "new organ" } else { "new organs" };
        signs.push(Sign::plain(format!(". {} {organs} died at once", events.short_lived)));
    }
    if !events.walls.is_empty() {
        let cells: Vec<String> =
            events.walls.into_iter().map(|cell| format!("{},{}", cell.x(), cell.y())).collect();
        let walls = if cells.len() == 1 { "a wall" } else { "walls" };
        signs.push(Sign::plain(format!(". Collision at {}: now {walls}", cells.join(" and "))));
    }
    signs
}

/// Returns the player ahead, or the winner with the reason. With equal numbers of organs, the proteins decide.
fn verdict(state: &State) -> Sign {
    let [blue, red] = Player::BOTH.map(|player| state.organ_count(player));
    let Some(player) = state.winner() else {
        let draw = if state.is_over() { "a draw: equal organs and proteins" } else { "level" };
        return Sign::plain(draw);
    };
    let (name, other) = (SEATS[player], SEATS[player.other()]);
    let words = match (state.is_over(), blue == red) {
        (false, true) => format!("{name} ahead by proteins"),
        (false, false) => format!("{name} ahead"),
        (true, true) => format!("{name} wins with more proteins"),
        (true, false) if state.organ_count(player.other()) == 0 => {
            format!("{name} wins with the only organs left")
        }
        (true, false) if state.turns() >= crate::TURN_LIMIT => {
            format!("{name} wins with more organs after {} turns", state.turns())
        }
        (true, false) if state.free().is_empty() => format!("{name} wins with more organs on a full board"),
        (true, false) => format!("{name} wins with more organs, and {other} cannot pay for another"),
    };
    Sign::letter(Ink::Seat(player), words)
}

/// The shapes of the kinds of organs.
const SHAPES: [PieceShape; 5] =
    [PieceShape::Disc, PieceShape::Spike, PieceShape::Cup, PieceShape::Tube, PieceShape::Ring];

fn sign(content: Content) -> Sign {
    match content {
        Content::Empty => Sign::dot(),
        Content::Wall => Sign::block(Ink::Dim, '▒'),
        Content::Source(protein) => source(protein),
        Content::Organ { owner, kind, .. } => {
            let letter = ["O", "T", "H", "S", "R"][kind as usize];
            let letter = if owner == Player::Zero { letter.to_string() } else { letter.to_lowercase() };
            Sign::block(Ink::Seat(owner), letter)
        }
    }
}

/// Returns the sign of a protein.
#[must_use]
pub fn source(protein: Protein) -> Sign {
    Sign::chip(Ink::Piece([3, 6, 2, 1][protein as usize]), protein.letter())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CellularenaProtocol;
    use contender_game::{board::ansi, contest::JointProtocol};

    #[test]
    fn turns_are_read_back() {
        for text in ["0: GROW 1 3 2 BASIC N; WAIT | 1: SPORE 4 9 0", "0: ! | 1: ?; WAIT", "0: WAIT; ! | 1: "]
        {
            assert_eq!(write_turn(&read_turn(text).unwrap()), text);
        }
        for text in ["", "WAIT", "0: WAIT", "0: !; WAIT | 1: WAIT", "0: wait | 1: WAIT"] {
            assert!(read_turn(text).is_err(), "{text}");
        }
    }

    #[test]
    fn the_board_without_colours() {
        let text = "5 2\n.A.#.\n.....\n1 2 3 4\n5 6 7 8\n1 0 0 0 ROOT N 0 1\n2 1 4 0 ROOT N 0 2\n4 0 0 1 HARVESTER W 1 1\n";
        let state: State = text.parse().unwrap();
        let mut before: State = text.replace("4 0 0 1 HARVESTER W 1 1\n", "").parse().unwrap();
        before.raise_last_id(3);
        let picture = picture(&state, &before);
        let lines = contender_game::board::ansi::plain(&picture.to_text());
        let lines: Vec<&str> = lines.lines().collect();
        assert_eq!(lines[0], "   0  1  2  3  4");
        assert_eq!(lines[1], "0  R  A  ·  ▒  r  0");
        assert_eq!(lines[2], "1 [H← ·  ·  ·  ·  1");
        assert_eq!(lines[4], " R  Blue    2 organs   A 1  B 2  C 3  D 4");
        assert!(lines[5].starts_with(" r  Red     1 organ"), "{}", lines[5]);
        assert_eq!(lines[6], "turn 0 of 100: Blue ahead");
        let ends: Vec<(usize, usize)> = picture.lines.iter().map(|line| (line.from, line.to)).collect();
        assert_eq!(ends, [(0, 5)]);
        // Both have one organ, and Red has more proteins.
        let even: State =
            "3 1\n...\n1 2 3 4\n5 6 7 8\n1 0 0 0 ROOT N 0 1\n2 1 2 0 ROOT N 0 2\n".parse().unwrap();
        let text = contender_game::board::ansi::plain(&super::picture(&even, &even).to_text());
        assert!(text.contains("turn 0 of 100: Red ahead by proteins\n"), "{text}");
    }

    /// The last board names the winner and the reason.
    #[test]
    fn the_end_has_a_reason() {
        let end = |stocks: [&str; 2], organs: &str, turns: u8| {
            let [blue, red] = stocks;
            let text = format!("3 1\n...\n{blue}\n{red}\n1 0 0 0 ROOT N 0 1\n2 1 2 0 ROOT N 0 2\n{organs}");
            let mut state: State = text.parse().unwrap();
            state.set_turns(turns);
            state.play_turn([&[], &[]]);
            assert!(state.is_over());
            verdict(&state).text
        };
        let (none, basic) = ("0 0 0 0", "4 0 1 0 BASIC N 1 1\n");
        assert_eq!(end([none; 2], basic, 0), "Blue wins with more organs on a full board");
        assert_eq!(end(["9 9 9 9"; 2], basic, 99), "Blue wins with more organs after 100 turns");
        assert_eq!(end([none, "0 0 0 1"], "", 0), "Red wins with more proteins");
        assert_eq!(end([none; 2], "", 0), "a draw: equal organs and proteins");
        let text =
            "4 1\n....\n9 9 9 9\n0 0 0 0\n1 0 0 0 ROOT N 0 1\n4 0 1 0 BASIC N 1 1\n2 1 3 0 ROOT N 0 2\n";
        let mut stuck: State = text.parse().unwrap();
        stuck.play_turn([&[], &[]]);
        assert_eq!(verdict(&stuck).text, "Blue wins with more organs, and Red cannot pay for another");
        let mut alone: State = "2 1\n..\n9 9 9 9\n0 0 0 0\n1 0 0 0 ROOT N 0 1\n".parse().unwrap();
        alone.play_turn([&[], &[]]);
        assert_eq!(verdict(&alone).text, "Blue wins with the only organs left");
    }

    /// Returns the board after a turn as text.
    fn after(start: &str, turn: &str) -> String {
        let before: State = start.parse().unwrap();
        let answers = read_turn(turn).unwrap();
        let actions = Player::BOTH
            .map(|player| CellularenaProtocol.accept(&before, player, &answers[player], &mut Vec::new()));
        let mut state = before.clone();
        state.play_turn([&actions[0], &actions[1]]);
        ansi::plain(&picture(&state, &before).to_text())
    }

    const START: &str = "7 2\n.......\n.......\n9 9 9 9\n9 9 9 9\n1 0 0 0 ROOT N 0 1\n2 1 6 0 ROOT N 0 2\n\
                         3 0 1 0 BASIC N 1 1\n4 0 2 0 BASIC N 3 1\n5 1 5 0 BASIC N 2 2\n";

    /// A kill has a cross on each lost organ, and the name of the tentacle.
    #[test]
    fn a_kill_is_named() {
        let start = format!("{START}6 1 4 0 BASIC N 5 2\n");
        let text = after(&start, "0: WAIT | 1: GROW 6 3 0 TENTACLE W");
        assert!(text.contains("0  R  O  × [t← o  o  r  0"), "{text}");
        assert!(text.contains("ahead. Blue lost 1 organ (×), killed by Tentacle 3,0 ←\n"), "{text}");
        // The children of a dead organ die too.
        let near = format!("{start}7 1 4 1 BASIC N 6 2\n8 1 3 1 BASIC N 7 2\n9 1 2 1 BASIC N 8 2\n");
        let text = after(&near, "0: WAIT | 1: GROW 9 1 1 TENTACLE N");
        assert!(text.contains("0  R  ×  ×  ·  o  o  r  0"), "{text}");
        assert!(text.contains("Blue lost 2 organs (×), killed by Tentacle 1,1 ↑"), "{text}");
    }

    /// Two growths onto the same cell become a wall.
    #[test]
    fn a_collision_is_named() {
        let start = format!("{START}6 1 4 0 BASIC N 5 2\n");
        let text = after(&start, "0: GROW 4 3 0 BASIC N | 1: GROW 6 3 0 BASIC N");
        assert!(text.contains(". Collision at 3,0: now a wall\n") && text.contains("[▒]"), "{text}");
        // A quiet turn has no such line.
        let text = after(&start, "0: GROW 4 3 0 BASIC N | 1: WAIT");
        assert!(!text.contains("lost") && !text.contains("Collision"), "{text}");
    }

    /// An organ that grows in front of a tentacle of the same turn is nowhere on the boards before and after.
    #[test]
    fn an_organ_that_dies_at_once_is_counted() {
        let text = after(START, "0: GROW 4 3 0 BASIC N | 1: GROW 5 4 0 TENTACLE W");
        assert!(text.contains(". 1 new organ died at once\n"), "{text}");
    }
}
