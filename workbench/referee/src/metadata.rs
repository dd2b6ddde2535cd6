//! Values about bots and games that bots print to standard error, in the format of psyleague and CG Arena.
//! [`Attribute`] explains the format.
//!
//! A marker must be at the start of its line. All other lines are ignored, because bots can use standard error for
//! anything.

use crate::Attribute;
use contender_game::rules::Player;
use std::collections::BTreeMap;

/// Length in bytes at which lines are cut off, far longer than real metadata.
const MAX_LINE: usize = 1000;

/// Maximum size, in bytes, of a bot's entries in the record of a game. Further entries are dropped, and an entry called
/// [`CUT`] marks this.
const MAX_BYTES: usize = 1 << 16;

/// Size of an entry in the record, without its name and its value.
const FRAME: usize = 50;

/// The name of the entry that shows that other entries were dropped.
const CUT: &str = "cut";

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    is_of_player: bool,
    name: String,
    turn: Option<u32>,
}

enum Value {
    Last(String),
    Sum(f64),
}

/// A collector for the values in a bot's standard error output.
#[derive(Default)]
pub(crate) struct Collector {
    /// The start of a line whose end has not been read yet.
    line: Vec<u8>,
    entries: BTreeMap<Key, Value>,
    /// Size of the entries in the record, in bytes.
    bytes: usize,
    /// Whether entries were dropped for lack of space.
    is_cut: bool,
}

