//! Columns of values and the files they are written to and read from: what is exported for other people's tools.

#![forbid(unsafe_code)]

mod files;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

pub use files::write_whole;
pub use table::{Column, Form, Table, Values, told};
