//! The order of the numbers of an evaluation.

use std::ops::Range;

/// The ranges of an evaluation's numbers in one list: the weighted sum, followed by a hidden layer that can evaluate
/// combinations of features.
///
/// The hidden layer is computed once for each player. Its inputs are the player's features and the opponent's features.
/// Each feature therefore has a row of `2 * neurons` numbers: its contributions to the owner's neurons, and its
/// contributions to the opponent's neurons.
///
/// ```
/// use contender_value::Layout;
///
/// let layout = Layout::new(100, 8);
/// // A constant and 100 weights; a bias and an output weight for each neuron; 16 numbers for each feature.
/// assert_eq!(layout.count(), 101 + 2 * 8 + 100 * 16);
/// assert_eq!(layout.row(99).end, layout.count());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    /// Number of neurons in the hidden layer; 0 for a weighted sum.
    pub neurons: usize,
    /// The bonus for player 0, and the weight of each feature.
    pub linear: Range<usize>,
    /// The bias of each neuron.
    pub biases: Range<usize>,
    /// The output weight of each neuron.
    pub outputs: Range<usize>,
    /// The row of each feature.
    pub rows: Range<usize>,
}

impl Layout {
    /// Creates the layout for this number of features and neurons.
    #[must_use]
    pub fn new(features: usize, neurons: usize) -> Layout {
        let linear = 0..1 + features;
        let biases = linear.end..linear.end + neurons;
        let outputs = biases.end..biases.end + neurons;
        let rows = outputs.end..outputs.end + 2 * neurons * features;
        Layout { neurons, linear, biases, outputs, rows }
    }

    /// Returns the total number of the evaluation's numbers.
    #[must_use]
    pub fn count(&self) -> usize {
        self.rows.end
    }

    /// Returns the range of a feature's row.
    #[inline]
    #[must_use]
    pub fn row(&self, feature: usize) -> Range<usize> {
        let first = self.rows.start + 2 * self.neurons * feature;
        first..first + 2 * self.neurons
    }

    /// Returns the ranges of all parts of the layout.
    #[must_use]
    pub fn parts(&self) -> Vec<Range<usize>> {
        vec![self.linear.clone(), self.biases.clone(), self.outputs.clone(), self.rows.clone()]
    }
}
