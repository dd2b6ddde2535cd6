//! Scores predictions of the values that a dataset omits.

use super::fit::FittedModel;
use anyhow::{Context, Result, bail, ensure};
use contender_entropy::evaluation::TURNS;
use contender_table::{Table, told};
use std::collections::HashMap;

/// Compares predictions with the values of a dataset.
///
/// `answers` has the columns `gameid`, `turn` and `minimax`; rows without a value are ignored. `predictions` has the
/// columns `gameid`, `turn` and `prediction`, with the rows in any order; predictions without an answer are ignored.
///
/// # Errors
/// Returns an error if a column is missing, if a position is predicted twice or not at all, if a prediction is not
/// finite, or if there are no answers.
pub fn score(answers: &Table, predictions: &Table) -> Result<FittedModel> {
    let mut predicted = HashMap::new();
    let values = told("prediction", predictions.numbers("prediction")?).context("the predictions")?;
    for (row, (place, value)) in
        places(predictions).context("the predictions")?.into_iter().zip(values).enumerate()
    {
        let [game, turn] = place;
        ensure!(value.is_finite(), "row {}: the prediction of game {game}, turn {turn} is {value}", row + 1);
        let former = predicted.insert(place, value);
        ensure!(former.is_none(), "row {}: game {game}, turn {turn} is predicted a second time", row + 1);
    }
    let mut turns: Vec<Vec<[f64; 2]>> = vec![Vec::new(); TURNS];
    let mut missing = Vec::new();
    let values = answers.numbers("minimax").context("the answers")?;
    for (row, (place, value)) in places(answers).context("the answers")?.into_iter().zip(values).enumerate() {
        let Some(value) = value else { continue };
        let turn = usize::try_from(place[1]).unwrap_or(TURNS);
        ensure!(
            turn < TURNS,
            "the answers: row {}: turn {} is none of 0 to {}",
            row + 1,
            place[1],
            TURNS - 1
        );
        match predicted.get(&place) {
            Some(&prediction) => turns[turn].push([prediction, value]),
            None => missing.push(place),
        }
    }
    if let [[game, turn], rest @ ..] = &missing[..] {
        bail!("{} positions are not predicted; the first is game {game}, turn {turn}", rest.len() + 1);
    }
    ensure!(turns.iter().any(|turn| !turn.is_empty()), "the answers tell no value");
    let mut model =
        FittedModel { name: "predictions".to_string(), turns: vec![], fits: vec![], predictions: vec![] };
    turns.into_iter().for_each(|rows| model.judge(rows.into_iter()));
    Ok(model)
}

/// Returns the game and the turn of each row.
fn places(table: &Table) -> Result<Vec<[i64; 2]>> {
    let column = |name: &str| told(name, table.numbers(name)?);
    let (games, turns) = (column("gameid")?, column("turn")?);
    Ok(games.into_iter().zip(turns).map(|(game, turn)| [game as i64, turn as i64]).collect())
}
