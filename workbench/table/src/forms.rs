//! The file formats of tables.

use crate::files::write_whole;
#[cfg(feature = "parquet")]
use crate::parquet;
use crate::table::{Column, Table, Values};
use anyhow::{Context, Result, bail, ensure};
use std::io::{self, Write};
use std::path::Path;

impl Table {
    /// Writes the table to a file. The file name determines the format (see [`Form::of`]).
    ///
    /// # Errors
    /// Returns an error if this build does not support the format, or if the file cannot be written. An existing file
    /// is then unchanged.
    pub fn write(&self, path: &Path) -> Result<()> {
        let form = Form::of(path)?;
        write_whole(path, |out| self.write_to(out, form))
    }

    /// Writes the table to a writer in the given format.
    ///
    /// # Errors
    /// Returns an error if this build does not support the format, or if the writer fails.
    pub fn write_to(&self, out: impl Write + Send, form: Form) -> Result<()> {
        match form {
            Form::Csv => self.write_csv(out),
            #[cfg(feature = "parquet")]
            Form::Parquet => parquet::write(self, out),
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

    /// Reads a CSV file whose first line contains the column names. A column that contains only numbers and empty
    /// values becomes a column of numbers; any other column becomes a column of texts.
    ///
    /// # Errors
    /// Returns an error that contains the file name and the line.
    pub fn read_csv(path: &Path) -> Result<Table> {
        let read = || -> Result<Table> {
            let mut csv = csv::Reader::from_reader(contender_input::open(path)?);
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

/// Converts a CSV error to an I/O error. Keeps the kind of the writer's error, because many callers ignore the error
/// that the reader has closed the pipe.
fn of_writing(error: csv::Error) -> io::Error {
    let kind = match error.kind() {
        csv::ErrorKind::Io(cause) => cause.kind(),
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}

/// A file format for tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// CSV: a line of names, followed by one line per row. Unknown values are empty.
    Csv,
    /// Apache Parquet with one row group. Available only in builds with the feature `parquet`.
    Parquet,
}

impl Form {
    /// Returns the format for a file name that ends in `.csv` or `.parquet`.
    ///
    /// # Errors
    /// Returns an error if the name has a different ending, if this build does not support the format, or if the folder
    /// does not exist.
    pub fn of(path: &Path) -> Result<Form> {
        let form = match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Form::Csv,
            Some("parquet") => Form::Parquet,
            _ => bail!("{}: expected a name that ends in .csv or .parquet", path.display()),
        };
        form.check()?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        ensure!(folder.is_none_or(Path::is_dir), "{}: no such folder", path.display());
        Ok(form)
    }

    /// Checks that this build supports the format.
    ///
    /// # Errors
    /// Returns an error with a hint if the format is not supported.
    pub fn check(self) -> Result<()> {
        let is_written = self == Form::Csv || cfg!(feature = "parquet");
        ensure!(
            is_written,
            "this build cannot write Parquet\nhint: build it with `--features \
             parquet`, or use CSV"
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A writer that accepts a certain number of bytes, and then fails like a pipe without a reader.
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
