//! Tests of the rules, with worked examples and a slow reference implementation.

use crate::common::{legal_count, play};
use contender_boxes::{cells, contest_points, squares, Placement, Square, State, Tile, COLUMNS, ROWS};
use contender_game::{
    conformance,
    contest::{Bot, Clock, Limits},
    rules::{Chance, Game, Hidden, Player, Rng, Turn},
};

fn legal_names(state: &State) -> Vec<String> {
    let mut state = state.clone();
    state.resolve(Tile::from_index(0));
    let mut moves = Vec::new();
    state.moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

fn square_names(state: &State, colour: u8) -> String {
    let names: Vec<String> = squares::list(state.cells_of(colour)).iter().map(ToString::to_string).collect();
    names.join(" ")
}

fn scores(state: &State) -> [i32; 6] {
    [0, 1, 2, 3, 4, 5].map(|colour| state.score(colour))
}

#[test]
fn first_placements() {
    let states = play([0, 1], "Hh123456h");
    let legal = legal_names(&states[0]);
    assert_eq!(legal.len(), 125);
    assert_eq!(legal.iter().filter(|name| name.ends_with('h')).count(), 48);
    let mut by_overlap = [0; 13];
    for name in &legal {
        by_overlap[states[0].overlap(name.parse().unwrap()) as usize] += 1;
    }
    assert_eq!(by_overlap[..5], [56, 8, 26, 4, 31]);
    assert_eq!((cells::count(&states[0].fixed()), scores(&states[0])), (0, [0; 6]));
    let overlaps = [
        ("Ffh", 0),
        ("Jmh", 0),
        ("Gnh", 0),
        ("Hnh", 0),
        ("Hfv", 0),
        ("Hlh", 4),
        ("Hjv", 4),
        ("Ijh", 4),
        ("Ijv", 2),
    ];
    for (name, overlap) in overlaps {
        let placement: Placement = name.parse().unwrap();
        assert!(legal.iter().any(|legal| legal == name) && states[0].is_legal(placement), "{name}");
        assert_eq!(states[0].overlap(placement), overlap, "{name}");
    }
    for (name, overlap) in [("Fbh", 0), ("Jnh", 0), ("Hfh", 8), ("Hjh", 8)] {
        let placement: Placement = name.parse().unwrap();
        assert!(!legal.iter().any(|legal| legal == name) && !states[0].is_legal(placement), "{name}");
        assert_eq!(states[0].overlap(placement), overlap, "{name}");
    }
}

#[test]
fn tiles_cover_the_cells_of_the_official_figure() {
    let states = play([0, 1], "Hh216534h Ik364521v If462513v");
    assert_eq!(states.iter().map(legal_count).collect::<Vec<_>>(), [125, 151, 172]);
    let filled: Vec<u32> = states.iter().map(|state| cells::count(state.filled())).collect();
    assert_eq!(filled, [12, 22, 34]);
    let row = |state: &State, row: char, columns: std::ops::RangeInclusive<char>| -> String {
        let row = row as usize - 'A' as usize;
        let colour = |column: char| state.colour_at(row, column as usize - 'a' as usize);
        columns.map(|column| colour(column).map_or('.', contender_boxes::colour_char)).collect()
    };
    assert_eq!(
        (row(&states[1], 'I', 'k'..='l'), row(&states[1], 'N', 'k'..='l')),
        ("13".into(), "31".into())
    );
    assert_eq!(row(&states[2], 'I', 'e'..='n'), ".34435132.");
    assert_eq!(scores(&states[2]), [0; 6]);
}

#[test]
fn squares_appear_and_cells_become_fixed() {
    let states = play([2, 3], "Hh215346h Ge345612h Hm513426h Bj142536v Ci415263h Ik451623v");
    assert_eq!(states.iter().map(legal_count).collect::<Vec<_>>(), [125, 144, 183, 207, 201, 235]);
    let last = &states[5];
    assert_eq!(scores(last), [0, 0, 1, 0, 0, 0]);
    assert_eq!(square_names(last, 2), "Hj/1");
    assert_eq!((cells::count(last.filled()), cells::count(&last.fixed())), (60, 6));
}

#[test]
fn covering_a_corner_breaks_a_square() {
    let states = play(
        [0, 3],
        "Hh431562h Hn315264h If625413h Bj536214v Cf364521h Ae653241h Dr435261v Fp641532v Al425613h Kj412356v Ng254361h
         Oc361245h Dc145236h Jq654321v Ck613542h In513426v Bb412365v Kb516432v Lb542361h Ge531264v Ha654123h El462351v
         Jl436512v",
    );
    let [before, after] = [&states[21], &states[22]];
    assert_eq!(
        (square_names(before, 0), square_names(before, 3)),
        ("Be/8 Ho/2".into(), "Ai/3 Bf/11 Dd/5".into())
    );
    assert_eq!((before.score(0), before.score(3)), (10, 19));
    assert_eq!((legal_count(before), cells::count(&before.fixed())), (21, 230));
    assert_eq!((after.score(0), after.score(3), after.value()), (2, 19, -17));
    assert_eq!(
        (legal_count(after), cells::count(&after.fixed()), cells::count(after.filled())),
        (16, 256, 220)
    );
}

#[test]
fn points_by_difference() {
    assert_eq!(contest_points([7, 0]), [207, 93]);
    assert_eq!(contest_points([5, 9]), [96, 204]);
    assert_eq!(contest_points([12, 12]), [150, 150]);
    assert_eq!(contest_points([62, 0]), [262, 38]);
    assert_eq!(contest_points([0, 130]), [-30, 330]);
}

/// The cells of an area, as (row, column).
type Area = Vec<(usize, usize)>;

/// A direct implementation of the rules on a board of cells.
#[derive(Clone)]
struct Twin {
    board: [[Option<u8>; COLUMNS]; ROWS],
}

impl Twin {
    fn area(row: usize, column: usize, is_standing: bool) -> Option<Area> {
        let (height, width) = if is_standing { (6, 2) } else { (2, 6) };
        if row + height > ROWS || column + width > COLUMNS {
            return None;
        }
        Some((row..row + height).flat_map(|r| (column..column + width).map(move |c| (r, c))).collect())
    }

    fn areas() -> Vec<(Placement, Area)> {
        let mut areas = Vec::new();
        for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
            for is_standing in [false, true] {
                let area = Twin::area(row, column, is_standing);
                areas.extend(area.map(|area| (Placement::new(row, column, is_standing).unwrap(), area)));
            }
        }
        areas
    }

    fn overlap(&self, area: &[(usize, usize)]) -> usize {
        area.iter().filter(|&&(r, c)| self.board[r][c].is_some()).count()
    }

    fn is_legal(&self, area: &[(usize, usize)]) -> bool {
        let neighbours = |&(r, c): &(usize, usize)| {
            [(r + 1, c), (r, c + 1), (r.wrapping_sub(1), c), (r, c.wrapping_sub(1))]
        };
        let is_filled = |(r, c): (usize, usize)| {
            self.board.get(r).and_then(|row| row.get(c)).map_or(false, Option::is_some)
        };
        match self.overlap(area) {
            0 => area.iter().flat_map(neighbours).any(is_filled),
            overlap => overlap <= 4,
        }
    }

    fn place(&mut self, row: usize, column: usize, is_standing: bool, tile: [u8; 6]) {
        for (i, &colour) in tile.iter().enumerate() {
            if is_standing {
                self.board[row + i][column + 1] = Some(colour);
                self.board[row + 5 - i][column] = Some(colour);
            } else {
                self.board[row][column + i] = Some(colour);
                self.board[row + 1][column + 5 - i] = Some(colour);
            }
        }
    }

    fn score(&self, colour: u8) -> i32 {
        let has = |&(r, c): &(usize, usize)| self.board[r][c] == Some(colour);
        Square::all().filter(|square| square.corners().iter().all(has)).map(|square| square.side as i32).sum()
    }
}

