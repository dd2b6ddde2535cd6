//! The `contender-lab` command as a reader of the notes uses it.

mod dataset;
mod transcripts;
