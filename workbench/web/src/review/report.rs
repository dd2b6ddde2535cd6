//! The parts of the page: the results, the reasons of the losses in short, the failures, the turning points of the lost
//! games, and the opponents.

use super::games::{Games, Played};
use super::job::{Balance, DECISIONS, GAMES, LostIn, Moment, Results, ReviewJob};
use super::phases::{Costliest, by_turn, costliest, phases};
use super::{MAX_MORE, Params};
use crate::chart::bar;
use crate::pairs::Standing;
use crate::replay::evaluation::{Reason, TurningPoint};
use crate::text::{all_games, capitalised, count, estimate, grouped};
use maud::{Markup, PreEscaped, html};
use std::cmp::Ordering;

/// Number of failures and of opponents to show.
const SHOWN: usize = 12;

/// Returns the results of the player's games that count, and the numbers of those that do not.
pub fn verdict(which: &Params, games: &Games) -> Markup {
    let [won, drawn, lost] = games.results();
    html! {
        p.verdict {
            @if games.played.is_empty() { "None of its games counts." }
            @else if lost == 0 { "It lost none of its " (count(games.played.len() as u64, "game", "games")) "." }
            @else { "It lost " (grouped(lost)) " of " (count(games.played.len() as u64, "game", "games")) "." }
        }
        p.chips { span.chip.win { (grouped(won)) " won" } span.chip { (grouped(drawn)) " drawn" } span.chip.loss { (grouped(lost)) " lost" }
            @for (number, standing) in games.open.into_iter().zip([Standing::Waits, Standing::LeftOut]).filter(|(number, _)| *number > 0) {
                @if let Some([name, words]) = standing.words() {
                    @let words = format!("{} {words}", grouped(number));
                    // The list of a league's games has no such choice.
                    @if games.rule.is_empty() { span.chip.warn title="A bot was late because the machine was busy. Such games are neither won nor lost." { (words) } }
                    @else { a.chip.warn href=(which.file.address("/log", &[("result", name)])) { (words) } }
                }
            }
        }
        @if !games.rule.is_empty() { p.legend { (games.rule) } }
    }
}

/// Returns the reasons of the losses in short: failures, the phase of the game with the largest loss, and the strongest
/// opponent.
fn reasons(games: &Games, results: Option<&Results>) -> Markup {
    let [_, _, lost] = games.results();
    let failed =
        games.played.iter().filter(|game| game.result == Ordering::Greater && !game.failure.is_empty());
    let kinds = kinds(failed.map(|game| &game.failure[..]));
    let costliest = results.and_then(|results| costliest(&phases(results)));
    let has_luck = results.is_some_and(|results| !results.balances.is_empty());
    let opponents = games.opponents();
    let has_many = opponents.len() > 1;
    let (rows, title) =
        if has_many { (opponents, "Hardest opponent") } else { (games.by_seat(), "Hardest seat") };
    let is_clear = match &rows[..] {
        [first, second, ..] if has_many => first.lost_halves() > second.lost_halves(),
        [first, second, ..] => first.is_clearly_worse(second),
        rows => rows.iter().any(|row| row.lost_halves() > 0),
    };
    let worst = rows.into_iter().next().filter(|_| is_clear);
    html! {
        dl #reasons {
            @if lost > 0 {
                div {
                    dt { "Failures" }
                    @match kinds.first() {
                        None => {
                            dd { "none" }
                            dd.legend { "no lost game ended with a failure" }
                        },
                        Some((kind, _)) => {
                            dd.failure { (grouped(kinds.iter().map(|(_, number)| number).sum())) " of " (count(lost, "lost game", "lost games")) }
                            dd.legend { @if kinds.len() > 1 { "most often: " } (kind) }
                        },
                    }
                }
            }
            @if let Some(costliest) = costliest {
                @let whole = if has_luck { "of the loss by its own moves" } else { "of the loss in the judged games" };
                div {
                    dt { "Costliest moves" }
                    @match costliest {
                        Costliest::Few(of) => { dd { (of.moves()) } dd.legend { (format!("{:.0}% {whole}", 100.0 * of.share)) } },
                        Costliest::Even(of) => {
                            dd { "spread evenly" }
                            dd.legend { (format!("at most {:.0}% {whole}, in {}", 100.0 * of.share, of.moves())) }
                        },
                    }
                }
            }
            @if let Some(results) = results { (mistakes_and_draws(results)) }
            @if let Some(worst) = worst {
                div {
                    dt { (title) }
                    dd { (worst.name) }
                    dd.legend { (points(worst.lost_halves())) " of " (count(worst.results.iter().sum(), "point", "points")) " lost" }
                }
            }
        }
    }
}

