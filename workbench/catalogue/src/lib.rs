//! The list of games that the tools can use. A program can register its games when it starts. If it does not (for
//! example in tests), the list contains the games of this workspace.

use contender_game::contest::Contest;
use contender_input::did_you_mean;
use std::sync::OnceLock;

/// The games of this workspace, in the order in which lists show them. Register new games here.
#[cfg(feature = "games")]
pub const OWN: &[&dyn Contest] = &[
    contender_boxes::CONTEST,
    contender_cellularena::CONTEST,
    contender_entropy::CONTEST,
    contender_spaghetti::CONTEST,
    contender_uttt::CONTEST,
];

/// The games of this workspace, none of which this program contains.
#[cfg(not(feature = "games"))]
pub const OWN: &[&dyn Contest] = &[];

static CONTESTS: OnceLock<Vec<&'static dyn Contest>> = OnceLock::new();

/// The reason why a list of games cannot be registered.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RegisterError {
    /// The list is empty.
    #[error("the list of games is empty")]
    Empty,
    /// Two games have the same name.
    #[error("two games have the name `{0}`")]
    SameName(String),
    /// The list of games has already been used.
    #[error("the list of games must be set before its first use")]
    TooLate,
}

/// Registers the list of games. This function must be called before the list is used for the first time.
///
/// # Errors
/// Returns an error if the list is empty, if two games have the same name, or if the list has already been used.
pub fn register(contests: &[&'static dyn Contest]) -> Result<(), RegisterError> {
    if contests.is_empty() {
        return Err(RegisterError::Empty);
    }
    for (at, contest) in contests.iter().enumerate() {
        if contests[..at].iter().any(|before| before.name() == contest.name()) {
            return Err(RegisterError::SameName(contest.name().to_string()));
        }
    }
    CONTESTS.set(contests.to_vec()).map_err(|_| RegisterError::TooLate)
}

/// Returns all games, in the order in which lists show them.
#[must_use]
pub fn contests() -> &'static [&'static dyn Contest] {
    CONTESTS.get_or_init(|| OWN.to_vec())
}

/// Returns the game with this name, if there is one.
#[must_use]
pub fn find(name: &str) -> Option<&'static dyn Contest> {
    contests().iter().copied().find(|contest| contest.name() == name)
}

/// Returns the error message for an unknown game, with the available games and a suggestion if one has a similar name.
#[must_use]
pub fn unknown_game(name: &str) -> String {
    let names = || contests().iter().map(|contest| contest.name());
    let known: Vec<&str> = names().collect();
    format!("unknown game `{name}`; available: {}{}", known.join(", "), did_you_mean(name, names()))
}

#[cfg(all(test, feature = "games"))]
mod tests {
    use super::*;
    use contender_game::{
        contest::{BotSetup, Limits, Position},
        rules::Rng,
        settings::Options,
    };

    #[test]
    fn moves_are_found_on_their_squares() {
        for (game, mv, squares) in [
            ("entropy", "3Bc", &["Bc"][..]),
            ("entropy", "BcBd", &["Bc", "Bd"]),
            ("uttt", "4 3", &["4 3"]),
            ("spaghetti", "efl", &["ef"]),
            ("box", "Bl245163v", &["Bl"]),
            ("box", "Blv", &["Bl"]),
            ("cellularena", "GROW 1 1 2 SPORER E", &["1 2"]),
            ("cellularena", "GROW 1 1 2 BASIC N ; SPORE 4 11 0", &["1 2", "11 0"]),
            ("cellularena", "0: GROW 1 1 2 BASIC N; WAIT | 1: SPORE 4 11 0", &["1 2", "11 0"]),
            ("cellularena", "WAIT", &[]),
            ("entropy", "", &[]),
        ] {
            let contest = find(game).unwrap();
            let picture = contest.judge(1, &mut Options::rules()).unwrap().picture(None);
            let found = contest.squares(&picture, mv);
            let names: Vec<&str> = found.into_iter().map(|at| picture.squares[at].name.as_str()).collect();
            assert_eq!(names, squares, "{game} {mv}");
        }
    }

