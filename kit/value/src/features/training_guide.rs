//! The guide of the search that plays the games of a training run.

use super::{Evaluation, Features};
use contender_search::{TacticalConfig, Tactics};

/// An evaluation together with the tactics of its game: the guide of the search that plays and labels the games of a
/// training run. Use the same tactics as in your bot, so that the training learns from games in which checks, drops and
/// passes are searched as your bot searches them.
///
/// Values must be in the unit of [`Evaluation`], from -[`WON`](crate::WON) to [`WON`](crate::WON). An [`Evaluation`]
/// alone only knows [noisy moves](Features::is_noisy).
///
/// ```
/// use contender_game::prelude::*;
/// use contender_search::{Heuristics, NoChance, TacticalConfig, TacticalSearch, Tactics};
/// use contender_value::{Evaluation, Features, TrainingGuide, WON};
///
/// # #[path = "../../../game/tests/toy_games/mod.rs"] mod toys;
/// # use toys::Nim;
/// # impl Features for Nim {
/// #     type ChanceModel = NoChance;
/// #     const COUNT: usize = 1;
/// #     fn features(&self, player: Player, mut add: impl FnMut(usize)) {
/// #         if self.mover != player && self.matches % 4 == 0 {
/// #             add(0);
/// #         }
/// #     }
/// # }
/// struct Guide(Evaluation<Nim>);
///
/// impl Heuristics<Nim> for Guide {
///     fn evaluate(&mut self, state: &Nim) -> i32 {
///         self.0.evaluate(state)
///     }
///     fn finished(&mut self, state: &Nim) -> i32 {
///         WON * state.value()
///     }
/// }
///
/// impl Tactics<Nim> for Guide {
///     fn is_check(&self, state: &Nim) -> bool {
///         state.matches < 4
///     }
///     fn decisive(&self) -> i32 {
///         WON
///     }
/// }
///
/// impl TrainingGuide<Nim> for Guide {
///     /// A match is worth a tenth of a win.
///     const TACTICS: TacticalConfig = TacticalConfig::of_unit(WON / 10);
///     fn new(evaluation: Evaluation<Nim>) -> Guide {
///         Guide(evaluation)
///     }
/// }
///
/// // In `workbench/main.rs`: contender::learns_features_with::<Contest, Guide>();
/// ```
pub trait TrainingGuide<G: Features>: Tactics<G> + 'static {
    /// The techniques of the search. A recipe's `quiescence` replaces
    /// [`TacticalConfig::quiescence`].
    const TACTICS: TacticalConfig;

    /// Creates the guide of an evaluation.
    #[must_use]
    fn new(evaluation: Evaluation<G>) -> Self;
}

impl<G: Features> TrainingGuide<G> for Evaluation<G> {
    const TACTICS: TacticalConfig = TacticalConfig::NONE;

    fn new(evaluation: Evaluation<G>) -> Evaluation<G> {
        evaluation
    }
}
