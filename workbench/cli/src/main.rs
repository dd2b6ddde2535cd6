//! The `contender` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    contender::main(contender::GAMES)
}
