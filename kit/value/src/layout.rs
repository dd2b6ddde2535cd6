//! The layout of the numbers of an evaluation.

use std::ops::Range;

/// The ranges of an evaluation's numbers, which are stored one after another: the weighted sum, and a hidden layer that
/// can evaluate combinations of features.
///
/// Both players have the same hidden layer. The inputs of a player's layer are the player's own features and the
/// opponent's features. So a feature has a row of `2 * neurons` numbers: what it adds to its owner's neurons, and then
/// what it adds to the opponent's neurons.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of neurons in the hidden layer; 0 for a weighted sum.
    pub neurons: usize,
    /// The value of being player 0, and the weight of each feature.
    pub linear: Range<usize>,
    /// The bias of each neuron.
    pub biases: Range<usize>,
    /// The output weight of each neuron.
    pub outputs: Range<usize>,
    /// The rows of the features.
    pub rows: Range<usize>,
}

impl Layout {
    /// Creates the layout for these numbers of features and neurons.
    #[must_use]
    pub fn new(features: usize, neurons: usize) -> Layout {
        let linear = 0..1 + features;
        let biases = linear.end..linear.end + neurons;
        let outputs = biases.end..biases.end + neurons;
        let rows = outputs.end..outputs.end + 2 * neurons * features;
        Layout { neurons, linear, biases, outputs, rows }
    }

    /// Returns how many numbers the evaluation has.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.end
    }

    /// Returns the row of a feature.
    #[inline]
    #[must_use]
    pub fn row(&self, feature: usize) -> Range<usize> {
        let first = self.rows.start + 2 * self.neurons * feature;
        first..first + 2 * self.neurons
    }

    /// Returns the ranges of all parts.
    #[must_use]
    pub fn parts(&self) -> Vec<Range<usize>> {
        vec![self.linear.clone(), self.biases.clone(), self.outputs.clone(), self.rows.clone()]
    }
}
