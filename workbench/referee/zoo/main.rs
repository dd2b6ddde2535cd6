//! The bots of the zoo as a program.

mod bots;

fn main() {
    bots::run(&std::env::args().skip(1).collect::<Vec<_>>());
}
