//! Box for the tools.

use crate::notation::{parse_colour, parse_full_move, SEATS};
use crate::protocol::{parse_start, play_full_move};
use crate::{
    BoxProtocol, ChampionBot, ChampionSettings, ClassicBot, Colour, Dialogue, GreedyBot, Placement, State,
    Tile,
};
use contender_game::{
    mix, Bot, BotInfo, BotSetup, Chance, Contest, ContestInfo, Game, Judge, JudgeSite, Limits, LineBot,
    Options, Player, Position, PositionAnalysis, RandomBot, Rng, Turn, TurnJudge,
};
use std::str::FromStr;
use std::time::Duration;

/// Box as CodeCup 2025 played it.
#[derive(Clone, Copy, Debug)]
pub struct BoxContest;

/// Box for lists of games.
pub static CONTEST: &dyn Contest = &BoxContest;

const INFO: ContestInfo = ContestInfo {
    name: "box",
    about: "Box: tiles of six colours, squares of your secret colour (CodeCup 2025)",
    seats: SEATS,
    site: JudgeSite::CodeCup,
    limits: Limits::per_game(Duration::from_secs(30)),
    seats_differ: false,
    bots: &[
        BotInfo { name: "random", about: "a random legal placement", options: &[] },
        BotInfo {
            name: "greedy",
            about: "the placement that gives its own colour most at once",
            options: &[],
        },
        BotInfo {
            name: "classic",
            about: "three plies of expectiminimax and a guess of the opponent's colour",
            options: &[],
        },
        BotInfo {
            name: "champion",
            about: "squares by their probability, two plies after each candidate, a belief about the colour",
            options: ChampionSettings::OPTIONS,
        },
    ],
    rules: &[
        ("start", "the start tile, for example start=216534; random without"),
        ("colours", "the secret colours of player 1 and player 2, for example colours=12; random without"),
    ],
};

impl Contest for BoxContest {
    fn info(&self) -> ContestInfo {
        INFO
    }

    fn bot(&self, name: &str, options: &mut Options, setup: &BotSetup) -> Result<Box<dyn LineBot>, String> {
        Ok(Box::new(Dialogue::new(choose_bot(name, options, setup)?, setup.limits)))
    }

    fn judge(&self, luck: u64, options: &mut Options) -> Result<Box<dyn Judge>, String> {
        Ok(Box::new(start(luck, options)?))
    }

    /// The setup is what [`Judge::setup`] gives; without one both options must be there.
    fn recorded(&self, setup: &[String], options: &mut Options) -> Result<Box<dyn Judge>, String> {
        let (Colours(colours), start) = match setup {
            [zero, one, start] => (format!("{zero}{one}").parse()?, parse_start(start)?),
            [] => {
                let colours = options.take("colours")?.ok_or_else(|| missing("colours"))?;
                (colours, options.take("start")?.ok_or_else(|| missing("start"))?)
            }
            _ => return Err(format!("a setup is two colours and the start tile, not {} lines", setup.len())),
        };
        Ok(Box::new(judge(colours, start, 0)))
    }

    /// The first move may be the start tile, `Hh216534h`; which one it is makes no difference to the counts. A draw of a tile and a
    /// placement are two decisions.
    fn perft(&self, moves: &[String], depth: u32) -> Result<u64, String> {
        let any = Tile::from_index(0);
        let mut state = State::new([0, 1], any);
        for (number, text) in moves.iter().enumerate() {
            if number == 0 && parse_start(text).is_ok() {
                continue;
            }
            play_full_move(&mut state, text).map_err(|error| format!("move {}: {error}", number + 1))?;
        }
        Ok(perft(&state, depth))
    }

    fn analyse(
        &self,
        position: Position<'_>,
        bot: &str,
        options: &mut Options,
        setup: &BotSetup,
    ) -> Result<PositionAnalysis, String> {
        let mut bot = choose_bot(bot, options, setup)?;
        let mut judge = start(position.luck, position.rules)?;
        hear(&mut *bot, &judge.setup(), position.moves);
        judge.analyse(position.moves, &mut bot, setup.limits)
    }
}

/// Lets a bot that is to act after `moves` hear of its opponent's ones, up to a malformed or illegal one.
fn hear(bot: &mut dyn Bot<State, Placement>, setup: &[String], moves: &[String]) {
    let [zero, one, start] = setup else { return };
    let (Ok(zero), Ok(one), Ok(start)) = (parse_colour(zero), parse_colour(one), parse_start(start)) else {
        return;
    };
    let mut state = State::new([zero, one], start);
    let player = Player::from_index(moves.len() % 2);
    for text in moves {
        let Ok((placement, tile)) = parse_full_move(text) else { return };
        if state.is_over() || !state.is_legal(placement) {
            return;
        }
        state.resolve(tile);
        if state.mover() != player {
            bot.observe(&state, player, &placement);
        }
        state.play(placement);
    }
}

