//! Bots for the counting game of the tests, well behaved and not: `contender-zoo MODE [AT]` misbehaves at its question number AT,
//! counted from 0.
//!
//! A question is `Start` or the last number said, the answer is the next number.

use std::io::{self, BufRead, Write};
use std::process::{self, Command};
use std::thread;
use std::time::Duration;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mode = arguments.next().unwrap_or_default();
    let at: usize = arguments.next().map_or(0, |text| text.parse().expect("AT is a number"));
    before(&mode);
    for (asked, line) in io::stdin().lock().lines().enumerate() {
        let Ok(line) = line else { return };
        if line == "Quit" {
            return at_quit(&mode);
        }
        let next = line.parse::<u32>().map_or(1, |number| number + 1);
        if asked == at {
            misbehave(&mode, next);
        }
        let pause = mode == "slow-line" && asked == at;
        say(&next.to_string());
        thread::sleep(Duration::from_millis(if pause { 30 } else { 0 }));
        say("\n");
    }
    if mode == "ignores-quit" {
        sleep_for_ever();
    }
}

fn say(text: &str) {
    let mut stdout = io::stdout().lock();
    // A broken pipe is how most of these end.
    if stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).is_err() {
        process::exit(3);
    }
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1000));
    }
}

/// An orphan, started by `how`, that has closed all pipes; its number is on standard error before the game begins.
fn leave_orphan(how: &str) {
    let sleeper = "echo child $$ >&2; exec >/dev/null 2>&1 </dev/null; sleep 1000";
    let script = format!("{how} sh -c '{sleeper}' >/dev/null </dev/null &");
    Command::new("sh").args(["-c", &script]).status().expect("a shell");
}

fn before(mode: &str) {
    match mode {
        "crash-at-start" => process::abort(),
        "exit-at-start" => process::exit(7),
        "flood-stderr" => {
            thread::spawn(|| {
                loop {
                    eprintln!("{}", "x".repeat(1000));
                }
            });
        }
        "deaf" => sleep_for_ever(),
        "early" => say("1\n2\n"),
        "orphan" => leave_orphan(""),
        "daemon" => leave_orphan("setsid"),
        "wiped" => leave_orphan("env -i setsid"),
        "talks" => eprintln!("a word to the log"),
        _ => {}
    }
}

fn misbehave(mode: &str, next: u32) {
    match mode {
        "crash" => process::abort(),
        "exit" => process::exit(9),
        "hang" => sleep_for_ever(),
        "late" => thread::sleep(Duration::from_millis(400)),
        "flood" => loop {
            say("I have so much to say\n");
        },
        "endless-line" => loop {
            say("and so on ");
        },
        "half-line" => {
            say("1");
            sleep_for_ever();
        }
        "invalid-utf8" => {
            let _ = io::stdout().write_all(b"\xff\xfe\n");
        }
        "illegal" => say("Zz\x1b[31m\n"),
        "empty" => say("\n"),
        "closes-stdout" => {
            // SAFETY: nothing uses the descriptor later but writes that fail.
            unsafe { nix::libc::close(1) };
            sleep_for_ever();
        }
        "closes-stdin" => {
            say(&format!("{next}\n"));
            // SAFETY: nothing reads it later.
            unsafe { nix::libc::close(0) };
            sleep_for_ever();
        }
        "twice" => say(&format!("{next}\n{next}\n")),
        "stderr" => eprintln!("question with the answer {next}"),
        _ => {}
    }
}

fn at_quit(mode: &str) {
    match mode {
        "ignores-quit" => {
            // SAFETY: ignoring a signal installs no handler.
            unsafe { nix::libc::signal(nix::libc::SIGTERM, nix::libc::SIG_IGN) };
            sleep_for_ever();
        }
        "last-words" => {
            thread::sleep(Duration::from_millis(20));
            eprintln!("good bye");
        }
        "fails-at-quit" => process::exit(5),
        _ => {}
    }
}
