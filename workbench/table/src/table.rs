//! Columns of values, and the files they are written to and read from.

use crate::files::write_whole;
use anyhow::{Context, Result, bail, ensure};
use std::io::{self, Write};
use std::path::Path;

/// Columns of equal length.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Table {
    /// In the order of the file.
    pub columns: Vec<Column>,
}

/// A column.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// Its values, row by row.
    pub values: Values,
}

/// Values of one kind.
#[derive(Clone, PartialEq, Debug)]
pub enum Values {
    /// Words.
    Texts(Vec<String>),
    /// Whole numbers.
    Integers(Vec<i64>),
    /// Numbers.
    Numbers(Vec<f64>),
    /// Numbers of which some are not told.
    Options(Vec<Option<f64>>),
}

impl Column {
    /// A column.
    #[must_use]
    pub fn new(name: &str, values: Values) -> Column {
        Column { name: name.to_string(), values }
    }
}

impl Values {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Values::Texts(values) => values.len(),
            Values::Integers(values) => values.len(),
            Values::Numbers(values) => values.len(),
            Values::Options(values) => values.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn write(&self, row: usize) -> String {
        match self {
            Values::Texts(values) => values[row].clone(),
            Values::Integers(values) => values[row].to_string(),
            Values::Numbers(values) => values[row].to_string(),
            Values::Options(values) => values[row].map_or(String::new(), |value| value.to_string()),
        }
    }
}

impl Table {
    /// How many rows there are.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.columns.first().map_or(0, |column| column.values.len())
    }

    /// Writes a file in the form that its name ends in, see [`Form::of`].
    ///
    /// # Errors
    /// If the form is none that can be written, or the file cannot be; an old file is then as it was.
    pub fn write(&self, path: &Path) -> Result<()> {
        let form = Form::of(path)?;
        write_whole(path, |out| self.write_to(out, form))
    }

    /// Writes to anything that takes bytes.
    ///
    /// # Errors
    /// If this build does not write the form, or the bytes are not taken.
    pub fn write_to(&self, out: impl Write + Send, form: Form) -> Result<()> {
        match form {
            Form::Csv => self.write_csv(out),
            #[cfg(feature = "parquet")]
            Form::Parquet => crate::parquet::write(self, out),
            #[cfg(not(feature = "parquet"))]
            Form::Parquet => form.check(),
        }
    }

    fn write_csv(&self, out: impl Write) -> Result<()> {
        let mut csv = csv::Writer::from_writer(out);
        csv.write_record(self.columns.iter().map(|column| &column.name)).map_err(of_writing)?;
        for row in 0..self.rows() {
            let values = self.columns.iter().map(|column| column.values.write(row));
            csv.write_record(values).map_err(of_writing)?;
        }
        Ok(csv.flush()?)
    }

    /// Reads a CSV file with a line of names. A column is of numbers, some perhaps empty, if all its values are; else of texts.
    ///
    /// # Errors
    /// With the file and the line.
    pub fn read_csv(path: &Path) -> Result<Table> {
        let read = || -> Result<Table> {
            let mut csv = csv::Reader::from_path(path)?;
            let names: Vec<String> = csv.headers()?.iter().map(str::to_string).collect();
            let mut texts: Vec<Vec<String>> = vec![Vec::new(); names.len()];
            for record in csv.records() {
                for (column, text) in texts.iter_mut().zip(&record?) {
                    column.push(text.to_string());
                }
            }
            let columns = names.into_iter().zip(texts);
            Ok(Table {
                columns: columns.map(|(name, texts)| Column { name, values: typed(texts) }).collect(),
            })
        };
        read().with_context(|| format!("cannot read {}", path.display()))
    }

    /// The values of a column of numbers; those not told are `None`.
    ///
    /// # Errors
    /// If there is no such column, or it is not of numbers.
    pub fn numbers(&self, name: &str) -> Result<Vec<Option<f64>>> {
        let column = self.columns.iter().find(|column| column.name == name);
        let column = column.with_context(|| format!("there is no column `{name}`"))?;
        match &column.values {
            Values::Numbers(values) => Ok(values.iter().copied().map(Some).collect()),
            Values::Options(values) => Ok(values.clone()),
            Values::Integers(values) => Ok(values.iter().map(|&value| Some(value as f64)).collect()),
            Values::Texts(_) => bail!("the column `{name}` is not of numbers"),
        }
    }
}

/// The values of a column of which all are told.
///
/// # Errors
/// If one is not.
pub fn told(name: &str, values: Vec<Option<f64>>) -> Result<Vec<f64>> {
    let all: Option<Vec<f64>> = values.into_iter().collect();
    all.with_context(|| format!("the column `{name}` has empty values"))
}

fn typed(texts: Vec<String>) -> Values {
    let number = |text: &String| match text.as_str() {
        "" => Some(None),
        text => text.parse().ok().filter(|value: &f64| value.is_finite()).map(Some),
    };
    match texts.iter().map(number).collect() {
        Some(numbers) => Values::Options(numbers),
        None => Values::Texts(texts),
    }
}

/// An error of writing of the kind that the writer has told: a reader that has gone is no error to many a caller.
fn of_writing(error: csv::Error) -> io::Error {
    let kind = match error.kind() {
        csv::ErrorKind::Io(cause) => cause.kind(),
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}

/// The form of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// A line of names, then a line a row; what is not told is empty.
    Csv,
    /// Apache Parquet, one row group; only in builds with the feature `parquet`.
    Parquet,
}

impl Form {
    /// The form of a file that is to be written, by the end of its name: `.csv` or `.parquet`.
    ///
    /// # Errors
    /// If it is none of these, this build does not write it, or the folder is not there.
    pub fn of(path: &Path) -> Result<Form> {
        let form = match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Form::Csv,
            Some("parquet") => Form::Parquet,
            _ => bail!("{}: the name ends in .csv or .parquet", path.display()),
        };
        form.check()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        ensure!(folder.is_none_or(Path::is_dir), "{}: there is no such folder", path.display());
        Ok(form)
    }

    /// Says whether this build writes the form.
    ///
    /// # Errors
    /// If not, with the remedy.
    pub fn check(self) -> Result<()> {
        let is_written = self == Form::Csv || cfg!(feature = "parquet");
        ensure!(is_written, "this build writes no Parquet: build it with `--features parquet`, or take CSV");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes so many bytes, and then has no reader.
    struct Pipe(usize);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.0 = self.0.saturating_sub(bytes.len());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_reader_that_has_gone_is_told_from_other_errors() {
        let table = Table { columns: vec![Column::new("n", Values::Integers((0..100_000).collect()))] };
        for taken in [0, 1, 20_000] {
            let error = table.write_to(Pipe(taken), Form::Csv).unwrap_err();
            let kind = error.downcast_ref::<io::Error>().map(io::Error::kind);
            assert_eq!(kind, Some(io::ErrorKind::BrokenPipe), "{error:?}");
        }
    }
}