/// A bundled bot by its name.
fn choose_bot(
    name: &str,
    options: &mut Options,
    setup: &BotSetup,
) -> Result<Box<dyn Bot<State, Placement>>, String> {
    Ok(match name {
        "random" => Box::new(RandomBot::new(setup.seed)),
        "greedy" => Box::new(GreedyBot::new(setup.seed)),
        "classic" => Box::new(ClassicBot::new(setup.seed)),
        "champion" => Box::new(ChampionBot::new(ChampionSettings::default().take(options)?, setup.seed)),
        _ => return Err(CONTEST.unknown_bot(name)),
    })
}

/// The judge of a new game. The luck gives the secret colours, the start tile and the tiles; an option replaces its part and leaves
/// the others as they are.
fn start(luck: u64, rules: &mut Options) -> Result<TurnJudge<BoxProtocol>, String> {
    let mut rng = Rng::new(mix(&[luck, 2]));
    let random = State::random(&mut rng).colours();
    let tile = Tile::from_index(rng.index(Tile::COUNT));
    let Colours(colours) = rules.take("colours")?.unwrap_or(Colours(random));
    Ok(judge(colours, rules.take("start")?.unwrap_or(tile), luck))
}

fn judge(colours: [Colour; 2], start: Tile, luck: u64) -> TurnJudge<BoxProtocol> {
    TurnJudge::new(BoxProtocol::new(start), JudgeSite::CodeCup, State::new(colours, start), luck)
}

fn missing(rule: &str) -> String {
    format!("a recorded game without a setup needs the rule `{rule}`")
}

/// Perft from a state in which a tile is to be drawn. Where tiles may lie does not depend on which tiles they are, so one tile
/// stands for all.
fn perft(state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if state.turn() == Turn::Over {
        return 0;
    }
    let mut drawn = state.clone();
    drawn.resolve(Tile::from_index(0));
    let mut moves = Vec::new();
    drawn.moves(&mut moves);
    let sequences = match depth {
        1 => 1,
        2 => moves.len() as u64,
        _ => moves
            .into_iter()
            .map(|placement| {
                let mut child = drawn.clone();
                child.play(placement);
                perft(&child, depth - 2)
            })
            .fold(0, u64::saturating_add),
    };
    sequences.saturating_mul(Tile::COUNT as u64)
}

/// Two different colours, written as two digits.
struct Colours([Colour; 2]);

impl FromStr for Colours {
    type Err = String;

    fn from_str(text: &str) -> Result<Colours, String> {
        let wrong = || "two different colours 1-6 are wanted, for example 12".to_string();
        let digits: Vec<Colour> = text
            .chars()
            .map(|digit| parse_colour(digit.encode_utf8(&mut [0; 4])))
            .collect::<Result<_, _>>()
            .map_err(|_| wrong())?;
        match digits[..] {
            [zero, one] if zero != one => Ok(Colours([zero, one])),
            _ => Err(wrong()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::perft_chance;

    #[test]
    fn perft_counts_like_the_general_one() {
        let state = State::new([0, 1], Tile::from_index(0));
        assert_eq!(perft(&state, 0), 1);
        assert_eq!(perft(&state, 1), perft_chance(&state, 1));
        assert_eq!(perft(&state, 2), perft_chance(&state, 2));
        assert_eq!(perft(&state, 2), 720 * 125);
        // Three decisions by the general count from every state after one draw and placement, once for each placement.
        let mut drawn = state.clone();
        drawn.resolve(Tile::from_index(5));
        let mut moves = Vec::new();
        drawn.moves(&mut moves);
        let mut total = 0;
        for placement in moves {
            let mut child = drawn.clone();
            child.play(placement);
            total += perft_chance(&child, 2);
        }
        assert_eq!(perft(&state, 4), 720 * total);
    }

    #[test]
    fn perft_takes_moves_and_names_the_wrong_one() {
        let moves = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
        assert_eq!(CONTEST.perft(&moves("Hh216534h Ik364521v If462513v"), 2), Ok(720 * 172));
        assert_eq!(CONTEST.perft(&moves("Ik364521v If462513v"), 2), Ok(720 * 172));
        let error = CONTEST.perft(&moves("Hh216534h Hj364521h"), 1).unwrap_err();
        assert_eq!(error, "move 2: a tile at Hjh covers 8 filled cells; at most 4 are allowed");
    }
}
