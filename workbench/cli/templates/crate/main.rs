//! All commands of Contender for this game. To include Contender's own games, add `contender::GAMES` to the list.

fn main() -> std::process::ExitCode {
    #[cfg(feature = "train")]
    register_trainings();
    contender::main(&[{crate}::CONTEST])
}

/// Registers the game for `train`. The training code takes most of the build time, so it is compiled only with
/// `--features train`.
#[cfg(feature = "train")]
fn register_trainings() {
{learns}}
