//! The `contender-lab` command as readers of the notes use it.

mod dataset;
mod transcripts;
