//! Finds a bot's descendants, including orphans, if there is neither a control group ([`groups`](super::groups)) nor a
//! PID namespace ([`namespace`](super::namespace)).
//!
//! A bot runs in its own session. Its descendants can leave that session, but they cannot enter the session of this
//! process. This process is a *child subreaper*: when a descendant's parent dies, the orphan becomes a child of this
//! process and can be found and reaped. An orphan's session shows to which bot it belongs. A descendant that has left
//! the session still belongs to its bot if it was seen among the bot's descendants before. For other orphans, the
//! inherited environment shows the bot, because it contains an unguessable mark for each bot. A process is a *stranger*
//! if it has no known mark and is neither in a bot's session nor in the session of this process. Strangers are killed
//! as soon as any bot must be paused or has ended. They are not paused, because their bot may be waiting for them.
//!
//! This has two consequences for a program that referees games. While games run, the program's other children must not
//! be session leaders, because they would be mistaken for orphans. The program also becomes the parent of its other
//! children's orphans.

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sched::{sched_getaffinity, sched_setaffinity};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{Id, WaitPidFlag, WaitStatus, waitid, waitpid};
use nix::unistd::{Pid, getpid, getsid};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::Read;
use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The environment variable that contains a bot's mark.
pub(crate) const VARIABLE: &str = "CONTENDER_BOT";

/// Time after which a process that still exists after SIGKILL is considered to hang in the kernel, and is ignored.
pub(crate) const DEATH: Duration = Duration::from_secs(1);

/// This process's bots, by their marks. A bot is listed until it is dead and reaped.
static BOTS: Mutex<BTreeMap<String, Bot>> = Mutex::new(BTreeMap::new());

/// A bot of this process.
struct Bot {
    /// The first process, which leads the bot's session.
    leader: Pid,
    /// The descendants that have been seen, each with its start time.
    seen: BTreeSet<(Pid, u64)>,
}

/// A lock that is held while a bot is created, because a bot looks like an orphan until it runs its program.
static BIRTHS: RwLock<()> = RwLock::new(());

/// The bot to which a process belongs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Owner<'a> {
    /// The bot's first process, which leads the session.
    pub leader: Pid,
    pub mark: &'a str,
    /// The end of the control group's name, as `/proc` shows it.
    pub group: Option<&'a str>,
}

/// Makes this process the parent of orphans among its descendants, and kills marked processes that dead runners have
/// left behind.
pub(crate) fn adopt() {
    static ADOPTED: OnceLock<()> = OnceLock::new();
    ADOPTED.get_or_init(|| {
        // This fails only on kernels before 3.4. Orphans then go to init, which reaps them.
        let _ = nix::sys::prctl::set_child_subreaper(true);
        sweep();
    });
}

/// Returns a mark that no other bot has and that cannot be guessed. The mark contains 128 random bits and the identity
/// of this process, from which other runners can see whether the process is alive.
pub(crate) fn new_mark() -> String {
    static RUNNER: OnceLock<String> = OnceLock::new();
    let runner = RUNNER.get_or_init(|| {
        let since = Stat::of(getpid()).map_or(0, |stat| stat.since);
        format!("{}.{}.{since}", namespace(), getpid())
    });
    let mut random = [0; 16];
    if File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut random)).is_err() {
        // The standard library seeds its hashers from the system's randomness.
        let [one, other] = [(); 2].map(|()| RandomState::new().build_hasher().finish());
        random = (u128::from(one) << 64 | u128::from(other)).to_ne_bytes();
    }
    format!("{runner}.{:032x}", u128::from_ne_bytes(random))
}

/// Creates a bot with `make` and registers it.
pub(crate) fn enter<T, E>(
    mark: &str,
    make: impl FnOnce() -> Result<T, E>,
    pid: impl FnOnce(&T) -> Pid,
) -> Result<T, E> {
    let _birth = BIRTHS.read().unwrap_or_else(PoisonError::into_inner);
    let made = make()?;
    bots().insert(mark.to_string(), Bot { leader: pid(&made), seen: BTreeSet::new() });
    Ok(made)
}

fn bots() -> MutexGuard<'static, BTreeMap<String, Bot>> {
    BOTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the number of this process's PID namespace. Process IDs are valid only inside a namespace.
fn namespace() -> String {
    let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
    link.to_string_lossy().chars().filter(char::is_ascii_digit).collect()
}

