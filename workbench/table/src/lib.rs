//! Tables, and the file formats for exporting them to other tools.

#![forbid(unsafe_code)]

mod files;
mod forms;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

pub use files::{check_writable, write_whole};
pub use forms::Form;
pub use table::{Column, Table, Values, told};
