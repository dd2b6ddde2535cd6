//! An external bot: a process on three pipes.
//!
//! Nothing here blocks: the pipes are non-blocking, and [`exchange`](crate::exchange) waits for all of them at once.

use crate::Ending;
use crate::buffers::{Tail, Unread};
use crate::strays;
use nix::errno::Errno;
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::libc;
use nix::sys::signal::{Signal, killpg};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid};
use nix::unistd::{Pid, read, write};
use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Bytes read at a time.
const CHUNK: usize = 1 << 12;

/// An external bot.
pub(crate) struct Process {
    child: Child,
    /// Marks the process and its descendants, see [`strays`].
    mark: String,
    /// Readable when the process has ended.
    pub ended: OwnedFd,
    /// Whether that has been seen.
    pub has_ended: bool,
    /// Closed (`None`) when the bot has closed its end, or the game is over.
    pub stdin: Option<OwnedFd>,
    /// Closed (`None`) when the bot has closed its end.
    pub stdout: Option<OwnedFd>,
    /// Closed (`None`) when the bot has closed its end.
    pub stderr: Option<OwnedFd>,
    /// What the pipe to the bot had no room for.
    unsent: Vec<u8>,
    unread: Unread,
    stderr_tail: Tail,
    is_killed: bool,
}

/// Why a program does not run.
pub(crate) enum SpawnError {
    /// The program is at fault.
    Program(String),
    /// This machine is: no descriptors, processes or memory left.
    Machine(String),
}