/// Kills processes that have the mark of a dead runner. Such processes are left behind if a runner and its bot are
/// killed, but not the bot's descendants.
fn sweep() {
    let own = namespace();
    for pid in numbers("/proc") {
        let Some(mark) = mark_of(pid) else { continue };
        let parts: Vec<&str> = mark.split('.').collect();
        let [namespace, runner, since, _] = parts[..] else { continue };
        let (Ok(runner), Ok(since)) = (runner.parse(), since.parse::<u64>()) else { continue };
        let lives = Stat::of(Pid::from_raw(runner)).is_some_and(|stat| stat.since == since);
        // If the process has ended in the meantime, the environment now belongs to another process.
        if namespace == own && !lives && mark_of(pid).as_deref() == Some(&mark) {
            let _ = kill(pid, Signal::SIGKILL);
        }
    }
}

/// Waits for the end of a process after SIGKILL, given its pidfd.
pub(crate) fn wait_for(ended: BorrowedFd<'_>) {
    ends_within(ended, DEATH);
}

/// Returns whether a process, given its pidfd, ends within `time`.
pub(crate) fn ends_within(ended: BorrowedFd<'_>, time: Duration) -> bool {
    let mut ends = [PollFd::new(ended, PollFlags::POLLIN)];
    let timeout = PollTimeout::try_from(time).unwrap_or(PollTimeout::MAX);
    loop {
        match poll(&mut ends, timeout) {
            Err(Errno::EINTR) => {}
            result => return result.is_ok_and(|ready| ready > 0),
        }
    }
}

/// Returns whether any child of this process is dead but not reaped.
pub(crate) fn any_dead() -> bool {
    let flags = WaitPidFlag::WEXITED | WaitPidFlag::WNOHANG | WaitPidFlag::WNOWAIT;
    !matches!(waitid(Id::All, flags), Ok(WaitStatus::StillAlive) | Err(Errno::ECHILD))
}

/// Unregisters a dead bot without remaining processes.
pub(crate) fn forget(mark: &str) {
    bots().remove(mark);
}

/// Kills and reaps all remaining processes of a bot whose first process is dead and reaped.
pub(crate) fn end(owner: Owner<'_>) {
    end_orphans(owner);
    forget(owner.mark);
}

/// Kills and reaps the bot's orphans while the bot is still registered.
pub(crate) fn end_orphans(owner: Owner<'_>) {
    // A dead process's children become children of this process only after its death, so look again until nothing is
    // found. The kernel limits how many processes a bot can have. The bound here is for processes that cannot be
    // reaped.
    for _ in 0..100 {
        let orphans: Vec<Pid> = orphans(owner).into_iter().map(|(orphan, _)| orphan).collect();
        if orphans.is_empty() {
            return;
        }
        for &orphan in &orphans {
            let _ = kill(orphan, Signal::SIGKILL);
        }
        for orphan in orphans {
            reap(orphan);
        }
    }
}

/// Returns the processes of a living bot, including the first one, as far as they can be found without a control group.
fn all(owner: Owner<'_>) -> Vec<Pid> {
    let mut known = BTreeSet::from([owner.leader]);
    let mut found = vec![owner.leader];
    let mut add = |found: &mut Vec<Pid>, pids: Vec<Pid>| {
        found.extend(pids.into_iter().filter(|&pid| known.insert(pid)));
    };
    let orphans = orphans(owner).into_iter().filter(|(_, kinship)| *kinship == Kinship::Own);
    add(&mut found, orphans.map(|(orphan, _)| orphan).collect());
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        add(&mut found, children(pid));
        next += 1;
    }
    let seen: Vec<_> = found.iter().filter_map(|&pid| Some((pid, Stat::of(pid)?.since))).collect();
    if let Some(bot) = bots().get_mut(owner.mark) {
        bot.seen.extend(seen);
    }
    found
}

/// Returns whether descendants of a bot whose first process has ended are still alive.
pub(crate) fn has_others(owner: Owner<'_>) -> bool {
    all(owner).into_iter().any(|pid| pid != owner.leader && lives(pid))
}

/// Returns whether a process is alive, that is, runs or could run.
pub(crate) fn lives(pid: Pid) -> bool {
    Stat::of(pid).is_some_and(|stat| !matches!(stat.state, b'Z' | b'X'))
}

/// A thread that pauses a bot and all its descendants. Finding many descendants takes time, which the opponent would
/// lose without this thread.
pub(crate) struct Halt {
    search: JoinHandle<Vec<Pid>>,
    is_over: Arc<AtomicBool>,
}

