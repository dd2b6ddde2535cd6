//! A process on three non-blocking pipes, with its own session and its own control group or PID namespace.

use super::delays;
use super::groups::Group;
use super::locks;
use super::namespace;
use super::orphans::{self, Halt, Owner, Stat};
use super::sandbox::Sandbox;
use super::spawn::{self, Namespace, Nest, Spawned, Wait};
use super::stolen::{self, Watcher};
use crate::CommandLine;
use crate::platform::interface::{CHUNK, ChildProcess, Exit, Look, StartError, Stream, Watched};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sched::{sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::{Pid, read, write};
use rustix::io::ioctl_fionread;
use std::fs::File;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::thread;
use std::time::{Duration, Instant};

/// A process and this side of its pipes.
pub(crate) struct Child {
    pid: Pid,
    /// The clock that measures the CPU time of the process's threads.
    clock: Option<ClockId>,
    /// The kernel file that counts the time that the process waits for a core.
    delays: Option<File>,
    /// The reader of the process's counters.
    watcher: Option<Watcher>,
    /// The mark of the process and its descendants, see [`orphans`].
    mark: String,
    /// The control group of the process and its descendants, if the system allows one. Without a control group,
    /// `namespace` contains them.
    group: Option<Group>,
    namespace: Option<Namespace>,
    /// Whether the process and its descendants are paused.
    is_halted: bool,
    /// CPU time of the first process when it received the stop signal, if signals pause it.
    halted_at: Option<Duration>,
    /// Next time at which the namespace is resumed again, and the interval since the last time.
    next_go: Option<(Instant, Duration)>,
    /// The thread that pauses the processes if there is neither a control group nor a namespace.
    halt: Option<Halt>,
    /// Whether processes other than the first had to be killed.
    had_others: bool,
    /// Whether descendants have used CPU time.
    has_busy_descendants: bool,
    /// A descriptor that becomes readable when the process has ended.
    ended: OwnedFd,
    /// Whether a wait has found that the process has ended.
    has_ended: bool,
    /// The pipes: `input`, `output` and `errors` are `None` after either side has closed the pipe.
    input: Option<OwnedFd>,
    output: Option<OwnedFd>,
    errors: Option<OwnedFd>,
    /// Bytes for which there was no room in the pipe to the process.
    unsent: Vec<u8>,
    /// Whether all processes have closed the reading end of the input, although they have read all bytes that were
    /// sent.
    has_no_reader: bool,
}

/// Time after which a namespace that should be running is resumed again. The time doubles with each attempt.
const NEXT_GO: Duration = Duration::from_millis(5);

impl ChildProcess for Child {
    type Sandbox = Sandbox;

    fn start(
        command: &CommandLine,
        sandbox: Option<&Sandbox>,
        dies_with_thread: bool,
    ) -> Result<Child, StartError> {
        // Start the warden before adopting orphans, so that it does not become our child.
        let group = Group::new(sandbox.map(|sandbox| sandbox.most).unwrap_or_default())
            .map_err(|error| StartError::Machine(format!("cannot create a control group: {error}")))?;
        orphans::adopt();
        let mark = orphans::new_mark();
        let variable = (orphans::VARIABLE, &mark[..]);
        let joins: Vec<RawFd> = group.iter().flat_map(Group::joins).map(|file| file.as_raw_fd()).collect();
        let restrictions = sandbox.map(|sandbox| sandbox.restrictions(command)).transpose();
        let restrictions =
            restrictions.map_err(|error| StartError::Machine(format!("cannot isolate a bot: {error}")))?;
        let nest = match group {
            Some(_) => Nest::Groups(&joins),
            None if namespace::is_available() => Nest::Namespace,
            None => Nest::Session,
        };
        let make = || spawn::start(command, variable, nest, restrictions.as_ref(), dies_with_thread);
        let spawned = orphans::enter(&mark, make, |spawned| spawned.pid);
        let Spawned { pid, ended, stdin, stdout, stderr, namespace } = spawned.map_err(|error| {
            let program = command.name();
            match error {
                Errno::EMFILE | Errno::ENFILE | Errno::EAGAIN | Errno::ENOMEM | Errno::ETXTBSY => {
                    StartError::Machine(format!("cannot start `{program}`: {}", error.desc()))
                }
                _ => StartError::Program(format!("{program}: {}", error.desc())),
            }
        })?;
        Ok(Child {
            pid,
            clock: clock_getcpuclockid(pid).ok(),
            delays: delays::of(&pid.to_string()),
            watcher: None,
            mark,
            group,
            namespace,
            is_halted: false,
            halted_at: None,
            next_go: None,
            halt: None,
            had_others: false,
            has_busy_descendants: false,
            ended,
            has_ended: false,
            input: Some(stdin),
            output: Some(stdout),
            errors: Some(stderr),
            unsent: Vec::new(),
            has_no_reader: false,
        })
    }

    fn send(&mut self, bytes: &[u8]) {
        if self.unsent.is_empty() {
            let sent = self.write(bytes);
            self.unsent.extend_from_slice(&bytes[sent..]);
        } else {
            self.unsent.extend_from_slice(bytes);
        }
    }

    fn has_unsent(&self) -> bool {
        self.input.is_some() && !self.unsent.is_empty()
    }

    fn flush(&mut self) -> bool {
        !self.has_unsent()
    }

    fn close_input(&mut self) {
        self.input = None;
    }

    fn has_input(&self) -> bool {
        self.input.is_some()
    }

    fn read(&mut self, stream: Stream, keep: impl FnOnce(&[u8])) -> bool {
        let pipe = self.pipe(stream);
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

    fn is_open(&self, stream: Stream) -> bool {
        match stream {
            Stream::Output => self.output.is_some(),
            Stream::Errors => self.errors.is_some(),
        }
    }

    fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Returns the exit status without reaping the process, so that its process ID and session remain reserved until
    /// all its descendants have ended.
    fn exit(&mut self) -> Option<Exit> {
        let exit = spawn::wait(&self.ended, Wait::Look)?;
        let Some(group) = &self.group else { return Some(exit) };
        Some(Exit {
            cpu: group.cpu().or(exit.cpu),
            peak: group.peak().or(exit.peak),
            is_out_of_memory: group.is_out_of_memory(),
            ..exit
        })
    }

    fn is_out_of_memory(&self) -> bool {
        self.group.as_ref().is_some_and(Group::is_out_of_memory)
    }

    fn cpu(&self) -> Option<Duration> {
        if let Some(group) = &self.group {
            return group.cpu();
        }
        self.own_cpu()
    }

    fn delay(&self) -> Option<[Duration; 2]> {
        let [ran, waited] = delays::read(self.delays.as_ref()?)?;
        Some([waited, self.clock()?.saturating_sub(ran)])
    }

    fn look(&mut self) -> Option<Look> {
        // Create the watcher as late as this, because the bot may have moved to another group.
        self.watcher = self.watcher.take().or_else(|| Watcher::new(self.pid));
        let watcher = self.watcher.as_ref()?;
        let [_, waited] = delays::read(self.delays.as_ref()?)?;
        let all_waited = if watcher.has_quota() { stolen::waits(self.threads()) } else { Duration::ZERO };
        watcher.look([self.own_cpu()?, self.cpu()?, waited], all_waited)
    }

    fn waits_for(&self, other: &Child) -> Option<String> {
        let sleeps = Stat::of(self.pid).is_some_and(|stat| stat.state != b'R');
        sleeps.then(|| locks::held_up(self.pid, other.pid))?
    }

    fn is_ending(&self) -> bool {
        Stat::of(self.pid).is_none_or(|stat| stat.is_ending)
    }

    fn clock(&self) -> Option<Duration> {
        // Reading the clock of a group takes ten times as long as reading that of a process.
        if self.has_busy_descendants { self.cpu() } else { self.own_cpu() }
    }

    fn observe(&mut self) -> Duration {
        /// Maximum CPU time of descendants that count as idle.
        const LITTLE: Duration = Duration::from_millis(1);
        if self.has_busy_descendants {
            return Duration::ZERO;
        }
        let others =
            self.cpu().zip(self.own_cpu()).map_or(Duration::ZERO, |(all, own)| all.saturating_sub(own));
        self.has_busy_descendants = others > LITTLE;
        if self.has_busy_descendants { others } else { Duration::ZERO }
    }

    fn has_survivors(&self) -> bool {
        match (&self.group, &self.namespace) {
            (Some(group), _) => group.is_populated(),
            (None, Some(namespace)) => namespace.has_others(self.pid),
            (None, None) => orphans::has_others(self.owner()),
        }
    }

    fn follow(&self) {
        let Ok(cores) = sched_getaffinity(Pid::from_raw(0)) else { return };
        for thread in orphans::numbers(&format!("/proc/{}/task", self.pid)) {
            let _ = sched_setaffinity(thread, &cores);
        }
    }

    fn halt(&mut self) {
        if self.is_halted {
            return;
        }
        self.is_halted = true;
        if let Some(group) = &self.group {
            group.freeze(true);
            return;
        }
        self.signal_halt();
    }

    fn keep_halted(&mut self) -> Duration {
        /// CPU time that a process may use in the kernel before a signal reaches it.
        const LITTLE: Duration = Duration::from_millis(2);
        let Some((at, now)) = self.halted_at.zip(self.own_cpu()) else { return Duration::ZERO };
        let used = now.saturating_sub(at);
        if used < LITTLE {
            return Duration::ZERO;
        }
        self.end_halt();
        self.signal_halt();
        used
    }

    fn is_halted(&self) -> bool {
        self.is_halted
    }

    fn resume(&mut self) {
        if !self.is_halted {
            return;
        }
        self.is_halted = false;
        if let Some(group) = &self.group {
            group.freeze(false);
            return;
        }
        self.halted_at = None;
        self.end_halt();
        if let Some(namespace) = &self.namespace {
            namespace.resume();
            self.next_go = Some((Instant::now() + NEXT_GO, NEXT_GO));
        }
        // Resume the bot's first process directly, so that it does not have to wait for the namespace.
        let _ = kill(self.pid, Signal::SIGCONT);
    }

    /// Resumes a namespace again. If a process is forking while its namespace is paused and resumed, the new process
    /// may stay paused: no signal can be sent to it until it exists, which can take long on a busy machine.
    fn keep_resumed(&mut self) {
        let (Some(namespace), Some((at, pause))) = (&self.namespace, self.next_go) else { return };
        if !self.is_halted && Instant::now() >= at {
            namespace.resume();
            self.next_go = Some((at + 2 * pause, 2 * pause));
        }
    }

    fn settle(&self, time: Duration) {
        let start = Instant::now();
        while Stat::of(self.pid).is_some_and(|stat| stat.state == b'R') && start.elapsed() < time {
            thread::yield_now();
        }
    }

    fn kill(&mut self) {
        self.end_halt();
        let _ = killpg(self.pid, Signal::SIGKILL);
        if let Some(namespace) = &self.namespace {
            namespace.kill();
        }
        orphans::wait_for(self.ended.as_fd());
        self.had_others = match &self.group {
            Some(group) => group.end(),
            None => self.namespace.is_none(),
        };
    }

    fn clear(&mut self) {
        // Reap the bot before the other processes, which can only be found on kernels that list a process's children.
        spawn::wait(&self.ended, Wait::Reap);
        if let Some(namespace) = self.namespace.take() {
            // The first process of the namespace ends after all others. If a bot has made a sibling of itself, that
            // sibling must be reaped here.
            let start = Instant::now();
            while !namespace.ends_within(Duration::from_millis(2)) && start.elapsed() < orphans::DEATH {
                orphans::end_orphans(self.owner());
            }
            orphans::forget(&self.mark);
        } else if self.had_others || orphans::any_dead() {
            orphans::end(self.owner());
        } else {
            orphans::forget(&self.mark);
        }
        if let Some(group) = self.group.take() {
            group.retire();
        }
        self.output = None;
        self.errors = None;
        self.delays = None;
        self.watcher = None;
    }

    fn wait(watched: &mut [Watched<'_, Child>], time: Duration) {
        /// The purpose of a descriptor.
        #[derive(Clone, Copy)]
        enum Channel {
            Input,
            Output,
            Errors,
            End,
        }
        let mut ready = [(0, Channel::End); 8];
        let mut count = 0;
        {
            let mut fds = Vec::with_capacity(ready.len());
            let mut channels = Vec::with_capacity(ready.len());
            for (index, Watched { child, is_awaited, .. }) in watched.iter().enumerate() {
                let mut watch = |fd, events, channel| {
                    fds.push(PollFd::new(fd, events));
                    channels.push((index, channel));
                };
                if let Some(errors) = &child.errors {
                    watch(errors.as_fd(), PollFlags::POLLIN, Channel::Errors);
                }
                if !is_awaited {
                    continue;
                }
                if let Some(output) = &child.output {
                    watch(output.as_fd(), PollFlags::POLLIN, Channel::Output);
                }
                if !child.has_ended {
                    watch(child.ended.as_fd(), PollFlags::POLLIN, Channel::End);
                }
                // Without unsent bytes, the pipe is ready once no process can read it any more.
                if let Some(input) = child.input.as_ref().filter(|_| !child.has_no_reader) {
                    let room = if child.has_unsent() { PollFlags::POLLOUT } else { PollFlags::empty() };
                    watch(input.as_fd(), room, Channel::Input);
                }
            }
            // After a signal, or when the kernel is briefly out of memory, the caller tries again: no bot is to blame.
            if ppoll(&mut fds, Some(TimeSpec::from_duration(time)), None).is_err() {
                return;
            }
            for (fd, channel) in fds.iter().zip(channels) {
                if fd.any() == Some(true) {
                    ready[count] = channel;
                    count += 1;
                }
            }
        }
        for &(index, channel) in &ready[..count] {
            let one = &mut watched[index];
            match channel {
                Channel::Input if one.child.has_unsent() => one.child.send_rest(),
                Channel::Input => one.child.lose_reader(),
                Channel::Output => one.has_output = true,
                Channel::Errors => one.has_errors = true,
                Channel::End => one.child.has_ended = true,
            }
        }
    }
}

impl Child {
    /// Returns the CPU time of the first process and its threads.
    fn own_cpu(&self) -> Option<Duration> {
        self.clock?.now().ok().map(Duration::from)
    }

    /// Returns the threads of the process and, with a control group, those of its descendants.
    fn threads(&self) -> Vec<Pid> {
        match &self.group {
            Some(group) => group.threads(),
            None => orphans::numbers(&format!("/proc/{}/task", self.pid)).collect(),
        }
    }

    /// Pauses all processes with signals: the first process at once, and the others soon afterwards.
    fn signal_halt(&mut self) {
        self.halted_at = self.own_cpu();
        let _ = kill(self.pid, Signal::SIGSTOP);
        match &self.namespace {
            Some(namespace) => namespace.halt(),
            None => self.halt = Halt::begin(self.pid, &self.mark),
        }
    }

    fn end_halt(&mut self) {
        if let Some(halt) = self.halt.take() {
            halt.end();
        }
    }

    fn owner(&self) -> Owner<'_> {
        Owner { leader: self.pid, mark: &self.mark, group: self.group.as_ref().map(|group| &group.name[..]) }
    }

    fn pipe(&mut self, stream: Stream) -> &mut Option<OwnedFd> {
        match stream {
            Stream::Output => &mut self.output,
            Stream::Errors => &mut self.errors,
        }
    }

    /// Sends queued bytes, as many as there is room for.
    fn send_rest(&mut self) {
        let unsent = std::mem::take(&mut self.unsent);
        let sent = self.write(&unsent);
        self.unsent.extend_from_slice(&unsent[sent..]);
    }

    /// Records that no process can read the input any more. A process that has read all of the input may still answer.
    /// The pipe may contain unread bytes even if the process has closed its end, because another process that was being
    /// started had a copy of it.
    fn lose_reader(&mut self) {
        let unread = self.input.as_ref().and_then(|input| ioctl_fionread(input).ok());
        if unread.is_some_and(|bytes| bytes > 0) {
            self.input = None;
        } else {
            self.has_no_reader = true;
        }
    }

    /// Writes as many bytes as there is room for, and returns their number. If the process has closed its end, all
    /// bytes count as written.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(input) = &self.input else { return bytes.len() };
        match retry(|| write(input, bytes)) {
            Ok(sent) => sent,
            Err(Errno::EAGAIN) => 0,
            Err(_) => {
                self.input = None;
                bytes.len()
            }
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
