//! A connection to a server that is slow, stalls, loses packets and breaks. It is simulated with threads, because not
//! every kernel can do this to packets.

use contender_game::rules::Rng;
use std::io::{Read, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

/// Minimum delay of the data on the way, and its maximum random addition, in milliseconds.
const DELAY: [usize; 2] = [15, 10];
/// Delay of a lost piece, as long as TCP takes to send it again. One piece in a hundred is lost.
const LOST: Duration = Duration::from_millis(200);

pub struct Line {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
    open: Arc<Mutex<Vec<TcpStream>>>,
}

impl Line {
    /// Creates a connection to a server on this machine.
    pub fn to(server: u16, listen: IpAddr) -> Line {
        let listener = TcpListener::bind((listen, 0)).unwrap();
        let line =
            Line { address: listener.local_addr().unwrap(), is_cut: Arc::default(), open: Arc::default() };
        let (is_cut, open) = (Arc::clone(&line.is_cut), Arc::clone(&line.open));
        spawn(move || {
            for (near, number) in listener.incoming().zip(0..) {
                let near = near.unwrap();
                // If the server is down, the connection is dropped.
                let Ok(far) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                for (from, to, way) in [(&near, &far, 0), (&far, &near, 1)] {
                    let [from, to] = [from, to].map(|end| end.try_clone().unwrap());
                    let (is_cut, rng) = (Arc::clone(&is_cut), Rng::new(2 * number + way));
                    spawn(move || carry(from, to, is_cut, rng));
                }
                open.lock().unwrap().extend([near, far]);
            }
        });
        line
    }

    /// Returns the server's address as the users of the connection see it.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address)
    }

    /// Blocks all data without closing the connections, or lets it pass again.
    pub fn cut(&self, is_cut: bool) {
        self.is_cut.store(is_cut, Ordering::Relaxed);
    }

    /// Ends all connections.
    pub fn hang_up(&self) {
        for end in self.open.lock().unwrap().drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

/// Carries data from one end to the other, in order.
fn carry(mut from: TcpStream, mut to: TcpStream, is_cut: Arc<AtomicBool>, mut rng: Rng) {
    let (send, pieces) = channel::<(Instant, Vec<u8>)>();
    spawn(move || {
        for (due, piece) in pieces {
            sleep(due.saturating_duration_since(Instant::now()));
            while is_cut.load(Ordering::Relaxed) {
                sleep(Duration::from_millis(5));
            }
            if to.write_all(&piece).is_err() {
                break;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
    });
    let mut bytes = [0; 1 << 14];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        let mut delay = Duration::from_millis((DELAY[0] + rng.index(DELAY[1])) as u64);
        if rng.index(100) == 0 {
            delay += LOST;
        }
        if send.send((Instant::now() + delay, bytes[..length].to_vec())).is_err() {
            break;
        }
    }
}