impl Collector {
    pub fn add(&mut self, new: &[u8]) {
        for piece in new.split_inclusive(|&byte| byte == b'\n') {
            // Most lines are not metadata, as their first letter shows.
            if self.line.is_empty() && piece[0] != b'[' && piece.ends_with(b"\n") {
                continue;
            }
            let room = MAX_LINE.saturating_sub(self.line.len());
            self.line.extend_from_slice(&piece[..piece.len().min(room)]);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        if let Some((key, value)) = parse(line.trim_end()) {
            match (self.entries.get_mut(&key), value) {
                (Some(Value::Sum(sum)), Value::Sum(value)) => *sum += value,
                (old, value) => {
                    let before = old.map_or(0, |old| size(&key, old));
                    let bytes = self.bytes - before + size(&key, &value);
                    if bytes <= MAX_BYTES {
                        self.bytes = bytes;
                        self.entries.insert(key, value);
                    } else {
                        self.is_cut = true;
                    }
                }
            }
        }
        self.line.clear();
    }

    /// Takes the entries of the bot in this seat, sorted by name and turn.
    pub fn take(&mut self, player: Player) -> Vec<Attribute> {
        self.end_line();
        let Collector { entries, is_cut, .. } = std::mem::take(self);
        let cut = is_cut.then(|| Attribute {
            name: CUT.to_string(),
            player: Some(player.index() as u8),
            turn: None,
            value: format!("more than {MAX_BYTES} bytes of notes"),
        });
        entries
            .into_iter()
            .map(|(key, value)| Attribute {
                name: key.name,
                player: key.is_of_player.then_some(player.index() as u8),
                turn: key.turn,
                value: match value {
                    Value::Last(text) => text,
                    Value::Sum(sum) => sum.to_string(),
                },
            })
            .chain(cut)
            .collect()
    }
}

/// Returns the size of an entry in the record, in bytes.
fn size(key: &Key, value: &Value) -> usize {
    let text = |text: &str| -> usize {
        let letters = text.bytes().map(|byte| match byte {
            b'"' | b'\\' => 2,
            0..0x20 => 6,
            _ => 1,
        });
        letters.sum()
    };
    let value = match value {
        Value::Last(value) => text(value),
        // The longest number in this notation.
        Value::Sum(_) => 330,
    };
    FRAME + text(&key.name) + value
}

fn parse(line: &str) -> Option<(Key, Value)> {
    let (marker, rest) = line.strip_prefix('[')?.split_once(']')?;
    let (is_of_player, is_sum) = match marker {
        "TDATA" => (false, false),
        "PDATA" => (true, false),
        "PDATA+" => (true, true),
        _ => return None,
    };
    let (turn, rest) = match rest.strip_prefix('[') {
        Some(rest) => {
            let (turn, rest) = rest.split_once(']')?;
            (Some(turn.trim().parse().ok()?), rest)
        }
        None => (None, rest),
    };
    let (name, value) = rest.split_once('=')?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() {
        return None;
    }
    let value = if is_sum {
        Value::Sum(value.parse().ok().filter(|value: &f64| value.is_finite())?)
    } else {
        Value::Last(value.to_string())
    };
    Some((Key { is_of_player, name: name.to_string(), turn }, value))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "hello\n[TDATA] map = small\n[PDATA] depth = 3\n [PDATA] depth = 9\n[PDATA] depth = 4 = four\n\
        [PDATA+] nodes = 10\n[PDATA+] nodes=2.5\r\n[PDATA+] nodes = many\n[PDATA][7] score = -1\n[PDATA][x] score = 2\n\
        [TDATA][ 3 ] wind=N\n[TDATA][3 wind=S\n[XDATA] a = b\n[PDATA]= 3\n[PDATA] last = no end";

    fn collect(chunks: &[&[u8]]) -> Vec<Attribute> {
        let mut collector = Collector::default();
        for chunk in chunks {
            collector.add(chunk);
        }
        collector.take(Player::One)
    }

    #[test]
    fn lines_are_read_as_the_arenas_read_them() {
        let entry = |name: &str, player, turn, value: &str| Attribute {
            name: name.to_string(),
            player,
            turn,
            value: value.to_string(),
        };
        let expected = [
            entry("map", None, None, "small"),
            entry("wind", None, Some(3), "N"),
            entry("depth", Some(1), None, "4 = four"),
            entry("last", Some(1), None, "no end"),
            entry("nodes", Some(1), None, "12.5"),
            entry("score", Some(1), Some(7), "-1"),
        ];
        assert_eq!(collect(&[TEXT.as_bytes()]), expected);
    }

    /// Checks that many entries, long entries, and letters with long escapes do not take more than their share of the
    /// record.
    #[test]
    fn what_is_told_is_bounded_and_the_cut_is_said() {
        let lines: [&dyn Fn(u32) -> String; 4] = [
            &|number| format!("[PDATA] n{number} = 1\n"),
            &|number| format!("[PDATA][{number}] long = {}\n", "x".repeat(900)),
            &|number| format!("[TDATA] n{number} = {}x\n", "\u{1}".repeat(300)),
            &|number| format!("[PDATA+] sum{number} = 1e308\n"),
        ];
        for line in lines {
            let mut collector = Collector::default();
            collector.add(b"[PDATA] n3 = 4\n");
            for number in 0..20_000 {
                collector.add(line(number).as_bytes());
            }
            collector.add(b"[PDATA] n3 = 5\n[");
            for _ in 0..1000 {
                collector.add(&[b'x'; 1000]);
            }
            assert!(collector.line.capacity() < 1 << 12);
            let attributes = collector.take(Player::Zero);
            let of = |name: &str| {
                attributes
                    .iter()
                    .find(|told| told.name == name && told.player.is_some() && told.turn.is_none())
            };
            assert!(of("n3").unwrap().value.starts_with('5'));
            assert_eq!(of("cut").unwrap().value, "more than 65536 bytes of notes");
            let json = serde_json::to_string(&attributes).unwrap();
            assert!((20_000..67_000).contains(&json.len()), "{}", json.len());
        }
        assert_eq!(collect(&[b"[PDATA] depth = 3\n"]).len(), 1, "who tells little is not cut");
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(cuts in proptest::collection::vec(0..TEXT.len(), 0..20)) {
            let mut cuts = [&[0, TEXT.len()], &cuts[..]].concat();
            cuts.sort_unstable();
            let chunks: Vec<&[u8]> = cuts.windows(2).map(|cut| &TEXT.as_bytes()[cut[0]..cut[1]]).collect();
            prop_assert_eq!(collect(&chunks), collect(&[TEXT.as_bytes()]));
        }

        #[test]
        fn no_bytes_are_too_strange(bytes: Vec<u8>) {
            collect(&[&bytes]);
            collect(&[b"[PDATA+][1] a = ", &bytes, b"\n"]);
        }
    }
}
