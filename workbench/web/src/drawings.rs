//! The drawing of pages. At most [`AT_ONCE`] pages are drawn at a time. Requests for the same page share one drawing,
//! and a page is not drawn if all its requests were cancelled. So memory holds only a few drawings and the data being
//! sent, even if many requests come.

use crate::App;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::response::Parts;
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use tokio::sync::{OnceCell, Semaphore};

/// Maximum number of pages that are drawn at a time.
const AT_ONCE: usize = 2;

/// The pages that wait to be drawn. The key of a page contains everything on which the page depends.
pub struct Drawings {
    turns: Arc<Semaphore>,
    waiting: Mutex<HashMap<String, Weak<Drawing>>>,
}

/// The drawing of a page, which all requests for the page share. The first request that waits for the page draws it; if
/// this request is cancelled, the next request draws it.
type Drawing = OnceCell<Option<(Parts, Bytes)>>;

impl Default for Drawings {
    fn default() -> Drawings {
        Drawings { turns: Arc::new(Semaphore::new(AT_ONCE)), waiting: Mutex::default() }
    }
}

impl Drawings {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<Drawing>>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, key: &str) -> Arc<Drawing> {
        let mut waiting = self.lock();
        waiting.retain(|_, drawing| drawing.strong_count() > 0);
        if let Some(drawing) = waiting.get(key).and_then(Weak::upgrade) {
            return drawing;
        }
        let drawing = Arc::default();
        waiting.insert(key.to_string(), Arc::downgrade(&drawing));
        drawing
    }
}

/// Draws a page when its turn comes, once for all requests that wait for the page.
pub async fn share(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if request.method() != Method::GET {
        return next.run(request).await;
    }
    let key = format!("{} {}", app.guard.knows(request.headers()), request.uri());
    let drawing = app.drawings.find(&key);
    match drawing.get_or_init(|| draw(app, key, request, next)).await.clone() {
        Some((head, body)) => Response::from_parts(head, Body::from(body)),
        None => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

async fn draw(app: Arc<App>, key: String, request: Request, next: Next) -> Option<(Parts, Bytes)> {
    let turn = Arc::clone(&app.drawings.turns).acquire_owned().await.ok()?;
    // Requests from now on must get a new drawing, which shows the latest state.
    app.drawings.lock().remove(&key);
    // A drawing that has started is never cancelled, so it holds its turn until it is finished.
    let drawn = tokio::spawn(async move {
        let _turn = turn;
        let (head, body) = next.run(request).await.into_parts();
        Some((head, to_bytes(body, usize::MAX).await.ok()?))
    });
    drawn.await.ok()?
}
