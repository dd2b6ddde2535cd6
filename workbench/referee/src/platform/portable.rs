//! The implementation for any system, with only the standard library: a thread for each pipe, and no sandbox.
//!
//! A thread forwards a process's output in chunks, at most as many as fit in a pipe. After that, the thread waits, the
//! pipe fills up, and a process that writes endlessly blocks itself. The pipe threads wake the waiting thread. If a
//! descendant of the process keeps a pipe open, the pipe's thread keeps running until the descendant closes the pipe.

use super::common::{NOT_INHERITED, available_cores};
use super::interface::{CHUNK, ChildProcess, Exit, Facility, Load, Look, StartError, Stream, Watched};
use crate::CommandLine;
use contender_play::ExitStatus;
use contender_play::ResourceLimits;
use contender_play::program_of;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{self, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// Maximum number of unread chunks: as much as a Linux pipe holds.
const MAX_CHUNKS: usize = (1 << 16) / CHUNK;

/// Interval between checks for the end of a process, because its end does not wake a thread.
const POLL_INTERVAL: Duration = Duration::from_millis(5);

/// Time for a process's last output to pass through the pipe and its thread.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A process and this side of its pipes.
pub(crate) struct Child {
    process: process::Child,
    /// The exit status and the time at which the exit was detected; `None` while the process runs.
    end: Option<(ExitStatus, Instant)>,
    has_ended: bool,
    input: Option<Outgoing>,
    output: Incoming,
    errors: Incoming,
    waiter: Waiter,
}

impl ChildProcess for Child {
    type Sandbox = Sandbox;

    fn start(line: &CommandLine, _: Option<&Sandbox>, _: bool) -> Result<Child, StartError> {
        let program = line.name();
        let at_fault = |reason: String| StartError::Program(format!("{program}: {reason}"));
        let path = program_of(line).ok_or_else(|| at_fault("no such program".to_string()))?;
        let mut command = Command::new(path);
        command
            .args(&line.words[1..])
            .env_remove(NOT_INHERITED)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        line.folder().map(|folder| command.current_dir(folder));
        // Ctrl-C in the terminal must only reach the runner, which ends its games properly.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let no_room = |error: io::Error| StartError::Machine(format!("cannot start `{program}`: {error}"));
        let mut process = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::PermissionDenied | ErrorKind::InvalidInput => {
                at_fault(error.to_string())
            }
            _ => no_room(error),
        })?;
        let waiter = Waiter::default();
        let threads = || -> io::Result<_> {
            Ok((
                process.stdin.take().map(|pipe| Outgoing::new(pipe, &waiter)).transpose()?,
                Incoming::new(process.stdout.take(), &waiter)?,
                Incoming::new(process.stderr.take(), &waiter)?,
            ))
        };
        match { threads }() {
            Ok((input, output, errors)) => {
                Ok(Child { process, end: None, has_ended: false, input, output, errors, waiter })
            }
            Err(error) => {
                let _ = process.kill();
                let _ = process.wait();
                Err(no_room(error))
            }
        }
    }

    fn send(&mut self, bytes: &[u8]) {
        if let Some(input) = &self.input {
            input.send(bytes);
        }
    }

    fn has_unsent(&self) -> bool {
        self.has_input() && self.input.as_ref().is_some_and(|input| input.unsent.load(Ordering::Acquire) > 0)
    }

    fn flush(&mut self) -> bool {
        let start = Instant::now();
        self.waiter.set();
        while self.has_unsent() && start.elapsed() < LAST_WORDS {
            thread::park_timeout(POLL_INTERVAL);
        }
        !self.has_unsent()
    }

    fn close_input(&mut self) {
        self.input = None;
    }

    fn has_input(&self) -> bool {
        self.input.as_ref().is_some_and(|input| !input.is_closed.load(Ordering::Acquire))
    }

    fn read(&mut self, stream: Stream, keep: impl FnOnce(&[u8])) -> bool {
        let patience = self.end.map_or(Duration::ZERO, |(_, seen)| LAST_WORDS.saturating_sub(seen.elapsed()));
        let incoming = match stream {
            Stream::Output => &mut self.output,
            Stream::Errors => &mut self.errors,
        };
        incoming.fetch(patience);
        incoming.next.take().map(|chunk| keep(&chunk)).is_some()
    }

    fn is_open(&self, stream: Stream) -> bool {
        match stream {
            Stream::Output => self.output.is_open(),
            Stream::Errors => self.errors.is_open(),
        }
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    fn exit(&mut self) -> Option<Exit> {
        if self.end.is_none() {
            let status = self.process.try_wait().ok()??;
            self.end = Some((ended(status), Instant::now()));
        }
        self.end.map(|(status, _)| Exit { status, cpu: None, peak: None, is_out_of_memory: false })
    }

    fn is_out_of_memory(&self) -> bool {
        false
    }

    fn cpu(&self) -> Option<Duration> {
        None
    }

    fn delay(&self) -> Option<[Duration; 2]> {
        None
    }

    fn look(&mut self) -> Option<Look> {
        None
    }

    fn waits_for(&self, _: &Child) -> Option<String> {
        None
    }

    fn is_ending(&self) -> bool {
        false
    }

    fn clock(&self) -> Option<Duration> {
        None
    }

    fn observe(&mut self) -> Duration {
        Duration::ZERO
    }

    fn follow(&self) {}

    fn halt(&mut self) {}

    fn keep_halted(&mut self) -> Duration {
        Duration::ZERO
    }

    // Nothing needs to be done for these on this system.
    fn is_halted(&self) -> bool {
        true
    }

    fn has_survivors(&self) -> bool {
        false
    }

    fn resume(&mut self) {}

    fn keep_resumed(&mut self) {}

    fn settle(&self, _: Duration) {}

    fn kill(&mut self) {
        let _ = self.process.kill();
        if let Ok(status) = self.process.wait() {
            self.end.get_or_insert((ended(status), Instant::now()));
        }
    }

    fn clear(&mut self) {
        self.output = Incoming::default();
        self.errors = Incoming::default();
    }

    fn wait(watched: &mut [Watched<'_, Child>], time: Duration) {
        let start = Instant::now();
        for one in &*watched {
            one.child.waiter.set();
        }
        // If room is unchanged since before the call, that is not an event.
        let had_unsent: Vec<bool> = watched.iter().map(|one| one.child.has_unsent()).collect();
        loop {
            let mut has_news = false;
            for (one, had_unsent) in watched.iter_mut().zip(&had_unsent) {
                one.has_errors = one.child.errors.has_news();
                has_news |= one.has_errors;
                if !one.is_awaited {
                    continue;
                }
                one.has_output = one.child.output.has_news();
                if !one.child.has_ended && one.child.exit().is_some() {
                    one.child.has_ended = true;
                    has_news = true;
                }
                has_news |= one.has_output || *had_unsent && !one.child.has_unsent();
            }
            let left = time.saturating_sub(start.elapsed());
            if has_news || left.is_zero() {
                return;
            }
            // An event since the last check is not missed: its thread leaves a token that ends this wait at once.
            thread::park_timeout(left.min(POLL_INTERVAL));
        }
    }
}

fn ended(status: process::ExitStatus) -> ExitStatus {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return ExitStatus::Signal(signal);
    }
    ExitStatus::Code(status.code().unwrap_or(-1))
}

