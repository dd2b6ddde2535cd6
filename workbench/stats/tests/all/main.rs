//! Ratings on real games, and what they must not depend on.

mod box_final;
mod order;
