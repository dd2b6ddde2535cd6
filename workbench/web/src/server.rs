//! Connections: their maximum number and their time limits.

use axum::Router;
use axum::body::{Body, HttpBody};
use axum::response::Response;
use futures_util::StreamExt;
use hyper::Request;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

/// Maximum number of open connections; further connections wait. The limit is below the usual maximum number of open
/// files per process. A page uses at most six connections.
const MAX_COUNT: usize = 400;
/// Time limit for a request, counted from the start of the connection or from the last answer.
const PATIENCE: Duration = Duration::from_secs(20);
/// Time after the start of a connection, or after an answer, in which the connection does not count as idle, because a
/// request or the answer may still be in transit.
const GRACE: Duration = Duration::from_secs(1);
/// Interval at which the stop flag is checked.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// Data about the client of a connection, attached to every request.
#[derive(Default)]
pub struct ClientInfo {
    /// Time of the latest answer.
    answered: Mutex<Option<Instant>>,
    /// Whether a request on this connection had the token.
    pub is_known: AtomicBool,
    /// Number of answers that are being prepared.
    made: AtomicUsize,
    /// Number of endless answers that are being sent, such as live updates.
    followed: AtomicUsize,
}

/// The kinds of use of a connection, in ascending order of worth.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    IdleProcesses,
    Following,
    Waiting,
}

struct Connection {
    task: JoinHandle<()>,
    visitor: Arc<ClientInfo>,
    opened: Instant,
}

impl Connection {
    /// Returns the worth of a connection. If there are too many connections, the connection with the least worth is
    /// closed; if several are equal, the oldest of them. So a connection without the token never displaces one with the
    /// token, and an idle connection never displaces one in use.
    fn worth(&self) -> (bool, Use) {
        let visitor = &*self.visitor;
        let is_there = |count: &AtomicUsize| count.load(Ordering::Relaxed) > 0;
        let answered = *visitor.answered.lock().unwrap_or_else(PoisonError::into_inner);
        let use_of = if is_there(&visitor.followed) {
            Use::Following
        } else if is_there(&visitor.made) || answered.unwrap_or(self.opened).elapsed() < GRACE {
            Use::Waiting
        } else {
            Use::IdleProcesses
        };
        (visitor.is_known.load(Ordering::Relaxed), use_of)
    }
}

/// Adds 1 to a counter as long as this value exists.
struct Counted(Arc<ClientInfo>, fn(&ClientInfo) -> &AtomicUsize);

impl Counted {
    fn of(visitor: &Arc<ClientInfo>, count: fn(&ClientInfo) -> &AtomicUsize) -> Counted {
        count(visitor).fetch_add(1, Ordering::Relaxed);
        Counted(Arc::clone(visitor), count)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        (self.1)(&self.0).fetch_sub(1, Ordering::Relaxed);
    }
}

/// Accepts connections until `stop` is set.
pub async fn serve(listener: TcpListener, router: Router, stop: &AtomicBool) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut open: VecDeque<Connection> = VecDeque::new();
    while !stop.load(Ordering::Relaxed) {
        let Ok(accepted) = tokio::time::timeout(POLL_INTERVAL, listener.accept()).await else { continue };
        // If a connection is gone before it is accepted, that is not an error. If file descriptors are short, the loop
        // waits.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(POLL_INTERVAL).await;
            continue;
        };
        while !has_room(&mut open) && !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let visitor = Arc::new(ClientInfo::default());
        let (known, pages) = (Arc::clone(&visitor), TowerToHyperService::new(router.clone()));
        let service = service_fn(move |mut request: Request<Incoming>| {
            let made = Counted::of(&known, |visitor| &visitor.made);
            let visitor = Arc::clone(&known);
            request.extensions_mut().insert(Arc::clone(&known));
            let answer = pages.call(request);
            async move {
                let answer = followed(answer.await?, &visitor);
                *visitor.answered.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
                drop(made);
                Ok::<_, Infallible>(answer)
            }
        });
        let task = tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(64 << 10)
                .serve_connection(TokioIo::new(stream), service);
            // If the client closes a connection, it needs no answer.
            let _ = connection.await;
        });
        open.push_back(Connection { task, visitor, opened: Instant::now() });
    }
    Ok(())
}

/// Counts an answer of unknown length while it is being sent. Other answers are sent quickly and are not counted.
fn followed(answer: Response, visitor: &Arc<ClientInfo>) -> Response {
    answer.map(|body| {
        if body.size_hint().exact().is_some() {
            return body;
        }
        let followed = Counted::of(visitor, |visitor| &visitor.followed);
        Body::from_stream(body.into_data_stream().inspect(move |_| _ = &followed))
    })
}

/// Returns whether there is room for another connection. If necessary, closes the connection with the least worth. A
/// connection that waits for an answer is not closed, because it ends soon anyway.
fn has_room(open: &mut VecDeque<Connection>) -> bool {
    open.retain(|connection| !connection.task.is_finished());
    if open.len() < MAX_COUNT {
        return true;
    }
    let ((_, use_of), least) =
        (0..open.len()).map(|at| (open[at].worth(), at)).min().expect("MOST is not zero");
    let may_go = use_of != Use::Waiting;
    if may_go && let Some(connection) = open.remove(least) {
        connection.task.abort();
    }
    may_go
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::pending;

    /// Returns a runtime that accepts tasks but runs none.
    fn idle_runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().build().unwrap()
    }

    fn add(open: &mut VecDeque<Connection>, is_known: bool, use_of: Use) {
        let [made, followed] =
            [Use::Waiting, Use::Following].map(|use_| AtomicUsize::new(usize::from(use_of == use_)));
        let visitor =
            Arc::new(ClientInfo { is_known: is_known.into(), made, followed, ..ClientInfo::default() });
        let opened = Instant::now() - 2 * GRACE;
        open.push_back(Connection { task: tokio::spawn(pending()), visitor, opened });
    }

    /// If all other connections wait for answers, a new connection also waits, however fast connections without the
    /// token arrive.
    #[test]
    fn those_without_the_token_push_out_none_with_it() {
        let runtime = idle_runtime();
        let _entered = runtime.enter();
        let mut open = VecDeque::new();
        add(&mut open, true, Use::Following);
        add(&mut open, true, Use::IdleProcesses);
        while open.len() < MAX_COUNT - 1 {
            add(&mut open, false, Use::Waiting);
        }
        assert!(has_room(&mut open));
        add(&mut open, false, Use::Following);
        assert!(has_room(&mut open), "the one that only follows makes room");
        add(&mut open, false, Use::Waiting);
        assert!(!has_room(&mut open));
        assert_eq!(open.iter().filter(|connection| connection.worth().0).count(), 2);
        assert_eq!(open.len(), MAX_COUNT);
        open.pop_back();
        add(&mut open, false, Use::IdleProcesses);
        assert!(has_room(&mut open));
        assert!(open.iter().all(|connection| connection.worth() != (false, Use::IdleProcesses)));
    }

    #[test]
    fn of_many_with_the_token_the_oldest_idle_one_makes_room() {
        let runtime = idle_runtime();
        let _entered = runtime.enter();
        let mut open = VecDeque::new();
        for at in 0..MAX_COUNT {
            add(&mut open, true, if at % 2 == 0 { Use::Following } else { Use::IdleProcesses });
        }
        let oldest = Arc::clone(&open[1].visitor);
        assert!(has_room(&mut open));
        assert!(open.iter().all(|connection| !Arc::ptr_eq(&connection.visitor, &oldest)));
    }
}
