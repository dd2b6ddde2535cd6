//! All commands of Contender for this game. To include Contender's own games, add `contender::GAMES` to the list.

fn main() -> std::process::ExitCode {
    #[cfg(feature = "train")]
    register_trainings();
    contender::main(&[{crate}::CONTEST])
}

/// Registers the game for `train`. The code for training takes most of the time of a build, so it is only compiled with
/// `--features train`.
#[cfg(feature = "train")]
fn register_trainings() {
{learns}}
