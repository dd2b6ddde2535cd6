//! Board display for people: cell names, and pictures as SVG or terminal text.

pub mod ansi;
mod drawing;
mod grid;
mod hex;
mod picture;

pub use grid::Grid;
pub use hex::HexBoard;
pub use picture::{Ink, Line, Look, Path, Picture, PieceShape, Side, Sign, Square};
