//! The results of a tuning so far, for reports and charts.

use super::*;

impl Tuning {
    /// Returns the recipe.
    #[must_use]
    pub fn recipe(&self) -> &Recipe {
        &self.recipe
    }

    /// Returns the space.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Returns the unit of strengths.
    #[must_use]
    pub fn unit(&self) -> Unit {
        self.unit
    }

    /// Returns the plan, or `None` if the noise is not known yet.
    #[must_use]
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref()
    }

    /// Returns the point with the best values, once it is known.
    #[must_use]
    pub fn answer(&self) -> Option<&[f64]> {
        self.answer.as_deref()
    }

    /// Returns the recorded states of the search, in chronological order.
    #[must_use]
    pub fn trace(&self) -> &[Traced] {
        &self.trace
    }

    /// Returns the test and the additional test at the recipe's time limit.
    #[must_use]
    pub fn tests(&self) -> &[Option<TestState>; 2] {
        &self.tests
    }

    /// Returns the number of pairs played to measure the noise, and the planned number of such pairs.
    #[must_use]
    pub fn noise_pairs(&self) -> (u64, u64) {
        (self.measured, NOISE_PAIRS)
    }

    /// Returns the number of pairs played in the search.
    #[must_use]
    pub fn tuned(&self) -> u64 {
        self.tuned
    }

    /// Describes the pairs in which a bot failed, or returns `None` if there are none.
    #[must_use]
    pub fn failures(&self) -> Option<String> {
        (!self.failures.is_empty()).then(|| {
            let words = self.failures.in_words(&self.space);
            format!("{words}\nA pair in which the bot fails counts as lost, and tuning avoids these values")
        })
    }

    /// Returns the number of games that were stopped because they reached the maximum number of turns.
    #[must_use]
    pub fn endless(&self) -> u64 {
        self.endless
    }

    /// Returns the number of pairs that do not count, because a bot lost on time while the machine was busy. In a test,
    /// such a pair counts as one without a difference.
    #[must_use]
    pub fn overloaded(&self) -> u64 {
        self.overloaded
    }

    /// Returns the response fitted to the pairs of the search, or `None` if there are too few pairs.
    #[must_use]
    pub fn response(&self) -> Option<(Quadratic, Fit)> {
        let form = Quadratic::new(&self.space);
        let fit = form.fit(&self.pairs)?;
        Some((form, fit))
    }

    /// Returns the advantage of one point over another and its standard error. They come from the model if there is
    /// one, and otherwise from the fitted [`response`](Tuning::response).
    #[must_use]
    pub fn difference(&self, (form, fit): &(Quadratic, Fit), a: &[f64], b: &[f64]) -> [f64; 2] {
        self.model().map_or_else(|| form.difference(fit, a, b), |model| model.difference(a, b))
    }

    /// Returns whether the search has a model of the response.
    #[must_use]
    pub fn has_model(&self) -> bool {
        self.model().is_some()
    }

    fn model(&self) -> Option<&Surface> {
        self.search.as_ref()?.model()
    }

    /// Returns the maximum loss of the answer compared with the best point, with the recipe's confidence. Returns
    /// `None` if the answer is not known yet or if there is no model.
    #[must_use]
    pub fn within(&self) -> Option<f64> {
        self.answer.as_ref().and(self.model()?.within())
    }

    /// Returns the range of a parameter's positions at which pairs have been played, or `None` before the first pair.
    #[must_use]
    pub fn tried(&self, parameter: usize) -> Option<Interval> {
        let places = self.pairs.iter().flat_map(|(duel, _)| &duel.points).map(|point| point[parameter]);
        let ends = places
            .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], place| [low.min(place), high.max(place)]);
        (ends[0] <= ends[1]).then_some(Interval { low: ends[0], high: ends[1] })
    }
}
