//! The features of a position, whose values `train evaluation.toml` or `train value.toml` learns, and the bot that
//! searches with this evaluation.

use super::State;
use contender_game::prelude::*;
use contender_search::{NoChance, Search, SearchConfig, TimeManager};
use contender_value::{Evaluation, Features};

impl Features for State {
    type ChanceModel = NoChance;
    // EDIT the number of features. A feature is something valuable that a player can have in a position.
    const COUNT: usize = 5;

    /// Adds lines with one or two marks of this player and no mark of the opponent, the centre, corners, and the right
    /// to move.
    fn features(&self, player: Player, mut add: impl FnMut(usize)) {
        let [own, other] = [player, player.other()].map(|side| self.marks[side]);
        for line in super::LINES.iter().filter(|line| *line & other == 0) {
            match (line & own).count_ones() {
                1 => add(0),
                2 => add(1),
                _ => {}
            }
        }
        if own & 0o20 != 0 {
            add(2);
        }
        (0..(own & 0o505).count_ones()).for_each(|_| add(3));
        if self.turn() == Turn::Player(player) {
            add(4);
        }
    }

    /// Returns a hash of both players' marks.
    fn key(&self) -> Option<u64> {
        Some(mix(&[u64::from(self.marks[0]), u64::from(self.marks[1])]))
    }

    // `alphabeta:weights=evaluation/weights.txt` plays with the weights that `train` has written, and
    // `alphabeta:weights=value/net.bin` with the network. To ship one of these files:
    //     fn evaluation() -> Vec<u8> {
    //         contender_nn::include_data!("../weights.txt")
    //     }
}

pub fn alphabeta(evaluation: Evaluation<State>) -> impl Bot<State, u8> {
    let config = SearchConfig { evaluate_from: 2, ..SearchConfig::FULL };
    let mut search = Search::<State, _, NoChance>::new(evaluation, config);
    SearchBot(move |state: &State, _, clock: &Clock| {
        search.search(state, &TimeManager::EQUAL.limits(clock, 4)).measured("wins", contender_value::wins)
    })
}
