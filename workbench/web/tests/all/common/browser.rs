//! A headless Chromium, controlled by Debian's `chromedriver` with the WebDriver protocol
//! (<https://www.w3.org/TR/webdriver2/>).

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

// The keys of the WebDriver protocol.
pub const RIGHT: &str = "\u{e014}";
pub const LEFT: &str = "\u{e012}";
pub const END: &str = "\u{e010}";

/// Maximum time to wait for a page. A browser that starts from a cold disk on a busy machine has needed 20 seconds.
const PATIENCE: Duration = Duration::from_secs(120);

/// Only one browser runs at a time. Each one takes several processes, and a small machine has too few cores for the
/// pages' own deadlines.
static TURN: Mutex<()> = Mutex::new(());

pub struct Browser {
    driver: Child,
    host: String,
    session: String,
    _profile: tempfile::TempDir,
    /// Dropped last, after the driver has ended.
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// Starts a browser with an empty profile; `None` if no browser is installed.
    pub fn start() -> Option<Browser> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let port = std::net::TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let started = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(driver) = started else {
            eprintln!("skipped: no chromedriver; scripts/install-browser.sh installs it");
            return None;
        };
        let profile = tempfile::tempdir().ok()?;
        let host = format!("127.0.0.1:{port}");
        let mut browser = Browser { driver, host, session: String::new(), _profile: profile, _turn: turn };
        let begun = Instant::now();
        while TcpStream::connect(&browser.host).is_err() {
            assert!(begun.elapsed() < PATIENCE, "chromedriver does not listen");
            std::thread::sleep(Duration::from_millis(50));
        }
        let folder = format!("--user-data-dir={}", browser._profile.path().display());
        let args = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--hide-scrollbars",
            "--window-size=1280,900",
            &folder,
        ];
        let capabilities = json!({"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": {"args": args},
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
        }}});
        let answer = browser.call("POST", "/session", &capabilities);
        browser.session = format!("/session/{}", answer["sessionId"].as_str().expect("a session"));
        if std::env::var_os("CONTENDER_DARK").is_some() {
            let features = json!([{"name": "prefers-color-scheme", "value": "dark"}]);
            let command = json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}});
            browser.of_session("POST", "/goog/cdp/execute", &command);
        }
        Some(browser)
    }

    fn call(&self, method: &str, path: &str, body: &Value) -> Value {
        self.try_call(method, path, body).unwrap_or_else(|reason| panic!("{reason}"))
    }

    /// Sends a command to the driver, and returns its answer or the driver's error.
    fn try_call(&self, method: &str, path: &str, body: &Value) -> Result<Value, String> {
        let body = if method == "GET" { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(&self.host).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (host, length) = (&self.host, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        // The driver keeps connections open, so the length of the body comes from the head.
        let mut stream = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(stream.read_line(&mut head).unwrap() > 0, "{path}: the driver is gone");
        }
        let length = head
            .lines()
            .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
        let mut body = vec![0; length.expect("a length")];
        stream.read_exact(&mut body).unwrap();
        let body = String::from_utf8(body).unwrap();
        if !head.starts_with("HTTP/1.1 200") {
            return Err(format!("{path}: {body}"));
        }
        Ok(serde_json::from_str::<Value>(&body).unwrap()["value"].take())
    }

    fn of_session(&self, method: &str, path: &str, body: &Value) -> Value {
        self.call(method, &format!("{}{path}", self.session), body)
    }

    pub fn open(&self, address: &str) {
        self.of_session("POST", "/url", &json!({ "url": address }));
    }

    /// Returns the value of an expression in the page. Waits if the value is a promise.
    pub fn eval(&self, expression: &str) -> Value {
        let script = format!("return ({expression})");
        self.of_session("POST", "/execute/sync", &json!({"script": script, "args": []}))
    }

    /// Runs a script in the page.
    pub fn run(&self, script: &str) {
        self.of_session("POST", "/execute/sync", &json!({"script": script, "args": []}));
    }

    /// Waits until an expression is true. The driver reports an error if the browser leaves the page at this moment.
    pub fn wait(&self, expression: &str) {
        let begun = Instant::now();
        let script = json!({"script": format!("return Boolean({expression})"), "args": []});
        let path = format!("{}/execute/sync", self.session);
        while self.try_call("POST", &path, &script) != Ok(Value::Bool(true)) {
            if begun.elapsed() > PATIENCE {
                panic!("{expression} does not come true in {}", self.eval("document.body.innerText"));
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses a key. Keys without a letter have WebDriver's codes: `\u{e014}` is the right arrow.
    pub fn press(&self, key: &str) {
        let pressed = json!({"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": key}, {"type": "keyUp", "value": key},
        ]}]});
        self.of_session("POST", "/actions", &pressed);
    }

    /// Clicks the first element that a CSS selector finds.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.of_session("POST", &format!("/element/{element}/click"), &json!({}));
    }

    fn element(&self, selector: &str) -> String {
        let found = self.of_session("POST", "/element", &json!({"using": "css selector", "value": selector}));
        let element = found.as_object().and_then(|object| object.values().next()).and_then(Value::as_str);
        element.unwrap().to_string()
    }

    /// Waits until an element shows at least `least` colours, including those in a frame.
    pub fn wait_for_colours(&self, selector: &str, least: u64) {
        let element = self.element(selector);
        let begun = Instant::now();
        loop {
            let shown = self.of_session("GET", &format!("/element/{element}/screenshot"), &Value::Null);
            let colours = self.eval(&format!(
                "(async () => {{ \
                    const bytes = Uint8Array.from(atob({shown}), (letter) => letter.charCodeAt(0)); \
                    const bitmap = await createImageBitmap(new Blob([bytes], {{type: 'image/png'}})); \
                    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d'); \
                    context.drawImage(bitmap, 0, 0); \
                    const data = context.getImageData(0, 0, bitmap.width, bitmap.height).data; \
                    return new Set(new Uint32Array(data.buffer)).size; \
                }})()"
            ));
            if colours.as_u64().unwrap() >= least {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{selector} shows {colours} colours");
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Sets the reader's preference for motion: `reduce` or `no-preference`.
    pub fn prefer_motion(&self, preference: &str) {
        let features = json!([{"name": "prefers-reduced-motion", "value": preference}]);
        let command = json!({"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}});
        self.of_session("POST", "/goog/cdp/execute", &command);
    }

    /// Sets the window's width, for example to that of a telephone.
    pub fn narrow(&self, width: u32) {
        self.size(width, 844);
    }

    /// Sets the window's size.
    pub fn size(&self, width: u32, height: u32) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        let command = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics});
        self.of_session("POST", "/goog/cdp/execute", &command);
    }

    /// Writes a picture of the window. A relative path is relative to the workspace.
    pub fn screenshot(&self, path: &Path) {
        let picture = self.of_session("GET", "/screenshot", &Value::Null);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        std::fs::write(path, base64(picture.as_str().unwrap())).unwrap();
    }

    /// Writes a picture for the documentation, if `CONTENDER_PICTURES` names a folder.
    pub fn picture(&self, name: &str) {
        if let Some(folder) = std::env::var_os("CONTENDER_PICTURES") {
            self.screenshot(&Path::new(&folder).join(name));
        }
    }

    /// Fails unless exactly `count` requests were refused since the console was last read, without any other message.
    pub fn assert_refused(&self, count: usize) {
        let mut console = Vec::new();
        let begun = Instant::now();
        // A page may know of the refusal before the driver has its message.
        while console.len() < count && begun.elapsed() < PATIENCE {
            let log = self.of_session("POST", "/se/log", &json!({"type": "browser"}));
            console.extend(log.as_array().unwrap().iter().cloned());
        }
        let is_refusal = |entry: &Value| entry["message"].as_str().unwrap().contains("status of 4");
        assert!(console.len() == count && console.iter().all(is_refusal), "{console:?}");
    }

    /// Fails if a script failed or warned, or if a request went to another machine.
    pub fn assert_clean(&self, host: &str) {
        let console = self.of_session("POST", "/se/log", &json!({"type": "browser"}));
        assert_eq!(console, json!([]), "the console has words");
        let log = self.of_session("POST", "/se/log", &json!({"type": "performance"}));
        for entry in log.as_array().unwrap() {
            let entry: Value = serde_json::from_str(entry["message"].as_str().unwrap()).unwrap();
            let message = &entry["message"];
            if message["method"] == "Network.requestWillBeSent" {
                let url = message["params"]["request"]["url"].as_str().unwrap();
                // Pages that the browser shows before the first one are its own.
                let is_inside =
                    ["data:", "chrome:", "chrome-untrusted:"].iter().any(|scheme| url.starts_with(scheme));
                let is_own = url.starts_with(&format!("http://{host}/")) || is_inside;
                assert!(is_own, "a request to {url}");
            }
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The session must also be closed after a failed test, because the browser outlives its driver.
        if !self.session.is_empty() {
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                self.of_session("DELETE", "", &json!({}));
            }));
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let values: Vec<u32> = text
        .bytes()
        .filter_map(|byte| LETTERS.iter().position(|&letter| letter == byte))
        .map(|at| at as u32)
        .collect();
    let mut bytes = Vec::with_capacity(values.len() * 3 / 4);
    for group in values.chunks(4) {
        let bits = group.iter().fold(0, |bits, value| bits << 6 | value) << (6 * (4 - group.len()));
        bytes.extend(bits.to_be_bytes()[1..].iter().take(group.len() * 3 / 4));
    }
    bytes
}
