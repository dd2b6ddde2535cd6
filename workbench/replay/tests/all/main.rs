//! Recorded games of every form.

mod hostile;
mod records;
