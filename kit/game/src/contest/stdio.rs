//! Runs a bot as a process that reads lines from standard input and writes answers to standard output.

use crate::{
    contest::{Bot, BotSession, BotSetup, Contest, Limits, LineBot, ProtocolParser, Reply},
    settings::Options,
};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

/// Plays one game over standard input and output. Returns when the judge ends the game or closes the input.
///
/// # Errors
/// Returns an error if the bot cannot understand a line, or if standard output is closed. The error contains the number
/// of the line.
pub fn run_stdio(bot: &mut dyn LineBot) -> Result<(), String> {
    let mut output = io::stdout().lock();
    for (number, line) in io::stdin().lock().lines().enumerate() {
        let place = |error: &dyn std::fmt::Display| format!("input line {}: {error}", number + 1);
        let line = line.map_err(|error| place(&error))?;
        match bot.line(line.trim_end_matches('\r')).map_err(|error| place(&error))? {
            Reply::Nothing => {}
            Reply::Say(answer) => {
                writeln!(output, "{answer}").and_then(|()| output.flush()).map_err(|error| place(&error))?;
            }
            Reply::Stop => return Ok(()),
        }
    }
    Ok(())
}

/// Runs the `main` function of a bot: plays one game over standard input and output under these limits. `make` creates
/// the bot from a seed. The program takes the options `--nodes N`, which limits the nodes per answer, and `--seed N`
/// (default 1). If both are given, play is reproducible. `--time S` replaces the contest's time limit by S seconds
/// ([`Limits::with_main`]). Errors are printed to standard error, and the exit code is then 2.
pub fn run_program<L: ProtocolParser, B: Bot<L::State, L::Move>>(
    limits: Limits,
    make: impl FnOnce(u64) -> B,
) -> ExitCode {
    exit(
        setup(limits).and_then(|BotSetup { limits, seed }| {
            run_stdio(&mut BotSession::<L, _>::new(make(seed), limits))
        }),
    )
}

/// Runs the `main` function of a game's executable, which plays with the strongest bundled bot under the contest's
/// limits. Takes the same command-line options as [`run_program`].
pub fn run_strongest(contest: &dyn Contest) -> ExitCode {
    let info = contest.info();
    let name = info.bots.last().map_or("", |bot| bot.name);
    let bot = setup(info.limits).and_then(|setup| contest.bot(name, &mut Options::default(), &setup));
    exit(bot.and_then(|mut bot| run_stdio(bot.as_mut())))
}

/// Parses the program's command-line options. `limits` are the default limits.
fn setup(limits: Limits) -> Result<BotSetup, String> {
    fn argument<T: FromStr>(name: &str) -> Option<T> {
        std::env::args().skip_while(|word| word != name).nth(1)?.parse().ok()
    }
    let limits = match argument::<String>("--time") {
        Some(text) => limits.with_main(seconds(&text)?),
        None => limits,
    };
    Ok(BotSetup {
        limits: Limits { nodes: argument("--nodes").or(limits.nodes), ..limits },
        seed: argument("--seed").unwrap_or(1),
    })
}

fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let time = time.filter(|time| !time.is_zero());
    time.ok_or_else(|| format!("invalid --time `{text}`: expected a number of seconds above 0"))
}

fn exit(end: Result<(), String>) -> ExitCode {
    match end {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_a_number_of_seconds_above_0() {
        assert_eq!(seconds("0.005"), Ok(Duration::from_millis(5)));
        for text in ["nan", "-1", "0", "inf", "1e300", "soon", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
    }
}
