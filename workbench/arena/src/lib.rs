//! Matches between bots.
