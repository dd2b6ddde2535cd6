//! Reviews that run in the background. The results are kept by the review's address, so reopening the page shows them
//! again.

use super::Params;
use super::games::{Games, Played};
use crate::App;
use crate::moves::{Moves, differences};
use crate::page::Problem;
use crate::replay::evaluation::{Blame, Evaluation, Evaluator, Stretch, TurningPoint, decisions};
use crate::shown::{repeated_words, sides};
use contender_plot::board;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Maximum number of games to judge.
pub const GAMES: usize = 8;
/// Number of decisions in the games to judge after which no further game is judged.
pub const DECISIONS: usize = 400;
/// Maximum number of kept reviews.
const MAX_KEPT: usize = 32;
/// Maximum number of reviews that run at a time. The others wait.
const MAX_RUNNING: usize = 2;

/// The kept reviews by their addresses, and the places of those that run.
#[derive(Default)]
pub struct Reviews {
    kept: Mutex<HashMap<String, Arc<ReviewJob>>>,
    places: Arc<Places>,
}

/// The number of reviews that run.
#[derive(Default)]
struct Places {
    taken: Mutex<usize>,
    freed: Condvar,
}

/// The place of a review that runs. Dropping it lets the next review start.
struct Place<'a>(&'a Places);

impl Places {
    /// Waits until fewer reviews run than may run at a time.
    fn wait(&self) -> Place<'_> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let free = self.freed.wait_while(taken, |taken| *taken >= MAX_RUNNING);
        *free.unwrap_or_else(PoisonError::into_inner) += 1;
        Place(self)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        *self.0.taken.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.freed.notify_one();
    }
}

/// A review that is waiting, running or done.
#[derive(Default)]
pub struct ReviewJob {
    /// Number of the player's games when the review was started. If there are more games now, the review is repeated.
    games: usize,
    /// Factor of the usual limits.
    pub times: usize,
    judged: AtomicUsize,
    is_started: AtomicBool,
    is_over: AtomicBool,
    results: Mutex<Results>,
}

/// The results of a review so far.
#[derive(Default, Clone)]
pub struct Results {
    pub moments: Vec<Moment>,
    /// The numbers of the judged games.
    pub numbers: Vec<usize>,
    /// The losses by moves and the gains by draws in each game with draws.
    pub balances: Vec<Balance>,
    /// The unit of both.
    pub unit: String,
    /// The losses of all judged moves, each with the number of the move.
    pub losses: Vec<(usize, f64)>,
    /// Number of judged games, and of games to judge.
    pub games: usize,
    pub planned: usize,
    /// The games that were lost move by move.
    pub stretches: Vec<LostIn>,
    /// The judged games in which no move of the player had a notable loss, each with the board at its end.
    pub quiet: Vec<(Played, String)>,
    /// The reason why a game could not be judged.
    pub problem: Option<String>,
}

/// The losses by moves and the gain by draws in a game.
#[derive(Clone, Copy)]
pub struct Balance {
    pub is_lost: bool,
    pub mistakes: f64,
    /// The loss of the opponent by its moves.
    pub theirs: f64,
    pub luck: f64,
}

/// A game that was lost in several moves.
#[derive(Clone)]
pub struct LostIn {
    pub game: Played,
    pub stretch: Stretch,
    /// The differences between the most costly move of the stretch and the better one, in words.
    pub names: Option<[String; 2]>,
    /// The turn of the stretch with the largest fall, and both players' moves in it in words, if both moved at once and
    /// no move is the most costly one.
    pub both: Option<(usize, [String; 2])>,
    /// The board before this move or turn, or at the start of the stretch.
    pub board: String,
}

/// The turning point of a game.
#[derive(Clone)]
pub struct Moment {
    pub game: Played,
    /// The number of the move, counted from 1.
    pub turn: usize,
    pub played: String,
    pub better: String,
    /// The differences between both moves in words.
    pub names: [String; 2],
    /// The loss, and its description.
    pub cost: f64,
    pub loss: String,
    /// The board before the move, on which both moves are framed.
    pub board: String,
}

impl Results {
    /// Returns the number of games with a card.
    pub fn shown(&self) -> usize {
        self.moments.len() + self.stretches.len() + self.quiet.len()
    }
}

impl ReviewJob {
    /// Returns whether the review waits for another one to end.
    pub fn is_waiting(&self) -> bool {
        !self.is_started.load(Ordering::Relaxed)
    }