impl Halt {
    /// Starts to pause the bot. Returns `None` if no thread can be started.
    pub fn begin(leader: Pid, mark: &str) -> Option<Halt> {
        let is_over = Arc::new(AtomicBool::new(false));
        let (stop, mark) = (Arc::clone(&is_over), mark.to_string());
        let search = move || {
            // Do not run on the core of the game.
            if let Ok(cores) = sched_getaffinity(getpid()) {
                let _ = sched_setaffinity(Pid::from_raw(0), &cores);
            }
            let owner = Owner { leader, mark: &mark, group: None };
            for (stranger, _) in orphans(owner).iter().filter(|(_, kinship)| *kinship == Kinship::Stranger) {
                let _ = kill(*stranger, Signal::SIGKILL);
            }
            let mut halted = Vec::new();
            // A process that is not stopped yet may create others.
            for _ in 0..100 {
                let mut found = all(owner);
                found.retain(|pid| !halted.contains(pid));
                if found.is_empty() || stop.load(Ordering::Relaxed) {
                    break;
                }
                for pid in found {
                    let _ = kill(pid, Signal::SIGSTOP);
                    halted.push(pid);
                }
            }
            halted
        };
        let search = thread::Builder::new().spawn(search).ok()?;
        Some(Halt { search, is_over })
    }

    /// Resumes all paused processes from oldest to youngest, so that every parent notices that its child was resumed.
    pub fn end(self) {
        self.is_over.store(true, Ordering::Relaxed);
        for pid in self.search.join().unwrap_or_default() {
            let _ = kill(pid, Signal::SIGCONT);
        }
    }
}

/// The relation between a child of this process and a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kinship {
    /// A process of this bot.
    Own,
    /// A process whose bot is unknown.
    Stranger,
}

/// Returns the orphans of a bot among this process's children, and the strangers.
fn orphans(owner: Owner<'_>) -> Vec<(Pid, Kinship)> {
    let _no_birth = owner.group.is_none().then(|| BIRTHS.write().unwrap_or_else(PoisonError::into_inner));
    let Ok(own_session) = getsid(None) else { return Vec::new() };
    let children = children(getpid()).into_iter();
    children.filter_map(|child| Some((child, kinship(child, owner, own_session)?))).collect()
}

fn kinship(child: Pid, owner: Owner<'_>, own_session: Pid) -> Option<Kinship> {
    if let Some(group) = owner.group {
        // The last line is that of version 2, and a dead process still has it.
        let groups = fs::read_to_string(format!("/proc/{child}/cgroup")).unwrap_or_default();
        let is_own = groups.lines().last().is_some_and(|line| line.ends_with(group)) && child != owner.leader;
        return is_own.then_some(Kinship::Own);
    }
    let stat = Stat::of(child)?;
    let bots = bots();
    if stat.session == own_session || bots.values().any(|bot| bot.leader == child) {
        return None;
    }
    let of = |is_its: &dyn Fn(&Bot) -> bool| Some(bots.iter().find(|(_, bot)| is_its(bot))?.0.clone());
    // A process that was seen as one bot's descendant may carry another bot's mark, but the first bot owns it. A dead
    // process has no environment left.
    let mark = of(&|bot| bot.leader == stat.session)
        .or_else(|| of(&|bot| bot.seen.contains(&(child, stat.since))))
        .or_else(|| mark_of(child));
    match mark {
        _ if stat.session == owner.leader => Some(Kinship::Own),
        Some(mark) if mark == owner.mark => Some(Kinship::Own),
        Some(mark) if bots.contains_key(&mark) => None,
        _ => Some(Kinship::Stranger),
    }
}

fn reap(pid: Pid) {
    const PAUSE: Duration = Duration::from_micros(200);
    for _ in 0..DEATH.as_micros() / PAUSE.as_micros() {
        match waitpid(pid, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::StillAlive) => thread::sleep(PAUSE),
            Err(Errno::EINTR) => {}
            _ => return,
        }
    }
}

/// Returns the children of all threads of a process. The result is empty if the kernel does not list them
/// (`CONFIG_PROC_CHILDREN`).
fn children(of: Pid) -> Vec<Pid> {
    let folder = format!("/proc/{of}/task");
    let lists =
        numbers(&folder).filter_map(|task| fs::read_to_string(format!("{folder}/{task}/children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace().filter_map(|pid| pid.parse().ok()).map(Pid::from_raw).collect::<Vec<_>>()
        })
        .collect()
}

/// Returns the processes or threads listed in a folder of `/proc`.
pub(crate) fn numbers(folder: &str) -> impl Iterator<Item = Pid> + use<> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).map(Pid::from_raw)
}

