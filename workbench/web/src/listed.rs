//! The list of games on all pages: the players with their colours, the result of the chosen player, the points, and how
//! players failed. On a telephone, a game has one line, and a second line only for a failure.

use crate::colours::Looks;
use crate::failures::late::{LateAnswer, exact};
use crate::failures::short;
use crate::pairs::Standing;
use crate::text::{grouped, short_time, slow_time};
use contender_play::{Ending, Seat};
use maud::{Markup, html};
use std::cmp::Ordering;
use std::time::Duration;

/// The possible results of a player: the name in addresses, the comparison of the player's rank with the opponent's,
/// the word in lists, and the class of its chip.
pub const RESULTS: [(&str, Ordering, &str, &str); 3] = [
    ("won", Ordering::Less, "won", "chip win"),
    ("drawn", Ordering::Equal, "drew", "chip"),
    ("lost", Ordering::Greater, "lost", "chip loss"),
];

/// A game in a list.
pub struct ListedGame {
    pub number: String,
    /// The address of its board, unless the game cannot be shown.
    pub address: Option<String>,
    pub players: Vec<String>,
    /// The only player with the best rank.
    pub winner: Option<usize>,
    /// The comparison of the chosen player's rank with the opponent's: `Less` means that the player won.
    pub result: Option<Ordering>,
    /// The points by seat.
    pub points: String,
    /// Whether the game counts in its match.
    pub standing: Standing,
    /// Number of moves, or the time at which the game was played.
    pub note: String,
    /// The seat and the time of the slowest answer, if the list shows it.
    pub slowest: Option<(usize, Duration)>,
    /// The failures, or the reason why the game cannot be read.
    pub failures: Vec<Failure>,
}

/// A failure as a list shows it.
#[derive(Clone)]
pub struct Failure {
    pub words: String,
    /// The details.
    pub details: String,
    /// The player's standard error output.
    pub stderr: String,
    /// Whether the player was late because the machine was busy. Such a game does not count.
    pub is_late: bool,
}

impl Failure {
    /// Creates the description of a player's failure. `limit` is the exact time limit per move, if it is known.
    pub fn of(player: &str, seat: &Seat, limit: Option<Duration>) -> Failure {
        let is_busy = matches!(seat.ending, Ending::Overloaded { .. });
        let words = match LateAnswer::of(seat, limit).filter(|late| !late.overrun().is_zero()) {
            Some(late) => {
                let machine = if is_busy { ", machine busy" } else { "" };
                format!("{player} was {} late{machine}", short_time(late.overrun()))
            }
            None => format!("{player} {}", short(&seat.ending.to_string())),
        };
        Failure {
            words,
            details: exact(seat, limit),
            stderr: seat.stderr.trim_end().to_string(),
            is_late: is_busy || short(&seat.ending.to_string()).ends_with("on a busy machine"),
        }
    }

    /// Creates the description of a failure of which only the kind is known.
    pub fn of_kind(player: &str, words: &str) -> Failure {
        Failure {
            words: format!("{player} {}", short(words)),
            details: words.to_string(),
            stderr: String::new(),
            is_late: short(words).ends_with("on a busy machine"),
        }
    }

    /// Creates the description of a game that could not be played, through no fault of the players.
    pub fn void(reason: &str) -> Failure {
        Failure {
            words: format!("not played: {reason}"),
            details: reason.to_string(),
            stderr: String::new(),
            is_late: false,
        }
    }
}

/// Returns the table of games. `chosen` is the player whose results are shown, and `note` the name of the last column.
/// `names` are all players of the list's source, so that colours do not depend on the listed games.
pub fn table(games: &[ListedGame], chosen: Option<&str>, names: &[&str], note: &str) -> Markup {
    let has_times = games.iter().any(|game| game.slowest.is_some());
    let has_failures = games.iter().any(|game| !game.failures.is_empty());
    let columns = 4 + [chosen.is_some(), has_times, has_failures].map(usize::from).iter().sum::<usize>();
    let looks = Looks::of(names.iter().copied());
    let winner = |game: &ListedGame| game.winner.filter(|_| game.standing != Standing::LeftOut);
    let players = |game: &ListedGame| players(&game.players, winner(game), &looks);
    // Equal outputs are shown once, below the first of their games.
    let mut outputs: Vec<(&str, &str, u64)> = Vec::new();
    for (game, failure) in
        games.iter().flat_map(|game| game.failures.iter().map(move |failure| (game, failure)))
    {
        match outputs.iter_mut().find(|(_, known, _)| *known == failure.stderr) {
            _ if failure.stderr.is_empty() => {}
            Some((.., count)) => *count += 1,
            None => outputs.push((&game.number, &failure.stderr, 1)),
        }
    }
    html! {
        @if !games.is_empty() {
            div.wide { table.list.games #logs {
                thead { tr {
                    th.number { "Game" } th { "Players" } @if let Some(chosen) = chosen { th { (chosen) } } th { "Points" }
                    th.number.extra { (note) } @if has_times { th.number.extra { "Slowest move" } } @if has_failures { th { "Failure" } }
                } }
                tbody { @for game in games { tr data-key=(game.number) {
                    td.number.id { @match &game.address { Some(address) => a href=(address) { (game.number) }, None => (game.number) } }
                    td.players { @match &game.address {
                        Some(address) if !game.players.is_empty() => a href=(address) { (players(game)) },
                        _ => span { (players(game)) },
                    } }
                    @let standing = html! { @if let Some([_, words]) = game.standing.words() { span.legend { (words) } } };
                    @if chosen.is_some() { td.result { (standing) @if game.standing == Standing::Counts { @for (_, _, word, class) in RESULTS.iter().filter(|of| game.result == Some(of.1)) { span class=(class) { (word) } } } } }
                    td.points.soft[game.standing == Standing::LeftOut] { (game.points) @if chosen.is_none() && game.standing != Standing::Counts { " " (standing) } }
                    td.number.extra { (game.note) }
                    @if has_times { td.number.extra { @if let Some((seat, time)) = game.slowest { @if let Some(player) = game.players.get(seat) { span.player { (looks.mark(player)) span.legend { (player) } (slow_time(time)) } } } } }
                    @if has_failures { td.failure {
                        // In a match of two bots, an own failure or that of the partner is the only reason.
                        @if game.standing == Standing::LeftOut && game.failures.is_empty() && names.iter().all(|name| game.players.iter().any(|of| of == name)) { p.late { "late in the other game of its pair" } }
                        @for failure in &game.failures {
                        p.late[failure.is_late || game.standing == Standing::LeftOut] title=(failure.details) { (failure.words) }
                    } } }
                }
                // The output has the width of the table.
                @let own = || outputs.iter().filter(|(number, ..)| *number == game.number);
                @if own().next().is_some() { tr.output data-key=(format!("{} output", game.number)) { td colspan=(columns) {
                    @for (_, stderr, games) in own() { details { summary { "Standard error" @if *games > 1 { ", the same in " (grouped(*games)) " games" } } pre tabindex="0" { (stderr) } } }
                } } }
                } }
            } }
        }
    }
}

