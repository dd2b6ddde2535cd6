//! Datasets: the contents of their rows, their files, and the fits to them.

use super::fit::{Data, LeastSquares};
use super::score::score;
use super::{Making, Row, Searcher, answers, input_names, pictures, positions, table};
use contender_entropy::evaluation::{NAMES, Net, POINT, TURNS, ValueGuide, Weights, inputs};
use contender_entropy::{Move, State, position};
use contender_game::{
    rules::{Chance, Game, Player, Rng, Turn},
    settings::Shipped,
};
use contender_learn::treestrap::SelfPlay;
use contender_search::expectimax;
use contender_table::{Column, Table, Values};

fn making() -> Making {
    let self_play =
        SelfPlay { depth: 1, quiescence: 0, random_turns: 10, random_share: 0.5, greedy_share: 0.0 };
    Making {
        weights: Weights::shipped(),
        network: Net::shipped(),
        self_play,
        searcher: Searcher::Linear,
        depth: 1,
        seed: 3,
    }
}

/// Parses the board and the player to move from a row's text.
fn read_state(text: &str) -> State {
    let rows: Vec<String> = text.as_bytes()[1..]
        .chunks(7)
        .map(|row| row.iter().map(|&cell| if cell == b'_' { '.' } else { char::from(cell) }).collect())
        .collect();
    let actor = if text.starts_with('O') { " o" } else { "" };
    position::parse_state(&format!("{}{actor}", rows.join("/")), Default::default()).unwrap()
}

#[test]
fn rows_say_what_the_states_are() {
    let rows = positions(&making(), 4);
    assert_eq!(rows.len(), TURNS);
    assert_eq!(rows, positions(&making(), 4), "a game follows from the seed");
    assert_ne!(rows, positions(&making(), 5));
    for (turn, row) in rows.iter().enumerate() {
        assert_eq!((row.turn, row.state.len()), (turn, 50));
        assert!(row.state.starts_with(if turn % 2 == 0 { 'C' } else { 'O' }));
        let state = read_state(&row.state);
        assert_eq!(f64::from(state.score()), row.points);
        assert_eq!(inputs(&state).map(f64::from), row.inputs[..NAMES.len()]);
        assert!(row.is_test, "game 4 is of the test part");
        assert_eq!(row.outcome, rows[0].outcome);
    }
    // The last decision is forced and the last chip is known, so a search one decision deep knows the outcome.
    let rows = positions(&making(), 0);
    assert!((rows[96].minimax - rows[96].outcome).abs() < 1e-4);
}

/// The value of a search one decision deep, by definition.
#[test]
fn minimax_is_a_search() {
    for row in positions(&making(), 1).iter().step_by(7) {
        let state = read_state(&row.state);
        let value = |state: &State, mv: Move| {
            let mut child = state.clone();
            child.play(mv);
            match child.turn() {
                Turn::Over => f64::from(child.score()),
                _ => f64::from(contender_entropy::evaluation::evaluate(&child, &Weights::shipped())) / 1000.0,
            }
        };
        let best = |state: &State, player: Player| {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let sign = f64::from(player.sign());
            sign * moves.iter().map(|&mv| sign * value(state, mv)).fold(f64::NEG_INFINITY, f64::max)
        };
        let expected = if state.turn() == Turn::Chance {
            let mut outcomes = Vec::new();
            state.outcomes(&mut outcomes);
            let total: u32 = outcomes.iter().map(|outcome| outcome.1).sum();
            let parts = outcomes.iter().map(|&(colour, weight)| {
                let mut drawn = state.clone();
                drawn.resolve(colour);
                f64::from(weight) / f64::from(total) * best(&drawn, Player::One)
            });
            parts.sum()
        } else {
            best(&state, Player::Zero)
        };
        assert!((row.minimax - expected).abs() < 2e-3, "turn {}", row.turn);
    }
}

