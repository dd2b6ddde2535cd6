//! `contender new`: creates the first version of a bot or a game.

use crate::arguments::game_parser;
use crate::error::UsageError;
use crate::setup::{is_ours, sources, workspace};
use anyhow::Context;
use clap::{Args as ClapArgs, Subcommand, ValueEnum};
use contender_foreign::Installed;
use contender_game::{
    contest::{Contest, JudgeSite},
    settings::Options,
};
use contender_input::this_program;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// `contender new`
#[derive(ClapArgs)]
pub struct NewArgs {
    #[command(subcommand)]
    pub what: NewCommand,
}

/// The things that the command can create.
#[derive(Subcommand)]
pub enum NewCommand {
    /// Create a bot that plays random legal moves, as a starting point
    Bot(BotArgs),
    /// Create a custom game: a small, complete crate with its own `contender` program
    Game(GameArgs),
}

/// `contender new game`
#[derive(ClapArgs)]
pub struct GameArgs {
    /// Name of the game in lower-case letters, digits and dashes, for example `my-game`
    pub name: String,
    /// Kind of game that serves as the template
    #[arg(long, default_value = "turns")]
    pub kind: TemplateKind,
    /// Output folder; existing files are not overwritten [default: NAME]
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

/// The kinds of games for which a template exists.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TemplateKind {
    /// The players take turns and see everything, for example tic-tac-toe
    Turns,
    /// The players take turns, with dice or other randomness, for example placing the digits of a die
    Chance,
    /// The players see only their own cards, for example a trick-taking game
    Hidden,
    /// Both players act at the same time, for example by bidding for prizes
    Simultaneous,
}

/// `contender new bot`
#[derive(ClapArgs)]
pub struct BotArgs {
    /// Game
    #[arg(value_parser = game_parser(), required_unless_present = "referee", conflicts_with = "referee")]
    pub game: Option<&'static dyn Contest>,
    /// External referee, instead of a game; the bot is generated from the challenge's stub
    #[arg(long, value_name = "NAME")]
    pub referee: Option<String>,
    /// Programming language; a Rust bot is a Cargo package, which `contender pack` turns into one file
    #[arg(long)]
    pub language: Language,
    /// Output folder; existing files are not overwritten
    #[arg(short, long, value_name = "FOLDER")]
    pub output: PathBuf,
    /// For a Rust bot: clone of Contender, or package of a custom game [default: the clone that contains the current
    /// folder, otherwise the clone from which this command was built]
    #[arg(long, value_name = "FOLDER")]
    pub workspace: Option<PathBuf>,
}

/// The programming languages for which a skeleton exists.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Language {
    /// A Cargo package
    Rust,
    /// One file in C++17
    Cpp,
    /// One file that needs only the standard library
    Python,
}

impl Language {
    /// Returns the file name extension of the language's source files. It is also the key under which a game lists its
    /// skeleton.
    fn ending(self) -> &'static str {
        match self {
            Language::Rust => "rs",
            Language::Cpp => "cpp",
            Language::Python => "py",
        }
    }
}

/// Includes the file `skeletons/NAME`, which all games share.
macro_rules! skeleton {
    ($name:literal) => {
        include_str!(concat!("../../skeletons/", $name))
    };
}

/// The files of a new bot, and the commands that build and run it.
struct Skeleton {
    files: Vec<(PathBuf, String)>,
    build: Option<String>,
    command: String,
}

pub fn run(args: &NewArgs) -> anyhow::Result<ExitCode> {
    match &args.what {
        NewCommand::Bot(args) => bot(args),
        NewCommand::Game(args) => game(args),
    }
}

/// Includes the file `templates/NAME`, a template for custom games.
macro_rules! template {
    ($name:literal) => {
        include_str!(concat!("../../templates/", $name))
    };
}