/// Returns the sums of the player's losses by its own moves and by draws, if chance has a part in the game.
fn mistakes_and_draws(results: &Results) -> Markup {
    let balances = &results.balances;
    let sum = |of: fn(&Balance) -> f64| balances.iter().map(of).sum::<f64>();
    let (mistakes, theirs, luck) = (sum(|of| of.mistakes), sum(|of| of.theirs), sum(|of| of.luck));
    let lost = balances.iter().filter(|of| of.is_lost).count();
    let is_unlucky = |of: &&LostIn| of.game.result == Ordering::Greater && of.stretch.reason == Reason::Draws;
    let unlucky = results.stretches.iter().filter(is_unlucky).count();
    let signed = |value: f64| match value {
        0.0 => "0".to_string(),
        _ => format!("{}{}", if value < 0.0 { '−' } else { '+' }, estimate(value.abs())),
    };
    html! {
        @if !balances.is_empty() {
            div title="Mistakes: the sum of all marked moves of the player. Draws: the sum of the draws that changed the evaluation as much as a blunder or more, for the player. A game is lost mainly by draws if they are the largest part of the fall that its card names" {
                dt { "Own mistakes and draws" }
                dd { (signed(-mistakes)) ", draws " (signed(luck)) " " (results.unit) }
                dd.legend {
                    "in " (count(balances.len() as u64, "judged game", "judged games")) "; the opponents' mistakes: +" (estimate(theirs))
                    @if lost > 0 { "; " (unlucky) " of " (count(lost as u64, "loss", "losses")) " mainly by unlucky draws" }
                }
            }
        }
    }
}

/// Returns the kinds of failures with their numbers, the most frequent kind first.
fn kinds<'a>(failures: impl Iterator<Item = &'a str>) -> Vec<(&'a str, u64)> {
    let mut found: Vec<(&str, u64)> = Vec::new();
    for failure in failures {
        // The details are in parentheses or after a quotation mark.
        let kind = failure.split(['(', '"']).next().unwrap_or_default().trim().trim_end_matches(':');
        match found.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, number)) => *number += 1,
            None => found.push((kind, 1)),
        }
    }
    found.sort_by_key(|(_, number)| std::cmp::Reverse(*number));
    found
}

/// Formats points that are given in halves.
fn points(halves: u64) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "½".to_string(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

/// Returns the player's failures. They come first, because a game with a failure is lost no matter how good the moves
/// are.
pub fn failures(which: &Params, games: &Games) -> Markup {
    let failed: Vec<&Played> = games.played.iter().filter(|game| !game.failure.is_empty()).collect();
    html! {
        @if !failed.is_empty() {
            section.card #failures aria-labelledby="failures-title" {
                h2 #failures-title { (count(failed.len() as u64, "game", "games")) " with a failure" }
                table.list { tbody { @for game in failed.iter().take(SHOWN) { tr {
                    td { a href=(which.file.address("/replay", &[("game", &game.number.to_string())])) { "Game " (game.number) } }
                    td { "against " (game.opponent) }
                    td.failure { (game.failure) }
                } } } }
                @if failed.len() > SHOWN { p.legend { "And " (failed.len() - SHOWN) " more." } }
            }
        }
    }
}

/// Returns the parts that change while the games are judged: the reasons in short, the turning points, and the phases.
pub fn parts(which: &Params, games: &Games, job: Option<&ReviewJob>, is_known: bool) -> [Markup; 3] {
    // A review of more games begins with the results of the earlier one.
    let over = job.filter(|job| job.progress().1 || job.times > 1);
    let reasons = reasons(games, over.map(|job| job.results()).as_deref());
    let phases = html! {
        section #phases aria-label="Moves at which it loses" { @if let Some(job) = over { (by_turn(&job.results())) } }
    };
    [reasons, turning_points(which, games, job, is_known), phases]
}

