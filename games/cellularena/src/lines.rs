//! The lines that players print, parsed as the judge parses them.
//!
//! | line | order |
//! |---|---|
//! | `GROW id x y TYPE [dir] [message]`, also `GROWTH` | grow an organ from the organ `id` to or towards (x, y) |
//! | `SPORE id x y [message]`, also `SPOR` | shoot a root from the sporer `id` to (x, y) |
//! | `WAIT [message]` | do nothing |
//!
//! Words are separated by exactly one space; spaces around the line are ignored. A direction is one of `NESWnesw`; any
//! other word at its position begins the message. Numbers have 32 bits and may be negative.

use crate::{Dir, Kind, Order, State};
use contender_game::contest::excerpt;
use std::fmt;
use std::str::FromStr;

impl FromStr for Order {
    type Err = String;

    /// Parses one line. An order that is impossible in the game is still a valid order.
    fn from_str(line: &str) -> Result<Order, String> {
        read(line).ok_or_else(|| {
            let line = excerpt(line);
            format!("`{line}` is not `GROW id x y TYPE [dir]`, `SPORE id x y` or `WAIT`")
        })
    }
}

fn read(line: &str) -> Option<Order> {
    // Java's `trim` removes all characters up to the space, and its `.` does not match line terminators.
    let line = line.trim_matches(|c: char| c <= ' ');
    let mut words = line.split(' ');
    let order = match words.next()? {
        "GROW" | "GROWTH" => {
            let (id, x, y) = (number(words.next()?)?, number(words.next()?)?, number(words.next()?)?);
            let kind = Kind::from_word(words.next()?)?;
            let dir = words.clone().next().and_then(direction);
            if dir.is_some() {
                words.next();
            }
            Order::Grow { id, x, y, kind, dir: dir.unwrap_or(Dir::N) }
        }
        "SPORE" | "SPOR" => {
            Order::Spore { id: number(words.next()?)?, x: number(words.next()?)?, y: number(words.next()?)? }
        }
        "WAIT" => Order::Wait,
        _ => return None,
    };
    let ends_line = |c: char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    (!words.any(|word| word.contains(ends_line))).then_some(order)
}

/// Parses `-?\d+` if the number fits in 32 bits.
fn number(word: &str) -> Option<i32> {
    word.parse().ok().filter(|_| !word.starts_with('+'))
}

fn direction(word: &str) -> Option<Dir> {
    Dir::ALL.into_iter().find(|dir| word.len() == 1 && word.eq_ignore_ascii_case(&dir.letter().to_string()))
}

impl fmt::Display for Order {
    /// Formats the line, without a message.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Order::Grow { id, x, y, kind, dir } => {
                write!(f, "GROW {id} {x} {y} {} {}", kind.word(), dir.letter())
            }
            Order::Spore { id, x, y } => write!(f, "SPORE {id} {x} {y}"),
            Order::Wait => f.write_str("WAIT"),
        }
    }
}

impl crate::Action {
    /// Returns the order that leads to this action in a state.
    #[must_use]
    pub fn order(&self, state: &State) -> Order {
        let id = i32::from(state.id(self.from));
        let (x, y) = (self.to.x() as i32, self.to.y() as i32);
        match self.kind {
            Kind::Root => Order::Spore { id, x, y },
            kind => Order::Grow { id, x, y, kind, dir: self.dir },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_read_as_the_judge_reads_them() {
        let grow = |dir| Ok(Order::Grow { id: 1, x: -2, y: 3, kind: Kind::Basic, dir });
        for (line, expected) in [
            ("GROW 1 -2 3 BASIC", grow(Dir::N)),
            ("GROWTH 1 -2 3 BASIC E", grow(Dir::E)),
            (" \tGROW 1 -2 3 BASIC w \r", grow(Dir::W)),
            ("GROW 1 -2 3 BASIC S a message", grow(Dir::S)),
            ("GROW 1 -2 3 BASIC next", grow(Dir::N)),
            ("GROW 1 -2 3 BASIC X", grow(Dir::N)),
            ("GROW 1 -2 3 BASIC  E", grow(Dir::N)),
            ("GROW 01 -02 003 BASIC", grow(Dir::N)),
            ("SPOR 4 0 1 hi", Ok(Order::Spore { id: 4, x: 0, y: 1 })),
            ("SPORE 4 0 1", Ok(Order::Spore { id: 4, x: 0, y: 1 })),
            ("WAIT", Ok(Order::Wait)),
            ("WAIT some words", Ok(Order::Wait)),
            ("GROW 2 3 4 ROOT", Ok(Order::Grow { id: 2, x: 3, y: 4, kind: Kind::Root, dir: Dir::N })),
        ] {
            assert_eq!(line.parse::<Order>(), expected, "{line:?}");
        }
    }

    #[test]
    fn other_lines_are_unreadable() {
        for line in [
            "",
            "wait",
            "WAITING",
            "grow 1 2 3 BASIC",
            "GROW 1 2 3 basic",
            "GROW 1 2 3",
            "GROW 1 2 3 NUCLEUS",
            "GROW  1 2 3 BASIC",
            "GROW +1 2 3 BASIC",
            "GROW 1 2 BASIC",
            "SPORES 1 2 3",
            "SPORE 1 2",
            "SPORE 1 2 3x",
            "GROW 99999999999 1 1 BASIC",
            "GROW 1 2 3 BASIC\tE",
            "WAIT\tx",
            "WAIT a\u{2028}b",
            "GROW 1 2 - BASIC",
            "GROW ١ 2 3 BASIC",
        ] {
            assert!(line.parse::<Order>().is_err(), "{line:?}");
        }
        assert!("x".repeat(1000).parse::<Order>().unwrap_err().len() < 200);
    }
}
