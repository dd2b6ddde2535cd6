//! Tests of the rules, with worked examples, slow reference implementations, and the guarantees of the traits.

use contender_entropy::position::{parse_state, write_state};
use contender_entropy::{Cell, Move, Scoring, State};
use contender_game::{
    conformance,
    contest::Notation,
    rules::{perft_chance, Chance, Game, Player, Rng, Turn},
};

fn state(text: &str) -> State {
    parse_state(text, Scoring::Rules).unwrap()
}

/// Computes the score directly from the rules: every stretch of every row and column is reversed and compared.
fn naive_score(state: &State) -> i32 {
    let row = |row: usize| (0..7).map(|column| state.colour(Cell::new(row, column))).collect::<Vec<u8>>();
    let column = |column: usize| (0..7).map(|row| state.colour(Cell::new(row, column))).collect::<Vec<u8>>();
    let mut score = 0;
    for line in (0..7).map(row).chain((0..7).map(column)) {
        for length in 2..=7 {
            for stretch in line.windows(length) {
                let reversed: Vec<u8> = stretch.iter().rev().copied().collect();
                if stretch == reversed && !stretch.contains(&0) {
                    score += length as i32;
                }
            }
        }
    }
    score
}

/// Returns the legal moves of Order, found by testing every pair of cells, or those of Chaos, found by testing every
/// cell.
fn naive_moves(state: &State) -> Vec<String> {
    let is_empty = |row: usize, column: usize| state.colour(Cell::new(row, column)) == 0;
    let mut moves = Vec::new();
    for cell in Cell::all() {
        match state.turn() {
            Turn::Player(Player::One) if state.colour(cell) == 0 => moves.push(cell.to_string()),
            Turn::Player(Player::Zero) if state.colour(cell) != 0 => {
                for to in Cell::all().filter(|&to| to != cell) {
                    let (top, bottom) = (cell.row().min(to.row()), cell.row().max(to.row()));
                    let (left, right) = (cell.column().min(to.column()), cell.column().max(to.column()));
                    let cells =
                        (top..=bottom).flat_map(|row| (left..=right).map(move |column| (row, column)));
                    let is_straight = top == bottom || left == right;
                    let mut others = cells.filter(|&(row, column)| Cell::new(row, column) != cell);
                    if is_straight && others.all(|(row, column)| is_empty(row, column)) {
                        moves.push(format!("{cell}{to}"));
                    }
                }
            }
            _ => {}
        }
    }
    moves
}

/// Plays random games and calls `look` with every position.
fn walk(games: u32, seed: u64, mut look: impl FnMut(&State, &mut Rng)) {
    let mut rng = Rng::new(seed);
    for _ in 0..games {
        let mut state = State::default();
        loop {
            look(&state, &mut rng);
            match state.turn() {
                Turn::Over => break,
                Turn::Chance => state.resolve(state.random_outcome(&mut rng, &mut Vec::new())),
                Turn::Player(_) => state.play(state.random_move(&mut rng, &mut Vec::new())),
            }
        }
    }
}

#[test]
fn the_traits_promises_hold() {
    let moves = conformance::check_chance(|_| State::default(), 60, 97 + 49 + 1, 1);
    assert_eq!(moves, 60 * 97);
}

#[test]
fn scores_are_those_of_a_naive_count() {
    let mut looked = 0;
    walk(60, 2, |state, _| {
        assert_eq!(state.score(), naive_score(state), "{}", write_state(state));
        let mut moves = Vec::new();
        state.moves(&mut moves);
        for mv in moves {
            let mut after = state.clone();
            after.play(mv);
            assert_eq!(state.score_after(mv), after.score(), "{} {mv:?}", write_state(state));
        }
        looked += 1;
    });
    assert_eq!(looked, 60 * (97 + 49 + 1));
}

#[test]
fn moves_are_those_found_by_trying_all() {
    walk(10, 4, |state, _| {
        let mut moves = Vec::new();
        state.moves(&mut moves);
        if state.turn() == Turn::Player(Player::Zero) {
            assert_eq!(moves.iter().filter(|mv| **mv == Move::Pass).count(), 1);
        }
        let mut listed: Vec<String> =
            moves.iter().filter(|mv| **mv != Move::Pass).map(|&mv| state.write(mv)).collect();
        let mut tried = naive_moves(state);
        listed.sort();
        tried.sort();
        assert_eq!(listed, tried, "{}", write_state(state));
        for mv in moves {
            assert_eq!(state.read(&state.write(mv)), Ok(mv));
        }
    });
}

