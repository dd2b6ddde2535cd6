//! Referees with a name: their folder, and the way of a challenge into it.

use crate::output::cut;
use crate::project::{Project, Times};
use crate::referee::ForeignReferee;
use crate::stub::{Language, Stub};
use contender_input::this_program;
use contender_play::{Entrant, Fixture, Record};
use contender_referee::{ChildGuard, CommandLine, ExitStatus, ProcessOutput, WaitOutcome};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A referee that has a name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Installed {
    /// Its name.
    #[serde(skip)]
    pub name: String,
    /// Its source: a folder, a repository or a jar.
    pub source: String,
    /// The program and its arguments that play a game.
    pub command: Vec<String>,
    /// Whether the command plays game after game, a line of arguments each.
    pub is_server: bool,
    /// The fewest and the most players.
    pub players: [usize; 2],
    /// Number of leagues, at least 1.
    pub leagues: u32,
    /// The times in its sources.
    #[serde(default)]
    pub times: Times,
}

/// The source of a new referee.
#[derive(Clone, Debug)]
pub struct Addition<'a> {
    /// A folder, a repository or a jar.
    pub source: &'a str,
    /// The new name.
    pub name: &'a str,
    /// Compiled classes and jars, separated as in Java, instead of a Maven build.
    pub class_path: Option<&'a str>,
}

/// Our program that plays games by the public classes of CodinGame's runner.
const HOST: &str = include_str!("../java/contender/Host.java");
/// Starts quickly: most of a game is the start of the JVM, and its code is used too briefly for the second compiler.
const JAVA: [&str; 3] = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
const SETTINGS: &str = "referee.toml";
/// A build that takes longer is ended.
const BUILD: Duration = Duration::from_secs(900);
/// A question to a tool that takes longer is given up.
const ASKING: Duration = Duration::from_secs(60);
/// A referee that has not answered in the old mode by then plays another one.
const OLD_MODE: Duration = Duration::from_secs(10);

/// Returns the folder of all named referees: `$CONTENDER_REFEREES`, or `contender/referees` in the user's folder for
/// data.
///
/// # Errors
/// If neither that variable nor `HOME` is set.
pub fn folder() -> Result<PathBuf, String> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = of("CONTENDER_REFEREES") {
        return Ok(folder);
    }
    let data = of("XDG_DATA_HOME").or_else(|| of("HOME").map(|home| home.join(".local/share")));
    let data = data.ok_or("no folder for referees\nhint: set CONTENDER_REFEREES to a folder")?;
    Ok(data.join("contender/referees"))
}

/// Returns the referee that a user names: one that was added, by its name, with what is known of it; or any, by its
/// command.
///
/// # Errors
/// See [`Installed::open`] and [`ForeignReferee::new`].
pub fn open(text: &str) -> Result<(ForeignReferee, Option<Installed>), String> {
    let is_name = check_name(text).is_ok() && folder().is_ok_and(|folder| folder.join(text).is_dir());
    if !is_name {
        return Ok((ForeignReferee::new(text)?, None));
    }
    let installed = Installed::open(&folder()?, text)?;
    Ok((installed.referee()?, Some(installed)))
}

impl Installed {
    /// Returns all named referees of a folder, in the order of their names; those that cannot be read are left out.
    #[must_use]
    pub fn all(folder: &Path) -> Vec<Installed> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut all: Vec<Installed> = names.filter_map(|name| Installed::open(folder, &name).ok()).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// Returns the referee of this name.
    ///
    /// # Errors
    /// An invalid name, a missing referee, or invalid settings, in words for the user.
    pub fn open(folder: &Path, name: &str) -> Result<Installed, String> {
        check_name(name)?;
        let path = folder.join(name).join(SETTINGS);
        let text = fs::read_to_string(&path).map_err(|_| {
            let program = this_program();
            format!(
                "unknown referee `{name}`\nhint: `{program} referee list` lists all, \
                 `{program} referee add` adds one"
            )
        })?;
        let installed: Installed =
            toml::from_str(&text).map_err(|error| format!("{}: {}", path.display(), error.message()))?;
        Ok(Installed { name: name.to_string(), ..installed })
    }