fn turning_points(which: &Params, games: &Games, job: Option<&ReviewJob>, is_known: bool) -> Markup {
    let wanted = games.to_judge(&which.against).len();
    html! {
        section #review aria-labelledby="review-title" {
            h2 #review-title { "Turning points of the " (match games.results() { [_, 0, _] => "lost", [_, _, 0] => "drawn", _ => "lost and drawn" }) " games" }
            @match job {
                _ if wanted == 0 => p.legend { "No game was lost or drawn by its moves." },
                Some(job) if job.is_waiting() => p.legend role="status" { "Waiting for another review to end …" },
                Some(job) => {
                    @let results = job.results();
                    (progress(&results, wanted, job.progress(), job.times))
                    @if let Some(problem) = &results.problem { p.failure { (problem) } }
                    div.boards-row.moments {
                        @for card in cards(which, games, &results, games.opponents().len() > 1) { (card) }
                    }
                    @if job.progress().1 && results.shown() < wanted && job.times <= MAX_MORE && is_known {
                        p.controls { a.button.small href=(which.with_more(&games.player, job.times)) { "Judge more games" } }
                    }
                },
                None if is_known => p.legend role="status" { "The strongest bundled bot judges the moves …" },
                None => {},
            }
        }
    }
}

/// Returns a card for each judged game, the one with the largest loss first. If all games are against one opponent, no
/// card names it.
fn cards(which: &Params, games: &Games, results: &Results, has_many: bool) -> Vec<Markup> {
    let moments = results.moments.iter().map(|of| (of.cost, card(which, of, has_many)));
    let stretches = results.stretches.iter().map(|of| (of.stretch.lost, stretch(which, games, of, has_many)));
    let mut cards: Vec<(f64, Markup)> = moments.chain(stretches).collect();
    cards.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let quiet = results.quiet.iter().map(|(game, board)| quiet(which, game, board, has_many));
    cards.into_iter().map(|(_, card)| card).chain(quiet).collect()
}

/// Returns the card of a game without a turning point. Its link leads to the end of the game.
fn quiet(which: &Params, game: &Played, board: &str, has_many: bool) -> Markup {
    let number = game.number.to_string();
    html! {
        a.thumb.quiet data-key=(number) href=(which.file.address("/replay", &[("game", &number)])) {
            span.picture aria-hidden="true" { (PreEscaped(board)) }
            span.words {
                (result(game, has_many))
                span { "No turning point: no move lost much." }
                span.legend { @if has_many { "Game " (number) ", its end" } @else { "Its end" } }
            }
        }
    }
}

/// Returns the stretch in which a game was lost move by move. Its link leads to the most costly move, or else to the
/// position before the stretch.
fn stretch(
    which: &Params,
    games: &Games,
    LostIn { game, stretch, names, both, board }: &LostIn,
    has_many: bool,
) -> Markup {
    let number = game.number.to_string();
    let address = match &stretch.costliest {
        Some(TurningPoint { turn, better, .. }) => address(which, game, *turn, better),
        None => {
            let before = (both.as_ref().map_or(stretch.first, |(turn, _)| *turn) - 1).to_string();
            which.file.address("/replay", &[("game", &number), ("turn", &before)])
        }
    };
    html! {
        a.thumb data-key=(number) href=(address) {
            span.picture aria-hidden="true" { (PreEscaped(board)) }
            span.words {
                (result(game, has_many))
                span.failure { (capitalised(&stretch.moves())) ": " (stretch.change) }
                span { (capitalised(stretch.reason())) "." }
                small { (capitalised(&stretch.parts)) "." }
                @if let Some((TurningPoint { turn, played, better, loss, .. }, names)) = stretch.costliest.as_ref().zip(names.as_ref()) {
                    span { (stretch.costliest_of()) ": " (turn) ", " span.played title=(played) { (names[0]) } ", " (loss)
                        "; better " span.better title=(better) { (names[1]) } }
                }
                @if let Some((turn, words)) = both {
                    span { "Largest fall, move " (turn) ": " span.played { (words[game.seat.index()]) }
                        ", and at the same time " (games.seats[game.seat.other().index()]) ": " span class=(format!("joint seat-{}", game.seat.other().index())) { (words[game.seat.other().index()]) } }
                }
                @if has_many { span.legend { "Game " (number) } }
            }
        }
    }
}

