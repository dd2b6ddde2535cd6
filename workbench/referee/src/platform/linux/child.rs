//! A process on three non-blocking pipes, in a session and a control group of its own.

use super::groups::Group;
use super::spawn::{self, Spawned, Wait};
use super::strays::{self, Owner, Stat};
use super::walls::Walls;
use crate::platform::interface::{CHUNK, ChildProcess, Exit, StartError, Stream, Watched};
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sched::{sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{Signal, kill, killpg};
use nix::sys::time::TimeSpec;
use nix::time::{ClockId, clock_getcpuclockid};
use nix::unistd::{Pid, read, write};
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::thread;
use std::time::{Duration, Instant};

/// A process and our ends of its pipes.
pub(crate) struct Child {
    pid: Pid,
    /// Of the CPU time of its threads.
    clock: Option<ClockId>,
    /// Marks the process and its descendants, see [`strays`].
    mark: String,
    /// Takes all of them along, where there can be one.
    group: Option<Group>,
    /// Whether all of them stand still, and who was told so where there is no group.
    is_halted: bool,
    halted: Vec<Pid>,
    /// Whether others than the first process had to be ended.
    had_others: bool,
    /// Whether descendants have worked.
    has_busy_descendants: bool,
    /// Readable when the process has ended.
    ended: OwnedFd,
    /// Whether a wait has seen that.
    has_ended: bool,
    /// This and the next two are `None` when either side has closed the pipe.
    input: Option<OwnedFd>,
    output: Option<OwnedFd>,
    errors: Option<OwnedFd>,
    /// What the pipe to the process had no room for.
    unsent: Vec<u8>,
}

impl ChildProcess for Child {
    type Walls = Walls;

    fn start(words: &[String], walls: Option<&Walls>, dies_with_thread: bool) -> Result<Child, StartError> {
        // The warden is started before orphans are adopted: it is to be nobody's child.
        let group = Group::new(walls.map(|walls| walls.most).unwrap_or_default())
            .map_err(|error| StartError::Machine(format!("cannot make a control group: {error}")))?;
        strays::adopt();
        let mark = strays::new_mark();
        let variable = (strays::VARIABLE, &mark[..]);
        let joins: Vec<RawFd> = group.iter().flat_map(Group::joins).map(|file| file.as_raw_fd()).collect();
        let restrictions = walls.map(|walls| walls.restrictions(words)).transpose();
        let restrictions =
            restrictions.map_err(|error| StartError::Machine(format!("cannot isolate a bot: {error}")))?;
        let make = || spawn::start(words, variable, &joins, restrictions.as_ref(), dies_with_thread);
        let spawned = strays::enter(&mark, make, |spawned| spawned.pid);
        let Spawned { pid, ended, stdin, stdout, stderr } = spawned.map_err(|error| {
            let program = words.first().map_or("", String::as_str);
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
            mark,
            group,
            is_halted: false,
            halted: Vec::new(),
            had_others: false,
            has_busy_descendants: false,
            ended,
            has_ended: false,
            input: Some(stdin),
            output: Some(stdout),
            errors: Some(stderr),
            unsent: Vec::new(),
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

    /// The process is not reaped here, so that its number and its session stay its own until all of them are ended.
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

    fn clock(&self) -> Option<Duration> {
        // The clock of a group is ten times as slow as that of a process.
        if self.has_busy_descendants { self.cpu() } else { self.own_cpu() }
    }

    fn observe(&mut self) -> Duration {
        /// So much is no work.
        const LITTLE: Duration = Duration::from_millis(1);
        if self.has_busy_descendants {
            return Duration::ZERO;
        }
        let others =
            self.cpu().zip(self.own_cpu()).map_or(Duration::ZERO, |(all, own)| all.saturating_sub(own));
        self.has_busy_descendants = others > LITTLE;
        if self.has_busy_descendants { others } else { Duration::ZERO }
    }

    fn follow(&self) {
        let Ok(cores) = sched_getaffinity(Pid::from_raw(0)) else { return };
        for thread in strays::numbers(&format!("/proc/{}/task", self.pid)) {
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
        // Who is not stopped yet may make others.
        for _ in 0..100 {
            let mut found = strays::all(self.owner());
            found.retain(|pid| !self.halted.contains(pid));
            if found.is_empty() {
                return;
            }
            for pid in found {
                let _ = kill(pid, Signal::SIGSTOP);
                self.halted.push(pid);
            }
        }
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
        }
        // In the order of their ages, so that parents see their children go on.
        for pid in self.halted.drain(..) {
            let _ = kill(pid, Signal::SIGCONT);
        }
    }

    fn settle(&self, time: Duration) {
        let start = Instant::now();
        while Stat::of(self.pid).is_some_and(|stat| stat.state == b'R') && start.elapsed() < time {
            thread::yield_now();
        }
    }

    fn kill(&mut self) {
        let _ = killpg(self.pid, Signal::SIGKILL);
        strays::wait_for(self.ended.as_fd());
        self.had_others = self.group.as_ref().is_none_or(Group::end);
    }

    fn clear(&mut self) {
        // Before the others: they can be found only on kernels that list a process's children.
        spawn::wait(&self.ended, Wait::Reap);
        if self.had_others || strays::any_dead() {
            strays::end(self.owner());
        } else {
            strays::forget(&self.mark);
        }
        if let Some(group) = self.group.take() {
            group.retire();
        }
        self.output = None;
        self.errors = None;
    }

    fn wait(watched: &mut [Watched<'_, Child>], time: Duration) {
        /// What a descriptor is for.
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
                if let Some(input) = child.input.as_ref().filter(|_| child.has_unsent()) {
                    watch(input.as_fd(), PollFlags::POLLOUT, Channel::Input);
                }
            }
            // After a signal, or when the kernel is out of memory for the moment, the caller tries again: no bot is to blame.
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
                Channel::Input => one.child.send_rest(),
                Channel::Output => one.has_output = true,
                Channel::Errors => one.has_errors = true,
                Channel::End => one.child.has_ended = true,
            }
        }
    }
}

impl Child {
    /// CPU time of the first process and its threads.
    fn own_cpu(&self) -> Option<Duration> {
        self.clock?.now().ok().map(Duration::from)
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

    /// Sends what had to wait, as far as there is room now.
    fn send_rest(&mut self) {
        let unsent = std::mem::take(&mut self.unsent);
        let sent = self.write(&unsent);
        self.unsent.extend_from_slice(&unsent[sent..]);
    }

    /// Writes what there is room for and returns how much that was; a process that has closed its end gets nothing more.
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
