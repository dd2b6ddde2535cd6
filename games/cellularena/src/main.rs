//! The strongest bundled bot as a program: plays one game over standard input and output under the contest's limits.

fn main() -> std::process::ExitCode {
    contender_game::contest::run_strongest(contender_cellularena::CONTEST)
}
