//! UCT with the numbers and habits of a write-up that reached the arena's Gold league with it.
//!
//! The corrected form: as printed there the score is not credited to the side that moved, and could not play.

use crate::uct::STYLES;
use crate::{rollout_with, Move, State, Style};
use contender_game::{Analysis, Bot, Clock, Game, Options, Player, Rng};
use contender_search::mcts::{Config, Expansion, Judgement, Mcts, Uct};
use contender_search::{Kept, Shares, Sure};

/// The numbers and habits of [`ClassicBot`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ClassicSettings {
    /// The score of a win; 1 to 100 were tried.
    pub win_score: f32,
    /// The score of a draw, as a share of that of a win.
    pub draw: f32,
    /// Weight of the exploration term; up to 2 was tried.
    pub exploration: f32,
    /// Scores shrink by this factor with every ply on the way up.
    pub decay: f32,
    /// A rollout ends at this ply of the game (an even one: the one before an odd number), and credits nobody if nobody has won.
    pub cap: u32,
    /// A move that lets the opponent win at once is marked, and not chosen.
    pub loss_mark: bool,
    /// The first move of a game.
    pub first_move: Option<Move>,
    /// In a small board with at most one mark, centre and corners come first, or alone.
    pub centre: Centre,
    /// On a free choice the moves of all open boards are weighed, not just those of the first.
    pub free_choice: bool,
    /// How rollouts choose: the custom logic that was tried and dropped.
    pub rollouts: Style,
    /// For so many of the bot's first turns the tree is kept for the next: the opening found in the long first turn. Tried and dropped.
    pub cached_turns: u32,
    /// Use the long first turn; otherwise it is as short as the others (a tenth).
    pub long_first: bool,
    /// Share of a turn's time that is used.
    pub time: f32,
}

/// What is done about centre and corners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Centre {
    /// Nothing.
    Off,
    /// They are tried first.
    First,
    /// Nothing else is considered.
    Only,
}

impl Default for ClassicSettings {
    fn default() -> ClassicSettings {
        ClassicSettings {
            win_score: 6.0,
            draw: 0.0,
            exploration: std::f32::consts::SQRT_2,
            decay: 0.99,
            cap: 70,
            loss_mark: true,
            first_move: Some(Move::new(4, 4)),
            centre: Centre::First,
            free_choice: true,
            rollouts: Style::Random,
            cached_turns: 0,
            long_first: true,
            time: 0.9,
        }
    }
}

impl ClassicSettings {
    /// Names and meanings of the options.
    pub const OPTIONS: &'static [(&'static str, &'static str)] = &[
        ("win", "score of a win (6)"),
        ("draw", "score of a draw, as a share of a win's (0)"),
        ("c", "exploration (1.41421)"),
        ("decay", "factor of a score per ply on the way up (0.99)"),
        ("cap", "ply of the game at which a rollout ends (70)"),
        ("mark", "mark moves that let the opponent win at once: on, off (on)"),
        ("first", "first move of a game: 4+4, 3+3 or any (4+4)"),
        ("centre", "centre and corners in an almost empty small board: first, only, off (first)"),
        ("free", "on free choice weigh all open boards: on, off (on)"),
        ("rollouts", "random, finishing (winning the game) or winning (small boards too) (random)"),
        ("cache", "for how many first turns the tree is kept for the next one (0)"),
        ("long", "use the long first turn: on, off (on)"),
        ("time", "share of a turn's time that is used (0.9)"),
    ];

    /// The write-up's settings with what the options say instead.
    ///
    /// # Errors
    /// A value that makes no sense.
    pub fn take(options: &mut Options) -> Result<ClassicSettings, String> {
        let base = ClassicSettings::default();
        let firsts = &[("4+4", Some(Move::at(4, 4))), ("3+3", Some(Move::at(3, 3))), ("any", None)];
        let centres = &[("first", Centre::First), ("only", Centre::Only), ("off", Centre::Off)];
        Ok(ClassicSettings {
            win_score: options.take_number("win", base.win_score, 0.001..=1000.0)?,
            draw: options.take_number("draw", base.draw, 0.0..=1.0)?,
            exploration: options.take_number("c", base.exploration, 0.0..=1000.0)?,
            decay: options.take_number("decay", base.decay, 0.01..=1.0)?,
            cap: options.take("cap")?.unwrap_or(base.cap),
            loss_mark: options.take_switch("mark", base.loss_mark)?,
            first_move: options.take_word("first", base.first_move, firsts)?,
            centre: options.take_word("centre", base.centre, centres)?,
            free_choice: options.take_switch("free", base.free_choice)?,
            rollouts: options.take_word("rollouts", base.rollouts, STYLES)?,
            cached_turns: options.take("cache")?.unwrap_or(base.cached_turns),
            long_first: options.take_switch("long", base.long_first)?,
            time: options.take_number("time", base.time, 0.01..=1.0)?,
        })
    }
}