/// Returns the players of a game by seat, the winner in bold.
pub fn players(names: &[impl AsRef<str>], winner: Option<usize>, looks: &Looks<'_>) -> Markup {
    html! {
        @for (at, name) in names.iter().map(AsRef::as_ref).enumerate() {
            @if at > 0 { span.legend { "–" } }
            span.player {
                (looks.mark(name))
                @if winner == Some(at) { strong { (name) } } @else { span { (name) } }
            }
        }
    }
}

/// Returns the place of the board at the end of a game. A script draws the game that the reader points at, or else the
/// first one of the list.
pub fn preview() -> Markup {
    html! { aside #preview aria-label="End of the game" {} }
}

/// A choice among the games: its words, the class of its chip, the number of games, and its address.
pub struct Choice {
    pub words: String,
    pub class: &'static str,
    pub count: u64,
    pub address: String,
    pub is_chosen: bool,
}

/// Returns the numbers of games by result. Each number is a link that shows only these games.
pub fn choices(all: &[Choice]) -> Markup {
    html! {
        nav.chips.filters aria-label="Games by result" {
            @for choice in all {
                @if choice.count > 0 || choice.is_chosen {
                    a class=(choice.class) href=(choice.address) aria-current=[choice.is_chosen.then_some("true")] { (choice.words) }
                } @else { span class=(choice.class) { (choice.words) } }
            }
        }
    }
}

/// Returns the choices of a player's results.
pub fn by_result(
    player: &str,
    numbers: [u64; 3],
    chosen: &str,
    address: &dyn Fn(&str) -> String,
) -> Vec<Choice> {
    let choice = |((name, _, word, class), count): ((&str, Ordering, &str, &'static str), u64)| Choice {
        words: format!("{player} {word} {}", grouped(count)),
        class,
        count,
        address: address(name),
        is_chosen: chosen == name,
    };
    RESULTS.into_iter().zip(numbers).map(choice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_void_game_names_no_player() {
        let void = Failure::void("no such file (bot.py)");
        assert_eq!(void.words, "not played: no such file (bot.py)");
        let late = |ending| {
            let failure = Failure::of("a", &Seat { ending, ..Seat::default() }, None);
            (failure.words, failure.is_late)
        };
        let busy = Ending::Overloaded { limit_ms: 20, overrun_ms: Some(9), delay_ms: 24, stolen_ms: 0 };
        assert_eq!(late(busy), ("a was 9.0 ms late, machine busy".to_string(), true));
        let silent = Ending::Timeout { limit_ms: 20, overrun_ms: None };
        assert_eq!(late(silent), ("a loses on time".to_string(), false));
        let slow = Ending::Timeout { limit_ms: 20, overrun_ms: Some(3) };
        assert_eq!(late(slow), ("a was 3.0 ms late".to_string(), false));
        assert!(Failure::of_kind("a", "loses on time on a busy machine").is_late);
    }

    #[test]
    fn equal_outputs_are_shown_once() {
        let game = |number: u32, stderr: &str| ListedGame {
            number: number.to_string(),
            address: None,
            players: vec!["a".to_string(), "b".to_string()],
            winner: Some(1),
            result: None,
            points: String::new(),
            standing: Standing::Counts,
            note: String::new(),
            slowest: None,
            failures: vec![Failure { stderr: stderr.to_string(), ..Failure::of_kind("a", "crashes") }],
        };
        let games = [game(1, "KeyError"), game(2, ""), game(3, "KeyError"), game(4, "ValueError")];
        let text = table(&games, None, &["a", "b"], "Moves").into_string();
        assert_eq!([text.matches("KeyError").count(), text.matches("ValueError").count()], [1, 1], "{text}");
        assert!(
            text.contains("Standard error, the same in 2 games<") && text.contains("Standard error<"),
            "{text}"
        );
        assert_eq!(text.matches("a crashes").count(), 4);
    }
}
