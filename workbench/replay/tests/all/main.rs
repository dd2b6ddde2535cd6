//! Tests of recorded games in every format.

mod hostile;
mod records;