impl Process {
    /// Starts a program in a process group of its own. `words` are the program and its arguments.
    pub fn spawn(words: &[String], stderr_tail: usize) -> Result<Process, SpawnError> {
        let [program, arguments @ ..] = words else {
            return Err(SpawnError::Program("the command is empty".to_string()));
        };
        let machine = |error: io::Error| SpawnError::Machine(format!("cannot start `{program}`: {error}"));
        strays::adopt();
        let mark = strays::new_mark();
        // The standard library starts a process this way without copying this one's page tables (posix_spawn). Resource limits
        // can be put on the process from outside (prlimit) at the end of this function.
        let mut child = Command::new(program)
            .args(arguments)
            .env(strays::VARIABLE, &mark)
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| {
                let of_machine = [libc::EMFILE, libc::ENFILE, libc::EAGAIN, libc::ENOMEM];
                if error.raw_os_error().is_some_and(|code| of_machine.contains(&code)) {
                    machine(error)
                } else {
                    SpawnError::Program(format!("{program}: {error}"))
                }
            })?;
        let stdin = child.stdin.take().map(OwnedFd::from);
        let stdout = child.stdout.take().map(OwnedFd::from);
        let stderr = child.stderr.take().map(OwnedFd::from);
        let ended = match open_pidfd(&child) {
            Ok(ended) => ended,
            Err(error) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(machine(error));
            }
        };
        let process = Process {
            child,
            mark,
            ended,
            has_ended: false,
            stdin,
            stdout,
            stderr,
            unsent: Vec::new(),
            unread: Unread::default(),
            stderr_tail: Tail::new(stderr_tail),
            is_killed: false,
        };
        for pipe in [&process.stdin, &process.stdout, &process.stderr].into_iter().flatten() {
            fcntl(pipe, FcntlArg::F_SETFL(OFlag::O_NONBLOCK)).map_err(|error| machine(error.into()))?;
        }
        Ok(process)
    }

    /// Queues a text for the bot and sends what the pipe takes now.
    pub fn send(&mut self, text: &str) {
        if self.unsent.is_empty() {
            let sent = self.write(text.as_bytes());
            self.unsent.extend_from_slice(&text.as_bytes()[sent..]);
        } else {
            self.unsent.extend_from_slice(text.as_bytes());
        }
    }

    /// Whether something is waiting for room in the pipe to the bot.
    pub fn has_unsent(&self) -> bool {
        self.stdin.is_some() && !self.unsent.is_empty()
    }

    /// Sends what had to wait, as far as there is room now.
    pub fn send_rest(&mut self) {
        let unsent = std::mem::take(&mut self.unsent);
        let sent = self.write(&unsent);
        self.unsent.extend_from_slice(&unsent[sent..]);
    }

    /// Writes what there is room for and returns how much that was; a bot that has closed its end gets nothing more.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(stdin) = &self.stdin else { return bytes.len() };
        match retry(|| write(stdin, bytes)) {
            Ok(sent) => sent,
            Err(Errno::EAGAIN) => 0,
            Err(_) => {
                self.stdin = None;
                bytes.len()
            }
        }
    }

    /// Reads once from the bot's standard output. Returns whether there was something.
    pub fn read_stdout(&mut self) -> bool {
        read_once(&mut self.stdout, |new| self.unread.add(new))
    }

    /// Reads once from the bot's standard error. Returns whether there was something.
    pub fn read_stderr(&mut self) -> bool {
        read_once(&mut self.stderr, |new| self.stderr_tail.add(new))
    }

    /// Whether a whole line is there that no question has taken.
    pub fn has_line(&self) -> bool {
        self.unread.has_line()
    }

    /// Takes an answer if all of it is there, see [`Unread::take`].
    pub fn take_answer(&mut self, lines: usize) -> Option<Result<Vec<String>, Ending>> {
        self.unread.take(lines)
    }

    /// Whether the bot writes on and on: reads until nothing is there or it is too much.
    pub fn flood(&mut self) -> Option<Ending> {
        while self.unread.flood().is_none() && self.read_stdout() {}
        self.unread.flood()
    }

    /// Throws away what the bot has said.
    pub fn forget_output(&mut self) {
        self.unread.clear();
    }

    /// How the process ended, if it has.
    pub fn exit(&mut self) -> Option<Ending> {
        // The process is not reaped here, so that its number and its group's stay its own until all of them are ended.
        let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT | WaitPidFlag::WNOHANG;
        match waitid(Id::Pid(self.pid()), flags) {
            Ok(WaitStatus::Exited(_, code)) => Some(Ending::Exit { code }),
            Ok(WaitStatus::Signaled(_, signal, _)) => Some(Ending::Crash { signal: signal as i32 }),
            // A signal without a name, such as those for real time; the status has its number.
            Err(Errno::EINVAL) => {
                let signal = self.child.try_wait().ok().flatten()?.signal()?;
                Some(Ending::Crash { signal })
            }
            _ => None,
        }
    }

    /// CPU time so far of all threads; none after [`kill`](Process::kill).
    pub fn cpu(&self) -> Option<Duration> {
        let clock = nix::time::clock_getcpuclockid(self.pid()).ok()?;
        clock.now().ok().map(Duration::from)
    }

    /// The end of what the bot has written to standard error.
    pub fn stderr_text(&self) -> String {
        self.stderr_tail.text()
    }

    /// Ends the process and all its descendants and closes its pipes, after a last look at them.
    pub fn kill(&mut self) {
        self.is_killed = true;
        self.stdin = None;
        let _ = killpg(self.pid(), Signal::SIGKILL);
        strays::wait_for(self.ended.as_fd());
        // A survivor may hold the other end and write for ever.
        for _ in 0..(1 << 20) / CHUNK {
            if !self.read_stderr() {
                break;
            }
        }
        // Before the others: they can be found only on kernels that list a process's children.
        let _ = self.child.try_wait();
        strays::end(self.pid(), &self.mark);
        self.stdout = None;
        self.stderr = None;
    }

    fn pid(&self) -> Pid {
        Pid::from_raw(self.child.id() as i32)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.is_killed {
            self.kill();
        }
    }
}

/// Reads what is there, at most [`CHUNK`], and closes a pipe that is at its end. Returns whether there was something.
fn read_once(pipe: &mut Option<OwnedFd>, keep: impl FnOnce(&[u8])) -> bool {
    let Some(open) = pipe else { return false };
    let mut chunk = [0; CHUNK];
    match retry(|| read(&*open, &mut chunk)) {
        Ok(length @ 1..) => {
            keep(&chunk[..length]);
            true
        }
        Err(Errno::EAGAIN) => false,
        Ok(0) | Err(_) => {
            *pipe = None;
            false
        }
    }
}

fn retry<T>(mut call: impl FnMut() -> nix::Result<T>) -> nix::Result<T> {
    loop {
        match call() {
            Err(Errno::EINTR) => {}
            result => return result,
        }
    }
}

/// A descriptor that becomes readable when the child ends.
#[allow(unsafe_code)]
fn open_pidfd(child: &Child) -> io::Result<OwnedFd> {
    // SAFETY: pidfd_open takes two integers and touches no memory. The child is not reaped, so its number is its own.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, child.id() as libc::pid_t, 0) };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the descriptor is new and belongs to nobody else.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}