#[test]
fn every_state_of_random_games_equals_the_twin() {
    let areas = Twin::areas();
    assert_eq!(areas.len(), Placement::COUNT);
    let mut rng = Rng::new(11);
    let mut states = 0;
    for _ in 0..150 {
        let mut state = State::random(&mut rng);
        let mut twin = Twin { board: [[None; COLUMNS]; ROWS] };
        let start: Vec<u8> = (7..13).map(|column| state.colour_at(7, column).unwrap()).collect();
        twin.place(7, 7, false, start.try_into().unwrap());
        loop {
            states += 1;
            let open: Vec<_> = areas.iter().filter(|(_, area)| twin.overlap(area) <= 4).collect();
            assert_eq!(state.turn() == Turn::Over, open.is_empty());
            assert_eq!(state.is_over(), open.is_empty());
            for (row, column) in (0..ROWS).flat_map(|row| (0..COLUMNS).map(move |column| (row, column))) {
                assert_eq!(state.colour_at(row, column), twin.board[row][column]);
                let is_filled = state.filled()[column] >> row & 1 == 1;
                assert_eq!(is_filled, twin.board[row][column].is_some());
                let is_fixed = state.fixed()[column] >> row & 1 == 1;
                assert_eq!(is_fixed, !open.iter().any(|(_, area)| area.contains(&(row, column))));
            }
            assert_eq!(scores(&state), [0, 1, 2, 3, 4, 5].map(|colour| twin.score(colour)));
            let [own, other] = state.colours().map(|colour| twin.score(colour));
            assert_eq!((state.points(), state.value()), (contest_points([own, other]), own - other));
            if state.is_over() {
                break;
            }

            let tile = state.random_outcome(&mut rng, &mut Vec::new());
            state.resolve(tile);
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let mut legal = 0;
            for (placement, area) in &areas {
                assert_eq!(moves.contains(placement), twin.is_legal(area), "{placement}");
                assert_eq!(state.is_legal(*placement), twin.is_legal(area), "{placement}");
                assert_eq!(state.overlap(*placement) as usize, twin.overlap(area), "{placement}");
                legal += usize::from(twin.is_legal(area));
            }
            assert_eq!(moves.len(), legal);

            let placement = state.random_move(&mut rng, &mut Vec::new());
            let before = scores(&state);
            let changes = [0, 1, 2, 3, 4, 5].map(|colour: u8| state.score_change(colour, placement, tile));
            state.play(placement);
            twin.place(placement.row(), placement.column(), placement.is_standing(), tile.colours());
            let after = scores(&state);
            assert_eq!([0, 1, 2, 3, 4, 5].map(|colour| before[colour] + changes[colour]), after);
            assert_eq!(state.last(), placement);
        }
    }
    assert!(states > 3_000, "only {states} states");
}

