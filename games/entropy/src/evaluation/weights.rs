//! The weights of the evaluation, in memory and as text.

use super::{Inputs, INPUTS, NAMES, POINT};
use contender_game::settings::Shipped;
use std::fmt;
use std::str::FromStr;

/// Number of decisions in a game: 49 placements of Chaos and 48 moves of Order.
pub const TURNS: usize = 97;

/// The weights for one decision of the game. The sum of the terms is added to the current score.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TurnWeights {
    /// The constant term, in points.
    pub bias: f32,
    /// Points for each unit of each input, in the order of [`NAMES`].
    pub inputs: [f32; INPUTS],
}

/// The weights for every decision of a game.
///
/// The text form is a table. Its first line is `turn bias` followed by the names of all inputs. Then each turn from 0
/// to 96 has a line with its number, its bias and its weights, separated by spaces. Blank lines and lines that begin
/// with `#` are skipped.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// The weights, indexed by the number of the decision.
    pub turns: [TurnWeights; TURNS],
}

/// The weights of the bundled bots, as text.
const SHIPPED: &str = include_str!("weights.txt");

impl Weights {
    /// All weights are zero, so the value of a position is its current score.
    pub const ZERO: Weights = Weights { turns: [TurnWeights { bias: 0.0, inputs: [0.0; INPUTS] }; TURNS] };

    /// Returns the value of a position at decision `turn` with these points and inputs, in thousandths of a point.
    ///
    /// # Panics
    /// Panics if `turn` is 97 or more.
    #[inline]
    #[must_use]
    pub fn value(&self, turn: usize, points: i32, inputs: &Inputs) -> i32 {
        let weights = &self.turns[turn];
        let mut sum = weights.bias;
        for (weight, &input) in weights.inputs.iter().zip(inputs) {
            sum += weight * input as f32;
        }
        POINT * points + (POINT as f32 * sum).round() as i32
    }
}

impl Shipped for Weights {
    const NAME: &'static str = "weights";

    /// Returns the weights of the bundled bots. `lab/notes/entropy-learning.md` contains the recipe of their training
    /// run.
    fn shipped() -> Weights {
        SHIPPED.parse().expect("a test reads the weights that are compiled in")
    }

    fn read(bytes: &[u8]) -> Result<Weights, String> {
        std::str::from_utf8(bytes).map_err(|_| "it is not text".to_string())?.parse()
    }
}