/// Nodes of the tree: 60 MiB, which the long first turn fills and no other.
const CAPACITY: usize = 1 << 20;

/// The write-up's UCT. Deterministic given its seed and a number of iterations.
pub struct ClassicBot {
    settings: ClassicSettings,
    search: Kept<State, Mcts<State, Sure, Uct>>,
    rng: Rng,
}

impl ClassicBot {
    /// The bot with these settings and this seed.
    #[must_use]
    pub fn new(settings: ClassicSettings, seed: u64) -> ClassicBot {
        let config = Config {
            capacity: CAPACITY,
            decay: settings.decay,
            solver: settings.loss_mark,
            solver_reach: 1,
            expansion: if settings.centre == Centre::First { Expansion::Prior } else { Expansion::Random },
            ..Config::default()
        };
        let search = Kept::new(Mcts::new(config, Uct::new(settings.exploration)));
        ClassicBot { settings, search, rng: Rng::new(seed) }
    }

    fn search(&mut self, state: &State, clock: &Clock) -> Analysis<Move> {
        let is_cut = clock.turns_before() == 0 && !self.settings.long_first;
        let allowance =
            Shares::of_turn(f64::from(self.settings.time) * if is_cut { 0.1 } else { 1.0 }).allow(clock, 1);
        let order = Rng::new(self.rng.next_u64());
        let mut games = Games { settings: &self.settings, order };
        let found = self
            .search
            .of(state)
            .search(state, &mut games, &allowance, &mut self.rng)
            .measured("score", |value| value);
        if clock.turns_before() >= self.settings.cached_turns {
            self.search.reset();
        }
        found
    }
}

impl Bot<State, Move> for ClassicBot {
    /// # Panics
    /// When the game is over.
    fn choose(&mut self, state: &State, _player: Player, clock: &Clock) -> Move {
        if let Some(first) = self.settings.first_move.filter(|_| *state == State::default()) {
            return first;
        }
        let mv = self.search(state, clock).moves[0].mv;
        self.search.play(state, mv);
        mv
    }

    fn observe(&mut self, state: &State, _player: Player, mv: &Move) {
        self.search.play(state, *mv);
    }

    fn analyse(&mut self, state: &State, _player: Player, clock: &Clock) -> Analysis<Move> {
        self.search(state, clock)
    }
}

struct Games<'a> {
    settings: &'a ClassicSettings,
    /// Orders moves of the same standing.
    order: Rng,
}

impl Games<'_> {
    fn rewards(&self, value: i32) -> [f32; 2] {
        let win = self.settings.win_score;
        match value {
            1 => [win, 0.0],
            -1 => [0.0, win],
            _ => [win * self.settings.draw; 2],
        }
    }
}

/// Whether a move is a centre or a corner, or in a small board with more than one mark.
fn is_preferred(state: &State, mv: Move) -> bool {
    mv.cell() % 2 == 0 || state.empty(mv.board()).count_ones() < 8
}

impl Judgement<State> for Games<'_> {
    fn finished(&mut self, state: &State) -> [f32; 2] {
        self.rewards(state.value())
    }

    fn highest(&self) -> f32 {
        self.settings.win_score
    }

    fn estimate(&mut self, state: &mut State, rng: &mut Rng) -> [f32; 2] {
        let left = self.settings.cap.saturating_sub(state.plies());
        match rollout_with(state, rng, self.settings.rollouts, left) {
            Some(value) => self.rewards(value),
            None => [0.0; 2],
        }
    }

    fn candidates(&mut self, state: &State, moves: &mut Vec<Move>) {
        state.moves(moves);
        if !self.settings.free_choice {
            let first = moves[0].board();
            moves.retain(|mv| mv.board() == first);
        }
        if self.settings.centre == Centre::Only {
            moves.retain(|&mv| is_preferred(state, mv));
        }
    }

    fn priors(&mut self, state: &State, moves: &[Move], priors: &mut Vec<f32>) {
        let is_first = self.settings.centre == Centre::First;
        priors.extend(moves.iter().map(|&mv| match is_first {
            true => self.order.unit() as f32 + f32::from(u8::from(is_preferred(state, mv))),
            false => 0.0,
        }));
    }
}
