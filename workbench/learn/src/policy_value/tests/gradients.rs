//! Tests of losses and their gradients, compared with slow computations.

use super::*;
use contender_cellularena::network::View;

fn slow_log_probability(decision: &Decision<Cellularena>, side: usize, output: &Output<'_>) -> f64 {
    let view = if side == 1 { decision.view.beside() } else { decision.view };
    let lines = if side == 1 { decision.beside.as_ref().expect("it is there") } else { &decision.lines };
    let mut sum = 0.0;
    for (picks, weight) in lines {
        let mut choices = Choices::new(&decision.state, view);
        for &pick in picks {
            let mut possible = vec![WAIT];
            choices.list(&mut possible);
            let numbers = (output.shape, output.logits, output.wait);
            let odds = |pick| f64::from(logit::<Cellularena>(numbers, &view, pick)).exp();
            let all: f64 = possible.iter().map(|&pick| odds(pick)).sum();
            sum += f64::from(*weight) * (odds(pick) / all).ln();
            if pick != WAIT {
                choices.take(pick);
            }
        }
    }
    sum
}

/// Returns the loss, computed again from its terms in the obvious way.
fn slow_loss(decision: &Decision<Cellularena>, terms: &LossTerms, output: &Output<'_>) -> f64 {
    let [log_probability, entropy, ..] = *terms;
    assert!((log_probability - slow_log_probability(decision, 0, output)).abs() < 1e-3);
    let of_value = f64::from(LEARNING.value) * f64::from(output.value - decision.target).powi(2)
        - slow_log_probability(decision, 1, output);
    match decision.goal {
        Goal::Imitate => of_value - log_probability,
        Goal::Improve { log_probability: before, advantage } => {
            let (ratio, advantage) = ((log_probability - f64::from(before)).exp(), f64::from(advantage));
            let clip = f64::from(LEARNING.clip);
            let gain = (ratio * advantage).min(ratio.clamp(1.0 - clip, 1.0 + clip) * advantage);
            of_value - gain - f64::from(LEARNING.entropy) * entropy
        }
    }
}

/// Returns a decision of the player whose turn it is: in two of four turns, the player imitates a search; in the
/// others, it improves its own move.
fn decision_of(
    turn: usize,
    state: &State,
    view: View,
    advice: &[Analysis<Vec<Action>>; 2],
    rng: &mut Rng,
) -> Decision<Cellularena> {
    let player = Player::BOTH[turn % 2];
    let found = &advice[player];
    assert!(found.moves[0].value[0].abs() <= 2.0);
    assert!((found.strategy.iter().sum::<f64>() - 1.0).abs() < 1e-3);
    let mut lines: Vec<(Vec<Pick>, f32)> = found
        .moves
        .iter()
        .zip(&found.strategy)
        .map(|(of, part)| (line::<Cellularena>(state, &view, &of.mv, rng), *part as f32))
        .collect();
    let mut goal = Goal::Imitate;
    if turn % 4 >= 2 {
        lines = vec![(lines.swap_remove(0).0, 1.0)];
        let log_probability = -2.0 * lines[0].0.len() as f32;
        goal = Goal::Improve { log_probability, advantage: if turn % 4 == 2 { 0.8 } else { -0.8 } };
    }
    let enemys = &advice[player.other()].moves[0].mv;
    let beside = Some(vec![(line::<Cellularena>(state, &view.beside(), enemys, rng), 0.7)]);
    Decision { state: Arc::new(state.clone()), view, lines, beside, goal, target: 0.4 }
}

