//! The searches on positions of real games, against the plain ones.

use contender_entropy as entropy;
use contender_game::{mix, Chance, Game, Player, Rng, Turn};
use contender_search::*;
use contender_spaghetti as spaghetti;
use contender_uttt as uttt;

/// Entropy by its score in thousandths, counted up to a cap, which bounds all values from above. From below the score as it
/// stands does: no placement takes points away and Order may pass.
#[derive(Clone, Copy)]
struct Score {
    cap: i32,
}

impl Evaluate<entropy::State> for Score {
    fn evaluate(&mut self, state: &entropy::State) -> i32 {
        1000 * state.score().min(self.cap)
    }

    fn finished(&mut self, state: &entropy::State) -> i32 {
        self.evaluate(state)
    }

    fn bounds(&self, state: &entropy::State, _: u32) -> Bounds {
        Bounds::new(1000 * state.score().min(self.cap), 1000 * self.cap)
    }
}

fn number(cell: entropy::Cell) -> usize {
    7 * cell.row() + cell.column()
}

impl Guide<entropy::State> for Score {
    fn key(&self, state: &entropy::State) -> Option<u64> {
        let rows =
            state.rows().chunks(3).map(|rows| rows.iter().fold(0, |word, &row| word << 21 | u64::from(row)));
        let turn = match state.turn() {
            Turn::Player(player) => 1 + player as u64,
            Turn::Chance | Turn::Over => 0,
        };
        Some(rows.fold(mix(&[turn, u64::from(state.drawn().unwrap_or(0))]), |key, word| mix(&[key, word])))
    }

    fn slots(&self) -> usize {
        49 * 49
    }

    fn slot(&self, _: &entropy::State, mv: entropy::Move) -> usize {
        match mv {
            entropy::Move::Place(cell) => number(cell),
            entropy::Move::Slide { from, to } => number(from) * 49 + number(to),
            entropy::Move::Pass => 0,
        }
    }

    fn score(&mut self, state: &entropy::State, mv: entropy::Move) -> i32 {
        1000 * (state.score_after(mv) - state.score())
            * if state.turn() == Turn::Player(Player::One) { -1 } else { 1 }
    }
}

/// A state after random moves, `left` chips before the end, whose turn is a player's.
fn entropy_state(rng: &mut Rng, left: u32) -> entropy::State {
    let mut state = entropy::State::default();
    let (mut moves, mut outcomes) = (Vec::new(), Vec::new());
    let order = rng.below(2) == 0;
    loop {
        match state.turn() {
            Turn::Chance => state.resolve(state.random_outcome(rng, &mut outcomes)),
            Turn::Player(player) if state.placed() + left >= 49 && (player == Player::Zero) == order => {
                return state
            }
            Turn::Player(_) => state.play(state.random_move(rng, &mut moves)),
            Turn::Over => state = entropy::State::default(),
        }
    }
}

fn switches(rng: &mut Rng) -> Config {
    let mut on = || rng.below(2) == 0;
    let mut config = Config {
        table_bytes: 1 << 18,
        table_depth: TableDepth::Same,
        null_windows: on(),
        deepening: on(),
        killers: on(),
        history: on(),
        scores: on(),
        star_etc: on(),
        chance_table: on(),
        evaluate_from: u32::from(on()) * 2,
        ..Config::FULL
    };
    config.driver = [Driver::Open, Driver::Aspiration(2000), Driver::MtdF, Driver::MtdSss][rng.index(4)];
    config.star2 = rng.index(3);
    config.queries = rng.below(3);
    config
}

#[test]
fn entropy_is_searched_exactly() {
    let mut rng = Rng::new(1);
    for round in 0..400 {
        let (depth, left) = if round % 2 == 0 { (2, 2 + rng.below(46)) } else { (3, 2 + rng.below(9)) };
        let state = entropy_state(&mut rng, left);
        let mut guide = Score { cap: state.score() + 5 + rng.below(40) as i32 };
        let expected = expectimax(&state, depth, &mut guide);
        let config = switches(&mut rng);
        let value = Search::<_, _, Fair>::new(guide, config).value(&state, depth);
        assert_eq!(value, expected, "depth {depth} with {config:?} on {state:?}");
    }
}