#[test]
fn csv_files_are_read_as_they_were_written() {
    let rows: Vec<Row> = (3..5).flat_map(|game| positions(&making(), game)).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("data.csv");
    let written = table(&rows);
    written.write(&path).unwrap();
    let header = std::fs::read_to_string(&path).unwrap().lines().next().unwrap().to_string();
    assert!(
        header
            .starts_with("test_train,gameid,state,turn,minimax,heuristic,network,outcome,points,potential4,")
    );
    let read = Table::read_csv(&path).unwrap();
    assert_eq!(read.rows(), 2 * TURNS);
    for (column, again) in written.columns.iter().zip(&read.columns) {
        assert_eq!(column.name, again.name);
        match (&column.values, &again.values) {
            (Values::Texts(texts), Values::Texts(again)) => assert_eq!(texts, again),
            _ => assert_eq!(written.numbers(&column.name).unwrap(), read.numbers(&column.name).unwrap()),
        }
    }
    // Game 4 belongs to the test part, whose values are only in the answers.
    let told = read.numbers("minimax").unwrap();
    assert!(told[..TURNS].iter().all(Option::is_some) && told[TURNS..].iter().all(Option::is_none));
    let answers = answers(&rows);
    assert_eq!(answers.numbers("gameid").unwrap(), vec![Some(4.0); TURNS]);
    let minimax: Vec<_> = rows[TURNS..].iter().map(|row| Some(row.minimax)).collect();
    assert_eq!(answers.numbers("minimax").unwrap(), minimax);
    assert!(read.numbers("state").is_err() && read.numbers("speed").is_err());
    assert!(written.write(&folder.path().join("data.txt")).is_err());
    std::fs::write(&path, "a,b\n1,2\n3\n").unwrap();
    let error = format!("{:#}", Table::read_csv(&path).unwrap_err());
    assert!(error.contains("line: 3"), "{error}");
}

#[test]
fn least_squares_find_a_plane_and_survive_columns_that_say_nothing() {
    let mut rng = Rng::new(1);
    let mut column = |scale: f64| (0..200).map(|_| scale * rng.unit()).collect::<Vec<f64>>();
    let (a, b, constant) = (column(5.0), column(1000.0), vec![3.0; 200]);
    let twice: Vec<f64> = a.iter().map(|value| 2.0 * value).collect();
    let target: Vec<f64> = a.iter().zip(&b).map(|(a, b)| 7.0 - 2.0 * a + 0.01 * b).collect();
    let columns: [&[f64]; 4] = [&a, &b, &constant, &twice];
    let fit = LeastSquares::fit(&columns[..2], &target);
    assert!((fit.constant - 7.0).abs() < 1e-9);
    assert!((fit.coefficients[0] + 2.0).abs() < 1e-9 && (fit.coefficients[1] - 0.01).abs() < 1e-12);
    let fit = LeastSquares::fit(&columns, &target);
    assert!((0..200).all(|row| (fit.predict(&columns, row) - target[row]).abs() < 1e-9));
    assert_eq!(LeastSquares::fit(&[], &[1.0, 3.0]).constant, 2.0);
    assert_eq!(LeastSquares::fit(&[&[]], &[]).coefficients, [0.0]);
}

/// Least squares by definition: no residual is left along any column. The shortest of several solutions has equal
/// coefficients for equal columns.
#[test]
fn no_residual_is_left_along_a_column() {
    let mut rng = Rng::new(2);
    for round in 0..2_000 {
        let (rows, count) = (3 + rng.index(40), 1 + rng.index(12));
        let mut columns: Vec<Vec<f64>> =
            (0..count).map(|_| (0..rows).map(|_| f64::from(rng.below(4)) + rng.unit()).collect()).collect();
        if round % 2 == 0 {
            columns.push(columns[0].clone());
        }
        let target: Vec<f64> = (0..rows).map(|_| 10.0 * rng.unit()).collect();
        let slices: Vec<&[f64]> = columns.iter().map(Vec::as_slice).collect();
        let fit = LeastSquares::fit(&slices, &target);
        let residuals: Vec<f64> = (0..rows).map(|row| target[row] - fit.predict(&slices, row)).collect();
        let constant = vec![1.0; rows];
        for column in slices.iter().copied().chain([constant.as_slice()]) {
            let along: f64 = column.iter().zip(&residuals).map(|(value, residual)| value * residual).sum();
            assert!(along.abs() < 1e-6, "{along} in round {round} of {rows} rows and {count} columns");
        }
        if round % 2 == 0 {
            assert!((fit.coefficients[0] - fit.coefficients[count]).abs() < 1e-6);
        }
    }
}