/// Returns the section for the release profile from this workspace's manifest.
fn release_profile() -> String {
    let manifest = include_str!("../../../../Cargo.toml");
    let start = manifest.find("# Newcomers wait");
    let end = manifest.find("# The command of a release");
    let profile = start.zip(end).map_or("", |(start, end)| manifest[start..end].trim_end());
    // In a first build, compiling counts more than the time to pack, to start games and to tune.
    let profile = profile.split("# The packer parses").next().unwrap_or_default().trim_end();
    // An author's program contains neither the cluster nor the code that signs jobs. Cargo would warn about their
    // profile entries in every build.
    let profile = profile
        .replace("contender-cluster.opt-level = 0\n", "")
        .replace("curve25519-dalek.opt-level = 2\n", "")
        .replace("sign jobs", "compute hashes")
        .replace("contender-pack.opt-level = 1", "contender-pack.opt-level = 0")
        .replace("contender-play.opt-level = 1", "contender-play.opt-level = 0")
        .replace("contender-referee.opt-level = 1", "contender-referee.opt-level = 0")
        .replace("contender-tune.opt-level = 1", "contender-tune.opt-level = 0");
    // `"*"` matches every package outside the workspace: in our workspace only third-party packages, in an author's
    // also the kit.
    let hot = ["game", "learn", "nn", "puct", "search", "value"];
    let at = |level: u32| -> String {
        hot.iter().map(|name| format!("contender-{name}.opt-level = {level}\n")).collect()
    };
    let (played, tested) = (at(3), at(1));
    format!(
        "{profile}\n# Code that runs in your bots and training runs.\n{played}\n\
         # Macros and build scripts take less processor time to compile in one unit.\n\
         [profile.release.build-override]\ncodegen-units = 1\n\n\
         # Tests play many games, so the code that plays is optimised in tests too.\n\
         # Debug information of other crates would make every link of an edited game slower.\n\
         [profile.dev]\nopt-level = 1\ndebug = \"line-tables-only\"\n\n\
         [profile.dev.package.\"*\"]\nopt-level = 0\ndebug = false\n\n\
         [profile.dev.package]\n{tested}"
    )
}

