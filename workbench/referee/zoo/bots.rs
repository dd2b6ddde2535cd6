//! Good and bad bots for the counting game of the tests: `contender-zoo MODE [AT]` misbehaves at question number AT,
//! counted from 0.
//!
//! A question is `Start` or the last number, perhaps after lines that start with `#`. The answer is the next number.
//! `contender-zoo meet OWN OTHER` creates the file OWN, waits for the file OTHER, and answers every question with two
//! lines, as the modes that end with `pair` do.

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(not(target_os = "linux"), path = "elsewhere.rs")]
mod kernel;

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::process::{self, Command};
use std::thread;
use std::time::Duration;

/// Plays one game in the mode that the arguments select.
pub fn run(arguments: &[String]) {
    let [mode, rest @ ..] = arguments else { panic!("contender-zoo MODE [AT]") };
    let at = rest.first().and_then(|text| text.parse().ok()).unwrap_or(0);
    before(mode, rest);
    let mut asked = 0;
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        if line == "Quit" && mode.starts_with("keeps") {
            asked = 0;
            continue;
        }
        if line == "Quit" {
            return at_quit(mode);
        }
        if line.starts_with('#') {
            continue;
        }
        let next = line.parse::<u32>().map_or(1, |number| number + 1);
        if mode.starts_with("keeps") && asked == 0 {
            eprintln!("{}", process::id());
        }
        if asked == at || mode.ends_with("always") {
            misbehave(mode, next, rest);
        }
        say(&next.to_string());
        if mode == "slow-line" && asked == at {
            thread::sleep(Duration::from_millis(30));
        }
        say("\n");
        if mode == "meet" || mode.ends_with("pair") {
            say(&format!("{next}\n"));
        }
        if mode == "locks-always" {
            // The bot still holds the lock when its opponent gets the question.
            kernel::work(Duration::from_millis(50));
            kernel::unlock();
        }
        if asked == at {
            match &mode[..] {
                "leaves" => return,
                "crash-after" => process::abort(),
                _ => {}
            }
        }
        asked += 1;
    }
}

fn say(text: &str) {
    let mut stdout = io::stdout().lock();
    // Most of these bots end with a broken pipe.
    if stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).is_err() {
        process::exit(3);
    }
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1000));
    }
}

fn words<T>(result: io::Result<T>) -> &'static str {
    if result.is_ok() { "yes" } else { "no" }
}

/// Allocates and uses memory as long as there is any, at most 4 GiB.
fn eat_memory() {
    let mut eaten = Vec::new();
    for _ in 0..1024 {
        eaten.push(vec![1_u8; 1 << 22]);
    }
}

/// Leaves an orphan, started with `how`, that closes all pipes and sleeps. Prints its process number on standard error
/// before the game begins.
fn leave_orphan(how: &str) {
    // The orphan's own number may only be valid inside its namespace.
    let sleeper =
        "read number rest < /proc/self/stat; echo $number; exec >/dev/null 2>&1 </dev/null; sleep 1000";
    let script = format!("{how} sh -c '{sleeper}' &");
    // The output is complete when the orphan has closed its end of the pipe.
    let output = Command::new("sh").args(["-c", &script]).output().expect("a shell");
    eprint!("{}", String::from_utf8_lossy(&output.stdout));
}

/// Starts a thread that never rests.
fn think_on() {
    thread::spawn(|| {
        loop {
            std::hint::spin_loop();
        }
    });
}

/// Starts a process without waiting for it.
#[expect(clippy::zombie_processes, reason = "that is the point")]
fn leave_helper(words: &[&str]) {
    let none = process::Stdio::null;
    let mut helper = Command::new(words[0]);
    helper.args(&words[1..]).stdin(none()).stdout(none()).stderr(none()).spawn().expect("a helper");
}

/// Creates a file and waits until another bot has created its own.
fn meet(own: &str, other: &str) {
    std::fs::write(own, "").expect("a file");
    while !Path::new(other).exists() {
        thread::sleep(Duration::from_millis(2));
    }
}

/// Misbehaves before the first question is read.
fn before(mode: &str, rest: &[String]) {
    match mode {
        "thinks-on-and-says-number" => {
            let number = std::fs::read_link("/proc/self").expect("a number");
            std::fs::write(&rest[0], format!("{}\n", number.display())).expect("a file");
            think_on();
        }
        "crash-at-start" => process::abort(),
        "exit-at-start" => process::exit(7),
        "deaf" => sleep_for_ever(),
        "early" => say("1\n2\n"),
        "orphan" => leave_orphan(""),
        "daemon" => leave_orphan("setsid"),
        "wiped" => leave_orphan("env -i setsid"),
        "wiped-in-session" => leave_orphan("env -i"),
        "foreign-mark" => leave_orphan("CONTENDER_BOT=x setsid"),
        "clone-parent" => kernel::make_sibling(),
        "spinners" => {
            let spinners = "for spinner in 1 2 3; do while :; do :; done & done";
            Command::new("sh").args(["-c", spinners]).status().expect("a shell");
        }
        "thinks-on" => think_on(),
        "continued-by-timer" => {
            kernel::continue_by_timer();
            think_on();
        }
        "continued-by-child" => {
            let parent = process::id();
            let helper = format!("while kill -CONT {parent}; do :; done");
            leave_helper(&["env", "-i", "setsid", "sh", "-c", &helper]);
            think_on();
        }
        _ => {}
    }
}

