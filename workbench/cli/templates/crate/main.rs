//! All commands of Contender for this game. To include Contender's own games, add `contender::GAMES` to the list and
//! build with `--features games`.

fn main() -> std::process::ExitCode {
    #[cfg(feature = "train")]
    register_trainings();
    contender::main(&[{crate}::CONTEST])
}

/// Registers the game for `train`. The training code takes long to compile, so it is included only with
/// `--features train`.
#[cfg(feature = "train")]
fn register_trainings() {
{learns}}
