//! Tests of the rules, with a reference implementation of the contest's text, and the guarantees of the traits.

use contender_game::{
    conformance,
    rules::{Game, Player, Rng, Turn},
};
use contender_uttt::{position, Move, State};

/// The rules on a grid of characters. They are slow, but as close to the contest's text as possible.
#[derive(Clone)]
struct Grid {
    cells: [[char; 9]; 9],
    last: Option<(usize, usize)>,
    mover: char,
}

const LINES: [[usize; 3]; 8] =
    [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

fn has_line(board: &[char; 9], mark: char) -> bool {
    LINES.iter().any(|line| line.iter().all(|&cell| board[cell] == mark))
}

impl Grid {
    fn small(&self, b: usize) -> [char; 9] {
        let mut board = ['.'; 9];
        for (c, cell) in board.iter_mut().enumerate() {
            *cell = self.cells[3 * (b / 3) + c / 3][3 * (b % 3) + c % 3];
        }
        board
    }

    /// Returns the result of every small board: `X`, `O`, `=` if full, `.` if open.
    fn results(&self) -> [char; 9] {
        let mut results = ['.'; 9];
        for (b, result) in results.iter_mut().enumerate() {
            let board = self.small(b);
            *result = match () {
                () if has_line(&board, 'X') => 'X',
                () if has_line(&board, 'O') => 'O',
                () if !board.contains(&'.') => '=',
                () => '.',
            };
        }
        results
    }

    fn is_over(&self) -> bool {
        let results = self.results();
        has_line(&results, 'X') || has_line(&results, 'O') || !results.contains(&'.')
    }

    fn legal(&self) -> Vec<(usize, usize)> {
        if self.is_over() {
            return Vec::new();
        }
        let results = self.results();
        let target = self.last.map(|(row, col)| 3 * (row % 3) + col % 3).filter(|&c| results[c] == '.');
        let mut cells = Vec::new();
        for row in 0..9 {
            for col in 0..9 {
                let b = 3 * (row / 3) + col / 3;
                let is_allowed = target.map_or(results[b] == '.', |target| target == b);
                if is_allowed && self.cells[row][col] == '.' {
                    cells.push((row, col));
                }
            }
        }
        cells
    }

    fn play(&mut self, row: usize, col: usize) {
        self.cells[row][col] = self.mover;
        self.mover = if self.mover == 'X' { 'O' } else { 'X' };
        self.last = Some((row, col));
    }

    fn value(&self) -> i32 {
        let results = self.results();
        let count = |mark| results.iter().filter(|&&result| result == mark).count() as i32;
        match (has_line(&results, 'X'), has_line(&results, 'O'), self.is_over()) {
            (true, ..) => 1,
            (_, true, _) => -1,
            (.., true) => (count('X') - count('O')).signum(),
            _ => 0,
        }
    }
}

#[test]
fn the_grid_twin_agrees() {
    let mut rng = Rng::new(1);
    for _ in 0..3_000 {
        let mut grid = Grid { cells: [['.'; 9]; 9], last: None, mover: 'X' };
        let mut state = State::default();
        loop {
            let mut moves = Vec::new();
            state.moves(&mut moves);
            let mut listed: Vec<_> = moves.iter().map(|mv| (mv.row(), mv.column())).collect();
            listed.sort_unstable();
            assert_eq!(listed, grid.legal(), "{}", position::write_state(&state));
            assert_eq!(state.count_moves() as usize, listed.len());
            assert_eq!(state.value(), grid.value());
            for mv in (0..81).map(Move::from_index) {
                assert_eq!(state.is_legal(mv), moves.contains(&mv));
            }
            let results: String = grid.results().iter().collect();
            for (b, result) in results.chars().enumerate() {
                assert_eq!(state.won(Player::Zero) >> b & 1 == 1, result == 'X');
                assert_eq!(state.won(Player::One) >> b & 1 == 1, result == 'O');
                assert_eq!(state.open() >> b & 1 == 1, result == '.');
            }
            let text = position::write_state(&state);
            assert_eq!(position::write_state(&position::parse_state(&text).unwrap()), text);
            if state.turn() == Turn::Over {
                break;
            }
            let mv = state.random_move(&mut rng, &mut Vec::new());
            grid.play(mv.row(), mv.column());
            state.play(mv);
        }
    }
}

#[test]
fn the_promises_of_a_game_are_kept() {
    assert!(conformance::check_game(|_| State::default(), 300, 81, 2) > 15_000);
    assert!(std::mem::size_of::<State>() <= 48);
}

#[test]
fn a_move_that_closes_its_own_target_gives_free_choice() {
    // X completes the top row of board 2 with cell 2, so O would have to answer in board 2.
    let mut state =
        position::parse_state(&format!("X ......XX.O........O........{} 2", ".".repeat(54))).unwrap();
    state.play(Move::new(2, 2));
    assert_eq!(state.target(), None);
    assert_eq!(state.won(Player::Zero), 1 << 2);
    assert_eq!(state.count_moves(), 72 - 2);
}
