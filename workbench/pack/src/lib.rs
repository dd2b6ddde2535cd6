//! One bot, one source file that a judge accepts.