#[test]
fn random_moves_and_draws_are_uniform() {
    let order = state("......./..35.../...3.../....3../......./......./....... o");
    let mut moves = Vec::new();
    order.moves(&mut moves);
    let mut rng = Rng::new(5);
    let mut counts = vec![0; moves.len()];
    for _ in 0..1_000 * moves.len() {
        let mv = order.random_move(&mut rng, &mut Vec::new());
        counts[moves.iter().position(|&other| other == mv).unwrap()] += 1;
    }
    // A thousand of each are expected, with a standard deviation of 32.
    assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");

    let draw = state("3333333/55555../......./......./......./......./....... ?");
    let mut counts = [0; 8];
    for _ in 0..37_000 {
        counts[usize::from(draw.random_outcome(&mut rng, &mut Vec::new()))] += 1;
    }
    assert_eq!((counts[0], counts[3]), (0, 0));
    assert!((1_800..2_200).contains(&counts[5]), "{counts:?}");
    assert!([1, 2, 4, 6, 7].iter().all(|&colour| (6_600..7_400).contains(&counts[colour])), "{counts:?}");
}

#[test]
fn worked_examples() {
    let empty = ".......";
    let pair = "......./......./......./.12.21./......./......./.......";
    let board = |rows: &[(usize, &str)]| {
        let mut board = [empty; 7];
        for &(row, text) in rows {
            board[row] = text;
        }
        board.join("/")
    };
    let examples = [
        (board(&[]), "3Bc", 0, 0),
        (board(&[(1, "..3....")]), "3Bd", 0, 2),
        (board(&[(1, "..35..."), (2, "...3..."), (3, "....3..")]), "3Be", 0, 3),
        (pair.to_string(), "7Dd", 0, 8),
        (pair.to_string(), "2Dd", 0, 12),
        (board(&[(1, "...2..."), (2, "..1.1.."), (3, "...2...")]), "5Cd", 0, 6),
        (board(&[(0, ".12121.")]), "1Aa", 14, 16),
        (board(&[(0, "...1..."), (1, "...2..."), (2, "...2..."), (5, "...1...")]), "FdDd", 2, 6),
        (board(&[(2, ".11...."), (3, "3.3....")]), "CbDb", 2, 3),
        (board(&[(2, ".11....")]), "CcGc", 2, 0),
        (board(&[(1, "..3....")]), "BcBc", 0, 0),
    ];
    for (board, mv, before, after) in examples {
        let turn = if mv.len() == 3 { "?" } else { "o" };
        let mut state = state(&format!("{board} {turn}"));
        assert_eq!(state.score(), before, "{board}");
        state.play_record(mv).unwrap();
        assert_eq!(state.score(), after, "{board} {mv}");
        assert_eq!(state.score(), naive_score(&state));
    }
}

#[test]
fn full_boards() {
    let boards = [
        ("3133657/2215244/7427416/3145674/3364112/3716572/2657565", 47),
        ("2723427/1667776/4225525/2365574/4114674/1113533/3164365", 95),
        ("1234567/2345671/3456712/4567123/5671234/6712345/7123456", 0),
        ("1111111/2222222/3333333/4444444/5555555/6666666/7777777", 539),
    ];
    for (board, score) in boards {
        let state = state(board);
        assert_eq!(state.turn(), Turn::Over);
        assert_eq!((state.score(), state.value()), (score, score), "{board}");
        assert_eq!(state.points(), [120 + score, 280 - score]);
    }
}

#[test]
fn line_values() {
    let values = [
        ("AA", 2),
        ("ABA", 3),
        ("AAA", 7),
        ("ABBA", 6),
        ("AAAA", 16),
        ("ABCBA", 8),
        ("ABBBA", 12),
        ("AABAA", 12),
        ("ABABA", 14),
        ("AAAAA", 30),
        ("ABCCBA", 12),
        ("AABBAA", 16),
        ("ABAABA", 18),
        ("ABBBBA", 22),
        ("AAAAAA", 50),
        ("ABCDCBA", 15),
        ("ABCACBA", 15),
        ("ABCCCBA", 19),
        ("ABBCBBA", 19),
        ("AABCBAA", 19),
        ("ABACABA", 21),
        ("ABCBCBA", 21),
        ("AABBBAA", 23),
        ("AABABAA", 25),
        ("ABAAABA", 25),
        ("ABBABBA", 27),
        ("AAABAAA", 29),
        ("ABABABA", 37),
        ("ABBBBBA", 37),
        ("AAAAAAA", 77),
        ("AABABA", 16),
        ("AABBCCD", 6),
        ("AABBAAB", 20),
    ];
    for (line, value) in values {
        let cells: String = line.bytes().map(|letter| char::from(letter - b'A' + b'1')).collect();
        let board = format!("{cells:.<7}/......./......./......./......./......./.......");
        assert_eq!(state(&board).score(), value, "{line}");
        let referee = parse_state(&board, Scoring::Referee).unwrap().score();
        assert_eq!(referee, if line == "ABABABA" { 27 } else { value }, "{line}");
    }
}

