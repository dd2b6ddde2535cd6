//! Tests of the rules, with worked examples, a slow reference implementation, and the guarantees of the traits.

use crate::tracer::{worths, Seen};
use contender_game::{
    conformance,
    contest::Notation,
    rules::{Game, Rng, Turn},
};
use contender_spaghetti::notation::parse_move;
use contender_spaghetti::{Cell, Move, State, Tile};

fn start(tiles: &str) -> State {
    let tiles: Vec<Move> = tiles.split(' ').map(|tile| parse_move(tile).unwrap()).collect();
    State::new([tiles[0], tiles[1]]).unwrap()
}

fn random_start(rng: &mut Rng) -> State {
    loop {
        let mut tile = || Move::new(Cell::from_index(rng.index(63)), *rng.choose(&Tile::ALL));
        if let Ok(state) = State::new([tile(), tile()]) {
            return state;
        }
    }
}

/// Start tiles, moves, and the scores before and after the last move. They were computed by hand from the contest's
/// rules and checked with its viewer.
const EXAMPLES: [(&str, &str, [i32; 2], [i32; 2]); 20] = [
    ("bbs bds", "bas bcs bes bfs bgs", [50, 50], [57, 50]),
    ("bbs bds", "bas bcs bes iar bfs bgs", [50, 50], [50, 51]),
    ("bbs bfs", "bas bcs bgs bes bds", [50, 50], [54, 50]),
    ("bbs bfs", "bas bcs bgs iar bes bds", [50, 50], [50, 54]),
    ("dds ffs", "aar bal", [50, 50], [50, 47]),
    ("dds ffs", "agl idr bgr", [50, 50], [47, 50]),
    ("dds ffs", "aal", [50, 50], [50, 50]),
    ("ccl ddl", "cdr dcr", [50, 50], [50, 45]),
    ("bbl bcr", "cbr cdr dcr ddl ccl", [50, 50], [40, 50]),
    ("bbl bcr", "cbr cdr dcr ddl ccs", [50, 50], [45, 50]),
    ("bbl bcr", "cbr cdr dcr ddl ccr", [50, 50], [45, 50]),
    ("bgl cbl", "ias ccs cds ces cfs cgl das dcr ebr ecl dbs", [50, 50], [56, 50]),
    ("bgl cbl", "ccs cds ces cfs cgl das dcr ebr ecl dbs", [50, 50], [50, 62]),
    ("fdl fer", "ics gbl gcs gdl ges has hbs hcs hds hfs hgs ias ibl ier ifs igs hes", [50, 50], [65, 50]),
    ("fdl fer", "gbl gcs gdl ges has hbs hcs hds hfs hgs ias ibl ier ifs igs hes", [50, 50], [50, 57]),
    ("bar cbr", "dar dbl car", [50, 50], [47, 50]),
    ("bar cbr", "ias dar dbl car", [50, 50], [50, 47]),
    ("gar hbs", "ibs hcs hds hes hfr ial ifr igs har", [50, 50], [49, 50]),
    ("gar hbs", "hcs hds hes hfr ial ifr igs har", [50, 50], [50, 55]),
    ("bbs hbl", "cas aal ges eds ecs gds idl ifr gas aer ggs bfs fbr gfs cds abr gcs das del ccl fds ddl hfr hal ier dgl ibs hds hgl ear bal efr acs afl bes bcr bgs gbr ads ffr dcr hel cbs fer eel bds hcr fas fcr agr dbr dfl igs cfr icr egl fgl cel cgl ias ebr", [39, 55], [36, 55]),
];

#[test]
fn worked_examples() {
    for (number, (tiles, moves, before, after)) in EXAMPLES.into_iter().enumerate() {
        let mut state = start(tiles);
        let mut previous = state.scores();
        for mv in moves.split(' ') {
            previous = state.scores();
            state.play(state.read(mv).unwrap());
        }
        assert_eq!(previous, before, "example {}, before the last move", number + 1);
        assert_eq!(state.scores(), after, "example {}", number + 1);
    }
}

/// The figure in the published rules: the value of moves to Blue and to Red.
#[test]
fn published_position() {
    let text = "lllllrl/.rlssrl/slss.rs/sllrrlr/lrrssss/lrsrrll/slsrls./slsrrsr/srssrss";
    let mut moves = Vec::new();
    for (row, tiles) in ('a'..).zip(text.split('/')) {
        moves.extend(
            ('a'..)
                .zip(tiles.chars())
                .filter(|&(_, tile)| tile != '.')
                .map(|(column, tile)| format!("{row}{column}{tile}")),
        );
    }
    assert_eq!(moves.len(), 60, "so it is Blue's turn");
    let state = State::default().after(&moves).unwrap();
    // With another gap filled it is Red's turn; the paths through the centre gap do not change.
    let mut red_to_move = state.clone();
    red_to_move.play(state.read("bas").unwrap());
    let centre = Cell::new(2, 4);
    let values = [
        ("cer", [10, 11]),
        ("ces", [10, 11]),
        ("cel", [1, 2]),
        ("ggs", [-3, -3]),
        ("bas", [-3, -3]),
        ("bal", [-3, -3]),
        ("bar", [-3, -3]),
    ];
    for (text, expected) in values {
        let mv = state.read(text).unwrap();
        let mut next = state.clone();
        next.play(mv);
        assert_eq!(worths(&next, mv, &mut Seen::default()), expected, "{text} by the slow twin");
        assert_eq!(state.gain(mv), expected[0], "{text} by Blue");
        if mv.cell() == centre {
            assert_eq!(red_to_move.gain(mv), expected[1], "{text} by Red");
        }
    }
}

