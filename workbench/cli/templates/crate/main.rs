//! Every command of Contender, for this game. Put `contender::GAMES` into the list too to have those of Contender.

fn main() -> std::process::ExitCode {
    #[cfg(feature = "train")]
    register_trainings();
    contender::main(&[{crate}::CONTEST])
}

/// Registers the game for `train`. The trainings take most of the time of a build, so only `--features train` compiles
/// them.
#[cfg(feature = "train")]
fn register_trainings() {
{learns}}