/// Checks a slope with two values of the loss, at steps of 0.01 up and down.
fn near(name: &str, slope: f32, up: f64, down: f64) {
    let difference = ((up - down) / 0.02) as f32;
    assert!((slope - difference).abs() < 2e-2 * (1.0 + difference.abs()), "{name}: {slope} {difference}");
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let mut rng = Rng::new(4);
    let clock = clock(Some(1));
    let mut state = Cellularena::start(9);
    let views = Cellularena::views(&state);
    let (mut mixed, mut clipped) = (0, 0);
    for turn in 0..12 {
        let player = Player::BOTH[turn % 2];
        let view = views[player];
        let advice = think("heuristic", &state, &clock, 0);
        mixed += usize::from(advice[player].moves.len() > 1);
        let decision = decision_of(turn, &state, view, &advice, &mut rng);
        let shape = shape(2);
        let places: Vec<usize> =
            [(view, &decision.lines), (view.beside(), decision.beside.as_ref().unwrap())]
                .into_iter()
                .flat_map(|(view, lines)| {
                    let picks = lines.iter().flat_map(|line| &line.0).filter(|&&pick| pick != WAIT);
                    picks.map(move |&pick| Cellularena::place(shape, &view, pick))
                })
                .collect();
        let sample = Sample::<Cellularena> { decision: &decision, learning: &LEARNING };
        let count = shape.cells() * shape.head_stride();
        let logits: Vec<f32> = (0..count).map(|_| rng.unit() as f32 * 4.0 - 2.0).collect();
        let loss = |logits: &[f32], wait: [f32; SIDES], value: f32| {
            let mut slopes = vec![0.0; count];
            let mut gradient = OutputGradient { logits: &mut slopes, wait: [0.0; SIDES], value: 0.0 };
            let output = Output { shape, logits, wait, value };
            let terms = sample.loss(&output, &mut gradient);
            let (of_wait, of_value) = (gradient.wait, gradient.value);
            (slow_loss(&decision, &terms, &output), slopes, of_wait, of_value, terms[4])
        };
        let waits = [0.3, -0.2];
        let (_, slopes, of_wait, of_value, is_clipped) = loss(&logits, waits, 0.1);
        clipped += usize::from(is_clipped > 0.0);
        for side in 0..SIDES {
            let moved = |by: f32| {
                let mut waits = waits;
                waits[side] += by;
                loss(&logits, waits, 0.1).0
            };
            near("wait", of_wait[side], moved(0.01), moved(-0.01));
        }
        near("value", of_value, loss(&logits, waits, 0.11).0, loss(&logits, waits, 0.09).0);
        for at in places {
            let moved = |by: f32| {
                let mut logits = logits.clone();
                logits[at] += by;
                loss(&logits, waits, 0.1).0
            };
            near("logit", slopes[at], moved(0.01), moved(-0.01));
        }
        state.play([&advice[0].moves[0].mv, &advice[1].moves[0].mv]);
    }
    assert!(mixed > 0 && clipped > 0, "{mixed} {clipped}");
}

/// Returns at most four random picks of a turn, each with all picks that were possible.
fn random_picks(state: &State, view: View, rng: &mut Rng) -> (Vec<Pick>, Vec<Vec<Pick>>) {
    let (mut picks, mut masks) = (Vec::new(), Vec::new());
    let mut choices = Cellularena::choices(state, &view);
    while picks.len() < 4 && picks.last() != Some(&WAIT) {
        let mut possible = Vec::new();
        choices.list(&mut possible);
        possible.push(WAIT);
        let pick = *rng.choose(&possible);
        if pick != WAIT {
            choices.take(pick);
        }
        picks.push(pick);
        masks.push(possible);
    }
    (picks, masks)
}

