//! Writes a table as a Parquet file with one row group and plain types. Columns are required unless they contain
//! unknown values.

use crate::table::{Column, Table, Values};
use ::parquet::basic::{LogicalType, Repetition, Type as PhysicalType};
use ::parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int64Type};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::Type;
use anyhow::{Context, Result};
use std::io::Write;
use std::sync::Arc;

pub(crate) fn write(table: &Table, out: impl Write + Send) -> Result<()> {
    let fields = table.columns.iter().map(field).collect::<Result<_>>()?;
    let schema = Type::group_type_builder("table").with_fields(fields).build()?;
    let properties = Arc::new(WriterProperties::builder().build());
    let mut file = SerializedFileWriter::new(out, Arc::new(schema), properties)?;
    let mut group = file.next_row_group()?;
    table.columns.iter().try_for_each(|column| write_column(&mut group, column))?;
    group.close()?;
    file.close()?;
    Ok(())
}

fn field(column: &Column) -> Result<Arc<Type>> {
    let (physical, logical, repetition) = match column.values {
        Values::Texts(_) => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String), Repetition::REQUIRED),
        Values::Integers(_) => (PhysicalType::INT64, None, Repetition::REQUIRED),
        Values::Numbers(_) => (PhysicalType::DOUBLE, None, Repetition::REQUIRED),
        Values::Options(_) => (PhysicalType::DOUBLE, None, Repetition::OPTIONAL),
    };
    let builder = Type::primitive_type_builder(&column.name, physical);
    Ok(Arc::new(builder.with_logical_type(logical).with_repetition(repetition).build()?))
}

fn write_column<W: Write + Send>(group: &mut SerializedRowGroupWriter<'_, W>, column: &Column) -> Result<()> {
    let mut writer = group.next_column()?.context("the schema contains every column of the table")?;
    match &column.values {
        Values::Texts(values) => {
            let bytes: Vec<ByteArray> = values.iter().map(|text| ByteArray::from(text.as_str())).collect();
            writer.typed::<ByteArrayType>().write_batch(&bytes, None, None)?;
        }
        Values::Integers(values) => {
            writer.typed::<Int64Type>().write_batch(values, None, None)?;
        }
        Values::Numbers(values) => {
            writer.typed::<DoubleType>().write_batch(values, None, None)?;
        }
        Values::Options(values) => {
            let told: Vec<f64> = values.iter().copied().flatten().collect();
            let levels: Vec<i16> = values.iter().map(|value| i16::from(value.is_some())).collect();
            writer.typed::<DoubleType>().write_batch(&told, Some(&levels), None)?;
        }
    }
    writer.close()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::RowAccessor;

    #[test]
    fn what_is_written_is_read_again() {
        let columns = vec![
            Column::new("word", Values::Texts(vec!["a".to_string(), "".to_string(), "ä_1".to_string()])),
            Column::new("whole", Values::Integers(vec![1, -2, i64::MAX])),
            Column::new("number", Values::Numbers(vec![0.5, -1e9, 0.1])),
            Column::new("perhaps", Values::Options(vec![None, Some(2.5), None])),
        ];
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table.parquet");
        Table { columns }.write(&path).unwrap();
        let file = SerializedFileReader::new(std::fs::File::open(&path).unwrap()).unwrap();
        let rows: Vec<_> = file.get_row_iter(None).unwrap().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 3);
        let words: Vec<&String> = rows.iter().map(|row| row.get_string(0).unwrap()).collect();
        assert_eq!(words, ["a", "", "ä_1"]);
        assert_eq!(rows[2].get_long(1).unwrap(), i64::MAX);
        assert_eq!(rows[2].get_double(2).unwrap(), 0.1);
        assert!(rows[0].get_double(3).is_err() && rows[1].get_double(3).unwrap() == 2.5);
    }
}
