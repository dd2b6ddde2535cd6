//! Cellularena, in which a turn consists of several choices, one per acting organism.

use crate::networks::Files;
use crate::played::{BotOf, Played};
use contender_cellularena::learning::Cellularena;
use contender_cellularena::network::kinds::KINDS;
use contender_cellularena::network::policy::{Choices, Pick, parts};
use contender_cellularena::network::{View, encoder, outcome};
use contender_cellularena::{Action, CellularenaContest, MAX_HEIGHT, MAX_WIDTH, State, TURN_LIMIT};
use contender_game::{
    contest::Clock,
    rules::{Player, Simultaneous},
};
use contender_nn::planes::Planes;
use contender_nn::winograd::Size;
use contender_puct::LearnedGame;

/// The action that waits and ends the turn.
const WAITING: usize = KINDS * MAX_WIDTH * MAX_HEIGHT;

/// A game in progress. Player 0 chooses for all its organisms, and then player 1, who does not see these choices. Then
/// the turn is played.
pub struct Organisms {
    state: State,
    views: [View; 2],
    /// The move of player 0, once it is complete.
    first: Option<Vec<Action>>,
    /// The current player's choices in this turn.
    chosen: Vec<Pick>,
    /// The next possible choices, in addition to waiting.
    open: Vec<Pick>,
}

impl Organisms {
    fn chooser(&self) -> Player {
        if self.first.is_none() { Player::Zero } else { Player::One }
    }

    /// Lists the remaining choices. If none remain after at least one choice, the turn is complete.
    fn list(&mut self) {
        self.open.clear();
        if !self.state.is_over() {
            let mut choices = Choices::new(&self.state, self.views[self.chooser()]);
            for &pick in &self.chosen {
                choices.take(pick);
            }
            choices.list(&mut self.open);
        }
    }

    fn end_turn(&mut self, actions: Vec<Action>) {
        self.chosen.clear();
        match self.first.take() {
            None => self.first = Some(actions),
            Some(first) => self.state.play_turn([&first, &actions]),
        }
        self.list();
    }

    /// Returns the current player's choices as a move.
    fn actions_chosen(&self) -> Vec<Action> {
        let mut choices = Choices::new(&self.state, self.views[self.chooser()]);
        for &pick in &self.chosen {
            choices.take(pick);
        }
        choices.into_move()
    }
}

impl Played for Organisms {
    type Contest = CellularenaContest;
    const MAX_TURNS: usize = TURN_LIMIT as usize;

    fn start(luck: u64) -> Organisms {
        let state = Cellularena::start(luck);
        let views = Cellularena::views(&state);
        let mut game = Organisms { state, views, first: None, chosen: Vec::new(), open: Vec::new() };
        game.list();
        game
    }

    fn player(&self) -> Option<Player> {
        (!self.state.is_over()).then(|| self.chooser())
    }

    fn is_turn_start(&self) -> bool {
        self.chosen.is_empty()
    }

    fn turns(&self) -> usize {
        self.state.turns() as usize
    }

    fn size(&self) -> Size {
        Cellularena::size(&self.views[0])
    }

    fn encode(&self, input: &mut Planes) {
        encoder::encode(&self.state, &self.views[self.chooser()], input);
    }

    fn actions(&self, mut add: impl FnMut(usize)) {
        for &pick in &self.open {
            let (cell, kind) = parts(pick);
            add(KINDS * cell + kind);
        }
        add(WAITING);
    }

    fn choose(&mut self, action: usize, _: Option<&mut BotOf<CellularenaContest>>) {
        if action < WAITING {
            let (cell, kind) = (action / KINDS, action % KINDS);
            let is_meant = |pick: &&Pick| parts(**pick) == (cell, kind);
            let pick = self.open.iter().find(is_meant);
            self.chosen.push(*pick.expect("the action must be possible"));
            self.list();
        }
        if action == WAITING || self.open.is_empty() {
            let actions = self.actions_chosen();
            self.end_turn(actions);
        }
    }

    fn choose_by(&mut self, bot: &mut BotOf<CellularenaContest>, clock: &Clock) {
        let actions = bot.choose(&self.state, self.chooser(), clock);
        self.end_turn(actions);
    }

    fn outcome(&self) -> [f32; 2] {
        Player::BOTH.map(|player| outcome(&self.state, player))
    }

    fn points(&self) -> [i32; 2] {
        Simultaneous::points(&self.state)
    }

    fn files() -> Files {
        Files {
            shape: |[channels, blocks, hidden, sides]| {
                Ok(Cellularena::shape(channels, blocks, hidden, sides))
            },
            read: Cellularena::read,
            write: |shape, parameters| contender_cellularena::network::write(shape, parameters),
            round: Cellularena::round,
        }
    }
}