    /// Returns the number of judged decisions, and whether the review is complete.
    pub fn progress(&self) -> (usize, bool) {
        (self.judged.load(Ordering::Relaxed), self.is_over.load(Ordering::Relaxed))
    }

    pub fn results(&self) -> MutexGuard<'_, Results> {
        self.results.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Judges the latest games that have enough decisions.
    fn run(&self, app: &App, which: &Params, games: &Games) {
        self.is_started.store(true, Ordering::Relaxed);
        let latest = games.to_judge(&which.against).into_iter().take(GAMES * self.times);
        let number = |game: &&Played| {
            let decided = which.file.game(app, game.number).and_then(|mut game| decisions(&mut game));
            // A game that cannot be replayed is reported when it is judged.
            decided.unwrap_or(0)
        };
        let mut all = 0;
        let chosen: Vec<&Played> = latest
            .take_while(|game| {
                let is_wanted = all < DECISIONS * self.times;
                all += if is_wanted { number(game) } else { 0 };
                is_wanted
            })
            .collect();
        self.results().planned = chosen.len();
        let is_judged = |number: usize| self.results().numbers.contains(&number);
        for game in chosen.into_iter().filter(|game| !is_judged(game.number)) {
            let found = self.judge(app, which, game);
            let mut results = self.results();
            results.games += 1;
            results.numbers.push(game.number);
            if let Err(problem) = found {
                results.problem = Some(problem.words().to_string());
            }
        }
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Adds the turning point of a game, and the losses of all the player's moves. The evaluation is kept, so the page
    /// of the game shows the same numbers.
    fn judge(&self, app: &App, which: &Params, of: &Played) -> Result<(), Problem> {
        let open = || which.file.game(app, of.number);
        let game = open()?;
        let evaluation = match Evaluation::kept(app, &which.file, of.number, &game) {
            Some(kept) => {
                self.judged.fetch_add(kept.decided(), Ordering::Relaxed);
                kept
            }
            None => {
                let mut evaluator = Evaluator::of(&mut open()?, of.number)?;
                let before = self.judged.load(Ordering::Relaxed);
                while evaluator.step().map_err(Problem::bad)? {
                    // The bot searches some positions again.
                    self.judged.store(before + evaluator.evaluation.decided(), Ordering::Relaxed);
                }
                evaluator.evaluation.keep(app, &which.file);
                evaluator.evaluation
            }
        };
        {
            let mut results = self.results();
            results.losses.extend(evaluation.losses(of.seat));
            results.unit = evaluation.unit().to_string();
            let is_lost = of.result == std::cmp::Ordering::Greater;
            let balance = evaluation.balance(of.seat);
            results.balances.extend(balance.map(|[mistakes, theirs, luck]| Balance {
                is_lost,
                mistakes,
                theirs,
                luck,
            }));
        }
        let mut end = open()?;
        end.go_to(usize::MAX).map_err(Problem::bad)?;
        let points = end.judge().picture(None).standing.unwrap_or_else(|| end.judge().points());
        let of = &Played { score: score(points, of), ..of.clone() };
        let still = |turn: usize, caption: &str| -> Result<String, Problem> {
            let mut game = open()?;
            game.go_to(turn).map_err(Problem::bad)?;
            Ok(board::svg(&game.judge().picture(None), caption))
        };
        let before = |turn: usize| format!("Game {} before move {turn}", of.number);
        let drawn = |TurningPoint { turn, played, better, .. }: &TurningPoint| -> Result<_, Problem> {
            let moves = Moves { turn: turn - 1, player: of.seat, played, better };
            let (_, board) = moves.draw(&open, &before(*turn), true)?;
            Ok((differences(game.contest, [played, better]), board))
        };
        let found = match evaluation.blame(of.seat) {
            Some(Blame::Move(found)) => found,
            Some(Blame::Stretch(stretch)) => {
                let largest = evaluation
                    .losses(of.seat)
                    .into_iter()
                    .filter(|(turn, _)| (stretch.first..=stretch.last).contains(turn))
                    .max_by(|one, other| one.1.total_cmp(&other.1))
                    .map_or(stretch.first, |(turn, _)| turn);
                let together = game.moves.get(largest - 1).and_then(|mv| sides(mv));
                let (names, both, board) = match (&stretch.costliest, together) {
                    (Some(found), _) => {
                        let (names, board) = drawn(found)?;
                        (Some(names), None, board)
                    }
                    (None, Some(parts)) => {
                        let played = parts[of.seat.index()];
                        let moves = Moves { turn: largest - 1, player: of.seat, played, better: "" };
                        let (_, board) = moves.draw(&open, &before(largest), false)?;
                        let words = parts.map(|part| repeated_words(game.contest, part));
                        (None, Some((largest, words)), board)
                    }
                    (None, None) => (None, None, still(stretch.first - 1, &before(stretch.first))?),
                };
                self.results().stretches.push(LostIn { game: of.clone(), stretch, names, both, board });
                return Ok(());
            }
            None => {
                let board = still(usize::MAX, &format!("The end of game {}", of.number))?;
                self.results().quiet.push((of.clone(), board));
                return Ok(());
            }
        };
        let (names, board) = drawn(&found)?;
        self.results().moments.push(Moment {
            names,
            game: of.clone(),
            turn: found.turn,
            board,
            played: found.played,
            better: found.better,
            cost: found.cost,
            loss: found.loss,
        });
        Ok(())
    }
}

/// Returns the score of a game, the player's points first, if it is more than who won, and explains the result.
fn score(points: [i32; 2], of: &Played) -> String {
    let [own, other] = [of.seat, of.seat.other()].map(|player| points[player.index()]);
    let is_only_result = [own, other].iter().all(|points| (0..=1).contains(points));
    if is_only_result || other.cmp(&own) != of.result { String::new() } else { format!("{own}–{other}") }
}

impl Reviews {
    /// Returns the review with this address, if there is one.
    pub fn find(&self, key: &str) -> Option<Arc<ReviewJob>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Starts a review, unless it is running, or complete for the same games and at least as many of them. A review of
    /// more games begins with the results of the earlier one. If too many reviews are running, it waits
    /// until one of them ends.
    pub fn start(&self, app: &Arc<App>, which: &Params, key: &str, games: &Arc<Games>) -> Arc<ReviewJob> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let is_running = |job: &ReviewJob| !job.progress().1;
        let earlier = kept.get(key).filter(|job| is_running(job) || job.games == games.played.len());
        if let Some(job) = earlier.filter(|job| is_running(job) || job.times >= which.times()) {
            return Arc::clone(job);
        }
        let mut job = ReviewJob { games: games.played.len(), times: which.times(), ..ReviewJob::default() };
        if let Some(earlier) = earlier {
            job.judged = AtomicUsize::new(earlier.progress().0);
            job.results = Mutex::new(earlier.results().clone());
        }
        let job = Arc::new(job);
        if kept.len() >= MAX_KEPT {
            kept.retain(|_, job| is_running(job));
        }
        kept.insert(key.to_string(), Arc::clone(&job));
        let (running, games, app, which) =
            (Arc::clone(&job), Arc::clone(games), Arc::clone(app), which.clone());
        let places = Arc::clone(&self.places);
        std::thread::spawn(move || {
            let _place = places.wait();
            running.run(&app, &which, &games);
        });
        job
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contender_game::rules::Player;
    use std::cmp::Ordering;
    use std::sync::mpsc;

