//! Pages that follow what they show, by server-sent events. The server looks now and then whether there is anything new and sends the
//! parts of the page that may have changed; `live.js` puts those in that differ.

use crate::App;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use maud::Markup;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What a look finds.
pub enum Look {
    /// Nothing new.
    Same,
    /// The parts of the page, each an element with an `id`.
    New(Markup),
    /// The same, and nothing will follow.
    Last(Markup),
}

/// How long to wait after a look that took so long.
pub type Rest = fn(Duration) -> Duration;
/// Where others do the work: what takes long to draw is drawn seldom.
pub const CALM: Rest = |took| Duration::from_millis(500).max(10 * took);
/// Where the look is the work.
pub const EAGER: Rest = |_| Duration::ZERO;

/// Follows what `look` finds, as long as the page is open.
pub fn follow(app: Arc<App>, rest: Rest, look: impl FnMut(&App) -> Look + Send + 'static) -> Response {
    let events = stream::unfold(Some((app, look, Duration::ZERO)), move |state| async move {
        let (app, mut look, mut pause) = state?;
        loop {
            tokio::time::sleep(pause).await;
            let begun = Instant::now();
            let shared = Arc::clone(&app);
            let looked = tokio::task::spawn_blocking(move || {
                let found = look(&shared);
                (look, found)
            });
            let (again, found) = looked.await.ok()?;
            (look, pause) = (again, rest(begun.elapsed()));
            let event = |parts: Markup| Event::default().json_data(parts.into_string()).unwrap_or_default();
            match found {
                Look::Same => {}
                Look::New(parts) => return Some((Ok(event(parts)), Some((app, look, pause)))),
                Look::Last(parts) => return Some((Ok::<_, Infallible>(event(parts).event("last")), None)),
            }
        }
    });
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15))).into_response()
}