/// Returns the opponent, the result and the score of a card's game; with one opponent, the number of the game instead
/// of the opponent.
fn result(game: &Played, has_many: bool) -> Markup {
    let is_drawn = game.result == Ordering::Equal;
    html! { span.name {
        @if has_many { (if is_drawn { "Drew against " } else { "Lost to " }) (game.opponent) }
        @else { "Game " (game.number) (if is_drawn { ", drawn" } else { ", lost" }) }
        @if !game.score.is_empty() { " " (game.score) }
    } }
}

fn progress(results: &Results, all: usize, (judged, is_over): (usize, bool), times: usize) -> Markup {
    // A review has at least one game.
    let planned = results.planned.max(1);
    let shown = results.shown();
    let judged_games = |all: usize| match all {
        1 if shown == 1 => "The game".to_string(),
        all if all > shown => format!(
            "The {shown} latest of {} games ({}; a review ends with {})",
            grouped(all as u64),
            count(judged as u64, "move", "moves"),
            if shown < GAMES * times {
                format!("the game that completes {} moves", grouped((DECISIONS * times) as u64))
            } else {
                format!("{} games", GAMES * times)
            }
        ),
        all => capitalised(&all_games(all as u64)),
    };
    let quiet = match results.quiet.len() {
        0 => String::new(),
        1 => " 1 game has none.".to_string(),
        number => format!(" {number} games have none."),
    };
    let boards =
        || results.moments.iter().map(|of| &of.board).chain(results.stretches.iter().map(|of| &of.board));
    let has = |name: &str| boards().any(|board| board.contains(name));
    let (has_frames, is_joint) = (has("class=\"better\""), has("class=\"joint "));
    html! {
        p.legend role="status" {
            @if !is_over { "Judging game " ((results.games + 1).min(planned)) " of " (planned) ", " (count(judged as u64, "move", "moves")) " so far …" }
            @else { (judged_games(all)) ", judged by the strongest bundled bot. A turning point is the costliest move of the last long fall of the player's win chance or lead. Without such a fall, it is the costliest move of the game." (quiet) }
            @if is_over && has_frames {
                " On the boards: dashed, the move " span.played { "played" } "; green, the " span.better { "better" } " move"
                @if is_joint { "; dotted, the opponent's move " span.joint { "at the same time" } } "."
            }
        }
        @if !is_over { (bar(results.games as f64 / planned as f64)) }
    }
}

/// Returns the address of the position before a move, on whose board the move and a better one are drawn.
fn address(which: &Params, game: &Played, turn: usize, better: &str) -> String {
    let [number, before, seat] = [game.number, turn - 1, game.seat.index()].map(|number| number.to_string());
    let pairs = [("game", &number[..]), ("turn", &before), ("better", better), ("seat", &seat)];
    which.file.address("/replay", &pairs)
}

/// Returns the turning point of a game. Its link leads to the position before the move.
fn card(which: &Params, moment: &Moment, has_many: bool) -> Markup {
    let Moment { game, turn, played, better, names, loss, board, .. } = moment;
    let number = game.number.to_string();
    html! {
        a.thumb data-key=(number) href=(address(which, game, *turn, better)) {
            span.picture aria-hidden="true" { (PreEscaped(board)) }
            span.words {
                (result(game, has_many))
                span { "Move " (turn) ": " span.played title=(played) { (names[0]) } }
                span { "better: " span.better title=(better) { (names[1]) } }
                span.failure { (loss) }
                @if has_many { span.legend { "Game " (number) } }
            }
        }
    }
}

