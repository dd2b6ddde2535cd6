//! Battles from a small server that stands for the site.

use contender_site::fetch::{FetchError, fetch, file_of};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::atomic::AtomicBool;
use std::thread;

const BATTLE: &str = r#"{"gameId":7,"refereeInput":"seed=5","scores":[1,0],"frames":[{"agentId":0,"stdout":"A\n"},{"agentId":1,"stdout":"B\n"}]}"#;

/// Answers one call with a status and a text, and returns its address and what it was asked.
fn server(status: &'static str, text: &'static str) -> (String, thread::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/services/gameResult/findByGameId", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let mut reader = BufReader::new(stream);
        let (mut head, mut length) = (String::new(), 0);
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().unwrap();
            }
            head += &line;
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let head = head + &String::from_utf8(body).unwrap();
        let length = text.len();
        let answer =
            format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{text}");
        reader.get_mut().write_all(answer.as_bytes()).unwrap();
        head
    });
    (address, served)
}

#[test]
fn a_public_battle_is_one_call_without_a_login() {
    let folder = tempfile::tempdir().unwrap();
    let (address, served) = server("200 OK", BATTLE);
    let path = fetch(&address, 7, folder.path(), &AtomicBool::new(false)).unwrap();
    assert_eq!(path, file_of(folder.path(), 7));
    assert_eq!(std::fs::read_to_string(path).unwrap(), BATTLE);
    let asked = served.join().unwrap();
    assert!(asked.starts_with("POST /services/gameResult/findByGameId HTTP/1.1"), "{asked}");
    assert!(asked.ends_with("[7,null]") && !asked.to_lowercase().contains("cookie"), "{asked}");
}

#[test]
fn a_refusal_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let try_fetch = |status, text| {
        let (address, served) = server(status, text);
        let error = fetch(&address, 7, folder.path(), &AtomicBool::new(false)).unwrap_err();
        served.join().unwrap();
        error
    };
    let refused = try_fetch("429 Too Many Requests", "slow\u{1b}down");
    assert!(matches!(refused, FetchError::Refused { status: 429, .. }), "{refused}");
    assert_eq!(refused.to_string(), "the site refused the request with status 429: slowdown");
    assert!(matches!(try_fetch("200 OK", "null"), FetchError::Battle(_)));
    assert!(matches!(try_fetch("200 OK", "<html>"), FetchError::Battle(_)));
    let nobody = fetch("http://127.0.0.1:9/", 7, folder.path(), &AtomicBool::new(false)).unwrap_err();
    assert!(matches!(nobody, FetchError::NoAnswer(_)), "{nobody}");
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
}
