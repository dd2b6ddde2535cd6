//! Every command of Contender, for this game. Put `contender::GAMES` into the list too to have those of Contender.

fn main() -> std::process::ExitCode {
{learns}    contender::main(&[{crate}::CONTEST])
}
