//! A game as a sequence of choices.

use contender_game::{
    contest::{Bot, Clock},
    rules::{Player, Simultaneous},
};
use contender_nn::planes::Planes;
use contender_nn::policy_value::Shape;
use contender_nn::winograd::Size;
use contender_puct::{BotOf, LearnedGame, Pick, TurnChoices};

/// Returns the shape of the smallest network for a game. All networks for the game have the same inputs and outputs.
pub fn smallest_shape<L: LearnedGame>() -> Shape {
    L::shape(16, 0, 1, 1)
}

/// A game in progress, in which the players make one choice at a time. If both players must move, player 0 chooses
/// first, and player 1 does not see the choice.
///
/// A choice is given by the number of an action. An action in a cell has the number `cell * actions_per_cell + action`,
/// with the cells of the frame counted row by row. The last action does not belong to a cell.
pub struct Played<L: LearnedGame> {
    state: L::State,
    views: [L::View; 2],
    /// The moves that are already complete in this turn.
    moves: [Option<L::Move>; 2],
    /// The choices made so far in this turn by the player who must choose.
    chosen: Vec<Pick>,
    /// The legal actions of the player who must choose, with their choices.
    legal: Vec<(usize, Pick)>,
    /// Working memory.
    picks: Vec<Pick>,
    turns: usize,
    shape: Shape,
}

impl<L: LearnedGame> Played<L> {
    /// Starts the game with this seed.
    pub fn start(seed: u64) -> Self {
        let state = L::start(seed);
        let views = L::views(&state);
        let mut game = Played {
            state,
            views,
            moves: [None, None],
            chosen: Vec::new(),
            legal: Vec::new(),
            picks: Vec::new(),
            turns: 0,
            shape: smallest_shape::<L>(),
        };
        game.begin_turn();
        game
    }

    /// Returns the state.
    pub fn state(&self) -> &L::State {
        &self.state
    }

    /// Returns the player who must choose; `None` if the game is over.
    pub fn player(&self) -> Option<Player> {
        if self.state.is_over() {
            return None;
        }
        Player::BOTH.into_iter().find(|&player| self.moves[player].is_none())
    }

    /// Returns whether the player makes the first choice of a turn. The player's view does not change during a turn.
    pub fn is_turn_start(&self) -> bool {
        self.chosen.is_empty()
    }

    /// Returns whether the game has reached the maximum number of turns. Such a game is a draw.
    pub fn is_endless(&self) -> bool {
        self.turns >= L::State::MAX_TURNS
    }

    /// Returns the size of the board.
    pub fn size(&self) -> Size {
        L::size(&self.views[0])
    }

    /// Writes the position, as the player who must choose sees it, to `input`.
    pub fn encode(&self, input: &mut Planes) {
        input.clear(self.size());
        if let Some(player) = self.player() {
            L::encode(&self.state, &self.views[player], input);
        }
    }

    /// Returns the legal actions of the player who must choose.
    pub fn actions(&self) -> impl Iterator<Item = usize> {
        self.legal.iter().map(|&(action, _)| action)
    }

    /// Plays a legal action. If a bot plays the other seat, it observes the move.
    pub fn choose(&mut self, action: usize, observer: Option<&mut BotOf<L>>) {
        let Some(player) = self.player() else { unreachable!("the game is over") };
        let found = self.legal.iter().find(|&&(of, _)| of == action);
        let pick = found.expect("the action must be legal").1;
        if pick != L::WAIT {
            self.chosen.push(pick);
            self.list(player);
        }
        if pick == L::WAIT || self.legal.iter().all(|&(_, pick)| pick == L::WAIT) {
            let mv = L::complete(&self.state, &self.views[player], &self.chosen);
            // Players who move at the same time observe nothing.
            if let (Some(bot), Some(_)) = (observer, L::idle(&self.state, player.other())) {
                bot.observe(&self.state, player.other(), &mv);
            }
            self.end_move(player, mv);
        }
    }

    /// Lets a bot move for the player who must choose.
    pub fn choose_by(&mut self, bot: &mut BotOf<L>, clock: &Clock) {
        if let Some(player) = self.player() {
            let mv = bot.choose(&self.state, player, clock);
            self.end_move(player, mv);
        }
    }

    /// Returns the result of the finished game for each player.
    pub fn outcome(&self) -> [f32; 2] {
        Player::BOTH.map(|player| L::outcome(&self.state, player))
    }

    /// Returns the contest points of both players.
    pub fn points(&self) -> [i32; 2] {
        self.state.points()
    }

    fn begin_turn(&mut self) {
        if !self.state.is_over() {
            self.moves = Player::BOTH.map(|player| L::idle(&self.state, player));
        }
        self.begin_move();
    }

    fn begin_move(&mut self) {
        self.chosen.clear();
        match self.player() {
            Some(player) => self.list(player),
            None => self.legal.clear(),
        }
    }

    fn end_move(&mut self, player: Player, mv: L::Move) {
        self.moves[player] = Some(mv);
        match &self.moves {
            [Some(zero), Some(one)] => {
                self.state.play([zero, one]);
                self.turns += 1;
                self.begin_turn();
            }
            _ => self.begin_move(),
        }
    }

    /// Lists the legal actions after the choices made so far.
    fn list(&mut self, player: Player) {
        let mut choices = L::choices(&self.state, &self.views[player]);
        self.chosen.iter().for_each(|&pick| choices.take(pick));
        self.picks.clear();
        choices.list(&mut self.picks);
        let action = |pick| {
            if pick == L::WAIT {
                return self.shape.actions * self.shape.cells();
            }
            let place = L::place(self.shape, &self.views[player], pick);
            let stride = self.shape.head_stride();
            place / stride * self.shape.actions + place % stride
        };
        self.legal.clear();
        self.legal.extend(self.picks.iter().map(|&pick| (action(pick), pick)));
    }
}
