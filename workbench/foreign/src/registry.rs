//! Installed referees, and the installation of a challenge as a referee.

use crate::ForeignError;
use crate::error::ToolFailure;
use crate::output::cut;
use crate::project::{ChallengeProject, Times};
use crate::referee::ExternalReferee;
use crate::stub::{Stub, StubLanguage};
use contender_play::{Entrant, Fixture, Record};
use contender_referee::{ChildGuard, CommandLine, ExitStatus, ProcessOutput, WaitOutcome};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// An installed referee.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Installed {
    /// The name of the referee.
    #[serde(skip)]
    pub name: String,
    /// The origin of the referee: a folder, a repository or a jar file.
    pub source: String,
    /// The program that plays a game, and its arguments.
    pub command: Vec<String>,
    /// Whether the command plays many games, for each of which it reads a line of arguments.
    pub is_server: bool,
    /// The minimum and maximum number of players.
    pub players: [usize; 2],
    /// Number of leagues, at least 1.
    pub leagues: u32,
    /// The limits in the challenge's sources.
    #[serde(default)]
    pub times: Times,
}

/// A referee to install.
#[derive(Clone, Debug)]
pub struct Addition<'a> {
    /// A folder, a repository or a jar file.
    pub source: &'a str,
    /// The name for the new referee.
    pub name: &'a str,
    /// Compiled classes and jar files to use instead of a Maven build, separated as in Java.
    pub class_path: Option<&'a str>,
}

