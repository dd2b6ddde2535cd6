//! A bot as a process: lines from standard input, answers to standard output.

use crate::{BotSetup, Contest, LineBot, Options, Reply};
use std::io::{self, BufRead, Write};
use std::process::ExitCode;

/// Plays one game over standard input and output; returns when the judge says so or closes the input.
///
/// # Errors
/// A line that the bot cannot understand, with its number, or a broken pipe.
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

/// The `main` of a bot: [`run_stdio`], with an error on standard error and exit code 2.
pub fn run_program(bot: &mut dyn LineBot) -> ExitCode {
    match run_stdio(bot) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// The `main` of a game's program: its strongest bundled bot, under the contest's limits.
pub fn run_strongest(contest: &dyn Contest) -> ExitCode {
    let info = contest.info();
    let setup = BotSetup { limits: info.limits, seed: 1 };
    let name = info.bots.last().map_or("", |bot| bot.name);
    match contest.bot(name, &mut Options::default(), &setup) {
        Ok(mut bot) => run_program(bot.as_mut()),
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
