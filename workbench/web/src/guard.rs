//! Checks whether requests are allowed, and sets the headers of every answer.

use crate::App;
use crate::drops::MAX_BYTES;
use crate::page::{self, Problem};
use crate::server::ClientInfo;
use crate::viewer;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use contender_input::this_program;
use maud::html;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

/// Time limit from the request to the start of the answer. Live updates may continue afterwards.
const PATIENCE: Duration = Duration::from_secs(60);

/// Content security policy: only this server's own scripts, styles and text face, and pictures within pages.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// The data for checking requests.
pub struct Guard {
    token: String,
    /// The cookie's name. It contains the port, because browsers share cookies between all ports of a host.
    cookie: String,
    /// The host names under which a browser on this machine reaches the server. If the server listens on other
    /// addresses, any name is accepted, but reading needs the token.
    hosts: Option<Vec<String>>,
}

impl Guard {
    /// Creates the guard of a server at this address, with a new token.
    pub fn new(address: SocketAddr) -> anyhow::Result<Guard> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes)
            .map_err(|error| anyhow::anyhow!("cannot get random numbers from the system: {error}"))?;
        let port = address.port();
        let mut names = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}")).to_vec();
        // All of 127.0.0.0/8 is this machine.
        names.push(address.to_string());
        Ok(Guard {
            token: bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
            cookie: format!("contender-{port}"),
            hosts: address.ip().is_loopback().then_some(names),
        })
    }

    /// Also accepts requests that use these host names, in the form that browsers send: `HOST:PORT`, or `HOST` alone
    /// for the default port.
    pub fn add_names(&mut self, names: &[String]) {
        if let Some(hosts) = &mut self.hosts {
            hosts.extend(names.iter().cloned());
        }
    }

    /// Returns the token.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Returns whether the request has the cookie with the token.
    pub fn knows(&self, headers: &HeaderMap) -> bool {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut pairs =
            cookies.flat_map(|text| text.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.any(|(name, value)| name == self.cookie && self.is_token(value))
    }

    /// Compares a text with the token. The time taken does not depend on the number of equal characters.
    fn is_token(&self, text: &str) -> bool {
        let pairs = text.bytes().zip(self.token.bytes());
        text.len() == self.token.len() && pairs.fold(0, |differences, (a, b)| differences | (a ^ b)) == 0
    }

    /// Returns an error if the request uses an unknown host name. Another site could let its name point to this
    /// machine, and a browser would then treat this server as that site.
    fn stranger(&self, request: &Request) -> Option<Problem> {
        let is_known =
            self.hosts.as_ref().is_none_or(|hosts| hosts.iter().any(|known| known == host(request)));
        (!is_known).then(|| {
            let words = format!(
                "This server does not know the host name {}. If your tunnel or proxy leads here, restart \
                 the server with \
                 `{} web --name {}`.",
                host(request),
                this_program(),
                host(request)
            );
            Problem::new(StatusCode::MISDIRECTED_REQUEST, words)
        })
    }

    /// Returns the reason to refuse a request, if there is one.
    fn refusal(&self, request: &Request) -> Option<Problem> {
        let headers = request.headers();
        let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
        let host = host(request);
        let is_reading = matches!(*request.method(), Method::GET | Method::HEAD);
        let is_foreign =
            headers.get(header::ORIGIN).is_some_and(|origin| origin != &format!("http://{host}"));
        let is_cross_site = matches!(text("sec-fetch-site"), Some("cross-site" | "same-site"));
        // A link must open in a window, not in a frame.
        let is_link = is_reading
            && text("sec-fetch-mode") == Some("navigate")
            && matches!(text("sec-fetch-dest"), None | Some("document"));
        if is_foreign || is_cross_site && !is_link {
            return Some(Problem::new(StatusCode::FORBIDDEN, "Requests from other sites are refused."));
        }
        if (self.hosts.is_none() || !is_reading) && !self.knows(headers) {
            let words = format!(
                "For this, the browser needs the token. In this browser, open the address that `{} web` printed.",
                this_program()
            );
            return Some(Problem::new(StatusCode::UNAUTHORIZED, words));
        }
        // The announced length of a body is enough to refuse it, before it is sent.
        let length = text("content-length").and_then(|length| length.parse::<u64>().ok());
        if length.is_some_and(|length| length > MAX_BYTES as u64) {
            return Some(Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "The request is too large."));
        }
        None
    }

    /// Returns a plain page if a link on another site led here. The page names the requested page and links to it, so a
    /// link on another site cannot start anything unless the user clicks again.
    fn threshold(&self, request: &Request) -> Option<Response> {
        let text = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        if !matches!(text("sec-fetch-site"), Some("cross-site" | "same-site")) {
            return None;
        }
        let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
        let page = html! {
            h1 { "Opened from elsewhere" }
            p { "A link on another site led to " code { (path) } "." }
            p { a href=(format!("http://{}{path}", text("host").unwrap_or_default())) { "Open it" } }
        };
        Some(page::without_scripts("Opened from elsewhere", &page).into_response())
    }

    /// Answers a request whose address contains the token: sets the cookie and redirects to the first page.
    fn welcome(&self, request: &Request) -> Option<Response> {
        let query = request.uri().query()?;
        let is_pass = |pair: &&str| pair.strip_prefix("token=").is_some_and(|token| self.is_token(token));
        query.split('&').find(is_pass)?;
        let cookie = format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie, self.token);
        Some(([(header::SET_COOKIE, cookie)], Redirect::to("/")).into_response())
    }
}

