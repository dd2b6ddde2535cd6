//! Errors for arguments that are outside the range of a test or a simulation.

/// An argument that is outside the range of a test or a simulation.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StatsError {
    /// Hypotheses of a sequential test that are not in ascending order.
    #[error("the hypotheses must be two numbers in ascending order, not {0} and {1}")]
    HypothesesNotAscending(f64, f64),
    /// A hypothesis of a sequential test that is so large that likelihoods overflow.
    #[error("the hypotheses must be between -1000000 and 1000000, not {0} and {1}")]
    HypothesesTooLarge(f64, f64),
    /// An invalid probability of a wrong decision.
    #[error("an error probability must be between 0 and 0.5, not {0}")]
    ErrorProbability(f64),
    /// An invalid standard deviation of a pair's difference.
    #[error("a standard deviation must be positive, not {0}")]
    Deviation(f64),
    /// An invalid number of players in a game.
    #[error("a game needs at least 2 players, not {0}")]
    Players(u16),
    /// Invalid weights of a pair's five results.
    #[error(
        "the weights of the five results of a pair must be positive, and symmetric because the bots are equal"
    )]
    ResultWeights,
    /// An advantage in Elo that is so large that one bot wins every game.
    #[error("with an advantage of {0} Elo, the other bot would never win")]
    Advantage(f64),
    /// An invalid advantage in normalised rank.
    #[error("an advantage in rank must be between -0.5 and 0.5, not {0}")]
    RankAdvantage(f64),
}
