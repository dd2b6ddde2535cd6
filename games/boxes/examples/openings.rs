//! Computes the first moves of `classic` for the table `src/classic/openings.txt`. This takes a second.
//!
//! ```sh
//! cargo run --release -p contender-boxes --example openings > openings.txt
//! ```

fn main() {
    print!("{}", contender_boxes::opening_table());
}
