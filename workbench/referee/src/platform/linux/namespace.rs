//! A PID namespace for each bot, if no control group can be created.
//!
//! Processes cannot leave the namespace. A signal to all processes in the namespace reaches every process, even during
//! a fork, because the kernel sends it to all at once. The first process in the namespace is a shell script. It can
//! signal only the processes inside, and these cannot signal it. It reads commands from its input, and pauses or
//! resumes the other processes. When the first process ends, the kernel kills all others. The first process ends when
//! its input is closed, for example because this process has ended.
//!
//! The bot itself is not the first process in the namespace, because the first process ignores signals; but the bot is
//! still a child of this process ([`spawn`]). The namespace changes only the process IDs that the bot sees; `/proc`
//! still shows the whole machine.

use super::orphans;
use super::spawn::{self, Namespace, Nest, Wait};
use crate::CommandLine;
use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, write};
use std::env;
use std::fs;
use std::os::fd::AsFd;
use std::sync::OnceLock;
use std::time::Duration;

/// The environment variable that turns namespaces off, with the value `off`.
const SWITCH: &str = "CONTENDER_NAMESPACES";

/// Returns whether namespaces can be created here. Ordinary users need user namespaces for this.
pub(crate) fn is_available() -> bool {
    static IS_AVAILABLE: OnceLock<bool> = OnceLock::new();
    *IS_AVAILABLE.get_or_init(|| {
        if env::var_os(SWITCH).is_some_and(|switch| switch == "off") {
            return false;
        }
        // If this is not a new namespace, the first process exits at once.
        let command = CommandLine::new(["sh", "-c", "[ $$ != 1 ] && kill -0 1"]);
        let probe = spawn::start(&command, (orphans::VARIABLE, ""), Nest::Namespace, None, false);
        probe.is_ok_and(|probe| {
            use contender_play::ExitStatus::Code;
            spawn::wait(&probe.ended, Wait::Block).is_some_and(|exit| exit.status == Code(0))
        })
    })
}

impl Namespace {
    /// Tells the first process to pause all others. This happens shortly afterwards.
    pub fn halt(&self) {
        self.order(b"halt\n");
    }

    /// Tells the first process to resume all others. This happens shortly afterwards.
    pub fn resume(&self) {
        self.order(b"go\n");
    }

    /// Kills all processes in the namespace.
    pub fn kill(&self) {
        let _ = kill(self.first, Signal::SIGKILL);
    }

    /// Waits at most `time` for the killed namespace to end, and returns whether it has ended.
    pub fn ends_within(&self, time: Duration) -> bool {
        orphans::ends_within(self.ended.as_fd(), time)
    }

    /// Returns whether any process in the namespace other than the first one and the bot is alive.
    pub fn has_others(&self, bot: Pid) -> bool {
        let namespace = |pid: Pid| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
        let Some(own) = namespace(self.first) else { return false };
        let is_inside = |&pid: &Pid| pid != self.first && pid != bot && namespace(pid).as_ref() == Some(&own);
        orphans::numbers("/proc").filter(is_inside).any(orphans::lives)
    }

    fn order(&self, order: &[u8]) {
        // If the pipe is closed, no process is left.
        let _ = write(&self.orders, order);
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        self.kill();
        // The kernel ends the first process after all others.
        orphans::wait_for(self.ended.as_fd());
        spawn::wait(&self.ended, Wait::Reap);
    }
}
