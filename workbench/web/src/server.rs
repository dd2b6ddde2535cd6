//! Connections: how many, how long.

use axum::Router;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::collections::VecDeque;
use std::net::TcpListener;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::JoinHandle;

/// So many connections are open at once; the oldest makes room for a new one. A page takes at most six.
const MOST: usize = 256;
/// A request must have come so soon after its connection is opened, or after the last answer on it.
const PATIENCE: Duration = Duration::from_secs(20);
/// How often is looked whether to stop.
const LOOK_UP: Duration = Duration::from_millis(100);

/// Accepts connections until `stop` is set.
pub async fn serve(listener: TcpListener, router: Router, stop: &AtomicBool) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut open: VecDeque<JoinHandle<()>> = VecDeque::new();
    while !stop.load(Ordering::Relaxed) {
        let Ok(accepted) = tokio::time::timeout(LOOK_UP, listener.accept()).await else { continue };
        // A connection that is gone before it is accepted is no failure; for want of descriptors there is time.
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(LOOK_UP).await;
            continue;
        };
        open.retain(|connection| !connection.is_finished());
        while open.len() >= MOST {
            if let Some(oldest) = open.pop_front() {
                oldest.abort();
            }
        }
        let service = TowerToHyperService::new(router.clone());
        open.push_back(tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(PATIENCE)
                .max_buf_size(64 << 10)
                .serve_connection(TokioIo::new(stream), service);
            // Whoever breaks off a connection needs no answer.
            let _ = connection.await;
        }));
    }
    Ok(())
}