/// The files of a template for one kind of game.
struct Template {
    game: &'static str,
    network: &'static str,
    recipe: &'static str,
    /// The name of the contest, and the name of the type that implements it.
    contest: [&'static str; 2],
    /// The names of the searching bot and of the bot with a network.
    bots: [&'static str; 2],
    /// The source code that computes a position's features, for games without hidden information.
    features: Option<&'static str>,
    /// The lines that register the game for `contender train`.
    learns: &'static [&'static str],
}

impl TemplateKind {
    fn template(self) -> Template {
        let by_search = template!("crate/train.toml");
        // A search over full states would know hidden information.
        let by_itself = template!("crate/train-policy.toml");
        match self {
            TemplateKind::Turns => Template {
                game: template!("turns/lib.rs"),
                network: template!("turns/network.rs"),
                recipe: by_search,
                contest: ["tictactoe", "TicTacToe"],
                bots: ["uct", "puct"],
                features: Some(template!("turns/features.rs")),
                learns: &["learns", "learns_features"],
            },
            TemplateKind::Chance => Template {
                game: template!("chance/lib.rs"),
                network: template!("chance/network.rs"),
                recipe: by_search,
                contest: ["digits", "Digits"],
                bots: ["uct", "puct"],
                features: None,
                learns: &["learns"],
            },
            TemplateKind::Hidden => Template {
                game: template!("hidden/lib.rs"),
                network: template!("hidden/network.rs"),
                recipe: by_itself,
                contest: ["tricks", "Tricks"],
                bots: ["ismcts", "policy"],
                features: None,
                learns: &["learns"],
            },
            TemplateKind::Simultaneous => Template {
                game: template!("simultaneous/lib.rs"),
                network: template!("simultaneous/network.rs"),
                recipe: by_itself,
                contest: ["goofspiel", "Goofspiel"],
                bots: ["duct", "policy"],
                features: None,
                learns: &["learns_simultaneous"],
            },
        }
    }
}

/// Words that cargo rejects as package names: Rust's keywords, including reserved ones.
const KEYWORDS: [&str; 50] = [
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "if", "impl", "in", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "self", "static", "struct",
    "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where",
    "while", "yield",
];

/// Checks that a game's name can be the name of a crate.
fn check_name(name: &str) -> Result<(), UsageError> {
    let is_fine = name.starts_with(|letter: char| letter.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !is_fine || name.len() > 40 {
        return Err(UsageError(format!(
            "invalid name `{}`: expected lower-case letters, digits and dashes, starting with a letter",
            contender_game::contest::excerpt(name)
        )));
    }
    if ["test", "core", "std", "alloc", "contender"].contains(&name) || name.starts_with("contender-") {
        return Err(UsageError(format!("another crate is already called `{name}`; choose a different name")));
    }
    if KEYWORDS.contains(&name) {
        return Err(UsageError(format!("`{name}` is a Rust keyword and cannot be a crate name")));
    }
    Ok(())
}

fn game(args: &GameArgs) -> anyhow::Result<ExitCode> {
    let name = &args.name[..];
    check_name(name)?;
    let folder = args.output.clone().unwrap_or_else(|| PathBuf::from(name));
    write_new(&game_files(args, &folder)?)?;
    let mut out = std::io::stdout();
    let source = folder.join("src/lib.rs");
    let [strong, _] = args.kind.template().bots;
    writeln!(out, "{}: created a complete game; EDIT marks the places to change", source.display())?;
    writeln!(out, "  go there  cd {}", folder.display())?;
    writeln!(out, "  play it   cargo run --release -- match {name} random {strong} -n 20 --nodes 1000")?;
    writeln!(out, "  check it  cargo run --release -- check-rules {name}")?;
    writeln!(out, "  train it  cargo run --release --features train -- train train.toml")?;
    writeln!(out, "  test it   cargo test -p {name}")?;
    Ok(ExitCode::SUCCESS)
}

/// The commands that train the evaluation of a game with features.
const TRAIN_EVALUATION: &str = "\
    cargo run --release --features train -- train evaluation.toml -o evaluation   # learn the weights of `alphabeta`\n\
    cargo run --release --features train -- train value.toml -o value   # or a network for it\n";

/// Returns the files of a new game, with their contents.
fn game_files(args: &GameArgs, folder: &Path) -> anyhow::Result<Vec<(PathBuf, String)>> {
    let name = &args.name[..];
    let Template {
        game: text,
        network,
        recipe,
        contest: [example, contest],
        bots: [strong, learner],
        features,
        learns,
    } = args.kind.template();
    let contender = workspace(None)?.canonicalize()?;
    let kind = args.kind.to_possible_value().expect("every kind has a name");
    let learns: String = learns
        .iter()
        .map(|learns| format!("    contender::{learns}::<{{crate}}::{{contest}}>();\n"))
        .collect();
    let learned = features.map_or("", |_| TRAIN_EVALUATION);
    let played = if args.kind == TemplateKind::Simultaneous { "simultaneous" } else { "in_turn" };
    let fill = |text: &str| {
        text.replace("{learns}", &learns)
            .replace("{features}", learned)
            .replace("{name}", name)
            .replace("{kind}", kind.get_name())
            .replace("{strong}", strong)
            .replace("{learner}", learner)
            .replace("{played}", played)
            .replace("{contest}", contest)
            .replace("{crate}", &name.replace('-', "_"))
            .replace("{contender}", &contender.display().to_string())
    };
    // The lock files of this workbench, so that a new game uses the same versions of its dependencies.
    let read = |lock: &Path| std::fs::read_to_string(lock).with_context(|| lock.display().to_string());
    let lock = read(&contender.join("Cargo.lock"))?;
    let python_lock = read(&contender.join("workbench/python/Cargo.lock"))?;
    let manifest = format!("{}\n{}", fill(template!("crate/Cargo.toml")), release_profile());
    let mut files = vec![
        ("Cargo.toml", manifest),
        ("Cargo.lock", lock),
        (".gitignore", "target\n*.jsonl\n".to_string()),
        ("README.md", fill(template!("crate/README.md"))),
        ("src/lib.rs", text.replace(&format!("name: \"{example}\""), &format!("name: \"{name}\""))),
        ("tests/rules.rs", fill(template!("crate/rules.rs"))),
        ("workbench/Cargo.toml", fill(template!("crate/workbench.toml"))),
        ("workbench/main.rs", fill(template!("crate/main.rs"))),
        ("src/network.rs", network.to_string()),
        ("train.toml", fill(recipe)),
        ("python/Cargo.toml", fill(template!("crate/python.toml"))),
        ("python/Cargo.lock", python_lock),
        ("python/lib.rs", fill(template!("crate/python.rs"))),
        ("python/pyproject.toml", fill(template!("crate/pyproject.toml"))),
    ];
    if let Some(features) = features {
        files.push(("src/features.rs", features.to_string()));
        files.push(("evaluation.toml", fill(template!("crate/evaluation.toml"))));
        files.push(("value.toml", fill(template!("crate/value.toml"))));
    }
    Ok(files.into_iter().map(|(path, text)| (folder.join(path), text)).collect())
}

/// Returns the source of a game's starter bot.
fn skeleton_text(contest: &dyn Contest, language: Language) -> Result<&'static str, UsageError> {
    // A game with simultaneous moves needs a skeleton of its own.
    let is_in_turn = || Some(contest.judge(1, &mut Options::rules()).ok()?.ask().len() == 1);
    let skeleton = |language: Language| {
        let has_general = || language == Language::Rust && is_in_turn() == Some(true);
        contest.skeleton(language.ending()).or_else(|| has_general().then_some(skeleton!("turn.rs")))
    };
    skeleton(language).ok_or_else(|| {
        let there = Language::value_variants().iter().filter(|language| skeleton(**language).is_some());
        let there: Vec<_> = there.filter_map(Language::to_possible_value).collect();
        let there: Vec<&str> = there.iter().map(|language| language.get_name()).collect();
        let there = if there.is_empty() { "none".to_string() } else { there.join(", ") };
        UsageError(format!(
            "{} has no bot skeleton in this language; available: {there}\nhint: a custom game lists its \
             skeletons in the constant `SKELETONS` of its contest",
            contest.name()
        ))
    })
}

fn bot(args: &BotArgs) -> anyhow::Result<ExitCode> {
    let contest = match (&args.referee, args.game) {
        (Some(name), _) => return of_stub(name, args),
        (None, Some(contest)) => contest,
        (None, None) => return Err(UsageError("no game given".to_string()).into()),
    };
    let game = contest.name();
    let text = skeleton_text(contest, args.language)?;
    let folder = &args.output;
    let Skeleton { files, build, command } = match args.language {
        Language::Rust => rust(contest, text, folder, args.workspace.as_deref())?,
        Language::Cpp => Skeleton {
            files: vec![(folder.join("bot.cpp"), text.replace("// {common}\n", skeleton!("common.cpp")))],
            build: Some(format!("g++ -std=c++17 -O2 -o {0}/bot {0}/bot.cpp", folder.display())),
            command: program(&folder.join("bot")),
        },
        Language::Python => Skeleton {
            files: vec![(folder.join("bot.py"), text.replace("# {common}\n", skeleton!("common.py")))],
            build: None,
            command: format!("python3 {}", folder.join("bot.py").display()),
        },
    };
    write_new(&files)?;
    let mut out = std::io::stdout();
    let contender = this_program();
    writeln!(out, "{}: created a bot that plays random legal moves", files[0].0.display())?;
    if let Some(build) = build {
        writeln!(out, "  build it  {build}")?;
    }
    writeln!(out, "  check it  {contender} check {game} \"{command}\"")?;
    let opponent = contest.info().bots.get(1).map_or("random", |bot| bot.name);
    writeln!(out, "  play it   {contender} match {game} {opponent} \"{command}\" -n 10")?;
    if args.language == Language::Rust {
        let judge = match contest.info().site {
            JudgeSite::CodeCup => "codecup",
            JudgeSite::CodinGame => "codingame",
        };
        writeln!(
            out,
            "  pack it   {contender} pack --manifest {} --judge {judge} -o bot.rs",
            files[1].0.display()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes new files, and fails without writing if one of them already exists.
fn write_new(files: &[(PathBuf, String)]) -> anyhow::Result<()> {
    if let Some((path, _)) = files.iter().find(|(path, _)| path.exists()) {
        return Err(UsageError(format!(
            "{} already exists\nhint: choose another folder with `-o FOLDER`",
            path.display()
        ))
        .into());
    }
    for (path, text) in files {
        let parent = path.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(parent)
            .and_then(|()| std::fs::write(path, text))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Creates a bot for a CodinGame challenge: one source file in the chosen language.
fn of_stub(name: &str, args: &BotArgs) -> anyhow::Result<ExitCode> {
    let folder = contender_foreign::folder().map_err(UsageError::new)?;
    let referee = Installed::open(&folder, name).map_err(UsageError::new)?;
    let stub = referee.stub(&folder).map_err(UsageError::new)?;
    let stub = stub.ok_or_else(|| UsageError(format!("the challenge {name} has no config/stub.txt")))?;
    let (language, file) = match args.language {
        Language::Python => (contender_foreign::stub::StubLanguage::Python, "bot.py"),
        Language::Cpp => (contender_foreign::stub::StubLanguage::Cpp, "bot.cpp"),
        Language::Rust => (contender_foreign::stub::StubLanguage::Rust, "bot.rs"),
    };
    let path = args.output.join(file);
    write_new(&[(path.clone(), stub.program(language))])?;
    let built = args.output.join("bot");
    let (build, command) = match args.language {
        Language::Python => (None, format!("python3 {}", path.display())),
        Language::Cpp => {
            (Some(format!("g++ -std=c++17 -O2 -o {} {}", built.display(), path.display())), program(&built))
        }
        Language::Rust => {
            (Some(format!("rustc -O -o {} {}", built.display(), path.display())), program(&built))
        }
    };
    let mut out = std::io::stdout();
    writeln!(
        out,
        "{}: created a bot that reads the challenge's input and gives the same answers as its stub",
        path.display()
    )?;
    if let Some(build) = build {
        writeln!(out, "  build it  {build}")?;
    }
    let bots = vec![format!("\"{command}\""); referee.players[0].max(2)].join(" ");
    writeln!(out, "  play it   {} match --referee {name} {bots} -n 1", this_program())?;
    Ok(ExitCode::SUCCESS)
}

/// Creates a Rust package that uses the kit of this workspace.
fn rust(contest: &dyn Contest, text: &str, folder: &Path, given: Option<&Path>) -> anyhow::Result<Skeleton> {
    let info = contest.info();
    let name: String = folder
        .file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
        .chars()
        .filter(|letter| letter.is_ascii_alphanumeric() || "-_".contains(*letter))
        .collect();
    // Cargo requires a letter at the start.
    let name =
        if name.starts_with(|letter: char| letter.is_ascii_alphabetic()) { name } else { "bot".to_string() };
    let (kit, game) = if is_ours(contest) {
        let workspace = workspace(given)?.canonicalize()?;
        let folder = info.package.trim_start_matches("contender-");
        (workspace.join("kit"), workspace.join("games").join(folder))
    } else {
        (workspace(None)?.canonicalize()?.join("kit"), sources(contest, given)?.canonicalize()?)
    };
    let manifest = skeleton!("Cargo.toml")
        .replace("{name}", &name)
        .replace("{kit}", &kit.display().to_string())
        .replace("{package}", info.package)
        .replace("{game}", &game.display().to_string());
    let text = text.replace("{crate}", &info.package.replace('-', "_")).replace("{about}", info.about);
    let path = folder.join("Cargo.toml");
    Ok(Skeleton {
        build: Some(format!("cargo build --release --manifest-path {}", path.display())),
        command: program(&folder.join("target/release").join(name)),
        files: vec![(folder.join("src/main.rs"), text), (path, manifest)],
    })
}

/// Returns a program's path as a shell command. If the path has no folder, adds the prefix `./`, because a shell would
/// otherwise look for the program in `PATH`.
fn program(path: &Path) -> String {
    if path.components().count() > 1 || path.is_absolute() {
        path.display().to_string()
    } else {
        format!("./{}", path.display())
    }
}
