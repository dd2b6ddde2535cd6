//! Referee protocols for arenas that run the bots themselves. The arena passes lines between the bots and the referee's
//! standard input and output.

use anyhow::{Context, bail};
use contender_game::{
    contest::{Contest, Judge},
    rules::Player,
    settings::Options,
};
use std::io::{BufRead, Write};

/// The protocol of such an arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Relay {
    /// cg-brutaltester with -o: `###Input`, `###Output`, `###End`
    BrutaltesterOld,
    /// Caia, CodeCup's arena: `I listen 1`, `M report`
    Caia,
}

impl Relay {
    /// Plays a game with this protocol. The arena may send a different seed.
    ///
    /// # Errors
    /// Returns an error if the contest does not accept the setup, or if the arena closes the connection or breaks the
    /// protocol.
    pub fn play(
        self,
        contest: &dyn Contest,
        rules: &Options,
        seed: u64,
        input: &mut impl BufRead,
        output: &mut impl Write,
    ) -> anyhow::Result<()> {
        let mut arena = Arena { relay: self, first: Player::Zero, input, output };
        let seed = arena.start(seed)?;
        let mut judge = contest.judge(seed, &mut rules.clone()).map_err(anyhow::Error::msg)?;
        let mut questions = judge.ask();
        if let (Relay::Caia, Some(question)) = (self, questions.first()) {
            arena.first = question.player;
        }
        while !questions.is_empty() {
            for question in &questions {
                arena.tell(question.player, &question.text)?;
            }
            for question in questions {
                let player = question.player;
                let failure = match arena.hear(player, question.answer_lines)? {
                    Ok(lines) => judge.answer(player, &lines).err(),
                    Err(failure) => Some(failure),
                };
                if let Some(reason) = failure {
                    arena.fault(player, &reason)?;
                    judge.fail(player);
                }
            }
            questions = judge.ask();
        }
        arena.end(judge.as_ref())
    }
}

struct Arena<'a, I, O> {
    relay: Relay,
    /// The player who moves first, which Caia calls player 1.
    first: Player,
    input: &'a mut I,
    output: &'a mut O,
}

impl<I: BufRead, O: Write> Arena<'_, I, O> {
    /// Waits for the start if the arena announces it, and returns the seed of the game.
    fn start(&mut self, seed: u64) -> anyhow::Result<u64> {
        let mut seed = seed;
        while self.relay == Relay::BrutaltesterOld {
            let line = self.line()?;
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                ["###Seed", number] => {
                    seed = number
                        .parse::<i64>()
                        .with_context(|| format!("invalid seed `{line}`"))?
                        .unsigned_abs();
                }
                ["###Start", "2"] => break,
                ["###Start", players] => bail!("the arena asks for {players} players, but this game has 2"),
                _ => bail!("unexpected line `{line}`: expected ###Seed or ###Start"),
            }
        }
        Ok(seed)
    }

    fn number(&self, player: Player) -> usize {
        if player == self.first { 1 } else { 2 }
    }

    fn line(&mut self) -> anyhow::Result<String> {
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            bail!("the arena closed the connection in the middle of the game");
        }
        Ok(line.trim_end_matches(['\r', '\n']).to_string())
    }

    fn tell(&mut self, player: Player, text: &str) -> anyhow::Result<()> {
        if self.relay == Relay::BrutaltesterOld {
            write!(self.output, "###Input {}\n{text}", player.index())?;
        } else {
            for line in text.lines() {
                writeln!(self.output, "{} {line}", self.number(player))?;
            }
        }
        Ok(self.output.flush()?)
    }

    /// Reads the player's next lines, or the report that it failed.
    fn hear(&mut self, player: Player, lines: usize) -> anyhow::Result<Result<Vec<String>, String>> {
        if self.relay == Relay::BrutaltesterOld {
            writeln!(self.output, "###Output {} {lines}", player.index())?;
            self.output.flush()?;
        }
        let mut answer = Vec::new();
        for _ in 0..lines {
            if self.relay == Relay::Caia {
                writeln!(self.output, "I listen {}", self.number(player))?;
                self.output.flush()?;
            }
            let line = self.line()?;
            if self.relay == Relay::Caia && line.starts_with("<caiaio:") {
                return Ok(Err(line));
            }
            answer.push(line);
        }
        Ok(Ok(answer))
    }

    fn fault(&mut self, player: Player, reason: &str) -> anyhow::Result<()> {
        match self.relay {
            Relay::BrutaltesterOld => {
                writeln!(self.output, "###Error {} {}", player.index(), one_line(reason))?;
            }
            // An unwritable log is no reason to end the game.
            Relay::Caia => {
                let _ = writeln!(std::io::stderr(), "player {}: {reason}", self.number(player));
            }
        }
        Ok(())
    }

    fn end(&mut self, judge: &dyn Judge) -> anyhow::Result<()> {
        let [zero, one] = judge.points();
        match self.relay {
            Relay::BrutaltesterOld => {
                let groups = match zero.cmp(&one) {
                    std::cmp::Ordering::Greater => "0 1",
                    std::cmp::Ordering::Equal => "01",
                    std::cmp::Ordering::Less => "1 0",
                };
                writeln!(self.output, "###End {groups}")?;
            }
            Relay::Caia => {
                let order = [self.first, self.first.other()];
                for player in order {
                    self.tell(player, judge.farewell())?;
                }
                let [first, second] = order.map(|player| [zero, one][player]);
                writeln!(self.output, "M report {first} {second} {}-moves", judge.moves().len())?;
            }
        }
        Ok(self.output.flush()?)
    }
}

fn one_line(text: &str) -> String {
    text.replace(['\r', '\n'], " ")
}