impl fmt::Display for Weights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "turn bias {}", NAMES.join(" "))?;
        for (turn, weights) in self.turns.iter().enumerate() {
            write!(f, "{turn} {}", weights.bias)?;
            for weight in weights.inputs {
                write!(f, " {weight}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

/// Maximum absolute value of a weight, so that sums stay far within the range of values.
const MAX_WEIGHT: f32 = 1000.0;

impl FromStr for Weights {
    type Err = String;

    /// Parses the text form.
    ///
    /// # Errors
    /// Returns an error with the reason and the number of the line.
    fn from_str(text: &str) -> Result<Weights, String> {
        let is_data = |line: &str| !line.is_empty() && !line.starts_with('#');
        let mut lines = text
            .lines()
            .map(str::trim)
            .enumerate()
            .filter(|(_, line)| is_data(line))
            .map(|(at, line)| (at + 1, line));
        let header = ["turn", "bias"].into_iter().chain(NAMES);
        match lines.next() {
            Some((_, line)) if line.split_whitespace().eq(header) => {}
            Some((at, _)) => return Err(format!("line {at}: expected `turn bias {}`", NAMES.join(" "))),
            None => return Err("there are no weights".to_string()),
        }
        let mut weights = Weights::ZERO;
        for (turn, row) in weights.turns.iter_mut().enumerate() {
            let (at, line) =
                lines.next().ok_or_else(|| format!("turn {turn} of 0 to {} is missing", TURNS - 1))?;
            *row = parse_row(turn, line).map_err(|error| format!("line {at}: {error}"))?;
        }
        match lines.next() {
            None => Ok(weights),
            Some((at, _)) => Err(format!("line {at}: expected nothing after turn {}", TURNS - 1)),
        }
    }
}

fn parse_row(turn: usize, line: &str) -> Result<TurnWeights, String> {
    let mut words = line.split_whitespace();
    if words.next() != Some(turn.to_string().as_str()) {
        return Err(format!("expected the weights of turn {turn}"));
    }
    let mut next = |name: &str| {
        let word = words.next().ok_or_else(|| format!("the weight of {name} is missing"))?;
        let number: f32 = word.parse().map_err(|error| format!("the weight of {name}: {error}"))?;
        if number.abs() <= MAX_WEIGHT {
            Ok(number)
        } else {
            Err(format!("the weight of {name} is {number}, beyond {MAX_WEIGHT}"))
        }
    };
    let mut row = TurnWeights { bias: next("the bias")?, inputs: [0.0; INPUTS] };
    for (weight, name) in row.inputs.iter_mut().zip(NAMES) {
        *weight = next(name)?;
    }
    match words.next() {
        None => Ok(row),
        Some(_) => Err(format!("there are only {INPUTS} inputs")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Rng;

    fn random() -> Weights {
        let mut rng = Rng::new(1);
        let mut weights = Weights::ZERO;
        for row in &mut weights.turns {
            row.bias = rng.unit() as f32;
            for weight in &mut row.inputs {
                *weight = (rng.unit() - 0.5) as f32;
            }
        }
        weights
    }

    #[test]
    fn the_shipped_weights_are_well_formed() {
        let _ = Weights::shipped();
    }

    #[test]
    fn text_and_back() {
        let weights = random();
        assert_eq!(weights.to_string().parse(), Ok(weights.clone()));
        let spaced = format!("# a comment\n\n{}", weights.to_string().replace('\n', "  \r\n\n"));
        assert_eq!(spaced.parse(), Ok(weights));
    }

    #[test]
    fn errors_name_the_line() {
        let good = Weights::ZERO.to_string();
        let error = |text: &str| text.parse::<Weights>().unwrap_err();
        assert_eq!(error(""), "there are no weights");
        assert!(error("turn bias").starts_with("line 1: expected `turn bias potential4 "));
        assert_eq!(error(&good.replace("\n5 ", "\n6 ")), "line 7: expected the weights of turn 5");
        assert_eq!(
            error(&good.replace("\n5 0", "\n5 NaN")),
            "line 7: the weight of the bias is NaN, beyond 1000"
        );
        assert_eq!(
            error(&good.replace("\n5 0", "\n5 x")),
            "line 7: the weight of the bias: invalid float literal"
        );
        assert_eq!(error(&good.replace("\n5 0", "\n5 0 0")), "line 7: there are only 14 inputs");
        assert_eq!(error(&good.replace("\n5 0", "\n5")), "line 7: the weight of idle_mobility is missing");
        assert_eq!(error(&format!("{good}97 0")), "line 99: expected nothing after turn 96");
        let short: String = good.lines().take(98 - 1).map(|line| format!("{line}\n")).collect();
        assert_eq!(error(&short), "turn 96 of 0 to 96 is missing");
    }

    #[test]
    fn a_value_is_points_and_the_linear_part() {
        let mut weights = Weights::ZERO;
        weights.turns[3].bias = 0.5;
        weights.turns[3].inputs[0] = 2.0;
        weights.turns[3].inputs[INPUTS - 1] = -0.001;
        let mut inputs = [0; INPUTS];
        inputs[0] = 7;
        inputs[INPUTS - 1] = 30;
        assert_eq!(weights.value(3, 10, &inputs), 10_000 + 500 + 14_000 - 30);
        assert_eq!(weights.value(4, 10, &inputs), 10_000);
    }
}
