//! Tests with whole contest games, replayed to the end.

use crate::common::{legal_count, play};
use contender_boxes::{squares, State};
use contender_game::{
    contest::FailureRule,
    rules::{Game, Turn},
};

/// Checks a finished game: the scores of all colours, the points, and that the game ends with its last tile. Returns
/// the states.
fn finished(colours: [u8; 2], moves: &str, scores: [i32; 6], points: [i32; 2]) -> Vec<State> {
    let states = play(colours, moves);
    let last = &states[states.len() - 1];
    assert_eq!(last.turn(), Turn::Over);
    assert_eq!(legal_count(last), 0);
    assert_eq!([0, 1, 2, 3, 4, 5].map(|colour| last.score(colour)), scores);
    assert_eq!(last.points(), points);
    states
}

fn squares_of(state: &State, colour: u8) -> Vec<String> {
    squares::list(state.cells_of(colour)).iter().map(ToString::to_string).collect()
}

#[test]
fn a_game_decided_by_the_last_tile() {
    let states = finished(
        [3, 4],
        "Hh342516h Gn461532h El321564v Gj426351v Ei426351h Ep613452v Ai162453v Dm423561h Ji526134v Bn124635h Jn351624h
         Ah214635h Eg564213v Jo652431v Jd513246h Cb234165h Gb452136h Ac415632h Il561234v Oo615423h Od654132h Ia641325h
         Ma536214h Mn263145h Cs354162v Is425631v Ok163452h Ea365421h Kb246315v",
        [0, 0, 0, 5, 9, 0],
        [96, 204],
    );
    assert_eq!(states.len(), 29);
    let score = |tiles: usize| [states[tiles - 1].score(3), states[tiles - 1].score(4)];
    assert_eq!(
        [score(7), score(12), score(14), score(28), score(29)],
        [[0, 3], [5, 5], [5, 0], [5, 0], [5, 9]]
    );
    assert_eq!(states[24..].iter().map(legal_count).collect::<Vec<_>>(), [15, 14, 11, 5, 0]);
    assert_eq!(
        (squares_of(&states[28], 3), squares_of(&states[28], 4)),
        (vec!["Bk/5".into()], vec!["Gc/9".into()])
    );
}

#[test]
fn a_draw_in_which_all_squares_were_broken() {
    let states = finished(
        [0, 5],
        "Hh541362h Ie354261h Fk146523v Ii516324v Oh326514h Fc321456v Da451632v Gl256341h Bk462135v Eg135264h Iq645231v
         Er326145v Bi453261v Mg451362h Na125436h Ja421536v Dd426135h Mo426153h Cp546132v Km245631h Bm245613h Kc415326h
         Ad153624h Bs645312v Oo251364h Bb256143h Am631254v",
        [0; 6],
        [150, 150],
    );
    assert_eq!((states.len(), states[14].score(5), states[17].score(0)), (27, 9, 7));
}

#[test]
fn a_game_with_eight_squares_and_two_colours_of_nobody() {
    let states = finished(
        [0, 3],
        "Hh461235h Gm641253h Eh163542h Aj342615v Ad543216h Ch634125h Aj543261h Ap254613v Ba416523h Ie164253h Cn634512h
         Kj351264v Da543126h Ja352146h En654231h Ib563214v Fa541632h Ir263415v Ha521364h Ik546321h Kd241536h Mm321546h
         Kj562143h Md365412h Oa215634h On613245h Og541236h Fs136245v",
        [62, 14, 0, 0, 0, 5],
        [262, 38],
    );
    assert_eq!(states.len(), 28);
    let expected = ["Bb/8", "Bj/6", "Ce/13", "Ck/7", "Dd/6", "Ec/8", "Ek/8", "Hj/6"];
    assert_eq!(squares_of(&states[27], 0), expected);
}

#[test]
fn a_player_that_ran_out_of_time_gets_nothing_whatever_the_board_says() {
    let states = play(
        [4, 1],
        "Hh236451h Jg541362v Fn562314v Eh425631h Jo245613v Eb341526h Na135246h Kc536241v Iq265143v Ga624315h Je415623v
         Dj256134h Ap162534v Cb356124h Nk416325h Bd253146h Gi564213v Bo342156h Oi165423h Cs216534v On423165h Aj462315h
         Mi456312h Gs615324v Ia365241h Aa426351h Gk365124v Ka241356v",
    );
    let last = &states[27];
    assert_eq!((last.turn(), last.score(4), last.score(1)), (Turn::Over, 0, 37));
    assert_eq!(FailureRule::CODECUP.points(last.points(), [true, false]), [0, 237]);
    assert_eq!(FailureRule::CODECUP.points(last.points(), [false, true]), [63, 0]);
    assert_eq!(FailureRule::CODECUP.points(last.points(), [false, false]), [63, 237]);
}