#[test]
fn models_are_compared_on_games_held_out() {
    let mut rows: Vec<Row> = (0..120).flat_map(|game| positions(&making(), game)).collect();
    // The value is the sum of a part that the inputs explain, and noise.
    let mut rng = Rng::new(5);
    for row in &mut rows {
        let noise = rng.unit() - 0.5;
        row.minimax = row.points + 2.0 * row.inputs[4] + 0.1 * row.inputs[12] + noise;
        row.heuristic = row.points;
        row.network = row.minimax + noise;
    }
    let data = Data::new(&table(&rows)).unwrap();
    assert_eq!(data.games(), 96);
    let models = data.models().unwrap();
    let of = |name: &str| {
        let model = models.iter().find(|model| model.name == name).unwrap();
        (model.turns[51].r_squared().unwrap(), model.over_all().unwrap())
    };
    assert!(of("least squares").0 > 0.98 && of("least squares").1 > 0.9, "{:?}", of("least squares"));
    assert!(of("points alone").0 < 0.9 && of("learned").0 < of("points alone").0);
    assert!(of("network").0 > 0.98, "{:?}", of("network"));
    let pictures = pictures::all(&Weights::shipped(), &models);
    assert!(pictures.iter().all(|(name, text)| name.ends_with(".svg") && text.contains("</svg>")));
    assert_eq!(pictures.len(), 2 + 4 + NAMES.len());
    let few = Data::new(&table(&rows[..10 * TURNS])).err().unwrap().to_string();
    assert!(few.contains("only 8 games"), "{few}");
    assert_eq!(input_names().len(), rows[0].inputs.len());
}

#[test]
fn a_search_with_the_network_is_expectimax_with_it() {
    let rows = positions(&Making { searcher: Searcher::Network, ..making() }, 0);
    let linear = positions(&making(), 0);
    let mut guide = ValueGuide::<Net>::new(Net::shipped());
    for (row, linear) in rows.iter().zip(&linear).skip(5).step_by(11) {
        assert_eq!(
            (&row.state, row.heuristic, row.network),
            (&linear.state, linear.heuristic, linear.network)
        );
        let expected = f64::from(expectimax(&read_state(&row.state), 1, &mut guide)) / f64::from(POINT);
        assert_eq!(row.minimax, expected, "{}", row.state);
    }
}

#[test]
fn predictions_are_scored_by_the_answers() {
    let column = |name: &str, values: &[f64]| Column::new(name, Values::Numbers(values.to_vec()));
    let answers = Table {
        columns: vec![
            column("gameid", &[4.0, 4.0, 9.0, 9.0, 9.0]),
            column("turn", &[7.0, 8.0, 7.0, 8.0, 9.0]),
            Column::new("minimax", Values::Options(vec![Some(1.0), Some(5.0), Some(3.0), Some(5.0), None])),
        ],
    };
    let predicted = |places: &[[f64; 2]], values: &[f64]| {
        let columns = [0, 1].map(|at| places.iter().map(|place| place[at]).collect::<Vec<_>>());
        let columns =
            vec![column("turn", &columns[1]), column("prediction", values), column("gameid", &columns[0])];
        score(&answers, &Table { columns })
    };
    // The predictions are in any order and contain additional rows. Turn 7 has the values 1 and 3 with mean 2 and the
    // errors 0.5 and 0; turn 8 has no variance.
    let all = [[9.0, 8.0], [4.0, 7.0], [5.0, 1.0], [4.0, 8.0], [9.0, 7.0]];
    let model = predicted(&all, &[4.0, 1.5, 77.0, 5.0, 3.0]).unwrap();
    assert_eq!(model.turns[7].r_squared(), Some(1.0 - 0.25 / 2.0));
    assert_eq!((model.turns[8].r_squared(), model.turns[8].errors), (None, 1.0));
    assert_eq!(model.over_all(), Some(1.0 - 0.25 / 2.0));
    assert_eq!(model.mean_error(), Some(1.5 / 4.0));
    for (places, values, words) in [
        (&all[..4], &[0.0; 4][..], "1 positions are not predicted; the first is game 9, turn 7"),
        (&[all[0], all[0]], &[0.0; 2], "row 2: game 9, turn 8 is predicted a second time"),
        (&all[..2], &[0.0, f64::NAN], "row 2: the prediction of game 4, turn 7 is NaN"),
    ] {
        let error = format!("{:#}", predicted(places, values).unwrap_err());
        assert!(error.contains(words), "{error}");
    }
    let nothing = Table { columns: answers.columns.iter().take(2).cloned().collect() };
    assert!(format!("{:#}", score(&nothing, &answers).unwrap_err()).contains("`prediction`"));
}
