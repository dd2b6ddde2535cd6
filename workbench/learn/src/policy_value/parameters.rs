//! The initial parameters of a network.

use contender_game::rules::Rng;
use contender_nn::policy_value::Shape;

/// Returns random parameters, scaled so that signals neither vanish nor explode (He, Zhang, Ren and Sun, "Delving deep
/// into rectifiers", 2015). Blocks start close to the identity, and outputs close to 0 (Zhang, Dauphin and Ma, "Fixup
/// initialization", 2019).
pub(super) fn random_parameters(shape: Shape, rng: &mut Rng) -> Vec<f32> {
    let layout = shape.layout();
    let mut parameters = vec![0.0f32; shape.parameters()];
    let mut fill = |range: &std::ops::Range<usize>, deviation: f64| {
        for parameter in &mut parameters[range.clone()] {
            // A sum of twelve uniform numbers is approximately normal, with standard deviation 1.
            let normal: f64 = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
            *parameter = (deviation * normal) as f32;
        }
    };
    // About eight input numbers of a cell are not 0.
    fill(&layout.embed, 0.35);
    let of_block = (2.0 / (9 * shape.channels) as f64).sqrt();
    for (layer, [weights, _]) in layout.convolutions.iter().enumerate() {
        fill(weights, if layer % 2 == 0 { of_block } else { 0.2 * of_block });
    }
    fill(&layout.heads, 0.3 / (shape.channels as f64).sqrt());
    fill(&layout.wait, 0.01);
    fill(&layout.hidden, (2.0 / shape.cells() as f64).sqrt());
    fill(&layout.value, 0.3 / (shape.hidden as f64).sqrt());
    // Each cell has one number for the value. If it starts below 0 everywhere, the rectifier cuts it off for good. Its
    // inputs are never negative, so non-negative weights prevent that.
    let heads = shape.heads();
    for weight in parameters[layout.heads.clone()].iter_mut().skip(heads - 1).step_by(heads) {
        *weight = weight.abs();
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::super::evaluator::Evaluator;
    use super::*;
    use contender_cellularena::learning::Cellularena;
    use contender_nn::policy_value::Network;
    use contender_puct::LearnedGame;

    #[test]
    fn a_network_begins_with_a_value_that_can_learn() {
        let shape = Cellularena::shape(16, 1, 70, 1);
        for seed in 0..60 {
            let parameters = random_parameters(shape, &mut Rng::new(seed));
            let network = Network::new(shape, &parameters);
            let mut network = Evaluator::new(&network);
            let values = [3, 4, 5].map(|seed| {
                let state = Cellularena::start(seed);
                network.ask::<Cellularena>(&state, &Cellularena::views(&state)[0]).value
            });
            assert!(values[0] != values[1] || values[1] != values[2], "{values:?} with seed {seed}");
        }
    }
}
