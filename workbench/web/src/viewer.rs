//! The viewer of a challenge: the files in a project folder with `player.html`, as `contender referee viewer` collects
//! them. These files are third-party programs, so they run in a frame without an origin and without network access.
//!
//! A frame may read only the folder of its viewer. The frame's address contains a key, which only the page around the
//! frame knows. Because of the key, the guard accepts the frame's requests although they come from a foreign origin.

use crate::App;
use crate::page::{Problem, blocking};
use crate::project::{PLAYER, Project};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// Start of the addresses of a viewer's files, before the key.
const PLACE: &str = "/viewer/";
/// Maximum size of a file in bytes.
const MAX_BYTES: u64 = 64 << 20;

/// The key of each viewer that a page has shown, by the viewer's folder.
#[derive(Default)]
pub struct Viewers(Mutex<HashMap<String, String>>);

impl Viewers {
    /// Returns the address of a viewer's files. The page that shows the viewer needs this address.
    ///
    /// # Errors
    /// Returns an error if the folder is not a viewer.
    pub fn open(&self, project: &Project, dir: &str) -> Result<String, Problem> {
        project.folder(dir, PLAYER)?;
        let mut keys = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((key, _)) = keys.iter().find(|(_, known)| *known == dir) {
            return Ok(format!("{PLACE}{key}/"));
        }
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(Problem::bad)?;
        let key: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        keys.insert(key.clone(), dir.to_string());
        Ok(format!("{PLACE}{key}/"))
    }

    /// Returns the folder to which a key belongs.
    fn folder(&self, key: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(key).cloned()
    }

    /// Returns the start of an address up to and including a known key.
    pub fn place<'a>(&self, path: &'a str) -> Option<&'a str> {
        let key = path.strip_prefix(PLACE)?.split('/').next()?;
        self.folder(key).map(|_| &path[..PLACE.len() + key.len() + 1])
    }
}

/// Returns a viewer's content security policy. The viewer may run its own scripts and show its own pictures. Every
/// answer is sandboxed without an origin, so the viewer has no cookies and no storage, cannot open windows and cannot
/// leave its page.
pub fn policy(host: &str, place: &str) -> String {
    let own = format!("http://{host}{place}");
    format!(
        "sandbox allow-scripts; default-src 'none'; script-src {own} 'unsafe-inline' 'unsafe-eval'; \
         style-src {own} 'unsafe-inline'; img-src {own} data: blob:; media-src {own}; font-src {own} data:; \
         connect-src {own}; form-action 'none'; base-uri 'none'; frame-ancestors http://{host}; webrtc 'block'"
    )
}

/// Returns a file of a viewer.
pub async fn file(
    State(app): State<Arc<App>>,
    Path((key, path)): Path<(String, String)>,
) -> Result<Response, Problem> {
    blocking(app, move |app| {
        let gone = || Problem::not_found("There is no such viewer.");
        let dir = app.viewers.folder(&key).ok_or_else(gone)?;
        let within = if dir.is_empty() { path.clone() } else { format!("{dir}/{path}") };
        let found = app.project.file(&within)?;
        // A link may lead to another folder in the project.
        if !found.starts_with(app.project.folder(&dir, PLAYER)?) {
            return Err(gone());
        }
        let bytes = contender_input::read(&found, MAX_BYTES).map_err(Problem::bad)?;
        Ok(([(header::CONTENT_TYPE, kind(&path))], bytes).into_response())
    })
    .await
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" => "application/json",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "gif" => "image/gif",
        "webp" => "image/webp",
        "svg" => "image/svg+xml",
        "woff" => "font/woff",
        "woff2" => "font/woff2",
        "ttf" => "font/ttf",
        "mp3" => "audio/mpeg",
        "ogg" => "audio/ogg",
        "fnt" | "xml" | "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
