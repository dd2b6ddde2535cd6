//! Endless bodies and lines, idle connections, malformed requests.

use crate::common::Site;
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn bodies_have_an_end() {
    let site = Site::new();
    let head = |length: &str| {
        format!("POST /drop?name=a HTTP/1.1\r\nHost: {}\r\n{}{length}\r\n", site.host, site.cookie())
    };
    // A body that is announced as a gigabyte is refused before it is sent.
    assert_eq!(site.send(&head("Content-Length: 1073741824\r\n"), &[]).status, 413);
    // A large body without an announced length is refused while it is sent.
    let mut stream = site.connect();
    stream.write_all(head("Transfer-Encoding: chunked\r\n").as_bytes()).unwrap();
    let chunk = [b"100000\r\n".as_slice(), &vec![b'x'; 1 << 20], b"\r\n"].concat();
    let sent = (0..1024).take_while(|_| stream.write_all(&chunk).is_ok()).count();
    assert!(sent < 100, "{sent} MiB were taken");
    // A request head without an end.
    let mut stream = site.connect();
    let _ = stream.write_all(b"GET / HTTP/1.1\r\n");
    let line = [b"X-A: ".as_slice(), &[b'a'; 8000], b"\r\n"].concat();
    let sent = (0..1000).take_while(|_| stream.write_all(&line).is_ok()).count();
    assert!(sent < 1000);
    assert_eq!(site.get("/").status, 200);
}

#[test]
fn idle_connections_keep_nobody_out() {
    let site = Site::new();
    // The system limits how many connections one process can open on both sides.
    let idle: Vec<TcpStream> = (0..1000).map_while(|_| TcpStream::connect(&site.host).ok()).collect();
    assert!(idle.len() > 300, "{}", idle.len());
    assert_eq!(site.get("/").status, 200);
    let slow: Vec<TcpStream> = (0..300)
        .map_while(|_| {
            let mut stream = TcpStream::connect(&site.host).ok()?;
            stream.write_all(b"GET / HTTP/1.1\r\nHost:").ok()?;
            Some(stream)
        })
        .collect();
    assert_eq!(site.get("/").status, 200);
    drop((idle, slow));
}

#[test]
fn senseless_requests_end() {
    let site = Site::new();
    for bytes in [
        b"\0\0\0\0\r\n\r\n".as_slice(),
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\x16\x03\x01\x02\x00\r\n\r\n",
    ] {
        let mut stream = site.connect();
        stream.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        assert!(!answer.starts_with(b"HTTP/1.1 200"));
    }
    assert_eq!(site.get("/").status, 200);
}