/// The thread that is woken by events.
#[derive(Clone, Default)]
struct Waiter(Arc<Mutex<Option<Thread>>>);

impl Waiter {
    /// Registers the calling thread as the thread to wake.
    fn set(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread::current());
    }

    fn wake(&self) {
        if let Some(thread) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            thread.unpark();
        }
    }
}

/// The reading end of a pipe to which a process writes.
#[derive(Default)]
struct Incoming {
    /// The received chunks; `None` at the end of the stream.
    chunks: Option<Receiver<Vec<u8>>>,
    /// A chunk that was received but not read yet.
    next: Option<Vec<u8>>,
    /// Whether the end of the stream has been reached but not yet reported.
    has_end: bool,
}

impl Incoming {
    fn new(pipe: Option<impl Read + Send + 'static>, waiter: &Waiter) -> io::Result<Incoming> {
        let Some(mut pipe) = pipe else { return Ok(Incoming::default()) };
        let (sender, chunks) = mpsc::sync_channel(MAX_CHUNKS);
        let waiter = waiter.clone();
        let listen = move || {
            let mut chunk = [0; CHUNK];
            loop {
                match pipe.read(&mut chunk) {
                    Ok(length @ 1..) => {
                        if sender.send(chunk[..length].to_vec()).is_err() {
                            return;
                        }
                        waiter.wake();
                    }
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => break,
                }
            }
            drop(sender);
            waiter.wake();
        };
        thread::Builder::new().spawn(listen)?;
        Ok(Incoming { chunks: Some(chunks), next: None, has_end: false })
    }

    fn is_open(&self) -> bool {
        self.chunks.is_some() || self.next.is_some()
    }

