//! A bag of chips with a fixed order of draws.

use crate::{Colour, State, CHIPS, SIZE};
use std::fmt;
use std::str::FromStr;

/// All 49 chips, in the order of their draws.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bag([Colour; SIZE * SIZE]);

impl FromStr for Bag {
    type Err = String;

    /// Parses 49 digits.
    fn from_str(text: &str) -> Result<Bag, String> {
        let mut chips = [0; SIZE * SIZE];
        let digits = text.chars().count();
        if digits != chips.len() {
            return Err(format!(
                "a bag has 49 digits, one for each chip in the order of the draws, not {digits}"
            ));
        }
        let mut counts = [0; CHIPS + 1];
        for (chip, digit) in chips.iter_mut().zip(text.chars()) {
            *chip = digit
                .to_digit(10)
                .map(|digit| digit as Colour)
                .filter(|colour| (1..=CHIPS as Colour).contains(colour))
                .ok_or_else(|| format!("a bag has colours 1 to 7, not {digit:?}"))?;
            counts[usize::from(*chip)] += 1;
        }
        match (1..=CHIPS).find(|&colour| counts[colour] != CHIPS) {
            Some(colour) => Err(format!(
                "a bag has seven chips of each colour, but this bag has {} of colour {colour}",
                counts[colour]
            )),
            None => Ok(Bag(chips)),
        }
    }
}

impl fmt::Display for Bag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|chip| write!(f, "{chip}"))
    }
}

impl Bag {
    /// Returns the next chip to draw.
    pub(crate) fn next(&self, state: &State) -> Option<Colour> {
        self.0.get(state.placed() as usize).copied()
    }
}
