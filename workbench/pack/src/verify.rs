//! A packed file against the bot it was packed from.

use crate::prune::Scratch;
use crate::{Judge, PackError};
use contender_game::{Contest, Options, mix};
use contender_referee::{Entrant, GamePlan, Program, Referee};
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use syn::visit::{self, Visit};

/// A packed file that the compiler has taken; the program lives as long as the value.
pub struct Compiled {
    _scratch: Scratch,
    /// The program.
    pub program: PathBuf,
    /// What the compiler took.
    pub time: Duration,
    /// Its warnings, as it prints them.
    pub warnings: String,
}

/// Compiles the text alone, as the judge does, with the compiler of this machine.
///
/// # Errors
/// The compiler's words.
pub fn compile(text: &str, judge: &Judge) -> Result<Compiled, PackError> {
    let scratch = Scratch::new()?;
    let source = scratch.write("bot.rs", text)?;
    let program = scratch.folder.join("bot");
    let start = Instant::now();
    let output = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()))
        .args(judge.flags.value)
        .arg("-o")
        .arg(&program)
        .arg(&source)
        .output()
        .map_err(|error| PackError::general(format!("rustc cannot be run: {error}")))?;
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    if !output.status.success() {
        return Err(PackError::general(format!("the packed file does not compile:\n{words}")));
    }
    Ok(Compiled { _scratch: scratch, program, time: start.elapsed(), warnings: words })
}

/// How a packed bot's games went beside the unpacked bot's.
#[derive(Clone, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Comparison {
    /// Games played by each.
    pub games: u32,
    /// Moves of these games, of both players and of chance.
    pub moves: usize,
    /// The first game that differs, in words.
    pub difference: Option<String>,
}

/// Plays `games` games of the packed program and the same games of the bundled bot, both with `nodes` nodes a move, against the
/// contest's weakest and strongest bundled bots in turn, in both seats. `stop` ends it early.
///
/// # Errors
/// A game that cannot be played, which is no bot's fault.
pub fn compare(
    contest: &dyn Contest,
    (bot, options): (&str, &Options),
    program: &Compiled,
    games: u32,
    nodes: u64,
    stop: &AtomicBool,
) -> Result<Comparison, PackError> {
    let mut referee = Referee::of(contest);
    referee.nodes = Some(nodes);
    // A node budget takes the time it takes; a busy machine does not end the comparison.
    referee.margin = Duration::from_secs(600);
    let bundled = |bot: &str, options: &Options| Entrant {
        name: bot.to_string(),
        program: Program::Bundled { bot: bot.to_string(), options: options.clone() },
    };
    let unpacked = bundled(bot, options);
    let bots = contest.info().bots;
    let mut comparison = Comparison::default();
    for game in 0..games {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let seat = (game % 2) as usize;
        let luck = mix(&[u64::from(game / 2), 0x7061_636b]);
        let bot_seeds = [mix(&[luck, 1]), mix(&[luck, 2])];
        let opponent = if game / 2 % 2 == 0 { bots.first() } else { bots.last() };
        let opponent = opponent.ok_or_else(|| PackError::general("the game has no bundled bot"))?;
        let opponent = bundled(opponent.name, &Options::default());
        let words = [
            program.program.display().to_string(),
            "--nodes".to_string(),
            nodes.to_string(),
            "--seed".to_string(),
            bot_seeds[seat].to_string(),
        ];
        let packed = Entrant { name: bot.to_string(), program: Program::Command(words.to_vec()) };
        let play = |subject: &Entrant| {
            let players = if seat == 0 { [subject, &opponent] } else { [&opponent, subject] };
            referee
                .play(contest, GamePlan { players, luck, bot_seeds }, stop)
                .map_err(|error| PackError::general(error.to_string()))
        };
        let [packed, unpacked] = [play(&packed)?, play(&unpacked)?];
        if packed.interrupted || unpacked.interrupted {
            break;
        }
        comparison.games += 1;
        comparison.moves += packed.moves.len();
        if packed.moves != unpacked.moves
            || packed.setup != unpacked.setup
            || packed.points != unpacked.points
        {
            let at = packed.moves.iter().zip(&unpacked.moves).take_while(|(a, b)| a == b).count();
            let name = |moves: &[String]| moves.get(at).map_or("nothing", |text| text).to_string();
            comparison.difference = Some(format!(
                "game {} in seat {seat}: move {} is `{}` of the packed bot and `{}` of the unpacked; the packed bot's end: {:?} {}",
                game + 1,
                at + 1,
                name(&packed.moves),
                name(&unpacked.moves),
                packed.seats[seat].ending,
                packed.seats[seat].stderr.trim()
            ));
            break;
        }
    }
    Ok(comparison)
}

/// Where a file's size goes, in the judge's unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize)]
pub struct Parts {
    /// Everything else.
    pub code: usize,
    /// Arrays of constants of 300 bytes and more.
    pub tables: usize,
    /// Text and byte literals of 300 bytes and more: weights, books.
    pub weights: usize,
}

/// The shortest thing that counts as a table or as weights, in bytes.
const LARGE: usize = 300;

/// Takes a file's size apart.
///
/// # Errors
/// A text that is no Rust.
pub fn parts(text: &str, judge: &Judge) -> Result<Parts, PackError> {
    let file =
        syn::parse_file(text).map_err(|error| PackError::general(format!("the packed file: {error}")))?;
    let mut measure = Measure { text, judge, parts: Parts::default() };
    measure.visit_file(&file);
    let Parts { tables, weights, .. } = measure.parts;
    Ok(Parts { code: judge.size(text) - tables - weights, tables, weights })
}

struct Measure<'a> {
    text: &'a str,
    judge: &'a Judge,
    parts: Parts,
}

impl Measure<'_> {
    fn large(&self, span: proc_macro2::Span) -> usize {
        let size = self.text.get(span.byte_range()).map(|text| (text.len(), self.judge.size(text)));
        size.filter(|&(bytes, _)| bytes >= LARGE).map_or(0, |(_, size)| size)
    }
}

impl<'a> Visit<'a> for Measure<'_> {
    fn visit_lit(&mut self, literal: &'a syn::Lit) {
        if matches!(literal, syn::Lit::Str(_) | syn::Lit::ByteStr(_)) {
            self.parts.weights += self.large(literal.span());
        }
    }

    fn visit_expr_array(&mut self, array: &'a syn::ExprArray) {
        let before = self.parts;
        visit::visit_expr_array(self, array);
        let inner = self.parts.weights - before.weights;
        let whole = self.large(syn::spanned::Spanned::span(array));
        if whole > 0 {
            self.parts.tables = before.tables + (whole - inner);
        }
    }
}
