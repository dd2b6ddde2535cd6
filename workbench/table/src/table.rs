//! Tables, stored as columns of values.

use anyhow::{Context, Result, bail};

/// A table of columns with equal length.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// The columns, in the order in which they are written.
    pub columns: Vec<Column>,
}

/// A column of a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// The name of the column.
    pub name: String,
    /// The values of the column, row by row.
    pub values: Values,
}

/// The values of a column, which all have the same type.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Texts.
    Texts(Vec<String>),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Floating-point numbers.
    Numbers(Vec<f64>),
    /// Floating-point numbers, some of which may be unknown.
    Options(Vec<Option<f64>>),
}

impl Column {
    /// Creates a column.
    #[must_use]
    pub fn new(name: &str, values: Values) -> Column {
        Column { name: name.to_string(), values }
    }
}

impl Values {
    /// Returns the number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Texts(values) => values.len(),
            Values::Integers(values) => values.len(),
            Values::Numbers(values) => values.len(),
            Values::Options(values) => values.len(),
        }
    }

    /// Returns whether the column is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Formats the value in a row as text. An unknown value gives an empty text.
    pub(crate) fn write(&self, row: usize) -> String {
        match self {
            Values::Texts(values) => values[row].clone(),
            Values::Integers(values) => values[row].to_string(),
            Values::Numbers(values) => values[row].to_string(),
            Values::Options(values) => values[row].map_or(String::new(), |value| value.to_string()),
        }
    }
}

impl Table {
    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Returns the values of a numeric column. Unknown values are `None`.
    ///
    /// # Errors
    /// Returns an error if the column does not exist or is not numeric.
    pub fn numbers(&self, name: &str) -> Result<Vec<Option<f64>>> {
        let column = self.columns.iter().find(|column| column.name == name);
        let column = column.with_context(|| format!("unknown column `{name}`"))?;
        match &column.values {
            Values::Numbers(values) => Ok(values.iter().copied().map(Some).collect()),
            Values::Options(values) => Ok(values.clone()),
            Values::Integers(values) => Ok(values.iter().map(|&value| Some(value as f64)).collect()),
            Values::Texts(_) => bail!("the column `{name}` has values that are not numbers"),
        }
    }
}

/// Returns the values of a column, all of which must be known.
///
/// # Errors
/// Returns an error if a value is unknown.
pub fn told(name: &str, values: Vec<Option<f64>>) -> Result<Vec<f64>> {
    let all: Option<Vec<f64>> = values.into_iter().collect();
    all.with_context(|| format!("the column `{name}` has empty values"))
}
