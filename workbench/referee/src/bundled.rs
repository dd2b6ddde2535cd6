//! Bundled bots, which run in this process.

use crate::Ending;
use contender_game::contest::{LineBot, Reply};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A bundled bot with the output lines that have not been used as an answer yet. If the bot fails or even panics, only
/// this bot is removed from the game.
pub struct Bundled {
    /// The bot; `None` after a panic, because the bot's state is then unknown.
    bot: Option<Box<dyn LineBot>>,
    said: VecDeque<String>,
}

impl Bundled {
    /// Wraps a bot that has not received a question yet.
    #[must_use]
    pub fn new(bot: Box<dyn LineBot>) -> Bundled {
        Bundled { bot: Some(bot), said: VecDeque::new() }
    }

    /// Sends a question and returns the answer. The bot can think for any length of time, because code in this process
    /// cannot be interrupted.
    ///
    /// # Errors
    /// Returns the bot's ending if the bot can no longer play.
    pub fn ask(&mut self, text: &str, answer_lines: usize) -> Result<Vec<String>, Ending> {
        for line in text.lines() {
            match self.read(line)? {
                Reply::Nothing => {}
                Reply::Say(answer) => self.said.extend(answer.split('\n').map(str::to_string)),
                Reply::Stop => return Err(Ending::Exit { code: 0 }),
            }
        }
        if self.said.len() < answer_lines {
            return Err(Ending::NoAnswer);
        }
        Ok(self.said.drain(..answer_lines).collect())
    }

    /// Sends the farewell, which the bot may ignore.
    pub fn say_farewell(&mut self, text: &str) {
        for line in text.lines() {
            if !matches!(self.read(line), Ok(Reply::Nothing | Reply::Say(_))) {
                return;
            }
        }
    }

    fn read(&mut self, line: &str) -> Result<Reply, Ending> {
        let Some(bot) = &mut self.bot else { return Err(Ending::NoAnswer) };
        match catch_unwind(AssertUnwindSafe(|| bot.line(line))) {
            Ok(reply) => reply.map_err(|reason| Ending::Confused { reason }),
            Err(panic) => {
                self.drop_bot();
                Err(Ending::Panic { message: message(&*panic) })
            }
        }
    }

    /// Drops the bot. A bot that panicked may panic again here.
    fn drop_bot(&mut self) {
        let bot = self.bot.take();
        let _ = catch_unwind(AssertUnwindSafe(|| drop(bot)));
    }
}

impl Drop for Bundled {
    fn drop(&mut self) {
        self.drop_bot();
    }
}

fn message(panic: &(dyn Any + Send)) -> String {
    panic
        .downcast_ref::<String>()
        .cloned()
        .or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string))
        .unwrap_or_else(|| "a panic without a message".to_string())
}