    #[test]
    fn a_score_explains_the_result() {
        let of = |points, result| {
            let (opponent, failure) = (String::new(), String::new());
            let game =
                Played { number: 1, seat: Player::One, opponent, result, failure, score: String::new() };
            score(points, &game)
        };
        assert_eq!(of([18, 0], Ordering::Greater), "0–18");
        assert_eq!(of([5, 5], Ordering::Equal), "5–5");
        // A line of three boards wins, although the other player has more boards.
        assert_eq!([of([3, 4], Ordering::Greater), of([1, 0], Ordering::Greater)], ["", ""]);
    }

    /// A review that finds no place waits, and starts when another one ends.
    #[test]
    fn a_review_waits_for_a_place() {
        let places = Arc::new(Places::default());
        let mut running: Vec<Place<'_>> = (0..MAX_RUNNING).map(|_| places.wait()).collect();
        let (sender, started) = mpsc::channel();
        let shared = Arc::clone(&places);
        let waiting = std::thread::spawn(move || {
            let _place = shared.wait();
            sender.send(()).unwrap();
        });
        assert!(started.try_recv().is_err() && *places.taken.lock().unwrap() == MAX_RUNNING);
        running.pop();
        started.recv().unwrap();
        waiting.join().unwrap();
        assert_eq!(*places.taken.lock().unwrap(), MAX_RUNNING - 1);
    }
}