/// Whether a request has the token. Only with the token may a user change something or start work that takes long.
pub struct Known(pub bool);

impl FromRequestParts<Arc<App>> for Known {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Known, Infallible> {
        Ok(Known(app.guard.knows(&parts.headers)))
    }
}

impl Known {
    /// Returns an error if the request does not have the token.
    pub fn require(&self) -> Result<(), Problem> {
        match self.0 {
            true => Ok(()),
            false => Err(Problem::new(
                StatusCode::UNAUTHORIZED,
                "To do this, open the address with the token that the server printed at its start.",
            )),
        }
    }
}

/// Returns the host name that a request uses for this server.
fn host(request: &Request) -> &str {
    request.headers().get(header::HOST).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

/// Returns the policy for the answer if the request asks for a file of a viewer and contains the viewer's key.
fn viewer_policy(app: &App, request: &Request) -> Option<HeaderValue> {
    let place = app.viewers.place(request.uri().path())?;
    let host = host(request);
    let is_plain = host.chars().all(|letter| letter.is_ascii_alphanumeric() || ".:-[]".contains(letter));
    let is_reading = matches!(*request.method(), Method::GET | Method::HEAD);
    if !(is_plain && is_reading) {
        return None;
    }
    HeaderValue::from_str(&viewer::policy(host, place)).ok()
}

/// Passes a request on, or refuses it.
pub async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let guard = &app.guard;
    if let Some(visitor) =
        request.extensions().get::<Arc<ClientInfo>>().filter(|_| guard.knows(request.headers()))
    {
        visitor.is_known.store(true, Ordering::Relaxed);
    }
    let viewer = viewer_policy(&app, &request);
    let mut response = if let Some(problem) = guard.stranger(&request) {
        problem.into_response()
    } else if let Some(welcome) = guard.welcome(&request).filter(|_| viewer.is_none()) {
        welcome
    } else if let Some(problem) = guard.refusal(&request).filter(|_| viewer.is_none()) {
        problem.into_response()
    } else if let Some(threshold) = guard.threshold(&request).filter(|_| viewer.is_none()) {
        threshold
    } else {
        tokio::time::timeout(PATIENCE, next.run(request)).await.unwrap_or_else(|_| {
            Problem::new(StatusCode::REQUEST_TIMEOUT, "The answer took too long.").into_response()
        })
    };
    // Errors in addresses and forms come from a parser as plain text, so they get a page around them.
    let is_plain = |response: &Response| {
        let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
        kind.is_some_and(|kind| kind.starts_with("text/plain"))
    };
    if response.status().is_client_error() && is_plain(&response) {
        let words = "Something in this address or form is missing or invalid.";
        response = Problem::new(response.status(), words).into_response();
    }
    let headers = response.headers_mut();
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    let mut may_read = HeaderValue::from_static("same-origin");
    if let Some(policy) = viewer {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
        // A viewer's frame has no origin, so its own files count as cross-origin for it.
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("null"));
        may_read = HeaderValue::from_static("cross-origin");
    }
    headers.insert("cross-origin-resource-policy", may_read);
    response
}