#[test]
fn illegal_moves_are_refused_and_explained() {
    let order = state("......./......./.1.2.../......./......./......./....... o");
    for (mv, why) in [
        ("CbCf", "the chip on Cd blocks the way from Cb to Cf"),
        ("CbCd", "there is already a chip on Cd"),
        ("CbDc", "Cb and Dc share neither row nor column"),
        ("AaAb", "there is no chip on Aa"),
        ("AaAa", "there is no chip on Aa to pass with"),
        ("", "\"\" is not two cells from Aa to Gg, for example BcBg, or BcBc to pass"),
        ("CbC", "\"CbC\" is not two cells from Aa to Gg, for example BcBg, or BcBc to pass"),
        ("CbCc ", "\"CbCc \" is not two cells from Aa to Gg, for example BcBg, or BcBc to pass"),
        ("CbCh", "\"CbCh\" is not two cells from Aa to Gg, for example BcBg, or BcBc to pass"),
        ("cbcc", "\"cbcc\" is not two cells from Aa to Gg, for example BcBg, or BcBc to pass"),
    ] {
        assert_eq!(order.read(mv).unwrap_err(), why, "{mv}");
    }
    for pass in ["CbCb", "CdCd"] {
        assert_eq!(order.read(pass), Ok(Move::Pass));
    }
    assert_eq!(order.write(Move::Pass), "CbCb");

    let chaos = state("......./......./.1.2.../......./......./......./....... 5");
    assert_eq!(chaos.read("Cb").unwrap_err(), "there is already a chip on Cb");
    assert_eq!(chaos.read("5Ca").unwrap_err(), "\"5Ca\" is not a cell from Aa to Gg, for example Bc");
    assert_eq!(chaos.clone().play_record("4Ca").unwrap_err(), "the drawn chip is 5, not 4");
    assert!(chaos.check(Move::Pass).is_err());
    let full = state("1111111/2222222/3333333/4444444/5555555/6666666/7777777");
    assert_eq!(full.read("AaAa").unwrap_err(), "the game is over");
}

#[test]
fn perft_by_hand() {
    let start = State::default();
    // The numbers are: seven colours; 49 cells; a pass or one of the 12 cells in the row and the column; seven colours.
    assert_eq!(
        (0..=4).map(|depth| perft_chance(&start, depth)).collect::<Vec<u64>>(),
        [1, 7, 7 * 49, 7 * 49 * 13, 7 * 49 * 13 * 7]
    );
    // The last chip is forced.
    let last = state("111111./2222222/3333333/4444444/5555555/6666666/7777777 ?");
    assert_eq!((0..=3).map(|depth| perft_chance(&last, depth)).collect::<Vec<u64>>(), [1, 1, 1, 0]);
}

#[test]
fn positions_are_read_as_they_are_written() {
    walk(20, 6, |state, _| {
        assert_eq!(parse_state(&write_state(state), Scoring::Rules).as_ref(), Ok(state));
    });
    for (text, why) in [
        ("", "seven rows"),
        ("......./......./......./......./......./......./......", "seven cells"),
        ("......8/......./......./......./......./......./.......", "colours 1 to 7"),
        ("......./......./......./......./......./......./....... o", "empty board"),
        ("......./......./......./......./......./......./....... 8", "who acts"),
        ("1111111/1....../......./......./......./......./.......", "seven chips of colour 1"),
        ("1111111/......./......./......./......./......./....... 1", "seven chips of colour 1"),
        ("......./......./......./......./......./......./......./.......", "seven rows"),
    ] {
        let error = parse_state(text, Scoring::Rules).unwrap_err();
        assert!(error.contains(why), "{text}: {error}");
    }
}
