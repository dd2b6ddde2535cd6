//! The layout of the numbers of an evaluation.

use std::ops::Range;

/// The numbers of an evaluation, one after the other: the weighted sum, and a hidden layer that sees what a sum cannot.
///
/// Each player has the same layer, which sees what he has and what the opponent has. So a feature has a row of
/// `2 * neurons` numbers: what it adds to the neurons of who has it, then to those of the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Neurons of the hidden layer; 0 of a weighted sum.
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

    /// Returns the number of numbers.
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

    /// Returns all of them.
    #[must_use]
    pub fn parts(&self) -> Vec<Range<usize>> {
        vec![self.linear.clone(), self.biases.clone(), self.outputs.clone(), self.rows.clone()]
    }
}