#[test]
fn the_traits_promises_hold() {
    let moves = conformance::check_game(random_start, 60, 61, 1);
    assert_eq!(moves, 60 * 61);
}

#[test]
fn unmaking_a_move_restores_the_state() {
    let mut rng = Rng::new(1);
    for _ in 0..60 {
        let mut state = random_start(&mut rng);
        let mut moves = Vec::new();
        while state.turn() != Turn::Over {
            moves.clear();
            state.moves(&mut moves);
            for &mv in &moves {
                let (before, mut played) = (state.clone(), state.clone());
                played.play(mv);
                let memo = state.make(mv);
                assert_eq!(state, played, "make and play differ for {mv:?}");
                state.unmake(mv, memo);
                assert_eq!(state, before, "unmaking {mv:?} does not restore the state");
            }
            state.play(*rng.choose(&moves));
        }
    }
}

/// Plays games with the moves of `choose` and compares every move with the reference implementation.
fn compare_games(games: u32, seed: u64, mut choose: impl FnMut(&State, &mut Rng) -> Move) -> Seen {
    let mut rng = Rng::new(seed);
    let mut seen = Seen::default();
    for _ in 0..games {
        let mut state = random_start(&mut rng);
        let mut trail = Vec::new();
        while let Turn::Player(player) = state.turn() {
            let mv = choose(&state, &mut rng);
            let before = state.clone();
            let memo = state.make(mv);
            let expected = worths(&state, mv, &mut seen)[player];
            let gain = state.scores()[player] - before.scores()[player];
            assert_eq!(gain, expected, "{mv} by {player:?} on\n{}", before.picture(None, None).to_text());
            trail.push((before, mv, memo));
        }
        for (before, mv, memo) in trail.into_iter().rev() {
            state.unmake(mv, memo);
            assert_eq!(state, before, "unmaking {mv}");
        }
    }
    seen
}

#[test]
fn random_games_score_as_the_slow_twin() {
    let seen = compare_games(4_000, 2, |state, rng| state.random_move(rng, &mut Vec::new()));
    println!("{seen:?}");
    assert!(seen.double_pass_left_right > 50 && seen.double_loops > 0 && seen.two_left_right > 0, "{seen:?}");
}

/// No player finishes a path while another move exists, so paths grow long and tiles close late.
#[test]
fn long_paths_score_as_the_slow_twin() {
    let seen = compare_games(2_000, 3, |state, rng| {
        let mut tries = (0..20).map(|_| state.random_move(rng, &mut Vec::new()));
        let first = tries.next().unwrap();
        if state.gain(first) == 0 {
            return first;
        }
        tries.find(|&mv| state.gain(mv) == 0).unwrap_or(first)
    });
    println!("{seen:?}");
    assert!(seen.longest > 30, "{seen:?}");
    assert!(seen.double_pass_left_right > 100 && seen.double_pass_same_wall > 100, "{seen:?}");
    assert!(seen.double_pass_loop > 10 && seen.double_loops > 0 && seen.two_left_right > 10, "{seen:?}");
}

/// A rollout is a random game: its moves have the same gains when played one by one, and without redraws all moves are
/// about equally frequent. With redraws games gain more.
#[test]
fn rollouts_play_by_the_rules() {
    let mut rng = Rng::new(4);
    let mut first_moves = [[0u32; 3]; 63];
    let mut gained = [0; 2];
    for round in 0..20_000 {
        let redraws = if round % 4 == 3 { 3 } else { 0 };
        let mut state = State::empty();
        for _ in 0..rng.below(10) {
            let mv = state.random_move(&mut rng, &mut Vec::new());
            state.play(mv);
        }
        let mut slow = state.clone();
        let mut moves = Vec::new();
        let gains = state.rollout(&mut rng, redraws, |mv| moves.push(mv));
        let first: Move = moves[0];
        if redraws == 0 {
            first_moves[first.cell().index()][first.tile().index()] += 1;
        }
        let before = slow.scores();
        for mv in moves {
            slow.check(mv).unwrap();
            slow.play(mv);
        }
        assert_eq!(slow.turn(), Turn::Over);
        let played = slow.scores();
        assert_eq!(gains, [0, 1].map(|player: usize| played[player] - before[player]));
        gained[usize::from(redraws > 0)] += gains.iter().sum::<i32>();
    }
    // 79 are expected; the bounds are six standard deviations away.
    assert!(first_moves.iter().flatten().all(|count| (26..133).contains(count)), "{first_moves:?}");
    // Three times as many games are played without redraws.
    assert!(gained[1] > gained[0] / 3 + 5 * 5_000, "{gained:?}");
}