/// Returns the opponents with the points that the player lost to each of them. If there is only one opponent, returns
/// the points that the player lost in each seat.
pub fn opponents(which: &Params, games: &Games) -> Markup {
    let opponents = games.opponents();
    let has_many = opponents.len() > 1;
    let rows = if has_many { opponents } else { games.by_seat() };
    let most = rows.first().map_or(1, |row| row.lost_halves().max(1)) as f64;
    html! {
        section #against aria-labelledby="opponents" {
            h2 #opponents { "Points lost, by " (if has_many { "opponent" } else { "seat" }) }
            div.wide { table.list {
                thead { tr { th { (if has_many { "Opponent" } else { "Seat" }) } th.number { "Lost" } td {} th.number { "W – D – L" } } }
                tbody { @for row in rows.iter().take(SHOWN) { tr {
                    th scope="row" { @if has_many { a href=(which.address("/review", &games.player, row.name)) { (row.name) } } @else { (row.name) } }
                    td.number { (points(row.lost_halves())) }
                    td.share { (bar(row.lost_halves() as f64 / most)) }
                    td.number { (row.results[0]) " – " (row.results[1]) " – " (row.results[2]) }
                } } }
            } }
            @if rows.len() > SHOWN { p.legend { "And " (rows.len() - SHOWN) " more." } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay::evaluation::Stretch;

    fn games() -> Games {
        Games {
            player: "me".into(),
            players: Vec::new(),
            seats: ["Blue", "Red"],
            played: Vec::new(),
            open: [0; 2],
            rule: String::new(),
        }
    }

    /// If no few phases have most of the loss, no moves are the costliest.
    #[test]
    fn an_even_loss_has_no_costliest_phase() {
        let games = games();
        let words = |losses| reasons(&games, Some(&Results { losses, ..Results::default() })).into_string();
        let even: Vec<(usize, f64)> = (1..=16).map(|turn| (turn, 1.0)).collect();
        assert!(words(even.clone()).contains("spread evenly"));
        let uneven = [even, vec![(3, 20.0)]].concat();
        assert!(words(uneven.clone()).contains("<dd>moves 3–4</dd>"), "{}", words(uneven));
    }

    /// The cards and the numbers in the text add up to the judged games.
    #[test]
    fn every_judged_game_has_a_card() {
        let game = |number| Played {
            number,
            seat: contender_game::rules::Player::Zero,
            opponent: "other".into(),
            result: Ordering::Greater,
            failure: String::new(),
            score: String::new(),
        };
        let moment = Moment {
            game: game(2),
            turn: 3,
            played: "a".into(),
            better: "b".into(),
            names: ["a".into(), "b".into()],
            cost: 1.0,
            loss: "loses 1 point".into(),
            board: String::new(),
        };
        let quiet = vec![(game(1), "<svg></svg>".to_string())];
        let mut results = Results { moments: vec![moment], quiet, games: 2, ..Results::default() };
        let words = |all| progress(&results, all, (9, true), 1).into_string();
        assert!(words(2).contains("Both games") && words(2).contains("1 game has none."), "{}", words(2));
        assert!(
            words(5).contains(
                "The 2 latest of 5 games (9 moves; a review ends with the game that completes 400 moves)"
            ),
            "{}",
            words(5)
        );
        let mut which: Params = serde_json::from_str("{\"file\": \"a.jsonl\"}").unwrap();
        assert!(which.with_more("b", 1).ends_with("&more=1"), "{}", which.with_more("b", 1));
        which.more = 1;
        assert!(which.times() == 2 && which.with_more("b", 2).ends_with("&more=2"));
        assert!(!which.key("b").contains("more"));
        let mut lost = LostIn {
            game: game(3),
            stretch: Stretch {
                first: 14,
                last: 19,
                reason: Reason::OwnMoves,
                lost: 0.85,
                change: "win chance from 87% to 2%".into(),
                parts: "own moves −85%".into(),
                costliest: Some(TurningPoint {
                    turn: 16,
                    played: "a".into(),
                    better: "b".into(),
                    cost: 0.1,
                    loss: "win chance from 80% to 70%".into(),
                }),
            },
            names: Some(["a".into(), "b".into()]),
            both: None,
            board: String::new(),
        };
        let games = games();
        let card = stretch(&which, &games, &lost, true).into_string();
        assert!(
            card.contains("<span class=\"failure\">Moves 14–19: win chance from 87% to 2%</span>")
                && card.contains(
                    "<span>No single move lost a third of the fall.</span><small>Own moves −85%.</small>"
                )
                && card.contains("turn=15&amp;better=b&amp;seat=0")
                && card.contains("Costliest of these moves: 16, ")
                && card.contains("</span>, win chance from 80% to 70%; better "),
            "{card}"
        );
        // Without such a move, the card leads to the start of the stretch.
        lost.stretch.costliest = None;
        let card = stretch(&which, &games, &lost, true).into_string();
        assert!(card.contains("turn=13") && !card.contains("Costliest"), "{card}");
        // If both moved at once, the card names both moves of the turn with the largest fall.
        lost.both = Some((17, ["Root 1,2".into(), "Wait".into()]));
        let card = stretch(&which, &games, &lost, true).into_string();
        assert!(
            card.contains("turn=16")
                && card.contains("Largest fall, move 17: <span class=\"played\">Root 1,2</span>, and at the same time Red: ")
                && card.contains("<span class=\"joint seat-1\">Wait</span>"),
            "{card}"
        );
        // The number of games in the progress is that of the result.
        let running = progress(&Results { planned: 7, games: 2, ..Results::default() }, 10, (9, false), 1);
        assert!(running.into_string().contains("Judging game 3 of 7, 9 moves so far"));
        // The largest loss comes first, and with one opponent, the number of the game is the name of its card.
        lost.stretch.lost = 2.0;
        results.stretches.push(lost);
        let numbers = |has_many| -> Vec<String> {
            let cards = cards(&which, &games, &results, has_many).into_iter().map(Markup::into_string);
            let name =
                |card: String| card.split("class=\"name\">").nth(1)?.split('<').next().map(String::from);
            cards.filter_map(name).collect()
        };
        assert_eq!(numbers(false), ["Game 3, lost", "Game 2, lost", "Game 1, lost"]);
        assert_eq!(numbers(true), ["Lost to other"; 3]);
        let scored = Played { score: "18–20".into(), ..game(4) };
        assert_eq!(result(&scored, false).into_string(), "<span class=\"name\">Game 4, lost 18–20</span>");
        let card = quiet_card(&which, &results);
        assert!(
            card.contains("No turning point") && card.contains("game=1") && card.contains("<svg"),
            "{card}"
        );
    }

    fn quiet_card(which: &Params, results: &Results) -> String {
        results.quiet.iter().map(|(game, board)| quiet(which, game, board, false).into_string()).collect()
    }

    /// The number of losses by draws is that of the cards that name draws as the reason. In the drawn game, the draws
    /// helped the player.
    #[test]
    fn mistakes_and_draws_are_summed() {
        let of = |(is_lost, mistakes, luck)| Balance { is_lost, mistakes, theirs: 1.5, luck };
        let balances = [(true, 3.0, -7.0), (true, 9.0, -2.5), (false, 1.0, 4.0)].map(of).to_vec();
        let lost = |result| LostIn {
            game: Played {
                number: 1,
                seat: contender_game::rules::Player::Zero,
                opponent: String::new(),
                result,
                failure: String::new(),
                score: String::new(),
            },
            stretch: Stretch {
                first: 1,
                last: 2,
                reason: Reason::Draws,
                lost: 1.0,
                change: String::new(),
                parts: String::new(),
                costliest: None,
            },
            names: None,
            both: None,
            board: String::new(),
        };
        let stretches = [Ordering::Greater, Ordering::Equal].map(lost).to_vec();
        let unit = "points".into();
        let card =
            mistakes_and_draws(&Results { balances, stretches, unit, ..Results::default() }).into_string();
        assert!(
            card.contains("<dd>−13, draws −5.5 points</dd>")
                && card.contains(
                    "in 3 judged games; the opponents' mistakes: +4.5; 1 of 2 losses mainly by unlucky draws"
                ),
            "{card}"
        );
        assert!(mistakes_and_draws(&Results::default()).into_string().is_empty());
    }

    #[test]
    fn failures_are_counted_by_kind() {
        let failures =
            ["loses on time (5 ms over)", "makes an illegal move: \"x\": no", "loses on time (9 ms over)"];
        assert_eq!(kinds(failures.into_iter()), [("loses on time", 2), ("makes an illegal move", 1)]);
    }
}
