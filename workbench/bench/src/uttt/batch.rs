//! Many random games at once: sixteen games side by side in the lanes of vectors, all of them moving in step, and two such
//! groups in turn.
//!
//! A vector has one 16-bit number for each of sixteen games, and a position is four times nine vectors and a few more: the empty cells,
//! their number, the marks of X and the marks of O of each small board. Nothing branches on a position: a free choice and a forced
//! board are the same computation, with a set of allowed boards of different size. X and O move alternately in all lanes; a lane whose game has ended takes the next
//! one whose player to act is due.
//!
//! There is one algorithm over [`Lanes`] with two kinds of vectors: AVX2, chosen at run time, and plain arrays. They give the same
//! games bit for bit.
//!
//! A move is drawn as `floor(r * n / 2^32)` for a random 32-bit `r` and `n` moves, so the probability of a move differs
//! from `1 / n` by less than `2^-32`. The random numbers are xorshift128+ (Vigna, 2014), four generators side by side.

#![allow(unsafe_code)]

use contender_game::{Game, Player, Rng, mix};
use contender_uttt::State;
use contender_uttt::tables::HAS_LINE;

mod lanes;
#[cfg(test)]
mod tests;

use lanes::{LANES, Lanes};

/// How many such vectors of games are played in turn. Their steps do not depend on each other, so that one is computed while the
/// other waits for its results.
const GROUPS: usize = 2;

/// Results of many games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// Games won by each player.
    pub wins: [u64; 2],
    /// Drawn games.
    pub draws: u64,
    /// Moves of all games together, those before their start not counted.
    pub moves: u64,
}

impl Totals {
    fn add(&mut self, value: i32, moves: u32) {
        match value {
            0 => self.draws += 1,
            value => self.wins[usize::from(value < 0)] += 1,
        }
        self.moves += u64::from(moves);
    }
}

/// Plays `games` random games from one state and adds them up. Deterministic by the seed.
#[must_use]
pub fn play_out(start: &State, games: usize, seed: u64) -> Totals {
    let mut totals = Totals::default();
    run(games, |_| start, |_, value, moves| totals.add(value, moves), &mut (), seed);
    totals
}

/// Hears of every move.
trait Watch {
    /// Whether it listens at all; otherwise the moves are not even taken out of their vectors.
    const LISTENS: bool;
    fn moved(&mut self, game: usize, board: u16, cell: u16);
}

impl Watch for () {
    const LISTENS: bool = false;
    fn moved(&mut self, _game: usize, _board: u16, _cell: u16) {}
}

/// Plays `games` games with the best vectors of the machine. `start` tells where a game starts and `done` hears its value and its
/// number of moves.
fn run<'a, W: Watch>(
    games: usize,
    start: impl Fn(usize) -> &'a State,
    done: impl FnMut(usize, i32, u32),
    watch: &mut W,
    seed: u64,
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        // SAFETY: the machine has AVX2.
        unsafe { step_through_avx2(games, start, done, watch, seed) };
        return;
    }
    step_through::<lanes::Plain, W>(games, start, done, watch, seed);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn step_through_avx2<'a, W: Watch>(
    games: usize,
    start: impl Fn(usize) -> &'a State,
    done: impl FnMut(usize, i32, u32),
    watch: &mut W,
    seed: u64,
) {
    step_through::<lanes::Avx2, W>(games, start, done, watch, seed);
}

/// Four xorshift128+ generators.
struct Random<V> {
    state: [V; 2],
}

impl<V: Lanes> Random<V> {
    fn new(seed: u64) -> Random<V> {
        let mut rng = Rng::new(seed);
        Random {
            state: [(); 2].map(|()| {
                let mut words = [0; LANES];
                for four in words.chunks_mut(4) {
                    let word = rng.next_u64();
                    for (at, part) in four.iter_mut().enumerate() {
                        *part = (word >> (16 * at)) as u16;
                    }
                }
                V::load(&words)
            }),
        }
    }

    #[inline(always)]
    fn next(&mut self) -> V {
        let [x, y] = self.state;
        let x = x.xor(x.shl64::<23>());
        let z = x.xor(y).xor(x.shr64::<17>()).xor(y.shr64::<26>());
        self.state = [y, z];
        z.add64(y)
    }
}

/// Sixteen positions.
struct Positions<V> {
    /// Empty cells of each small board; none on a closed one.
    empty: [V; 9],
    /// How many those are.
    count: [V; 9],
    /// Marks of each player on each small board.
    marks: [[V; 9]; 2],
    won: [V; 2],
    open: V,
    allowed: V,
}

impl<V: Lanes> Positions<V> {
    /// No games.
    #[inline(always)]
    fn none() -> Positions<V> {
        let zero = V::splat(0);
        Positions {
            empty: [zero; 9],
            count: [zero; 9],
            marks: [[zero; 9]; 2],
            won: [zero; 2],
            open: zero,
            allowed: zero,
        }
    }
}

/// The game of a lane.
#[derive(Clone, Copy)]
struct Seat {
    game: usize,
    /// Number of the step of its first move.
    since: u32,
}