#[test]
fn the_state_keeps_the_promises_of_its_traits() {
    assert!(conformance::check_chance(State::random, 12, 76, 12) > 200);
    assert!(std::mem::size_of::<State>() < 400);
}

#[test]
fn random_moves_are_uniform() {
    let mut state = play([0, 1], "Hh123456h").remove(0);
    state.resolve(Tile::from_index(0));
    let mut counts = [0; Placement::COUNT];
    let mut rng = Rng::new(13);
    for _ in 0..125_000 {
        counts[state.random_move(&mut rng, &mut Vec::new()).index()] += 1;
    }
    let mut moves = Vec::new();
    state.moves(&mut moves);
    // The standard deviation is 32.
    assert!(moves.iter().all(|placement| (840..1_160).contains(&counts[placement.index()])), "{counts:?}");
    assert_eq!(counts.iter().filter(|&&count| count > 0).count(), 125);
}

#[test]
fn games_are_dealt_uniformly() {
    let mut rng = Rng::new(14);
    let mut pairs = [[0; 6]; 6];
    for _ in 0..30_000 {
        let [zero, one] = State::random(&mut rng).colours();
        pairs[usize::from(zero)][usize::from(one)] += 1;
    }
    for (zero, row) in pairs.iter().enumerate() {
        for (one, &count) in row.iter().enumerate() {
            let expected = if zero == one { 0..1 } else { 850..1_150 };
            assert!(expected.contains(&count), "{zero} {one}: {count}");
        }
    }
}

#[test]
fn resampling_changes_nothing_but_the_opponents_colour() {
    let mut rng = Rng::new(15);
    let mut state = play([4, 2], "Hh216534h Ik364521v").remove(1);
    let before = state.clone();
    for (viewer, own) in [(Player::Zero, 4), (Player::One, 2)] {
        let mut counts = [0; 6];
        for _ in 0..10_000 {
            state.resample(viewer, &mut rng);
            assert_eq!(state.colours()[viewer], own);
            counts[usize::from(state.colours()[viewer.other()])] += 1;
            let mut same = state.clone();
            same.set_colour(viewer.other(), before.colours()[viewer.other()]);
            assert_eq!(same, before);
            state = same;
        }
        assert_eq!(counts[usize::from(own)], 0);
        assert!(counts.iter().filter(|count| (1_850..2_150).contains(*count)).count() == 5, "{counts:?}");
    }
}

#[test]
fn greedy_takes_the_largest_gain_and_varies_ties() {
    let clock = Clock::new(Limits::NONE);
    let mut rng = Rng::new(16);
    let mut bot = contender_boxes::GreedyBot::new(1);
    let mut state = State::random(&mut rng);
    while state.turn() != Turn::Over {
        let tile = state.random_outcome(&mut rng, &mut Vec::new());
        state.resolve(tile);
        let colour = state.colours()[state.mover()];
        let gain = |placement: Placement| {
            let mut after = state.clone();
            after.play(placement);
            after.score(colour) - state.score(colour)
        };
        let mut moves = Vec::new();
        state.moves(&mut moves);
        let chosen = bot.choose(&state, state.mover(), &clock);
        assert_eq!(Some(gain(chosen)), moves.iter().map(|&placement| gain(placement)).max());

        // The opponent's colour makes no difference.
        let mut other = state.clone();
        other.resample(state.mover(), &mut rng);
        let answer = |state: &State| contender_boxes::GreedyBot::new(7).choose(state, state.mover(), &clock);
        assert_eq!(answer(&state), answer(&other));
        state.play(chosen);
    }
    let mut start = State::random(&mut rng);
    start.resolve(Tile::from_index(0));
    let openings: std::collections::HashSet<_> = (0..50)
        .map(|seed| contender_boxes::GreedyBot::new(seed).choose(&start, Player::Zero, &clock))
        .collect();
    assert!(openings.len() > 10);
}
