//! Pages that update themselves by server-sent events. The server regularly looks for changes and sends the parts of
//! the page that may have changed; `live.js` replaces the parts that differ.

use crate::App;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use maud::Markup;
use std::collections::HashMap;
use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError, Weak, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;

/// Interval between two checks for changes by other processes. Pages that take long to draw are checked less often.
const CALM: Duration = Duration::from_millis(500);
/// Minimum pause after a check, as a multiple of the time that the check took.
const SHARE: u32 = 10;

/// An update to send.
pub enum Update {
    /// No change.
    Same,
    /// The changed parts of the page, each an element with an `id`.
    New(Markup),
    /// The last update of the page.
    Last(Markup),
}

/// Lets a bot think for a page. The calls of `look` follow each other without pause, as long as the page is open.
pub fn think(app: Arc<App>, look: impl FnMut(&App) -> Update + Send + 'static) -> Response {
    follow(app, Pace::Think, look)
}

/// Watches for changes by other processes. The key identifies everything that the parts of a page depend on. Pages with
/// the same key share one sequence of checks, so the parts for a long league or log are drawn and kept only once.
pub fn watch(app: Arc<App>, key: String, look: impl FnMut(&App) -> Update + Send + 'static) -> Response {
    let watched = app.watches.find(key, look);
    let mut seen = 0;
    follow(app, Pace::Watch, move |app| {
        let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
        watched.look(app);
        if watched.edition == seen {
            return Update::Same;
        }
        seen = watched.edition;
        Update::New(watched.parts.clone())
    })
}

/// The watched parts by their keys. They are kept as long as at least one page watches them.
#[derive(Default)]
pub struct Watches(Mutex<HashMap<String, Weak<Mutex<Watch>>>>);

struct Watch {
    look: Box<dyn FnMut(&App) -> Update + Send>,
    parts: Markup,
    /// Number of times that the parts have changed.
    edition: u64,
    rest_until: Instant,
}

impl Watches {
    fn find(&self, key: String, look: impl FnMut(&App) -> Update + Send + 'static) -> Arc<Mutex<Watch>> {
        let mut watches = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        watches.retain(|_, watch| watch.strong_count() > 0);
        if let Some(watch) = watches.get(&key).and_then(Weak::upgrade) {
            // The next look comes at once, because a new page must not receive parts that are older than itself.
            if let Ok(mut watch) = watch.try_lock() {
                watch.rest_until = Instant::now();
            }
            return watch;
        }
        let (parts, look) = (maud::PreEscaped(String::new()), Box::new(look));
        let watch = Arc::new(Mutex::new(Watch { look, parts, edition: 0, rest_until: Instant::now() }));
        watches.insert(key, Arc::downgrade(&watch));
        watch
    }
}

impl Watch {
    fn look(&mut self, app: &App) {
        let begun = Instant::now();
        if begun < self.rest_until {
            return;
        }
        if let Update::New(parts) | Update::Last(parts) = (self.look)(app) {
            self.parts = parts;
            self.edition += 1;
        }
        self.rest_until = Instant::now() + SHARE * begun.elapsed();
    }
}

/// The single thread that draws watched pages. A thread's heap in the C library never shrinks, so several threads would
/// together keep many times the memory that one drawing of a long league needs.
pub struct Painter(mpsc::Sender<Job>);

type Job = Box<dyn FnOnce() + Send>;

impl Default for Painter {
    fn default() -> Painter {
        let (sender, jobs) = mpsc::channel::<Job>();
        thread::spawn(move || {
            for job in jobs {
                // A panic ends the page that asked for the drawing; the panic message has been printed.
                let _ = catch_unwind(AssertUnwindSafe(job));
            }
        });
        Painter(sender)
    }
}

impl Painter {
    /// Returns the job's result; `None` if the job panicked.
    async fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        let (sender, answer) = oneshot::channel();
        // If the page was closed, the answer is dropped.
        self.0.send(Box::new(move || drop(sender.send(job())))).ok()?;
        answer.await.ok()
    }
}

/// The moments at which `look` is called.
#[derive(Clone, Copy)]
enum Pace {
    /// Without pause, each time with a permit for thinking, because a call may take seconds.
    Think,
    /// On the painter's thread, at intervals.
    Watch,
}

fn follow(app: Arc<App>, pace: Pace, look: impl FnMut(&App) -> Update + Send + 'static) -> Response {
    let events = stream::unfold(Some((app, look, Duration::ZERO)), move |state| async move {
        let (app, mut look, mut pause) = state?;
        loop {
            tokio::time::sleep(pause).await;
            let shared = Arc::clone(&app);
            let job = move || {
                let found = look(&shared);
                (look, found)
            };
            let (again, found) = match pace {
                Pace::Think => {
                    let turn = Arc::clone(&app.thinkers).acquire_owned().await.ok()?;
                    let in_turn = move || {
                        let _turn = turn;
                        job()
                    };
                    tokio::task::spawn_blocking(in_turn).await.ok()?
                }
                Pace::Watch => app.painter.run(job).await?,
            };
            look = again;
            pause = match pace {
                Pace::Think => Duration::ZERO,
                Pace::Watch => CALM,
            };
            let event = |parts: Markup| Event::default().json_data(parts.into_string()).unwrap_or_default();
            match found {
                Update::Same => {}
                Update::New(parts) => return Some((Ok(event(parts)), Some((app, look, pause)))),
                Update::Last(parts) => return Some((Ok::<_, Infallible>(event(parts).event("last")), None)),
            }
        }
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response()
}
