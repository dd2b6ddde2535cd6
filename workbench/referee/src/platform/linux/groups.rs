//! A control group for each bot. It contains all descendants of the bot, which cannot leave it, and can be paused,
//! measured and killed as a whole.
//!
//! Version 2 pauses and kills groups and counts their CPU time even without controllers. Memory and processes are
//! limited by version 2 controllers if these are delegated to this process, or otherwise by version 1 controllers if
//! this process may create groups there. If no group can be created (for example by an ordinary user outside a
//! delegated group), [`Group::new`] returns `None`, and signals and resource limits are used instead.
//!
//! All groups of a process are inside one parent group, and the process locks the folder of this group. When the
//! process ends, even after SIGKILL, a *warden* kills everything that is left in the group. The warden is a shell
//! script that waits for the end of the process. If the warden was killed, too, the next process that creates groups
//! finds the folder unlocked and does the cleanup. The lock is necessary because processes in different namespaces
//! cannot see each other's process IDs.

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The environment variable that turns control groups off, with the value `off`.
pub(crate) const SWITCH: &str = "CONTENDER_CGROUPS";

/// The prefix of the folders in which processes create their groups.
const PREFIX: &str = "contender-";

/// Time after which a killed process that still exists is considered to hang in the kernel.
const DEATH: Duration = Duration::from_secs(1);

