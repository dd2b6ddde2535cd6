//! Tests of ratings with real games, and of things on which ratings must not depend.

mod box_final;
mod order;