    /// The contest's rule applies to a failure unless a setting gives the points. The last part of the expected values
    /// is whether the game ends.
    #[test]
    fn the_points_of_failures_are_a_setting() {
        let fail = |game: &str, setting: Option<&str>| {
            let mut rules = Options::rules();
            setting.iter().for_each(|points| rules.add("failures", points).unwrap());
            let mut judge = find(game).unwrap().judge(1, &mut rules)?;
            rules.finish()?;
            let player = judge.ask()[0].player;
            judge.fail(player);
            let is_over = judge.ask().is_empty();
            let points = judge.points();
            Ok::<_, String>((points[player.index()], points[player.other().index()], is_over))
        };
        assert_eq!(fail("uttt", None), Ok((0, 1, true)));
        assert_eq!(fail("uttt", Some("2-5")), Ok((2, 5, true)));
        assert_eq!(fail("spaghetti", None), Ok((0, 50, false)));
        assert_eq!(fail("spaghetti", Some("0-21")), Ok((0, 21, true)));
        let error = fail("spaghetti", Some("21")).unwrap_err();
        assert!(error.contains("`failures=21`: expected the points"), "{error}");
        assert!(fail("cellularena", Some("0-21")).unwrap_err().contains("simultaneous"));
        assert_eq!(fail("cellularena", Some("0-1")).map(|(own, ..)| own), Ok(0));
    }

    #[test]
    fn what_a_bot_finds_is_an_answer() {
        for (seed, contest) in (1..).zip(contests()) {
            let mut judge = contest.judge(seed, &mut Options::rules()).unwrap();
            // Start with the second player, if both act in the same turn.
            for question in judge.ask().into_iter().rev() {
                let position = Position {
                    seed,
                    rules: &mut Options::rules(),
                    moves: &[],
                    played: None,
                    player: Some(question.player),
                };
                let setup = BotSetup { limits: Limits::nodes(1), seed };
                let found = contest.analyse(position, "random", &mut Options::default(), &setup).unwrap();
                assert_eq!(found.player, question.player);
                assert_eq!(found.answer.len(), question.answer_lines, "{}", contest.name());
                judge.answer(question.player, &found.answer).unwrap();
            }
            assert!(!judge.ask().is_empty() && !judge.moves().is_empty());
        }
    }

    #[test]
    fn games_say_what_tools_ask() {
        assert_eq!(find("entropy").unwrap().shared_score([200, 0]), Some(80));
        assert_eq!(find("box").unwrap().shared_score([150, 150]), None);
        for contest in contests() {
            for ending in ["py", "cpp"] {
                assert!(contest.skeleton(ending).is_some(), "{} {ending}", contest.name());
            }
            assert_eq!(contest.skeleton("f77"), None);
        }
    }

    #[test]
    fn a_judge_can_go_on_with_a_replayed_game() {
        let mut rng = Rng::new(7);
        for (seed, contest) in (1..).zip(contests()) {
            let new = || contest.judge(seed, &mut Options::rules()).unwrap();
            let mut judge = new();
            for turn in 0.. {
                let questions = judge.ask();
                // All random events before the next decision have happened. A judge that replays the moves must be in
                // the same state.
                if turn % 8 == 0 {
                    let mut again = new();
                    judge.moves().iter().for_each(|text| again.replay(text).unwrap());
                    assert_eq!((again.mover(), again.points()), (judge.mover(), judge.points()));
                    assert_eq!(again.ask().len(), questions.len());
                    assert_eq!(again.picture(None), judge.picture(None), "{} turn {turn}", contest.name());
                }
                for question in &questions {
                    let choices = judge.choices(question.player);
                    let lines: Vec<String> =
                        (0..question.answer_lines).map(|_| rng.choose(&choices).clone()).collect();
                    judge.answer(question.player, &lines).unwrap();
                }
                if questions.is_empty() {
                    break;
                }
            }
            assert!(judge.moves().len() > 10, "{}", contest.name());
        }
    }
}
