//! Boards for people: names of cells, and pictures as SVG and in a terminal.

pub mod ansi;
mod drawing;
mod grid;
mod hex;
mod picture;

pub use grid::Grid;
pub use hex::HexBoard;
pub use picture::{Ink, Line, Look, Path, Picture, Shape, Side, Sign, Square};
