//! All commands of Contender for this game. To include Contender's own games, add `contender::GAMES` to the list.

fn main() -> std::process::ExitCode {
    contender::learns::<tumbleweed::Tumbleweed>();
    contender::main(&[tumbleweed::CONTEST])
}
