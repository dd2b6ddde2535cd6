//! A bundled bot, in this process.

use crate::Ending;
use contender_game::contest::{LineBot, Reply};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A bundled bot and the lines it has said that no question has taken yet. Whatever the bot does, a panic included,
/// ends its part and no more.
pub struct Bundled {
    /// `None` after a panic, when nothing is known of its state.
    bot: Option<Box<dyn LineBot>>,
    said: VecDeque<String>,
}

impl Bundled {
    /// Creates a bot that has not been asked yet.
    #[must_use]
    pub fn new(bot: Box<dyn LineBot>) -> Bundled {
        Bundled { bot: Some(bot), said: VecDeque::new() }
    }

    /// Puts a question and returns the answer. The bot takes the time it takes: code in this process cannot be
    /// interrupted.
    ///
    /// # Errors
    /// The ending of its part in the game.
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

    /// A bot that panicked may panic again when it is dropped.
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
