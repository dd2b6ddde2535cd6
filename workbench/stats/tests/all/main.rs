//! Tests of ratings with real games, and of their independence of the order of the games.

mod box_final;
mod order;