/// Returns the mark in a process's environment.
fn mark_of(pid: Pid) -> Option<String> {
    let environment = fs::read(format!("/proc/{pid}/environ")).ok()?;
    let mut variables = environment.split(|&byte| byte == 0);
    let mark =
        variables.find_map(|variable| variable.strip_prefix(VARIABLE.as_bytes())?.strip_prefix(b"="))?;
    Some(String::from_utf8_lossy(mark).into_owned())
}

/// The required fields of `/proc/PID/stat`.
pub(crate) struct Stat {
    /// State of the process: `R` if it runs or could run.
    pub state: u8,
    /// Whether the process has begun to exit.
    pub is_ending: bool,
    session: Pid,
    /// Start time, in kernel ticks since the start of the machine.
    since: u64,
}

impl Stat {
    pub fn of(pid: Pid) -> Option<Stat> {
        Stat::parse(&fs::read(format!("/proc/{pid}/stat")).ok()?)
    }

    fn parse(line: &[u8]) -> Option<Stat> {
        // The name is in parentheses and may contain anything. After the name come the state, parent, group and session
        // as fields 3 to 6, the flags as field 9, and the start time as field 22.
        let after_name = line.iter().rposition(|&byte| byte == b')')? + 1;
        let words: Vec<&str> = std::str::from_utf8(&line[after_name..]).ok()?.split_whitespace().collect();
        let session = Pid::from_raw(words.get(3)?.parse().ok()?);
        /// The kernel's flag for a process that is exiting.
        const EXITING: u64 = 0x4;
        let flags: u64 = words.get(6)?.parse().ok()?;
        Some(Stat {
            state: words[0].as_bytes()[0],
            is_ending: flags & EXITING != 0,
            session,
            since: words.get(19)?.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nix::sys::signal::killpg;
    use std::io::Read;
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    #[test]
    fn a_process_may_have_any_name() {
        let stat =
            Stat::parse(b"81 (a) S 1 2 3 \n) Z 7 80 79 0 -1 0 1 2 3 4 5 6 7 8 9 10 11 12 777 5").unwrap();
        assert_eq!((stat.state, stat.session.as_raw(), stat.since), (b'Z', 79, 777));
        for line in
            [&b""[..], b"81", b"81 (cat)", b"81 (cat) S 1", b"81 (cat) S 1 x y", b")", b"81 (cat) S 1 2 3"]
        {
            assert!(Stat::parse(line).is_none());
        }
        let own = Stat::of(getpid()).unwrap();
        assert_eq!(own.session, getsid(None).unwrap());
    }

    /// Checks that all descendants of a bot are found, not only its children.
    #[test]
    fn descendants_of_descendants_are_found() {
        // The last process must not read: a shell gives background processes an empty input.
        let tree = "sh -c 'sh -c \"echo; exec sleep 60\" & wait' & wait";
        let mut shell =
            Command::new("sh").args(["-c", tree]).stdout(Stdio::piped()).process_group(0).spawn().unwrap();
        // The last process of the tree has started when it writes.
        shell.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let leader = Pid::from_raw(shell.id() as i32);
        let found = all(Owner { leader, mark: "of this test", group: Some("/none") });
        killpg(leader, Signal::SIGKILL).unwrap();
        shell.wait().unwrap();
        assert_eq!(found.len(), 3, "{found:?}");
    }

    /// Checks that a mark does not reveal the next mark.
    #[test]
    fn no_mark_is_guessed() {
        let marks: BTreeSet<String> = (0..1000).map(|_| new_mark()).collect();
        assert_eq!(marks.len(), 1000);
        let random = |mark: &String| mark.rsplit('.').next().unwrap().to_string();
        let bits: Vec<u128> =
            marks.iter().map(|mark| u128::from_str_radix(&random(mark), 16).unwrap()).collect();
        for bit in 0..128 {
            let ones = bits.iter().filter(|bits| **bits >> bit & 1 == 1).count();
            assert!((300..700).contains(&ones), "bit {bit}: {ones} of 1000");
        }
        assert!(marks.iter().all(|mark| random(mark).len() == 32));
    }
}