    /// Receives the next chunk, or the end of the stream.
    fn fetch(&mut self, patience: Duration) {
        self.has_end = false;
        let Some(chunks) = self.chunks.as_ref().filter(|_| self.next.is_none()) else { return };
        let fetched = match chunks.try_recv() {
            Err(TryRecvError::Empty) => chunks.recv_timeout(patience),
            Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
            Ok(chunk) => Ok(chunk),
        };
        match fetched {
            Ok(chunk) => self.next = Some(chunk),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                self.chunks = None;
                self.has_end = true;
            }
        }
    }

    /// Returns whether there is something to read.
    fn has_news(&mut self) -> bool {
        if self.next.is_none() && !self.has_end {
            self.fetch(Duration::ZERO);
        }
        self.next.is_some() || self.has_end
    }
}

/// The writing end of a pipe from which a process reads.
struct Outgoing {
    texts: Sender<Vec<u8>>,
    /// Number of bytes on their way to the pipe.
    unsent: Arc<AtomicUsize>,
    /// Whether the process has closed its end.
    is_closed: Arc<AtomicBool>,
}

impl Outgoing {
    fn new(mut pipe: impl Write + Send + 'static, waiter: &Waiter) -> io::Result<Outgoing> {
        let (texts, receiver) = mpsc::channel::<Vec<u8>>();
        let outgoing = Outgoing { texts, unsent: Arc::default(), is_closed: Arc::default() };
        let (unsent, is_closed) = (Arc::clone(&outgoing.unsent), Arc::clone(&outgoing.is_closed));
        let waiter = waiter.clone();
        thread::Builder::new().spawn(move || {
            for text in receiver {
                if pipe.write_all(&text).and_then(|()| pipe.flush()).is_err() {
                    is_closed.store(true, Ordering::Release);
                    waiter.wake();
                    return;
                }
                unsent.fetch_sub(text.len(), Ordering::AcqRel);
                waiter.wake();
            }
        })?;
        Ok(outgoing)
    }

    fn send(&self, bytes: &[u8]) {
        self.unsent.fetch_add(bytes.len(), Ordering::AcqRel);
        let _ = self.texts.send(bytes.to_vec());
    }
}

/// The sandbox on systems that offer no isolation.
#[derive(Debug)]
pub(crate) struct Sandbox {
    /// The enforced memory limit, which is always `None`.
    pub memory: Option<u64>,
    missing: Vec<String>,
}

impl Sandbox {
    pub fn new(bounds: &ResourceLimits) -> io::Result<Sandbox> {
        bounds.check_folders()?;
        let sentence = "bots are not isolated: this system offers no way to isolate them";
        let missing = if *bounds == ResourceLimits::NONE { Vec::new() } else { vec![sentence.to_string()] };
        Ok(Sandbox { memory: None, missing })
    }

    pub fn missing(&self) -> &[String] {
        &self.missing
    }
}

/// The number of cores of this machine. Games do not get their own cores, because the standard library cannot pin
/// threads.
#[derive(Clone, Debug)]
pub struct Cores(usize);

impl Cores {
    /// Returns the cores that this process may use.
    #[must_use]
    pub fn new() -> Cores {
        Cores(available_cores())
    }

    /// Returns the cores. They are not shared out among runners on this system.
    #[must_use]
    pub fn among(_: &str) -> Cores {
        Cores::new()
    }

    /// Returns the number of cores.
    #[must_use]
    pub fn free(&self) -> usize {
        self.0
    }

    pub(crate) fn take(&self, _: usize) -> Option<Place> {
        None
    }
}

impl Default for Cores {
    fn default() -> Cores {
        Cores::new()
    }
}

/// The cores of one game. This type has no values on this system.
pub(crate) enum Place {}

impl Place {
    pub fn seat(&self, _: usize) {
        match *self {}
    }

    pub fn all(&self) {
        match *self {}
    }
}

/// Returns `None`, because the load of the cores is unknown on this system.
pub(crate) fn load() -> Option<Load> {
    None
}

/// Returns `None`, because the counters of threads are unknown on this system.
pub(crate) fn own_look() -> Option<Look> {
    None
}

/// Returns `None`, because this system does not report the time that the calling thread waited for a core.
pub(crate) fn own_delay() -> Option<Duration> {
    None
}

/// Returns `None`, because this system does not report the time that tasks waited for a core.
pub(crate) fn all_delays() -> Option<Duration> {
    None
}

/// Returns the guarantees, none of which this system can keep.
pub(crate) fn facilities() -> Vec<Facility> {
    let names = [
        "paused outside its turns",
        "descendants end with the bot",
        "memory",
        "processes",
        "files",
        "network",
    ];
    let remedy = "run on Linux, or on Windows in WSL";
    names.map(|what| Facility { what, holds: false, how: "nothing".to_string(), remedy }).to_vec()
}