/// Spaghetti by the difference of the scores.
#[derive(Clone, Copy)]
struct Difference;

impl Evaluate<spaghetti::State> for Difference {
    fn evaluate(&mut self, state: &spaghetti::State) -> i32 {
        state.value()
    }
}

impl Guide<spaghetti::State> for Difference {
    fn key(&self, state: &spaghetti::State) -> Option<u64> {
        let [blue, red] = state.scores();
        let tiles = spaghetti::Cell::all().map(|cell| state.tile(cell).map_or(0, |tile| 1 + tile as u64));
        let board = tiles.fold([0; 2], |[a, b], tile| [a << 2 | b >> 62, b << 2 | tile]);
        let turn = state.turn() == Turn::Player(Player::Zero);
        Some(mix(&[board[0], board[1], blue as u64, red as u64, u64::from(turn)]))
    }

    fn slots(&self) -> usize {
        256
    }

    fn slot(&self, _: &spaghetti::State, mv: spaghetti::Move) -> usize {
        4 * mv.cell().index() + mv.tile() as usize
    }

    fn score(&mut self, state: &spaghetti::State, mv: spaghetti::Move) -> i32 {
        state.gain(mv)
    }
}

#[test]
fn spaghetti_is_searched_exactly() {
    let mut rng = Rng::new(2);
    for round in 0..300 {
        let (depth, left) = if round % 3 > 0 { (2, 3 + rng.below(20)) } else { (4, 3 + rng.below(4)) };
        let mut state = spaghetti::State::empty();
        while state.empty_cells() > left {
            let mv = state.random_move(&mut rng, &mut Vec::new());
            state.play(mv);
        }
        let expected = minimax(&state, depth, &mut Difference);
        let config = switches(&mut rng);
        let value = Search::<_, _>::new(Difference, config).value(&state, depth);
        assert_eq!(value, expected, "depth {depth} with {config:?} on {state:?}");
    }
}

/// Ultimate tic-tac-toe by the boards won.
#[derive(Clone, Copy)]
struct Boards;

impl Evaluate<uttt::State> for Boards {
    fn evaluate(&mut self, state: &uttt::State) -> i32 {
        let [zero, one] = Player::BOTH.map(|player| state.won(player).count_ones() as i32);
        let centre = |player| (state.marks(player, 4).count_ones()) as i32;
        100 * (zero - one) + centre(Player::Zero) - centre(Player::One)
    }

    fn finished(&mut self, state: &uttt::State) -> i32 {
        10_000 * state.value()
    }
}

impl Guide<uttt::State> for Boards {
    fn key(&self, state: &uttt::State) -> Option<u64> {
        let words = [0, 3, 6].map(|first| {
            (first..first + 3).fold(0, |word, board| {
                let [zero, one] = Player::BOTH.map(|player| u64::from(state.marks(player, board)));
                word << 18 | zero << 9 | one
            })
        });
        let turn = u64::from(state.allowed()) << 1 | state.mover() as u64;
        Some(mix(&[words[0], words[1], words[2], turn]))
    }

    fn slots(&self) -> usize {
        81
    }

    fn slot(&self, _: &uttt::State, mv: uttt::Move) -> usize {
        mv.index()
    }
}

#[test]
fn ultimate_tic_tac_toe_is_searched_exactly() {
    let mut rng = Rng::new(3);
    for round in 0..300 {
        let mut state = uttt::State::default();
        let plies = rng.below(60);
        while state.plies() < plies && state.turn() != Turn::Over {
            let mv = state.random_move(&mut rng, &mut Vec::new());
            state.play(mv);
        }
        let depth = 1 + round % 4;
        let expected = minimax(&state, depth, &mut Boards);
        let config = switches(&mut rng);
        let mut search = Search::<_, _>::new(Boards, config);
        assert_eq!(search.value(&state, depth), expected, "depth {depth} with {config:?} on {state:?}");
        let report = search.search(&state, &Allowance::depth(depth));
        assert_eq!(report.best.is_some(), state.turn() != Turn::Over);
        assert_eq!(report.value, expected);
    }
}
