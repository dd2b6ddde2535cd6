//! A PID namespace for each bot, if no control group can be made.
//!
//! No process leaves it, whatever it calls, so that a signal to all in it misses none: the kernel sends it to all at
//! once and no fork escapes. Its first process is a shell of ours, outside which the bot cannot be signalled, and which
//! no process inside can signal. It stops the others and lets them go on when it reads so, on whatever core is free.
//! When the first process ends, and it does when its input ends with this process, the kernel ends all others.
//!
//! The bot itself is not the first process, which would ignore signals, but a child of this one all the same
//! ([`spawn`]). It sees the namespace by its own number only: `/proc` stays that of the machine.

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

/// With this set to `off` no namespaces are made.
const SWITCH: &str = "CONTENDER_NAMESPACES";

/// Returns whether namespaces can be made here: an ordinary user needs user namespaces.
pub(crate) fn is_available() -> bool {
    static IS_AVAILABLE: OnceLock<bool> = OnceLock::new();
    *IS_AVAILABLE.get_or_init(|| {
        if env::var_os(SWITCH).is_some_and(|switch| switch == "off") {
            return false;
        }
        // The first process has ended at once if the namespace is not one.
        let command = CommandLine::new(["sh", "-c", "[ $$ != 1 ] && kill -0 1"]);
        let probe = spawn::start(&command, (orphans::VARIABLE, ""), Nest::Namespace, None, false);
        probe.is_ok_and(|probe| {
            use contender_play::ExitStatus::Code;
            spawn::wait(&probe.ended, Wait::Block).is_some_and(|exit| exit.status == Code(0))
        })
    })
}

impl Namespace {
    /// Stops all, soon.
    pub fn halt(&self) {
        self.order(b"halt\n");
    }

    /// Lets all go on, soon.
    pub fn resume(&self) {
        self.order(b"go\n");
    }

    /// Ends all.
    pub fn kill(&self) {
        let _ = kill(self.first, Signal::SIGKILL);
    }

    /// Returns whether it ends within `time` after it was killed.
    pub fn ends_within(&self, time: Duration) -> bool {
        orphans::ends_within(self.ended.as_fd(), time)
    }

    /// Returns whether any process in it lives except the first one and this one.
    pub fn has_others(&self, bot: Pid) -> bool {
        let namespace = |pid: Pid| fs::read_link(format!("/proc/{pid}/ns/pid")).ok();
        let Some(own) = namespace(self.first) else { return false };
        let is_inside = |&pid: &Pid| pid != self.first && pid != bot && namespace(pid).as_ref() == Some(&own);
        orphans::numbers("/proc").filter(is_inside).any(orphans::lives)
    }

    fn order(&self, order: &[u8]) {
        // Where it is not read any more nobody is left.
        let _ = write(&self.orders, order);
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        self.kill();
        // The kernel lets the first process end after all others.
        orphans::wait_for(self.ended.as_fd());
        spawn::wait(&self.ended, Wait::Reap);
    }
}
