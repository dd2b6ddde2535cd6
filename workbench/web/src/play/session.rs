//! Games against bots that play a whole game under the contest's time limits: external programs, or bundled bots that
//! keep their search tree. The referee plays each game in a separate thread, and the bot ends with this thread. The
//! person's moves come from the page. If the person leaves, the game is dropped.

use super::{GameView, keep};
use crate::App;
use crate::page::Problem;
use contender_game::{
    contest::{Contest, Limits},
    rules::Player,
};
use contender_referee::{Entrant, Person, Prompt, Record, Referee};
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Maximum number of games; a new one replaces the oldest.
const MAX_COUNT: usize = 8;
/// Time without an answer after which the person is assumed to have left.
const PATIENCE: Duration = Duration::from_secs(3600);

/// The games in progress.
#[derive(Default)]
pub struct Sessions(Mutex<Numbered>);

#[derive(Default)]
struct Numbered {
    last: u64,
    games: VecDeque<(u64, Arc<Session>)>,
}

/// A game in progress, as the pages see it.
pub struct Session {
    pub contest: &'static dyn Contest,
    pub person: Player,
    /// The opponent's name.
    pub bot: String,
    pub seed: u64,
    wire: Mutex<Wire>,
}

/// The connection between the page and the game's thread.
struct Wire {
    answers: Sender<Vec<String>>,
    views: Receiver<(GameView, Option<Record>)>,
    /// The latest view.
    latest: Option<GameView>,
}

/// Returns the error for a game that is over or no longer kept.
pub fn gone() -> Problem {
    Problem::not_found("This game no longer exists. Start another game.")
}

impl Sessions {
    /// Starts a game and returns its number.
    pub fn begin(&self, contest: &'static dyn Contest, person: Player, bot: Entrant, seed: u64) -> u64 {
        let (answers, received) = channel();
        let (shown, views) = channel();
        let session = Session {
            contest,
            person,
            bot: bot.name.clone(),
            seed,
            wire: Mutex::new(Wire { answers, views, latest: None }),
        };
        std::thread::spawn(move || {
            let referee = Referee::of(contest);
            let remote = Remote {
                contest,
                limits: referee.conditions.limits_of(&bot.program),
                answers: received,
                views: shown.clone(),
                thought: Duration::ZERO,
            };
            // If the person has left or the machine has failed, there is no result to show.
            let Ok((record, picture)) = referee.play_person(contest, Box::new(remote), person, &bot, seed)
            else {
                return;
            };
            if !record.interrupted {
                let _ = shown.send((GameView::over(contest, &record, &picture, person), Some(record)));
            }
        });
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.last += 1;
        let number = sessions.last;
        sessions.games.push_back((number, Arc::new(session)));
        if sessions.games.len() > MAX_COUNT {
            sessions.games.pop_front();
        }
        number
    }

    /// Returns the game with this number.
    pub fn find(&self, number: u64) -> Result<Arc<Session>, Problem> {
        let sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = sessions.games.iter().find(|(known, _)| *known == number);
        found.map(|(_, session)| Arc::clone(session)).ok_or_else(gone)
    }
}

impl Session {
    /// Passes the person's answer to the game and returns the next question. Without an answer, returns the latest
    /// question again.
    pub fn go_on(&self, app: &App, answer: Option<Vec<String>>) -> Result<GameView, Problem> {
        let mut wire = self.wire.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(latest) = &wire.latest {
            match answer.filter(|_| !latest.is_over) {
                Some(answer) => wire.answers.send(answer).map_err(|_| gone())?,
                None => return Ok(latest.clone()),
            }
        }
        let (view, record) = wire.views.recv().map_err(|_| gone())?;
        let number = record.map(|record| keep(app, &record));
        let number = number.transpose();
        let view = GameView { number: number.as_ref().ok().copied().flatten(), ..view };
        wire.latest = Some(view.clone());
        number.map(|_| view)
    }
}

/// The person at a page, as a player of the referee.
struct Remote {
    contest: &'static dyn Contest,
    limits: Limits,
    answers: Receiver<Vec<String>>,
    views: Sender<(GameView, Option<Record>)>,
    /// The bot's thinking time up to the latest question.
    thought: Duration,
}

impl Person for Remote {
    fn answer(&mut self, prompt: Prompt) -> Option<Vec<String>> {
        let used = prompt.used[prompt.player.other()];
        let thought = used.saturating_sub(std::mem::replace(&mut self.thought, used));
        let seconds = |limit: Option<Duration>, of: &str| limit.map(|limit| format!("{limit:?} {of}"));
        let limits = [seconds(self.limits.turn, "a turn"), seconds(self.limits.game, "a game")];
        let view = GameView {
            limits: limits.into_iter().flatten().collect::<Vec<_>>().join(", "),
            ..GameView::asking(self.contest, prompt, thought)
        };
        self.views.send((view, None)).ok()?;
        self.answers.recv_timeout(PATIENCE).ok()
    }
}