/// A batch of decisions and some numbers of its gradient, which `workbench/python/tests/test_torch.py` compares with
/// PyTorch's. `CONTENDER_WRITE_BOOK=1` writes the file.
#[test]
fn the_gradient_is_the_one_that_pytorch_is_compared_with() {
    let shape = Cellularena::shape(16, 1, 4, 1);
    let parameters: Vec<f32> =
        (0..shape.parameters()).map(|at| (0.2 * (0.7 * at as f64).sin()) as f32).collect();
    let learning = Learning { entropy: 0.02, ..LEARNING };
    let engine = Engine::new(shape, &parameters, 1);
    let mut rng = Rng::new(6);
    let mut state = Cellularena::start(9);
    let views = Cellularena::views(&state);
    let (mut decisions, mut told) = (Vec::new(), Vec::new());
    for (turn, moved) in [0.0, 0.1, -0.1, -0.4, -0.4, 0.05].into_iter().enumerate() {
        let player = Player::BOTH[turn % 2];
        let view = views[player];
        let action = |pick: Pick| {
            let at = Cellularena::place(shape, &view, pick);
            if pick == WAIT {
                shape.cells() * shape.actions
            } else {
                at / shape.head_stride() * shape.actions + at % shape.head_stride()
            }
        };
        let (picks, masks) = random_picks(&state, view, &mut rng);
        let masks: Vec<Vec<usize>> =
            masks.into_iter().map(|possible| possible.into_iter().map(action).collect()).collect();
        let actions: Vec<usize> = picks.iter().copied().map(action).collect();
        let mut decision = Decision {
            state: Arc::new(state.clone()),
            view,
            lines: vec![(picks, 1.0)],
            beside: None,
            goal: Goal::Improve { log_probability: 0.0, advantage: 0.0 },
            target: 0.4 - 0.2 * turn as f32,
        };
        let sample = Sample::<Cellularena> { decision: &decision, learning: &learning };
        let mut input = Planes::default();
        sample.encode(&mut input);
        let [found, ..] = engine.gradient(&[&sample], &mut vec![0.0; parameters.len()]);
        let (log_probability, advantage) = (found as f32 + moved, if turn % 3 == 0 { 0.8 } else { -0.8 });
        decision.goal = Goal::Improve { log_probability, advantage };
        let Size { width, height } = input.size();
        told.push(serde_json::json!({
            "width": width,
            "everywhere": input.everywhere(),
            "cells": (0..width * height).map(|at| input.cell(at)).collect::<Vec<_>>(),
            "masks": masks,
            "actions": actions,
            "log_probability": log_probability,
            "advantage": advantage,
            "target": decision.target,
        }));
        decisions.push(decision);
        let advice = think("heuristic", &state, &clock(Some(1)), 0);
        state.play([&advice[0].moves[0].mv, &advice[1].moves[0].mv]);
    }
    let samples: Vec<_> = decisions.iter().map(|decision| Sample { decision, learning: &learning }).collect();
    let mut gradient = vec![0.0; parameters.len()];
    let terms = engine.gradient(&samples.iter().collect::<Vec<_>>(), &mut gradient);
    assert!(terms[4] > 0.0, "one is clipped");
    compare_with_file(&learning, &told, gradient);
}

/// Compares some numbers of the gradient with the file.
fn compare_with_file(learning: &Learning, told: &[serde_json::Value], gradient: Vec<f32>) {
    let some: Vec<f32> = gradient.into_iter().step_by(7).collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/policy_value/gradient.json");
    if std::env::var_os("CONTENDER_WRITE_BOOK").is_some() {
        let file = serde_json::json!({
            "clip": learning.clip, "entropy": learning.entropy, "value": learning.value,
            "decisions": told, "gradient": some,
        });
        std::fs::write(path, format!("{file}\n")).unwrap();
    }
    let file: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let written: Vec<f32> = serde_json::from_value(file["gradient"].clone()).unwrap();
    assert_eq!(written.len(), some.len());
    for (written, some) in written.iter().zip(&some) {
        assert!((written - some).abs() < 1e-5, "{written} {some}");
    }
}

/// A channel that is never above 0 gets no gradient.
#[test]
fn channels_without_effect_are_named() {
    let shape = Cellularena::shape(16, 1, 4, 1);
    let mut rng = Rng::new(3);
    let mut parameters: Vec<f32> = (0..shape.parameters()).map(|_| 0.2 * (rng.unit() as f32 - 0.5)).collect();
    let layout = shape.layout();
    // Rectified numbers of the other channels cannot lift it.
    parameters[layout.convolutions[0][1].start + 3] = -1e6;
    let played = lesson(&imitation("heuristic"), false, 5, 1);
    let decisions: Vec<Decision<Cellularena>> = played.decisions.into_iter().map(|(_, _, of)| of).collect();
    let mut adam = Adam::new(parameters.len());
    let engine = Engine::new(shape, &parameters, 1);
    let mut gradient = vec![0.0; parameters.len()];
    for decision in &decisions {
        engine.gradient(&[&Sample { decision, learning: &LEARNING }], &mut gradient);
        adam.step(&mut parameters, &mut gradient, 0.0);
    }
    let sentences = idle_parts(shape, &adam);
    let planted = "1 of 16 channels of layer 2 never had any effect: 3";
    assert!(sentences.iter().any(|sentence| sentence == planted), "{sentences:?}");
    let others = sentences.iter().filter(|sentence| sentence.contains("layer"));
    assert_eq!(others.count(), 1, "{sentences:?}");
}