#[inline(always)]
fn step_through<'a, V: Lanes, W: Watch>(
    games: usize,
    start: impl Fn(usize) -> &'a State,
    mut done: impl FnMut(usize, i32, u32),
    watch: &mut W,
    seed: u64,
) {
    let mut random = [0, 1].map(|group| Random::<V>::new(mix(&[seed, group])));
    let mut at = [(); GROUPS].map(|()| Positions::<V>::none());
    let mut seats = [[Seat { game: 0, since: 0 }; LANES]; GROUPS];
    // The lanes with a game, a set.
    let mut busy = [0u32; GROUPS];
    let mut next = 0;
    let mut step: u32 = 0;
    while next < games || busy != [0; GROUPS] {
        // Both players in one round, so that the marks of the mover are at a constant index.
        for mover in Player::BOTH {
            for group in 0..GROUPS {
                let mut idle = !busy[group] & ((1 << LANES) - 1);
                while idle != 0 && next < games {
                    let state = start(next);
                    if state.allowed() == 0 {
                        done(next, state.value(), 0);
                    } else if state.mover() == mover {
                        let lane = idle.trailing_zeros() as usize;
                        place(&mut at[group], lane, state);
                        seats[group][lane] = Seat { game: next, since: step };
                        busy[group] |= 1 << lane;
                        idle &= idle - 1;
                    } else {
                        break;
                    }
                    next += 1;
                }
            }
            // A loop and not a closure, which would not be compiled for AVX2.
            let mut moved = [(V::splat(0), V::splat(0)); GROUPS];
            for group in 0..GROUPS {
                moved[group] = play(&mut at[group], &mut random[group], mover.index());
            }
            step = step.wrapping_add(1);
            for group in 0..GROUPS {
                if W::LISTENS {
                    let (board, cell) = moved[group];
                    for lane in (0..LANES).filter(|lane| busy[group] >> lane & 1 == 1) {
                        watch.moved(seats[group][lane].game, board.get(lane), cell.get(lane));
                    }
                }
                let mut ended = at[group].allowed.zeros() & busy[group];
                busy[group] &= !ended;
                while ended != 0 {
                    let lane = ended.trailing_zeros() as usize;
                    ended &= ended - 1;
                    let won = [at[group].won[0].get(lane), at[group].won[1].get(lane)];
                    done(seats[group][lane].game, value(won), step.wrapping_sub(seats[group][lane].since));
                }
            }
        }
    }
}

/// The value of a game that is over.
fn value(won: [u16; 2]) -> i32 {
    let lines = won.map(|set| i32::from(HAS_LINE[usize::from(set) & 511]));
    let [zero, one] = won.map(|set| set.count_ones());
    match lines {
        [0, 0] => i32::from(zero > one) - i32::from(one > zero),
        [zero, one] => zero - one,
    }
}

fn place<V: Lanes>(at: &mut Positions<V>, lane: usize, state: &State) {
    for board in 0..9 {
        let empty = if state.open() >> board & 1 == 1 { state.empty(board) } else { 0 };
        at.empty[board].set(lane, empty);
        at.count[board].set(lane, empty.count_ones() as u16);
        for player in Player::BOTH {
            at.marks[player][board].set(lane, state.marks(player, board));
        }
    }
    for player in Player::BOTH {
        at.won[player].set(lane, state.won(player));
    }
    at.open.set(lane, state.open());
    at.allowed.set(lane, state.allowed());
}

/// Plays one random move of `mover` in every lane that has a game; returns the small boards and the cells as sets of one.
#[inline(always)]
#[allow(clippy::needless_range_loop)] // The loops are over small boards, whose facts are in many arrays.
fn play<V: Lanes>(at: &mut Positions<V>, random: &mut Random<V>, mover: usize) -> (V, V) {
    let zero = V::splat(0);
    // The moves before each small board, and all of them.
    let mut before = [zero; 9];
    let mut total = zero;
    for board in 0..9 {
        before[board] = total;
        let bit = V::splat(1 << board);
        total = total.add(at.count[board].and(at.allowed.and(bit).eq(bit)));
    }
    // floor((high * 2^16 + low) * total / 2^32), where high * total and low * total are 32-bit numbers in two parts.
    let (high, low) = (random.next(), random.next());
    let part = high.mul_low(total);
    let carry = part.add(low.mul_high(total));
    let nth = high.mul_high(total).sub(part.min(carry).eq(part).xor(V::splat(u16::MAX)));
    // The small board of that move is the last one with no more moves before it; those after it have more. A lane without a game
    // has no moves at all and chooses something that nobody looks at.
    let mut is_beyond = [zero; 10];
    is_beyond[9] = V::splat(u16::MAX);
    let (mut skipped, mut empty, mut own, mut count, mut board_bit) = (zero, zero, zero, zero, zero);
    for board in 0..9 {
        let beyond = before[board].gt(nth);
        is_beyond[board] = beyond;
        skipped = beyond.select(skipped, before[board]);
        empty = beyond.select(empty, at.empty[board]);
        own = beyond.select(own, at.marks[mover][board]);
        count = beyond.select(count, at.count[board]);
        board_bit = beyond.select(board_bit, V::splat(1 << board));
    }
    let cell = empty.nth_bit(nth.sub(skipped));
    let own = own.or(cell);
    let left = empty.xor(cell);
    let has_line = own.has_line();
    let is_closed = has_line.or(left.eq(zero));
    let left = is_closed.and_not(left);
    let count = is_closed.and_not(count.add(V::splat(u16::MAX)));
    for board in 0..9 {
        let here = is_beyond[board].and_not(is_beyond[board + 1]);
        at.marks[mover][board] = here.select(own, at.marks[mover][board]);
        at.empty[board] = here.select(left, at.empty[board]);
        at.count[board] = here.select(count, at.count[board]);
    }
    let won = at.won[mover].or(board_bit.and(has_line));
    at.won[mover] = won;
    at.open = board_bit.and(is_closed).and_not(at.open);
    let target = at.open.and(cell);
    let allowed = target.or(target.eq(zero).and(at.open));
    at.allowed = won.has_line().and_not(allowed);
    (board_bit, cell)
}