fn misbehave(mode: &str, next: u32, rest: &[String]) {
    match mode.trim_start_matches("keeps-").trim_end_matches("-always").trim_end_matches("-pair") {
        "meet" => meet(&rest[0], &rest[1]),
        "crash" => process::abort(),
        "crash-unnamed" => kernel::raise_unnamed_signal(),
        "exit" => {
            eprintln!("no {next} left");
            process::exit(9);
        }
        "hang" => sleep_for_ever(),
        "hang-ignoring-sigterm" => {
            kernel::ignore_sigterm();
            sleep_for_ever();
        }
        "late-ms" => thread::sleep(Duration::from_millis(rest[1].parse().expect("milliseconds"))),
        "killed-from-outside" => {
            let number = process::id();
            Command::new("sh").args(["-c", &format!("kill -9 {number}")]).status().expect("a shell");
        }
        "environment" => eprintln!("{}", std::env::vars().map(|(name, _)| name + " ").collect::<String>()),
        "spin" => loop {
            std::hint::spin_loop();
        },
        "eats-memory" => eat_memory(),
        "eats-shared-memory" => kernel::eat_shared_memory(),
        "eats-files-in-memory" => kernel::eat_files_in_memory(),
        "spins-at-limit" => {
            let mut eaten = Vec::new();
            loop {
                let mut next: Vec<u8> = Vec::new();
                if next.try_reserve_exact(1 << 22).is_ok() {
                    next.resize(1 << 22, 1);
                    eaten.push(next);
                }
            }
        }
        "works-ms" => kernel::work(Duration::from_millis(rest[1].parse().expect("milliseconds"))),
        "many-children" => (0..100).for_each(|_| leave_helper(&["sleep", "1000"])),
        "forks" => eprintln!("forks: {}", words(Command::new("true").status())),
        "forks-many" => {
            let children = (0..60).map_while(|_| Command::new("sleep").arg("1000").spawn().ok());
            eprintln!("{}", children.count());
        }
        "threads" => eprintln!("threads: {}", words(thread::Builder::new().spawn(|| {}))),
        "writes" => eprintln!("writes: {}", words(std::fs::write(&rest[1], "x"))),
        // A path after `at:` does not count as named on the command line.
        "reads" => eprintln!("reads: {}", words(std::fs::read(rest[1].trim_start_matches("at:")))),
        "meddles" => eprintln!("meddles: {}", kernel::meddle(&rest[1]).join(" ")),
        "big-file" => eprintln!("big file: {}", words(std::fs::write(&rest[1], vec![0; 1 << 20]))),
        "connects" => {
            eprintln!("connects: {}", words(std::net::TcpStream::connect(&rest[1])));
            eprintln!("binds: {}", words(std::net::UdpSocket::bind("127.0.0.1:0")));
        }
        "signals" => {
            let may = kernel::may_signal(rest[1].parse().expect("a process"));
            eprintln!("signals: {}", if may { "yes" } else { "no" });
        }
        "descriptors" => {
            let open = std::fs::read_dir("/proc/self/fd").expect("a list").count();
            // One of them is the list itself.
            eprintln!("descriptors: {}", open - 1);
        }
        "cores" => eprintln!("cores: {}", kernel::cores()),
        "late" => thread::sleep(Duration::from_millis(400)),
        "mutters" => say(&format!("{next}\nthat was my last\n")),
        // Writes the answer and a pipe nearly full of noise.
        "chatters" => say(&format!("{next}\n{}", "noise\n".repeat(10_000))),
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
        // One write, so that the judge cannot see the first line without the second.
        "illegal-and-more" => {
            say(&format!("Zz\x1b[31m\n{next}\n"));
            sleep_for_ever();
        }
        "empty" => say("\n"),
        "locks" => kernel::lock(&rest[1]),
        "traces" => {
            say("Trace:\nat 7\n");
            process::exit(4);
        }
        "flood-stderr" => eprintln!("{}", "x".repeat(1 << 20)),
        "closes-stdout" => {
            kernel::close(1);
            sleep_for_ever();
        }
        "closes-stdin" => {
            kernel::close(0);
            say(&format!("{next}\n"));
            sleep_for_ever();
        }
        "twice" => say(&format!("{next}\n{next}\n")),
        "metadata" => eprint!(
            "[PDATA] last = {next}\n[PDATA+] sum = {next}\nnot this\n[TDATA][{next}] said = {next}\n{}\n",
            "x".repeat(9000)
        ),
        "stderr" => eprintln!("question with the answer {next}"),
        _ => {}
    }
}

fn at_quit(mode: &str) {
    match mode {
        "ignores-quit" => {
            kernel::ignore_sigterm();
            sleep_for_ever();
        }
        "crashes-at-quit" => process::abort(),
        "last-words" => {
            thread::sleep(Duration::from_millis(20));
            eprintln!("good bye");
        }
        "fails-at-quit" => process::exit(5),
        _ => {}
    }
}