/// The source of a Java program that plays games with the public classes of CodinGame's runner.
const HOST: &str = include_str!("../java/contender/Host.java");
/// The command for Java, with options for a fast start. Starting the JVM takes most of a game's time, and the code runs
/// too briefly to benefit from the second compiler.
const JAVA: [&str; 3] = ["java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];
/// The remedy for a missing JDK.
const JDK: &str = "install a JDK, for example `apt install default-jdk-headless`";
const SETTINGS: &str = "referee.toml";
/// Time limit for a build.
const BUILD: Duration = Duration::from_secs(900);
/// Time limit for asking a tool for its version.
const ASKING: Duration = Duration::from_secs(60);
/// Time limit for an answer in the old mode. A referee that has not answered by then uses a different protocol.
const OLD_MODE: Duration = Duration::from_secs(10);

/// Returns the folder for installed referees: `$CONTENDER_REFEREES`, or `contender/referees` in the user's data folder.
///
/// # Errors
/// Returns an error if neither this variable nor `HOME` is set.
pub fn folder() -> Result<PathBuf, ForeignError> {
    let of = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(folder) = of("CONTENDER_REFEREES") {
        return Ok(folder);
    }
    let data = of("XDG_DATA_HOME").or_else(|| of("HOME").map(|home| home.join(".local/share")));
    let data = data.ok_or(ForeignError::NoFolder)?;
    Ok(data.join("contender/referees"))
}

/// Opens the referee that a user has specified. The text is either the name of an installed referee, which is then also
/// returned, or a command.
///
/// # Errors
/// See [`Installed::open`] and [`ExternalReferee::new`].
pub fn open(text: &str) -> Result<(ExternalReferee, Option<Installed>), ForeignError> {
    let is_name = check_name(text).is_ok() && folder().is_ok_and(|folder| folder.join(text).is_dir());
    if !is_name {
        return Ok((ExternalReferee::new(text)?, None));
    }
    let installed = Installed::open(&folder()?, text)?;
    Ok((installed.referee()?, Some(installed)))
}

impl Installed {
    /// Returns all installed referees in a folder, sorted by name. Skips referees whose descriptions cannot be read.
    #[must_use]
    pub fn all(folder: &Path) -> Vec<Installed> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        let mut all: Vec<Installed> = names.filter_map(|name| Installed::open(folder, &name).ok()).collect();
        all.sort_by(|a, b| a.name.cmp(&b.name));
        all
    }

    /// Returns the referee with this name.
    ///
    /// # Errors
    /// Returns an error if the name is invalid, the referee does not exist, or its settings are invalid.
    pub fn open(folder: &Path, name: &str) -> Result<Installed, ForeignError> {
        check_name(name)?;
        let path = folder.join(name).join(SETTINGS);
        let text = fs::read_to_string(&path).map_err(|_| ForeignError::Unknown(name.to_string()))?;
        let installed: Installed = toml::from_str(&text)
            .map_err(|error| ForeignError::Settings { path, source: Box::new(error) })?;
        Ok(Installed { name: name.to_string(), ..installed })
    }

    /// Removes a referee and everything that was built for it.
    ///
    /// # Errors
    /// Returns an error if the referee does not exist or cannot be removed.
    pub fn remove(folder: &Path, name: &str) -> Result<(), ForeignError> {
        check_name(name)?;
        let place = folder.join(name);
        if !place.is_dir() {
            return Err(ForeignError::Unknown(name.to_string()));
        }
        fs::remove_dir_all(&place).map_err(ForeignError::file("remove", &place))
    }

    /// Returns the stub, if the challenge has one.
    ///
    /// # Errors
    /// Returns an error with the line number if the stub is invalid.
    pub fn stub(&self, folder: &Path) -> Result<Option<Stub>, ForeignError> {
        match fs::read_to_string(folder.join(&self.name).join("stub.txt")) {
            Ok(text) => Stub::parse(&text)
                .map(Some)
                .map_err(|source| ForeignError::Stub { name: self.name.clone(), source }),
            Err(_) => Ok(None),
        }
    }

    /// Creates a referee for games in the last league, which has all rules.
    ///
    /// # Errors
    /// Returns an error if there is no folder for temporary files.
    pub fn referee(&self) -> Result<ExternalReferee, ForeignError> {
        let mut referee = if self.is_server {
            ExternalReferee::server(self.command.clone())?
        } else {
            ExternalReferee::new(&shell_words::join(&self.command))?
        };
        referee.name.clone_from(&self.name);
        referee.seats = self.players[0]..=self.players[1];
        referee.league = (self.leagues > 1).then_some(self.leagues);
        Ok(referee)
    }

    /// Builds a referee from a folder, a repository or a jar file, and installs it. The closure `say` receives progress
    /// messages.
    ///
    /// # Errors
    /// Returns an error with advice if a part is missing or cannot be built. Nothing is then installed.
    pub fn add(
        folder: &Path,
        addition: &Addition<'_>,
        stop: &AtomicBool,
        say: &mut dyn FnMut(&str),
    ) -> Result<Installed, ForeignError> {
        let name = addition.name;
        check_name(name)?;
        let place = folder.join(name);
        if place.join(SETTINGS).exists() {
            return Err(ForeignError::Exists(name.to_string()));
        }
        // An unfinished installation has no settings.
        let _ = fs::remove_dir_all(&place);
        fs::create_dir_all(&place).map_err(ForeignError::file("create", &place))?;
        let build = Build { folder: &place, stop };
        let made = build.all(addition, say).and_then(|installed| {
            let text = toml::to_string(&installed).expect("settings are plain values");
            build.write(SETTINGS, &text)
        });
        if let Err(reason) = made {
            let _ = fs::remove_dir_all(&place);
            return Err(reason);
        }
        Installed::open(folder, name)
    }

    /// Plays one game between bots that follow the stub.
    ///
    /// # Errors
    /// Returns an error if the challenge has no stub, or if the game has no result.
    pub fn try_out(&self, folder: &Path, stop: &AtomicBool) -> Result<Record, ForeignError> {
        let stub = self.stub(folder)?.ok_or(ForeignError::NoStub)?;
        let program = folder.join(&self.name).join("stub.py");
        fs::write(&program, stub.program(StubLanguage::Python))
            .map_err(ForeignError::file("write", &program))?;
        let command = shell_words::join(["python3", &program.display().to_string()]);
        let bot = |seat| Entrant::parse_command(&format!("stub{seat}={command}"));
        let seats = (0..self.players[0].max(2)).map(bot).collect::<Result<Vec<_>, _>>();
        let fixture = Fixture { seats: seats?, seed: 1, bot_seeds: Vec::new() };
        Ok(self.referee()?.play_here(&fixture, stop)?.record)
    }
}