    /// Takes it away, with all that was built for it.
    ///
    /// # Errors
    /// A referee that is not there, or what the system says.
    pub fn remove(folder: &Path, name: &str) -> Result<(), String> {
        check_name(name)?;
        let place = folder.join(name);
        if !place.is_dir() {
            return Err(format!("unknown referee `{name}`"));
        }
        fs::remove_dir_all(&place).map_err(|error| format!("cannot remove {}: {error}", place.display()))
    }

    /// Returns its stub, if the challenge has one.
    ///
    /// # Errors
    /// A stub that cannot be understood, with its line.
    pub fn stub(&self, folder: &Path) -> Result<Option<Stub>, String> {
        match fs::read_to_string(folder.join(&self.name).join("stub.txt")) {
            Ok(text) => {
                Stub::parse(&text).map(Some).map_err(|error| format!("the stub of {}: {error}", self.name))
            }
            Err(_) => Ok(None),
        }
    }

    /// Returns the referee of its games: in its last league, with all rules.
    ///
    /// # Errors
    /// No folder for temporary files.
    pub fn referee(&self) -> Result<ForeignReferee, String> {
        let mut referee = if self.is_server {
            ForeignReferee::server(self.command.clone())?
        } else {
            ForeignReferee::new(&shell_words::join(&self.command))?
        };
        referee.name.clone_from(&self.name);
        referee.seats = self.players[0]..=self.players[1];
        referee.league = (self.leagues > 1).then_some(self.leagues);
        Ok(referee)
    }

    /// Makes a referee of a folder, a repository or a jar, and keeps it under its name. `say` hears what is done.
    ///
    /// # Errors
    /// The part that is missing or does not build, with advice; nothing is kept then.
    pub fn add(
        folder: &Path,
        addition: &Addition<'_>,
        stop: &AtomicBool,
        say: &mut dyn FnMut(&str),
    ) -> Result<Installed, String> {
        let name = addition.name;
        check_name(name)?;
        let place = folder.join(name);
        if place.join(SETTINGS).exists() {
            return Err(format!(
                "the referee `{name}` exists already\nhint: remove it with `{} referee remove {name}`",
                this_program()
            ));
        }
        // What was not finished has no settings.
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).map_err(|error| format!("cannot create {}: {error}", place.display()))?;
        let build = Build { folder: &place, stop };
        let made = build.all(addition, say).and_then(|installed| {
            let text = toml::to_string(&installed).map_err(|error| error.to_string())?;
            build.write(SETTINGS, &text)
        });
        if let Err(reason) = made {
            let _ = fs::remove_dir_all(&place);
            return Err(reason);
        }
        Installed::open(folder, name)
    }

    /// Plays one game between bots that do as its stub says.
    ///
    /// # Errors
    /// A challenge without a stub, or the reason why there is no result.
    pub fn try_out(&self, folder: &Path, stop: &AtomicBool) -> Result<Record, String> {
        let stub = self.stub(folder)?.ok_or(
            "the challenge has no config/stub.txt, from which a bot could be \
             generated",
        )?;
        let program = folder.join(&self.name).join("stub.py");
        fs::write(&program, stub.program(Language::Python))
            .map_err(|error| format!("cannot write {}: {error}", program.display()))?;
        let command = shell_words::join(["python3", &program.display().to_string()]);
        let bot = |seat| Entrant::parse_command(&format!("stub{seat}={command}"));
        let seats = (0..self.players[0].max(2)).map(bot).collect::<Result<Vec<_>, _>>();
        let fixture =
            Fixture { seats: seats.map_err(|error| error.to_string())?, seed: 1, bot_seeds: Vec::new() };
        self.referee()?
            .play_here(&fixture, stop)
            .map(|played| played.record)
            .map_err(|error| error.to_string())
    }
}

fn check_name(name: &str) -> Result<(), String> {
    let is_fine = name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
    if is_fine {
        Ok(())
    } else {
        Err(format!("invalid name `{}`: expected letters, digits, `-`, `_` and `.`", cut(name)))
    }
}

/// A referee that is being made.
struct Build<'a> {
    folder: &'a Path,
    stop: &'a AtomicBool,
}

