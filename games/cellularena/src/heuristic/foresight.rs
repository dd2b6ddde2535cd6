//! The callbacks of the search: candidates for both players, values, and best responses.

use super::evaluation::Evaluation;
use super::proposals::{Proposal, Proposer};
use super::settings::HeuristicSettings;
use super::weights::WEIGHTS;
use crate::{Action, Content, Kind, State};
use contender_game::rules::{Combined, Player};
use contender_search::combine;
use contender_search::matrix_tree::MatrixEvaluator;

/// The callbacks of the search, implemented with the evaluation and the proposals.
#[derive(Clone, Debug)]
pub(super) struct Foresight {
    settings: HeuristicSettings,
    pub evaluation: Evaluation,
    proposer: Proposer,
    /// The player for whom the search chooses a move. At the root this player has the longer list of moves.
    pub player: Player,
}

impl Foresight {
    pub fn new(settings: HeuristicSettings) -> Foresight {
        let evaluation = Evaluation::new(&WEIGHTS);
        Foresight { settings, evaluation, proposer: Proposer::new(), player: Player::Zero }
    }

    fn by_rule(&mut self, state: &State, player: Player) -> Vec<Action> {
        let mut actions = Vec::new();
        self.proposer.play(&self.evaluation, state, player, &mut actions);
        actions
    }

    /// Returns the value for `player` after one turn.
    fn worth_after(&self, state: &State, player: Player, own: &[Action], enemy: &[Action]) -> f64 {
        let mut child = state.clone();
        child.play_turn(if player == Player::Zero { [own, enemy] } else { [enemy, own] });
        f64::from(self.evaluation.worth(&child) * player.sign() as f32)
    }

    /// Returns a joint move of a player, built by looking one turn ahead, against enemy moves with these weights.
    fn build(
        &self,
        state: &State,
        player: Player,
        proposals: &[Proposal],
        enemy: &[(&[Action], f64)],
    ) -> combine::Built<Action> {
        let actions: Vec<Action> = proposals.iter().map(|proposal| proposal.action).collect();
        combine::build(state, player, &actions, |chosen| {
            enemy.iter().map(|(enemy, part)| part * self.worth_after(state, player, chosen, enemy)).sum()
        })
    }

    fn proposals(&mut self, state: &State, player: Player, turns: u32) -> Vec<Proposal> {
        let limit = if turns == 0 { self.settings.actions } else { self.settings.later_actions };
        self.proposer.propose(&self.evaluation, state, player, limit).copied().collect()
    }

    /// Returns the actions with which variants should start, the most promising first: actions that kill, then the best
    /// action that grows a root, a sporer and a harvester, and then all actions. These are ordered by their loss
    /// compared with the best action of their organism.
    fn firsts(&self, state: &State, player: Player, built: &combine::Built<Action>) -> Vec<Action> {
        let kills = |action: &Action| {
            action.kind == Kind::Tentacle
                && matches!(state.content(action.to.step(action.dir)),
                    Content::Organ { owner, .. } if owner != player)
        };
        let mut firsts: Vec<Action> =
            built.alone.iter().map(|&(action, _)| action).filter(kills).take(2).collect();
        for kind in [Kind::Root, Kind::Sporer, Kind::Harvester] {
            firsts.extend(built.alone.iter().map(|&(action, _)| action).find(|action| action.kind == kind));
        }
        let best_of = |action: &Action| {
            let organism = state.organism(action.from);
            let alike = |other: &&(Action, f64)| state.organism(other.0.from) == organism;
            built.alone.iter().find(alike).map_or(0.0, |other| other.1)
        };
        let mut by_loss: Vec<(Action, f64)> =
            built.alone.iter().map(|&(action, gain)| (action, best_of(&action) - gain)).collect();
        by_loss.sort_by(|a, b| a.1.total_cmp(&b.1));
        firsts.extend(by_loss.into_iter().map(|(action, _)| action));
        firsts
    }
}

impl MatrixEvaluator<State> for Foresight {
    fn candidates(&mut self, state: &State, turns: u32, moves: &mut [Vec<Vec<Action>>; 2]) {
        let proposals = Player::BOTH.map(|player| self.proposals(state, player, turns));
        let mut expected = Player::BOTH.map(|player| self.by_rule(state, player));
        let rounds = if turns == 0 { self.settings.rounds } else { 1 };
        let mut built = None;
        for _ in 0..rounds {
            let found = Player::BOTH.map(|player| {
                let enemy: &[Action] = &expected[player.other()];
                self.build(state, player, &proposals[player], &[(enemy, 1.0)])
            });
            expected = Player::BOTH.map(|player| found[player].chosen.clone());
            built = Some(found);
        }
        let Some(built) = built else { return };
        for player in Player::BOTH {
            let count = match turns {
                0 if player == self.player => self.settings.own_moves,
                0 => self.settings.enemy_moves,
                _ => self.settings.later_moves,
            };
            let gaining: Vec<Action> = built[player]
                .alone
                .iter()
                .filter(|(_, gain)| *gain > 0.0)
                .map(|&(action, _)| action)
                .collect();
            let firsts = self.firsts(state, player, &built[player]);
            moves[player] = combine::variants(state, player, &built[player].chosen, &gaining, &firsts, count);
        }
    }

    fn value(&mut self, state: &State) -> f64 {
        self.evaluation.value(state)
    }

    fn best_response(
        &mut self,
        state: &State,
        player: Player,
        turns: u32,
        mix: &[(&Vec<Action>, f64)],
    ) -> Option<Vec<Action>> {
        if turns >= self.settings.answers {
            return None;
        }
        let proposals = self.proposals(state, player, turns);
        let enemy: Vec<(&[Action], f64)> = mix.iter().map(|&(mv, part)| (&mv[..], part)).collect();
        let built = self.build(state, player, &proposals, &enemy);
        Some(state.combine(player, &built.chosen))
    }
}