fn check_name(name: &str) -> Result<(), ForeignError> {
    let is_fine = name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
        && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.".contains(letter));
    if is_fine { Ok(()) } else { Err(ForeignError::InvalidName(cut(name))) }
}

/// A referee that is being built.
/// Returns a class path whose parts are absolute.
fn absolute_class_path(class_path: &str) -> Result<String, ForeignError> {
    let parts = class_path.split(':').filter(|part| !part.is_empty());
    Ok(parts.map(|part| absolute(Path::new(part))).collect::<Result<Vec<_>, _>>()?.join(":"))
}

struct Build<'a> {
    folder: &'a Path,
    stop: &'a AtomicBool,
}

impl Build<'_> {
    fn all(&self, addition: &Addition<'_>, say: &mut dyn FnMut(&str)) -> Result<Installed, ForeignError> {
        let source = Path::new(addition.source);
        let is_jar =
            source.is_file() && source.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("jar"));
        let java = self.version("java").ok_or(ForeignError::NoTool {
            tool: "java",
            purpose: "run a referee",
            remedy: JDK,
        })?;
        say(&format!("java      {java}"));
        let javac = self.version("javac");
        let words = javac.as_deref().unwrap_or("missing: it is part of a JDK, but not of a JRE");
        say(&format!("javac     {words}"));
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
                Some(class_path) => absolute_class_path(class_path)?,
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
            // A complete jar file has its own command line.
            Err(reason) if is_jar => {
                say(&format!("host      not compiled ({reason}): every game starts a new JVM"));
                installed.is_server = false;
                installed.command = run(&["-jar", &class_path]);
                if self.is_old_mode(&installed.command) {
                    return Err(ForeignError::OldMode(addition.source.to_string()));
                }
            }
            Err(reason) => return Err(reason),
        }
        Ok(installed)
    }

    /// Returns the challenge's folder. A repository is cloned into the build folder.
    fn project(&self, source: &str, say: &mut dyn FnMut(&str)) -> Result<ChallengeProject, ForeignError> {
        let is_address = source.contains("://") || source.starts_with("git@");
        if !is_address || Path::new(source).exists() {
            return ChallengeProject::open(Path::new(source));
        }
        self.version("git").ok_or(ForeignError::NoTool {
            tool: "git",
            purpose: "fetch a repository",
            remedy: "install it, or give a folder",
        })?;
        let place = self.folder.join("repository");
        say(&format!("git       fetching {source}"));
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
        self.tool(&words, BUILD).map_err(|failure| ForeignError::Tool {
            task: format!("git cannot fetch {source}"),
            failure,
            hint: None,
        })?;
        ChallengeProject::open(&place)
    }

    /// Builds a copy of the project with Maven, so that the original folder does not change. Returns the class path of
    /// the build.
    fn maven(&self, project: &ChallengeProject, say: &mut dyn FnMut(&str)) -> Result<String, ForeignError> {
        if !project.has_pom() {
            return Err(ForeignError::NoPom(project.folder.clone()));
        }
        let version = self.version("mvn").ok_or(ForeignError::NoTool {
            tool: "mvn",
            purpose: "build a challenge",
            remedy: "`apt install maven`, or build the challenge elsewhere and use `--class-path`",
        })?;
        say(&format!("maven     {version}"));
        let copy = self.folder.join("project");
        if project.folder != self.folder.join("repository") {
            copy_project(&project.folder, &copy).map_err(ForeignError::file("copy", &project.folder))?;
        } else {
            fs::rename(&project.folder, &copy).map_err(ForeignError::file("move", &project.folder))?;
        }
        let list = self.folder.join("class-path.txt");
        let [pom, output] = [copy.join("pom.xml"), list.clone()].map(|path| path.display().to_string());
        let output = format!("-Dmdep.outputFile={output}");
        let words =
            ["mvn", "-q", "-B", "-f", &pom, "-DskipTests", "compile", "dependency:build-classpath", &output];
        self.tool(&words, BUILD).map_err(|failure| ForeignError::Tool {
            task: "Maven cannot build the challenge".to_string(),
            failure,
            hint: Some(
                "Maven needs network access for the first build; if the classes and jars have been built \
                 elsewhere, use `--class-path`",
            ),
        })?;
        let jars = fs::read_to_string(&list).map_err(ForeignError::file("read", &list))?;
        Ok(format!("{}:{}", copy.join("target/classes").display(), jars.trim()))
    }

    /// Compiles Contender's Java host program against the referee's game runner.
    fn host(&self, class_path: &str, has_compiler: bool) -> Result<(), ForeignError> {
        if !has_compiler {
            return Err(ForeignError::NoTool { tool: "javac", purpose: "build a referee", remedy: JDK });
        }
        let [source, target] = [self.folder.join("host/contender/Host.java"), self.folder.join("host")];
        self.write("host/contender/Host.java", HOST)?;
        let [source, target] = [source, target].map(|path| path.display().to_string());
        let words = ["javac", "-nowarn", "-encoding", "UTF-8", "-cp", class_path, "-d", &target, &source];
        self.tool(&words, BUILD).map_err(|failure| ForeignError::Tool {
            task: "the classes of CodinGame's runner are not in the class path".to_string(),
            failure,
            hint: None,
        })?;
        Ok(())
    }

    /// Returns whether a referee uses the protocol of cg-brutaltester's old mode. Such a referee answers the first
    /// lines with a line of this protocol.
    fn is_old_mode(&self, command: &[String]) -> bool {
        let Ok(mut process) = ChildGuard::start(&CommandLine::new(command), 1 << 16, 1 << 12) else {
            return false;
        };
        process.send(b"###Seed 1\n###Start 2\n");
        let asks = |output: &[u8]| output.split(|&byte| byte == b'\n').any(|line| line.starts_with(b"###"));
        process.wait(OLD_MODE, self.stop, asks);
        asks(&process.end().output)
    }

    fn write(&self, name: &str, text: &str) -> Result<(), ForeignError> {
        let path = self.folder.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, text)).map_err(ForeignError::file("write", &path))
    }

    /// Returns the first line of a tool's version message, or `None` if the tool does not exist.
    fn version(&self, tool: &str) -> Option<String> {
        let option = if tool.starts_with("java") { "-version" } else { "--version" };
        let said = self.tool(&[tool, option], ASKING).ok()?;
        let line = said.lines().find(|line| !line.trim().is_empty() && !line.contains("_JAVA_OPTIONS"))?;
        Some(cut(line))
    }

    /// Runs a tool until it exits, and returns its output.
    fn tool(&self, words: &[&str], limit: Duration) -> Result<String, ToolFailure> {
        const MAX_LENGTH: usize = 1 << 24;
        let mut process = ChildGuard::start(&CommandLine::new(words.iter().copied()), MAX_LENGTH, 1 << 16)?;
        process.close_input();
        let waited = process.wait(limit, self.stop, |_| false);
        let ProcessOutput { output, stderr, status } = process.end();
        let said = format!("{stderr}\n{}", String::from_utf8_lossy(&output));
        // Maven prints colour codes even if colours are off.
        let said =
            ["0", "1", ""].iter().fold(said, |said, kind| said.replace(&format!("\u{1b}[{kind}m"), ""));
        match (waited, status) {
            (WaitOutcome::Ended, Some(ExitStatus::Code(0))) => Ok(said),
            (WaitOutcome::Stopped, _) => Err(ToolFailure::Stopped),
            (WaitOutcome::Late, _) => Err(ToolFailure::Late(limit)),
            _ => {
                let lines = said.lines().filter(|line| !line.trim().is_empty());
                let errors: Vec<String> =
                    lines.clone().filter(|line| line.to_lowercase().contains("error")).map(cut).collect();
                let shown = if errors.is_empty() { lines.map(cut).collect() } else { errors };
                Err(ToolFailure::Output(shown.into_iter().take(3).collect::<Vec<_>>().join("; ")))
            }
        }
    }
}

fn absolute(path: &Path) -> Result<String, ForeignError> {
    let path = path.canonicalize().map_err(ForeignError::file("read", path))?;
    let text = path.to_str().ok_or_else(|| ForeignError::NotUtf8(path.clone()))?;
    Ok(text.to_string())
}

/// Copies a project without build results and version history. Skips symbolic links, because they may point to files
/// outside the folder.
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