impl Build<'_> {
    fn all(&self, addition: &Addition<'_>, say: &mut dyn FnMut(&str)) -> Result<Installed, String> {
        let source = Path::new(addition.source);
        let is_jar =
            source.is_file() && source.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("jar"));
        let java = self
            .version("java")
            .ok_or("`java` not found\nhint: install a JDK, for example `apt install default-jdk-headless`")?;
        say(&format!("java      {java}"));
        let javac = self.version("javac");
        say(&format!(
            "javac     {}",
            javac.as_deref().unwrap_or("missing: it is part of a JDK, not of a JRE")
        ));
        let mut installed = Installed {
            name: addition.name.to_string(),
            source: addition.source.to_string(),
            command: Vec::new(),
            is_server: true,
            players: [2, 2],
            leagues: 1,
            times: Times::default(),
        };
        let class_path = if is_jar {
            absolute(source)?
        } else {
            let project = self.project(addition.source, say)?;
            (installed.players, installed.leagues, installed.times) =
                (project.players, project.leagues, project.times);
            if let Some(stub) = &project.stub {
                self.write("stub.txt", stub)?;
            }
            match addition.class_path {
                Some(class_path) => class_path
                    .split(':')
                    .filter(|part| !part.is_empty())
                    .map(|part| absolute(Path::new(part)))
                    .collect::<Result<Vec<_>, _>>()?
                    .join(":"),
                None => self.maven(&project, say)?,
            }
        };
        let run = |rest: &[&str]| JAVA.iter().chain(rest).map(ToString::to_string).collect();
        match self.host(&class_path, javac.is_some()) {
            Ok(()) => {
                let class_path = format!("{class_path}:{}", self.folder.join("host").display());
                say("host      contender.Host, compiled here: one JVM plays many games");
                installed.command = run(&["-cp", &class_path, "contender.Host", "-serve", "-fresh"]);
            }
            // A jar that is complete in itself has a command line of its own.
            Err(reason) if is_jar => {
                say(&format!(
                    "host      not compiled, {reason}: every game starts the jar in a JVM of its own"
                ));
                installed.is_server = false;
                installed.command = run(&["-jar", &class_path]);
                if self.is_old_mode(&installed.command) {
                    return Err(format!(
                        "{} plays cg-brutaltester's old mode (`-o`), in which the tester runs the bots and the referee only \
                         judges\nhint: look for a later release of this referee, which takes -p1 and -p2",
                        addition.source
                    ));
                }
            }
            Err(reason) => return Err(reason),
        }
        Ok(installed)
    }

    /// Returns the challenge's folder; a repository is fetched into the build folder.
    fn project(&self, source: &str, say: &mut dyn FnMut(&str)) -> Result<Project, String> {
        let is_address = source.contains("://") || source.starts_with("git@");
        if !is_address || Path::new(source).exists() {
            return Project::open(Path::new(source));
        }
        self.version("git")
            .ok_or("`git` not found, which fetches a repository\nhint: install it, or give a folder")?;
        let place = self.folder.join("repository");
        say(&format!("git       fetches {source}"));
        let target = place.display().to_string();
        let words = [
            "env",
            "GIT_TERMINAL_PROMPT=0",
            "git",
            "clone",
            "--quiet",
            "--depth",
            "1",
            "--",
            source,
            &target,
        ];
        self.tool(&words, BUILD).map_err(|reason| format!("git cannot fetch {source}: {reason}"))?;
        Project::open(&place)
    }

    /// Builds a copy of the project, so that its own folder stays as it is; the class path of what came out.
    fn maven(&self, project: &Project, say: &mut dyn FnMut(&str)) -> Result<String, String> {
        if !project.has_pom() {
            return Err(format!(
                "{} has no pom.xml: it is not a challenge as published by CodinGame",
                project.folder.display()
            ));
        }
        let version = self.version("mvn").ok_or(
            "Maven not found, which builds a challenge\nhint: `apt \
             install maven`, or build the challenge elsewhere and use \
             `--class-path`",
        )?;
        say(&format!("maven     {version}"));
        let copy = self.folder.join("project");
        if project.folder != self.folder.join("repository") {
            copy_project(&project.folder, &copy)
                .map_err(|error| format!("cannot copy {}: {error}", project.folder.display()))?;
        } else {
            fs::rename(&project.folder, &copy)
                .map_err(|error| format!("cannot move the repository: {error}"))?;
        }
        let list = self.folder.join("class-path.txt");
        let [pom, output] = [copy.join("pom.xml"), list.clone()].map(|path| path.display().to_string());
        let output = format!("-Dmdep.outputFile={output}");
        let words =
            ["mvn", "-q", "-B", "-f", &pom, "-DskipTests", "compile", "dependency:build-classpath", &output];
        self.tool(&words, BUILD).map_err(|reason| {
            format!(
                "Maven cannot build the challenge: {reason}\nhint: Maven needs the network the \
                 first time; with classes and jars built elsewhere, use `--class-path`"
            )
        })?;
        let jars =
            fs::read_to_string(&list).map_err(|error| format!("Maven wrote no class path: {error}"))?;
        Ok(format!("{}:{}", copy.join("target/classes").display(), jars.trim()))
    }

    /// Compiles our program against the runner.
    fn host(&self, class_path: &str, has_compiler: bool) -> Result<(), String> {
        if !has_compiler {
            return Err("`javac` not found\nhint: install a JDK, for example `apt install \
                        default-jdk-headless`"
                .to_string());
        }
        let [source, target] = [self.folder.join("host/contender/Host.java"), self.folder.join("host")];
        self.write("host/contender/Host.java", HOST)?;
        let [source, target] = [source, target].map(|path| path.display().to_string());
        let words = ["javac", "-nowarn", "-encoding", "UTF-8", "-cp", class_path, "-d", &target, &source];
        self.tool(&words, BUILD).map_err(|reason| {
            format!("the classes of CodinGame's runner are not in the class path: {reason}")
        })?;
        Ok(())
    }

    /// Returns whether a referee speaks the protocol of cg-brutaltester's old mode: to its first lines it answers with
    /// another.
    fn is_old_mode(&self, command: &[String]) -> bool {
        let Ok(mut process) = ChildGuard::start(&CommandLine::new(command), 1 << 16, 1 << 12) else {
            return false;
        };
        process.send(b"###Seed 1\n###Start 2\n");
        let asks = |output: &[u8]| output.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"###"));
        process.wait(OLD_MODE, self.stop, asks);
        asks(&process.end().output)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("cannot write {}: {error}", path.display()))
    }

    /// Returns the first line of what a tool says of itself; `None` if it is not there.
    fn version(&self, tool: &str) -> Option<String> {
        let option = if tool.starts_with("java") { "-version" } else { "--version" };
        let said = self.tool(&[tool, option], ASKING).ok()?;
        let line = said.lines().find(|line| !line.trim().is_empty() && !line.contains("_JAVA_OPTIONS"))?;
        Some(cut(line))
    }

    /// Runs a tool to its end; what it has said.
    fn tool(&self, words: &[&str], limit: Duration) -> Result<String, String> {
        const MAX_LENGTH: usize = 1 << 24;
        let mut process = ChildGuard::start(&CommandLine::new(words.iter().copied()), MAX_LENGTH, 1 << 16)
            .map_err(|error| error.to_string())?;
        process.close_input();
        let waited = process.wait(limit, self.stop, |_| false);
        let ProcessOutput { output, stderr, status } = process.end();
        let said = format!("{stderr}\n{}", String::from_utf8_lossy(&output));
        // Maven switches colours even where it has none.
        let said =
            ["0", "1", ""].iter().fold(said, |said, kind| said.replace(&format!("\u{1b}[{kind}m"), ""));
        match (waited, status) {
            (WaitOutcome::Ended, Some(ExitStatus::Code(0))) => Ok(said),
            (WaitOutcome::Stopped, _) => Err("it was stopped".to_string()),
            (WaitOutcome::Late, _) => Err(format!("it did not finish within {limit:?}")),
            _ => {
                let lines = said.lines().filter(|line| !line.trim().is_empty());
                let errors: Vec<String> =
                    lines.clone().filter(|line| line.to_lowercase().contains("error")).map(cut).collect();
                let shown = if errors.is_empty() { lines.map(cut).collect() } else { errors };
                Err(shown.into_iter().take(3).collect::<Vec<_>>().join("; "))
            }
        }
    }
}

fn absolute(path: &Path) -> Result<String, String> {
    let path = path.canonicalize().map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let text = path.to_str().ok_or_else(|| format!("the name of {} is not UTF-8", path.display()))?;
    Ok(text.to_string())
}

/// Copies a project without what was built in it and without its history. Links are left out: they may lead anywhere.
fn copy_project(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (name, kind) = (entry.file_name(), entry.file_type()?);
        if kind.is_dir() && !["target", ".git", "node_modules"].iter().any(|left_out| name == *left_out) {
            copy_project(&entry.path(), &to.join(name))?;
        } else if kind.is_file() {
            fs::copy(entry.path(), to.join(name))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