/// The shell script of a warden. When its input is closed, the warden kills the processes in the folder `$1` and
/// removes the given folders. The first part of the script checks whether processes can be put into groups here. The
/// script itself exits at once and leaves the waiting part behind.
const WARDEN: &str = r#"
exec 3<&0
( echo 0 > "$1/probe/cgroup.procs" ) || exit 1
{
    trap '' HUP INT TERM
    read -r line <&3
    for round in 1 2 3 4 5 6 7 8 9 10; do
        [ -d "$1" ] || break
        echo 1 > "$1/cgroup.kill"
        for folder do rmdir "$folder"/*/ "$folder"; done
        [ -d "$1" ] && sleep 0.1
    done
} > /dev/null 2>&1 < /dev/null &
"#;

/// The limits of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Most {
    /// Maximum memory of all kinds in bytes, for all processes together.
    pub memory: Option<u64>,
    /// Maximum number of processes and threads.
    pub tasks: Option<u64>,
}

/// The folders in which this process creates groups.
#[derive(Debug)]
struct Home {
    /// The folder in the hierarchy of version 2.
    folder: PathBuf,
    memory: Option<Controller>,
    tasks: Option<Controller>,
    _lock: File,
    /// The pipe to the warden, which waits until the pipe is closed.
    _warden: ChildStdin,
}

/// The controller of a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Controller {
    /// The version 2 controller, in the bot's group itself.
    Unified,
    /// A version 1 controller, with groups in this folder.
    Own(PathBuf),
}

/// The control group of a bot.
#[derive(Debug)]
pub(crate) struct Group {
    /// The end of the version 2 line in `/proc/PID/cgroup` for processes in this group.
    pub name: String,
    folder: PathBuf,
    /// The folders in hierarchies of version 1.
    others: Vec<PathBuf>,
    /// Files to which a process writes `0` to join the group.
    joins: Vec<File>,
    freeze: File,
    usage: File,
    memory: Option<Controller>,
    most: Most,
    /// CPU time of earlier bots in this group.
    cpu_before: Duration,
    kills_before: u64,
}

/// The numbers of empty groups, which later bots can use. Creating a group is fast, but removing it keeps the kernel
/// busy.
static FREE: Mutex<Vec<(Most, u64)>> = Mutex::new(Vec::new());

fn free() -> MutexGuard<'static, Vec<(Most, u64)>> {
    FREE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the controllers for memory and for processes, if groups can be created.
pub(crate) fn home() -> Option<(Option<Controller>, Option<Controller>)> {
    own().map(|home| (home.memory.clone(), home.tasks.clone()))
}

impl Controller {
    /// Returns a description of the controller.
    pub fn text(&self) -> &'static str {
        match self {
            Controller::Unified => "control group, version 2",
            Controller::Own(_) => "control group, version 1",
        }
    }
}

fn own() -> Option<&'static Home> {
    static HOME: OnceLock<Option<Home>> = OnceLock::new();
    HOME.get_or_init(|| {
        if std::env::var_os(SWITCH).is_some_and(|switch| switch == "off") {
            return None;
        }
        Hierarchies::of(Pid::this())?.home()
    })
    .as_ref()
}

/// The folders of this process in the control group hierarchies.
struct Hierarchies {
    unified: PathBuf,
    /// The root of the version 2 hierarchy.
    top: PathBuf,
    memory: Option<PathBuf>,
    pids: Option<PathBuf>,
    cpu: Option<PathBuf>,
}

/// Returns the folders of the groups that contain a process and may limit its CPU time, from the innermost to the root.
pub(crate) fn above(process: Pid) -> Vec<PathBuf> {
    let Some(places) = Hierarchies::of(process) else { return Vec::new() };
    let ends = [Some(places.unified), places.cpu];
    let above = ends
        .iter()
        .flatten()
        .flat_map(|end| end.ancestors().take_while(|place| place.join("cpu.stat").exists()));
    above.map(Path::to_path_buf).collect()
}

impl Hierarchies {
    fn of(process: Pid) -> Option<Hierarchies> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let groups = fs::read_to_string(format!("/proc/{process}/cgroup")).ok()?;
        Hierarchies::parse(&mounts, &groups)
    }

    fn parse(mounts: &str, groups: &str) -> Option<Hierarchies> {
        // The root of a mount, its mount point, its type, and the options of its file system.
        let mounts: Vec<[&str; 4]> = mounts
            .lines()
            .filter_map(|line| {
                let (before, after) = line.split_once(" - ")?;
                let (mut before, mut after) = (before.split(' ').skip(3), after.split(' '));
                Some([before.next()?, before.next()?, after.next()?, after.nth(1)?])
            })
            .collect();
        // Hierarchy number, controllers, path.
        let groups: Vec<[&str; 3]> = groups
            .lines()
            .filter_map(|line| {
                let mut parts = line.splitn(3, ':');
                Some([parts.next()?, parts.next()?, parts.next()?])
            })
            .collect();
        let place = |[root, place, ..]: [&str; 4], path: &str| -> Option<PathBuf> {
            let inside = Path::new(path).strip_prefix(root).ok()?;
            Some(Path::new(place).join(inside))
        };
        let first = |controller: &str| -> Option<PathBuf> {
            let has = |list: &str| list.split(',').any(|one| one == controller);
            let mount = *mounts.iter().find(|[_, _, kind, options]| *kind == "cgroup" && has(options))?;
            let [_, _, path] = *groups.iter().find(|[_, list, _]| has(list))?;
            place(mount, path)
        };
        let mount = *mounts.iter().find(|[_, _, kind, _]| *kind == "cgroup2")?;
        let [_, _, path] = *groups.iter().find(|[number, ..]| *number == "0")?;
        Some(Hierarchies {
            unified: place(mount, path)?,
            top: PathBuf::from(mount[1]),
            memory: first("memory"),
            pids: first("pids"),
            cpu: first("cpu"),
        })
    }

    /// Creates the parent group for all groups of this process. It is created inside the process's current group or,
    /// for root, at the top of the hierarchy, because controllers are usually delegated there.
    fn home(&self) -> Option<Home> {
        delegate(&self.unified);
        let mut places = vec![&self.unified, &self.top];
        places.dedup();
        // A place with controllers is better than one without.
        places.sort_by_key(|place| !hands_down(place, "memory"));
        places.into_iter().find_map(|place| self.home_in(place))
    }

    fn home_in(&self, place: &Path) -> Option<Home> {
        let others = [&self.memory, &self.pids].into_iter().flatten().map(PathBuf::as_path);
        sweep(&[place].into_iter().chain(others).collect::<Vec<_>>());
        let since = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos());
        let name = format!("{PREFIX}{}-{since}", std::process::id());
        let folder = place.join(&name);
        fs::create_dir(&folder).ok()?;
        let home = self.warded(place, &name, &folder);
        if home.is_none() {
            let _ = fs::remove_dir(folder.join("probe"));
            let _ = fs::remove_dir(&folder);
        }
        home
    }

    fn warded(&self, place: &Path, name: &str, folder: &Path) -> Option<Home> {
        let lock = File::open(folder).ok()?;
        lock.try_lock().ok()?;
        fs::create_dir(folder.join("probe")).ok()?;
        // Create the folder to see whether we can, and remove it at once: most bots need no limits.
        let other = |own: &Option<PathBuf>| -> Option<PathBuf> {
            let folder = own.as_ref()?.join(name);
            fs::create_dir(&folder).and_then(|()| fs::remove_dir(&folder)).ok().map(|()| folder)
        };
        let controller = |word: &str, own: &Option<PathBuf>| {
            let is_here = hands_down(place, word)
                && fs::write(folder.join("cgroup.subtree_control"), format!("+{word}")).is_ok();
            if is_here { Some(Controller::Unified) } else { other(own).map(Controller::Own) }
        };
        let memory = controller("memory", &self.memory);
        let tasks = controller("pids", &self.pids);
        let others = [&memory, &tasks].into_iter().filter_map(|controller| match controller {
            Some(Controller::Own(folder)) => Some(folder),
            _ => None,
        });
        let mut warden = Command::new("sh")
            .args(["-c", WARDEN, "warden"])
            .arg(folder)
            .args(others)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .current_dir("/")
            .process_group(0)
            .spawn()
            .ok()?;
        let stdin = warden.stdin.take()?;
        if !warden.wait().ok()?.success() {
            return None;
        }
        let _ = fs::remove_dir(folder.join("probe"));
        Some(Home { folder: folder.to_path_buf(), memory, tasks, _lock: lock, _warden: stdin })
    }
}

/// Returns whether groups inside this group can use a version 2 controller.
fn hands_down(place: &Path, controller: &str) -> bool {
    let list = fs::read_to_string(place.join("cgroup.subtree_control")).unwrap_or_default();
    list.split_whitespace().any(|one| one == controller)
}

/// Delegates the controllers of this process's group to its subgroups, if the group contains no other process (as in a
/// systemd scope created for this process). A group with controllers must not contain processes itself, so this process
/// moves into a subgroup.
fn delegate(own: &Path) {
    let has = fs::read_to_string(own.join("cgroup.controllers")).unwrap_or_default();
    let wanted: Vec<&str> = has.split_whitespace().filter(|one| ["memory", "pids"].contains(one)).collect();
    let inside = fs::read_to_string(own.join("cgroup.procs")).unwrap_or_default();
    let is_alone = inside.trim() == std::process::id().to_string();
    if wanted.is_empty() || !is_alone || wanted.iter().all(|one| hands_down(own, one)) {
        return;
    }
    let leaf = own.join(format!("runner-{}", std::process::id()));
    if fs::create_dir(&leaf).is_ok() && fs::write(leaf.join("cgroup.procs"), "0").is_ok() {
        for controller in wanted {
            let _ = fs::write(own.join("cgroup.subtree_control"), format!("+{controller}"));
        }
    }
}

/// Kills and removes everything that dead processes left behind in these folders. The first folder must belong to the
/// version 2 hierarchy.
fn sweep(places: &[&Path]) {
    let Some((first, others)) = places.split_first() else { return };
    for name in folders(first).filter(|name| name.to_string_lossy().starts_with(PREFIX)) {
        let folder = first.join(&name);
        // A process that is just creating its folder has groups in it only after it holds the lock.
        let Ok(lock) = File::open(&folder) else { continue };
        if folders(&folder).next().is_none() || lock.try_lock().is_err() {
            continue;
        }
        end_all(&folder);
        remove_inside(&folder);
        let _ = fs::remove_dir(folder);
    }
    // If a folder of version 2 is gone, the folders of version 1 with this name have no more processes. If their owner
    // is alive, it will create them again when needed.
    for place in others {
        for name in folders(place).filter(|name| name.to_string_lossy().starts_with(PREFIX)) {
            if !first.join(&name).exists() {
                remove_inside(&place.join(&name));
                let _ = fs::remove_dir(place.join(name));
            }
        }
    }
}

fn folders(of: &Path) -> impl Iterator<Item = OsString> {
    let entries = fs::read_dir(of).into_iter().flatten().flatten();
    entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())).map(|entry| entry.file_name())
}

/// Kills all processes in a group and its subgroups, and waits until they are gone. Returns whether there were any
/// processes.
fn end_all(folder: &Path) -> bool {
    if !is_populated(folder) {
        return false;
    }
    let start = Instant::now();
    // Kernels before 5.14 do not have this file.
    let is_killed = fs::write(folder.join("cgroup.kill"), "1").is_ok();
    while is_populated(folder) && start.elapsed() < DEATH {
        if !is_killed {
            let list = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
            for pid in list.split_whitespace().filter_map(|pid| pid.parse().ok()) {
                let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
            }
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    true
}

fn is_populated(folder: &Path) -> bool {
    fs::read(folder.join("cgroup.events")).is_ok_and(|events| events.starts_with(b"populated 1"))
}

impl Group {
    /// Creates an empty group, or returns `None` if this process is not allowed to create groups.
    pub fn new(most: Most) -> io::Result<Option<Group>> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let Some(home) = own() else { return Ok(None) };
        let known = {
            let mut free = free();
            let at = free.iter().rposition(|&(of, _)| of == most);
            at.map(|at| free.swap_remove(at).1)
        };
        let number = known.unwrap_or_else(|| COUNT.fetch_add(1, Ordering::Relaxed));
        let folder = home.folder.join(number.to_string());
        if known.is_none() {
            fs::create_dir(&folder)?;
        }
        let mut parts = Parts { folder, others: Vec::new() };
        match parts.fill(home, number, most, known.is_none()) {
            Ok((joins, freeze, usage)) => {
                let parent = home.folder.file_name().unwrap_or_default().to_string_lossy();
                let Parts { folder, others } = parts;
                let mut group = Group {
                    name: format!("/{parent}/{number}"),
                    folder,
                    others,
                    joins,
                    freeze,
                    usage,
                    memory: most.memory.and(home.memory.clone()),
                    most,
                    cpu_before: Duration::ZERO,
                    kills_before: 0,
                };
                if known.is_some() {
                    group.cpu_before = group.cpu().unwrap_or_default();
                    group.kills_before = group.kills();
                }
                Ok(Some(group))
            }
            Err(error) => {
                parts.remove();
                Err(error)
            }
        }
    }

    /// Returns the files to which a process writes `0` to join the group.
    pub fn joins(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        self.joins.iter().map(AsFd::as_fd)
    }

    /// Pauses or resumes all processes in the group. Each process pauses as soon as it leaves the kernel, within
    /// microseconds.
    pub fn freeze(&self, is_frozen: bool) {
        let _ = self.freeze.write_at(if is_frozen { b"1" } else { b"0" }, 0);
    }

    /// Returns the CPU time of all processes that have been in the group for this bot.
    pub fn cpu(&self) -> Option<Duration> {
        let mut text = [0; 64];
        let length = self.usage.read_at(&mut text, 0).ok()?;
        let line = std::str::from_utf8(&text[..length]).ok()?.lines().next()?;
        let used = line.strip_prefix("usage_usec ")?.parse().ok().map(Duration::from_micros)?;
        Some(used.saturating_sub(self.cpu_before))
    }

    /// Returns the peak memory in bytes, if a controller limits memory.
    pub fn peak(&self) -> Option<u64> {
        let file = match self.memory.as_ref()? {
            Controller::Unified => self.folder.join("memory.peak"),
            Controller::Own(_) => self.in_memory("memory.max_usage_in_bytes")?,
        };
        fs::read_to_string(file).ok()?.trim().parse().ok()
    }

    /// Returns whether the kernel killed a process in this group because the memory limit was reached.
    pub fn is_out_of_memory(&self) -> bool {
        self.kills() > self.kills_before
    }

    fn kills(&self) -> u64 {
        let file = match &self.memory {
            None => return 0,
            Some(Controller::Unified) => Some(self.folder.join("memory.events")),
            Some(Controller::Own(_)) => self.in_memory("memory.oom_control"),
        };
        let text = file.and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
        let count = text.lines().find_map(|line| line.strip_prefix("oom_kill ")?.trim().parse().ok());
        count.unwrap_or_default()
    }

    /// Returns a file in the version 1 group that limits memory, which is the first in `others`.
    fn in_memory(&self, file: &str) -> Option<PathBuf> {
        self.others.first().map(|folder| folder.join(file))
    }

    /// Returns the threads in the group.
    pub fn threads(&self) -> Vec<Pid> {
        let list = fs::read_to_string(self.folder.join("cgroup.threads")).unwrap_or_default();
        list.split_whitespace().filter_map(|number| number.parse().ok()).map(Pid::from_raw).collect()
    }

    /// Returns whether any process in the group is alive.
    pub fn is_populated(&self) -> bool {
        is_populated(&self.folder)
    }

    /// Kills all processes in the group. Returns whether there were any processes.
    pub fn end(&self) -> bool {
        end_all(&self.folder)
    }

    /// Keeps the empty group for another bot.
    pub fn retire(self) {
        let number = self.folder.file_name().and_then(|name| name.to_str()?.parse().ok());
        match number.filter(|_| !is_populated(&self.folder) && folders(&self.folder).next().is_none()) {
            Some(number) => {
                self.freeze(false);
                free().push((self.most, number));
            }
            None => Parts { folder: self.folder, others: self.others }.remove(),
        }
    }
}

/// The folders of a group.
struct Parts {
    folder: PathBuf,
    others: Vec<PathBuf>,
}

impl Parts {
    fn fill(
        &mut self,
        home: &Home,
        number: u64,
        most: Most,
        is_new: bool,
    ) -> io::Result<(Vec<File>, File, File)> {
        let open = |file: PathBuf| OpenOptions::new().write(true).open(file);
        let mut joins = vec![open(self.folder.join("cgroup.procs"))?];
        if let (Some(controller), Some(bytes)) = (&home.memory, most.memory) {
            let folder = self.controlled(controller, number)?;
            match controller {
                Controller::Unified if !is_new => {}
                Controller::Unified => {
                    fs::write(folder.join("memory.max"), bytes.to_string())?;
                    // Some machines have neither of these files.
                    let _ = fs::write(folder.join("memory.swap.max"), "0");
                    let _ = fs::write(folder.join("memory.oom.group"), "1");
                }
                Controller::Own(_) => {
                    if is_new {
                        fs::write(folder.join("memory.limit_in_bytes"), bytes.to_string())?;
                        let _ = fs::write(folder.join("memory.memsw.limit_in_bytes"), bytes.to_string());
                    } else {
                        let _ = fs::write(folder.join("memory.max_usage_in_bytes"), "0");
                    }
                    joins.push(open(folder.join("cgroup.procs"))?);
                }
            }
        }
        if let (Some(controller), Some(tasks)) = (&home.tasks, most.tasks) {
            let folder = self.controlled(controller, number)?;
            if is_new {
                fs::write(folder.join("pids.max"), tasks.to_string())?;
            }
            if matches!(controller, Controller::Own(_)) {
                joins.push(open(folder.join("cgroup.procs"))?);
            }
        }
        let usage = File::open(self.folder.join("cpu.stat"))?;
        Ok((joins, open(self.folder.join("cgroup.freeze"))?, usage))
    }

    /// Returns the folder of a controller for this group.
    fn controlled(&mut self, controller: &Controller, number: u64) -> io::Result<PathBuf> {
        let Controller::Own(parent) = controller else { return Ok(self.folder.clone()) };
        let folder = parent.join(number.to_string());
        fs::create_dir_all(&folder)?;
        self.others.push(folder.clone());
        Ok(folder)
    }

    /// Removes the folders. Tries several times, because dead processes may need some time to leave the folders.
    fn remove(self) {
        for folder in self.others.iter().chain([&self.folder]) {
            for _ in 0..100 {
                match fs::remove_dir(folder) {
                    Err(error) if error.kind() == io::ErrorKind::ResourceBusy => {
                        // The bot may have created groups itself, as this program does.
                        remove_inside(folder);
                        std::thread::sleep(Duration::from_micros(200));
                    }
                    _ => break,
                }
            }
        }
    }
}

fn remove_inside(folder: &Path) {
    for inside in folders(folder).map(|name| folder.join(name)) {
        remove_inside(&inside);
        let _ = fs::remove_dir(inside);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_read_of_all_shapes() {
        let read = |mounts: &str, groups: &str| {
            let found = Hierarchies::parse(mounts, groups)?;
            let text = |path: Option<PathBuf>| path.map(|path| path.display().to_string());
            Some((text(Some(found.unified))?, text(found.memory), text(found.pids)))
        };
        // A modern desktop with only version 2.
        let desktop = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate,memory_recursiveprot\n";
        let scope = "/user.slice/user-1000.slice/user@1000.service/app.slice/run-r1.scope";
        assert_eq!(
            read(desktop, &format!("0::{scope}\n")),
            Some((format!("/sys/fs/cgroup{scope}"), None, None))
        );
        // Both versions together.
        let hybrid = "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
            39 31 0:36 / /sys/fs/cgroup/pids rw - cgroup cgroup rw,pids\n\
            41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
        let groups = "8:pids:/\n4:memory:/api/7\n0::/\n";
        let expected = ["/sys/fs/cgroup/unified/", "/sys/fs/cgroup/memory/api/7", "/sys/fs/cgroup/pids/"];
        let [unified, memory, pids] = expected.map(|path| Path::new(path).to_path_buf());
        let found = Hierarchies::parse(hybrid, groups).unwrap();
        assert_eq!((found.unified, found.memory, found.pids), (unified, Some(memory), Some(pids)));
        // A container that sees only a part of the hierarchy.
        let part = "41 31 0:38 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        assert_eq!(read(part, "0::/docker/abc/x\n").unwrap().0, "/sys/fs/cgroup/x");
        assert_eq!(read(part, "0::/elsewhere\n"), None);
        assert_eq!(read("", "0::/\n"), None);
        assert_eq!(read(desktop, ""), None);
        assert_eq!(read("nonsense - \n - cgroup2", ":\n0::"), None);
    }
}
